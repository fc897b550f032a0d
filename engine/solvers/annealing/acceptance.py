"""Acceptance rules: the Metropolis test, and the three rules that differ from it.

The Metropolis rule accepts a move that does not raise E, and one that raises it with probability p = e^(-ΔE/T)
(Metropolis et al. 1953; Kirkpatrick et al. 1983). The test "u < p" is made on whole numbers: u is a random word of 32
bits, p a threshold from 0 to 2^32, and the move is accepted iff the word is below the threshold. The events show both
divided by 2^32. u is drawn together with the move, before ΔE is known: `neighbourhood.propose` returns both. With the
exponential of `engine.compiled.portable_math` every machine makes the same decisions.

`Annealer.steps` compares the word with `acceptance_threshold`. The kernel compares it with `acceptance_table`, which
holds the thresholds of every ΔE at one temperature.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import kernel
from engine.compiled.portable_math import exp_negative
from engine.solvers.annealing.parameters import CALIBRATE, COURSE_SHEET, METROPOLIS, SIDEWAYS, Config, SearchState

Thresholds = npt.NDArray[np.uint64]
"""[2r + 1]: the threshold of ΔE at index ΔE + r."""

SCALE = 4294967296.0
"""p = threshold / SCALE, u = random word / SCALE."""
CERTAIN = np.uint64(2**32)
"""Threshold of a move that is always accepted."""
IMPOSSIBLE = np.uint64(0)
"""Threshold of a move that is never accepted."""
_CERTAIN, _IMPOSSIBLE = 2**32, 0  # the same as int64: numba would unify uint64 and int64 as a float


@kernel
def metropolis_threshold(delta: int, T: float) -> np.uint64:
    """The Metropolis rule as a threshold: e^(-ΔE/T) * 2^32, rounded down, at temperature T >= 0.

    CERTAIN for ΔE <= 0; at T = 0 IMPOSSIBLE for ΔE > 0. p is computed as a power of e^(-1/T), as in `metropolis_table`,
    so that the two agree to the bit.
    """
    if delta <= 0:
        return CERTAIN
    weight = _boltzmann_weight(T)
    p = weight
    for _ in range(delta - 1):
        p *= weight
    return np.uint64(p * SCALE)


@kernel
def acceptance_threshold(state: SearchState, config: Config, delta: int) -> int:
    """The threshold, 0 to 2^32, that a 32-bit draw must be below for a move of this ΔE to be accepted now.

    The calibrating random walk accepts every move.
    """
    return _CERTAIN if state.phase == CALIBRATE else rule_threshold(config.rule, delta, state.temperature)


@kernel
def rule_threshold(rule: int, delta: int, T: float) -> int:
    """The threshold of an acceptance rule for a move of this ΔE at temperature T >= 0.

    The rule is METROPOLIS; COURSE_SHEET, which also draws for ΔE = 0 and refuses it at T = 0; STRICT (only ΔE < 0) or
    SIDEWAYS (only ΔE <= 0).
    """
    if delta < 0:
        return _CERTAIN
    if delta > 0:
        return int(np.int64(metropolis_threshold(delta, T))) if rule in (METROPOLIS, COURSE_SHEET) else _IMPOSSIBLE
    return _CERTAIN if rule in (METROPOLIS, SIDEWAYS) or (rule == COURSE_SHEET and T > 0.0) else _IMPOSSIBLE


@kernel
def acceptance_table(table: Thresholds, state: SearchState, config: Config) -> None:
    """Write `acceptance_threshold` of every ΔE into `table`: a lookup then replaces the exponential of a proposal."""
    middle = len(table) // 2
    if state.phase != CALIBRATE and config.rule in (METROPOLIS, COURSE_SHEET):
        metropolis_table(table, state.temperature)
        table[middle] = np.uint64(acceptance_threshold(state, config, 0))
    else:
        for i in range(len(table)):
            table[i] = np.uint64(acceptance_threshold(state, config, i - middle))


@kernel
def metropolis_table(table: Thresholds, T: float) -> None:
    """Write `metropolis_threshold` of every ΔE at temperature T into `table`."""
    middle = len(table) // 2
    for i in range(middle + 1):
        table[i] = CERTAIN
    weight = _boltzmann_weight(T)
    p = 1.0
    for i in range(middle + 1, len(table)):
        p *= weight
        table[i] = np.uint64(p * SCALE)


@kernel
def _boltzmann_weight(T: float) -> float:
    """e^(-1/T), the probability of accepting ΔE = 1; 0 at T = 0."""
    return exp_negative(1.0 / T) if T > 0.0 else 0.0


def uses_chance(rule: int, delta: int, T: float) -> bool:
    """True if the rule compares u with p for this ΔE; the event of the proposal then shows both."""
    return (rule == METROPOLIS and delta > 0) or (rule == COURSE_SHEET and delta >= 0 and T > 0)
