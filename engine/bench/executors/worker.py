"""Run batches of trials in this thread."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Final

from engine.bench.experiment import Experiment, Trial
from engine.bench.trial import Loaded, Result, run_trial
from engine.compiled import cache, kernel
from engine.run.solve import Pace

Finished = list[tuple[Trial, Result]]
BatchResult = tuple[Finished, Sequence[Trial]]
"""The results of a batch, and its unstarted trials."""

BATCH_SECONDS: Final = 0.25
"""Target duration of a batch in seconds; the remaining trials are returned then."""


class WorkerDied(Exception):
    """A worker ended or was killed during a batch: the whole batch must be run again."""


class WorkerNeverStarted(WorkerDied):
    """A worker ended before its first batch."""


class Worker:
    """Runs trials of one experiment; keeps what they share, as compiled solvers and their pace."""

    def __init__(self, experiment: Experiment, stopped: Callable[[], bool]) -> None:
        """`stopped` returns True to cancel the running trial."""
        self.experiment = experiment
        self._loaded = Loaded(experiment)
        self._stopped = stopped
        self._paces: dict[int, Pace] = {}
        self._warm: set[tuple[int, int, str]] = set()

    def single(self, trial: Trial) -> Result | None:
        """The result of a trial; None if it was cancelled."""
        self._warm_up(trial)
        if self._stopped():
            return None
        pace = self._paces.setdefault(trial.contender, Pace())
        result = run_trial(self._loaded, trial, pace, self._stopped)
        return None if self._stopped() else result

    def batch(self, trials: Sequence[Trial]) -> BatchResult:
        """(results, trials not started): at least one result, unless it is stopped."""
        until = time.monotonic() + BATCH_SECONDS
        finished: Finished = []
        for place, trial in enumerate(trials):
            if place and (time.monotonic() >= until or self._stopped()):
                return finished, trials[place:]
            result = self.single(trial)
            if result is None:
                return finished, trials[place:]
            finished.append((trial, result))
        return finished, ()

    def _warm_up(self, trial: Trial) -> None:
        """Compile before the clock of a trial runs: once for each contender and shape of board. Of several workers that
        need the same solver one compiles, the others wait and load its result."""
        puzzle = self._loaded.puzzle(trial.problem)
        shape = trial.contender, puzzle.box, puzzle.variant
        if shape in self._warm:
            return
        self._warm.add(shape)
        name = self.experiment.contenders[trial.contender].solver
        with contextlib.suppress(Exception), _one_at_a_time(name):
            # an error here occurs in the trial as well, which reports it
            solver, params = self._loaded.contender(trial.contender)
            solver.warm_up(puzzle, params)


def _one_at_a_time(solver: str) -> contextlib.AbstractContextManager[object]:
    folder = kernel.cache_directories().own
    return contextlib.nullcontext() if folder is None else cache.write_lock(folder, f"{solver}.lock")
