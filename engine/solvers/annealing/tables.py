"""The general kernel: uint8 count tables, for every size, variant, neighbourhood and schedule."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.jit import below, kernel, low_bits, word_at
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.acceptance import CERTAIN, NEVER, fill_thresholds
from engine.solvers.annealing.moves import REACH, Frame, apply, best_move, delta, limit, propose, recount
from engine.solvers.annealing.rules import RARE, after_proposal, bar, book, count, quiet_steps
from engine.solvers.annealing.state import CALIBRATE, RUNNING


@kernel
def fill_limits(f: Any) -> None:
    """`moves.limit` for every ΔE, at the temperature of this moment."""
    limits, middle = f.limits, len(f.limits) // 2
    if f.c.judge in (codes.STRICT, codes.SIDEWAYS):
        limits[:middle] = CERTAIN
        limits[middle + 1:] = NEVER
    else:
        fill_thresholds(f.s.temperature, limits)
    limits[middle] = np.uint64(limit(f, 0))


@kernel
def halts(f: Any, move: Any, change: int, taken: bool) -> Any:
    """Whether a judged proposal is one to halt at: by its verdict, or because it changed the watched cell."""
    verdict = codes.REJECTED
    if taken:
        verdict = codes.IMPROVED if change < 0 else codes.EQUAL if change == 0 else codes.UPHILL
    touched = False
    if taken and f.w.cell >= 0:
        for cell in f.board.moves[move]:
            touched = touched or np.int64(cell) == f.w.cell
    return touched or (verdict & f.w.verdicts) != 0


@kernel
def crossed(w: Any, before: int, after: int) -> Any:
    """Whether E fell to the watched value or below."""
    return after <= w.energy < before


@kernel
def burst(f: Any, most: int) -> Any:
    """Up to `most` proposals at one temperature, until E is below the bar or one is to halt at; whether one is."""
    limits, floor, start, bound = f.limits, bar(f), np.uint64(f.s.step), np.uint64(len(f.board.moves))
    before = energy = f.s.energy
    least, accepted, uphill, made = f.s.minimum, 0, 0, 0
    watching, halted = f.w.verdicts != 0 or f.w.cell >= 0 or f.w.energy >= 0, False
    while made < most and energy >= floor:
        made += 1
        word = word_at(f.keys.move, start + np.uint64(made), np.uint64(0))
        move = np.int64(below(word, bound))
        change = delta(f, move)
        taken = low_bits(word) < limits[change + REACH]
        before = energy
        if taken:
            apply(f, move)
            energy += change
            accepted += 1
            uphill += change > 0
            least = min(least, energy)
        if watching:
            halted = halts(f, move, change, taken)
            if halted or crossed(f.w, before, energy):
                break
    f.s.before = before
    count(f, made, (accepted, uphill, least), energy)
    return halted


@kernel
def single(f: Any, h: Any) -> Any:
    """One step, with whatever neighbourhood, schedule and phase; whether it is one to halt at."""
    if f.c.steepest == 1:
        move, change = best_move(f, h)
        taken = limit(f, change) > 0
    else:
        move, draw = propose(f)
        change = delta(f, move)
        taken = draw < limit(f, change)
    book(f, move, change, taken)
    return halts(f, move, change, taken)


@kernel
def _uneven(f: Any) -> Any:
    """Whether proposals must be made one by one: something changes with each of them."""
    return (f.s.phase == CALIBRATE or f.c.steepest == 1 or f.s.neighbourhood == codes.CONFLICT_SWAP
            or f.c.schedule == codes.LOGARITHMIC)


@kernel
def run(state: Any, records: Any, board: Any, keys: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    state = (grids, scalars), records = (config, watch, happened): arrays of records. Ends early when the run is over,
    when the stop is hit and when `happened` is full.
    """
    grids, s = state[0], state[1][0]
    happened = records[2]
    f = Frame(grids, grids[0], s, records[0][0], records[1][0], board, keys,
              np.zeros(board.empty + board.n + 1, np.uint8), np.zeros(2 * REACH + 1, np.uint64))
    recount(f)
    last, halted = s.step + n, False
    written: Any = 0
    while s.step < last and s.status == RUNNING and written < len(happened) and not halted:
        if _uneven(f):
            halted = single(f, happened[written])
        else:
            fill_limits(f)
            halted = burst(f, min(last - s.step, quiet_steps(f)))
        bits = after_proposal(f, happened[written])
        halted = halted or (bits & f.w.happened) != 0 or crossed(f.w, s.before, s.energy)
        written += np.int64((bits & RARE) != 0)
    return written, halted
