"""Children a second of the genetic algorithms, compiled against plain Python; and what 100 000 individuals take."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from typing import Any

from engine import registry
from engine import state as states
from engine.puzzles import packs
from engine.run.run import Run
from tests.bench.result import Options, Result, at_least, at_most, number
from tests.bench.timing import interleaved, ratio
from tests.engine.solvers.population.plain import Plain

CASES = (("ga-cells", "cells"), ("ga-rows", "rows"), ("ga-ordered", "rows"))
"""Solver, and what its genes are."""
PUZZLE = "hard:2"
TIMES = 20
"""The required speed-up of a kernel over plain Python."""
MANY = 100_000
BACK_MS, MEMORY_MB = 200.0, 200.0


def measure(options: Options) -> Iterable[Result]:
    yield from (_rate(name, genes, options) for name, genes in CASES)
    yield from _many(options)


def _rate(name: str, genes: str, options: Options) -> Result:
    solver, puzzle = registry.solver(name), packs.find(PUZZLE).puzzle
    chosen: dict[str, Any] = {"unit": "row"} if name == "ga-ordered" else {}
    params: Any = solver.make_params(None, {**chosen, "patience": 10**9})
    first = solver.init(puzzle, params, 1)
    children = 20_000 if options.quick else 100_000

    def compiled() -> int:
        state = states.copy(first)
        return solver.advance(state, params, children).steps

    def plain() -> int:
        return len(Plain(puzzle, params, 1, genes).turn())

    rates = interleaved({"kernel": compiled, "plain": plain}, 3 if options.quick else 7)
    note = (f"{number(statistics.median(rates['kernel']), 'children/s')} of {params.size} individuals on {PUZZLE}, "
            f"plain Python {number(statistics.median(rates['plain']), 'children/s')}; the same children")
    return at_least(f"{name}: children, compiled vs Python", ratio(rates, "kernel", "plain"), TIMES, "×", note)


def _many(options: Options) -> Iterable[Result]:
    """A run of very many individuals: its memory, and steps back."""
    solver = registry.solver("ga-cells")
    run = Run.start(solver, packs.find(PUZZLE).puzzle, solver.make_params(None, {"size": MANY}), 1)
    run.advance(4 * MANY if options.quick else 12 * MANY)
    begun = time.perf_counter()
    run.step_back()
    first = 1000 * (time.perf_counter() - begun)
    each = []
    for _ in range(20):
        begun = time.perf_counter()
        run.step_back()
        each.append(1000 * (time.perf_counter() - begun))
    held = run.nbytes + 2 * states.nbytes(run.state)
    note = (f"{states.nbytes(run.state) / 1e6:.3g} MB a state; playhead, a state on its way, checkpoints and states "
            f"near the playhead after {run.recorded:,} steps")
    yield at_most(f"{MANY:,} individuals: first step back", first, BACK_MS, "ms")
    yield at_most(f"{MANY:,} individuals: further steps back", statistics.median(each), BACK_MS, "ms",
                  f"the slowest of {len(each)}: {max(each):.3g} ms")
    yield at_most(f"{MANY:,} individuals: memory", held / 1e6, MEMORY_MB, "MB", note)
