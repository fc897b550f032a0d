"""What the parts of the timeline share: the frame of time, tick labels at both sides, and seeking with the mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

Cell = tuple[str, Role]
BLANK: Cell = (" ", "blank")


class TimePosition(Struct, frozen=True):
    """Where a run stands in time."""

    playhead: int = 0
    recorded: int = 0
    part: Window | None = None
    """The part of it that is shown; None: all."""

    @property
    def total(self) -> int:
        return total_for(self.recorded)

    @property
    def window(self) -> Window:
        return self.part or Window(0, self.total)

    def axis(self, width: int) -> Axis:
        """The axis between the labels of a pane of this width."""
        return Axis(max(1, width - 2 * LABELS), self.window.span, self.window.low)


def labelled(left: str, cells: Sequence[Cell], right: str, width: int) -> Row:
    """A row of the timeline: a label, one (character, role) a column, a label. A label of all columns leaves no blank
    after it."""
    spans: list[Span] = [(f"{left[:LABELS]:>{LABELS - 1}}".ljust(LABELS), "muted"), *merged(cells),
                         (f"{right[: LABELS - 1]:>{LABELS}}", "muted")]
    return row(spans, width)


def merged(cells: Sequence[Cell]) -> Iterator[Span]:
    """Neighbours of one role as one span."""
    for role, run in groupby(cells, itemgetter(1)):
        yield "".join(character for character, _role in run), role


def ahead(role: Role, column: int, playhead: int) -> Role:
    """The role of something recorded: what lies ahead of the playhead recedes."""
    return role if column <= playhead else "future"


class TimePane(Pane):
    """A pane whose columns are steps. Clicking and dragging picks one, the wheel zooms, and what the mouse points at
    can be read. Nothing is said twice, so that a mouse that trembles costs nothing."""

    class Picked(Message):
        """A step was picked."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Pointed(Message):
        """The mouse points at a column of the axis, or (None) at none any more."""

        def __init__(self, column: int | None) -> None:
            super().__init__()
            self.column = column

    class Zoomed(Message):
        """The wheel was turned: +1 for closer, -1 for wider."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.frame = TimePosition()
        self._picked: int | None = None
        """The step that was picked last; None when the button is not held down."""
        self._pointed: int | None = None

    def _pick(self, x: int) -> None:
        axis = self.frame.axis(self.size.width)
        column = min(max(x - LABELS, 0), axis.width - 1)
        beyond = column > axis.column(self.frame.recorded)
        step = self.frame.recorded if beyond else axis.first_step(column)
        if step != self._picked:
            self._picked = step
            self.post_message(self.Picked(step))

    def _point(self, x: int | None) -> None:
        inside = x is not None and 0 <= x - LABELS < self.frame.axis(self.size.width).width
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
