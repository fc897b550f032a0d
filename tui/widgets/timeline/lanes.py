"""The lanes under the chart: a channel as bars, and the marks of events."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct, field

from engine.events import Event
from engine.text import NONE
from engine.view import Channel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.playback.snapshot import FREQUENT, History
from tui.widgets.rows import BLANK, Row, Rows, Space, Span, eighths, rows
from tui.widgets.timeline.axis import LABELS, Axis, last_per_column, short_count
from tui.widgets.timeline.pane import TimePane, TimePosition, ahead, labelled

LANE_ROLES = ("share", "depth")
LABEL = 3
"""Letters of a label whose first word does not fit: acc."""
EMPTY = History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))


def lane_channel(channels: Sequence[Channel], which: int = 0) -> int | None:
    """Index of the channel of a lane: the first share or depth; for the second lane the second share."""
    roles = ("share",) if which else LANE_ROLES
    found = [place for place, channel in enumerate(channels) if channel.role in roles]
    return found[which] if len(found) > which else None


class Bars(Struct, frozen=True):
    """A lane without the playhead: by column, eighths 0 to 8 (-1: not recorded)."""

    eighths: list[int]


def bars(history: History, place: int, share: bool, axis: Axis) -> Bars:
    """A channel of a history as bars; `share`: its scale ends at 1, else at its maximum."""
    values, used = last_per_column(axis, history.steps, history.values[:, place])
    most = 1.0 if share else max(float(np.nanmax(values[:used], initial=0.0)), 1.0)
    found = [eighths(float(value) / most) for value in values[:used]]
    return Bars(found + [-1] * (axis.width - used))


def bars_row(lane: Bars, channel: Channel, position: TimePosition, space: Space, now: float,
             mono: bool = False) -> Row:
    """The lane with its label and the value at the playhead, `now`. Without colours the part ahead is not drawn."""
    label, share = channel.label, channel.role == "share"
    playhead = position.axis(space.width).column(position.playhead)
    shown = playhead + 1 if mono else len(lane.eighths)
    cells: list[Span] = [
        (space.glyphs.eighths[height], ahead("text", x, playhead)) if height >= 0 and x < shown else BLANK
        for x, height in enumerate(lane.eighths)
    ]
    right = NONE if not math.isfinite(now) else _percent(now) if share else short_count(now)
    return labelled(shortened(space.glyphs.text(_(label))), cells, space.glyphs.text(right), space.width)


def _percent(share: float) -> str:
    """A share in the columns of a tick label, where 100 % has no room for a blank: `31%`, `8.8%`."""
    value = share * 100
    return f"{value:.{int(0 < value < 9.95)}f}%"


def shortened(label: str) -> str:
    """The label in the columns of tick labels, with a blank before the bars: all of it, its first word, or the
    beginning of that, whichever fits."""
    first = label if len(label) < LABELS else label.partition(" ")[0]
    return first if len(first) < LABELS else first[:LABEL]


class Lane(TimePane):
    """A lane of bars: acceptance rate, search depth."""

    DEFAULT_CSS = "Lane { height: 1; }"

    _history = EMPTY
    _sample: tuple[float, ...] = ()

    def __init__(self, channels: Sequence[Channel], which: int = 0) -> None:
        """`which`: the first lane (0) or the second (1)."""
        super().__init__()
        self._place = lane_channel(channels, which)
        self._channel = None if self._place is None else channels[self._place]

    def show(self, position: TimePosition, history: History, sample: Sequence[float]) -> None:
        """Show a history; `sample`: the value of each channel at the playhead."""
        shown = self.position == position and self._history is history and self._sample == sample
        self.position, self._history, self._sample = position, history, tuple(sample)
        if not shown:
            self.repaint()

    def say(self, sample: Sequence[float]) -> None:
        """Show the value of a sample, beside the bars as they are."""
        if self._place is not None and tuple(sample) != self._sample:
            self._sample = tuple(sample)
            self.repaint()

    def draw(self, space: Space) -> Rows:
        if self._place is None or self._channel is None or not self._history.values.size:
            return rows((), space)
        share = self._channel.role == "share"
        lane = bars(self._history, self._place, share, self.position.axis(space.width))
        now = self._sample[self._place] if self._sample else math.nan
        return rows([bars_row(lane, self._channel, self.position, space, now, self.look.palette.mono)], space)


PERIODS = ("generation", "cooled")
"""Ends of periods, shown if their marks do not touch."""
MARKS: Mapping[str, Role] = {
    **dict.fromkeys(FREQUENT, "muted"), **dict.fromkeys(PERIODS, "muted"), "best": "data", "hand": "strong",
    "shifted": "text", "sweep": "text", "doubled": "strong", "restart": "text", "reheat": "text", "unknown": "strong",
    "gave_up": "strong", "no_solution": "strong", "solved": "strong",
}
"""The roles of the marks by kind. Of several marks in a column the last of this table is visible."""
MEANINGS = {"sweep": "reheat", "doubled": "more", "contradiction": "dead_end", "unsat": "ruled_out",
            "backjump": "taken_back"}
"""The meanings of the marks of these kinds, in `look.glyphs.MARKS`; those of others have the kind's name."""
NARROW = 20
"""Most steps of a column with which frequent events are shown."""
APART = 2
"""Least columns between two ends of periods that are shown."""


