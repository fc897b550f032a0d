"""Adapt the rate of snapshots so that the output stays within a byte budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

WINDOW = 0.5
"""Seconds over which bytes are counted."""
LEAST_FPS = 1.5
"""Snapshots per second, at least."""


class LineCapacity(Struct, frozen=True):
    """The demand on the line while running."""

    fps: float
    """Snapshots per second, at most."""
    text: float
    """Changes per second of text that is read."""
    budget: float
    """Bytes per second."""
    charts: bool
    """Whether the charts are updated."""
    chart_rate: float = 1.0
    """Refreshes of the charts per second, at most."""
    log: bool = False
    """Whether the log has each step that is watched."""
    first: float = 4.0
    """Snapshots per second at the start of a run, when the time axis changes too."""

    @property
    def aim(self) -> float:
        """The target within the budget, since seconds differ."""
        return 0.85 * self.budget


LOCAL = LineCapacity(20.0, 2.0, 400_000.0, True, chart_rate=4.0, log=True, first=15.0)
"""The demand on a terminal of this machine. A frame takes 10 to 20 ms of processor time."""
FAST = LineCapacity(10.0, 2.0, 8_000.0, True)
UNKNOWN = LineCapacity(5.0, 1.0, 5_000.0, True)
"""The demand over SSH if no answers tell the capacity of the line."""
SLOW = LineCapacity(5.0, 1.0, 5_000.0, False)


@dataclass(slots=True)
class ByteMeter:
    """Counts the bytes sent to the terminal."""

    sent: int = 0
    """Bytes so far."""
    capacity: Callable[[], LineCapacity] = lambda: FAST
    """The demand on its line."""


class Governor:
    """Lowers the rate while snapshots are expensive (everything changes) and raises it again when they are cheap."""

    def __init__(self, meter: ByteMeter, fixed: float | None = None) -> None:
        """`fixed`: snapshots per second regardless of cost."""
        self.capacity = meter.capacity()
        self.fps = self.capacity.first if fixed is None else fixed
        self._meter, self._fixed = meter, fixed
        self._since = 0.0
        self._bytes = 0

    def note(self, now: float) -> bool:
        """Update at time `now` (seconds). Returns whether the rate or the demand changed."""
        passed = now - self._since
        if passed < WINDOW:
            return False
        rate = (self._meter.sent - self._bytes) / passed
        self._since, self._bytes = now, self._meter.sent
        before = self.fps, self.capacity
        self.capacity = self._meter.capacity()
        if self._fixed is None:
            self.fps = min(self.fps, self.capacity.fps)
            if passed <= 2 * WINDOW:
                self._follow(rate)
        return before != (self.fps, self.capacity)

    def _follow(self, rate: float) -> None:
        aim = self.capacity.aim
        if rate > aim:
            self.fps = max(LEAST_FPS, self.fps * aim / rate)
        elif rate < aim * 0.8:
            self.fps = min(self.capacity.fps, self.fps * 1.15)
