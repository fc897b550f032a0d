"""The general kernel: uint8 count tables, for every size, variant, neighbourhood and schedule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.acceptance import CERTAIN, NEVER, fill_thresholds, threshold
from engine.solvers.annealing.cooling import begin_attempt, end_plateau, logarithmic, restart
from engine.solvers.annealing.neighbourhood import (
    NO_CELL,
    REACH,
    Frame,
    apply,
    best_move,
    conflicting,
    counted_energy,
    delta,
    fill,
    limit,
    neighbours,
    nth_conflicting,
    partner_move,
    propose,
    recount,
    rotate,
    rotation_delta,
    swap,
    swap_delta,
    weigh_all,
)
from engine.solvers.annealing.parameters import (
    ATTEMPTS_SPENT,
    BEST,
    BUDGET_SPENT,
    CALIBRATE,
    CALIBRATED,
    DONE,
    GRID_BITS,
    LOCAL_MINIMUM,
    MINIMUM,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    RARE,
    RESTART,
    RUNNING,
    SEARCH,
    SOLVED,
    STUCK,
)

# What happens around the proposals, compiled: new bests, walks, local minima, fresh states, budgets. `count` books
# proposals, then `turn` applies the rules to the record, and `settle` does what takes a grid: keep the best one,
# look around at a local minimum, start afresh. All are shared by the generator and every kernel. A kernel may make
# up to `quiet_steps` proposals at one temperature before it calls them, as long as it halts at the first E below
# `bar`: in between, nothing can happen. s is always the record of SCALARS, c the one of CONFIG, h the one of
# HAPPENED, f a `moves.Frame`; what runs once a plateau takes records only, for a Frame is slow to hand over.


@kernel
def count(s: Any, c: Any, steps: int, taken: Any, energy: int) -> None:
    """Book `steps` proposals that ended at `energy`; taken = (accepted, accepted uphill, lowest E met)."""
    s.step += steps
    s.moves += steps
    s.since_better += steps
    s.accepted += taken[0]
    s.total_accepted += taken[0]
    s.total_uphill += taken[1]
    s.minimum = min(s.minimum, taken[2])
    s.energy = energy
    if c.schedule == codes.LOGARITHMIC and s.phase == SEARCH:
        s.temperature = logarithmic(s, c, s.step - s.base_step)


@kernel
def book(f: Any, move: Any, change: int, taken: bool) -> None:
    """Make a judged move if it was taken, and count the proposal."""
    s = f.s
    s.before = s.energy
    energy = s.energy
    if taken:
        apply(f, move)
        energy += change
    count(s, f.c, 1, (np.int64(taken), np.int64(taken and change > 0), energy), energy)
    if s.neighbourhood == codes.CONFLICT_SWAP and energy > 0 and stranded(f):
        s.status = NOTHING_TO_PROPOSE


@kernel
def stranded(f: Any) -> Any:
    """conflict-swap: whether no free cell in conflict has a partner."""
    return conflicting(f.cells, f.counts, f.board.units, f.board.movable) == 0


@kernel
def bar(s: Any, c: Any) -> Any:
    """The E that must not be undercut unnoticed."""
    return s.lowest if c.patience > 0 else s.best


@kernel
def quiet_steps(s: Any, c: Any) -> Any:
    """How many proposals can be made before a rule may have something to say: at least 1."""
    if s.phase == CALIBRATE or c.steepest == 1:
        return 1
    left = c.patience - s.since_better if c.patience > 0 else c.moves - s.moves
    return max(1, min(left, c.max_steps - s.step))


@kernel
def open_record(s: Any, h: Any) -> None:
    """Begin h, what happened in a step: where it left E, and whether that is a new best."""
    h.step, h.bits, h.energy, h.best_before = s.step, 0, s.energy, s.best
    if s.energy < s.best:
        s.best = s.energy
        h.bits |= BEST
    h.best = s.best


@kernel
def close_record(s: Any, c: Any, h: Any) -> None:
    """End it: the budget may be spent, and the run over."""
    if s.status == RUNNING and s.step >= c.max_steps:
        s.status = BUDGET_SPENT
    if s.status != RUNNING:
        h.bits |= DONE


@kernel
def turn(s: Any, c: Any, h: Any) -> Any:
    """Apply the rules after counted proposals; h tells what happened. Returns its bits.

    `settle` must follow if one of GRID_BITS is among them.
    """
    open_record(s, h)
    if s.energy == 0:
        s.status = SOLVED
    elif s.status == RUNNING:
        if s.phase == CALIBRATE:
            _walk(s, c, h)
        elif c.patience > 0:
            _climb(s, c, h)
        elif s.moves >= c.moves:
            end_plateau(s, c, h)
    close_record(s, c, h)
    return h.bits


@kernel
def settle(f: Any, h: Any) -> Any:
    """What the bits of `turn` ask of the grid; returns the bits, which may have become more."""
    s = f.s
    if h.bits & BEST:
        keep_best(f)
    if h.bits & MINIMUM:
        changes = np.empty(len(f.board.moves), np.int8)
        recount(f)
        weigh_all(f, changes)
        h.better, h.equal, h.worse = neighbours(changes)
    if h.bits & RESTART:
        fresh_state(f)
        h.fresh_energy = s.energy
        if h.fresh_energy < h.best:
            h.bits |= codes.FRESH_BEST
    if s.status != RUNNING:
        h.bits |= DONE
    return h.bits


@kernel
def after_proposal(f: Any, h: Any) -> Any:
    """`turn`, and `settle` if need be."""
    bits = turn(f.s, f.c, h)
    return settle(f, h) if bits & GRID_BITS else bits


@kernel
def keep_best(f: Any) -> None:
    """The cells become the best grid. (A slice assigned would compile a text for shapes that do not fit.)"""
    for cell in range(len(f.cells)):
        f.grids[1, cell] = f.cells[cell]


@kernel
def fresh_state(f: Any) -> None:
    """Fill the free cells anew, from the words of this step, and begin an attempt with them."""
    s = f.s
    fill(f)
    recount(f)
    s.energy = counted_energy(f.counts)
    if s.energy < s.best:
        s.best = s.energy
        keep_best(f)
    begin_attempt(s, f.c)
    if s.energy == 0:
        s.status = SOLVED
    elif len(f.board.moves) == 0:
        s.status = NO_MOVES
    elif s.neighbourhood == codes.CONFLICT_SWAP and stranded(f):
        s.status = NOTHING_TO_PROPOSE


@kernel
def _walk(s: Any, c: Any, h: Any) -> None:
    """A move of the calibrating walk; the last one fixes T₀ (Lewis 2007)."""
    change = s.energy - s.before
    s.walked += 1
    s.sum_delta += change
    s.sum_delta2 += change * change
    s.sum_energy += s.energy
    s.sum_energy2 += s.energy * s.energy
    if s.walked >= c.walk:
        h.samples = s.walked
        h.deviation_delta = _deviation(s.sum_delta, s.sum_delta2, s.walked)
        h.deviation_energy = _deviation(s.sum_energy, s.sum_energy2, s.walked)
        found = h.deviation_energy if c.deviation_of_energy == 1 else h.deviation_delta
        s.calibrated = found if found > 0.0 else 1.0
        h.t_start = s.calibrated
        s.phase = SEARCH
        begin_attempt(s, c)
        h.bits |= CALIBRATED


@kernel
def _deviation(total: int, squares: int, k: int) -> Any:
    """The standard deviation of k whole numbers from their sum and the sum of their squares, exact up to the root."""
    return math.sqrt(np.float64(k * squares - total * total)) / np.float64(k)


@kernel
def _climb(s: Any, c: Any, h: Any) -> None:
    """hill-climb: at the end of its patience, or where a scan found nothing to take, it is stuck."""
    if s.energy < s.lowest:
        s.lowest = s.energy
        s.since_better = 0
    nothing = c.steepest == 1 and h.better == 0 and (h.equal == 0 or c.judge == codes.STRICT)
    if nothing or s.since_better >= c.patience:
        h.bits |= MINIMUM
        restart(s, c, h)
        if s.status == ATTEMPTS_SPENT and c.attempts == 1:
            s.status = LOCAL_MINIMUM if nothing else STUCK


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
