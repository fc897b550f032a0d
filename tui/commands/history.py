"""`solve --history`: the chart data of a run as CSV, a row at the end of each period."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from engine.errors import BadInput, ParameterError
from engine.files import access
from tui.i18n import _

if TYPE_CHECKING:
    from types import TracebackType

    from engine.events import Event
    from engine.run.cursor import Cursor
    from engine.run.run import Run
    from engine.solver import Advanced, AnySolver, Outcome

STDOUT = "-"


def refuse(solver: AnySolver) -> None:
    """Raise ParameterError for a solver whose runs have no periods."""
    if not solver.period_kind:
        raise ParameterError(_("--history: a run of {solver} is not divided into periods; expected a solver that "
                               "counts plateaus, generations, epochs, guesses, decisions, dead ends, eliminations, "
                               "findings or UNSAT").format(
                                   solver=solver.name))


class History:
    """A CSV file that grows with a run.

    Columns: number of the period (named `plateau`, `epoch`, ...), step, the best E of a population, the solver's
    channels. Row 0 is the first state, row k the state after the step that ends period k: the first state of another
    attempt, if that begins in the same step. The last row is the end of the run, in the period that it was in. Missing
    values are empty.
    """

    def __init__(self, path: str, solver: AnySolver) -> None:
        """Raises BadInput if the file cannot be written."""
        refuse(solver)
        self._solver = solver
        self._number = 0
        self._population = False
        self._path = path
        self._file = _opened(path)

    def __enter__(self) -> History:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._file.flush()
        if self._path != STDOUT:
            self._file.close()

    def follow(self, walk: Cursor | Run) -> FollowedWalk:
        """Wrap a run so that each of its periods is written."""
        self._population = self._solver.individuals(walk.state) > 0
        word = self._solver.period_word.replace(" ", "_")
        keys = [channel.key for channel in self._solver.channels]
        self._write(word, "step", *(("E",) if self._population else ()), *keys)
        self._row(walk, 0)
        return FollowedWalk(walk, self)

    def period(self, walk: Cursor | Run) -> None:
        """Write the end of a period."""
        self._number += 1
        self._row(walk, self._number)

    def end(self, walk: Cursor | Run) -> None:
        """Write the end of the run, within a period."""
        self._row(walk, self._number + 1)

    def _row(self, walk: Cursor | Run, number: int) -> None:
        sample = self._solver.sample(walk.state, walk.params)
        best = (walk.state.energy,) if self._population else ()
        self._write(number, walk.state.step, *best, *map(_written, sample))

    def _write(self, *values: object) -> None:
        try:
            self._file.write(",".join(str(value) for value in values) + "\n")
        except OSError as error:
            if self._path == STDOUT and isinstance(error, BrokenPipeError):
                raise
            raise _refused(self._path, error) from None


class FollowedWalk:
    """A run that halts at the end of each period to write it."""

    def __init__(self, walk: Cursor | Run, history: History) -> None:
        from engine.breakpoints import Stop

        self._walk, self._history = walk, history
        self._stop = Stop(frozenset({walk.solver.period_kind}))
        self._noted = 0

    @property
    def solver(self) -> AnySolver:
        return self._walk.solver

    @property
    def state(self) -> Any:
        return self._walk.state

    @property
    def params(self) -> Any:
        return self._walk.params

    @property
    def outcome(self) -> Outcome | None:
        return self._walk.outcome

    def best(self) -> tuple[tuple[int, ...], int]:
        return self._walk.best()

    def advance(self, n: int) -> Advanced:
        from engine.solver import Advanced

        made, reason = 0, "steps"
        rare: list[Event] = []
        while made < n and reason != "done":
            result = self._walk.advance(n - made, self._stop)
            made += result.steps
            rare += result.rare
            reason = result.reason
            if reason == "stop":
                self._history.period(self._walk)
                self._noted = self.state.step
            elif reason == "steps":
                break
        return Advanced(made, "done" if reason == "done" else "steps", tuple(rare))

    def finish(self) -> None:
        """Write the end of the run, unless a period ended there."""
        if self.state.step > self._noted:
            self._history.end(self._walk)


def _written(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() else repr(value)


def _opened(path: str) -> TextIO:
    if path == STDOUT:
        return sys.stdout
    try:
        if os.path.isdir(access.checked(path)):
            raise IsADirectoryError(21, os.strerror(21))
        return access.open_text(path, "w")  # closed by __exit__
    except access.Refused:
        raise
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None


def _refused(path: str, error: Exception) -> BadInput:
    why = getattr(error, "strerror", None) or str(error)
    return BadInput(_("cannot write the history to {path}: {why}").format(path=path, why=why))
