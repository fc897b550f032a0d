"""Workers that are processes of this machine, each with a thread here that hands it batches and waits for them.

Nothing is shared with a worker but one pipe, so that it may be killed at any moment: a lock that it held, or a queue
that it was writing to, would be lost with it. A worker whose pipe is closed, because this process was killed, ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from engine.bench.executors.worker import Made, Worker, WorkerDied, WorkerNeverBegan
from engine.bench.experiment import Experiment, Trial

GRACE: Final = 2.0
"""Seconds that a worker has to end before it is killed; it may be compiling."""

_SPAWN: Final = multiprocessing.get_context("spawn")


class Processes:
    """Worker processes, spawned rather than forked: they share no threads or compiled code with this process."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self.jobs = jobs
        self._experiment = experiment
        self._children: list[_Child] = []
        self._lock = threading.Lock()
        self._stopped = False
        self._local = threading.local()

    def start(self) -> Executor:
        return ThreadPoolExecutor(self.jobs, "process")

    def task(self) -> Callable[[Sequence[Trial]], Made]:
        return self._make

    def stop(self) -> None:
        """Cancel what is running."""
        with self._lock:
            self._stopped = True
            children = list(self._children)
        for child in children:
            child.stop()

    def close(self) -> None:
        """Have no worker left when this returns."""
        self.stop()
        until = time.monotonic() + GRACE
        for child in self._children:
            child.end(until)

    def _make(self, trials: Sequence[Trial]) -> Made:
        child: _Child | None = getattr(self._local, "child", None)
        try:
            if child is None:
                child = self._local.child = self._begin()
            return child.make(trials)
        except WorkerDied:
            self._local.child = None
            raise

    def _begin(self) -> _Child:
        with self._lock:
            if self._stopped:
                raise WorkerNeverBegan
            child = _Child(self._experiment)
            self._children = [each for each in self._children if each.alive()] + [child]
        child.wait()
        return child


class _Child:
    """One worker process, as seen from here."""

    def __init__(self, experiment: Experiment) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._sending = threading.Lock()
        self._process: BaseProcess = _SPAWN.Process(target=serve, args=(theirs, experiment), daemon=True)
        with theirs, _no_interrupt():
            self._process.start()

    def alive(self) -> bool:
        return self._process.is_alive()

    def wait(self) -> None:
        """Until it is ready. Raises WorkerNeverBegan."""
        try:
            self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerNeverBegan from None

    def make(self, trials: Sequence[Trial]) -> Made:
        """Have it make a batch. Raises WorkerDied."""
        try:
            with self._sending:
                self._pipe.send(trials)
            made: Made = self._pipe.recv()
            return made
        except (EOFError, OSError):
            raise WorkerDied from None

    def stop(self) -> None:
        """Ask it to give up what it is making, and to end."""
        with contextlib.suppress(OSError), self._sending:
            self._pipe.send(None)

    def end(self, until: float) -> None:
        """Wait for its end, and make it end if it does not."""
        self._process.join(max(0.0, until - time.monotonic()))
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block ctrl-C while a process starts: this process handles it, a little later."""
    resource_tracker.ensure_running()  # started with the first process, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection, experiment: Experiment) -> None:
    """The life of a worker: batches come through the pipe, what was made goes back; nothing, or its end, is the end.
    While a batch is made, whatever comes is a call to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, name="parent", daemon=True).start()
    worker = Worker(experiment, pipe.poll)
    with contextlib.suppress(EOFError, OSError):
        pipe.send("ready")
        while (trials := pipe.recv()) is not None:
            pipe.send(worker.batch(trials))


def end_with_parent() -> None:
    """Kill it at once, whatever it is running."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
