"""The chart: E, the best and the worst in braille, another branch as circles, the playhead.

plotext places the dots of E. The best is a line of two dots a column, the worst of one dot, each at its own height; all
other curves use whole characters. Without a lane of its own, T is drawn as a curve on the right axis. The trace is
cached until the history grows or the pane changes, so that moving the playhead costs no plotting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.view import Channel
from tui.look.glyphs import Glyphs
from tui.playback.snapshot import History
from tui.playback.window import Floats, Ints, Window, within
from tui.widgets.plot import DOTS_ACROSS, DOTS_DOWN, Plot, star_row
from tui.widgets.rows import BLANK, Rows, Space, Span, rows
from tui.widgets.timeline.axis import LABELS, Axis, EnergyScale, TemperatureScale, labelled_height, last_per_column
from tui.widgets.timeline.pane import TimePane, TimePosition, ahead, labelled
from tui.widgets.timeline.temperature import FLOOR

BRAILLE = 0x2800
LINES = (0x09, 0x12, 0x24, 0xC0)
"""The two dots of each line of a braille character, from the top."""
SINGLE = (0x01, 0x02, 0x04, 0x40)
"""The left dot of each of these lines."""
BOTH = "+"
"""In ASCII, E and the best in one character."""

Level = tuple[int, int] | tuple[None, None]
"""A row of characters from the top, and a line of dots in it, 0 to 3; (None, None) without a value."""


class Trace(Struct, frozen=True):
    """Curves as characters, without the playhead."""

    energy: list[str]
    """`height` lines of `width` characters."""
    rival: list[int | None]
    """The row of the other branch's E, by column; None up to where it leaves this one."""
    best: list[Level]
    """The best, by column."""
    worst: list[Level]
    """The worst, by column."""
    temperature: list[tuple[int, str] | None]
    """Row and character of T, by column."""
    left: dict[int, str]
    right: dict[int, str]
    """Tick labels by row."""
    top: float
    """The E of the first row."""


class Curves(Struct, frozen=True):
    """The histories that the chart draws."""

    shown: History
    """The run in the visible window."""
    whole: History | None = None
    """All of the run, if that is more: it determines the axis of T."""
    rival: History | None = None
    """Another branch, for comparison."""


def trace(curves: Curves, channels: Sequence[Channel], axis: Axis, space: Space, held: float = 0.0,
          plot: Plot | None = None, with_temperature: bool = True) -> Trace:
    """Trace curves over an axis. `held`: the present top of the scale of E; `plot`: the canvas to draw on;
    `with_temperature`: T is one of the curves."""
    history, height, glyphs = curves.shown, space.height, space.glyphs
    energy = _values(history, channels, "energy")
    best = _values(history, channels, "best")
    worst = _values(history, channels, "worst")
    warm_role = "temperature" if with_temperature else ""
    temperature = _values(history, channels, warm_role)
    rival = _rival(curves, axis)
    other = np.zeros(0) if rival is None else _values(rival, channels, "energy")
    scale = EnergyScale.over(np.concatenate([energy, best, worst, other]), height, held)
    log = any(channel.role == "temperature" and channel.scale == "log" for channel in channels)
    whole = temperature if curves.whole is None else _values(curves.whole, channels, warm_role)
    warm = TemperatureScale.over(whole if np.isfinite(whole).any() else temperature, height, log)
    drawn = (plot or Plot()).draw(_places(history, energy, axis, scale), axis.width, height, not glyphs.ascii)
    return Trace(
        drawn,
        [row for row, _line in _levels(scale.whole_dots(_columns(rival, other, axis)), space)],
        _levels(scale.whole_dots(_columns(history, best, axis)), space),
        _levels(scale.whole_dots(_columns(history, worst, axis)), space),
        _temperature(history, temperature, axis, warm, glyphs),
        star_ticks(scale) if glyphs.ascii else scale.ticks, warm.ticks if warm else {}, scale.top,
    )