def mark_of(kind: str, glyphs: Glyphs) -> str:
    """The glyph of a kind."""
    return glyphs.mark(MEANINGS.get(kind, kind))


def event_mark(events: Sequence[Event], glyphs: Glyphs) -> str | None:
    """The glyph of a step's most important event, if the lane has one."""
    kinds = {kind for event in events for kind in event.kinds}
    return next((mark_of(kind, glyphs) for kind in reversed(tuple(MARKS)) if kind in kinds), None)


def events_row(marks: Mapping[str, Sequence[int]], now: str | None, position: TimePosition, space: Space) -> Row:
    """The marks of events by kind, and the mark `now` at the playhead, which covers all others but that of a change by
    hand after this step."""
    axis, glyphs = position.axis(space.width), space.glyphs
    playhead = axis.column(position.playhead)
    cells: list[Span] = [BLANK] * axis.width
    for kind, role in MARKS.items():
        columns = [axis.column(step) for step in marks.get(kind, ()) if axis.holds(step)]
        if _shown(kind, columns, axis):
            for x in columns:
                cells[x] = mark_of(kind, glyphs), ahead(role, x, playhead) if role == "muted" else role
    if position.playhead in marks.get("hand", ()):
        now = mark_of("hand", glyphs)
    if now is not None:
        cells[playhead] = now, "ink"
    return labelled("", cells, "", space.width)


def _shown(kind: str, columns: Sequence[int], axis: Axis) -> bool:
    """Test that the events of a kind, in these columns, are far enough apart to be shown."""
    if kind in FREQUENT:
        return axis.steps_per_column <= NARROW
    return kind not in PERIODS or all(b - a >= APART for a, b in pairwise(columns))


class LaneEvents(Struct, frozen=True):
    """The steps of events by kind, and the events of the playhead's step."""

    marks: Mapping[str, Sequence[int]] = field(default_factory=dict)
    now: tuple[Event, ...] = ()


def without_present(events: LaneEvents, position: TimePosition, width: int) -> Mapping[str, Sequence[int]]:
    """The marks without that of the present step, which is drawn at the playhead: in a long run the index has it up to
    a column before."""
    axis, kinds = position.axis(width), {kind for event in events.now for kind in event.kinds}
    playhead, marks = axis.column(position.playhead), dict(events.marks)
    for kind in kinds & marks.keys():
        own = bisect_right(marks[kind], position.playhead) - 1
        if own >= 0 and axis.column(marks[kind][own]) == playhead - 1:
            marks[kind] = (*marks[kind][:own], *marks[kind][own + 1:])
    return marks


class EventLane(TimePane):
    """The marks of new bests, reheats and restarts, of the present step, and of frequent events when zoomed in."""

    DEFAULT_CSS = "EventLane { height: 1; }"

    events = LaneEvents()

    def show(self, position: TimePosition, events: LaneEvents) -> None:
        shown = (self.position, self.events) == (position, events)
        self.position, self.events = position, events
        if not shown:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        now = event_mark(self.events.now, space.glyphs)
        marks = without_present(self.events, self.position, space.width)
        return rows([events_row(marks, now, self.position, space)], space)
