"""What the compiled and the readable part of `ac3` and `mac` call things: array positions, flags, causes."""

from __future__ import annotations

from typing import Final

HEAD: Final = 0
"""counts[HEAD]: where in the ring the next arc of the queue stands."""
WAITING: Final = 1
"""counts[WAITING]: arcs in the queue."""
OPEN: Final = 2
"""counts[OPEN]: candidates beyond one for each cell; an empty cell counts 1."""
DEPTH: Final = 3
"""counts[DEPTH]: guesses on the stack."""
TRAIL: Final = 4
"""counts[TRAIL]: candidates struck since the first guess on the stack."""
WIPED: Final = 5
"""counts[WIPED]: one more than the cell whose last candidate has just gone; 0: none."""
STRUCK: Final = 6
"""counts[STRUCK]: candidates struck over the whole run."""
GUESSES: Final = 7
"""counts[GUESSES]: guesses made."""
DEAD_ENDS: Final = 8
"""counts[DEAD_ENDS]: cells whose candidates were wiped out."""
STATUS: Final = 9
"""counts[STATUS]: 0 while the run goes on, then the flag of how it ended."""
COUNTS: Final = 10

CELL: Final = 0
VALUE: Final = 1
MASK: Final = 2
"""stack[k, MASK]: the candidates that the cell had when it was guessed."""
MARK: Final = 3
"""stack[k, MARK]: the length of the trail when the guess was made."""
FRAME: Final = 4

REVISED: Final = 1
ELIMINATED: Final = 2
ASSIGNED: Final = 4
GUESSED: Final = 8
RETRACTED: Final = 16
DEAD_END: Final = 32
SOLVED: Final = 64
NO_SOLUTION: Final = 128
FIXPOINT: Final = 256
"""Every arc is consistent, and cells are open."""
GAVE_UP: Final = 512
END: Final = SOLVED | NO_SOLUTION | FIXPOINT | GAVE_UP

KINDS: Final = {
    "revised": REVISED,
    "eliminated": ELIMINATED,
    "assigned": ASSIGNED | GUESSED,
    "guess": GUESSED,
    "retracted": RETRACTED,
    "contradiction": DEAD_END,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": FIXPOINT | GAVE_UP,
    "done": END,
}
"""The flags of steps that have an event of the kind."""

BY_GUESS: Final = -1
"""causes[...]: another value was guessed for the cell."""
REFUTED: Final = -2
"""causes[...]: the value was guessed, and led to a wipe-out. Above 0: one more than the cell that struck it."""

NO_SEARCH: Final = 0
ROWS: Final = 1
MRV: Final = 2
DOM_DEG: Final = 3
DOM_WDEG: Final = 4
CHOICES: Final = {"rows": ROWS, "mrv": MRV, "dom/deg": DOM_DEG, "dom/wdeg": DOM_WDEG}

ENERGY_LIMIT: Final = 3
"""limits[ENERGY_LIMIT]: stop when E falls to it; -1: nowhere."""
CHOICE: Final = 5
"""limits[CHOICE]: how the next cell to guess is chosen; NO_SEARCH: nothing is guessed."""
EAGER: Final = 6
"""limits[EAGER]: 1 where every change of a cell queues its arcs, 0 where only a decided cell does."""
