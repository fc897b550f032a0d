"""Reheats and restarts at the end of a plateau, compiled.

`reheat` is the law of `anneal-reheat` and `anneal-reheat-adaptive`; `end_plateau` decides when it applies. As in
`cooling`, these functions take records only.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.cooling import cool, rebase, start_temperature
from engine.solvers.annealing.parameters import (
    ATTEMPTS_SPENT,
    HIGHEST,
    REHEAT,
    RESTART,
    SWEEP,
    Config,
    LogRecord,
    SearchState,
)


@kernel
def reheat(state: SearchState, config: Config, log: LogRecord) -> None:
    """Reheat: T ← max(T, f(n)·T₀) after n reheats of this attempt. The grid is kept.

    anneal-reheat: f(n) = f, the same each time. anneal-reheat-adaptive: f(n) = f / (1 + n), or f·0.6ⁿ.
    """
    factor, n = config.factor, state.reheats
    if config.factor_rule == codes.DIVIDED_FACTOR:
        factor /= np.float64(1 + n)
    elif config.factor_rule == codes.SHRINKING_FACTOR:
        for _ in range(min(n, 1500)):  # 0.6^1500 is 0 in a double
            factor *= 0.6
    log.hot_before, log.factor = state.temperature, factor
    rebase(state, max(state.temperature, factor * start_temperature(state, config)))
    log.hot_after = state.temperature
    log.stagnation, log.gained = state.stagnation, state.mark - state.lowest
    state.reheats += 1
    log.reheat = state.reheats
    state.stagnation = 0
    state.previous_minimum = HIGHEST
    state.mark = state.lowest = state.energy
    log.events |= REHEAT


@kernel
def end_plateau(state: SearchState, config: Config, log: LogRecord) -> None:
    """Cool, then restart or sweep again at the floor, or reheat after too many plateaus without progress."""
    _count_stagnation(state, config)
    at_floor = cool(state, config, log)
    if at_floor and config.at_floor == codes.AT_FLOOR_RESTART:
        restart(state, config, log)
    elif at_floor and config.at_floor == codes.AT_FLOOR_SWEEP:
        state.sweep += 1
        log.sweep = state.sweep
        rebase(state, start_temperature(state, config))
        log.events |= SWEEP
    elif config.stagnation > 0 and state.stagnation >= config.stagnation:
        if config.max_reheats > 0 and state.reheats >= config.max_reheats:
            restart(state, config, log)
        else:
            reheat(state, config, log)


@kernel
def _count_stagnation(state: SearchState, config: Config) -> None:
    """Count the plateaus in a row without progress."""
    if config.progress == codes.END_BELOW_START:
        progress = state.energy < state.plateau_energy
    elif config.progress == codes.MINIMUM_FELL:
        progress = state.minimum < state.previous_minimum
    else:
        progress = state.best < state.plateau_best
    state.stagnation = 0 if progress else state.stagnation + 1
    state.lowest = min(state.lowest, state.minimum)
    state.previous_minimum = state.minimum


@kernel
def restart(state: SearchState, config: Config, log: LogRecord) -> None:
    """Request the next attempt, or end the run if none is left. `rules.random_restart` makes the new grid."""
    if config.attempts > 0 and state.attempt >= config.attempts:
        state.status = ATTEMPTS_SPENT
    else:
        state.attempt += 1
        log.attempt = state.attempt
        log.events |= RESTART
