"""The heading of the timeline: the legend of its marks, the visible part of the run, the values under the pointer."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine import text
from engine.events import Status
from engine.text import count
from engine.view import Channel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Look, Role
from tui.playback.snapshot import History
from tui.playback.window import Window
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, Span, length, rows, spread
from tui.widgets.timeline.axis import Axis
from tui.widgets.timeline.chart import BOTH
from tui.widgets.timeline.lanes import LABEL, MARKS, lane_channel, mark_of, shortened

BETWEEN = "  "
ROOMY = 1000
"""Columns in which every legend fits."""
Entry = tuple[str, str, Role]
"""Of a legend: mark, word, role of the mark."""
LaneName = Literal["temperature", "lane", "lane2"]
BARS: tuple[LaneName, ...] = ("lane", "lane2")
LANES: tuple[LaneName, ...] = ("temperature", *BARS)
"""The lane of T, and those of bars."""
RIVAL = "rival"
"""The curve of another branch, among the kinds of events."""


class Reading(Struct, frozen=True):
    """The values of a run after one of its steps."""

    step: int
    values: tuple[tuple[str, str], ...]
    """(label, text) by channel."""


def read_column(history: History, channels: Sequence[Channel], axis: Axis, column: int) -> Reading | None:
    """The values of the step that a click on a column goes to: of the last sample in it or, without one, of the last
    before it. The first column has those of its first sample. None where nothing is recorded."""
    if not len(history.steps):
        return None
    places = axis.columns(history.steps)
    if column > places[-1]:
        return None
    sample = int(np.searchsorted(places, column, "right")) - 1
    if sample < 0:
        return None
    if column <= 0:
        sample = min(int(np.searchsorted(history.steps, axis.low)), sample)
    values = [(_(channel.label)[:LABEL] if channel.role == "share" else _(channel.label), _value_text(channel, value))
              for channel, value in zip(channels, history.values[sample].tolist(), strict=True)]
    return Reading(int(history.steps[sample]), tuple(values))


def _value_text(channel: Channel, value: float) -> str:
    if channel.role == "share":
        return text.share(value)
    if channel.role == "temperature":
        return text.significant(value)
    return f"{value:.0f}" if math.isfinite(value) else text.NONE


def reading_spans(reading: Reading, glyphs: Glyphs, room: int = ROOMY) -> Row:
    """`410 496  E 8  best 4  T 0.545  acc 6.1 %`, as many of the values as fit `room` columns."""
    found: list[Span] = [(count(reading.step), "text")]
    for label, value in reading.values:
        entry: list[Span] = [(f"{BETWEEN}{glyphs.text(label)} ", "muted"), (glyphs.text(value), "text")]
        if length(found) + length(entry) > room:
            break
        found += entry
    return tuple(found)


def legend(channels: Sequence[Channel], kinds: Collection[str], glyphs: Glyphs,
           own_words: Mapping[str, str] = {}, room: int = ROOMY, rival_number: int | None = None,
           lanes: Collection[LaneName] = LANES) -> Row:
    """The legend of the curves of these channels, of the `lanes` on the screen whose labels are short forms, and of the
    marks of these kinds of events; `own_words` are the solver's words for kinds; `rival_number`: that of the other
    branch, if there are several. T is a curve if it has no lane. Entries that do not fit `room` columns are left out,
    the last ones first, or those of the end of the run and of uphill moves if the others fit without them."""
    before = curves(channels, glyphs, RIVAL in kinds, "temperature" not in lanes, rival_number)
    after = _lanes(channels, lanes)
    whole, *shorter = ([*before, *_marks(channels, shown, glyphs, own_words, uphill), *after] for shown, uphill in (
        (kinds, True), ({*kinds}.difference(get_args(Status)), True), ({*kinds}.difference(get_args(Status)), False)))
    entries = next((each for each in (whole, *shorter) if length(fitting(each, ROOMY, glyphs)) <= room), whole)
    return fitting(entries, room, glyphs)


def fitting(entries: Iterable[Entry], room: int, glyphs: Glyphs) -> Row:
    """As many of the first entries of a legend as fit `room` columns."""
    spans: list[Span] = []
    for mark, word, role in entries:
        entry: list[Span] = [(BETWEEN, "blank")] if spans else []
        entry += [(mark, role), (f" {glyphs.text(word)}", "muted")]
        if length(spans) + length(entry) > room:
            break
        spans += entry
    return tuple(spans)


def told_apart(channels: Sequence[Channel], look: Look) -> tuple[Channel, ...]:
    """The channels, in a look without colours with the places of E and best in their labels."""
    places = {"energy": _("above"), "best": _("below")}
    if not look.palette.mono or not places.keys() <= {channel.role for channel in channels}:
        return tuple(channels)
    return tuple(replace(each, label=f"{_(each.label)} {places[each.role]}") if each.role in places else each
                 for each in channels)


def curves(channels: Sequence[Channel], glyphs: Glyphs, rival: bool, with_temperature: bool,
           rival_number: int | None = None) -> list[Entry]:
    """The entries of the curves. `rival`: another branch is drawn, with this number if there are several;
    `with_temperature`: T is. E is never below best: where they share a character, its dots are the upper ones."""
    roles = {channel.role: channel for channel in channels}
    entries: list[Entry] = []
    if "energy" in roles:
        entries.append(("*" if glyphs.ascii else "⠉", _(roles["energy"].label), "text"))
    if rival:
        other = _("the other branch") if rival_number is None else _("branch {number}").format(number=rival_number)
        entries.append((glyphs.rival, other, "muted"))
    if "best" in roles:
        entries.append((glyphs.horizontal if glyphs.ascii else "⣀", _(roles["best"].label), "data"))
        entries.append((BOTH if glyphs.ascii else "⣉", _("both"), "strong"))
    if "worst" in roles:
        entries.append((glyphs.worst if glyphs.ascii else "⠁", _(roles["worst"].label), "muted"))
    if "temperature" in roles and with_temperature:
        log = roles["temperature"].scale == "log"
        scale = _("{name} (log scale, right axis)") if log else _("{name} (right axis)")
        entries.append((glyphs.temperature, scale.format(name=_(roles["temperature"].label)), "muted"))
    return entries


def _marks(channels: Sequence[Channel], kinds: Collection[str], glyphs: Glyphs,
           own_words: Mapping[str, str], uphill: bool) -> list[Entry]:
    """The entries of the marks of events; `uphill`: with that of uphill moves."""
    entries: list[Entry] = []
    if "best" in kinds:
        entries.append((glyphs.mark("best"), _("new best"), "data"))
    words = {"hand": _("by hand"), "reheat": _("reheat"), "restart": _("restart"),
             "doubled": _("doubled"), "shifted": _("workers"), "sweep": _("sweep"),
             "cooled": _("plateau"), "generation": _("generation"), "contradiction": _("dead end"),
             "unsat": _("impossible"), "backjump": _("backjump"),
             "solved": _("solved"), "gave_up": _("gave up"), "no_solution": _("no solution"), "unknown": _("unknown")}
    entries += [(mark_of(kind, glyphs), _(own_words.get(kind) or word), MARKS[kind])
                for kind, word in words.items() if kind in kinds]
    if uphill and "uphill" in kinds:
        entries.append((glyphs.mark("uphill"), _("uphill"), "muted"))
    return entries


def _lanes(channels: Sequence[Channel], lanes: Collection[LaneName]) -> list[Entry]:
    """The entries of those of these lanes that have a log scale, or whose labels are short forms."""
    entries: list[Entry] = [(_(channel.label), _("log scale"), "text") for channel in channels
                            if channel.role == "temperature" and channel.scale == "log" and "temperature" in lanes]
    for which, name in enumerate(BARS):
        lane = lane_channel(channels, which)
        label = "" if lane is None or name not in lanes else _(channels[lane].label)
        if shortened(label) != label:
            entries.append((shortened(label), label, "text"))
    return entries


class Heading(HeadedPane):
    """The heading over the chart."""

    DEFAULT_CSS = "Heading { height: 1; }"

    lanes: Collection[LaneName] = LANES
    """The lanes that there is room for."""
    _kinds: frozenset[str] = frozenset()
    _window: Window | None = None
    _reading: Reading | None = None
    _has_doubled = False
    _rival_number: int | None = None

    def __init__(self, channels: Sequence[Channel], words: Mapping[str, str]) -> None:
        """`words`: the solver's own for kinds of events."""
        super().__init__()
        self.channels, self._words = tuple(channels), words

    def show(self, kinds: Collection[str], window: Window | None = None, reading: Reading | None = None,
             has_doubled: bool = False, rival_number: int | None = None) -> None:
        """Show the legend of these kinds of events; `window`: the visible part of the run, if not all of it;
        `reading`: the values under the pointer; `has_doubled`: the axis has doubled lately; `rival_number`: that of the
        other branch, if there are several."""
        self._kinds, self._window, self._reading = frozenset(kinds), window, reading
        self._has_doubled, self._rival_number = has_doubled, rival_number
        self.repaint()

    def draw(self, space: Space) -> Rows:
        left: list[Span] = [(_("Timeline"), "strong"), *self._beside(space.glyphs)]
        right = legend(told_apart(self.channels, self.look), self._kinds, space.glyphs, self._words,
                       space.width - length(left) - len(BETWEEN), self._rival_number, self.lanes)
        return rows([spread(left, right, space.width)], space)

    def _beside(self, glyphs: Glyphs) -> Row:
        """The values under the pointer or, without it, the visible steps, or that the axis has doubled."""
        if self._reading is not None:
            return ((BETWEEN, "blank"), *reading_spans(self._reading, glyphs))
        if self._window is None:
            return ((glyphs.text(f"{BETWEEN}{_('axis')} ×2"), "muted"),) if self._has_doubled else ()
        part = f"{BETWEEN}{count(self._window.low)} – {count(self._window.high)}"
        return ((glyphs.text(part), "muted"),)
