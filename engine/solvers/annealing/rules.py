"""What happens around the proposals, compiled: new bests, walks, local minima, fresh states, budgets.

`count` books proposals, then `turn` applies the rules to the record, and `settle` does what takes a grid: keep the best
one, look around at a local minimum, start afresh. All are shared by the generator and every kernel. A kernel may make
up to `quiet_steps` proposals at one temperature before it calls them, as long as it halts at the first E below `bar`:
in between, nothing can happen. s is always the record of SCALARS, c the one of CONFIG, h the one of HAPPENED, f a
`moves.Frame`; what runs once a plateau takes records only, for a Frame is slow to hand over.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.happened import BEST, CALIBRATED, DONE, GRID_BITS, MINIMUM, RESTART
from engine.solvers.annealing.moves import (
    apply,
    conflicting,
    counted_energy,
    fill,
    neighbours,
    recount,
    weigh_all,
)
from engine.solvers.annealing.plateaus import begin_attempt, end_plateau, logarithmic, restart
from engine.solvers.annealing.state import (
    ATTEMPTS_SPENT,
    BUDGET_SPENT,
    CALIBRATE,
    LOCAL_MINIMUM,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    RUNNING,
    SEARCH,
    SOLVED,
    STUCK,
)


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
