"""What `dlx` goes on from: the links as they are, and the choices that were taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.solvers.exact import cover_matrix
from engine.solvers.exact.dlx_codes import OPEN, Cover, Matrix
from engine.state import State


@dataclass
class DlxState(State):
    """The links as they are now: a choice that is taken back leaves them exactly as they were before it."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    chosen: NDArray[np.int32]
    """int32[n*n]: the stack, the node of every choice taken after the givens, up to counts[DEPTH]; 0 beyond."""
    heads: NDArray[np.int32]
    """int32[3, columns + 1]: left, right and size of every column, see `dlx_codes`."""
    links: NDArray[np.int32]
    """int32[2, nodes]: up and down of every node."""
    counts: NDArray[np.int64]
    """int64[8], see `dlx_codes`."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Columns not covered; a given that contradicts another leaves that of its cell open."""
        return int(self.counts[OPEN])

    @property
    def matrix(self) -> Matrix:
        return cover_matrix.empty(self.puzzle.box, self.puzzle.variant).matrix

    @property
    def cover(self) -> Cover:
        """The arrays that the kernel works on, not copied."""
        return Cover(self.cells, self.best, self.chosen, self.heads, self.links, self.counts)
