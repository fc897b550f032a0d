"""Blanks as a terminal is told of them with the fewest bytes: erased, where it erases in the ground that is set."""

from __future__ import annotations

import re

from tui.terminal.sgr import Sgr
from tui.terminal.terminfo import Able

LEAST_AT_END, LEAST_AMID = 6, 13
"""Blanks from which on erasing is shorter: after the last character, and where the cursor must go on behind them."""
_FEW = " " * LEAST_AT_END
_AMID = re.compile(f" {{{LEAST_AMID},}}")


def put(text: str, setting: Sgr, able: Able) -> tuple[str, int]:
    """The text as it is sent, and how many columns at its end are not walked over by the cursor."""
    if _FEW not in text or not able.erases or setting.visible or (setting.ground and not able.in_colour):
        return text, 0
    inked = text.rstrip(" ")
    tail = len(text) - len(inked)
    sent = _AMID.sub(_skipped, inked)
    if tail < LEAST_AT_END:
        return sent + " " * tail, 0
    return f"{sent}\x1b[{tail}X", tail


def _skipped(blanks: re.Match[str]) -> str:
    count = len(blanks.group())
    return f"\x1b[{count}X\x1b[{count}C"
