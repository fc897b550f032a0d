"""Experiments for the tests of the bench, and results that are made up: no clock, no solver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.bench.experiment import Experiment, Trial
from engine.bench.experiment_file import parse, work_out
from engine.bench.store import Store
from engine.bench.trial import Point, Result
from tui.screens.bench.results import Results, ResultsQuery, compute

TINY = work_out(parse("""
name = "tiny"
about = "Does it compare?"
runs = 2
max_steps = 2000
puzzles = [{ sources = ["4x4:1", "4x4:2"] }, { group = "nine", sources = ["easy:1"] }]
solvers = [{ solver = "backtrack" }, { solver = "hill-climb", label = "climb" }]
""", "tiny"), "tiny")
"""Made in a moment: small boards, few steps."""

MAP = work_out(parse("""
name = "map"
runs = 4
max_steps = 1000000
puzzles = [{ group = "easy", sources = ["easy:1", "easy:2"] }, { group = "hard", sources = ["hard:1"] }]
[[solvers]]
solver = "anneal"
label = "cold"
sweep = { T0 = [0.5, 1.0, 2.0], alpha = [0.9, 0.99] }
[[solvers]]
solver = "backtrack-mrv"
""", "map"), "map")
"""A heat map of 3 x 2, and one more solver."""


def invented(experiment: Experiment, made: int | None = None) -> Iterator[tuple[Trial, Result]]:
    """Results of the first `made` trials, which follow from their numbers: later contenders solve more, in less."""
    for number, trial in enumerate(experiment.trials()):
        if made is not None and number >= made:
            return
        hardness = (7 * trial.problem + 3 * trial.seed + 5) % 11
        solved = hardness <= 2 + 2 * trial.contender
        steps = 1000 * (hardness + 1) * (len(experiment.contenders) - trial.contender) if solved else 1_000_000
        left = 0 if solved else 2 + hardness % 5
        curve = (Point(0, 1, 40), Point(10, 11, 30), Point(100, 101, 12 + left), Point(steps, steps + 1, left))
        problem = experiment.problems[trial.problem]
        yield trial, Result("solved" if solved else "gave_up", not solved, left, left, steps, steps + 1, 0,
                            steps / 1e6, steps / 1e6, "", problem.line, curve)


def stored(folder: Path, experiment: Experiment, made: int | None = None) -> Path:
    """A store with invented results."""
    path = folder / "results.sqlite"
    with Store(path) as store:
        store.keep(experiment, invented(experiment, made))
    return path


def invented_results(folder: Path, experiment: Experiment, made: int | None = None) -> Results:
    """Tables and curves of invented trials."""
    with Store(stored(folder, experiment, made)) as store:
        return compute(experiment, store, ResultsQuery())
