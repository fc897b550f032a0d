"""The charts of a report as SVG, without external resources. Colours are those of Okabe and Ito, distinguishable for
the colour-blind; no curve is identified by colour alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bench.columns import Measure
from engine.bench.curves import Convergence, StepCurve
from engine.bench.report import words
from engine.bench.report.markup import Markup, joined, tag
from engine.bench.statistics import Rate
from engine.bench.tables import ALL, Cell, Comparison, Entry, HeatMap, Phase
from engine.params import written

WIDTH: Final = 860
COLOURS: Final = 8
DASHES: Final = (None, "7 3", "2 3", "9 3 2 3", "4 2", "12 3", "1 2", "6 2 1 2 1 2")
"""Line dashes, one a curve: curves are distinguishable without colour."""
MOST_ROWS: Final = 60
BANDS: Final = 3
"""A chart of run times shows intervals for at most this many curves, to stay readable."""
_LABEL, _ROW, _GAP = 34, 20, 8
_BESIDE: Final = 2.5
"""Horizontal distance between the intervals of several curves at one x, so that none hides another."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 540.0, 34.0, 290.0


def svg(name: str, title: str, description: str, height: float, *children: Markup) -> Markup:
    """A chart with a title and a description for screen readers. `name`: unique in the page."""
    return tag("svg", tag("title", title, id=f"{name}-title"), tag("desc", description, id=f"{name}-desc"), *children,
               viewBox=f"0 0 {WIDTH} {height:g}", role="img", aria_labelledby=f"{name}-title {name}-desc",
               xmlns="http://www.w3.org/2000/svg")


# Success


def success(found: Comparison, name: str) -> Markup:
    """Shares solved as bars with their Wilson intervals."""
    entries = [each for each in found.entries if len(found.entries) <= MOST_ROWS or each.group == ALL]
    entries = entries[:MOST_ROWS]
    scale = Scale(0, 1, 340, 660)
    tops = _tops(entries)
    bottom = tops[-1] + _ROW
    ticks = [joined(tag("line", x1=scale(tick), x2=scale(tick), y1=20, y2=bottom, class_="grid"),
                    tag("text", f"{tick * 100:g} %", x=scale(tick), y=13, text_anchor="middle"))
             for tick in (0, 0.25, 0.5, 0.75, 1)]
    rows = [_bar(found, each, place == 0 or entries[place - 1].contender != each.contender, scale, tops[place])
            for place, each in enumerate(entries)]
    said = "; ".join(f"{found.labels[each.contender]} {each.group}: {words.solved_of(each.cell.rate)}"
                     for each in entries)
    return svg(name, "Share of trials solved, with intervals of 95 %", said, bottom + 8, *ticks, *rows)


def _tops(entries: Sequence[Entry]) -> list[float]:
    """The position of each row: rows of one contender are adjacent."""
    several = len(entries) > len({each.contender for each in entries})
    gaps = [several and one.contender != other.contender for one, other in itertools.pairwise(entries)]
    return list(itertools.accumulate((_ROW + _GAP * gap for gap in gaps), initial=26.0))


def _bar(found: Comparison, entry: Entry, first: bool, scale: Scale, top: float) -> Markup:
    """`first`: the row is the first of its contender and bears its name."""
    rate, middle = entry.cell.rate, top + _ROW / 2
    label = found.labels[entry.contender]
    group = "all" if entry.group == ALL else entry.group
    parts = [tag("text", tag("title", label), cut_short(label, _LABEL), x=0, y=middle + 4,
                 class_="strong") if first else Markup(),
             tag("text", cut_short(group, 14), x=scale.start - 8, y=middle + 4, text_anchor="end", class_="soft")]
    if rate.share is not None:
        ends = [tag("line", x1=scale(end), x2=scale(end), y1=middle - 5, y2=middle + 5, class_="whisker")
                for end in (rate.low, rate.high)]
        parts += [tag("rect", x=scale.start, y=middle - 5, width=scale(rate.share) - scale.start, height=10,
                      class_="bar"),
                  tag("line", x1=scale(rate.low), x2=scale(rate.high), y1=middle, y2=middle, class_="whisker"), *ends,
                  tag("circle", cx=scale(rate.share), cy=middle, r=3.5, class_="dot")]
    parts += [tag("text", words.share(rate.share), x=scale.end + 66, y=middle + 4, text_anchor="end"),
              tag("text", words.solved_of(rate), x=scale.end + 84, y=middle + 4, class_="soft")]
    return joined(*parts)


# Curves


