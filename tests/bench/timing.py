"""Timing that survives a busy machine: candidates take turns in one run, and what counts is the median of ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence


def rate(work: Callable[[], int]) -> float:
    """Units a second, where `work` does something and returns how many units that was."""
    begun = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - begun)


def interleaved(candidates: Mapping[str, Callable[[], int]], repeats: int) -> dict[str, list[float]]:
    """Rates of every candidate, `repeats` each, taken in turns after one round that does not count.

    Every second round goes backwards, so that none is always the one after another.
    """
    rates: dict[str, list[float]] = {name: [] for name in candidates}
    for turn in range(repeats + 1):
        names = list(candidates)
        for name in names if turn % 2 else reversed(names):
            measured = rate(candidates[name])
            if turn:
                rates[name].append(measured)
    return rates


def ratio(rates: Mapping[str, Sequence[float]], above: str, below: str) -> float:
    """The median over the rounds of rate(above) / rate(below)."""
    return statistics.median(a / b for a, b in zip(rates[above], rates[below], strict=True))


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]
