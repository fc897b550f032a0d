"""Building a Board and a Workspace: the tables that proposals look up instead of computing them."""

from __future__ import annotations

import functools
from itertools import pairwise
from math import comb
from typing import cast

import numpy as np
import numpy.typing as npt

from engine import rng
from engine.breakpoints import NEVER
from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing.neighbourhood import energy_units, free, groups, legal_moves
from engine.solvers.annealing.parameters import (
    CONFLICT_SWAP,
    EXTENDED,
    Config,
    Records,
    SearchState,
    Watch,
    make_log,
    make_watch,
)
from engine.solvers.annealing.workspace import NO_CELL, REACH, Board, Grids, Keys, Moves, Pairs, Units, Workspace


def board_of(puzzle: Puzzle, cells: npt.NDArray[np.uint8], fixed: npt.NDArray[np.uint8], neighbourhood: int,
             boxes: bool) -> Board:
    """The Board of a puzzle whose fixed cells (`fixed`, 0 or 1 for each) have their values in `cells`.

    Cached: equal arguments give the same object.
    """
    return _board(puzzle, (cells * fixed).tobytes(), fixed.tobytes(), neighbourhood, boxes)


@functools.lru_cache(maxsize=32)
def _board(puzzle: Puzzle, cells: bytes, fixed: bytes, neighbourhood: int, boxes: bool) -> Board:
    moves = legal_moves(puzzle, fixed, neighbourhood, boxes)
    counted = energy_units(puzzle, neighbourhood, boxes)
    size = (len(counted) + 1) * (puzzle.n + 1)
    units = _unit_offsets(puzzle, counted)
    starts, free_cells, missing = _layout(puzzle, cells, fixed, boxes)
    by_cell, movable = (np.zeros(1, np.int32), np.zeros(0, np.int32)), np.zeros(0, np.uint16)
    if neighbourhood == CONFLICT_SWAP:
        by_cell = _moves_by_cell(moves, puzzle.n**2)
        movable = np.flatnonzero(np.diff(by_cell[0])).astype(np.uint16)
    return Board(moves, _pair_offsets(moves, units), units, size, puzzle.n, np.array(starts, np.int32),
                 np.array(free_cells, np.uint16), np.array(missing, np.uint8),
                 _group_starts(starts, neighbourhood), movable, *by_cell)


def _unit_offsets(puzzle: Puzzle, units: tuple[Unit, ...]) -> Units:
    """The offsets of the counted units of each cell, padded with 0."""
    stride = puzzle.n + 1
    of_cell: list[list[int]] = [[] for _ in range(puzzle.n**2)]
    for index, unit in enumerate(units, 1):
        for cell in unit.cells:
            of_cell[cell].append(index * stride)
    width = max(len(offsets) for offsets in of_cell)
    return np.array([offsets + [0] * (width - len(offsets)) for offsets in of_cell], np.uint16)


def _pair_offsets(moves: Moves, units: Units) -> Pairs:
    """The units of a move's first cell that are not its second's, and the reverse."""
    first, second = units[moves[:, 0]], units[moves[:, 1]]
    shared_first = (first[:, :, None] == second[:, None, :]).any(2)
    shared_second = (second[:, :, None] == first[:, None, :]).any(2)
    both = np.stack([np.where(shared_first, 0, first), np.where(shared_second, 0, second)], axis=1)
    return both.astype(np.uint16)


def _layout(puzzle: Puzzle, cells: bytes, fixed: bytes, boxes: bool) -> tuple[list[int], list[int], list[int]]:
    """(starts, free, missing) of the Board."""
    starts, free_cells, missing = [0], [], []
    for unit in groups(puzzle, boxes):
        present = {cells[cell] for cell in unit.cells if fixed[cell]}
        free_cells += free(unit.cells, fixed)
        missing += [value for value in range(1, puzzle.n + 1) if value not in present]
        starts.append(len(free_cells))
    return starts, free_cells, missing


def _group_starts(starts: list[int], neighbourhood: int) -> npt.NDArray[np.int32]:
    """`group_starts` of the Board; starts[i] is the number of free cells in the groups before group i."""
    if neighbourhood == EXTENDED:
        return np.zeros(1, np.int32)
    swaps = [comb(last - first, 2) for first, last in pairwise(starts)]
    return np.cumsum([0, *filter(None, swaps)]).astype(np.int32)


def _moves_by_cell(moves: Moves, size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(cell_starts, cell_moves) of the Board."""
    ends = moves.astype(np.int64).reshape(-1)
    owner = np.repeat(np.arange(len(moves)), 3)[ends != NO_CELL]
    ends = ends[ends != NO_CELL]
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[order], np.arange(size + 1))
    return starts.astype(np.int32), owner[order].astype(np.int32)


@functools.lru_cache(maxsize=32)
def stream_keys(seed: int) -> Keys:
    """The keys of the streams that an annealer draws from."""
    return Keys(*(np.uint64(rng.stream_key(seed, stream)) for stream in (rng.MOVE, rng.WALK, rng.FILL)))


def make_workspace(arrays: tuple[Grids, Records], config: Config, board: Board, keys: Keys,
                   watch: Watch | None = None, log: Records | None = None) -> Workspace:
    """A Workspace over the arrays of a state, arrays = (grids, scalars): kernels change them in place.

    Without a watch there is no breakpoint; without a log there is room for one record. The count table is empty.
    """
    grids, scalars = arrays
    return Workspace(grids, grids[0], cast(SearchState, scalars[0]), config,
                     make_watch(NEVER) if watch is None else watch, make_log(1) if log is None else log, board, keys,
                     np.zeros(board.size, np.uint8), np.zeros(2 * REACH + 1, np.uint64))
