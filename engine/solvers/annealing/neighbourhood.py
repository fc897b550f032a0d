"""Which moves are legal, and everything else that a puzzle, its fixed cells and a neighbourhood determine.

row-swap       two free cells of a row (row state)
box-swap       two free cells of a box (box state; Lewis 2007)
conflict-swap  either of the two, at least one cell being in conflict
extended       two free cells of a band, or a rotation of three free cells of a row (row state to begin with)
"""

from __future__ import annotations

import functools
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing.acceptance import threshold
from engine.solvers.annealing.parameters import CALIBRATE, CONFLICT_SWAP, EXTENDED, METROPOLIS, SHEET, SIDEWAYS

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


# What a single proposal is made of, compiled: pick a move, weigh it, judge it, make it. The generator that a
# learner follows and the kernels call the same functions. A step is numbered as its event is: the first proposal of
# a run is step 1. It uses one word of the stream MOVE (WALK during a calibration): the high 32 bits pick the move,
# the low 32 decide; conflict-swap picks the partner with a second word.


REACH = 16
"""No move changes E by more than this."""
NO_MOVE = np.int64(-1)
"""In the place of a move where there is none."""
UNREACHED = 100
"""In the place of the ΔE of a move that cannot be proposed now."""
_1 = np.uint8(1)
_SURE, _NEVER = np.int64(2**32), np.int64(0)


class Keys(NamedTuple):
    """Keys of the streams that a run draws from (see engine.rng.stream_key), as uint64."""

    move: Any
    walk: Any
    fill: Any


class Frame(NamedTuple):
    """All that the rules and primitives work with: the state, the parameters, and what is derived from them."""

    grids: Any
    """AnnealState.grids, and its first row once more: the cells."""
    cells: Any
    s: Any
    """The record of SCALARS; c the one of CONFIG, w the one of WATCH."""
    c: Any
    w: Any
    board: Any
    keys: Any
    counts: Any
    """uint8: how often value v stands in a unit is at the unit's offset + v (see Board)."""
    limits: Any
    """uint64[2 * REACH + 1]: `limit` of ΔE at ΔE + REACH, at one temperature; for kernels."""


@kernel
def recount(f: Any) -> None:
    """Fill the count table from the cells (0 = empty, not counted)."""
    count_cells(f.counts, f.cells, f.board.units)


@kernel
def count_cells(counts: Any, cells: Any, units: Any) -> None:
    """`recount` of a grid and a table that stand alone."""
    counts[:] = 0
    for cell in range(len(cells)):
        if cells[cell] > 0:
            for j in range(units.shape[1]):
                if units[cell, j] > 0:
                    counts[units[cell, j] + cells[cell]] += _1


@kernel
def counted_energy(counts: Any) -> Any:
    """E by the count table: the sum of k - 1 over every count k > 1."""
    total: Any = 0
    for k in counts:
        if k > 1:
            total += np.int64(k) - 1
    return total


@kernel
def in_conflict(cells: Any, counts: Any, units: Any, cell: Any) -> Any:
    """Whether the value of the cell stands again in a unit that E counts."""
    found = False
    for j in range(units.shape[1]):
        found = found or counts[units[cell, j] + cells[cell]] > 1
    return found


@kernel
def conflicting(cells: Any, counts: Any, units: Any, movable: Any) -> Any:
    """conflict-swap: how many cells in conflict there are to choose from."""
    total: Any = 0
    for cell in movable:
        total += in_conflict(cells, counts, units, cell)
    return total


@kernel
def nth_conflicting(cells: Any, counts: Any, units: Any, movable: Any, n: Any) -> Any:
    """The n-th of these cells, n from 0."""
    for cell in movable:
        if in_conflict(cells, counts, units, cell):
            if n == 0:
                return np.int64(cell)
            n -= 1
    return np.int64(0)


