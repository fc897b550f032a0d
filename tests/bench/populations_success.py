"""Success rates of populations and tabu search: the known easy and hard instances and some of each pack, with a fixed
budget in steps for each solver, so that the table is the same on every machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solver import AnySolver
from tests.bench.result import Options, Result, absent, at_least

KNOWN = {"easy": 4, "hard": 3}
"""Puzzles at the head of a pack that are known instances of the literature."""
PACKS = ("easy", "medium", "hard", "extreme", "4x4", "diagonal")
FROM_PACK = 3
"""Puzzles of each pack that follow them."""
SEEDS, PACK_SEEDS = 20, 3
STEPS = {"ga-cells": 300_000, "ga-rows": 1_000_000, "ga-ordered": 20_000_000, "ga-memetic": 400_000,
         "swarm": 25_000_000, "swarm-adaptive": 25_000_000, "swarm-anneal": 10_000_000}
"""Steps that a run may take, of the swarms all of their attempts; OTHERWISE where a solver is not named."""
OTHERWISE = 1_000_000
PROMISED_SECONDS, SECONDS = 120.0, 15.0
"""Time for all runs of a solver on a set, with and without a promised rate; runs that were not reached are counted."""
FLOORS = {("ga-ordered", "known easy"): 100.0, ("swarm", "known easy"): 100.0, ("ga-memetic", "known hard"): 100.0,
          ("swarm-anneal", "known easy"): 90.0, ("swarm-anneal", "known hard"): 90.0, ("tabu", "known easy"): 90.0,
          ("tabu", "known hard"): 90.0}
"""Promised success rates, in per cent."""


@dataclass
class Tried:
    """The results of the runs on a set of puzzles."""

    wanted: int
    runs: dict[str, int] = field(default_factory=dict)
    """By the label of the puzzle; `solved` likewise."""
    solved: dict[str, int] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    """Of the runs that solved; `seconds` likewise."""
    seconds: list[float] = field(default_factory=list)


Labelled = list[tuple[str, Puzzle]]


def measure(options: Options) -> Iterable[Result]:
    for name in solvers():
        for label, puzzles, seeds in sets(options):
            seconds = PROMISED_SECONDS if (name, label) in FLOORS and not options.quick else SECONDS
            yield _row(name, label, tried(registry.solver(name), puzzles, seeds, seconds))


def solvers() -> tuple[str, ...]:
    """All populations that are registered, and tabu search."""
    found = [name for name in registry.names() if registry.solver(name).family == "population"]
    return (*found, *(["tabu"] if "tabu" in registry.names() else []))


def sets(options: Options) -> Iterator[tuple[str, Labelled, int]]:
    """(label, puzzles, seeds)."""
    for name, count in KNOWN.items():
        yield f"known {name}", _some(name, 0, count), 3 if options.quick else SEEDS
    if not options.quick:
        yield "packs", [each for name in PACKS for each in _some(name, KNOWN.get(name, 0), FROM_PACK)], PACK_SEEDS


def _some(name: str, first: int, count: int) -> Labelled:
    return [(name, record.puzzle) for record in packs.pack(name)[first : first + count]]


def tried(solver: AnySolver, puzzles: Labelled, seeds: int, seconds: float) -> Tried:
    """Every puzzle with every seed, seed by seed, until the time is up."""
    params: Any = solver.make_params(None, {"max_steps": STEPS.get(solver.name, OTHERWISE)})
    solver.warm_up(puzzles[0][1], params)
    found, end = Tried(seeds * len(puzzles)), time.perf_counter() + seconds
    for seed in range(seeds):
        for label, puzzle in puzzles:
            if time.perf_counter() < end:
                _try(solver, (label, puzzle), (params, seed), end, found)
    return found


def _try(solver: AnySolver, labelled: tuple[str, Puzzle], chosen: tuple[Any, int], end: float, found: Tried) -> None:
    """One run, until `end`; a run that is neither solved nor at its budget by then does not count."""
    label, puzzle = labelled
    params, seed = chosen
    begun = time.perf_counter()
    state = solver.init(puzzle, params, seed)
    while solver.outcome(state) is None and time.perf_counter() < end:
        solver.advance(state, params, 64 * solver.checkpoint_stride)
    outcome = solver.outcome(state)
    if outcome is None:
        return
    found.runs[label] = found.runs.get(label, 0) + 1
    if outcome.status == "solved":
        found.solved[label] = found.solved.get(label, 0) + 1
        found.steps.append(state.step)
        found.seconds.append(time.perf_counter() - begun)


def _row(name: str, label: str, found: Tried) -> Result:
    """A row of the table; without a promised rate it has no budget."""
    runs, solved = sum(found.runs.values()), sum(found.solved.values())
    said = f"{solved} of {runs} runs, at most {STEPS.get(name, OTHERWISE):,} steps each"
    if len(found.runs) > 1:
        said += "; " + ", ".join(f"{each} {found.solved.get(each, 0)}/{count}" for each, count in found.runs.items())
    if runs < found.wanted:
        said += f"; {found.wanted - runs} more had no time"
    if found.steps:
        said += (f"; median of the solved {statistics.median(found.steps):,.0f} steps, "
                 f"{statistics.median(found.seconds):.2g} s")
    if not runs:
        return absent(f"{name} on {label}: solved", "-", said)
    share, floor = 100 * solved / runs, FLOORS.get((name, label))
    if floor is not None:
        return at_least(f"{name} on {label}: solved", share, floor, "%", said)
    return Result(f"{name} on {label}: solved", f"{share:.4g} %", "-", None, (said,))
