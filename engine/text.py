"""Formatting of numbers, the same on every screen and in every sentence and table."""

from __future__ import annotations

import math

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"
TINY = 1e-6


def count(value: int) -> str:
    """`410496` as `410 496`: groups of three, a space between."""
    return f"{value:,}".replace(",", " ").replace("-", MINUS)


def signed(value: int) -> str:
    """`+2`, `0`, `−1`: the sign always, with a real minus."""
    return "0" if value == 0 else f"{value:+d}".replace("-", MINUS)


def significant(value: float | None, digits: int = 3) -> str:
    """A number with three significant digits (`0.545`, `12.3`, `0.00102`); below a millionth and from a million up
    with a power of ten (`1.20e−07`)."""
    if value is None or math.isnan(value):
        return NONE
    if value == 0:
        return "0"
    power = f"{value:.{digits - 1}e}"
    exponent = int(power.partition("e")[2] or 0)  # after rounding: 0.9996 is written as 1.00
    if math.isinf(value) or not -6 <= exponent < 6:
        return power.replace("-", MINUS)
    return f"{value:.{max(0, digits - 1 - exponent)}f}".replace("-", MINUS)


def apart(*numbers: float) -> tuple[str, ...]:
    """Numbers with the fewest digits, three to nine, that make different ones print differently."""
    for digits in range(3, 10):
        texts = tuple(significant(each, digits) for each in numbers)
        if len(set(texts)) == len(set(numbers)):
            break
    return texts


def chance(p: float, u: float) -> tuple[str, str, str]:
    """`=`, p and u, with digits that tell them apart from each other and from 1; for p below a millionth `<` and that:
    p is held in steps of 2**-32, and three digits of it would say more than is known."""
    if p < TINY:
        return "<", f"{TINY:g}", apart(u, 1.0)[0]
    p_text, u_text, _one = apart(p, u, 1.0)
    return "=", p_text, u_text


def file_name(words: str) -> str:
    """Words as a portable file name: letters and digits, separated by hyphens."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in words).split())


def share(value: float | None) -> str:
    """0.061 as `6.1 %`."""
    return NONE if value is None or math.isnan(value) else f"{value * 100:.1f} %"
