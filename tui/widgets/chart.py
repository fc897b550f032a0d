"""The chart: E in braille, the best as a line half a row lower, T as dots on an axis of its own, and the playhead.

plotext places the dots of E; everything else lies on whole characters and is laid over them here. What was traced is
kept until the history grows or the pane changes, so that moving the playhead costs no plotting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.view import Channel
from tui.glyphs import Glyphs
from tui.moment import History
from tui.timeline import Axis, EnergyScale, Floats, TemperatureScale, last_per_column
from tui.widgets.plot import DOTS_ACROSS, DOTS_DOWN, dots
from tui.widgets.rows import Rows, Space, rows
from tui.widgets.timepane import BLANK, Cell, Frame, TimePane, ahead, labelled

FLOOR = "_"
"""T = 0, which no log axis can hold."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A history drawn on whole characters, before anything is known of the playhead."""

    energy: list[str]
    """`height` lines of `width` characters."""
    best: list[int | None]
    """The row of the best, by column."""
    temperature: list[tuple[int, str] | None]
    """Row and character of T, by column."""
    left: dict[int, str]
    right: dict[int, str]
    """Tick labels by row."""


def trace(history: History, channels: Sequence[Channel], axis: Axis, height: int, glyphs: Glyphs) -> Trace:
    """The curves of a history over the columns of an axis."""
    energy = _values(history, channels, "energy")
    best = _values(history, channels, "best")
    temperature = _values(history, channels, "temperature")
    scale = EnergyScale.over(np.concatenate([energy, best]), height)
    log = any(channel.role == "temperature" and channel.scale == "log" for channel in channels)
    warm = TemperatureScale.over(temperature, height, log)
    return Trace(
        _energy(history, energy, axis, scale, glyphs), _best(history, best, axis, scale),
        _temperature(history, temperature, axis, warm, glyphs), scale.ticks, warm.ticks if warm else {},
    )


def _values(history: History, channels: Sequence[Channel], role: str) -> Floats:
    """The samples of the first channel of a role; all nan where the solver has none."""
    place = next((place for place, channel in enumerate(channels) if channel.role == role), None)
    if place is None or not history.values.size:
        return np.full(len(history.steps), np.nan)
    return history.values[:, place]


def _energy(history: History, energy: Floats, axis: Axis, scale: EnergyScale, glyphs: Glyphs) -> list[str]:
    """Every sample as a dot, and the last of each dot column carried on to the next sample."""
    fine = Axis(axis.width * DOTS_ACROSS, axis.total)
    carried, used = last_per_column(fine, history.steps, energy)
    x = np.concatenate([np.arange(used), fine.columns(history.steps)])
    y = scale.dots(np.concatenate([carried[:used], energy]))
    real = np.isfinite(y)
    places = np.unique(x[real] * (DOTS_DOWN * scale.height) + y[real].astype(np.int64))
    columns, rows_down = np.divmod(places, DOTS_DOWN * scale.height)
    return dots(columns.tolist(), rows_down.tolist(), axis.width, scale.height, not glyphs.ascii)


def _best(history: History, best: Floats, axis: Axis, scale: EnergyScale) -> list[int | None]:
    carried, _used = last_per_column(axis, history.steps, best)
    return [(int(dot) + 2) // 4 if np.isfinite(dot) else None for dot in scale.dots(carried)]


def _temperature(history: History, temperature: Floats, axis: Axis, scale: TemperatureScale | None,
                 glyphs: Glyphs) -> list[tuple[int, str] | None]:
    carried, _used = last_per_column(axis, history.steps, temperature)
    if scale is None:
        return [None] * axis.width
    return [(scale.row(float(t)), glyphs.empty if t > 0 else FLOOR) if np.isfinite(t) else None for t in carried]


def chart_rows(traced: Trace, frame: Frame, space: Space, mono: bool = False) -> Rows:
    """The traced curves with the playhead: what lies ahead recedes or, without colours, is not drawn."""
    axis = frame.axis(space.width)
    playhead = axis.column(frame.playhead)
    shown = playhead + 1 if mono else axis.width
    lines = []
    for y in range(space.height):
        cells = [_cell(traced, x, y, playhead, space.glyphs) if x < shown else BLANK for x in range(axis.width)]
        lines.append(labelled(traced.left.get(y, ""), cells, traced.right.get(y, ""), space.width))
    return rows(lines, space)


def _cell(traced: Trace, x: int, y: int, playhead: int, glyphs: Glyphs) -> Cell:
    """Data wins over the playhead, E over the best, the best over T."""
    dot = traced.energy[y][x] if y < len(traced.energy) else " "
    if dot != " ":
        return dot, ahead("text", x, playhead)
    if traced.best[x] == y:
        return glyphs.horizontal, ahead("data", x, playhead)
    warm = traced.temperature[x]
    if warm is not None and warm[0] == y:
        return warm[1], ahead("muted", x, playhead)
    return (glyphs.vertical, "ink") if x == playhead else BLANK


class Chart(TimePane):
    """The chart of a run. Until `ready`, that is until plotext is loaded, it shows the playhead only."""

    DEFAULT_CSS = "Chart { height: 7; }"

    def __init__(self, channels: Sequence[Channel] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.channels = tuple(channels)
        self.ready = False
        self._history: History | None = None
        self._traced: Trace | None = None
        self._traced_of: History | None = None
        self._traced_for: tuple[object, ...] = ()

    def show(self, frame: Frame, history: History) -> None:
        """Show this history with the playhead there."""
        self.frame, self._history = frame, history
        self.repaint()

    def draw(self, space: Space) -> Rows:
        traced = self._trace(space)
        if traced is None:
            return rows((), space)
        return chart_rows(traced, self.frame, space, self.look.palette.mono)

    def _trace(self, space: Space) -> Trace | None:
        history, axis = self._history, self.frame.axis(space.width)
        if history is None or not self.ready:
            return None
        wanted = (axis, space.height, space.glyphs.ascii)
        if self._traced is None or history is not self._traced_of or wanted != self._traced_for:
            self._traced = trace(history, self.channels, axis, space.height, space.glyphs)
            self._traced_of, self._traced_for = history, wanted
        return self._traced
