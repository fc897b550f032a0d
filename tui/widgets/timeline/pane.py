"""Base of the panes over the time axis: the position in time, tick labels on both sides, and mouse events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct
from textual import events
from textual.message import Message

from tui.look.theme import Role
from tui.playback.window import Window, total_for
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Span, row
from tui.widgets.timeline.axis import LABELS, Axis

LEAST_DOUBLED = 64
"""Recorded steps from which a doubling of the axis is announced; before, it doubles every few steps."""


class TimePosition(Struct, frozen=True):
    """The playhead, the recorded length, and the visible part of the time axis."""

    playhead: int = 0
    recorded: int = 0
    part: Window | None = None
    """The visible part; None: all of it."""

    @property
    def total(self) -> int:
        return total_for(self.recorded)

    @property
    def window(self) -> Window:
        return self.part or Window(0, self.total)

    @property
    def has_doubled(self) -> bool:
        """Whether the axis has doubled lately: the run has come to no more than an eighth of its second half."""
        return self.recorded >= LEAST_DOUBLED and self.recorded - self.total // 2 <= self.total // 16

    def axis(self, width: int) -> Axis:
        """The axis between the tick labels of a pane of this width."""
        return Axis(max(1, width - 2 * LABELS), self.window.span, self.window.low)


def labelled(left: str, cells: Sequence[Span], right: str, width: int) -> Row:
    """One cell for each column between two tick labels."""
    merged = (("".join([character for character, _role in run]), role) for role, run in groupby(cells, itemgetter(1)))
    return row(((f"{left[:LABELS]:>{LABELS - 1}}".ljust(LABELS), "muted"), *merged,
                (f"{right[: LABELS - 1]:>{LABELS}}", "muted")), width)




def ahead(role: Role, column: int, playhead: int) -> Role:
    """The role of a recorded value: `future` if it lies ahead of the playhead."""
    return role if column <= playhead else "future"


class TimePane(Pane):
    """A pane whose columns are steps. It posts the step under a click or drag, the column under the pointer, and turns
    of the wheel; a value that did not change is not posted again."""

    class Picked(Message):
        """A click or a drag picked a column of the axis; `step` is the first one in it."""

        def __init__(self, step: int, column: int) -> None:
            super().__init__()
            self.step, self.column = step, column

    class Pointed(Message):
        """The pointer moved to a column of the axis, or (None) left it."""

        def __init__(self, column: int | None) -> None:
            super().__init__()
            self.column = column

    class Zoomed(Message):
        """The wheel was turned: +1 zooms in, -1 out."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    position = TimePosition()
    _picked: int | None = None
    """The step picked last; None while the button is up."""
    _pointed: int | None = None

    def _pick(self, x: int) -> None:
        axis = self.position.axis(self.size.width)
        column = min(max(x - LABELS, 0), axis.width - 1)
        beyond = column > axis.column(self.position.recorded)
        step = self.position.recorded if beyond else axis.first_step(column)
        if step != self._picked:
            self._picked = step
            self.post_message(self.Picked(step, column))

    def _point(self, x: int | None) -> None:
        inside = x is not None and 0 <= x - LABELS < self.position.axis(self.size.width).width
        column = x - LABELS if x is not None and inside else None
        if column != self._pointed:
            self._pointed = column
            self.post_message(self.Pointed(column))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            self.capture_mouse()
            self._picked = None
            self._pick(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point(event.x)
        if self._picked is not None:
            self._pick(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._picked = None
        self.release_mouse()

    def on_leave(self, event: events.Leave) -> None:
        self._point(None)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Zoomed(1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Zoomed(-1))
