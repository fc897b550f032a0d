"""History of bounded size: the samples behind the charts, and an index of rare events.

Both have a fixed number of places. When a run outgrows them, the spacing doubles: every second sample is dropped, bins
of events are merged in pairs. Memory stays constant and the spacing uniform for a run of any length.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CAPACITY = 1024
BINS = 4096


class Series:
    """Samples of a solver's channels at the steps 0, stride, 2 * stride, ... of a run."""

    def __init__(self, channels: int, capacity: int = CAPACITY) -> None:
        self.stride = 1
        self._values = np.full((capacity, channels), np.nan)
        self._count = 0
        self._latest: tuple[int, tuple[float, ...]] | None = None

    def record(self, step: int, sample: tuple[float, ...]) -> None:
        """Keep a sample: permanently at a multiple of the stride, otherwise until the next call.

        Multiples of the stride must come in order; an existing one is overwritten.
        """
        self._latest = step, sample
        if step % self.stride:
            return
        place = step // self.stride
        if place >= len(self._values):
            self.plan_for(step)
            place = step // self.stride
        self._values[place] = sample
        self._count = max(self._count, place + 1)

    def plan_for(self, step: int) -> None:
        """Set the stride that a run of this many steps will have."""
        while step // self.stride >= len(self._values):
            self._thin()

    def _thin(self) -> None:
        kept = self._values[::2]
        self._values[: len(kept)] = kept.copy()
        self._values[len(kept) :] = np.nan
        self._count = (self._count + 1) // 2
        self.stride *= 2

    def truncate(self, step: int) -> None:
        """Drop the samples after a step."""
        self._count = min(self._count, step // self.stride + 1)
        self._values[self._count :] = np.nan
        self._latest = None

    def copy(self) -> Series:
        twin = Series(0, 0)
        twin.stride, twin._count, twin._latest = self.stride, self._count, self._latest
        twin._values = self._values.copy()
        return twin

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Copies: (steps int64[k], samples float64[k, channels]), ascending by step."""
        steps = np.arange(self._count, dtype=np.int64) * self.stride
        values = self._values[: self._count].copy()
        if self._latest is not None and (self._count == 0 or self._latest[0] > steps[-1]):
            steps = np.append(steps, np.int64(self._latest[0]))
            values = np.vstack([values, np.array([self._latest[1]], dtype=np.float64)])
        return steps, values

    @property
    def nbytes(self) -> int:
        return self._values.nbytes


class EventIndex:
    """The steps of rare events by kind: exact at first, to within a bin of `stride` steps in long runs."""

    def __init__(self, bins: int = BINS) -> None:
        self.stride = 1
        self._bins = bins
        self._marks: dict[str, NDArray[np.bool_]] = {}

    def mark(self, kind: str, step: int) -> None:
        while step // self.stride >= self._bins:
            self._thin()
        self._marks.setdefault(kind, np.zeros(self._bins, dtype=np.bool_))[step // self.stride] = True

    def _thin(self) -> None:
        self.stride *= 2
        for marks in self._marks.values():
            merged = marks[::2] | marks[1::2]
            marks[:] = False
            marks[: len(merged)] = merged

    def __contains__(self, kind: object) -> bool:
        return kind in self._marks

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self._marks)

    def steps(self, kind: str, low: int, high: int) -> list[int]:
        """The first steps of the bins between `low` and `high` (inclusive) that hold an event of this kind."""
        if kind not in self._marks:
            return []
        places = np.flatnonzero(self._marks[kind][low // self.stride : high // self.stride + 1])
        return [int(place) for place in (places + low // self.stride) * self.stride]

    def truncate(self, step: int) -> None:
        """Drop the marks after a step; the bin of the step itself may keep an outdated mark."""
        for marks in self._marks.values():
            marks[step // self.stride + 1 :] = False

    def copy(self) -> EventIndex:
        twin = EventIndex(self._bins)
        twin.stride = self.stride
        twin._marks = {kind: marks.copy() for kind, marks in self._marks.items()}
        return twin

    @property
    def nbytes(self) -> int:
        return sum(marks.nbytes for marks in self._marks.values())
