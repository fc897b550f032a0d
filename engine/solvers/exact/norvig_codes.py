"""What the compiled and the readable part of `norvig` call things: arrays, positions in them, flags."""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class Board(NamedTuple):
    """The arrays of a state, for a board of n*n cells with k free ones; every one of them is changed in place."""

    cells: Any
    """int8[n*n]: the values placed, 0 = open."""
    best: Any
    """int8[n*n]: `cells` at the lowest E so far."""
    masks: Any
    """uint32[n*n]: the candidates of each cell, bit v - 1 for value v; of a placed one its value."""
    causes: Any
    """int16[n*n*n]: at cell * n + value - 1 one more than the cell whose value struck the candidate; 0: it stands."""
    struck: Any
    """int16[n*n*n]: the candidates struck since the start, in order, up to counts[STRUCK]."""
    filled: Any
    """int16[k]: the cells placed since the start, in order, up to counts[FILLED]."""
    frames: Any
    """int32[k, 5]: the guesses that are open, see CELL ... STRUCK_BEFORE."""
    counts: Any
    """int64[12]: see DEPTH ... BEST."""


class Tables(NamedTuple):
    """What never changes."""

    peers: Any
    """int16[n*n, p], see `tables.peer_table`."""
    units: Any
    """int16[u, n], see `tables.unit_cells`."""


DEPTH: Final = 0
"""counts[DEPTH]: guesses that stand."""
TRIED: Final = 1
"""counts[TRIED]: the value of the guess that was just taken back, 0 if the last step was none such."""
FILLED: Final = 2
STRUCK: Final = 3
DEAD: Final = 4
"""counts[DEAD]: 0, or what is left empty: A_CELL or A_UNIT."""
WHERE: Final = 5
"""counts[WHERE]: that cell, or that unit's place in `geometry.units`."""
VALUE: Final = 6
"""counts[VALUE]: the value that has no place in that unit."""
UNIT: Final = 7
"""counts[UNIT]: the unit in which the last step found a hidden single; -1: it found none."""
NODES: Final = 8
"""counts[NODES]: guesses made, the forced ones (the last value of a cell) included."""
DEAD_ENDS: Final = 9
"""counts[DEAD_ENDS]: contradictions met."""
STATUS: Final = 10
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
BEST: Final = 11
"""counts[BEST]: the lowest E so far."""
COUNTS: Final = 12

A_CELL: Final = 1
A_UNIT: Final = 2

CELL: Final = 0
"""frames[d, CELL]: the cell guessed in."""
CHOSEN: Final = 1
"""frames[d, CHOSEN]: the value tried now, or last."""
MASK: Final = 2
"""frames[d, MASK]: the candidates that the cell had."""
FILLED_BEFORE: Final = 3
STRUCK_BEFORE: Final = 4
"""frames[d, ..._BEFORE]: counts[FILLED] and counts[STRUCK] before the guess."""
FRAME: Final = 5

PLACED: Final = 1
REMOVED: Final = 2
STUCK: Final = 4
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
GUESS: Final = 64
"""The value placed was one of several left for its cell."""
TRIAL: Final = 128
"""The value placed is on the stack: a guess, or what is left of one."""
ELIMINATED: Final = 256
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "assigned": PLACED,
    "guess": GUESS,
    "eliminated": ELIMINATED,
    "retracted": REMOVED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

ENERGY_LIMIT: Final = 3
"""limits[ENERGY_LIMIT]: stop where E falls to this; -1: nowhere."""
