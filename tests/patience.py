"""Waiting for what must happen. How long that takes is never a test's business: kernels may have to be compiled, on a
machine that has much else to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot

PATIENCE = 300.0
"""Seconds after which a test gives up."""


async def until(pilot: Pilot[Any], holds: Callable[[], object], told: Callable[[], str] = lambda: "") -> None:
    """Let the application work until something is true of it; `told` says what is, where it never becomes true."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, told()
        await pilot.pause(0.005)
    await pilot.pause()
