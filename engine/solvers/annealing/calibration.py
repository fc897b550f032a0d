"""Calibration: the start temperature T₀ from a random walk.

While `state.phase` is CALIBRATE every proposal is accepted. `rules.apply_rules` calls `calibrate` after each.
"""

from __future__ import annotations

import math

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing.cooling import begin_attempt
from engine.solvers.annealing.parameters import CALIBRATED, SEARCH, Config, LogRecord, SearchState


@kernel
def calibrate(state: SearchState, config: Config, log: LogRecord) -> None:
    """Record a move of the random walk; the last one sets T₀ to the standard deviation of ΔE, or of E (Lewis 2007)."""
    change = state.energy - state.before
    state.walked += 1
    state.sum_delta += change
    state.sum_delta2 += change * change
    state.sum_energy += state.energy
    state.sum_energy2 += state.energy * state.energy
    if state.walked >= config.walk:
        log.samples = state.walked
        log.deviation_delta = standard_deviation(state.sum_delta, state.sum_delta2, state.walked)
        log.deviation_energy = standard_deviation(state.sum_energy, state.sum_energy2, state.walked)
        found = log.deviation_energy if config.deviation_of_energy == 1 else log.deviation_delta
        state.calibrated = found if found > 0.0 else 1.0
        log.t_start = state.calibrated
        state.phase = SEARCH
        begin_attempt(state, config)
        log.events |= CALIBRATED


@kernel
def standard_deviation(total: int, squares: int, k: int) -> float:
    """The standard deviation of k integers from their sum and sum of squares; exact up to the square root."""
    return math.sqrt(np.float64(k * squares - total * total)) / np.float64(k)