@kernel
def partner_move(starts: Any, cell_moves: Any, cell: Any, word: Any) -> Any:
    """A swap of this cell, uniformly by the word."""
    return np.uint64(cell_moves[starts[cell] + np.int64(below(word, np.uint64(starts[cell + 1] - starts[cell])))])


@kernel
def propose(f: Any) -> Any:
    """(move, draw) of the next step: an index into board.moves, and the 32 bits that decide; both int64."""
    step = np.uint64(f.s.step + 1)
    key = f.keys.walk if f.s.phase == CALIBRATE else f.keys.move
    word = word_at(key, step, np.uint64(0))
    if f.s.neighbourhood == CONFLICT_SWAP:
        cells, counts, units, movable = f.cells, f.counts, f.board.units, f.board.movable
        found = np.int64(below(word, np.uint64(conflicting(cells, counts, units, movable))))
        cell = nth_conflicting(cells, counts, units, movable, found)
        move = partner_move(f.board.cell_starts, f.board.cell_moves, cell, word_at(key, step, np.uint64(1)))
        return np.int64(move), np.int64(low_bits(word))
    return np.int64(below(word, np.uint64(len(f.board.moves)))), np.int64(low_bits(word))


@kernel
def swap_delta(cells: Any, counts: Any, moves: Any, pairs: Any, k: Any) -> Any:
    """ΔE of move k, which is a swap. An unsigned k cannot be negative, which saves tests."""
    v, w = cells[moves[k, 0]], cells[moves[k, 1]]
    total: Any = 0
    if v != w:
        for j in range(pairs.shape[2]):
            first, second = pairs[k, 0, j], pairs[k, 1, j]
            total += (np.int64(counts[first + w] > 0) - np.int64(counts[first + v] > 1)
                      + np.int64(counts[second + v] > 0) - np.int64(counts[second + w] > 1))
    return total


@kernel
def swap(cells: Any, counts: Any, moves: Any, pairs: Any, k: Any) -> None:
    """Make move k, which is a swap: cells and counts change."""
    a, b = moves[k, 0], moves[k, 1]
    v, w = cells[a], cells[b]
    for j in range(pairs.shape[2]):
        first, second = pairs[k, 0, j], pairs[k, 1, j]
        if first > 0:
            counts[first + v] -= _1
            counts[first + w] += _1
        if second > 0:
            counts[second + w] -= _1
            counts[second + v] += _1
    cells[a], cells[b] = w, v


@kernel
def _replace(cells: Any, counts: Any, units: Any, cell: Any, value: Any) -> Any:
    """Write a value into a cell, keep the counts right, and return what E rises by."""
    old = cells[cell]
    total: Any = 0
    for j in range(units.shape[1]):
        offset = units[cell, j]
        if offset > 0:
            counts[offset + old] -= _1
            total += np.int64(counts[offset + value] > 0) - np.int64(counts[offset + old] > 0)
            counts[offset + value] += _1
    cells[cell] = value
    return total


@kernel
def rotate(cells: Any, counts: Any, units: Any, moves: Any, k: Any) -> Any:
    """Make move k, which is a rotation: cells and counts change. Returns its ΔE."""
    a, b, c = moves[k, 0], moves[k, 1], moves[k, 2]
    u, v, w = cells[a], cells[b], cells[c]
    return (_replace(cells, counts, units, a, w) + _replace(cells, counts, units, b, u)
            + _replace(cells, counts, units, c, v))


@kernel
def rotation_delta(cells: Any, counts: Any, units: Any, moves: Any, k: Any) -> Any:
    """ΔE of move k: turn the three cells, and turn them twice more, which makes the circle full."""
    total = rotate(cells, counts, units, moves, k)
    rotate(cells, counts, units, moves, k)
    rotate(cells, counts, units, moves, k)
    return total


@kernel
def delta(f: Any, move: Any) -> Any:
    """ΔE: what a move, of either kind, would add to E."""
    k, board = np.uint64(move), f.board
    if board.moves[k, 2] == NO_CELL:
        return swap_delta(f.cells, f.counts, board.moves, board.pairs, k)
    return rotation_delta(f.cells, f.counts, board.units, board.moves, k)


