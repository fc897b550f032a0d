"""How the values of parameters and knobs are written on the screen."""

from __future__ import annotations

from engine import text
from tui.i18n import _


def value_text(value: object) -> str:
    """A value to be read: whole numbers in groups of three, others with six digits at most, a dash for none."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return text.count(value)
    if isinstance(value, float):
        return f"{value:.6g}".replace("-", text.MINUS)
    return text.NONE if value is None else str(value)
