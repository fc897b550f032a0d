"""When a move that makes things worse is taken: p = e^(-ΔE/T), as a whole number out of 2^32.

A run must give the same events on every machine, and the exponential of a C library may differ in the last bit from one
to the next. So e^-x and ln x are made here of IEEE additions, multiplications, divisions and powers of two alone, which
are the same to the bit everywhere, and a decision compares integers: the draw has 32 bits, the threshold is 0 to 2^32,
and the move is taken iff the draw is below. The p and u of an event are these two integers divided by 2^32.

Every function is compiled and can also be called from Python.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.kernel import kernel

CERTAIN = np.uint64(2**32)
"""The threshold of a move that is taken whatever is drawn."""
NEVER = np.uint64(0)
"""The threshold of a move that is never taken."""
SCALE = 4294967296.0
"""p = threshold / SCALE, u = draw / SCALE."""

_LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first has 32 significant bits, so that its product with an exponent of a double is exact.
_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62E42FEEp-1"), float.fromhex("0x1.A39EF35793C76p-33")
_TINY = 2.0**-32
_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(k) for k in range(14, 1, -1))
_INVERSE_ODDS = tuple(1.0 / k for k in range(23, 1, -2))


@kernel
def exp_negative(x: float) -> float:
    """e^-x for x >= 0 (inf gives 0), with a relative error below 2^-51 while the result is above 2^-1022.

    x = k ln 2 + r with |r| <= ln 2 / 2, then the Taylor series of e^-r and k halvings.
    """
    if x > 745.0:
        return 0.0
    k = int(x * _LOG2_E + 0.5)
    r = k * _LN2_HIGH - x + k * _LN2_LOW
    series = 0.0
    for coefficient in _INVERSE_FACTORIALS:
        series = series * r + coefficient
    y = 1.0 + (r + r * r * series)
    while k >= 32:
        y *= _TINY
        k -= 32
    return y / float(1 << k)


@kernel
def natural_log(x: float) -> float:
    """ln x for finite x > 0, with an absolute error below 2^-51 * max(1, |ln x|).

    x = 2^k m with m within a factor of sqrt 2 from 1, then ln m = 2 artanh((m - 1) / (m + 1)) as a series.
    """
    m, k = x, 0
    while m > 1.4142135623730951:
        m *= 0.5
        k += 1
    while m < 0.7071067811865476:
        m *= 2.0
        k -= 1
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    series = 0.0
    for coefficient in _INVERSE_ODDS:
        series = (series + coefficient) * square
    return k * _LN2_HIGH + (2.0 * (s + s * series) + k * _LN2_LOW)


@kernel
def _weight(T: float) -> float:
    """e^(-1/T), the p of a move that adds one to E; 0 at T = 0."""
    return exp_negative(1.0 / T) if T > 0.0 else 0.0


@kernel
def threshold(delta: int, T: float) -> Any:
    """The uint64 in 0..2^32 that a 32-bit draw must be below for a move of this ΔE at temperature T >= 0.

    e^(-ΔE/T) * 2^32 rounded down; 2^32 for ΔE <= 0; 0 for ΔE > 0 at T = 0. The powers of e^(-1/T) are multiplied up, as
    `fill_thresholds` does, so that the two agree to the bit.
    """
    if delta <= 0:
        return CERTAIN
    weight = _weight(T)
    p = weight
    for _ in range(delta - 1):
        p *= weight
    return np.uint64(p * SCALE)


@kernel
def fill_thresholds(T: float, table: Any) -> None:
    """Write the thresholds of temperature T into `table`, a uint64 array in which ΔE stands at ΔE + len(table) // 2.

    A rule that does not take every ΔE <= 0 (strict descent at T = 0) overwrites the entry in the middle.
    """
    middle = len(table) // 2
    for i in range(middle + 1):
        table[i] = CERTAIN
    weight = _weight(T)
    p = 1.0
    for i in range(middle + 1, len(table)):
        p *= weight
        table[i] = np.uint64(p * SCALE)
