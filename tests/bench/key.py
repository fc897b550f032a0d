"""From a key to its effect on the terminal, while the solver runs flat out."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from tests.bench.result import Options, Result, at_most
from tests.bench.screen import ENDLESS, PAUSED, RUNNING, Watched
from tests.bench.timing import quantile

PRESSES, QUICK_PRESSES = 120, 25
HALF, MOST = 20.0, 50.0
"""Milliseconds within which half of the presses, and 95 of 100, must have their effect."""
PICKED = b">"
"""The mark of the picked cell, which nothing else draws while running."""


def measure(options: Options) -> Iterable[Result]:
    presses = QUICK_PRESSES if options.quick else PRESSES
    with Watched(*ENDLESS, "--speed", "max", "--play") as program:
        program.until(lambda seen: RUNNING in seen)
        program.take(2.0)
        yield from _results("pause", [1000 * each for each in _pauses(program, presses)])
        yield from _results("pick a cell", [1000 * each for each in _picks(program, presses)])


def _results(key: str, taken: list[float]) -> Iterable[Result]:
    note = f"{len(taken)} presses while the solver runs flat out, longest {max(taken):.0f} ms"
    yield at_most(f"key to effect ({key}): p50", quantile(taken, 0.5), HALF, "ms", note)
    yield at_most(f"key to effect ({key}): p95", quantile(taken, 0.95), MOST, "ms")


def _pauses(program: Watched, presses: int) -> Iterator[float]:
    """Through the player's thread: it must stop, take a picture and hand it over."""
    chance = random.Random(1)
    for _ in range(presses):
        yield program.effect(" ", PAUSED)
        program.effect(" ", RUNNING)
        program.take(chance.uniform(0.1, 0.3))


def _picks(program: Watched, presses: int) -> Iterator[float]:
    """In the drawing thread alone."""
    chance = random.Random(2)
    for _ in range(presses):
        yield program.effect("l", PICKED)
        program.take(chance.uniform(0.1, 0.25))
