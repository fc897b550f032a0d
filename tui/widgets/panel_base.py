"""Where the lines of panels are registered, one function a kind of panel."""

from __future__ import annotations

from functools import singledispatch

from engine.view import Panel
from tui.widgets.rows import Space, Span

Lines = list[list[Span]]


@singledispatch
def panel_lines(panel: Panel, n: int, space: Space) -> Lines:
    """The lines of a panel, the most important first; `n` is the side of the grid. Other panels register theirs."""
    return []
