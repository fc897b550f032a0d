"""The choice of the cell that backtracking fills next: in order, or the one with minimum remaining values (MRV)."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.compiled.bits import popcount
from engine.compiled.kernel import Int, kernel
from engine.solvers.exact.board import Cells, Masks, Table
from engine.solvers.exact.search import FIRST_RULE, Counts

FreeCells: TypeAlias = NDArray[np.int16]
"""int16[k]: the free cells, those filled first, in the order in which they were filled."""

RULE: Final = FIRST_RULE  # limits[RULE]: how the next cell is chosen
IN_ORDER: Final = 0
FEWEST_CANDIDATES: Final = 1  # the first by number among equals
FEWEST_THEN_DEGREE: Final = 2  # among equals the first with the most empty peers


class Board(NamedTuple):
    """The arrays of a search, changed in place by the kernels, and the tables of its puzzle."""

    cells: Cells
    best: Cells
    counts: Counts
    open_values: Masks  # [u]: the values that each unit does not hold yet
    order: FreeCells  # changed unless the rule is IN_ORDER
    units: Table  # [n*n, 3 or 5]: the units of each cell; its row repeated where it has fewer
    peers: Table  # [n*n, p], padded with -1


@kernel
def candidates_of(board: Board, cell: Int) -> np.uint32:
    """The values that fit an empty cell."""
    fits = np.uint32(board.open_values[board.units[cell, 0]])
    for k in range(1, board.units.shape[1]):
        fits = np.uint32(fits & board.open_values[board.units[cell, k]])
    return fits


@kernel
def degree(board: Board, cell: Int) -> Int:
    """The number of empty peers of a cell."""
    found = 0
    for k in range(board.peers.shape[1]):
        peer = board.peers[cell, k]
        if peer >= 0 and board.cells[peer] == 0:
            found += 1
    return found


@kernel
def choose_cell(board: Board, depth: Int, rule: Int) -> None:
    """Swap the cell to be filled next, by the rule, to `depth` in the order."""
    order = board.order
    fewest, most, first, chosen = np.int64(99), np.int64(-1), np.int64(0), np.int64(depth)
    for place in range(depth, order.size):
        cell = np.int64(order[place])
        left = popcount(candidates_of(board, cell))
        if left > fewest:
            continue
        peers = np.int64(degree(board, cell)) if rule == FEWEST_THEN_DEGREE else np.int64(0)
        if left < fewest or peers > most or (peers == most and cell < first):
            fewest, most, first, chosen = left, peers, cell, np.int64(place)
    order[chosen], order[depth] = order[depth], order[chosen]
