"""The scrubber, and below it the transport row: buttons, step, recorded length, speed and zoom."""

from __future__ import annotations

from collections.abc import Sequence
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
from tui.widgets.timeline.heading import Entry, Reading, fitting, reading_spans
from tui.widgets.timeline.pane import TimePane, TimePosition, labelled

Button = Literal["far_back", "back", "toggle", "forward", "far_forward"]
BUTTONS: tuple[Button, ...] = ("far_back", "back", "toggle", "forward", "far_forward")
BETWEEN = 2
"""Blank columns between buttons."""
STEP, NARROW_STEP = 13, 7
"""Columns of a step: up to ten digits in groups of three; in a narrow window six, and longer numbers take more."""
LABEL, SPEED, ZOOM = 10, 12, 6
WIDE = 116
"""Columns from which there is room for labels."""
START = TimePosition()


def scrubber_row(position: TimePosition, space: Space) -> Row:
    """The axis: the part before the playhead, the part recorded ahead of it, and the part not recorded yet."""
    axis, glyphs = position.axis(space.width), space.glyphs
    playhead, recorded = axis.column(position.playhead), axis.column(position.recorded)
    cells: list[Span] = [
        (glyphs.filled, "text") if x < playhead else (glyphs.horizontal, "future") if x <= recorded
        else (glyphs.empty, "rule")
        for x in range(axis.width)
    ]
    cells[playhead] = glyphs.playhead, "ink"
    return labelled("", cells, "", space.width)


class Scrubber(TimePane):
    """The axis with the playhead; a click or drag on it seeks."""

    DEFAULT_CSS = "Scrubber { height: 1; }"

    def show(self, position: TimePosition) -> None:
        self.position = position
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([scrubber_row(self.position, space)], space)


class Transport(Struct, frozen=True):
    """The values of the transport row."""

    position: TimePosition = START
    speed: float = 1.0
    reading: Reading | None = None
    """The values under the pointer, if no heading shows them."""
    breakpoints: int = 0
    """Breakpoints that are on; shown in a narrow window, which has no other room for them."""
    legend: tuple[Entry, ...] = ()
    """The legend of the chart, if no heading shows it; it needs a wide window."""


def buttons(glyphs: Glyphs) -> list[tuple[Button, str]]:
    """(button, face) from the left; the middle one plays and pauses."""
    faces = (glyphs.far_back, glyphs.back, glyphs.paused, glyphs.forward, glyphs.far_forward)
    return list(zip(BUTTONS, faces, strict=True))


def button_at(x: int, glyphs: Glyphs) -> Button | None:
    """The button at a column; half of the blanks beside it belong to it."""
    left = LABELS
    for press, face in buttons(glyphs):
        if left - BETWEEN // 2 <= x < left + len(face) + BETWEEN // 2:
            return press
        left += len(face) + BETWEEN
    return None


def zoom_text(ratio: int) -> str:
    """A zoom as `1:64`, from 1 024 in units of 1 024: `1:2k`."""
    for unit in ("", "k", "M", "G"):
        if ratio < 1024:
            return f"1:{ratio}{unit}"
        ratio //= 1024
    return f"1:{ratio}T"


