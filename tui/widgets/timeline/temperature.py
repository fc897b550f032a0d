"""The lane of T: two rows of blocks under the chart, so that a cooling is a slope and a reheat is a jump.

It spans the range of T in the visible part of the run and at the playhead, whose ends are at its right. Without room
for it the chart draws T as a curve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine import text
from engine.view import Channel
from tui.i18n import _
from tui.playback.snapshot import History
from tui.playback.window import Floats
from tui.widgets.rows import BLANK, Row, Rows, Space, Span, rows
from tui.widgets.timeline.axis import LABELS, Axis, last_per_column, short
from tui.widgets.timeline.pane import TimePane, TimePosition, ahead, labelled

HEIGHT = 2
EIGHTHS = 8
LEVELS = HEIGHT * EIGHTHS
FLOOR = "_"
"""T = 0, which a log scale does not have."""
LEAST_RANGE = 0.9
"""The lower end of the lane as a share of the upper one, at most: the two can then be told apart in two digits."""
UNKNOWN = -1
"""The level of a column without T: not recorded, or before the search begins."""


def temperature_channel(channels: Sequence[Channel]) -> int | None:
    """Index of the channel of T; None without one."""
    return next((place for place, channel in enumerate(channels) if channel.role == "temperature"), None)


class Range(Struct, frozen=True):
    """The temperatures of the lane, from its lowest to its highest level; both 0 without a positive T."""

    low: float
    high: float
    log: bool

    @classmethod
    def over(cls, temperatures: Floats, log: bool) -> Range:
        """The range of these temperatures (nan is ignored); that of a log scale begins at the lowest positive one."""
        real = temperatures[np.isfinite(temperatures)]
        used = real[real > 0] if log else real
        if not len(used):
            return cls(0.0, 0.0, log)
        high = float(used.max())
        return cls(min(float(used.min()), LEAST_RANGE * high), high, log)

    def level(self, temperature: float) -> int:
        """1 to LEVELS; 0 for T = 0."""
        if temperature <= 0:
            return 0
        if self.log:
            share = math.log(temperature / self.low) / math.log(self.high / self.low)
        else:
            share = (temperature - self.low) / (self.high - self.low)
        return 1 + round(min(max(share, 0.0), 1.0) * (LEVELS - 1))


class Levels(Struct, frozen=True):
    """The lane without the playhead."""

    filled: list[int]
    """By column, the filled eighths, 0 (T = 0) to LEVELS or UNKNOWN."""
    range: Range


def levels(shown: History, place: int, log: bool, axis: Axis, now: float = math.nan) -> Levels:
    """T over an axis. `place`: the channel of T; `now`: T at the playhead."""
    carried, _used = last_per_column(axis, shown.steps, shown.values[:, place])
    visible = shown.values[(shown.steps >= axis.low) & (shown.steps <= axis.low + axis.total), place]
    spanned = Range.over(np.concatenate((carried, visible, [now])), log)
    return Levels([spanned.level(T) if math.isfinite(T) else UNKNOWN for T in carried.tolist()], spanned)


def temperature_rows(lane: Levels, channel: Channel, position: TimePosition, space: Space, now: float,
                     mono: bool = False) -> Rows:
    """The lane with its name, T at the playhead, `now`, and the ends of its range. Without colours the part ahead is
    not drawn."""
    playhead = position.axis(space.width).column(position.playhead)
    shown = playhead + 1 if mono else len(lane.filled)
    ends = [_short(end) if lane.range.high else "" for end in (lane.range.high, lane.range.low)]
    ends[1] *= ends[0] != ends[1]  # two equal labels would deny what the bars show
    labels = zip((_(channel.label), text.NONE if not math.isfinite(now) else _short(now)), ends, strict=True)
    drawn: list[Row] = []
    for line, (left, right) in enumerate(labels):
        below = EIGHTHS * (HEIGHT - 1 - line)
        cells: list[Span] = [
            _cell(level - below, level, space, x, playhead) if level != UNKNOWN and x < shown else BLANK
            for x, level in enumerate(lane.filled)
        ]
        drawn.append(labelled(space.glyphs.text(left), cells, space.glyphs.text(right), space.width))
    return rows(drawn, space)


def _cell(part: int, level: int, space: Space, x: int, playhead: int) -> Span:
    """A cell that is filled by `part` eighths; of a column with T = 0 the lowest is marked."""
    if level == 0 and part == 0:
        return FLOOR, ahead("text", x, playhead)
    if part <= 0:
        return BLANK
    return space.glyphs.eighths[min(part, EIGHTHS)], ahead("text", x, playhead)


def _short(temperature: float) -> str:
    """T in the columns of a tick label: `12.3`, `.997`, `.032`, `2e-3`."""
    if 0.01 <= temperature < 0.1:
        return f"{temperature:.3f}".removeprefix("0")
    written = text.significant(temperature)
    if len(written) == LABELS:
        written = written.removeprefix("0")
    return written if len(written) < LABELS else short(temperature) if temperature > 0 else "0"


class TemperatureLane(TimePane):
    """The lane of T; blank for a solver without a temperature."""

    DEFAULT_CSS = "TemperatureLane { height: 2; }"

    def __init__(self, channels: Sequence[Channel]) -> None:
        super().__init__()
        self.channels = tuple(channels)
        self._history = History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))
        self._sample: tuple[float, ...] = ()

    def show(self, position: TimePosition, history: History, sample: Sequence[float]) -> None:
        """Show T over the visible part of a run; `sample`: the value of each channel at the playhead."""
        shown = self.position == position and self._history is history and self._sample == sample
        self.position, self._history, self._sample = position, history, tuple(sample)
        if not shown:
            self.repaint()

    def say(self, sample: Sequence[float]) -> None:
        """Show T of a sample, beside the lane as it is."""
        if temperature_channel(self.channels) is not None and tuple(sample) != self._sample:
            self._sample = tuple(sample)
            self.repaint()

    def draw(self, space: Space) -> Rows:
        place = temperature_channel(self.channels)
        if place is None or not self._history.values.size:
            return rows((), space)
        channel = self.channels[place]
        now = self._sample[place] if self._sample else math.nan
        lane = levels(self._history, place, channel.scale == "log", self.position.axis(space.width), now)
        return temperature_rows(lane, channel, self.position, space, now, self.look.palette.mono)
