"""Waiting for the application under test."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget

from tests.patience import PATIENCE, PAUSE
from tui.app import SudokuApp
from tui.widgets.pane import AppWidget, Pane
from tui.widgets.rows import plain


async def until(pilot: Pilot[Any], holds: Callable[[], object]) -> None:
    """Let the application work until a condition holds; fails with the screen after `PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"after {PATIENCE:g} s still\n{state_of(pilot.app)}"
        await pilot.pause(PAUSE)
    await pilot.pause()


def state_of(app: SudokuApp) -> str:
    """The state of the application: its screens, its run, and the text of the screen in front."""
    lines = [" > ".join(type(screen).__name__ for screen in app.screen_stack)]
    if app.has_run:
        snapshot = app.run_screen.snapshot
        lines += [f"{snapshot.state} ({'busy' if snapshot.busy else 'idle'}), "
                  f"at {snapshot.playhead} / {snapshot.recorded}, "
                  f"window {snapshot.window}, notice {snapshot.notice}", repr(snapshot.recipe)]
    return "\n".join([*lines, shown(app)])


def shown(app: SudokuApp) -> str:
    """The text of the panes, lists and tables of the screen in front, one below the other."""
    widgets = [each for each in app.screen.walk_children(AppWidget) if each.display]
    return "\n".join(line for widget in widgets for line in lines(widget))


def lines(widget: Widget) -> list[str]:
    """The lines of a widget as text."""
    if isinstance(widget, Pane):
        return plain(widget._shown)
    return [line.text for line in widget.render_lines(Region(0, 0, *widget.size))]
