"""The chart: E in braille, the best as a line half a row lower, the worst as a dashed one, T as dots on an axis of its
own, and the playhead.

plotext places the dots of E; everything else lies on whole characters and is laid over them here. What was traced is
kept until the history grows or the pane changes, so that moving the playhead costs no plotting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine.view import Channel
from tui.look.glyphs import Glyphs
from tui.playback.snapshot import History
from tui.playback.window import Floats, Ints, Window, within
from tui.widgets.plot import DOTS_ACROSS, DOTS_DOWN, Plot
from tui.widgets.rows import Rows, Space, rows
from tui.widgets.timeline.axis import Axis, EnergyScale, TemperatureScale, last_per_column
from tui.widgets.timeline.pane import BLANK, Cell, TimePane, TimePosition, ahead, labelled

FLOOR = "_"
"""T = 0, which no log axis can hold."""


class Trace(Struct, frozen=True):
    """A history drawn on whole characters, before anything is known of the playhead."""

    energy: list[str]
    """`height` lines of `width` characters."""
    rival: list[int | None]
    """The row of the other run's E, by column."""
    best: list[int | None]
    """The row of the best, by column."""
    worst: list[int | None]
    """The row of the worst, by column."""
    temperature: list[tuple[int, str] | None]
    """Row and character of T, by column."""
    left: dict[int, str]
    right: dict[int, str]
    """Tick labels by row."""
    top: float
    """The E of the first row."""


class Curves(Struct, frozen=True):
    """What the chart is drawn from."""

    shown: History
    """The run over the steps of the axis."""
    whole: History | None = None
    """All of the run where that is more: the axis of T is for all of it."""
    rival: History | None = None
    """The run that it is compared with."""


def trace(curves: Curves, channels: Sequence[Channel], axis: Axis, space: Space, held: float = 0.0,
          plot: Plot | None = None) -> Trace:
    """The curves over the columns of an axis; `held` is the top of the scale of E so far, `plot` what drew it."""
    history, height, glyphs = curves.shown, space.height, space.glyphs
    energy = _values(history, channels, "energy")
    best = _values(history, channels, "best")
    worst = _values(history, channels, "worst")
    temperature = _values(history, channels, "temperature")
    rival = _rival(curves.rival, axis)
    other = np.zeros(0) if rival is None else _values(rival, channels, "energy")
    scale = EnergyScale.over(np.concatenate([energy, best, worst, other]), height, held)
    log = any(channel.role == "temperature" and channel.scale == "log" for channel in channels)
    whole = temperature if curves.whole is None else _values(curves.whole, channels, "temperature")
    warm = TemperatureScale.over(whole if np.isfinite(whole).any() else temperature, height, log)
    drawn = (plot or Plot()).draw(_places(history, energy, axis, scale), axis.width, height, not glyphs.ascii)
    return Trace(
        drawn, _rows(rival, other, axis, scale, 0),
        _rows(history, best, axis, scale, DOTS_DOWN // 2), _rows(history, worst, axis, scale, 0),
        _temperature(history, temperature, axis, warm, glyphs),
        scale.ticks, warm.ticks if warm else {}, scale.top,
    )


def _rival(rival: History | None, axis: Axis) -> History | None:
    """What another run has in the window of this one."""
    if rival is None or not len(rival.steps) or not rival.values.size:
        return None
    kept, steps = within(Window(axis.low, axis.total), rival.steps)
    return History(steps, rival.values[kept])


def _values(history: History, channels: Sequence[Channel], role: str) -> Floats:
    """The samples of the first channel of a role; all nan where the solver has none."""
    place = next((place for place, channel in enumerate(channels) if channel.role == role), None)
    if place is None or not history.values.size:
        return np.full(len(history.steps), np.nan)
    return history.values[:, place]


def _places(history: History, energy: Floats, axis: Axis, scale: EnergyScale) -> Ints:
    """Every sample as a dot, and the last of each dot column carried on to the next sample; for `Plot.draw`."""
    fine = Axis(axis.width * DOTS_ACROSS, axis.total, axis.low)
    carried, used = last_per_column(fine, history.steps, energy)
    x = np.concatenate([np.arange(used), fine.columns(history.steps)])
    y = scale.dots(np.concatenate([carried[:used], energy]))
    real = np.isfinite(y)
    return np.unique(x[real] * (DOTS_DOWN * scale.height) + y[real].astype(np.int64))


def _rows(history: History | None, energies: Floats, axis: Axis, scale: EnergyScale, lower: int) -> list[int | None]:
    """The row of the last energy of each column, drawn so many dots lower than it is."""
    if history is None:
        return [None] * axis.width
    carried, _used = last_per_column(axis, history.steps, energies)
    return [(int(dot) + lower) // DOTS_DOWN if np.isfinite(dot) else None for dot in scale.dots(carried)]


def _temperature(history: History, temperature: Floats, axis: Axis, scale: TemperatureScale | None,
                 glyphs: Glyphs) -> list[tuple[int, str] | None]:
    carried, _used = last_per_column(axis, history.steps, temperature)
    if scale is None:
        return [None] * axis.width
    return [(scale.row(float(t)), glyphs.empty if t > 0 else FLOOR) if np.isfinite(t) else None for t in carried]


def chart_rows(traced: Trace, frame: TimePosition, space: Space, mono: bool = False) -> Rows:
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
    """Data wins over the playhead, E over the best, the best over the worst and another run, all of them over T."""
    dot = traced.energy[y][x] if y < len(traced.energy) else " "
    if dot != " ":
        return dot, ahead("text", x, playhead)
    if traced.best[x] == y:
        return glyphs.horizontal, ahead("data", x, playhead)
    if traced.worst[x] == y:
        return glyphs.worst, ahead("muted", x, playhead)
    if traced.rival[x] == y:
        return glyphs.rival, ahead("muted", x, playhead)
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
        self._plot = Plot()
        self._curves: Curves | None = None
        self._traced: Trace | None = None
        self._traced_of: Curves | None = None
        self._traced_for: tuple[Axis, int, bool, Sequence[Channel]] | None = None

    def show(self, frame: TimePosition, curves: Curves) -> None:
        """Show these curves with the playhead there."""
        shown = self.frame == frame and _same(curves, self._curves)
        self.frame, self._curves = frame, curves
        if not shown:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        traced = self._trace(space)
        if traced is None:
            return rows((), space)
        return chart_rows(traced, self.frame, space, self.look.palette.mono)

    def _trace(self, space: Space) -> Trace | None:
        curves, axis = self._curves, self.frame.axis(space.width)
        if curves is None or not self.ready:
            return None
        wanted = (axis, space.height, space.glyphs.ascii, self.channels)
        if self._traced is None or not _same(curves, self._traced_of) or wanted != self._traced_for:
            self._traced = trace(curves, self.channels, axis, space, self._held(axis), self._plot)
            self._traced_of, self._traced_for = curves, wanted
        return self._traced

    def _held(self, axis: Axis) -> float:
        """The top of the scale of E while the width of the window stays."""
        same = self._traced_for is not None and self._traced_for[0].total == axis.total
        return self._traced.top if same and self._traced is not None else 0.0


def _same(curves: Curves, before: Curves | None) -> bool:
    """Whether nothing was recorded since: a history that has not grown is the same object."""
    return (before is not None and curves.shown is before.shown and curves.rival is before.rival
            and (curves.whole is None) == (before.whole is None))
