"""Success rate and time of annealing: outside lists of hard puzzles, or the shipped extreme pack."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from pathlib import Path

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import Malformed, read_path
from engine.solver import AnySolver
from tests.bench.result import Options, Result, absent, at_least, at_most

PACK = "extreme"
"""The shipped pack used without an outside list."""
CANDIDATES = (("anneal", "strong", 0.040, 5.0), ("anneal-propagate", None, 0.010, 1.0))
"""Solver, preset, budgets in seconds: median and worst."""
GIVEN_UP = 30.0
"""A run that takes longer, in seconds, counts as unsolved."""
CHUNK = 2**18


def measure(options: Options) -> Iterable[Result]:
    sources = [(path.stem, read(path)) for path in options.lists]
    if not sources:
        sources = [(f"pack {PACK}", [record.puzzle for record in packs.pack(PACK)[:11]])]
    return [result for name, puzzles in sources for result in _on(name, puzzles, 3 if options.quick else 20)]


def read(path: Path) -> list[Puzzle]:
    """The 9x9 puzzles of a list; none where there is no such file."""
    if not path.is_file():
        return []
    records = [item for item in read_path(path) if not isinstance(item, Malformed)]
    return [record.puzzle for record in records if record.puzzle.n == 9 and record.puzzle.variant == "classic"]


def _on(source: str, puzzles: list[Puzzle], seeds: int) -> list[Result]:
    if not puzzles:
        return [absent(f"solving {source}", "100 %", "no such file, or no 9x9 puzzle in it: give a list with --list")]
    results = []
    for name, preset, median, worst in CANDIDATES:
        results += _judged(f"{name} on {source}", name, preset, puzzles, seeds, (median, worst))
    return results


def _judged(what: str, name: str, preset: str | None, puzzles: list[Puzzle], seeds: int,
            budgets: tuple[float, float]) -> list[Result]:
    """Solve every puzzle with every seed; budgets in seconds: median and worst."""
    solver = registry.solver(name)
    params = solver.make_params(preset)
    solver.warm_up()
    _seconds(solver, params, puzzles[0], 0)
    taken = [_seconds(solver, params, puzzle, seed) for puzzle in puzzles for seed in range(seeds)]
    solved = [each for each in taken if each is not None]
    runs = f"{len(puzzles)} puzzles × {seeds} seeds, {len(taken) - len(solved)} unsolved after {GIVEN_UP:g} s"
    if not solved:
        return [absent(what, "100 %", runs)]
    return [
        at_least(f"{what}: solved", 100 * len(solved) / len(taken), 100, "%", runs),
        at_most(f"{what}: median", 1000 * statistics.median(solved), 1000 * budgets[0], "ms"),
        at_most(f"{what}: worst", 1000 * max(solved), 1000 * budgets[1], "ms"),
    ]


def _seconds(solver: AnySolver, params: object, puzzle: Puzzle, seed: int) -> float | None:
    """Seconds from the puzzle to its solution, or None."""
    begun = time.perf_counter()
    state = solver.init(puzzle, params, seed)
    while solver.outcome(state) is None and time.perf_counter() - begun < GIVEN_UP:
        solver.advance(state, params, CHUNK)
    taken = time.perf_counter() - begun
    outcome = solver.outcome(state)
    return taken if outcome is not None and outcome.status == "solved" else None
