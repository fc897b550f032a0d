"""One trial: a run from its recipe to its end or its limit, and the stored result."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct

from engine import energy
from engine.bench.experiment import Experiment, Trial
from engine.errors import BadInput, NotEnoughMemory
from engine.events import Status
from engine.puzzle import Puzzle, line_of, refuse_clashes
from engine.run.cursor import Cursor
from engine.run.solve import Pace, Walk, solve
from engine.solver import AnySolver

MILESTONES: Final = tuple(digit * 10**power for power in range(12) for digit in (1, 2, 5))
"""Steps at which the best E is sampled: the points of a convergence curve."""
FEWER: Final = tuple(step for step in MILESTONES if step >= 10**6 or (step > 1000 and str(step)[0] != "1"))
"""The milestones of solvers with one candidate a step, which takes some nanoseconds; a point takes 40 µs."""
KEPT: Final = 4096
"""Puzzles and contenders in the cache."""
LONGEST: Final = 500
"""Most characters of the reason of a failed trial."""


class Point(Struct, frozen=True, array_like=True):
    """A point of a convergence curve."""

    step: int
    evaluations: int
    best: int
    """The least E so far, by the solver's own count."""


class Result(Struct, frozen=True):
    """The result of a trial."""

    status: Status | Literal["refused", "failed"]
    """`refused`: the solver does not take this puzzle. `failed`: a defect of the solver, described by `reason`."""
    censored: bool
    """A limit ended it: how long it would have taken is not known."""
    energy: int
    """E of the returned grid, by the solver's own count."""
    errors: int
    """The course's count: values repeated in rows, columns and boxes, plus changed givens."""
    steps: int
    evaluations: int
    restarts: int
    seconds: float
    """Wall-clock time."""
    cpu: float
    """Seconds of processor time of the thread that made the run (of the process, where a step is made in a thread of
    its own)."""
    reason: str
    grid: str
    """The returned grid, as a line."""
    curve: tuple[Point, ...] = ()


def never() -> bool:
    """The default: never cancelled."""
    return False


class Loaded:
    """Cache of the contenders and puzzles built from an experiment."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.contender = lru_cache(KEPT)(self._contender)
        self.puzzle = lru_cache(KEPT)(self._puzzle)
        self.checked_puzzle = lru_cache(KEPT)(self._checked_puzzle)

    def _contender(self, number: int) -> tuple[AnySolver, Any]:
        return self.experiment.contenders[number].load()

    def _puzzle(self, number: int) -> Puzzle:
        return self.experiment.problems[number].puzzle

    def _checked_puzzle(self, number: int) -> Puzzle:
        """The puzzle. Raises PuzzleError if its givens contradict each other, as all commands that run a solver do."""
        puzzle = self.puzzle(number)
        refuse_clashes(puzzle)
        return puzzle


def run_trial(loaded: Loaded, trial: Trial, pace: Pace, cancelled: Callable[[], bool] = never) -> Result:
    """Run a trial. A solution is checked before it counts. An error of the solver becomes its result, so that the other
    trials continue."""
    try:
        return _run(loaded, trial, pace, cancelled)
    except Exception as error:  # a solver, which may be another package's, may raise anything
        why = " ".join(str(error).split())
        return without_run(loaded.experiment, trial, "failed", f"{type(error).__name__}: {why}" if why else repr(error))


def without_run(experiment: Experiment, trial: Trial, status: Literal["refused", "failed"], reason: str) -> Result:
    """The result of a trial without a finished run."""
    puzzle = experiment.problems[trial.problem].puzzle
    return Result(status, False, 0, energy.errors(puzzle, puzzle.givens), 0, 0, 0, 0.0, 0.0, reason[:LONGEST],
                  puzzle.line)


def _run(loaded: Loaded, trial: Trial, pace: Pace, cancelled: Callable[[], bool]) -> Result:
    solver, params = loaded.contender(trial.contender)
    try:
        puzzle = loaded.checked_puzzle(trial.problem)
        walk = Cursor(solver, solver.init(puzzle, params, trial.seed), params)
    except NotEnoughMemory:
        raise
    except BadInput as refused:
        return without_run(loaded.experiment, trial, "refused", str(refused))
    curve = [_point(walk)]
    clock = time.process_time if solver.interruptible else time.thread_time

    milestones = MILESTONES if solver.most_evaluations(walk.state, params) > 1 else FEWER

    def watch(walk: Walk, elapsed: float) -> None:
        if walk.state.step in _MILESTONES:
            curve.append(_point(walk))

    began = clock()
    finish = solve(walk, loaded.experiment.limits, pace, cancelled, watch, milestones)
    cpu = clock() - began
    if finish.status == "solved" and not energy.is_solution(puzzle, finish.grid):
        raise AssertionError(f"{solver.name} calls a grid a solution that is none: {finish.grid}")
    if curve[-1].step < finish.steps:
        curve.append(_point(walk))
    return Result(finish.status, finish.cut, finish.energy, energy.errors(puzzle, finish.grid), finish.steps,
                  solver.evaluations(walk.state, params), finish.restarts, finish.seconds, cpu, finish.reason,
                  line_of(finish.grid), tuple(curve))


_MILESTONES = frozenset(MILESTONES)


def _point(walk: Walk) -> Point:
    return Point(walk.state.step, walk.solver.evaluations(walk.state, walk.params), walk.solver.best(walk.state)[1])
