"""Which moves are legal, and everything else that a puzzle, its fixed cells and a neighbourhood determine.

row-swap       two free cells of a row (row state)
box-swap       two free cells of a box (box state; Lewis 2007)
conflict-swap  either of the two, at least one cell being in conflict
extended       two free cells of a band, or a rotation of three free cells of a row (row state to begin with)
"""

from __future__ import annotations

import functools
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing.config import CONFLICT_SWAP, EXTENDED

NO_CELL = 65535
"""Third cell of a move that is a swap."""


class Board(NamedTuple):
    """Arrays that the kernels read and never write."""

    moves: npt.NDArray[np.uint16]
    """[m, 3]: every legal move. (a, b, NO_CELL) with a < b exchanges two cells; (a, b, c) moves the value of a to b,
    of b to c and of c to a."""
    pairs: npt.NDArray[np.uint16]
    """[m, 2, k]: offsets into the count table of the units that hold only the first and only the second cell of a
    swap; what is left over is 0, the offset of a unit that stays empty."""
    units: npt.NDArray[np.uint16]
    """[n*n, k]: offsets into the count table of the units of each cell that E counts, filled up in the same way.
    The count of value v in a unit is at its offset + v."""
    size: int
    """Length of the count table."""
    n: int
    starts: npt.NDArray[np.int32]
    """[g + 1]: the free cells of group i (row or box) are free[starts[i]:starts[i + 1]]."""
    free: npt.NDArray[np.uint16]
    """[f]: the free cells, group by group."""
    missing: npt.NDArray[np.uint8]
    """[f]: the values that a group misses, ascending, in the place of its free cells."""
    movable: npt.NDArray[np.uint16]
    """conflict-swap (empty elsewhere): the free cells that have a partner, ascending."""
    cell_starts: npt.NDArray[np.int32]
    """[n*n + 1]: the moves of cell c are cell_moves[cell_starts[c]:cell_starts[c + 1]]."""
    cell_moves: npt.NDArray[np.int32]
    """... conflict-swap only, too."""


def groups(puzzle: Puzzle, boxes: bool) -> tuple[Unit, ...]:
    """The units that a state keeps as permutations."""
    return puzzle.geometry.boxes if boxes else puzzle.geometry.rows


def energy_units(puzzle: Puzzle, neighbourhood: int, boxes: bool) -> tuple[Unit, ...]:
    """The units that E counts: all that the moves can disturb."""
    g = puzzle.geometry
    if neighbourhood == EXTENDED:
        return g.units
    return (g.rows + g.columns if boxes else g.columns + g.boxes) + g.diagonals


def _free(cells: tuple[int, ...], fixed: bytes) -> list[int]:
    return [cell for cell in cells if not fixed[cell]]


def _swaps(puzzle: Puzzle, fixed: bytes, boxes: bool) -> list[tuple[int, int, int]]:
    return [(a, b, NO_CELL) for unit in groups(puzzle, boxes) for a, b in combinations(_free(unit.cells, fixed), 2)]


def _extended(puzzle: Puzzle, fixed: bytes) -> list[tuple[int, int, int]]:
    size = puzzle.box * puzzle.n
    bands = [tuple(range(band * size, (band + 1) * size)) for band in range(puzzle.box)]
    swaps = [(a, b, NO_CELL) for band in bands for a, b in combinations(_free(band, fixed), 2)]
    rotations = [move for row in puzzle.geometry.rows for a, b, c in combinations(_free(row.cells, fixed), 3)
                 for move in ((a, b, c), (a, c, b))]
    return swaps + rotations


def _legal(puzzle: Puzzle, fixed: bytes, neighbourhood: int, boxes: bool) -> npt.NDArray[np.uint16]:
    found = _extended(puzzle, fixed) if neighbourhood == EXTENDED else _swaps(puzzle, fixed, boxes)
    return np.array(found, np.uint16).reshape(-1, 3)


def _unit_offsets(puzzle: Puzzle, units: tuple[Unit, ...]) -> npt.NDArray[np.uint16]:
    """[n*n, k] offsets of the counted units of each cell; 0, the empty unit, where there are fewer than k."""
    stride = puzzle.n + 1
    of_cell: list[list[int]] = [[] for _ in range(puzzle.n**2)]
    for index, unit in enumerate(units, 1):
        for cell in unit.cells:
            of_cell[cell].append(index * stride)
    width = max(len(offsets) for offsets in of_cell)
    padded = [offsets + [0] * (width - len(offsets)) for offsets in of_cell]
    return np.array(padded, np.uint16)


def _pair_offsets(moves: npt.NDArray[np.uint16], units: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """[m, 2, k]: the units of a move's first cell that are not its second's, and the other way round."""
    first, second = units[moves[:, 0]], units[moves[:, 1]]
    shared_first = (first[:, :, None] == second[:, None, :]).any(2)
    shared_second = (second[:, :, None] == first[:, None, :]).any(2)
    both = np.stack([np.where(shared_first, 0, first), np.where(shared_second, 0, second)], axis=1)
    return both.astype(np.uint16)


def _layout(puzzle: Puzzle, cells: bytes, fixed: bytes, boxes: bool) -> tuple[list[int], list[int], list[int]]:
    """starts, free, missing of a Board; `cells` has the values of the fixed cells."""
    starts, free, missing = [0], [], []
    for unit in groups(puzzle, boxes):
        mine = _free(unit.cells, fixed)
        held = {cells[cell] for cell in unit.cells if fixed[cell]}
        free += mine
        missing += [value for value in range(1, puzzle.n + 1) if value not in held]
        starts.append(len(free))
    return starts, free, missing


def _moves_by_cell(moves: npt.NDArray[np.uint16], size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """cell_starts and cell_moves of a Board."""
    ends = moves.astype(np.int64).reshape(-1)
    owner = np.repeat(np.arange(len(moves)), 3)[ends != NO_CELL]
    ends = ends[ends != NO_CELL]
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[order], np.arange(size + 1))
    return starts.astype(np.int32), owner[order].astype(np.int32)


@functools.lru_cache(maxsize=32)
def _board(puzzle: Puzzle, cells: bytes, fixed: bytes, neighbourhood: int, boxes: bool) -> Board:
    moves = _legal(puzzle, fixed, neighbourhood, boxes)
    counted = energy_units(puzzle, neighbourhood, boxes)
    size = (len(counted) + 1) * (puzzle.n + 1)
    units = _unit_offsets(puzzle, counted)
    starts, free, missing = _layout(puzzle, cells, fixed, boxes)
    by_cell, movable = (np.zeros(1, np.int32), np.zeros(0, np.int32)), np.zeros(0, np.uint16)
    if neighbourhood == CONFLICT_SWAP:
        by_cell = _moves_by_cell(moves, puzzle.n**2)
        movable = np.flatnonzero(np.diff(by_cell[0])).astype(np.uint16)
    return Board(moves, _pair_offsets(moves, units), units, size, puzzle.n, np.array(starts, np.int32),
                 np.array(free, np.uint16), np.array(missing, np.uint8), movable, *by_cell)


def board_of(puzzle: Puzzle, cells: npt.NDArray[np.uint8], fixed: npt.NDArray[np.uint8], neighbourhood: int,
             boxes: bool) -> Board:
    """The Board for a puzzle whose fixed cells (`fixed`, 0 or 1 for each) have the values they have in `cells`.

    Cached: the same object comes back as long as puzzle, fixed cells, their values and neighbourhood are the same.
    """
    return _board(puzzle, (cells * fixed).tobytes(), fixed.tobytes(), neighbourhood, boxes)
