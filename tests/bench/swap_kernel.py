"""The packed swap kernel against the same algorithm in C: the same draws, verdicts, coolings and best grids."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

import numpy as np

from engine.solvers.annealing import packed_kernel
from tests.bench import swap_reference
from tests.bench.fixtures import CASES, Endless
from tests.bench.result import Options, Result, absent, at_least, number
from tests.bench.timing import interleaved, ratio

STEPS, QUICK_STEPS = 20_000_000, 4_000_000
BUDGET = 0.9


def measure(options: Options) -> Iterable[Result]:
    library, compiler = swap_reference.library()
    if library is None:
        return [absent("swap kernel vs C", f"≥ {BUDGET} ×", compiler)]
    return [_case(name, library, compiler, options) for name in CASES]


def _case(name: str, library: swap_reference.Library, compiler: str, options: Options) -> Result:
    run = Endless(CASES[name], QUICK_STEPS if options.quick else STEPS)
    first = reference_of(run)
    made: list[swap_reference.Reference] = []

    def in_c() -> int:
        made[:] = [swap_reference.Reference.from_buffer_copy(first)]
        library.fill_thresholds(made[0])
        return int(library.advance(made[0], run.steps))

    rates = interleaved({"kernel": run.work, "C": in_c}, 5 if options.quick else 15)
    same = alike(run, made[0])
    note = (f"kernel {number(statistics.median(rates['kernel']), 'swaps/s')}, C "
            f"{number(statistics.median(rates['C']), 'swaps/s')} ({compiler}); after {run.steps:,} swaps both hold "
            f"{'the same grid' if same else 'DIFFERENT grids'}")
    return at_least(f"swap kernel vs C ({name})", ratio(rates, "kernel", "C") if same else 0.0, BUDGET, "×", note)


def reference_of(run: Endless) -> swap_reference.Reference:
    """The C run at the same first step."""
    workspace = run.workspace(run.first)
    words, keys = packed_kernel.words_of(workspace.board, bool(run.first.now["boxes"])), workspace.keys
    now, c = run.first.now, run.config
    packed_cells = np.zeros(10, np.uint64)
    packed_kernel.pack(packed_cells, run.first.cells, words)
    reference = swap_reference.Reference()
    reference.set({
        "words": packed_cells, "change": words.change, "first": words.first, "second": words.second,
        "pair_count": len(words.change), "low": int(words.pairs), "mask": int(words.present), "key": int(keys.move),
        "cells": run.first.cells, "best_cells": run.first.cells, "energy": int(now["energy"]),
        "best": int(now["energy"]), "minimum": int(now["energy"]), "plateau_length": int(c["moves"]),
        "temperature": float(c["t0"]), "alpha": float(c["alpha"]), "floor": float(c["t_min"]),
    })
    return reference


def alike(run: Endless, reference: swap_reference.Reference) -> bool:
    """Whether both ended with the same grids and counters."""
    now = run.state.now
    books = [(reference.energy, now["energy"]), (reference.best, now["best"]), (reference.plateaus, now["plateau"]),
             (reference.accepted, now["total_accepted"]), (reference.uphill, now["total_uphill"]),
             (reference.temperature, now["temperature"])]
    return (all(ours == theirs for ours, theirs in books) and bytes(reference.cells) == run.state.cells.tobytes()
            and bytes(reference.best_cells) == run.state.best.tobytes())
