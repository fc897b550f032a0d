"""How many moments a second are wanted, so that what is sent to the terminal stays within a budget of bytes."""

from __future__ import annotations

BUDGET = 8_000.0
"""Bytes a second while running."""
AIM = 0.85 * BUDGET
"""What is aimed at, since a second is not like the one before."""
WINDOW = 0.5
"""Seconds over which bytes are counted."""
FIRST_FPS, LEAST_FPS = 4.0, 1.5
"""A run begins slowly: in its first seconds everything on the screen changes, the axis of time included."""


class Governor:
    """Lowers the rate while moments are expensive (everything changes) and raises it again when they are cheap."""

    def __init__(self, most: float) -> None:
        self.fps = min(FIRST_FPS, most)
        self._most = most
        self._since = 0.0
        self._bytes = 0

    def note(self, now: float, sent: int) -> bool:
        """`sent` bytes have gone out in all by `now` (seconds). Whether the rate has changed."""
        passed = now - self._since
        if passed < WINDOW:
            return False
        rate = (sent - self._bytes) / passed
        stale = passed > 2 * WINDOW
        self._since, self._bytes = now, sent
        if stale:
            return False
        before = self.fps
        if rate > AIM:
            self.fps = max(LEAST_FPS, self.fps * AIM / rate)
        elif rate < AIM * 0.8:
            self.fps = min(self._most, self.fps * 1.15)
        return self.fps != before
