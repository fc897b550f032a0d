"""Playback speeds in steps per second, which are independent of the frame rate."""

from __future__ import annotations

import math

from engine.errors import ParameterError
from engine.text import count
from tui.i18n import _

FLAT_OUT = math.inf
"""As fast as the machine computes."""

SPEEDS: tuple[float, ...] = (*(float(digit * 10**power) for power in range(6) for digit in (1, 2, 5)), 1e6, FLAT_OUT)
"""The speeds that the keys + and - select."""

DEFAULT = 1_000.0
FLAT_OUT_WORDS = ("max", "flat-out", "flat out", "flat")


def parse_speed(text: str) -> float:
    """Parse a speed: steps per second (spaces and underscores allowed, `5k`, `1e6`), or `max`.

    Raises ParameterError.
    """
    word = text.strip().lower()
    if word in FLAT_OUT_WORDS:
        return FLAT_OUT
    digits = word.replace(" ", "").replace("_", "").removesuffix("/s")
    factor = {"k": 1e3, "m": 1e6}.get(digits[-1:], 1.0)
    try:
        speed = float(digits[:-1] if factor > 1 else digits) * factor
    except ValueError:
        speed = math.nan
    if not 0.01 <= speed <= 1e9:
        raise ParameterError(_("speed = {text}: expected steps per second from 0.01 to 1 000 000 000, or max").format(
            text=text))
    return speed


def faster(speed: float) -> float:
    """The next higher speed of `SPEEDS`, or the last."""
    return next((each for each in SPEEDS if each > speed), SPEEDS[-1])


def slower(speed: float) -> float:
    """The next lower speed of `SPEEDS`, or the first."""
    return next((each for each in reversed(SPEEDS) if each < speed), SPEEDS[0])


def speed_text(speed: float) -> str:
    """`×1 000/s`, or `flat out`."""
    if speed == FLAT_OUT:
        return _("flat out")
    return f"×{count(round(speed))}/s" if speed >= 1 else f"×{speed:g}/s"