@kernel
def apply(f: Any, move: Any) -> None:
    """Make a move of either kind: cells and counts change."""
    k, board = np.uint64(move), f.board
    if board.moves[k, 2] == NO_CELL:
        swap(f.cells, f.counts, board.moves, board.pairs, k)
    else:
        rotate(f.cells, f.counts, board.units, board.moves, k)


@kernel
def limit(s: Any, c: Any, change: Any) -> Any:
    """The whole number in 0..2^32 (int64) that the draw must be below for a move of ΔE = `change` to be made now."""
    judge, T = c.judge, s.temperature
    if s.phase == CALIBRATE or change < 0:
        return _SURE
    if change > 0:
        return np.int64(threshold(change, T)) if judge in (METROPOLIS, SHEET) else _NEVER
    return _SURE if judge in (METROPOLIS, SIDEWAYS) or (judge == SHEET and T > 0.0) else _NEVER


@kernel
def weigh_all(f: Any, changes: Any) -> None:
    """Write the ΔE of every move into `changes` (int8[m]); UNREACHED for those that cannot be proposed from here."""
    cells, counts, units = f.cells, f.counts, f.board.units
    moves, pairs = f.board.moves, f.board.pairs
    everywhere = f.s.neighbourhood != CONFLICT_SWAP
    for move in range(len(moves)):
        k = np.uint64(move)
        if not (everywhere or in_conflict(cells, counts, units, moves[k, 0])
                or in_conflict(cells, counts, units, moves[k, 1])):
            changes[k] = UNREACHED
        elif moves[k, 2] == NO_CELL:
            changes[k] = swap_delta(cells, counts, moves, pairs, k)
        else:
            changes[k] = rotation_delta(cells, counts, units, moves, k)


@kernel
def neighbours(changes: Any) -> Any:
    """(better, equal, worse) of the moves weighed."""
    better: Any = 0
    equal: Any = 0
    worse: Any = 0
    for change in changes:
        better += change < 0
        equal += change == 0
        worse += 0 < change < UNREACHED
    return better, equal, worse


@kernel
def best_move(f: Any, h: Any) -> Any:
    """Steepest descent: (move, ΔE) of the best in the whole neighbourhood, ties being drawn; h counts the others."""
    changes = np.empty(len(f.board.moves), np.int8)
    weigh_all(f, changes)
    h.better, h.equal, h.worse = neighbours(changes)
    least, ties = np.int64(UNREACHED), 0
    for change in changes:
        ties = 1 if change < least else ties + (change == least)
        least = min(least, np.int64(change))
    word = word_at(f.keys.move, np.uint64(f.s.step + 1), np.uint64(0))
    left = np.int64(below(word, np.uint64(ties)))
    for move in range(len(changes)):
        if changes[move] == least:
            if left == 0:
                return np.int64(move), np.int64(least)
            left -= 1
    return NO_MOVE, np.int64(0)


@kernel
def fill(f: Any) -> None:
    """A fresh state at this step: each group's missing values in random order (Fisher-Yates)."""
    fill_cells(f.cells, (f.board.starts, f.board.free, f.board.missing), f.keys.fill, np.uint64(f.s.step))


@kernel
def fill_cells(cells: Any, layout: Any, key: Any, step: Any) -> None:
    """`fill` of a grid that stands alone, with the words of one step of a stream: layout = (starts, free, missing) of
    a Board, key and step as uint64."""
    starts, free, missing = layout
    position = np.uint64(0)
    for group in range(len(starts) - 1):
        first, last = np.int64(starts[group]), np.int64(starts[group + 1])
        for i in range(first, last):
            cells[free[i]] = missing[i]
        for i in range(last - 1, first, -1):
            j = first + np.int64(below(word_at(key, step, position), np.uint64(i - first + 1)))
            position += np.uint64(1)
            cells[free[i]], cells[free[j]] = cells[free[j]], cells[free[i]]
