"""What the compiled and the readable part of `dlx` call things: array positions and flags."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

LEFT: Final = 0
"""heads[LEFT, c]: the column before column c among those that are not covered; 0 is the root of the list."""
RIGHT: Final = 1
SIZE: Final = 2
"""heads[SIZE, c]: how many choices column c has left."""
UP: Final = 0
"""links[UP, x]: the node above node x in its column; the nodes 1 to the number of columns are the heads."""
DOWN: Final = 1

DEPTH: Final = 0
"""counts[DEPTH]: choices taken now, the givens not counted."""
TRIED: Final = 1
"""counts[TRIED]: the node of the choice taken back last, from which its column goes on; 0 where a column is entered."""
OPEN: Final = 2
"""counts[OPEN]: columns not covered."""
BEST: Final = 3
"""counts[BEST]: the least counts[OPEN] so far."""
TAKEN: Final = 4
"""counts[TAKEN]: choices taken so far, those taken back included."""
DEAD_ENDS: Final = 5
STUCK_AT: Final = 6
"""counts[STUCK_AT]: the column without a choice of the last dead end, 0 if there was none."""
STATUS: Final = 7
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
COUNTS: Final = 8

COVERED: Final = 1
UNCOVERED: Final = 2
STUCK: Final = 4
"""A column without a choice was met."""
GUESSED: Final = 8
"""The column of the choice that was taken had others."""
SOLVED: Final = 16
NO_SOLUTION: Final = 32
GAVE_UP: Final = 64
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "covered": COVERED,
    "assigned": COVERED,
    "guess": GUESSED,
    "uncovered": UNCOVERED,
    "retracted": UNCOVERED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

OPEN_LIMIT: Final = 3
"""limits[OPEN_LIMIT]: stop when no more columns than this are left; -1: nowhere."""
SMALLEST: Final = 5
"""limits[SMALLEST]: 1 to branch on a column with the fewest choices, 0 on the first."""


class Matrix(NamedTuple):
    """Which choice covers which columns; for a board of n*n cells, c columns and x nodes, heads included."""

    column_of: NDArray[np.int32]
    """int32[x]: the column of each node."""
    choice_of: NDArray[np.int32]
    """int32[x]: the choice of each node, cell * n + value - 1; -1 for the root and the heads."""
    starts: NDArray[np.int32]
    """int32[n*n*n + 1]: choice k is the nodes starts[k] to starts[k + 1] - 1, that of its cell first."""


class Cover(NamedTuple):
    """A search under way: the arrays of a state, changed in place."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    chosen: NDArray[np.int32]
    heads: NDArray[np.int32]
    links: NDArray[np.int32]
    counts: NDArray[np.int64]
