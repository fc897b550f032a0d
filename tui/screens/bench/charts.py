"""The charts of the bench: curves of several solvers, and the heat map of two parameters.

The curve of the selected row is drawn in braille, whose dots plotext places; the others by a mark each. Pure, but for
the pane at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from engine.bench.columns import Measure
from engine.bench.curves import Convergence, StepCurve
from engine.bench.report import svg
from engine.bench.tables import Cell, HeatMap, Phase
from engine.params import written
from engine.text import NONE
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import HEATS, Role
from tui.playback.window import Floats
from tui.screens.bench.results import Results
from tui.screens.bench.state import ChartName
from tui.screens.bench.table import short_labels
from tui.widgets.pane import Pane
from tui.widgets.plot import DOTS_ACROSS, DOTS_DOWN, dots
from tui.widgets.rows import BLANK, Row, Rows, Space, Span, columns, fit, length, row, rows, spread
from tui.widgets.timeline.axis import nice_top, short

LABELS = 5
"""Columns of the tick labels at the left, with a blank one."""
MAP_LABEL = 12
"""Columns of the values of y in a heat map, at most."""
MAP_CELL, LEAST_MAP_CELL = 7, 3
"""Columns of a cell of a heat map, at most and at least."""
GAP = 2
"""Blanks between the entries of a legend."""
OTHERS = 4
"""Curves beside the selected one, at most."""
ROLES: tuple[Role, ...] = ("data", "muted", "text", "muted")


class Curve(Struct, frozen=True):
    """A curve as points, x ascending."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    steps: bool = True
    """y holds until the next x; otherwise it is interpolated."""
    end: float | None = None
    """The x at which it ends; None: its last x."""
    marks: tuple[tuple[float, float], ...] = ()
    """Marked points: trials that were cut off."""


class Scale(Struct, frozen=True):
    """An axis from low to high; `log`: logarithmic."""

    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """The position of a value, 0 at the low end and 1 at the high one."""
        if self.log:
            value, low, high = (math.log(max(each, 1e-300)) for each in (value, self.low, self.high))
        else:
            low, high = self.low, self.high
        return (value - low) / (high - low) if high > low else 0.0

    def value(self, share: float) -> float:
        """The value at a position."""
        if self.log:
            return self.low * math.exp(math.log(self.high / self.low) * share)
        return self.low + (self.high - self.low) * share


Unit = Literal["", "s", "share"]


class Chart(Struct, frozen=True):
    """A chart of curves."""

    title: str
    legend: str
    """At the right of the title: the axes."""
    curves: tuple[Curve, ...]
    """One for each contender."""
    selected: int
    """The curve of the selected row; -1: none."""
    x: Scale
    y: Scale
    """Begins at 0."""
    unit: Unit = ""
    """The unit of x."""
    falling: bool = False
    """Lower values are better."""
    empty: str = "no results yet"
    """In place of curves, where none has a point; translated where it is drawn."""

    @property
    def best(self) -> int:
        """The curve that ends best or, of those, earliest; -1 without points."""
        ends = [(curve.y[-1] if self.falling else -curve.y[-1], curve.x[curve.y.index(curve.y[-1])], index)
                for index, curve in enumerate(self.curves) if curve.x]
        return min(ends)[2] if ends else -1


def sample(curve: Curve, low: Floats, high: Floats, log: bool = False) -> Floats:
    """The value of a curve at the end of each interval from `low` to `high`, or at its own end within it.

    nan outside of the curve. `log`: interpolate over the logarithm of x.
    """
    x, y = np.array(curve.x, float), np.array(curve.y, float)
    if not len(x):
        return np.full(len(low), np.nan)
    end = x[-1] if curve.end is None else curve.end
    wanted = np.minimum(high, end)
    before = np.clip(np.searchsorted(x, wanted, "right") - 1, 0, None)
    gone = (low > end) | (high < x[0])
    if curve.steps:
        return np.where(gone, np.nan, y[before])
    return np.where(gone, np.nan, np.interp(np.log(wanted), np.log(x), y) if log else np.interp(wanted, x, y))


def _heights(chart: Chart, curve: Curve, size: int, height: int) -> list[int | None]:
    """The dot row of the curve at each of `size` x: 0 at the top, 4 * height - 1 at the bottom."""
    edges = [chart.x.value((at - 0.5) / max(size - 1, 1)) for at in range(size + 1)]
    values = sample(curve, np.array(edges[:-1]), np.array(edges[1:]), chart.x.log)
    tall = DOTS_DOWN * height - 1
    shares = [chart.y.share(float(value)) for value in values]
    return [None if math.isnan(each) else round((1 - min(max(each, 0.0), 1.0)) * tall) for each in shares]


