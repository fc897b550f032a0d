"""How many moments a second are wanted, so that what is sent to the terminal stays within a budget of bytes."""

from __future__ import annotations

BUDGET = 8_000.0
"""Bytes a second while running."""
WINDOW = 1.0
"""Seconds over which bytes are counted."""
LEAST_FPS = 3.0


class Governor:
    """Lowers the rate while moments are expensive (everything changes) and raises it again when they are cheap."""

    def __init__(self, most: float) -> None:
        self.fps = most
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
        if rate > BUDGET:
            self.fps = max(LEAST_FPS, self.fps * BUDGET / rate * 0.95)
        elif rate < BUDGET * 0.8:
            self.fps = min(self._most, self.fps * 1.15)
        return self.fps != before
