"""Bit arithmetic for swaps at 9x9: one word of 64 bits a value in place of the count table.

The word of a value counts its occurrences in every unit of the two families that a swap can disturb:

    boxes are permutations   bits 0-17   rows, two bits each      bits 18-35  columns, two bits each
    rows are permutations    bits 0-17   boxes, two bits each     bits 18-62  columns, five bits each

Two bits suffice where the family crosses the permuted groups three at a time. A column of the row state can hold a
value 9 times: five bits, biased by 15, so that the top bit means "at least once". Each value occurs nine times in the
grid, so the surplus of a family is the number of its units without the value: ΔE is a difference of four popcounts,
and a swap adds one precomputed word to one value and subtracts it from the other.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.bits import popcount
from engine.compiled.kernel import kernel
from engine.solvers.annealing.parameters import BOX_SWAP, LOGARITHMIC, ROW_SWAP, SEARCH
from engine.solvers.annealing.workspace import Board, Cells, Workspace

PackedCounts = npt.NDArray[np.uint64]
"""[10]: the word of every value; [0] is not used."""

_1 = np.uint64(1)
_LOW = sum(1 << 2 * i for i in range(9))


class Words(NamedTuple):
    """Read-only words of a Board."""

    first: npt.NDArray[np.uint8]
    """[m]: the first cell of each move, in the order of board.moves."""
    second: npt.NDArray[np.uint8]
    """[m]: the second cell."""
    change: npt.NDArray[np.uint64]
    """[m]: added to the word of the first cell's value and subtracted from that of the second's."""
    of_cell: npt.NDArray[np.uint64]
    """[81]: the contribution of a cell to the word of its value."""
    none: np.uint64
    """The word of a value that does not occur."""
    pairs: np.uint64
    """Mask: the lower bit of every two-bit field."""
    present: np.uint64
    """Mask: one bit a unit, set if it holds the value once the two-bit fields are folded."""


def suits(workspace: Workspace) -> bool:
    """True if the next steps are swaps in a box or a row at 9x9, without diagonals and with T fixed in a plateau."""
    board, state, config = workspace.board, workspace.state, workspace.config
    return bool(board.n == 9 and board.units.shape[1] == 2 and state["neighbourhood"] in (ROW_SWAP, BOX_SWAP)
                and state["phase"] == SEARCH and not config["steepest"] and config["schedule"] != LOGARITHMIC)


def words_of(board: Board, boxes: bool) -> Words:
    """The Words of a Board that `suits`; cached by the moves."""
    return _words(board.moves.tobytes(), boxes)


@functools.lru_cache(maxsize=32)
def _words(moves: bytes, boxes: bool) -> Words:
    ends = np.frombuffer(moves, np.uint16).reshape(-1, 3)
    first, second = ends[:, 0].astype(np.uint8), ends[:, 1].astype(np.uint8)
    of_cell = np.array([_unit_bits(cell, boxes) for cell in range(81)], np.uint64)
    none = 0 if boxes else sum(15 << 18 + 5 * column for column in range(9))
    pairs = _LOW | (_LOW << 18 if boxes else 0)
    present = pairs if boxes else _LOW | sum(16 << 18 + 5 * column for column in range(9))
    return Words(first, second, of_cell[second] - of_cell[first], of_cell,
                 np.uint64(none), np.uint64(pairs), np.uint64(present))


def _unit_bits(cell: int, boxes: bool) -> int:
    row, column = divmod(cell, 9)
    if boxes:
        return (1 << 2 * row) + (1 << 18 + 2 * column)
    return (1 << 2 * (row // 3 * 3 + column // 3)) + (1 << 18 + 5 * column)


@kernel
def pack(counts: PackedCounts, cells: Cells, words: Words) -> None:
    """Count the cells of a grid."""
    counts[:] = words.none
    for cell in range(81):
        counts[cells[cell]] += words.of_cell[cell]


@kernel
def packed_delta(old: tuple[np.uint64, np.uint64], change: np.uint64, pairs: np.uint64, present: np.uint64) -> int:
    """ΔE of a swap that adds `change` to the first of two words and subtracts it from the second."""
    before = _units_with(old[0], pairs, present) + _units_with(old[1], pairs, present)
    after = _units_with(old[0] + change, pairs, present) + _units_with(old[1] - change, pairs, present)
    return int(before - after)


@kernel
def _units_with(word: np.uint64, pairs: np.uint64, present: np.uint64) -> np.int64:
    """The number of units that hold the value of this word."""
    return popcount((word | ((word >> _1) & pairs)) & present)
