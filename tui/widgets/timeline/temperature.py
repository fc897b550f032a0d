"""The lane of T: two rows of blocks under the chart, so that a cooling is a slope and a reheat is a jump.

Without room for it the chart draws T as a curve.
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
from tui.widgets.rows import BLANK, Row, Rows, Space, Span, rows
from tui.widgets.timeline.axis import LABELS, Axis, TemperatureScale, last_per_column, short
from tui.widgets.timeline.pane import TimePane, TimePosition, ahead, labelled

HEIGHT = 2
EIGHTHS = 8
LEVELS = HEIGHT * EIGHTHS
FLOOR = "_"
"""T = 0, which a log scale does not have."""
UNKNOWN = -1
"""The level of a column without T: not recorded, or before the search begins."""


def temperature_channel(channels: Sequence[Channel]) -> int | None:
    """Index of the channel of T; None without one."""
    return next((place for place, channel in enumerate(channels) if channel.role == "temperature"), None)


class Levels(Struct, frozen=True):
    """The lane without the playhead: by column, the filled eighths, 0 (T = 0) to LEVELS or UNKNOWN."""

    filled: list[int]


def levels(shown: History, whole: History, place: int, log: bool, axis: Axis) -> Levels:
    """T over an axis. `whole`: the history of the whole run, which determines the scale; `place`: the channel."""
    carried, _used = last_per_column(axis, shown.steps, shown.values[:, place])
    scale = TemperatureScale.over(whole.values[:, place], HEIGHT, log)
    return Levels([UNKNOWN if scale is None or not math.isfinite(T) else _level(T, scale) for T in carried.tolist()])


def _level(temperature: float, scale: TemperatureScale) -> int:
    if temperature <= 0:
        return 0
    return 1 + round(min(max(scale.share(temperature), 0.0), 1.0) * (LEVELS - 1))


def temperature_rows(lane: Levels, channel: Channel, position: TimePosition, space: Space, now: float,
                     mono: bool = False) -> Rows:
    """The lane with its name, its scale, and T at the playhead, `now`. Without colours the part ahead is not drawn."""
    playhead = position.axis(space.width).column(position.playhead)
    shown = playhead + 1 if mono else len(lane.filled)
    labels = [(_(channel.label), text.NONE if not math.isfinite(now) else _short(now)),
              ("", _("log") if channel.scale == "log" else "")]
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
    """T in the columns of a tick label."""
    written = text.significant(temperature)
    return written if len(written) < LABELS else short(temperature) if temperature > 0 else "0"


class TemperatureLane(TimePane):
    """The lane of T; blank for a solver without a temperature."""

    DEFAULT_CSS = "TemperatureLane { height: 2; }"

    def __init__(self, channels: Sequence[Channel]) -> None:
        super().__init__()
        self.channels = tuple(channels)
        self._shown_history = self._whole = History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))
        self._sample: tuple[float, ...] = ()

    def show(self, position: TimePosition, shown: History, whole: History, sample: Sequence[float]) -> None:
        """Show T over the visible part of a run; `whole`: the history of all of it; `sample`: the value of each channel
        at the playhead."""
        same = (self.position == position and self._shown_history is shown and self._whole is whole
                and self._sample == sample)
        self.position, self._shown_history, self._whole, self._sample = position, shown, whole, tuple(sample)
        if not same:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        place = temperature_channel(self.channels)
        if place is None or not self._shown_history.values.size:
            return rows((), space)
        channel = self.channels[place]
        lane = levels(self._shown_history, self._whole, place, channel.scale == "log", self.position.axis(space.width))
        now = self._sample[place] if self._sample else math.nan
        return temperature_rows(lane, channel, self.position, space, now, self.look.palette.mono)
