"""Axes of charts: from values to places, and where the ticks are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.bench.columns import Measure
from engine.lab.report.markup import Markup, joined, tag


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on a line from `start` to `end`, linear or logarithmic (`low` > 0)."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; beyond the ends it is at the end."""
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
    """Powers of ten, of a wide range only some; of a narrow one 1-2-5 between them."""
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
    """An axis with room for all of these that are positive, a power of ten at least."""
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
    """Lines, numbers and a title below."""
    lines = [joined(tag("line", x1=scale(tick), x2=scale(tick), y1=top, y2=bottom, class_="grid"),
                    tag("text", _label(tick, measure, percent), x=scale(tick), y=bottom + 16, text_anchor="middle"))
             for tick in scale.ticks()]
    name = tag("text", title, x=(scale.start + scale.end) / 2, y=bottom + 34, text_anchor="middle", class_="soft")
    return joined(*lines, name, tag("line", x1=scale.start, x2=scale.end, y1=bottom, y2=bottom, class_="axis"))


def axis_y(scale: Scale, left: float, right: float, title: str, measure: Measure | None = None,
           percent: bool = False) -> Markup:
    """Lines, numbers and a title above."""
    lines = [joined(tag("line", x1=left, x2=right, y1=scale(tick), y2=scale(tick), class_="grid"),
                    tag("text", _label(tick, measure, percent), x=left - 6, y=scale(tick) + 4, text_anchor="end"))
             for tick in scale.ticks()]
    return joined(*lines, tag("text", title, x=left, y=scale.end - 10, class_="soft"))


def _label(tick: float, measure: Measure | None, percent: bool) -> str:
    return percent_label(tick) if percent else tick_label(tick, measure)


def cut_short(label: str, most: int) -> str:
    """A label that has room."""
    flat = " ".join(label.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def measure_title(measure: Measure) -> str:
    """What stands below an axis of run times."""
    return {"steps": "steps", "evaluations": "candidates weighed", "seconds": "time"}[measure]
