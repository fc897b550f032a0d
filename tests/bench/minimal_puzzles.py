"""Minimal puzzles with one solution, made a second on one core: a random grid, then clues removed one by one."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from engine.solutions import batch, minimal
from tests.bench.result import Options, Result, at_least
from tests.bench.timing import interleaved

BUDGET = 5000
PUZZLES, QUICK_PUZZLES = 5000, 500


def measure(options: Options) -> Iterable[Result]:
    many = QUICK_PUZZLES if options.quick else PUZZLES
    puzzles, grids = minimal.make(1, 0, many)
    solutions, counts = batch.solve_all(puzzles, 2)
    right = bool((counts == 1).all() and (solutions == grids).all())
    rates = interleaved({"made": lambda: len(minimal.make(1, 0, many)[0])}, 5 if options.quick else 15)
    note = (f"{many} puzzles, {(puzzles > 0).sum(axis=1).mean():.1f} clues on average; "
            f"{'each has one solution' if right else 'NOT all have one solution'}")
    return [at_least("minimal puzzles made", statistics.median(rates["made"]) if right else 0.0, BUDGET, "/s", note)]
