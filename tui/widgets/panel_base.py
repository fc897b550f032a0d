"""Where the lines of panels are registered, one function a kind of panel."""

from __future__ import annotations

from functools import singledispatch

from engine.view import Panel
from tui.i18n import _
from tui.look.theme import Role
from tui.widgets.rows import Space, Span

Lines = list[list[Span]]


@singledispatch
def panel_lines(panel: Panel, n: int, space: Space) -> Lines:
    """The lines of a panel, the most important first; `n` is the side of the grid. Other panels register theirs."""
    return []


def nothing() -> Lines:
    """What stands in a list that is empty."""
    return [[("  " + _("none"), "muted")]]


def grounded(space: Space, spans: list[Span], role: Role) -> list[Span]:
    """A line on a ground of its own, from edge to edge, with the mark of what is current before it."""
    text = "".join(text for text, _role in spans)
    return [(f"{space.glyphs.current}{text[1:]}".ljust(space.width), role)]
