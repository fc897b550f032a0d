"""The transport row: buttons to be clicked, the step, how far the run is recorded, the speed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from textual import events
from textual.message import Message

from engine.text import count
from tui.config.speed import speed_text
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, row, rows, spread
from tui.widgets.timeline.axis import LABELS
from tui.widgets.timeline.heading import Reading, reading_spans
from tui.widgets.timeline.pane import Cell, TimePane, TimePosition, labelled

Button = Literal["far_back", "back", "toggle", "forward", "far_forward"]
BUTTONS: tuple[Button, ...] = ("far_back", "back", "toggle", "forward", "far_forward")
BETWEEN = 2
STEP = 13
"""Columns of a step: up to ten figures in groups of three."""
LABEL, SPEED, ZOOM = 10, 12, 6
WIDE = 116
"""Columns from which on labels are written."""


START = TimePosition()


class Transport(Struct, frozen=True):
    """What the row says."""

    frame: TimePosition = START
    speed: float = 1.0
    step_word: str = "step"
    reading: Reading | None = None
    """What the mouse points at, where there is no heading to say it."""
    breakpoints: int = 0
    """How many are on, which is said here where no other pane has room for it."""


def buttons(glyphs: Glyphs) -> list[tuple[Button, str]]:
    """The buttons from the left; the middle one pauses or runs."""
    faces = (glyphs.far_back, glyphs.back, glyphs.paused, glyphs.forward, glyphs.far_forward)
    return list(zip(BUTTONS, faces, strict=True))


def button_at(x: int, glyphs: Glyphs) -> Button | None:
    """The button under a column, half of the blanks beside it included."""
    left = LABELS
    for press, face in buttons(glyphs):
        if left - BETWEEN // 2 <= x < left + len(face) + BETWEEN // 2:
            return press
        left += len(face) + BETWEEN
    return None


def zoom_text(ratio: int) -> str:
    """`1:64`; from 1 024 on in thousands, and so on, of 1 024 each."""
    for unit in ("", "k", "M", "G"):
        if ratio < 1024:
            return f"1:{ratio}{unit}"
        ratio //= 1024
    return f"1:{ratio}T"


def transport_row(shown: Transport, space: Space) -> Row:
    """Buttons, step and speed always; labels, the recorded length and the zoom where there is room. Everything has its
    place, so that a number which grows moves nothing else. What the mouse points at takes the place of the numbers."""
    glyphs, frame = space.glyphs, shown.frame
    left: list[Span] = [(" " * LABELS, "blank")]
    for press, face in buttons(glyphs):
        left += [(face, "strong" if press == "toggle" else "text"), (" " * BETWEEN, "blank")]
    if shown.reading is not None:
        return row([*left, (" " * BETWEEN, "blank"), *reading_spans(shown.reading, glyphs)], space.width)
    wide, zoom = space.width >= WIDE, zoom_text(frame.total // frame.window.span)
    if wide:
        left.append((f"{glyphs.text(_(shown.step_word)):>{LABEL}}", "muted"))
    left += [(f"{count(frame.playhead):>{STEP}}", "strong"), (f" / {count(frame.total):<{STEP}}", "muted")]
    speed = glyphs.text(speed_text(shown.speed))
    if not wide:
        near = f"{zoom}  " if frame.window.span < frame.total else ""
        stops = f"{glyphs.playhead} {shown.breakpoints}  " if shown.breakpoints else ""
        return _narrow(left, (near + stops, stops), [(speed, "text"), (" " * LABELS, "blank")], space.width)
    middle: list[Span] = [(_("recorded") + " ", "muted"), (f"{count(frame.recorded):<{STEP}}", "text")]
    end: list[Span] = [(_("speed") + " ", "muted"), (f"{speed:<{SPEED}}", "text")]
    last: list[Span] = [(_("zoom") + " ", "muted"), (f"{zoom:<{ZOOM}}", "text")]
    gap: Span = (" " * max((space.width - length([*left, *middle, *end, *last])) // 3, 1), "blank")
    return row([*left, gap, *middle, gap, *end, gap, *last], space.width)


def _narrow(left: list[Span], wishes: tuple[str, ...], right: list[Span], width: int) -> Row:
    """`left` and `right` at the edges, and before `right` the first wish that there is room for."""
    room = width - length(left) - length(right) - 1
    wish = next((each for each in wishes if len(each) <= room), "")
    return spread(left, [(wish, "muted"), *right], width, 1)


class TransportRow(Pane):
    """The row under the scrubber."""

    DEFAULT_CSS = "TransportRow { height: 1; }"

    class Pressed(Message):
        """A button was clicked."""

        def __init__(self, button: Button) -> None:
            super().__init__()
            self.button = button

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = Transport()

    def show(self, shown: Transport) -> None:
        """Show this from now on."""
        self.shown = shown
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([transport_row(self.shown, space)], space)

    def on_click(self, event: events.Click) -> None:
        button = button_at(event.x, self.glyphs)
        if button is not None:
            self.post_message(self.Pressed(button))


# The scrubber: what has been played, the playhead, what is recorded ahead of it, and what is not recorded yet.


def scrubber_row(frame: TimePosition, space: Space) -> Row:
    axis, glyphs = frame.axis(space.width), space.glyphs
    playhead, recorded = axis.column(frame.playhead), axis.column(frame.recorded)
    cells: list[Cell] = [
        (glyphs.filled, "text") if x < playhead else (glyphs.horizontal, "future") if x <= recorded
        else (glyphs.empty, "rule")
        for x in range(axis.width)
    ]
    cells[playhead] = glyphs.playhead, "ink"
    return labelled("", cells, "", space.width)


class Scrubber(TimePane):
    """Click or drag it to go to a step."""

    DEFAULT_CSS = "Scrubber { height: 1; }"

    def show(self, frame: TimePosition) -> None:
        """Show the playhead there."""
        self.frame = frame
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([scrubber_row(self.frame, space)], space)
