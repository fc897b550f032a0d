"""Time from starting the program to its first frame, with compiled kernels."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable

from tests.bench.result import Options, Result, at_most
from tests.bench.screen import FRAME, READY, Watched

STARTS, QUICK_STARTS = 15, 5
BUDGET = 0.30


def measure(options: Options) -> Iterable[Result]:
    _start()  # compiles missing kernels and fills the file cache
    starts = [_start() for _ in range(QUICK_STARTS if options.quick else STARTS)]
    painted, taken, ready = (statistics.median(column) for column in zip(*starts, strict=True))
    note = f"processor time until then {taken:.2f} s; {ready:.2f} s until the run can be played"
    return [at_most("first paint", painted, BUDGET, "s", note)]


def _start() -> tuple[float, float, float]:
    """Seconds until the first frame, of the processor until then, and until it can be played."""
    with Watched("hard:1") as program:
        seen = b""
        while FRAME not in seen or b"PREPARING" not in seen:
            seen += program.read(0.1)
        painted, taken = time.perf_counter() - program.begun, program.processor()
        while READY not in seen:
            seen += program.read(0.1)
        return painted, taken, time.perf_counter() - program.begun
