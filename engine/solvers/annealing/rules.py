"""What happens around the proposals, compiled: new bests, plateaus, cooling, floors, reheats, restarts, budgets.

`count` books proposals, `after_proposal` then applies the rules once; both are shared by the generator and every
kernel. A kernel may make up to `quiet_steps` proposals at one temperature before it calls them, as long as it halts
at the first E below `bar`: in between, nothing can happen. f is always a `moves.Frame`.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from engine.jit import kernel
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.acceptance import natural_log
from engine.solvers.annealing.moves import apply, counted_energy, fill, movable_conflicts, neighbours, recount
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
def start_temperature(f: Any) -> Any:
    """T₀: the parameter, or what the calibration found."""
    return f.c.t0 if f.c.t0 > 0.0 else f.s.calibrated


@kernel
def rebase(f: Any, T: float) -> None:
    """Let the schedule go on from T, as if it had just started there."""
    s = f.s
    s.temperature = T
    s.base = T
    s.base_step = s.step
    s.level = 0
    if s.moves == 0:
        s.plateau_temperature = T


@kernel
def open_plateau(f: Any) -> None:
    """Begin to count a plateau, at the temperature and the energy of this moment."""
    s = f.s
    s.plateau_temperature = s.temperature
    s.plateau_energy = s.energy
    s.plateau_best = s.best
    s.moves = 0
    s.accepted = 0
    s.minimum = s.energy


@kernel
def begin_attempt(f: Any) -> None:
    """Everything that starts anew with a fresh state, whose energy is in the record already."""
    s = f.s
    s.stagnation = 0
    s.reheats = 0
    s.mark = s.energy
    s.lowest = s.energy
    s.since_better = 0
    s.previous_minimum = HIGHEST
    rebase(f, start_temperature(f))
    open_plateau(f)


@kernel
def _logarithmic(f: Any) -> Any:
    """T₀ / ln(k + e), k moves after the schedule's start (Hajek 1988)."""
    return f.s.base / natural_log(np.float64(f.s.step - f.s.base_step) + _E)


@kernel
def _adaptive(f: Any) -> Any:
    """Cool faster while nearly all is accepted, slower when hardly anything is."""
    if 10 * f.s.accepted > 8 * f.s.moves:
        return f.s.temperature * (f.c.alpha * f.c.alpha)
    if 10 * f.s.accepted < 2 * f.s.moves:
        return f.s.temperature * math.sqrt(f.c.alpha)
    return f.s.temperature * f.c.alpha


@kernel
def next_temperature(f: Any) -> Any:
    """What the schedule gives for the plateau that begins; s.level plateaus have ended since its start."""
    T = f.s.temperature
    if f.c.schedule == codes.EXPONENTIAL:
        T *= f.c.alpha
    elif f.c.schedule == codes.LINEAR:
        T = max(0.0, f.s.base * (1.0 - np.float64(f.s.level) / np.float64(f.c.levels)))
    elif f.c.schedule == codes.LOGARITHMIC:
        T = _logarithmic(f)
    elif f.c.schedule == codes.ADAPTIVE:
        T = _adaptive(f)
    return T


@kernel
def count(f: Any, steps: int, taken: Any, energy: int) -> None:
    """Book `steps` proposals that ended at `energy`; taken = (accepted, accepted uphill, lowest E met)."""
    s = f.s
    s.step += steps
    s.moves += steps
    s.since_better += steps
    s.accepted += taken[0]
    s.total_accepted += taken[0]
    s.total_uphill += taken[1]
    s.minimum = min(s.minimum, taken[2])
    s.energy = energy
    if f.c.schedule == codes.LOGARITHMIC and s.phase == SEARCH:
        T = _logarithmic(f)
        s.temperature = max(T, min(s.base, f.c.t_min)) if f.c.at_floor == codes.AT_FLOOR_HOLD else T


