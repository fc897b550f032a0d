"""How often populations and tabu search solve what: the known easy and hard instances and some of each pack, with a
fixed budget in steps for each solver, so that the table is the same on every machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine import packs, registry
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from tests.bench.result import Options, Result, at_least

KNOWN = {"easy": 4, "hard": 3}
"""Puzzles at the head of a pack that are known instances of the literature."""
PACKS = ("easy", "medium", "hard", "extreme", "4x4", "diagonal")
FROM_PACK = 3
"""So many of each pack follow them."""
SEEDS, PACK_SEEDS = 20, 3
STEPS = {"ga-cells": 300_000, "ga-rows": 1_000_000, "ga-ordered": 3_000_000, "ga-memetic": 100_000}
"""Steps that a run may take; OTHERWISE where a solver is not named."""
OTHERWISE = 1_000_000
SECONDS = 40.0
"""What a solver may take for all its runs on one set; the seeds that did not come to their turn are told."""
FLOORS = {("ga-ordered", "known easy"): 100.0, ("swarm", "known easy"): 100.0, ("ga-memetic", "known hard"): 100.0}
"""Per cent that are to be solved, where something was promised."""


@dataclass(frozen=True)
class Tried:
    """What became of the runs on a set of puzzles."""

    solved: int
    runs: int
    wanted: int
    steps: list[int]
    seconds: list[float]


def measure(options: Options) -> Iterable[Result]:
    for name in solvers():
        for label, puzzles, seeds in sets(options):
            yield _row(name, label, tried(registry.solver(name), puzzles, seeds, SECONDS))


def solvers() -> tuple[str, ...]:
    """All populations that are registered, and tabu search."""
    found = [name for name in registry.names() if registry.solver(name).family == "population"]
    return (*found, *(["tabu"] if "tabu" in registry.names() else []))


def sets(options: Options) -> Iterator[tuple[str, list[Puzzle], int]]:
    """(label, puzzles, seeds)."""
    for name, count in KNOWN.items():
        yield f"known {name}", _some(name, 0, count), 3 if options.quick else SEEDS
    if not options.quick:
        for name in PACKS:
            yield f"pack {name}", _some(name, KNOWN.get(name, 0), FROM_PACK), PACK_SEEDS


def _some(name: str, first: int, count: int) -> list[Puzzle]:
    return [record.puzzle for record in packs.pack(name)[first : first + count]]


def tried(solver: AnySolver, puzzles: list[Puzzle], seeds: int, seconds: float) -> Tried:
    """Every puzzle with every seed, seed by seed, until the time is up."""
    steps: list[int] = []
    taken: list[float] = []
    runs, end = 0, time.perf_counter() + seconds
    for seed in range(seeds):
        for puzzle in puzzles:
            if time.perf_counter() > end:
                continue
            runs += 1
            begun = time.perf_counter()
            state, params = _run(solver, puzzle, seed, end)
            outcome = solver.outcome(state)
            if outcome is not None and outcome.status == "solved":
                steps.append(state.step)
                taken.append(time.perf_counter() - begun)
            elif state.step < params.max_steps:
                runs -= 1  # the time was up: neither solved nor not
    return Tried(len(steps), runs, seeds * len(puzzles), steps, taken)


def _run(solver: AnySolver, puzzle: Puzzle, seed: int, end: float) -> tuple[Any, Any]:
    params = solver.make_params(None, {"max_steps": STEPS.get(solver.name, OTHERWISE)})
    state = solver.init(puzzle, params, seed)
    while solver.outcome(state) is None and time.perf_counter() < end:
        solver.advance(state, params, 64 * solver.checkpoint_stride)
    return state, params


def _row(name: str, label: str, found: Tried) -> Result:
    """A row of the table: what is not promised is only told."""
    budget = STEPS.get(name, OTHERWISE)
    said = f"{found.solved} of {found.runs} runs, at most {budget:,} steps each"
    if found.runs < found.wanted:
        said += f"; {found.wanted - found.runs} more had no time"
    if found.steps:
        said += (f"; median of the solved {statistics.median(found.steps):,.0f} steps, "
                 f"{statistics.median(found.seconds):.2g} s")
    share = 100 * found.solved / found.runs if found.runs else 0.0
    floor = FLOORS.get((name, label))
    if floor is not None:
        return at_least(f"{name} on {label}: solved", share, floor, "%", said)
    return Result(f"{name} on {label}: solved", f"{share:.4g} %", "-", None, (said,))
