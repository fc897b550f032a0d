"""The arithmetic of the timeline: columns of steps, rows of values, tick labels.

All panes share one time axis: 0 to `total`, the next power of two at or beyond the furthest recorded step, or a window
of it. The axis therefore keeps its scale while a run grows, until it doubles.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from tui.playback.window import Floats, Ints

LABELS = 5
"""Columns of tick labels on either side, with the blank one beside the chart."""
OFF = 0.25
"""Rows by which a round label may be off the middle of its row, at most."""


class Axis(Struct, frozen=True):
    """The steps low to low + total over `width` columns (at least 1)."""

    width: int
    total: int
    low: int = 0

    def column(self, step: int) -> int:
        """The column of a step, 0 to width - 1; steps beyond the axis are clipped to its ends."""
        return min(self.width - 1, max(step - self.low, 0) * self.width // self.total)

    def holds(self, step: int) -> bool:
        return self.low <= step <= self.low + self.total

    def columns(self, steps: Ints) -> Ints:
        """The columns of an array of steps (int64)."""
        if self.total * self.width >= 2**62:
            return np.array([self.column(int(step)) for step in steps], dtype=np.int64)
        return np.clip((steps - self.low) * self.width // self.total, 0, self.width - 1)

    def first_step(self, column: int) -> int:
        """The first step in a column or, on an axis with fewer steps than columns, the one before it."""
        if column <= 0:
            return self.low
        step = self.low - (-min(column, self.width - 1) * self.total // self.width)
        return step if self.column(step) == column else max(step - 1, 0)

    @property
    def steps_per_column(self) -> float:
        return self.total / self.width


def last_per_column(axis: Axis, steps: Ints, values: Floats) -> tuple[Floats, int]:
    """The last sample of each column; a column without samples repeats the one before it.

    Returns (float64[width], columns filled); columns behind the last sample are nan. `steps` ascend.
    """
    out = np.full(axis.width, np.nan)
    if not len(steps):
        return out, 0
    places = axis.columns(steps)
    out[places] = values  # of several for one place the last is kept
    filled = np.zeros(axis.width, dtype=np.int64)
    filled[places] = places
    carried = out[np.maximum.accumulate(filled)]
    used = int(places[-1]) + 1
    carried[used:] = np.nan
    return carried, used


TOPS = (2, 3, 4, 6, 8, 10)
THIRDS = (3, 6, 9, 15, 30)
"""Tops of an axis that is divided into three, times powers of ten."""


def nice_top(value: float, parts: int = 2) -> float:
    """The smallest of 2, 3, 4, 6, 8, 10, 20, 30... at or above a number: the top of an axis that begins at 0.

    With three `parts`, the smallest of 3, 6, 9, 15, 30, 60..., whose thirds are integers.
    """
    tops = THIRDS if parts == 3 else TOPS
    power = 1.0
    while value > tops[-1] * power:
        power *= 10
    return next(top * power for top in tops if top * power >= value)


def tick_parts(height: int) -> int:
    """The number of equal parts between the labels of an axis of this many rows: 2, 3 or, if neither fits, 1."""
    return next((parts for parts in (2, 3) if height > parts and (height - 1) % parts == 0), 1)


def labelled_height(height: int) -> int:
    """The rows that an axis uses of `height`: one less than all where only then a label falls between its ends."""
    return height - 1 if tick_parts(height) == 1 < tick_parts(height - 1) else height


def tick_rows(height: int) -> range:
    """The rows of the labels, evenly spaced from the first to the last: the same for the axes on both sides."""
    return range(0, height, max((height - 1) // tick_parts(height), 1))


def round_out(value: float, up: bool) -> float:
    """The nearest 1, 2 or 5 times a power of ten at or beyond a positive number, upwards or downwards."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = [float(f"{digit * power:.6g}") for digit in (0.5, 1, 2, 5, 10)]
    if up:
        return next(each for each in steps if each >= value * (1 - 1e-9))
    return next(each for each in reversed(steps) if each <= value * (1 + 1e-9))