@kernel
def book(f: Any, move: Any, change: int, taken: bool) -> None:
    """Make a judged move if it was taken, and count the proposal."""
    f.s.before = f.s.energy
    energy = f.s.energy
    if taken:
        apply(f, move)
        energy += change
    count(f, 1, (np.int64(taken), np.int64(taken and change > 0), energy), energy)
    if f.s.neighbourhood == codes.CONFLICT_SWAP and energy > 0 and movable_conflicts(f) == 0:
        f.s.status = NOTHING_TO_PROPOSE


@kernel
def bar(f: Any) -> Any:
    """The E that must not be undercut unnoticed."""
    return f.s.lowest if f.c.patience > 0 else f.s.best


@kernel
def quiet_steps(f: Any) -> Any:
    """How many proposals can be made before a rule may have something to say: at least 1."""
    if f.s.phase == CALIBRATE or f.c.steepest == 1:
        return 1
    left = f.c.patience - f.s.since_better if f.c.patience > 0 else f.c.moves - f.s.moves
    return max(1, min(left, f.c.max_steps - f.s.step))


@kernel
def after_proposal(f: Any, h: Any) -> Any:
    """Apply the rules after a counted proposal; h tells what happened. Returns its bits."""
    s = f.s
    h.step = s.step
    h.bits = 0
    h.energy = s.energy
    _new_best(f, h)
    if s.energy == 0:
        s.status = SOLVED
    elif s.status == RUNNING:
        if s.phase == CALIBRATE:
            _walk(f, h)
        elif f.c.patience > 0:
            _climb(f, h)
        elif s.moves >= f.c.moves:
            _end_plateau(f, h)
        if s.status == RUNNING and s.step >= f.c.max_steps:
            s.status = BUDGET_SPENT
    if s.status != RUNNING:
        h.bits |= DONE
    return h.bits


@kernel
def _new_best(f: Any, h: Any) -> None:
    h.best_before = f.s.best
    if f.s.energy < f.s.best:
        f.s.best = f.s.energy
        f.grids[1, :] = f.cells
        h.bits |= BEST
    h.best = f.s.best


@kernel
def _walk(f: Any, h: Any) -> None:
    """A move of the calibrating walk; the last one fixes T₀ (Lewis 2007)."""
    s = f.s
    change = s.energy - s.before
    s.walked += 1
    s.sum_delta += change
    s.sum_delta2 += change * change
    s.sum_energy += s.energy
    s.sum_energy2 += s.energy * s.energy
    if s.walked >= f.c.walk:
        h.samples = s.walked
        h.deviation_delta = _deviation(s.sum_delta, s.sum_delta2, s.walked)
        h.deviation_energy = _deviation(s.sum_energy, s.sum_energy2, s.walked)
        found = h.deviation_energy if f.c.deviation_of_energy == 1 else h.deviation_delta
        s.calibrated = found if found > 0.0 else 1.0
        h.t_start = s.calibrated
        s.phase = SEARCH
        begin_attempt(f)
        h.bits |= CALIBRATED


@kernel
def _deviation(total: int, squares: int, k: int) -> Any:
    """The standard deviation of k whole numbers from their sum and the sum of their squares, exact up to the root."""
    return math.sqrt(np.float64(k * squares - total * total)) / np.float64(k)


@kernel
def _climb(f: Any, h: Any) -> None:
    """hill-climb: at the end of its patience, or where a scan found nothing to take, it is stuck."""
    s = f.s
    if s.energy < s.lowest:
        s.lowest = s.energy
        s.since_better = 0
    nothing = f.c.steepest == 1 and h.better == 0 and (h.equal == 0 or f.c.judge == codes.STRICT)
    if nothing or s.since_better >= f.c.patience:
        recount(f)
        h.better, h.equal, h.worse, _, _ = neighbours(f)
        h.bits |= MINIMUM
        _restart(f, h)
        if s.status == ATTEMPTS_SPENT and f.c.attempts == 1:
            s.status = LOCAL_MINIMUM if nothing else STUCK


