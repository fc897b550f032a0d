"""What the parts of the timeline share: the frame of time, tick labels at both sides, and seeking with the mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from textual import events
from textual.message import Message

from tui.theme import Role
from tui.timeline import LABELS, Axis, total_for
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Span, row

Cell = tuple[str, Role]
BLANK: Cell = (" ", "blank")


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a run stands in time."""

    playhead: int = 0
    recorded: int = 0

    @property
    def total(self) -> int:
        return total_for(self.recorded)

    def axis(self, width: int) -> Axis:
        """The axis between the labels of a pane of this width."""
        return Axis(max(1, width - 2 * LABELS), self.total)


def labelled(left: str, cells: Sequence[Cell], right: str, width: int) -> Row:
    """A row of the timeline: a label, one (character, role) a column, a label."""
    spans: list[Span] = [(f"{left[: LABELS - 1]:>{LABELS - 1}} ", "muted"), *merged(cells),
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
    """A pane whose columns are steps. Clicking and dragging picks one."""

    class Picked(Message):
        """A step was picked."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.frame = Frame()
        self._dragging = False

    def _pick(self, x: int) -> None:
        axis = self.frame.axis(self.size.width)
        column = min(max(x - LABELS, 0), axis.width - 1)
        beyond = column > axis.column(self.frame.recorded)
        self.post_message(self.Picked(self.frame.recorded if beyond else axis.first_step(column)))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            self._dragging = True
            self.capture_mouse()
            self._pick(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._pick(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._dragging = False
        self.release_mouse()
