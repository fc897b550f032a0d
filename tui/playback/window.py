"""The visible part of the time axis."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_SPAN = 64
"""Steps of the narrowest window."""


def total_for(recorded: int) -> int:
    """The end of the axis for a run whose furthest step is `recorded` (0 or more): a power of two, at least 1."""
    return 1 << max(recorded - 1, 0).bit_length()


class Window(Struct, frozen=True):
    """The visible steps, low..low + span."""

    low: int = 0
    span: int = 1

    @property
    def high(self) -> int:
        return self.low + self.span

    def holds(self, step: int) -> bool:
        return self.low <= step <= self.high

    def following(self, step: int, span: int, total: int) -> Window:
        """The window of `span` steps of 0..total (powers of two) in which to show a step.

        It is this one while it holds the step, else one with the step in its inner half, so that half of the previous
        window stays visible when the playhead leaves it.
        """
        if span >= total:
            return Window(0, total)
        if self.span == span and self.high <= total and self.holds(step):
            return self
        half = max(span // 2, 1)
        low = (step - half + half // 2) // half * half
        return Window(min(max(low, 0), total - span), span)


FIRST_WINDOW = Window()


def within(window: Window, steps: Ints) -> tuple[slice, Ints]:
    """Slice of the samples (at ascending steps) that belong to a window, and their places in it.

    The last sample at or before the start of the window is moved to the start: its value still holds there.
    """
    first = max(int(np.searchsorted(steps, window.low, "right")) - 1, 0)
    kept = slice(first, int(np.searchsorted(steps, window.high, "right")))
    return kept, np.maximum(steps[kept], window.low)
