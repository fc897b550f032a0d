"""Runs an experiment in a thread; it can be paused, cancelled and resumed."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from engine.bench import bench
from engine.bench.executors.scheduling import ExecutorKind
from engine.bench.experiment import Experiment
from engine.bench.store import Store
from tui.background.threads import BackgroundThread

Stage = Literal["ready", "reading", "running", "paused", "cancelling", "cancelled", "done", "failed"]
"""`ready`: not begun. `reading`: looks up the stored results. `cancelled`: some trials are missing. `failed`: an error
ended it; see `BenchProgress.why`."""
ACTIVE: tuple[Stage, ...] = ("reading", "running", "paused", "cancelling")
TOO_MANY = 100_000
"""Trials of an experiment that does not start until the user starts it."""

FOR_ESTIMATE = 20
"""Trials that must have ended before the rest is estimated: the first ones wait for their solvers to be compiled."""


class BenchProgress(Struct, frozen=True):
    """The progress of an experiment."""

    stage: Stage = "ready"
    done: int = 0
    size: int = 0
    rate: float = 0.0
    """Trials a second since the start or the last resumption, without pauses."""
    why: str = ""
    settled: bool = True
    """Enough trials have ended for an estimate."""

    @property
    def left(self) -> float | None:
        """Estimated seconds to the end; None before enough trials have ended."""
        return (self.size - self.done) / self.rate if self.rate > 0 and self.settled else None


class ExperimentRunner(BackgroundThread):
    """Makes the trials of an experiment that are not stored yet."""

    name = "bench"
    patience = 2.0  # the workers look every few hundredths of a second whether to stop

    def __init__(self, parts: Sequence[Experiment], path: Path, how: ExecutorKind = "processes", jobs: int = 0,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """`path`: the store of the results. `jobs`: workers; 0: one a processor."""
        super().__init__()
        self.parts, self.path = tuple(parts), path
        self._how, self._jobs, self._clock = how, jobs, clock
        self._cancel, self._pause = threading.Event(), threading.Event()
        self._stage: Stage = "ready"
        self._done = self._fresh = 0
        self._why = ""
        self._active, self._since = 0.0, 0.0
        """Seconds of work before the last pause, and the time at which work went on."""

    # For the screen

    @property
    def size(self) -> int:
        """Trials of all parts."""
        return sum(part.size for part in self.parts)

    @property
    def progress(self) -> BenchProgress:
        stage = self._stage
        if stage == "running" and self._pause.is_set():
            stage = "paused"
        if stage in ACTIVE and self._cancel.is_set():
            stage = "cancelling"
        active = self._active + (self._clock() - self._since if stage == "running" else 0.0)
        rate = self._fresh / active if active > 0 else 0.0
        return BenchProgress(stage, self._done, self.size, rate, self._why, self._fresh >= FOR_ESTIMATE)

    def start(self) -> None:
        """Start, or resume with the missing trials."""
        if self._stage in ACTIVE:
            return
        self._cancel.clear()
        self._pause.clear()
        self._stage, self._fresh, self._active, self._why = "reading", 0, 0.0, ""
        super().start()

    def toggle(self) -> None:
        """Pause, continue, or start."""
        if self._stage not in ACTIVE:
            self.start()
        elif self._pause.is_set():
            self._since = self._clock()
            self._pause.clear()
        else:
            self._active += self._clock() - self._since if self._stage == "running" else 0.0
            self._pause.set()

    def cancel(self) -> None:
        """Cancel the trials in progress; finished ones stay stored."""
        self._cancel.set()

    def stop(self) -> None:
        self.cancel()
        super().stop()

    # The control of `bench.run_parts`

    def stopped(self) -> bool:
        return self._cancel.is_set()

    def paused(self) -> bool:
        return self._pause.is_set()

    # In the thread

    def run(self) -> None:
        if self._how == "processes":
            _start_resource_tracker()
        with Store(self.path) as store:
            for progress in bench.run_parts(self.parts, store, self._jobs, self._how, self):
                self._done, self._fresh = progress.done, progress.fresh
                if self._stage == "reading":
                    self._since, self._stage = self._clock(), "running"
        self._stage = "done" if self._done >= self.size else "cancelled"

    def failed(self, why: str) -> None:
        self._why, self._stage = why, "failed"


def _start_resource_tracker() -> None:
    """Start multiprocessing's resource tracker with the real stderr: Textual's replacement has no file descriptor."""
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with _real_stderr():
            resource_tracker.ensure_running()


@contextlib.contextmanager
def _real_stderr() -> Iterator[None]:
    before, sys.stderr = sys.stderr, sys.__stderr__
    try:
        yield
    finally:
        sys.stderr = before
