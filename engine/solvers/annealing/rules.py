"""What happens around the proposals, compiled: new bests, plateaus, cooling, floors, reheats, restarts, budgets.

`count` books proposals, then `turn` applies the rules to the record, and `settle` does what takes a grid: keep the best
one, look around at a local minimum, start afresh. All are shared by the generator and every kernel. A kernel may make
up to `quiet_steps` proposals at one temperature before it calls them, as long as it halts at the first E below `bar`:
in between, nothing can happen. s is always the record of SCALARS, c the one of CONFIG, h the one of HAPPENED, f a
`moves.Frame`; what runs once a plateau takes records only, for a Frame is slow to hand over.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from engine.jit import kernel
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.acceptance import natural_log
from engine.solvers.annealing.moves import (
    apply,
    conflicting,
    counted_energy,
    fill,
    neighbours,
    recount,
    weigh_all,
)
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

BEST, COOLED, REHEAT, RESTART, SWEEP, CALIBRATED, MINIMUM, DONE = codes.HAPPENED_BITS.values()
RARE: Final = BEST | REHEAT | RESTART | SWEEP | CALIBRATED | MINIMUM | DONE
"""Bits of what `advance` must report."""
GRID_BITS: Final = BEST | RESTART | MINIMUM
"""Bits after which `settle` is needed."""

HAPPENED: Final = np.dtype([
    ("step", "<i8"),
    ("bits", "<i8"),  # what happened after the proposal of this step; each bit has the fields below
    ("energy", "<i8"),  # E after the proposal, before a restart
    ("best_before", "<i8"), ("best", "<i8"),  # BEST: the best E before and after the proposal
    ("t_before", "<f8"), ("t_after", "<f8"), ("plateau", "<i8"), ("accepted", "<i8"), ("moves", "<i8"),  # COOLED
    ("hot_before", "<f8"), ("hot_after", "<f8"), ("factor", "<f8"),  # REHEAT
    ("reheat", "<i8"), ("stagnation", "<i8"), ("gained", "<i8"),
    ("attempt", "<i8"), ("fresh_energy", "<i8"),  # RESTART
    ("sweep", "<i8"),  # SWEEP
    ("t_start", "<f8"), ("deviation_delta", "<f8"), ("deviation_energy", "<f8"), ("samples", "<i8"),  # CALIBRATED
    ("better", "<i8"), ("equal", "<i8"), ("worse", "<i8"),  # MINIMUM, and every scan of steepest descent
])
"""One record tells what happened after the proposal of one step."""

HIGHEST: Final = 2**62
"""An E that is above every E."""
_E = 2.718281828459045


@kernel
def start_temperature(s: Any, c: Any) -> Any:
    """T₀: the parameter, or what the calibration found."""
    return c.t0 if c.t0 > 0.0 else s.calibrated


@kernel
def rebase(s: Any, T: float) -> None:
    """Let the schedule go on from T, as if it had just started there."""
    s.temperature = T
    s.base = T
    s.base_step = s.step
    s.level = 0
    if s.moves == 0:
        s.plateau_temperature = T


@kernel
def open_plateau(s: Any) -> None:
    """Begin to count a plateau, at the temperature and the energy of this moment."""
    s.plateau_temperature = s.temperature
    s.plateau_energy = s.energy
    s.plateau_best = s.best
    s.moves = 0
    s.accepted = 0
    s.minimum = s.energy


@kernel
def begin_attempt(s: Any, c: Any) -> None:
    """Everything that starts anew with a fresh state, whose energy is in the record already."""
    s.stagnation = 0
    s.reheats = 0
    s.mark = s.energy
    s.lowest = s.energy
    s.since_better = 0
    s.previous_minimum = HIGHEST
    rebase(s, start_temperature(s, c))
    open_plateau(s)


@kernel
def logarithmic(s: Any, c: Any, made: Any) -> Any:
    """T₀ / ln(k + e), k = `made` moves after the schedule's start (Hajek 1988); held at the floor if told so."""
    T = s.base / natural_log(np.float64(made) + _E)
    return max(T, min(s.base, c.t_min)) if c.at_floor == codes.AT_FLOOR_HOLD else T


@kernel
def _adaptive(s: Any, c: Any) -> Any:
    """Cool faster while nearly all is accepted, slower when hardly anything is."""
    if 10 * s.accepted > 8 * s.moves:
        return s.temperature * (c.alpha * c.alpha)
    if 10 * s.accepted < 2 * s.moves:
        return s.temperature * math.sqrt(c.alpha)
    return s.temperature * c.alpha


