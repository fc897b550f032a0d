"""What makes batches of trials, in this process or in one of its own."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from engine.drain import Pace
from engine.lab.experiment import Experiment, Trial
from engine.lab.trial import Result, run_trial

Finished = list[tuple[Trial, Result]]

BATCH_SECONDS: Final = 0.25
"""What a batch should take: what is left of it by then goes back."""


class Worker:
    """Makes trials of one experiment; what takes getting used to (compiled code, the pace of a solver) it keeps."""

    def __init__(self, experiment: Experiment, stopped: Callable[[], bool]) -> None:
        """`stopped` says whether to give up what is under way."""
        self.experiment = experiment
        self._stopped = stopped
        self._paces: dict[int, Pace] = {}
        self._warm: set[tuple[int, int, str]] = set()

    def single(self, trial: Trial) -> Result | None:
        """The result of a trial; None if it was given up."""
        self._warm_up(trial)
        pace = self._paces.setdefault(trial.contender, Pace())
        result = run_trial(self.experiment, trial, pace, self._stopped)
        return None if self._stopped() else result

    def batch(self, trials: Sequence[Trial]) -> tuple[Finished, Sequence[Trial]]:
        """(results, trials that were not begun): at least one result, unless it is stopped."""
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
        """Compile before the clock of a trial runs: once for each contender and shape of board."""
        puzzle = self.experiment.problems[trial.problem].puzzle
        shape = trial.contender, puzzle.box, puzzle.variant
        if shape not in self._warm:
            self._warm.add(shape)
            solver, params = self.experiment.contenders[trial.contender].load()
            solver.warm_up(puzzle, params)


_mine: list[Worker] = []
"""The worker of this process, if it is one."""


def begin(experiment: Experiment, stopped: Callable[[], bool]) -> None:
    """Make this process a worker, which ends when the process that started it does."""
    _mine[:] = [Worker(experiment, stopped)]
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), name="parent", daemon=True).start()


def _end_with(gone: Callable[[], None]) -> None:
    gone()
    os._exit(1)


def make(trials: Sequence[Trial]) -> tuple[Finished, Sequence[Trial]]:
    """A batch, in a process that is a worker."""
    return _mine[0].batch(trials)
