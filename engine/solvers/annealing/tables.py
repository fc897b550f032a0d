"""The general kernel: uint8 count tables, for every size, variant, neighbourhood and schedule."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.acceptance import CERTAIN, NEVER, fill_thresholds, threshold
from engine.solvers.annealing.happened import GRID_BITS, RARE
from engine.solvers.annealing.moves import (
    REACH,
    Frame,
    best_move,
    conflicting,
    delta,
    limit,
    nth_conflicting,
    partner_move,
    propose,
    recount,
    rotate,
    rotation_delta,
    swap,
    swap_delta,
)
from engine.solvers.annealing.neighbourhood import NO_CELL
from engine.solvers.annealing.plateaus import logarithmic
from engine.solvers.annealing.rules import bar, book, count, quiet_steps, settle, turn
from engine.solvers.annealing.state import CALIBRATE, NOTHING_TO_PROPOSE, RUNNING


@kernel
def fill_limits(limits: Any, s: Any, c: Any) -> None:
    """`moves.limit` for every ΔE, at the temperature of this moment."""
    middle = len(limits) // 2
    if c.judge in (codes.STRICT, codes.SIDEWAYS):
        limits[:middle] = CERTAIN
        limits[middle + 1:] = NEVER
    else:
        fill_thresholds(s.temperature, limits)
    limits[middle] = np.uint64(limit(s, c, 0))


@kernel
def verdict_bit(change: Any, taken: Any) -> Any:
    """The bit of a verdict, as in `watch["verdicts"]`."""
    if not taken:
        return codes.REJECTED
    return codes.IMPROVED if change < 0 else codes.EQUAL if change == 0 else codes.UPHILL


@kernel
def halts(w: Any, moves: Any, move: Any, verdict: Any) -> Any:
    """Whether a judged proposal is one to halt at: by its verdict, or because it changed the watched cell."""
    touched = False
    if verdict != codes.REJECTED and w.cell >= 0:
        for j in range(3):
            touched = touched or np.int64(moves[move, j]) == w.cell
    return touched or (verdict & w.verdicts) != 0


@kernel
def crossed(w: Any, before: int, after: int) -> Any:
    """Whether E fell to the watched value or below."""
    return after <= w.energy < before


@kernel
def burst(f: Any, most: int) -> Any:
    """Up to `most` proposals, until E is below the bar or one is to halt at; whether one is.

    f.limits must be those of this temperature (the logarithmic schedule, which has one for each move, does without).
    """
    s, c, w, cells, counts, limits, key = f.s, f.c, f.w, f.cells, f.counts, f.limits, f.keys.move
    moves, pairs, units, movable = f.board.moves, f.board.pairs, f.board.units, f.board.movable
    conflict, drifting = s.neighbourhood == codes.CONFLICT_SWAP, c.schedule == codes.LOGARITHMIC
    watching, halted = w.verdicts != 0 or w.cell >= 0 or w.energy >= 0, False
    floor, start, bound = bar(s, c), np.uint64(s.step), np.uint64(len(moves))
    before = energy = s.energy
    least, accepted, uphill, made = s.minimum, 0, 0, 0
    while made < most and energy >= floor and not halted:
        made += 1
        word = word_at(key, start + np.uint64(made), np.uint64(0))
        if conflict:
            found = np.int64(below(word, np.uint64(conflicting(cells, counts, units, movable))))
            cell = nth_conflicting(cells, counts, units, movable, found)
            second = word_at(key, start + np.uint64(made), np.uint64(1))
            move = partner_move(f.board.cell_starts, f.board.cell_moves, cell, second)
        else:
            move = below(word, bound)
        is_swap = moves[move, 2] == NO_CELL
        if is_swap:
            change = swap_delta(cells, counts, moves, pairs, move)
        else:
            change = rotation_delta(cells, counts, units, moves, move)
        allowed = limits[change + REACH]
        if drifting:
            allowed = threshold(change, logarithmic(s, c, s.step + made - 1 - s.base_step))
        taken = low_bits(word) < allowed
        before = energy
        if taken:
            if is_swap:
                swap(cells, counts, moves, pairs, move)
            else:
                rotate(cells, counts, units, moves, move)
            energy += change
            accepted += 1
            uphill += change > 0
            least = min(least, energy)
            if conflict and energy > 0 and conflicting(cells, counts, units, movable) == 0:
                s.status = NOTHING_TO_PROPOSE
                break
        if watching:
            halted = halts(w, moves, move, verdict_bit(change, taken))
            if crossed(w, before, energy):
                break
    s.before = before
    count(s, c, made, (accepted, uphill, least), energy)
    return halted


@kernel
def single(f: Any, h: Any) -> Any:
    """One step of a calibration or of steepest descent; whether it is one to halt at."""
    if f.c.steepest == 1:
        move, change = best_move(f, h)
        taken = limit(f.s, f.c, change) > 0
    else:
        move, draw = propose(f)
        change = delta(f, move)
        taken = draw < limit(f.s, f.c, change)
    book(f, move, change, taken)
    return halts(f.w, f.board.moves, np.uint64(move), verdict_bit(change, taken))


@kernel
def run(state: Any, records: Any, board: Any, keys: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    state = (grids, scalars), records = (config, watch, happened): arrays of records. Ends early when the run is over,
    when the stop is hit and when `happened` is full.
    """
    grids, s, c, w, happened = state[0], state[1][0], records[0][0], records[1][0], records[2]
    limits = np.zeros(2 * REACH + 1, np.uint64)
    f = Frame(grids, grids[0], s, c, w, board, keys, np.zeros(board.size, np.uint8), limits)
    recount(f)
    last, filled, halted = s.step + n, -1.0, False
    written: Any = 0
    while s.step < last and s.status == RUNNING and written < len(happened) and not halted:
        h = happened[written]
        if s.phase == CALIBRATE or c.steepest == 1:
            halted = single(f, h)
        else:
            if s.temperature != filled:
                filled = s.temperature
                fill_limits(limits, s, c)
            halted = burst(f, min(last - s.step, quiet_steps(s, c)))
        bits = turn(s, c, h)
        if bits & GRID_BITS:
            bits = settle(f, h)
        halted = halted or (bits & w.happened) != 0 or crossed(w, s.before, s.energy)
        written += np.int64((bits & RARE) != 0)
    return written, halted
