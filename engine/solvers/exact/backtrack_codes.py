"""What the compiled and the readable part of the backtracking searches call things: array positions and flags."""

from __future__ import annotations

from typing import Final

DEPTH: Final = 0
"""counts[DEPTH]: free cells filled now."""
TRIED: Final = 1
"""counts[TRIED]: the value last taken back from the cell that is next, 0 when it is entered for the first time."""
NODES: Final = 2
"""counts[NODES]: assignments made."""
DEAD_ENDS: Final = 3
"""counts[DEAD_ENDS]: times that a cell was entered and nothing fitted."""
BEST: Final = 4
"""counts[BEST]: the greatest depth so far."""
STATUS: Final = 5
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
COUNTS: Final = 6

PLACED: Final = 1
REMOVED: Final = 2
STUCK: Final = 4
"""Nothing fitted a cell that was entered for the first time."""
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
GUESS: Final = 64
"""The value placed was not the only one left for its cell."""
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "assigned": PLACED,
    "retracted": REMOVED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

DEPTH_LIMIT: Final = 3
"""limits[DEPTH_LIMIT]: stop when an assignment reaches this depth; -1: nowhere."""
RULE: Final = 5
"""limits[RULE]: how the next cell is chosen, IN_ORDER, FEWEST or FEWEST_DEGREE."""

IN_ORDER: Final = 0
"""As they stand in the order."""
FEWEST: Final = 1
"""The first with the fewest values left."""
FEWEST_DEGREE: Final = 2
"""Among those with the fewest values left, the first with the most empty peers."""