def star_ticks(scale: EnergyScale) -> dict[int, str]:
    """The labels in ASCII. Only 0 is drawn in the last row, so the one above it has all energies that it stands for,
    `1-30`, where that fits."""
    ticks, row, span = scale.ticks, scale.height - 2, DOTS_DOWN * scale.height - 1
    if row in ticks:
        highest = min(dot for dot in range(span + 1) if star_row(dot, scale.height) == row)
        most = min(int((span + 0.5 - highest) * scale.top / span), int(scale.top))
        labels = "1" if most == 1 else f"1-{most}", f"<{most + 1}"
        ticks[row] = next((label for label in labels if len(label) < LABELS), ticks[row])
    return ticks


def _rival(curves: Curves, axis: Axis) -> History | None:
    """The part of another branch in the window, from the first sample on that is not one of the run shown."""
    rival, shown = curves.rival, curves.shown
    if rival is None or not len(rival.steps) or not rival.values.size:
        return None
    _steps, here, there = np.intersect1d(shown.steps, rival.steps, assume_unique=True, return_indices=True)
    differ = (shown.values[here] != rival.values[there]) & ~np.isnan(rival.values[there])
    apart = there[differ.any(axis=1)]
    beyond = int(np.searchsorted(rival.steps, shown.steps[-1], "right")) if len(shown.steps) else 0
    first = int(apart[0]) if len(apart) else beyond
    kept, steps = within(Window(axis.low, axis.total), rival.steps[first:])
    return History(steps, rival.values[first:][kept])


def _values(history: History, channels: Sequence[Channel], role: str) -> Floats:
    """The samples of the first channel of a role; all nan without such a channel."""
    place = next((place for place, channel in enumerate(channels) if channel.role == role), None)
    if place is None or not history.values.size:
        return np.full(len(history.steps), np.nan)
    return history.values[:, place]


def _places(history: History, energy: Floats, axis: Axis, scale: EnergyScale) -> Ints:
    """The dots of all samples, and of the gaps between them, for `Plot.draw`."""
    fine = Axis(axis.width * DOTS_ACROSS, axis.total, axis.low)
    carried, used = last_per_column(fine, history.steps, energy)
    x = np.concatenate([np.arange(used), fine.columns(history.steps)])
    y = scale.dots(np.concatenate([carried[:used], energy]))
    real = np.isfinite(y)
    return np.unique(x[real] * (DOTS_DOWN * scale.height) + y[real].astype(np.int64))


def _columns(history: History | None, energies: Floats, axis: Axis) -> Floats:
    """The last energy of each column; nan without one."""
    if history is None:
        return np.full(axis.width, np.nan)
    return last_per_column(axis, history.steps, energies)[0]


