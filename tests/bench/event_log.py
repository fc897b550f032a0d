"""The cost of logging for the swap kernel: with a log from which every event can be decoded, and without."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from tests.bench.fixtures import CASES, Endless
from tests.bench.result import Options, Result, at_least, number
from tests.bench.timing import interleaved, ratio

STEPS, QUICK_STEPS = 20_000_000, 4_000_000
BUDGET = 0.8


def measure(options: Options) -> Iterable[Result]:
    return [_case(name, options) for name in CASES]


def _case(name: str, options: Options) -> Result:
    steps = QUICK_STEPS if options.quick else STEPS
    off, on = Endless(CASES[name], steps), Endless(CASES[name], steps, logging=True)
    rates = interleaved({"off": off.work, "on": on.work}, 5 if options.quick else 15)
    note = " ".join(f"{each} {number(statistics.median(rates[each]), 'swaps/s')}" for each in ("off", "on"))
    return at_least(f"event log on vs off ({name})", ratio(rates, "on", "off"), BUDGET, "×", note)