def run_times(curves: Sequence[StepCurve], measure: Measure, limit: float | None, name: str) -> Markup:
    """Run-time distributions: the share solved by a time, on a logarithmic axis."""
    seen = [x for curve in curves for x in (*curve.x[:1], curve.end, limit or 0)]
    across, up = logarithmic(seen, _LEFT, _RIGHT), Scale(0, 1, _BOTTOM, _TOP)
    drawn = [_step_curve(curve, place, across, up, len(curves) <= BANDS) for place, curve in enumerate(curves)]
    labels = [f"{words.share(curve.share[-1] if curve.share else 0.0)} {curve.label}" for curve in curves]
    line = tag("line", x1=across(limit), x2=across(limit), y1=_TOP, y2=_BOTTOM, class_="limit") if limit else Markup()
    return svg(name, f"Share solved by {measure_title(measure)}", "; ".join(labels), _height(curves),
               axis_x(across, _TOP, _BOTTOM, measure, f"{measure_title(measure)}, logarithmic"),
               axis_y(up, _LEFT, _RIGHT, "share solved", percent=True), line, *drawn, _legend(labels))


def _step_curve(curve: StepCurve, place: int, across: Scale, up: Scale, band: bool) -> Markup:
    end = across(curve.end)
    x = [across(value) for value in curve.x]
    parts = []
    if band and x:
        above, below = (_steps(x, [up(value) for value in values], end) for values in (curve.high, curve.low))
        parts.append(tag("path", d=_path([*above, *reversed(below)]) + "Z", class_=f"band s{place % COLOURS}"))
    start = [(across.start, up(0)), (x[0], up(0))] if x else [(across.start, up(0)), (end, up(0))]
    line = start + _steps(x, [up(value) for value in curve.share], end)
    parts.append(tag("path", d=_path(line), class_=f"line s{place % COLOURS}",
                     stroke_dasharray=DASHES[place % len(DASHES)]))
    parts += [tag("path", d=f"M{across(time):.1f} {up(share) - 4:.1f}v8", class_=f"mark s{place % COLOURS}")
              for time, share in curve.marks]
    return joined(*parts)


Point = tuple[float, float]


def _steps(x: Sequence[float], y: Sequence[float], end: float) -> list[Point]:
    """The corners of a step function."""
    ends = [*x[1:], end] if x else []
    return [corner for at, until, value in zip(x, ends, y, strict=True) for corner in ((at, value), (until, value))]


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def convergence(curves: Sequence[Convergence], against: Measure, name: str) -> Markup:
    """Best E so far: medians as lines, quartiles as bands."""
    across = Scale(1, max(curve.x[-1] for curve in curves), _LEFT, _RIGHT, True)
    up = Scale(0, max(1.0, *(max(curve.upper) for curve in curves)), _BOTTOM, _TOP)
    drawn = []
    for place, curve in enumerate(curves):
        x = [across(value) for value in curve.x]
        median, above, below = ([(at, up(value)) for at, value in zip(x, values, strict=True)]
                                for values in (curve.median, curve.upper, curve.lower))
        drawn += [tag("path", d=_path([*above, *reversed(below)]) + "Z", class_=f"band s{place % COLOURS}"),
                  _line(place, median, 2)]
    labels = [f"E {curve.median[-1]:g} {curve.label}" for curve in curves]
    return svg(name, f"Best E against {measure_title(against)}", "; ".join(labels), _height(curves),
               axis_x(across, _TOP, _BOTTOM, against, f"{measure_title(against)}, logarithmic"),
               axis_y(up, _LEFT, _RIGHT, "best E so far: median, quartiles"), *drawn, _legend(labels))


def _legend(labels: Sequence[str]) -> Markup:
    """The legend on the right: a line and a label for each curve."""
    rows = [joined(tag("line", x1=_RIGHT + 14, x2=_RIGHT + 44, y1=_TOP + 18 * place, y2=_TOP + 18 * place,
                       class_=f"line s{place % COLOURS}", stroke_dasharray=DASHES[place % len(DASHES)]),
                   tag("text", tag("title", label), cut_short(label, 42), x=_RIGHT + 50, y=_TOP + 4 + 18 * place))
            for place, label in enumerate(labels)]
    return joined(*rows)


def _height(curves: Sequence[object]) -> float:
    return max(_BOTTOM + 44, _TOP + 18 * len(curves) + 8)


# Sweeps, and success along the axis of the groups


