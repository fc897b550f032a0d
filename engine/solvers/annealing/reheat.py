"""Reheating in `anneal-reheat` and `anneal-reheat-adaptive`: when T is raised, and to what.

`rules.end_plateau` counts the plateaus without progress and reheats after `config.stagnation` of them.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.cooling import rebase, start_temperature
from engine.solvers.annealing.parameters import HIGHEST, NOT_RAISED, REHEAT, Config, LogRecord, SearchState


@kernel
def count_stagnation(state: SearchState, config: Config) -> None:
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
def reheat(state: SearchState, config: Config, log: LogRecord) -> None:
    """Reheat: T ← max(T, f(n)·T₀) after n reheats of this attempt, or T ← f(n)·T₀ even if that is lower
    (`reheat_sets`). The grid is kept. A reheat that leaves T as it is counts too, and is reported as NOT_RAISED.

    anneal-reheat: f(n) = f, the same each time. anneal-reheat-adaptive: f(n) = f / (1 + n), or f·0.6ⁿ.
    """
    factor, n = config.factor, state.reheats
    if config.factor_rule == codes.DIVIDED_FACTOR:
        factor /= np.float64(1 + n)
    elif config.factor_rule == codes.SHRINKING_FACTOR:
        for _ in range(min(n, 1500)):  # 0.6^1500 is 0 in a double
            factor *= 0.6
    log.hot_before, log.factor = state.temperature, factor
    wanted = factor * start_temperature(state, config)
    rebase(state, wanted if config.reheat_sets == 1 else max(state.temperature, wanted))
    log.hot_after = state.temperature
    log.stagnation, log.gained = state.stagnation, state.mark - state.lowest
    state.reheats += 1
    log.reheat = state.reheats
    state.stagnation = 0
    state.previous_minimum = HIGHEST
    state.mark = state.lowest = state.energy
    log.events |= NOT_RAISED if log.hot_after == log.hot_before else REHEAT