@kernel
def _end_plateau(f: Any, h: Any) -> None:
    _judge_progress(f)
    at_floor = _cool(f, h)
    if at_floor and f.c.at_floor == codes.AT_FLOOR_RESTART:
        _restart(f, h)
    elif at_floor and f.c.at_floor == codes.AT_FLOOR_SWEEP:
        _sweep(f, h)
    elif f.c.stagnation > 0 and f.s.stagnation >= f.c.stagnation:
        if f.c.max_reheats > 0 and f.s.reheats >= f.c.max_reheats:
            _restart(f, h)
        else:
            _reheat(f, h)


@kernel
def _judge_progress(f: Any) -> None:
    """Count the plateaus in a row without progress."""
    s = f.s
    if f.c.progress == codes.END_BELOW_START:
        progress = s.energy < s.plateau_energy
    elif f.c.progress == codes.MINIMUM_FELL:
        progress = s.minimum < s.previous_minimum
    else:
        progress = s.best < s.plateau_best
    s.stagnation = 0 if progress else s.stagnation + 1
    s.lowest = min(s.lowest, s.minimum)
    s.previous_minimum = s.minimum


@kernel
def _cool(f: Any, h: Any) -> Any:
    """End the plateau, take the next temperature, open the next plateau; whether the floor is reached."""
    s = f.s
    h.t_before = s.plateau_temperature
    h.accepted, h.moves = s.accepted, s.moves
    s.last_accepted, s.last_moves = s.accepted, s.moves
    s.plateau += 1
    s.level += 1
    h.plateau = s.plateau
    T = next_temperature(f)
    at_floor = f.c.t_min >= T and f.c.schedule != codes.CONSTANT
    if f.c.at_floor == codes.AT_FLOOR_SWEEP and f.c.schedule == codes.LINEAR:
        at_floor = s.level > f.c.levels
    if at_floor and f.c.at_floor == codes.AT_FLOOR_HOLD:
        T = max(T, min(s.plateau_temperature, f.c.t_min))  # a knob turned below the floor is left there
    s.temperature = T
    open_plateau(f)
    h.t_after = T
    h.bits |= COOLED
    return at_floor


@kernel
def _sweep(f: Any, h: Any) -> None:
    """Start the schedule again from the grid as it is."""
    f.s.sweep += 1
    h.sweep = f.s.sweep
    rebase(f, start_temperature(f))
    h.bits |= SWEEP


@kernel
def reheat_factor(c: Any, n: int) -> Any:
    """The share of T₀ of the next reheat, after n of them in this attempt."""
    factor = c.factor
    if c.factor_rule == codes.DIVIDED_FACTOR:
        factor /= np.float64(1 + n)
    elif c.factor_rule == codes.SHRINKING_FACTOR:
        for _ in range(n):
            factor *= 0.6
    return factor


@kernel
def _reheat(f: Any, h: Any) -> None:
    """T ← max(T, factor · T₀), the state kept."""
    s = f.s
    h.hot_before = s.temperature
    h.factor = reheat_factor(f.c, s.reheats)
    rebase(f, max(s.temperature, h.factor * start_temperature(f)))
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


@kernel
def _restart(f: Any, h: Any) -> None:
    """Begin the next attempt from a fresh state, if there is one left."""
    s = f.s
    if f.c.attempts > 0 and s.attempt >= f.c.attempts:
        s.status = ATTEMPTS_SPENT
        return
    s.attempt += 1
    h.attempt = s.attempt
    fresh_state(f)
    h.fresh_energy = s.energy
    h.bits |= RESTART


@kernel
def fresh_state(f: Any) -> None:
    """Fill the free cells anew and begin an attempt with them."""
    s = f.s
    fill(f)
    recount(f)
    s.energy = counted_energy(f)
    if s.energy < s.best:
        s.best = s.energy
        f.grids[1, :] = f.cells
    begin_attempt(f)
    if s.energy == 0:
        s.status = SOLVED
    elif len(f.board.moves) == 0:
        s.status = NO_MOVES
    elif s.neighbourhood == codes.CONFLICT_SWAP and movable_conflicts(f) == 0:
        s.status = NOTHING_TO_PROPOSE
