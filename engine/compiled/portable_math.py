"""e^-x and ln x with the same bits on every machine.

The functions of a C library may differ in the last bit between platforms, and a run must not. These are made of
IEEE 754 additions, multiplications, divisions and scalings by powers of two alone, whose results are fixed to the bit.
"""

from __future__ import annotations

import math

from engine.compiled.kernel import kernel

_LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first has 32 significant bits, so that its product with an exponent of a double is exact.
_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62E42FEEp-1"), float.fromhex("0x1.A39EF35793C76p-33")
_TINY = 2.0**-32
_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(k) for k in range(14, 1, -1))
_INVERSE_ODDS = tuple(1.0 / k for k in range(23, 1, -2))


@kernel
def exp_negative(x: float) -> float:
    """e^-x for x >= 0 (inf gives 0). The relative error is below 2^-51 while the result is above 2^-1022.

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
    """ln x for finite x > 0. The absolute error is below 2^-51 * max(1, |ln x|).

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