class EnergyScale(Struct, frozen=True):
    """E from 0, the lowest dot, to `top`, the highest, over `height` rows of four dots."""

    top: float
    height: int

    @classmethod
    def over(cls, values: Floats, height: int, held: float = 0.0) -> EnergyScale:
        """The scale for these energies (nan is ignored). The present top, `held`, is kept if it fits, so that scrolling
        does not change the scale without need."""
        real = values[np.isfinite(values)]
        parts = tick_parts(height)
        top = nice_top(float(real.max()) if len(real) else 10.0, parts)
        return cls(held if top <= held <= 2 * top and held == nice_top(held, parts) else top, height)

    def dots(self, values: Floats) -> Floats:
        """Rows of dots of energies, from the top, 0 to 4 * height - 1; nan stays nan. Only 0 is on the floor."""
        span = 4 * self.height - 1
        lowest = np.where(values > 0, span - 1, span)
        return np.clip(np.floor(span - values * span / self.top + 0.5), 0, lowest)

    def whole_dots(self, values: Floats) -> list[int | None]:
        """The row of dots of each energy; None for nan."""
        return [int(dot) if np.isfinite(dot) else None for dot in self.dots(values)]

    @property
    def ticks(self) -> dict[int, str]:
        """Labels by row, from the top to 0."""
        rows = tick_rows(self.height) if self.height > 1 else (0,)
        values = {row: self.top * (1 - row / max(self.height - 1, 1)) for row in rows}
        return {row: f"{value:.3g}" if value < 999.5 else short_count(value) for row, value in values.items()}


class TemperatureScale(Struct, frozen=True):
    """T over `height` rows: logarithmic from `low` to `high`, or linear from 0 (low = 0) to `high`."""

    low: float
    high: float
    height: int

    @classmethod
    def over(cls, values: Floats, height: int, log: bool) -> TemperatureScale | None:
        """The scale for these temperatures; None if there are none. A single one is at the top, beside its own
        label, if that has room for two digits."""
        real = values[np.isfinite(values)]
        positive = real[real > 0]
        if not len(real):
            return None
        if not log or not len(positive):
            return cls(0.0, round_out(float(positive.max()), True) if len(positive) else 1.0, height)
        least, most = float(positive.min()), float(positive.max())
        if least == most and float(short(most)) == float(f"{most:.2g}"):
            return cls(round_out(most / 2, False), most, height)
        low, high = round_out(least, False), round_out(most, True)
        return cls(low if low < high else high / 2, high, height)

    def share(self, value: float) -> float:
        """The height of a positive temperature on the axis, 0 to 1."""
        if self.low <= 0:
            return value / self.high
        return math.log(value / self.low) / math.log(self.high / self.low)

    def row(self, value: float) -> int:
        """The row of characters of a temperature, from the top; 0 is in the last."""
        if value <= 0:
            return self.height - 1
        return min(max(int(self._place(value) + 0.5), 0), self.height - 1)

    def _place(self, value: float) -> float:
        """The height of a positive temperature in rows from the top; integers are the middles of the rows."""
        return (self.height - 1) * (1 - self.share(value))

    def _label(self, row: int) -> str:
        """The roundest number near the middle of a row: on a log axis 1, 2 or 5 times a power of ten if there is one,
        on a linear one that nearest to the middle; else the number in the middle. Empty if two digits are too few to
        tell the row from the next."""
        share = 1 - row / (self.height - 1)
        value = self.high * share if self.low <= 0 else self.low * (self.high / self.low) ** share
        power = math.floor(math.log10(value))
        few, more = (1, 2, 5), (1.5, 3, 4, 6, 7, 8, 9)
        for figures in (few, more) if self.low > 0 else ((*few, *more),):  # a linear axis needs even steps
            round_ones = [float(f"{figure}e{each}") for each in (power, power + 1) for figure in figures]
            near = [each for each in round_ones if abs(self._place(each) - row) <= OFF and float(short(each)) == each]
            if near:
                return short(min(near, key=lambda each: abs(self.share(each) - share)))
        return short(value) if self.row(float(short(value))) == row else ""

    @property
    def ticks(self) -> dict[int, str]:
        """Labels by row: the rows of the scale of E, round numbers as far as they fall there."""
        if self.height < 2:
            return {0: short(self.high)}
        ends = {0: short(self.high), self.height - 1: short(self.low) if self.low else "0"}
        return ends | {row: self._label(row) for row in tick_rows(self.height)[1:-1]}


def short(value: float) -> str:
    """A positive number in at most 4 columns: `3`, `0.45`, `1.5`, `1e-3`, `250`, `2e5`."""
    written = f"{value:.2g}" if value < 100 else f"{value:.0f}"
    if len(written) < LABELS:
        return written
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"[: LABELS - 1]


def short_count(value: float) -> str:
    """A whole number in the columns of a tick label: `4143`, `15k`, `2.9M`."""
    written = f"{value:.0f}"
    for unit in "kMGT":
        if len(written) < LABELS:
            break
        value /= 1000
        written = f"{value:.{int(value < 9.95)}f}{unit}"
    return written
