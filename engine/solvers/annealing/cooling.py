"""Cooling: schedules and plateaus, compiled.

A plateau is a number of proposals at one temperature, `config.moves`. `rules.count_proposals` counts them; when all are
made, `rules.end_plateau` calls `cool`, which takes the temperature of the next plateau from the schedule (Kirkpatrick
et al. 1983: T ← α·T). The logarithmic schedule (Hajek 1988: T₀ / ln(k + e)) cools after every proposal instead, in
`rules.count_proposals`.
"""

from __future__ import annotations

import math

import numpy as np

from engine.compiled.kernel import kernel
from engine.compiled.portable_math import natural_log
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.parameters import COOLED, HIGHEST, Config, LogRecord, SearchState

_E = 2.718281828459045


@kernel
def next_temperature(state: SearchState, config: Config) -> float:
    """The cooling law: T of the next plateau.

    exponential (geometric): α·T. linear: T₀·(1 − k/levels), where k = state.level is the number of plateaus since T was
    T₀. adaptive: see below. constant and logarithmic: T as it is; the latter has been changed after every proposal.
    """
    T = state.temperature
    if config.schedule == codes.EXPONENTIAL:
        T *= config.alpha
    elif config.schedule == codes.LINEAR:
        T = max(0.0, state.base * (1.0 - np.float64(state.level) / np.float64(config.levels)))
    elif config.schedule == codes.ADAPTIVE:
        T = _adaptive(state, config)
    return T


@kernel
def logarithmic(state: SearchState, config: Config, k: int) -> float:
    """T₀ / ln(k + e), k moves after the schedule's start (Hajek 1988); not below the floor if T is held there."""
    T = state.base / natural_log(np.float64(k) + _E)
    return max(T, min(state.base, config.t_min)) if config.at_floor == codes.AT_FLOOR_HOLD else T


@kernel
def _adaptive(state: SearchState, config: Config) -> float:
    """α²·T if over 80 % of the plateau was accepted, √α·T if under 20 %, else α·T."""
    if 10 * state.accepted > 8 * state.moves:
        return state.temperature * (config.alpha * config.alpha)
    if 10 * state.accepted < 2 * state.moves:
        return state.temperature * math.sqrt(config.alpha)
    return state.temperature * config.alpha


@kernel
def cool(state: SearchState, config: Config, log: LogRecord) -> bool:
    """End the plateau, set the next temperature and open the next plateau. True if T has reached the floor."""
    # a T set by hand within the plateau is the one that is cooled; the logarithmic T has fallen since its beginning
    log.t_before = state.plateau_temperature if config.schedule == codes.LOGARITHMIC else state.temperature
    log.accepted, log.moves = state.accepted, state.moves
    state.last_accepted, state.last_moves = state.accepted, state.moves
    state.plateau += 1
    state.level += 1
    log.plateau = state.plateau
    T = next_temperature(state, config)
    at_floor = config.t_min >= T and config.schedule != codes.CONSTANT
    if config.at_floor == codes.AT_FLOOR_SWEEP and config.schedule == codes.LINEAR:
        at_floor = state.level > config.levels
    if at_floor and config.at_floor == codes.AT_FLOOR_HOLD:
        T = max(T, min(state.temperature, config.t_min))  # a T that the user set below the floor is kept
    state.temperature = T
    open_plateau(state)
    log.t_after = T
    log.events |= COOLED
    return at_floor


@kernel
def open_plateau(state: SearchState) -> None:
    """Begin a plateau at the present temperature and energy."""
    state.plateau_temperature = state.temperature
    state.plateau_energy = state.energy
    state.plateau_best = state.best
    state.moves = 0
    state.accepted = 0
    state.minimum = state.energy


@kernel
def begin_attempt(state: SearchState, config: Config) -> None:
    """Reset the counters of an attempt and set T to T₀. The energy of the new grid must be in the state already."""
    state.stagnation = 0
    state.reheats = 0
    state.mark = state.energy
    state.lowest = state.energy
    state.since_better = 0
    state.previous_minimum = HIGHEST
    rebase(state, start_temperature(state, config))
    open_plateau(state)


@kernel
def start_temperature(state: SearchState, config: Config) -> float:
    """T₀: the parameter, or the result of the calibration."""
    return config.t0 if config.t0 > 0.0 else state.calibrated


@kernel
def rebase(state: SearchState, T: float) -> None:
    """Set T and restart the schedule from there."""
    state.temperature = T
    state.base = T
    state.base_step = state.step
    state.level = 0
    if state.moves == 0:
        state.plateau_temperature = T
