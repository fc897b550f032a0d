"""The rules of temperature, compiled: schedules, plateaus, cooling, floors, reheats, restarts.

s is always the record of SCALARS, c the one of CONFIG, h the one of HAPPENED: what runs once a plateau takes records
only, for a `moves.Frame` is slow to hand over.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.acceptance import natural_log
from engine.solvers.annealing.parameters import ATTEMPTS_SPENT, COOLED, HIGHEST, REHEAT, RESTART, SWEEP

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
def restart(s: Any, c: Any, h: Any) -> None:
    """Ask for the next attempt, if there is one left."""
    if c.attempts > 0 and s.attempt >= c.attempts:
        s.status = ATTEMPTS_SPENT
    else:
        s.attempt += 1
        h.attempt = s.attempt
        h.bits |= RESTART


@kernel
def end_plateau(s: Any, c: Any, h: Any) -> None:
    _judge_progress(s, c)
    at_floor = _cool(s, c, h)
    if at_floor and c.at_floor == codes.AT_FLOOR_RESTART:
        restart(s, c, h)
    elif at_floor and c.at_floor == codes.AT_FLOOR_SWEEP:
        s.sweep += 1
        h.sweep = s.sweep
        rebase(s, start_temperature(s, c))
        h.bits |= SWEEP
    elif c.stagnation > 0 and s.stagnation >= c.stagnation:
        if c.max_reheats > 0 and s.reheats >= c.max_reheats:
            restart(s, c, h)
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
