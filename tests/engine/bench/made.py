"""Trials that are made up: an experiment and results, without a solver being run."""

from __future__ import annotations

from collections.abc import Iterable

from engine import params, registry
from engine.bench.experiment import Contender, Experiment, Problem, Trial
from engine.bench.trial import Point, Result
from engine.run.solve import Limits

EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
NASTY = "<b>\"a\" & 'b'</b> | *c* _d_"


def contender(label: str = "slow", solver: str = "anneal", **sweep: float) -> Contender:
    """A contender with the defaults of its solver, except for swept parameters."""
    swept = "".join(f" {name}={params.written(value)}" for name, value in sweep.items())
    made = registry.solver(solver).make_params(None, sweep)
    return Contender(label + swept, solver, params.to_dict(made), sweep)


def experiment(contenders: Iterable[Contender], runs: int = 2, limits: Limits | None = None,
               groups: tuple[str, ...] = ("easy", "hard"), xs: tuple[float | None, ...] = (None, None)) -> Experiment:
    """Two puzzles."""
    lines = (EASY.replace("0", "."), HARD)
    problems = tuple(Problem(group, f"{group} 1", line, "classic", x)
                     for group, line, x in zip(groups, lines, xs, strict=True))
    return Experiment("try", "Is it so?", tuple(contenders), problems, runs, 0, limits or Limits(steps=1000))


def solved(steps: int, seconds: float = 0.25) -> Result:
    """E falls from 9 to 0."""
    curve = (Point(0, 1, 9), Point(1, 2, 8), Point(steps, 2 * steps, 0))
    return Result("solved", False, 0, 0, steps, 2 * steps, 0, seconds, seconds, "E = 0", "1" * 81, curve)


def cut(steps: int = 1000, seconds: float = 0.5, energy: int = 4) -> Result:
    """Ended by a limit."""
    curve = (Point(0, 1, 9), Point(1, 2, 8), Point(steps, 2 * steps, energy))
    return Result("gave_up", True, energy, energy + 1, steps, 2 * steps, 1, seconds, seconds, "the limit is reached",
                  "1" * 81, curve)


def gave_up(steps: int = 10) -> Result:
    """Ended by its solver without a solution."""
    return Result("gave_up", False, 6, 7, steps, steps, 3, 0.01, 0.01, "stuck", "1" * 81, (Point(0, 1, 9),))


REFUSED = Result("refused", False, 0, 0, 0, 0, 0, 0.0, 0.0, "too large", "1" * 81)


def results(whole: Experiment, *made: Result) -> list[tuple[Trial, Result]]:
    """The first trials of an experiment with these results."""
    return list(zip(whole.trials(), made, strict=False))
