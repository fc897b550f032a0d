"""An experiment: contenders (a solver with parameters), problems (a puzzle in its group), seeds, and one limit.

It is expanded completely before the first trial, so that its size is known and all errors are reported at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine import registry
from engine.params import Value
from engine.puzzle import Puzzle, Variant
from engine.run.solve import Limits
from engine.solver import AnySolver

LimitKind = Literal["steps", "evaluations", "seconds", "none"]
ReportKind = Literal["table", "curve", "heatmap"]


class Contender(Struct, frozen=True):
    """A solver with all its parameters, under the name that tables give it."""

    label: str
    solver: str
    params: Mapping[str, Value]
    """All of them, by name, so that a change of a default cannot change what a row means."""
    sweep: Mapping[str, Value] = {}
    """Of these, the ones that a sweep varies: the axes of charts and heat maps."""

    def load(self) -> tuple[AnySolver, Any]:
        """The solver and its parameters."""
        solver = registry.solver(self.solver)
        return solver, solver.make_params(None, self.params)


class Problem(Struct, frozen=True):
    """A puzzle, and the group that tables count it in."""

    group: str
    name: str
    line: str
    variant: Variant = "classic"
    x: float | None = None
    """The position of its group on an axis (the share of givens), if the groups are points of a curve."""

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle.from_line(self.line, self.variant)


class SheetFigure(Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of the exercise sheet that an experiment answers, to be shown beside the measured one."""

    puzzles: str
    """The group it is about; "" for all."""
    figure: str
    """As the sheet has it: `3 / 5, mean 5.1 s`."""
    solver: str = ""
    """The label of the contender; "" for every one."""


class Trial(Struct, frozen=True):
    """One run: a contender on a problem with a seed. The numbers are places in the experiment."""

    contender: int
    problem: int
    seed: int


class Experiment(Struct, frozen=True):
    """All of it. `limits` has at most one limit, and it holds for every trial."""

    name: str
    about: str
    contenders: tuple[Contender, ...]
    problems: tuple[Problem, ...]
    runs: int
    """Each contender tries each problem with the seeds seed, seed + 1, ..., seed + runs - 1."""
    seed: int
    limits: Limits
    report: ReportKind = "table"
    """The first view of the results: `table`, `curve` (success against x), `heatmap` (two swept parameters)."""
    left_out: tuple[str, ...] = ()
    """The reasons, as sentences, for the optional solvers that cannot run here."""

    by_puzzle: bool = False
    """True if tables are also given puzzle by puzzle."""
    sheet: tuple[SheetFigure, ...] = ()
    difference: str = ""
    """A sentence or two on where the figures of the sheet differ from the measured ones, and why."""

    part_of: str = ""
    """The name of the experiment that this one is a part of, and the prefix of its own; "" if it is no part."""

    @property
    def whole(self) -> str:
        """The name under which results are stored."""
        return self.part_of or self.name

    @property
    def size(self) -> int:
        """Trials."""
        return len(self.contenders) * len(self.problems) * self.runs

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of the problems, in the order of their first problem."""
        return tuple(dict.fromkeys(problem.group for problem in self.problems))

    @property
    def limit(self) -> tuple[LimitKind, float]:
        """The unit and amount of the limit."""
        limits = self.limits
        if limits.steps is not None:
            return "steps", limits.steps
        if limits.evaluations is not None:
            return "evaluations", limits.evaluations
        return ("none", 0) if limits.seconds is None else ("seconds", limits.seconds)

    @property
    def repeatable(self) -> bool:
        """True if every trial has the same result on every machine: not with a limit in seconds."""
        return self.limits.seconds is None

    def trials(self) -> Iterator[Trial]:
        """All trials, seed by seed, so that partial results are spread over contenders and problems."""
        for run in range(self.runs):
            for problem in range(len(self.problems)):
                for contender in range(len(self.contenders)):
                    yield Trial(contender, problem, self.seed + run)

    def key(self, trial: Trial) -> str:
        """The identity of a trial, 32 hexadecimal digits: trials with equal keys have equal results (unless limited by
        seconds)."""
        said = _said_of_contender(self.contenders[trial.contender]) + _said_of_problem(self.problems[trial.problem])
        return _digest(said, trial.seed, self._said_last())

    def trial_keys(self) -> Iterator[str]:
        """The key of each trial, in the order of `trials`."""
        contenders, problems = map(_said_of_contender, self.contenders), list(map(_said_of_problem, self.problems))
        said = [[contender + problem for problem in problems] for contender in contenders]
        last = self._said_last()
        for run in range(self.runs):
            for problem in range(len(problems)):
                for contender in said:
                    yield _digest(contender[problem], self.seed + run, last)

    def _said_last(self) -> bytes:
        return b"," + msgspec.json.encode(list(self.limit)) + b"]"


def _said_of_contender(contender: Contender) -> bytes:
    """The beginning of the JSON list that identifies a trial."""
    version, params = registry.solver(contender.solver).oldest_version(contender.params)
    return msgspec.json.encode([contender.solver, version, sorted(params.items())])[:-1] + b","


def _said_of_problem(problem: Problem) -> bytes:
    return msgspec.json.encode([problem.line, problem.variant])[1:-1] + b","


def _digest(said: bytes, seed: int, last: bytes) -> str:
    return hashlib.blake2b(b"%b%d%b" % (said, seed, last), digest_size=16).hexdigest()