def _braille(chart: Chart, curve: Curve, space: Space) -> list[str]:
    """The curve in dots, joined vertically."""
    found, before = set[tuple[int, int]](), None
    for x, y in enumerate(_heights(chart, curve, DOTS_ACROSS * space.width, space.height)):
        if y is not None:
            low, high = sorted((y, y if before is None else before))
            found.update((x, each) for each in range(low, high + 1))
        before = y
    points = sorted(found)
    return dots([x for x, _y in points], [y for _x, y in points], space.width, space.height, not space.glyphs.ascii)


def marks_of(glyphs: Glyphs) -> tuple[str, ...]:
    """The marks of the curves beside the selected one."""
    return glyphs.horizontal, glyphs.empty, glyphs.worst, glyphs.rival


def others(chart: Chart) -> list[int]:
    """The curves beside the selected one that may be drawn: the best, then the first ones."""
    best = chart.best
    ordered = sorted(range(len(chart.curves)), key=lambda index: index != best)
    return [index for index in ordered if index != chart.selected][:OTHERS]


def styles(chart: Chart, glyphs: Glyphs) -> Mapping[int, tuple[str, Role]]:
    """The mark and the role of each curve of `others`. They go by the order of the rows, whichever is best, so that two
    charts of the same solvers agree."""
    return dict(zip(sorted(others(chart)), zip(marks_of(glyphs), ROLES, strict=True), strict=False))