def heat_map(found: HeatMap, name: str) -> Markup:
    """Shares solved for each pair of values; the number is written in its field."""
    left, top, height = 110.0, 44.0, 42.0
    width = min(90.0, (WIDTH - left) / len(found.xs))
    fields = [_field(cell, left + width * column, top + height * row, width, height)
              for row, cells in enumerate(found.cells) for column, cell in enumerate(cells)]
    above = [tag("text", cut_short(written(x), 9), x=left + width * (place + 0.5), y=top - 8, text_anchor="middle")
             for place, x in enumerate(found.xs)]
    beside = [tag("text", cut_short(written(y), 14), x=left - 8, y=top + height * (place + 0.5) + 4, text_anchor="end")
              for place, y in enumerate(found.ys)]
    corner = tag("text", f"{found.y} (rows) by {found.x} (columns)", x=0, y=14, class_="soft")
    said = "; ".join(f"{found.y} {written(y)}: " + ", ".join(words.share(cell.rate.share) if cell else "none"
                                                             for cell in cells)
                     for y, cells in zip(found.ys, found.cells, strict=True))
    return svg(name, f"Share solved by {found.label}, {found.y} by {found.x}", said,
               top + height * len(found.ys) + 8, corner, *above, *beside, *fields)


def _field(cell: Cell | None, x: float, y: float, width: float, height: float) -> Markup:
    share = cell.rate.share if cell else None
    if cell is None or share is None:
        return tag("text", "–", x=x + width / 2, y=y + height / 2 + 4, text_anchor="middle", class_="soft")
    return joined(tag("rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, class_="heat",
                      fill_opacity=f"{0.06 + 0.54 * share:.3f}"),
                  tag("text", f"{share * 100:.0f} %", x=x + width / 2, y=y + height / 2 - 1, text_anchor="middle",
                      class_="strong"),
                  tag("text", words.solved_of(cell.rate), x=x + width / 2, y=y + height / 2 + 13, text_anchor="middle",
                      class_="small"))


def phase(along: Sequence[Phase], title: str, name: str) -> Markup:
    """Success along the axis of the groups."""
    across, up = _along(along), Scale(0, 1, _BOTTOM, _TOP)
    drawn = [joined(_line(place, [(across(x), up(cell.rate.share)) for x, cell in each.points
                                  if cell.rate.share is not None]),
                    *(_whisker(across(x) + _BESIDE * (place - (len(along) - 1) / 2), cell.rate, up, place)
                      for x, cell in each.points if cell.rate.n))
             for place, each in enumerate(along)]
    labels = [each.label for each in along]
    said = "; ".join(f"{each.label}: " + ", ".join(f"{x:g} {words.share(cell.rate.share)}" for x, cell in each.points)
                     for each in along)
    return svg(name, f"Share solved against {title}", said, _height(along),
               axis_x(across, _TOP, _BOTTOM, None, title, percent=True),
               axis_y(up, _LEFT, _RIGHT, "share solved", percent=True),
               *drawn, _legend(labels))


def _whisker(x: float, rate: Rate, up: Scale, place: int) -> Markup:
    return tag("line", x1=x, x2=x, y1=up(rate.low), y2=up(rate.high), class_=f"mark s{place % COLOURS}")


def phase_times(along: Sequence[Phase], title: str, measure: Measure, name: str) -> Markup:
    """Median times along the same axis: easy, hard, easy. A median that was not reached is a triangle at the top."""
    across = _along(along)
    seen = [median for each in along for _, cell in each.points if (median := cell.took(measure).median.value)]
    scale = logarithmic([*(value / 2 for value in seen), *(3 * value for value in seen)], _BOTTOM, _TOP)
    drawn = []
    for place, each in enumerate(along):
        medians = [(x, cell.took(measure)) for x, cell in each.points if cell.rate.n]
        drawn += [_line(place, [(across(x), scale(value)) for x, value in some])
                  for some in _unbroken([(x, found.median.value) for x, found in medians])]
        drawn += [tag("path", d=f"M{across(x) - 4:.1f} {_TOP + 7 * place + 7:.1f}h8l-4 -7Z",
                      class_=f"mark s{place % COLOURS}") for x, found in medians if found.median.value is None]
    said = "; ".join(f"{each.label}: " + ", ".join(f"{x:g} {words.median(cell.took(measure), measure)}"
                                                   for x, cell in each.points) for each in along)
    return svg(name, f"Median {measure_title(measure)} against {title}", said, _height(along),
               axis_x(across, _TOP, _BOTTOM, None, title, percent=True),
               axis_y(scale, _LEFT, _RIGHT, f"median {measure_title(measure)}; △ half are not solved", measure), *drawn,
               _legend([each.label for each in along]))