@kernel
def next_temperature(s: Any, c: Any) -> Any:
    """What the schedule gives for the plateau that begins; s.level plateaus have ended since its start."""
    T = s.temperature
    if c.schedule == codes.EXPONENTIAL:
        T *= c.alpha
    elif c.schedule == codes.LINEAR:
        T = max(0.0, s.base * (1.0 - np.float64(s.level) / np.float64(c.levels)))
    elif c.schedule == codes.ADAPTIVE:
        T = _adaptive(s, c)
    return T


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
def turn(s: Any, c: Any, h: Any) -> Any:
    """Apply the rules after counted proposals; h tells what happened. Returns its bits.

    `settle` must follow if one of GRID_BITS is among them.
    """
    h.step = s.step
    h.bits = 0
    h.energy = s.energy
    h.best_before = s.best
    if s.energy < s.best:
        s.best = s.energy
        h.bits |= BEST
    h.best = s.best
    if s.energy == 0:
        s.status = SOLVED
    elif s.status == RUNNING:
        if s.phase == CALIBRATE:
            _walk(s, c, h)
        elif c.patience > 0:
            _climb(s, c, h)
        elif s.moves >= c.moves:
            _end_plateau(s, c, h)
        if s.status == RUNNING and s.step >= c.max_steps:
            s.status = BUDGET_SPENT
    if s.status != RUNNING:
        h.bits |= DONE
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
        _restart(s, c, h)
        if s.status == ATTEMPTS_SPENT and c.attempts == 1:
            s.status = LOCAL_MINIMUM if nothing else STUCK


@kernel
def _restart(s: Any, c: Any, h: Any) -> None:
    """Ask for the next attempt, if there is one left."""
    if c.attempts > 0 and s.attempt >= c.attempts:
        s.status = ATTEMPTS_SPENT
    else:
        s.attempt += 1
        h.attempt = s.attempt
        h.bits |= RESTART


@kernel
def _end_plateau(s: Any, c: Any, h: Any) -> None:
    _judge_progress(s, c)
    at_floor = _cool(s, c, h)
    if at_floor and c.at_floor == codes.AT_FLOOR_RESTART:
        _restart(s, c, h)
    elif at_floor and c.at_floor == codes.AT_FLOOR_SWEEP:
        s.sweep += 1
        h.sweep = s.sweep
        rebase(s, start_temperature(s, c))
        h.bits |= SWEEP
    elif c.stagnation > 0 and s.stagnation >= c.stagnation:
        if c.max_reheats > 0 and s.reheats >= c.max_reheats:
            _restart(s, c, h)
        else:
            _reheat(s, c, h)


@kernel
def _judge_progress(s: Any, c: Any) -> None:
    """Count the plateaus in a row without progress."""
    if c.progress == codes.END_BELOW_START:
        progress = s.energy < s.plateau_energy
    elif c.progress == codes.MINIMUM_FELL:
        progress = s.minimum < s.previous_minimum
    else:
        progress = s.best < s.plateau_best
    s.stagnation = 0 if progress else s.stagnation + 1
    s.lowest = min(s.lowest, s.minimum)
    s.previous_minimum = s.minimum


@kernel
def _cool(s: Any, c: Any, h: Any) -> Any:
    """End the plateau, take the next temperature, open the next plateau; whether the floor is reached."""
    h.t_before = s.plateau_temperature
    h.accepted, h.moves = s.accepted, s.moves
    s.last_accepted, s.last_moves = s.accepted, s.moves
    s.plateau += 1
    s.level += 1
    h.plateau = s.plateau
    T = next_temperature(s, c)
    at_floor = c.t_min >= T and c.schedule != codes.CONSTANT
    if c.at_floor == codes.AT_FLOOR_SWEEP and c.schedule == codes.LINEAR:
        at_floor = s.level > c.levels
    if at_floor and c.at_floor == codes.AT_FLOOR_HOLD:
        T = max(T, min(s.temperature, c.t_min))  # a knob turned below the floor is left there
    s.temperature = T
    open_plateau(s)
    h.t_after = T
    h.bits |= COOLED
    return at_floor


@kernel
def reheat_factor(c: Any, n: int) -> Any:
    """The share of T₀ of the next reheat, after n of them in this attempt."""
    factor = c.factor
    if c.factor_rule == codes.DIVIDED_FACTOR:
        factor /= np.float64(1 + n)
    elif c.factor_rule == codes.SHRINKING_FACTOR:
        for _ in range(min(n, 1500)):  # it does not shrink any further
            factor *= 0.6
    return factor


@kernel
def _reheat(s: Any, c: Any, h: Any) -> None:
    """T ← max(T, factor · T₀), the state kept."""
    h.hot_before = s.temperature
    h.factor = reheat_factor(c, s.reheats)
    rebase(s, max(s.temperature, h.factor * start_temperature(s, c)))
    h.hot_after = s.temperature
    h.stagnation = s.stagnation
    h.gained = s.mark - s.lowest
    s.reheats += 1
    h.reheat = s.reheats
    s.stagnation = 0
    s.previous_minimum = HIGHEST
    s.mark = s.energy
    s.lowest = s.energy
    h.bits |= REHEAT
