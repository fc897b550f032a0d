"""The state of a `norvig` run: its arrays, the indices into them, and the flags that a step returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.exact.board import Cells, Masks
from engine.solvers.exact.search import Counts, SearchState

# Indices of `counts`
DEPTH: Final = 0  # guesses in force
TRIED: Final = 1  # the value of the guess that the last step undid, else 0
ASSIGNED: Final = 2  # cells assigned
ELIMINATED: Final = 3  # candidates eliminated
EMPTY: Final = 4  # the contradiction: 0, or A_CELL or A_UNIT is left empty
WHERE: Final = 5  # that cell, or that unit's index in `geometry.units`
VALUE: Final = 6  # the value that has no place in that unit
UNIT: Final = 7  # the unit in which the last step found a hidden single, else -1
GUESSES: Final = 8  # guesses made, forced ones (the last value of a cell) included
DEAD_ENDS: Final = 9  # contradictions met
STATUS: Final = 10  # 0 while the search goes on, then the flag of its ending
BEST: Final = 11  # the lowest E so far
COUNTS: Final = 12

A_CELL: Final = 1
A_UNIT: Final = 2

# Indices of `guesses[k]`
CELL: Final = 0  # the cell guessed in
CHOSEN: Final = 1  # the value tried now, or last
MASK: Final = 2  # the candidates that the cell had
ASSIGNED_BEFORE: Final = 3  # counts[ASSIGNED] and counts[ELIMINATED] before the guess
ELIMINATED_BEFORE: Final = 4
GUESS_SIZE: Final = 5

# Flags of a step
HAS_ASSIGNED: Final = 1
HAS_UNDONE: Final = 2
HAS_CONTRADICTION: Final = 4
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
HAS_GUESSED: Final = 64  # the value assigned was one of several left for its cell
FROM_STACK: Final = 128  # the value assigned was guessed, or the last one left of a guess
HAS_ELIMINATED: Final = 256
END: Final = SOLVED | NO_SOLUTION | GAVE_UP


@dataclass
class NorvigState(SearchState):
    """A board of n*n cells, k of them free."""

    cells: Cells
    best: Cells
    """`cells` at the lowest E so far."""
    masks: Masks
    """The candidates of each cell; of an assigned one its value."""
    causes: NDArray[np.int16]
    """int16[n*n*n], at cell * n + value - 1: 1 + the cell whose value eliminated the candidate; 0: it is left."""
    eliminated: NDArray[np.int16]
    """int16[n*n*n]: indices into `causes`, in the order of elimination; counts[ELIMINATED] of them."""
    assigned: NDArray[np.int16]
    """int16[k]: cells in the order of assignment; counts[ASSIGNED] of them."""
    guesses: NDArray[np.int32]
    """int32[k, 5]: the stack of guesses, indexed by CELL ... ELIMINATED_BEFORE; counts[DEPTH] of them."""
    counts: Counts
    surplus: int
    """The share of contradictory givens in E; 0 for a puzzle that can have a solution."""

    @property
    def grid(self) -> tuple[int, ...]:
        """The values assigned; a cell with one candidate that was not assigned yet is open."""
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """The candidates of the open cells, one for a cell that has none, and the clashes of the givens."""
        open_cells = (max(1, mask.bit_count()) for mask in self.masks[self.cells == 0].tolist())
        return int(sum(open_cells)) + self.surplus