def _unbroken(points: Iterable[tuple[float, float | None]]) -> list[list[Point]]:
    """Runs of adjacent points with a positive value: a line on a logarithmic axis breaks at the others."""
    groups = itertools.groupby(points, key=lambda point: bool(point[1]))
    return [[(x, value) for x, value in some if value is not None] for seen, some in groups if seen]


def _along(along: Sequence[Phase]) -> Scale:
    xs = [x for x, _ in along[0].points]
    return Scale(min(xs), max(xs), _LEFT + 14, _RIGHT - 14)


def _line(place: int, points: Sequence[Point], radius: int = 3) -> Markup:
    dots = [tag("circle", cx=x, cy=y, r=radius, class_=f"point s{place % COLOURS}") for x, y in points]
    path = tag("path", d=_path(points), class_=f"line s{place % COLOURS}", stroke_dasharray=DASHES[place % len(DASHES)])
    return joined(path, *dots) if points else Markup()


# Scales and axes


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on a line from `start` to `end`, linear or logarithmic (`low` > 0)."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The position of a value, clamped to the ends."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low) if self.high > self.low else 0.0
        else:
            share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values, about five."""
        return _powers(self.low, self.high) if self.logarithmic else _round(self.low, self.high)


def _powers(low: float, high: float) -> list[float]:
    """Powers of ten, thinned out over a wide range; over a narrow one also 2 and 5 times them."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first >= 2:
        return [10.0**power for power in range(first, last + 1, math.ceil((last - first) / 7))]
    fine = [digit * 10.0**power for power in range(first - 1, last + 1) for digit in (1, 2, 5)]
    return [value for value in fine if low * 0.999 <= value <= high * 1.001]


def _round(low: float, high: float) -> list[float]:
    if high <= low:
        return [low]
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


def logarithmic(values: list[float], start: float, end: float) -> Scale:
    """A logarithmic axis that covers the positive values, at least one power of ten."""
    positive = [value for value in values if value > 0] or [1.0]
    return Scale(min(*positive, max(positive) / 10), max(positive), start, end, True)


_UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))


def tick_label(value: float, measure: Measure | None) -> str:
    """`500`, `10 k`, `2 M`, `1 ms`; plain where it is no measure."""
    if measure == "seconds":
        power = next((power for power in (0, 1, 2) if value * 1000**power >= 0.999), 2)
        return f"{value * 1000**power:g} {('s', 'ms', 'µs')[power]}"
    unit, name = next(((unit, name) for unit, name in _UNITS if measure and value >= unit), (1.0, ""))
    return f"{value / unit:g}{name}"


def percent_label(value: float) -> str:
    """`50 %`."""
    return f"{value * 100:g} %"


def axis_x(scale: Scale, top: float, bottom: float, measure: Measure | None, title: str,
           percent: bool = False) -> Markup:
    """A horizontal axis: grid lines, labels, and the title below."""
    lines = [joined(tag("line", x1=scale(tick), x2=scale(tick), y1=top, y2=bottom, class_="grid"),
                    tag("text", _label(tick, measure, percent), x=scale(tick), y=bottom + 16, text_anchor="middle"))
             for tick in scale.ticks()]
    name = tag("text", title, x=(scale.start + scale.end) / 2, y=bottom + 34, text_anchor="middle", class_="soft")
    return joined(*lines, name, tag("line", x1=scale.start, x2=scale.end, y1=bottom, y2=bottom, class_="axis"))


def axis_y(scale: Scale, left: float, right: float, title: str, measure: Measure | None = None,
           percent: bool = False) -> Markup:
    """A vertical axis: grid lines, labels, and the title above."""
    lines = [joined(tag("line", x1=left, x2=right, y1=scale(tick), y2=scale(tick), class_="grid"),
                    tag("text", _label(tick, measure, percent), x=left - 6, y=scale(tick) + 4, text_anchor="end"))
             for tick in scale.ticks()]
    return joined(*lines, tag("text", title, x=left, y=scale.end - 10, class_="soft"))


def _label(tick: float, measure: Measure | None, percent: bool) -> str:
    return percent_label(tick) if percent else tick_label(tick, measure)


def cut_short(label: str, most: int) -> str:
    """A label in one line of at most `most` characters."""
    flat = " ".join(label.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def measure_title(measure: Measure) -> str:
    """The label below an axis of run times."""
    return {"steps": "steps", "evaluations": "evaluations", "seconds": "time"}[measure]
