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


def nice_top(value: float) -> float:
    """The smallest of 2, 3, 4, 6, 8, 10, 20, 30... at or above a number: the top of an axis that begins at 0."""
    power = 1.0
    while value > 10 * power:
        power *= 10
    return next(top for top in (2 * power, 3 * power, 4 * power, 6 * power, 8 * power, 10 * power) if top >= value)


def round_out(value: float, up: bool) -> float:
    """The nearest 1, 2 or 5 times a power of ten at or beyond a positive number, upwards or downwards."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = [float(f"{digit * power:.6g}") for digit in (0.5, 1, 2, 5, 10)]
    if up:
        return next(each for each in steps if each >= value * (1 - 1e-9))
    return next(each for each in reversed(steps) if each <= value * (1 + 1e-9))


class EnergyScale(Struct, frozen=True):
    """E from 0 to `top` over `height` rows of four dots.

    0 is two dots above the lowest, because the best is drawn half a row lower than E.
    """

    top: float
    height: int

    @classmethod
    def over(cls, values: Floats, height: int, held: float = 0.0) -> EnergyScale:
        """The scale for these energies (nan is ignored). The present top, `held`, is kept if it fits, so that scrolling
        does not change the scale without need."""
        real = values[np.isfinite(values)]
        top = nice_top(float(real.max())) if len(real) else 10.0
        return cls(held if top <= held <= 2 * top else top, height)

    def dots(self, values: Floats) -> Floats:
        """Rows of dots of energies, from the top, 0 to 4 * height - 3; nan stays nan."""
        span = 4 * self.height - 3
        return np.clip(np.floor(span - values * span / self.top + 0.5), 0, span)

    def row(self, value: float) -> int:
        """The row of characters of E."""
        return int(self.dots(np.array([value]))[0]) // 4

    def rows(self, values: Floats, lower: int = 0) -> list[int | None]:
        """The row of characters of each energy, drawn `lower` dots lower; None for nan.

        2 for the best, whose line runs through the middle of a row: half a row lower than E.
        """
        return [(int(dot) + lower) // 4 if np.isfinite(dot) else None for dot in self.dots(values)]

    @property
    def ticks(self) -> dict[int, str]:
        """Labels by row: the top, the middle if there is room, and 0."""
        return _ticks(self.height, f"{self.top:g}", self.row(self.top / 2), f"{self.top / 2:g}", "0")


class TemperatureScale(Struct, frozen=True):
    """T over `height` rows: logarithmic from `low` to `high`, or linear from 0 (low = 0) to `high`."""

    low: float
    high: float
    height: int

    @classmethod
    def over(cls, values: Floats, height: int, log: bool) -> TemperatureScale | None:
        """The scale for these temperatures; None if there are none."""
        real = values[np.isfinite(values)]
        positive = real[real > 0]
        if not len(real):
            return None
        if not log or not len(positive):
            return cls(0.0, round_out(float(positive.max()), True) if len(positive) else 1.0, height)
        low, high = round_out(float(positive.min()), False), round_out(float(positive.max()), True)
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
        return min(max(int((self.height - 1) * (1 - self.share(value)) + 0.5), 0), self.height - 1)

    @property
    def middle(self) -> float:
        """The round number nearest to the middle: 1, 2 or 5 times a power of ten, or one of another digit (or 1.5)."""
        within = self.low or self.high / 100
        powers = range(math.floor(math.log10(within)), math.ceil(math.log10(self.high)) + 1)
        round_ones = [float(f"{figure}e{power}") for figure in (1, 2, 5, 1.5, 3, 4, 6, 7, 8, 9) for power in powers]
        inside = [value for value in round_ones if within < value < self.high]
        near = [value for value in inside if f"{value:e}"[:3] in ("1.0", "2.0", "5.0") and self._off(value) <= 0.12]
        return min(near or inside, key=self._off)

    def _off(self, value: float) -> float:
        return abs(self.share(value) - 0.5)

    @property
    def ticks(self) -> dict[int, str]:
        """Labels by row: round numbers at both ends and, if there is room, near the middle."""
        low = short(self.low) if self.low else "0"
        middle = short(self.middle)
        row = self.row(self.middle) if math.isclose(float(middle), self.middle) else 0
        return _ticks(self.height, short(self.high), row, middle, low)


def _ticks(height: int, top: str, middle_row: int, middle: str, bottom: str) -> dict[int, str]:
    labels = {0: top}
    if height >= 3 and 0 < middle_row < height - 1:
        labels[middle_row] = middle
    if height >= 2:
        labels[height - 1] = bottom
    return labels


def short(value: float) -> str:
    """A positive number in at most 4 columns: `3`, `0.45`, `1.5`, `1e-3`, `250`, `2e5`."""
    written = f"{value:.2g}" if value < 100 else f"{value:.0f}"
    if len(written) < LABELS:
        return written
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"[: LABELS - 1]
