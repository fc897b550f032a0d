"""Results by column instead of by trial, the input of statistics and tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from engine.bench.experiment import Experiment, Trial
from engine.bench.trial import Result
from engine.events import Status

Measure = Literal["steps", "evaluations", "seconds"]
"""A measure of a run."""
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
STATUSES: Final = (*get_args(Status), "refused", "failed")
"""The words of the codes in a column of statuses."""
SOLVED: Final = STATUSES.index("solved")
GAVE_UP: Final = STATUSES.index("gave_up")
REFUSED: Final = STATUSES.index("refused")
FAILED: Final = STATUSES.index("failed")

Column = NDArray[Any]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """Trials and their results, all columns of the same length, in the order of `Experiment.trials`."""

    contender: Column
    """int32: places in the experiment, as `problem`."""
    problem: Column
    seed: Column
    """int64, as `energy` and what follows it unless said otherwise."""
    status: Column
    """int8: places in STATUSES."""
    censored: Column
    """bool: a limit ended the trial."""
    energy: Column
    errors: Column
    steps: Column
    evaluations: Column
    restarts: Column
    seconds: Column
    """float64, as `cpu`."""
    cpu: Column

    def __len__(self) -> int:
        return len(self.contender)

    @property
    def solved(self) -> Bools:
        """By trial."""
        return np.equal(self.status, SOLVED)

    @property
    def refused(self) -> Bools:
        """By trial: True if its solver does not take its puzzle."""
        return np.equal(self.status, REFUSED)

    def of(self, measure: Measure) -> Column:
        """The measure of each trial, as float64."""
        column: Column = getattr(self, measure)
        return column.astype(np.float64)

    def only(self, which: Column) -> Columns:
        """The trials at these places, or those where a column of bools is true."""
        return Columns(*(getattr(self, each.name)[which] for each in fields(self)))


RESULT: Final = ("status", "censored", "energy", "errors", "steps", "evaluations", "restarts", "seconds", "cpu")
"""The columns of a result, as `typed` takes them."""
_TYPES: Final = (np.int8, np.bool_, np.int64, np.int64, np.int64, np.int64, np.int64, np.float64, np.float64)


def typed(rows: Iterable[tuple[Any, ...]]) -> list[Column]:
    """Rows of the values named in RESULT as columns; a status is written as its word."""
    columns = list(zip(*rows, strict=True)) or [()] * len(RESULT)
    columns[0] = tuple(STATUSES.index(status) for status in columns[0])
    return [np.array(column, kind) for column, kind in zip(columns, _TYPES, strict=True)]


def gather(made: Iterable[tuple[Trial, Result]]) -> Columns:
    """Results in memory as columns, in their order."""
    pairs = list(made)
    places = [(trial.contender, trial.problem) for trial, _ in pairs]
    numbers = np.array(places, np.int32).reshape(-1, 2)
    seeds = np.array([trial.seed for trial, _ in pairs], np.int64)
    results = typed(tuple(getattr(result, name) for name in RESULT) for _, result in pairs)
    return Columns(numbers[:, 0], numbers[:, 1], seeds, *results)


def all_trials(experiment: Experiment) -> tuple[Column, Column, Column]:
    """Contender, problem and seed of every trial of an experiment, in their order."""
    contenders, problems = len(experiment.contenders), len(experiment.problems)
    numbers = np.arange(experiment.size)
    return ((numbers % contenders).astype(np.int32), (numbers // contenders % problems).astype(np.int32),
            experiment.seed + numbers // (contenders * problems))
