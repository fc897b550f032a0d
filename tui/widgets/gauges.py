"""Gauges: labelled numbers, each with a track that shows its share of its range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.text import MINUS, significant
from engine.view import Gauge
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, Span, length, rows

LABEL, VALUE, BETWEEN = 7, 7, 2
SHORTEST_TRACK = 4
SLOT = 8
"""Columns from one value to the next label, of gauges on one line."""


def short(value: str, room: int = VALUE) -> str:
    """A number that takes more than `room` columns, shortened to `12.3 M` or to fewer digits, `101/1 001` to its first
    number; other texts are cut."""
    if len(value) <= room:
        return value
    if "/" in value:  # the track shows the share of the whole
        return short(value.partition("/")[0], room)
    digits = value.replace(" ", "")
    if not digits.isdigit():
        return next((each for each in _rounded(value) if len(each) <= room), value[:room])
    power = (len(digits) - 1) // 3
    number = int(digits) / 1000**power
    return f"{number:.{3 - len(str(int(number)))}f} {' kMGTPE'[power]}" if power <= 6 else digits[:room]


def _rounded(value: str) -> Iterator[str]:
    """A number that is not whole, `5.03e−13`, with two digits and with one; nothing for another text."""
    try:
        number = float(value.replace(MINUS, "-"))
    except ValueError:
        return
    for digits in (2, 1):
        yield significant(number, digits)
        yield f"{number:.{digits - 1}e}".replace("-", MINUS)


def track(gauge: Gauge, width: int, glyphs: Glyphs) -> Row:
    """The track of a gauge: filled, or a line with a knob; empty without a share."""
    if gauge.share is None or width < SHORTEST_TRACK:
        return ()
    share = max(0.0, min(gauge.share, 1.0))
    if gauge.role == "knob":
        at = min(width - 1, int(share * width))
        line = glyphs.horizontal
        return ((line * at, "text"), (glyphs.diamond, "ink"), (line * (width - 1 - at), "rule"))
    filled = min(width, max(round(share * width), 1 if share > 0 else 0))
    role: Role = "data" if gauge.role == "best" else "text"
    return ((glyphs.filled * filled, role), (glyphs.horizontal * (width - filled), "rule"))


def gauge_spans(gauge: Gauge, width: int, glyphs: Glyphs) -> Row:
    """Label, value and track. A long value takes the columns that the label and the gap leave, but for one each."""
    label = glyphs.text(_(gauge.label))[:LABEL]
    value = glyphs.text(short(gauge.text, LABEL + VALUE + BETWEEN - 2 - len(label)))
    gap = max(LABEL + VALUE - len(value), len(label) + 1)
    return (
        (f"{label:<{gap}}", "muted"),
        (value, "strong"),
        (" " * (LABEL + VALUE + BETWEEN - gap - len(value)), "blank"),
        *track(gauge, width - LABEL - VALUE - BETWEEN, glyphs),
    )


def gauge_line(gauges: Sequence[Gauge], space: Space) -> Row:
    """The gauges on one line, `label value`, as many of the first ones as fit with their longest values: the same ones
    in the same places at every step."""
    spans: list[Span] = []
    for gauge in gauges:
        label = space.glyphs.text(_(gauge.label)) + " "
        if length(spans) + len(label) + VALUE > space.width:
            break
        spans += [(label, "muted"), (f"{space.glyphs.text(short(gauge.text)):<{SLOT}}", "strong")]
    return tuple(spans)


def gauge_rows(gauges: Sequence[Gauge], space: Space, heading: bool = True) -> Rows:
    """The gauges, a row each, with blank rows between them if there is room; all of them if there is one row."""
    if space.height == 1:
        return rows([gauge_line(gauges, space)], space)
    head: list[Row] = [((_("Gauges"), "strong"),)] if heading else []
    lines = [gauge_spans(each, space.width, space.glyphs) for each in gauges]
    if len(head) + 2 * len(lines) - 1 <= space.height:
        lines = [line for each in lines for line in (each, ())][:-1]
    return rows([*head, *lines], space)


class Gauges(HeadedPane):
    """The gauges of a view."""

    gauges: tuple[Gauge, ...] = ()

    def show(self, gauges: Sequence[Gauge]) -> None:
        self.gauges = tuple(gauges)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return gauge_rows(self.gauges, space, self.heading)
