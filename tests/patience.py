"""Wait for conditions. No test asserts how long that takes: kernels may have to be compiled on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 180.0
"""Seconds after which a test gives up waiting. The longest legitimate waits measured, with kernels being
compiled on two busy cores, were of 65 and 90."""
PAUSE = 0.005
"""Seconds between two polls of something that does not notify."""


def eventually(holds: Callable[[], object], describe: Callable[[], str]) -> None:
    """Wait until a condition in another process holds; `describe` gives the state for the failure message."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, describe()
        time.sleep(PAUSE)
