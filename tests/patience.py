"""Waiting for what must happen. How long that takes is never a test's business: kernels may have to be compiled, on a
machine that has much else to do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 180.0
"""Seconds after which a test gives up waiting for one thing. The longest honest waits that were seen, kernels being
compiled on two busy cores, were of 65 and 90."""
PAUSE = 0.005
"""Seconds between two looks at what says nothing when it changes."""


def eventually(holds: Callable[[], object], told: Callable[[], str]) -> None:
    """Wait for another process, of which nobody hears when it is true; `told` says what is, where it never becomes
    true."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, told()
        time.sleep(PAUSE)
