"""What a single proposal is made of, compiled: pick a move, weigh it, judge it, make it.

The generator that a learner follows and the kernels call the same functions. A step is numbered as its event is: the
first proposal of a run is step 1. It uses one word of the stream MOVE (WALK during a calibration): the high 32 bits
pick the move, the low 32 decide; conflict-swap picks the partner with a second word.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.jit import below, kernel, low_bits, word_at
from engine.solvers.annealing.acceptance import threshold
from engine.solvers.annealing.config import CONFLICT_SWAP, METROPOLIS, SHEET, SIDEWAYS
from engine.solvers.annealing.neighbourhood import NO_CELL
from engine.solvers.annealing.state import CALIBRATE

REACH = 16
"""No move changes E by more than this."""
NO_MOVE = np.int64(-1)
"""In the place of a move where there is none."""
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
    counts, cells, board = f.counts, f.cells, f.board
    counts[:] = 0
    for cell in range(len(cells)):
        if cells[cell] > 0:
            for offset in board.units[cell]:
                if offset != board.empty:
                    counts[offset + cells[cell]] += _1


@kernel
def counted_energy(f: Any) -> Any:
    """E by the count table: the sum of k - 1 over every count k > 1."""
    total: Any = 0
    for count in f.counts:
        if count > 1:
            total += np.int64(count) - 1
    return total


@kernel
def in_conflict(f: Any, cell: Any) -> Any:
    """Whether the value of the cell stands again in a unit that E counts."""
    found = False
    for offset in f.board.units[cell]:
        found = found or f.counts[offset + f.cells[cell]] > 1
    return found


@kernel
def _movable_conflict(f: Any, cell: Any) -> Any:
    return f.board.cell_starts[cell + 1] > f.board.cell_starts[cell] and in_conflict(f, cell)


@kernel
def movable_conflicts(f: Any) -> Any:
    """conflict-swap: how many free cells in conflict have a partner."""
    total: Any = 0
    for i in range(len(f.board.free)):
        total += _movable_conflict(f, np.int64(f.board.free[i]))
    return total


@kernel
def _propose_conflict(f: Any, word: Any, second: Any) -> Any:
    """A free cell in conflict, then one of its partners, each uniformly."""
    left = np.int64(below(word, np.uint64(movable_conflicts(f))))
    for i in range(len(f.board.free)):
        cell = np.int64(f.board.free[i])
        if _movable_conflict(f, cell):
            if left == 0:
                first, last = f.board.cell_starts[cell], f.board.cell_starts[cell + 1]
                return np.int64(f.board.cell_moves[first + np.int64(below(second, np.uint64(last - first)))])
            left -= 1
    return NO_MOVE


@kernel
def propose(f: Any) -> Any:
    """(move, draw) of the next step: an index into board.moves, and the 32 bits that decide; both int64."""
    step = np.uint64(f.s.step + 1)
    key = f.keys.walk if f.s.phase == CALIBRATE else f.keys.move
    word = word_at(key, step, np.uint64(0))
    if f.s.neighbourhood == CONFLICT_SWAP:
        return _propose_conflict(f, word, word_at(key, step, np.uint64(1))), np.int64(low_bits(word))
    return np.int64(below(word, np.uint64(len(f.board.moves)))), np.int64(low_bits(word))


@kernel
def _swap_delta(f: Any, move: Any) -> Any:
    moves, pairs, counts, k = f.board.moves, f.board.pairs, f.counts, np.uint64(move)
    v, w = f.cells[moves[k, 0]], f.cells[moves[k, 1]]
    if v == w:
        return 0
    total: Any = 0
    for j in range(pairs.shape[2]):
        first, second = pairs[k, 0, j], pairs[k, 1, j]
        total += (np.int64(counts[first + w] > 0) - np.int64(counts[first + v] > 1)
                  + np.int64(counts[second + v] > 0) - np.int64(counts[second + w] > 1))
    return total


@kernel
def _replace(f: Any, cell: Any, value: Any) -> Any:
    """Write a value into a cell, keep the counts right, and return what E rises by."""
    counts, old = f.counts, f.cells[cell]
    total: Any = 0
    for offset in f.board.units[cell]:
        if offset != f.board.empty:
            counts[offset + old] -= _1
            total += np.int64(counts[offset + value] > 0) - np.int64(counts[offset + old] > 0)
            counts[offset + value] += _1
    f.cells[cell] = value
    return total


@kernel
def apply(f: Any, move: Any) -> Any:
    """Make the move: cells and counts change. Returns its ΔE."""
    k = np.uint64(move)  # an unsigned index cannot be negative, which saves a test
    a, b, c = f.board.moves[k, 0], f.board.moves[k, 1], f.board.moves[k, 2]
    v, w = f.cells[a], f.cells[b]
    if c == NO_CELL:
        return _replace(f, a, w) + _replace(f, b, v)
    last = f.cells[c]
    return _replace(f, a, last) + _replace(f, b, v) + _replace(f, c, w)


@kernel
def _rotation_delta(f: Any, move: Any) -> Any:
    """Turn the three cells, and turn them twice more, which makes the circle full."""
    total = apply(f, move)
    apply(f, move)
    apply(f, move)
    return total


@kernel
def delta(f: Any, move: Any) -> Any:
    """ΔE: what the move would add to E."""
    if f.board.moves[np.uint64(move), 2] == NO_CELL:
        return _swap_delta(f, move)
    return _rotation_delta(f, move)


@kernel
def limit(f: Any, change: Any) -> Any:
    """The whole number in 0..2^32 (int64) that the draw must be below for a move of ΔE = `change` to be made now."""
    judge, T = f.c.judge, f.s.temperature
    if f.s.phase == CALIBRATE or change < 0:
        return _SURE
    if change > 0:
        return np.int64(threshold(change, T)) if judge in (METROPOLIS, SHEET) else _NEVER
    return _SURE if judge in (METROPOLIS, SIDEWAYS) or (judge == SHEET and T > 0.0) else _NEVER


@kernel
def _is_neighbour(f: Any, move: Any) -> Any:
    """Whether a move of the list can be proposed from this state."""
    if f.s.neighbourhood != CONFLICT_SWAP:
        return True
    return in_conflict(f, f.board.moves[move, 0]) or in_conflict(f, f.board.moves[move, 1])


@kernel
def neighbours(f: Any) -> Any:
    """(better, equal, worse, least ΔE, moves that have it) over the whole neighbourhood."""
    better = equal = worse = ties = 0
    least = REACH
    for move in range(len(f.board.moves)):
        if _is_neighbour(f, move):
            change = delta(f, move)
            better += change < 0
            equal += change == 0
            worse += change > 0
            ties = (ties if change == least else 0) + 1 if change <= least else ties
            least = min(least, change)
    return better, equal, worse, least, ties


@kernel
def nth_move(f: Any, change: Any, left: Any) -> Any:
    """The move number `left` (from 0) among those whose ΔE is `change`."""
    for move in range(len(f.board.moves)):
        if _is_neighbour(f, move) and delta(f, move) == change:
            if left == 0:
                return np.int64(move)
            left -= 1
    return NO_MOVE


@kernel
def best_move(f: Any, h: Any) -> Any:
    """Steepest descent: (move, ΔE) of the best in the whole neighbourhood, ties being drawn; h counts the others."""
    h.better, h.equal, h.worse, least, ties = neighbours(f)
    word = word_at(f.keys.move, np.uint64(f.s.step + 1), np.uint64(0))
    return nth_move(f, least, np.int64(below(word, np.uint64(ties)))), least


@kernel
def fill(f: Any) -> None:
    """A fresh state at this step: each group's missing values in random order (Fisher-Yates)."""
    board, cells = f.board, f.cells
    step, position = np.uint64(f.s.step), np.uint64(0)
    for group in range(len(board.starts) - 1):
        first, last = np.int64(board.starts[group]), np.int64(board.starts[group + 1])
        for i in range(first, last):
            cells[board.free[i]] = board.missing[i]
        for i in range(last - 1, first, -1):
            j = first + np.int64(below(word_at(f.keys.fill, step, position), np.uint64(i - first + 1)))
            position += np.uint64(1)
            cells[board.free[i]], cells[board.free[j]] = cells[board.free[j]], cells[board.free[i]]
