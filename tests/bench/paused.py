"""Processor use of the screen while it is paused."""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench.result import Options, Result, at_most
from tests.bench.screen import READY, Watched

SECONDS, QUICK_SECONDS = 20.0, 5.0
SETTLED = 2.0
BUDGET = 0.3


def measure(options: Options) -> Iterable[Result]:
    seconds = QUICK_SECONDS if options.quick else SECONDS
    with Watched("hard:1") as program:
        program.until(lambda seen: READY in seen)
        program.take(SETTLED)
        before = program.processor()
        drawn = program.take(seconds)
        share = 100 * (program.processor() - before) / seconds
    return [at_most("processor while paused", share, BUDGET, "%", f"over {seconds:g} s, {drawn} B drawn")]
