"""Any step of a run of 10^9 steps: how long a seek takes, and what the run keeps in memory for it."""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from collections.abc import Iterable

from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.bench.fixtures import UNSOLVABLE
from tests.bench.result import Options, Result, at_most
from tests.bench.timing import quantile

STEPS, QUICK_STEPS = 10**9, 10**8
SEEKS = 200
CHUNK = 2**22


def measure(options: Options) -> Iterable[Result]:
    steps = QUICK_STEPS if options.quick else STEPS
    run = Run.start("anneal", Puzzle.from_line(UNSOLVABLE), seed=1)
    run.solver.warm_up()
    run.advance(2)
    tracemalloc.start()
    before = _kept()
    begun = time.perf_counter()
    while run.playhead < steps and not run.at_end:
        run.advance(min(CHUNK, steps - run.playhead))
    taken = time.perf_counter() - begun
    after = _kept()
    tracemalloc.stop()
    note = f"{run.recorded:.3g} steps made in {taken:.1f} s, each allocation traced; the chart's series counts"
    return [
        at_most("seek in a long run: p95", 1000 * quantile(_times(run), 0.95), 20, "ms", note),
        at_most("seek in a long run: memory kept", (after - before) / 2**20, 2, "MB"),
    ]


def _kept() -> int:
    """Bytes that are traced and still needed."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _times(run: Run) -> list[float]:
    """Seconds of seeks to steps anywhere in the run."""
    rng = random.Random(95)
    taken = []
    for _ in range(SEEKS):
        step = rng.randrange(run.recorded)
        begun = time.perf_counter()
        run.seek(step)
        taken.append(time.perf_counter() - begun)
    return taken