def transport_row(shown: Transport, space: Space) -> Row:
    """Buttons, step, recorded length and speed; in a wide window labels and zoom too. Every number has a fixed place,
    so that one that grows moves no other. The legend of the chart takes the place of the labels. The values under the
    pointer replace the numbers."""
    glyphs, position = space.glyphs, shown.position
    left: list[Span] = [(" " * LABELS, "blank")]
    for press, face in buttons(glyphs):
        left += [(face, "strong" if press == "toggle" else "text"), (" " * BETWEEN, "blank")]
    if shown.reading is not None:
        left += [(" " * BETWEEN, "blank"), (_("at") + " ", "muted")]
        return row([*left, *reading_spans(shown.reading, glyphs, space.width - length(left))], space.width)
    end: list[Span]
    wide, zoom = space.width >= WIDE, zoom_text(position.total // position.window.span)
    between: Span = (glyphs.text(f" · {_('recorded')} "), "muted")
    speed = glyphs.text(speed_text(shown.speed))
    if not wide:
        playhead = count(position.playhead)
        step: list[Span] = [(" " * max(NARROW_STEP - len(playhead), 0), "blank"), (playhead, "strong")]
        recorded: list[Span] = [between, (count(position.recorded), "text")]
        word = glyphs.text(_("step")) + " "
        numbers = ([step[0], (word, "muted"), step[1], *recorded], [*step, *recorded], step)
        near = f"{zoom}  " if position.window.span < position.total else ""
        words = (_("breakpoints {number}"), _("bp {number}")) if shown.breakpoints else ("",)
        stops = [word.format(number=shown.breakpoints) + "  " * bool(word) for word in words]
        end = [(speed, "text"), (" " * LABELS, "blank")]
        room = space.width - length(left) - length(end) - 1
        beside = len(near + stops[-1]) + 1  # these go before the recorded length does, but not before its label
        left += next((each for each in numbers[:2] if length(each) + beside <= room),
                     next((each for each in numbers if length(each) <= room), numbers[-1]))
        return _narrow(left, [*(near + each for each in stops), *stops], end, space.width)
    if shown.legend:
        return _with_legend(left, shown, space)
    left += [(f"{glyphs.text(_('step')):>{LABEL - 1}} ", "muted"),
             (f"{count(position.playhead):>{STEP}}", "strong"), between,
             (f"{count(position.recorded):<{STEP}}", "text")]
    end = [(_("speed") + " ", "muted"), (f"{speed:<{SPEED}}", "text")]
    last: list[Span] = [(_("zoom") + " ", "muted"), (f"{zoom:<{ZOOM}}", "text")]
    gap: Span = (" " * max((space.width - length([*left, *end, *last])) // 2, 1), "blank")
    return row([*left, gap, *end, gap, *last], space.width)


def _with_legend(left: Sequence[Span], shown: Transport, space: Space) -> Row:
    """The transport row of a wide window with the legend of the chart, as far as there is room for it."""
    glyphs, position = space.glyphs, shown.position
    number = count(position.playhead)
    numbers: list[Span] = [*left, (glyphs.text(_("step")) + " ", "muted"),
                           (" " * max(NARROW_STEP - len(number), 0), "blank"), (number, "strong"),
                           (glyphs.text(f" · {_('recorded')} "), "muted"),
                           (f"{count(position.recorded):<{NARROW_STEP}}", "text")]
    zoom = zoom_text(position.total // position.window.span)
    end: list[Span] = [(f"{glyphs.text(speed_text(shown.speed)):<{SPEED}}", "text"), (f"{zoom:<{ZOOM}}", "text")]
    room = space.width - length(numbers) - length(end) - 2 * BETWEEN
    middle = fitting(shown.legend, room, glyphs)
    return spread([*numbers, (" " * BETWEEN, "blank"), *middle], end, space.width, BETWEEN)


def _narrow(left: list[Span], optional: Sequence[str], right: list[Span], width: int) -> Row:
    """`left` and `right` at the edges, and before `right` the first of the optional texts that fits."""
    room = width - length(left) - length(right) - BETWEEN
    middle = next((each for each in optional if len(each) <= room), "")
    return spread(left, [(middle, "muted"), *right], width, 1)


class TransportRow(Pane):
    """The row of buttons and numbers under the scrubber."""

    DEFAULT_CSS = "TransportRow { height: 1; }"

    class Pressed(Message):
        """A button was clicked."""

        def __init__(self, button: Button) -> None:
            super().__init__()
            self.button = button

    shown = Transport()

    def show(self, shown: Transport) -> None:
        self.shown = shown
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([transport_row(self.shown, space)], space)

    def on_click(self, event: events.Click) -> None:
        button = button_at(event.x, self.glyphs)
        if button is not None:
            self.post_message(self.Pressed(button))
