"""Trials as CSV and JSON lines for other programs. A row holds everything needed to repeat its trial,
if its solver can repeat one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final

import msgspec

from engine import registry
from engine.bench.experiment import Contender, Experiment, Problem, Trial
from engine.bench.store import Store
from engine.bench.trial import Result
from engine.run import recipe
from engine.run.recipe import Recipe

HEADINGS: Final = ("experiment", "label", "solver", "group", "problem", "seed", "status", "censored", "energy",
                   "errors", "steps", "evaluations", "restarts", "seconds", "cpu", "reason", "limit", "limit_amount",
                   "x", "params", "trajectory", "variant", "puzzle", "grid", "recipe")
"""The columns of a CSV file and, with `curve`, the keys of a line of JSON."""
CONVERGENCE: Final = ("experiment", "label", "group", "problem", "seed", "step", "evaluations", "best")


class Rows:
    """Trials of one experiment as rows."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._contenders = [(each, msgspec.json.encode(each.params, order="sorted").decode(),
                             registry.solver(each.solver).trajectory) for each in experiment.contenders]
        self._recipes: dict[tuple[int, str], tuple[str, str] | None] = {}

    def row(self, trial: Trial, result: Result) -> tuple[Any, ...]:
        """The values named in HEADINGS."""
        contender, params, trajectory = self._contenders[trial.contender]
        problem = self._experiment.problems[trial.problem]
        limit, amount = self._experiment.limit
        return (self._experiment.name, contender.label, contender.solver, problem.group, problem.name, trial.seed,
                result.status, result.censored, result.energy, result.errors, result.steps, result.evaluations,
                result.restarts, result.seconds, result.cpu, result.reason, limit, amount, problem.x, params,
                trajectory, problem.variant, problem.line, result.grid, self._recipe(trial, contender, problem))

    def _recipe(self, trial: Trial, contender: Contender, problem: Problem) -> str:
        """The run as one line; "" where it does not follow from its recipe."""
        key = trial.contender, problem.variant
        if key not in self._recipes:
            self._recipes[key] = _around_seed(contender, problem)
        around = self._recipes[key]
        return f"{problem.line}?{around[0]}{trial.seed}{around[1]}" if around else ""


def _around_seed(contender: Contender, problem: Problem) -> tuple[str, str] | None:
    """The parts of a recipe's query before and after the seed: the same for every puzzle of a variant."""
    if registry.solver(contender.solver).recorded:
        return None
    line = recipe.line(Recipe(problem.puzzle, contender.solver, dict(contender.params), 0))
    entries = line.partition("?")[2].split("&")
    at = entries.index("seed=0")
    return "&".join([*entries[:at], "seed="]), "".join(f"&{entry}" for entry in entries[at + 1:])


def write_csv(experiment: Experiment, store: Store, file: BinaryIO, headings: bool = True) -> None:
    """A row a trial, under the names of the columns (with `headings`)."""
    rows = Rows(experiment)
    _write_csv(file, HEADINGS if headings else (), (_plain(rows.row(*each)) for each in store.results(experiment)))


def _plain(row: tuple[object, ...]) -> Iterator[object]:
    """Booleans as yes and no, which no program that reads CSV takes for something else."""
    return ("yes" if value is True else "no" if value is False else value for value in row)


def write_convergence(experiment: Experiment, store: Store, file: BinaryIO, headings: bool = True) -> None:
    """A row a point of the convergence curve of each trial, under the names of the columns (with `headings`)."""
    _write_csv(file, CONVERGENCE if headings else (), _points(experiment, store))


def _points(experiment: Experiment, store: Store) -> Iterator[tuple[object, ...]]:
    for trial, curve in store.curves(experiment):
        problem = experiment.problems[trial.problem]
        label = experiment.contenders[trial.contender].label
        first = (experiment.name, label, problem.group, problem.name, trial.seed)
        yield from ((*first, *point) for point in curve)


def _write_csv(file: BinaryIO, headings: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    if headings:
        writer.writerow(headings)
    writer.writerows(rows)
    text.detach()


def write_jsonl(experiment: Experiment, store: Store, file: BinaryIO) -> None:
    """A line a trial: an object with the names of the columns and `curve`, a list of [step, evaluations, best]."""
    rows, encode = Rows(experiment), msgspec.json.Encoder().encode
    for trial, result in store.results(experiment, curves=True):
        values = dict(zip(HEADINGS, rows.row(trial, result), strict=True))
        values["params"] = msgspec.Raw(values["params"].encode())
        file.write(encode({**values, "curve": result.curve}) + b"\n")
