"""Runs an experiment in a thread of its own, which can be paused, cancelled and gone on with."""

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
from engine.bench.executors.scheduling import How
from engine.bench.experiment import Experiment
from engine.bench.store import Store
from engine.errors import BadInput
from tui.background import threads

Stage = Literal["ready", "reading", "running", "paused", "cancelling", "cancelled", "done", "failed"]
"""`ready`: nothing was begun. `reading`: it is looked up what has been made before. `cancelled`: some trials are not
made. `failed`: it cannot go on, and `Standing.why` says why."""
UNDER_WAY: tuple[Stage, ...] = ("reading", "running", "paused", "cancelling")
PATIENCE = 2.0
"""Seconds that are waited for the thread when the screen is left: its workers look up every few hundredths."""
TOO_MANY = 100_000
"""Trials that are not begun with before somebody says so."""


class Standing(Struct, frozen=True):
    """How far an experiment is."""

    stage: Stage = "ready"
    done: int = 0
    size: int = 0
    rate: float = 0.0
    """Trials a second since it was begun or gone on with, pauses left out."""
    why: str = ""

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate; None where there is none."""
        return (self.size - self.done) / self.rate if self.rate > 0 else None


class Bencher:
    """`start` it, ask for its `standing` at any time."""

    def __init__(self, parts: Sequence[Experiment], path: Path, how: How = "processes", jobs: int = 0,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """`path`: where the results are kept. `jobs`: workers; 0: as many as there are processors."""
        self.parts, self.path = tuple(parts), path
        self._how, self._jobs, self._clock = how, jobs, clock
        self._stop, self._hold = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._stage: Stage = "ready"
        self._done = self._fresh = 0
        self._why = ""
        self._active, self._since = 0.0, 0.0
        """Seconds at work before the last pause, and when it went on after that."""

    # For the screen

    @property
    def size(self) -> int:
        """Trials of all parts."""
        return sum(part.size for part in self.parts)

    @property
    def standing(self) -> Standing:
        """How far it is."""
        stage = self._stage
        if stage == "running" and self._hold.is_set():
            stage = "paused"
        if stage in UNDER_WAY and self._stop.is_set():
            stage = "cancelling"
        active = self._active + (self._clock() - self._since if stage == "running" else 0.0)
        rate = self._fresh / active if active > 0 else 0.0
        return Standing(stage, self._done, self.size, rate, self._why)

    def start(self) -> None:
        """Begin, or go on with what is not made yet."""
        if self._stage in UNDER_WAY:
            return
        self._stop.clear()
        self._hold.clear()
        self._stage, self._fresh, self._active, self._why = "reading", 0, 0.0, ""
        self._thread = threading.Thread(target=self._work, name="bench", daemon=True)
        self._thread.start()

    def toggle(self) -> None:
        """Pause, go on, or begin again."""
        if self._stage not in UNDER_WAY:
            self.start()
        elif self._hold.is_set():
            self._since = self._clock()
            self._hold.clear()
        else:
            self._active += self._clock() - self._since if self._stage == "running" else 0.0
            self._hold.set()

    def cancel(self) -> None:
        """Give up what is under way; what is finished is kept."""
        self._stop.set()

    def close(self) -> None:
        """Cancel, and wait a while for it."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            if self._thread.is_alive():
                threads.follow(self._thread)

    # For whoever makes the trials

    def stopped(self) -> bool:
        return self._stop.is_set()

    def paused(self) -> bool:
        return self._hold.is_set()

    # In the thread

    def _work(self) -> None:
        try:
            if self._how == "processes":
                _begin_tracking()
            with Store(self.path) as store:
                self._run(store)
            made = self._done >= self.size
            self._stage = "done" if made else "cancelled"
        except BadInput as error:
            self._why, self._stage = str(error), "failed"
        except Exception as error:  # a defect must not leave the screen waiting
            self._why, self._stage = f"{type(error).__name__}: {' '.join(str(error).split())}", "failed"

    def _run(self, store: Store) -> None:
        for progress in bench.run_parts(self.parts, store, self._jobs, self._how, self):
            self._done, self._fresh = progress.done, progress.fresh
            if self._stage == "reading":
                self._since, self._stage = self._clock(), "running"


@contextlib.contextmanager
def _own_stderr() -> Iterator[None]:
    """Textual's stand-in for the error stream has no file, and processes are begun with one."""
    before, sys.stderr = sys.stderr, sys.__stderr__
    try:
        yield
    finally:
        sys.stderr = before


def _begin_tracking() -> None:
    """Begin the process that looks after what processes share, as long as the error stream is a file."""
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with _own_stderr():
            resource_tracker.ensure_running()