def _levels(dots: Sequence[int | None], space: Space) -> list[Level]:
    """The place in characters of each of these rows of dots."""
    return [(None, None) if dot is None else
            (star_row(dot, space.height) if space.glyphs.ascii else dot // DOTS_DOWN, dot % DOTS_DOWN) for dot in dots]


def _temperature(history: History, temperature: Floats, axis: Axis, scale: TemperatureScale | None,
                 glyphs: Glyphs) -> list[tuple[int, str] | None]:
    carried, _used = last_per_column(axis, history.steps, temperature)
    if scale is None:
        return [None] * axis.width
    return [(scale.row(float(t)), glyphs.temperature if t > 0 else FLOOR) if np.isfinite(t) else None for t in carried]


def chart_rows(traced: Trace, position: TimePosition, space: Space, mono: bool = False) -> Rows:
    """The trace with the playhead. The part ahead of it is drawn in `future` or, without colours, not at all."""
    axis = position.axis(space.width)
    playhead = axis.column(position.playhead)
    shown = playhead + 1 if mono else axis.width
    lines = []
    for y in range(space.height):
        cells = [_cell(traced, x, y, playhead, space) if x < shown else BLANK for x in range(axis.width)]
        lines.append(labelled(traced.left.get(y, ""), cells, traced.right.get(y, ""), space.width))
    return rows(lines, space)


def _cell(traced: Trace, x: int, y: int, playhead: int, space: Space) -> Span:
    """The top layer at a place: the other branch where `_in_front`, the best, E, the worst, T, and last the playhead.
    A character that several share has the dots of all; that of E and the best (in ASCII it is BOTH) has a role of its
    own."""
    glyphs, (row, best), (worst_row, worst) = space.glyphs, traced.best[x], traced.worst[x]
    dot = traced.energy[y][x] if y < len(traced.energy) else " "
    if traced.rival[x] == y and (_in_front(traced, x, y, playhead) or (dot == " " and row != y)):
        return glyphs.rival, ahead("muted", x, playhead)
    also = SINGLE[worst] if worst is not None and worst_row == y and not glyphs.ascii else 0
    if best is not None and row == y:
        shared = dot != " "
        line = (BOTH if shared else glyphs.horizontal) if glyphs.ascii else _joined(dot, LINES[best] | also)
        return line, ahead("strong" if shared else "data", x, playhead)
    if dot != " ":
        return _joined(dot, also) if also else dot, ahead("text", x, playhead)
    if worst_row == y:
        return _joined(dot, also) if also else glyphs.worst, ahead("muted", x, playhead)
    warm = traced.temperature[x]
    if warm is not None and warm[0] == y:
        return warm[1], ahead("muted", x, playhead)
    return (glyphs.vertical, "ink") if x == playhead else BLANK


def _in_front(traced: Trace, x: int, y: int, playhead: int) -> bool:
    """Test that the other branch at this place hides E and the best, if they are here too.

    It does so in the first column of each stretch in one row, and in two of three of all columns: so every line can be
    followed, also where a branch with a lower E lies in the row of the best. At the playhead it never does."""
    level = x > 0 and traced.rival[x - 1] == y and x - 1 != playhead
    return x != playhead and (x % 3 > 0 or not level)


def _joined(dots: str, others: int) -> str:
    """A braille character, or a blank, with other dots added."""
    return chr((BRAILLE if dots == " " else ord(dots)) | others)


class Chart(TimePane):
    """The chart of a run. It is blank until `ready`, when plotext is loaded."""

    DEFAULT_CSS = "Chart { height: 7; }"

    ready = False
    with_temperature = True
    """T is one of the curves, because it has no lane of its own."""
    _curves: Curves | None = None
    _traced: Trace | None = None
    _traced_of: Curves | None = None
    _traced_for: tuple[Axis, int, bool, bool, Sequence[Channel]] | None = None

    def __init__(self, channels: Sequence[Channel]) -> None:
        super().__init__()
        self.channels = tuple(channels)
        self._plot = Plot()

    def show(self, position: TimePosition, curves: Curves) -> None:
        shown = self.position == position and _same(curves, self._curves)
        self.position, self._curves = position, curves
        if not shown:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        drawn = replace(space, height=labelled_height(space.height))
        traced = self._trace(drawn)
        if traced is None:
            return rows((), space)
        above = rows((), replace(space, height=space.height - drawn.height))
        return above + chart_rows(traced, self.position, drawn, self.look.palette.mono)

    def _trace(self, space: Space) -> Trace | None:
        curves, axis = self._curves, self.position.axis(space.width)
        if curves is None or not self.ready:
            return None
        wanted = (axis, space.height, space.glyphs.ascii, self.with_temperature, self.channels)
        if self._traced is None or not _same(curves, self._traced_of) or wanted != self._traced_for:
            self._traced = trace(curves, self.channels, axis, space, self._held(axis), self._plot,
                                 self.with_temperature)
            self._traced_of, self._traced_for = curves, wanted
        return self._traced

    def _held(self, axis: Axis) -> float:
        """The present top of the scale of E, if the width of the window is unchanged; else 0."""
        same = self._traced_for is not None and self._traced_for[0].total == axis.total
        return self._traced.top if same and self._traced is not None else 0.0


def _same(curves: Curves, before: Curves | None) -> bool:
    """Test that nothing was recorded in between: a history that has not grown is the same object."""
    return (before is not None and curves.shown is before.shown and curves.rival is before.rival
            and (curves.whole is None) == (before.whole is None))
