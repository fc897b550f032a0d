"""The visible part of the time axis."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

LEAST_SPAN = 64
"""Steps of the narrowest window."""


Ints = NDArray[np.int64]


Floats = NDArray[np.float64]


def total_for(recorded: int) -> int:
    """The end of the axis for a run whose furthest step is `recorded` (0 or more): a power of two, at least 1."""
    return 1 << max(recorded - 1, 0).bit_length()


class Window(Struct, frozen=True):
    """The steps low..low + span that are shown."""

    low: int = 0
    span: int = 1

    @property
    def high(self) -> int:
        return self.low + self.span

    def holds(self, step: int) -> bool:
        return self.low <= step <= self.high

    def following(self, step: int, span: int, total: int) -> Window:
        """The window of `span` steps of 0..total (powers of two) to show a step in: this one as long as it holds it,
        else one in whose inner half it lies. So half of what was seen before is seen still when the playhead leaves."""
        if span >= total:
            return Window(0, total)
        if self.span == span and self.high <= total and self.holds(step):
            return self
        half = max(span // 2, 1)
        low = (step - half + half // 2) // half * half
        return Window(min(max(low, 0), total - span), span)


AT_FIRST = Window()


def within(window: Window, steps: Ints) -> tuple[slice, Ints]:
    """Which of some ascending steps belong to a window, and where they stand in it: the last one at or before its
    beginning stands at the beginning, because its value is in force there."""
    first = max(int(np.searchsorted(steps, window.low, "right")) - 1, 0)
    kept = slice(first, int(np.searchsorted(steps, window.high, "right")))
    return kept, np.maximum(steps[kept], window.low)