def plotted(chart: Chart, space: Space, beside: Sequence[int]) -> list[list[Span]]:
    """The cells inside the axes: the selected curve hides those `beside` it, and an earlier one the later ones."""
    cells = [[BLANK] * space.width for _line in range(space.height)]
    style = styles(chart, space.glyphs)
    for index in reversed(beside):
        for x, y in enumerate(_heights(chart, chart.curves[index], space.width, space.height)):
            if y is not None:
                cells[y // DOTS_DOWN][x] = style[index]
    if 0 <= chart.selected < len(chart.curves):
        for y, text in enumerate(_braille(chart, chart.curves[chart.selected], space)):
            for x, dot in enumerate(text):
                if dot != " ":
                    cells[y][x] = dot, "strong"
    return cells


def chart_rows(chart: Chart, space: Space) -> Rows:
    """Title, curves, x axis and legend."""
    title: Span = (chart.title, "strong")
    whole: Span = (space.glyphs.text(chart.legend), "muted")
    fits = length((title, whole)) + 2 <= space.width
    head = spread([title], [whole if fits else (whole[0].partition(",")[0], "muted")], space.width)
    inner = Space(max(space.width - LABELS, 2), max(space.height - 3, 2), space.glyphs)
    if not any(curve.x for curve in chart.curves):
        return rows([head, row(((_(chart.empty), "muted"),), space.width)], space)
    labels = {inner.height // 2: short(chart.y.high / 2)} if inner.height >= 5 else {}
    labels |= {0: short(chart.y.high), inner.height - 1: "0"}
    legend, beside = _legend(chart, space)
    lines = [row(((f"{labels.get(y, ''):>{LABELS - 1}} ", "muted"), *line), space.width)
             for y, line in enumerate(plotted(chart, inner, beside))]
    return rows([head, *lines, _ticks(chart, inner, space), legend], space)


def tick_text(value: float, unit: Unit) -> str:
    """A value of an axis in a few characters: `100 µs`, `1 s`, `45 %`, `1e6`."""
    if unit == "share":
        return f"{value * 100:.0f} %"
    if unit == "s" and value < 1:
        return f"{value * 1e3:g} ms" if value >= 0.9e-3 else f"{value * 1e6:g} µs"
    return f"{short(value)} s" if unit == "s" else short(value) if value else "0"


def tick_values(scale: Scale) -> list[float]:
    """The labelled values of an axis: round ones, powers of ten on a long logarithmic one."""
    return svg.Scale(scale.low, scale.high, 0.0, 1.0, scale.log).ticks()


def _ticks(chart: Chart, inner: Space, space: Space) -> Row:
    """The labels of x, as many as fit."""
    line, free = [" "] * inner.width, 0
    for value in tick_values(chart.x):
        text = space.glyphs.text(tick_text(value, chart.unit))
        middle = round(chart.x.share(value) * (inner.width - 1))
        first = min(max(middle - len(text) // 2, 0), inner.width - len(text))
        if first >= free:
            line[first:first + len(text)] = text
            free = first + len(text) + 2
    return row(((" " * LABELS, "blank"), ("".join(line), "muted")), space.width)


def _legend(chart: Chart, space: Space) -> tuple[Row, list[int]]:
    """The marks and their solvers, with the number of curves that are not drawn; and the curves beside the selected
    one that have a name there, the only ones to draw. Where not even two names fit, they lose the words that all
    begin with."""
    beside, total = others(chart), len(chart.curves)
    chosen = int(0 <= chart.selected < total)
    names = [each.label for each in chart.curves]
    briefly = short_labels(names, 0)
    short = [briefly[name] for name in names]
    more, signed = _("and {count} more"), "+{count}"
    for labels, left in ((names, more), (short, more), (names, signed), (short, signed)):
        entries = _entries(chart, labels, space.glyphs)
        least = min(chosen + 1, len(entries))
        for shown in range(len(entries), least - 1, -1):
            line: list[Span] = [(" " * LABELS, "blank")]
            for entry in entries[:shown]:
                line += [*entry, (" " * GAP, "blank")]
            if shown < total:
                line.append((left.format(count=total - shown), "muted"))
            if length(line) <= space.width + GAP * (shown == total):
                return row(line, space.width), beside[:shown - chosen]
    # at least the selected one and the best; the longest names are cut first
    wide = [columns(label) for _sign, (label, _role) in entries[:least]]
    rest = signed.format(count=total - least) if least < total else ""
    signs = sum(columns(sign) + GAP for (sign, _role), _label in entries[:least]) + columns(rest)
    while wide and LABELS + signs + sum(wide) - GAP * (not rest) > space.width and max(wide) > 1:
        wide[wide.index(max(wide))] -= 1
    spans: list[Span] = [(" " * LABELS, "blank")]
    for ((sign, role), (label, shade)), room in zip(entries, wide, strict=False):
        spans += [(sign, role), (fit(label, room, space.glyphs), shade), (" " * GAP, "blank")]
    return row([*spans, (rest, "muted")], space.width), beside[:least - chosen]


def _entries(chart: Chart, labels: Sequence[str], glyphs: Glyphs) -> list[tuple[Span, Span]]:
    """The mark and the name of the selected curve, if there is one, and of those beside it."""
    style, found = styles(chart, glyphs), list[tuple[Span, Span]]()
    if 0 <= chart.selected < len(chart.curves):
        sign = "*" if glyphs.ascii else "⠤⠤"
        found.append(((f"{sign} ", "strong"), (glyphs.text(labels[chart.selected]), "strong")))
    for index in others(chart):
        mark, role = style[index]
        found.append(((f"{mark} ", role), (glyphs.text(labels[index]), "muted")))
    return found


# Charts of results


def _logarithmic(values: Iterator[float]) -> Scale:
    """A logarithmic axis that covers the positive values, at least one power of ten."""
    found = svg.logarithmic([value for value in values if math.isfinite(value)], 0.0, 1.0)
    return Scale(found.low, found.high, True)


def times_chart(found: Sequence[StepCurve], selected: int, measure: Measure, where: str = "") -> Chart:
    """Run-time distributions: the share solved by a time, over a logarithmic axis."""
    curves = tuple(Curve(each.label, each.x, tuple(100 * share for share in each.share), end=each.end)
                   for each in found)
    x = _logarithmic(value for each in found for value in (*each.x, each.end))
    unit = {"seconds": _("time"), "steps": _("steps"), "evaluations": _("evaluations")}[measure]
    return Chart(_("Runs to a solution"), _("% solved by {unit}").format(unit=unit) + where, curves,
                 _index([each.contender for each in found], selected), x, Scale(0.0, 100.0),
                 "s" if measure == "seconds" else "", empty="no run has reached a solution")


def convergence_chart(found: Sequence[Convergence], selected: int, where: str = "") -> Chart:
    """The median of the best E so far by step, over a logarithmic axis, interpolated between the samples."""
    curves = tuple(Curve(each.label, tuple(map(float, each.x)), each.median, steps=False) for each in found)
    x = _logarithmic(value for each in curves for value in each.x)
    top = nice_top(max([1.0, *(value for each in found for value in each.median)]))
    return Chart(_("Convergence"), _("median best E by step") + where, curves,
                 _index([each.contender for each in found], selected), x, Scale(0.0, top), falling=True)


def phase_chart(found: Sequence[Phase], selected: int) -> Chart:
    """The share solved by the share of givens."""
    curves = []
    for each in found:
        points = [(x, 100 * cell.rate.share) for x, cell in each.points if cell.rate.share is not None]
        curves.append(Curve(each.label, tuple(x for x, _y in points), tuple(y for _x, y in points), steps=False))
    xs = [x for each in found for x, _cell in each.points] or [0.0, 1.0]
    index = _index([each.contender for each in found], selected)
    return Chart(_("Solved %"), _("by share of givens"), tuple(curves), index, Scale(min(xs), max(xs)),
                 Scale(0.0, 100.0), "share")


def _index(contenders: Sequence[int], selected: int) -> int:
    return contenders.index(selected) if selected in contenders else -1


# The heat map: the share solved for every pair of values of two parameters, as a number on a coloured ground


def heat_of(share: float | None) -> Role:
    """The role of the ground for a share."""
    return "muted" if share is None else HEATS[min(int(share * len(HEATS)), len(HEATS) - 1)]


def map_rows(found: HeatMap, space: Space, plain: bool = False) -> Rows:
    """Title, values of x, and a row for each value of y, with blank rows between if they fit.

    `plain`: the palette has no grounds; a bar beside the number replaces them.
    """
    glyphs = space.glyphs
    names = (glyphs.text(found.y), glyphs.text(found.x))
    left = min(max(len(written(each)) for each in found.ys), MAP_LABEL)
    left = max(left, min(columns(f"{names[0]} \\ {names[1]}"), MAP_LABEL))
    title = _("Solved %, {y} by {x}").format(y=names[0], x=names[1])
    drawn = [spread([(title, "strong")], [(glyphs.text(found.label), "muted")], space.width)]
    least = max(LEAST_MAP_CELL, min(max((len(written(each)) for each in found.xs), default=0), MAP_CELL))
    across = max((space.width - left - 1) // max(len(found.xs), 1), least + 1)
    wide = min(across - 1, MAP_CELL)
    seen = min(len(found.xs), (space.width - left - 1) // (wide + 1))
    heads: list[Span] = [(f"{names[0]} \\ {names[1]}"[:left], "muted"), (" ", "blank")]
    heads += [(f"{written(each)[:wide]:>{wide}} ", "muted") for each in found.xs[:seen]]
    drawn.append(row(heads, space.width))
    tall = 2 if space.height >= 2 + 2 * len(found.ys) - 1 else 1
    best = found.best
    for y, line in enumerate(found.cells):
        spans: list[Span] = [(f"{written(found.ys[y])[:left]:<{left}}", "muted"), (" ", "blank")]
        for x, cell in enumerate(line[:seen]):
            spans += [*_map_cell(cell, wide, (y, x) == best, plain, space), (" ", "blank")]
        drawn.append(row(spans, space.width))
        drawn += [row((), space.width)] * (tall - 1)
    hidden = len(found.xs) - seen, len(drawn) - tall + 1 - space.height
    if hidden[0] > 0 or hidden[1] > 0:
        hint = _("{ellipsis} {w} x {h} values: a larger window shows all").format(
            ellipsis=glyphs.ellipsis, w=len(found.xs), h=len(found.ys))
        drawn[space.height - 1:] = [row(((glyphs.text(hint), "muted"),), space.width)]
    return rows(drawn, space)


def _map_cell(cell: Cell | None, width: int, best: bool, plain: bool, space: Space) -> list[Span]:
    """The percentage in the middle of its ground; the best in brackets on the ground of `now`."""
    share = None if cell is None else cell.rate.share
    number = NONE if share is None else f"{share * 100:.0f}"
    number = space.glyphs.text(number)
    if best:
        return [(f"{f'[{number}]' if width >= len(number) + 2 else number:^{width}}", "now")]
    if share is None:
        return [(f"{number:^{width}}", "muted")]
    if plain:
        heat = space.glyphs.heats[round(share * (len(space.glyphs.heats) - 1))]
        return [(f"{f'{number} {heat}' if width >= 5 else number:^{width}}", "text")]
    return [(f"{number:^{width}}", heat_of(share))]


# The pane


class ChartView(Struct, frozen=True):
    """The content of a chart pane."""

    chart: ChartName
    results: Results | None
    """None: there are none yet."""
    selected: int
    """The contender of the selected row; -1: none."""
    map: HeatMap | None = None


def chart_view_rows(shown: ChartView, space: Space, plain: bool = False) -> Rows:
    """The chart. `plain`: the palette has no grounds."""
    found = shown.results
    if found is None:
        return rows((((_("Charts"), "strong"),), ((_("no results yet"), "muted"),)), space)
    if shown.chart == "map" and shown.map is not None:
        return map_rows(shown.map, space, plain)
    if shown.chart == "phase":
        return chart_rows(phase_chart(found.phases, shown.selected), space)
    group, several = found.query.group, len(found.comparison.groups) > 1
    where = f", {group}" if group is not None else ", " + _("all groups") if several else ""
    if shown.chart == "convergence":
        return chart_rows(convergence_chart(found.convergence, shown.selected, where), space)
    return chart_rows(times_chart(found.times, shown.selected, found.comparison.measure, where), space)


class BenchChart(Pane):
    """Shows a chart. Draws it again only after a change: that is slow."""

    shown = ChartView("times", None, -1)

    def show(self, shown: ChartView) -> None:
        before, self.shown = self.shown, shown
        same = (before.results is shown.results and before.map is shown.map
                and (before.chart, before.selected) == (shown.chart, shown.selected))
        if not same:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        return chart_view_rows(self.shown, space, self.look.palette.native)
