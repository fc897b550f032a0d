"""Worker processes on this machine, each with a thread here that hands it batches and waits for the results.

One pipe is all that is shared with a worker, so that it may be killed at any moment: a lock that it held, or a queue
that it was writing to, would be lost with it. A worker ends when its pipe is closed because this process was killed.
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
from typing import Any, Final

from engine.bench.executors.worker import BatchResult, Worker, WorkerDied, WorkerNeverStarted
from engine.bench.experiment import Experiment, Trial

GRACE: Final = 2.0
"""Seconds that a worker has to end before it is killed; it may be compiling."""
READY_MESSAGE: Final = "ready"
"""The message of a child process that is prepared."""
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

    def task(self) -> Callable[[Sequence[Trial]], BatchResult]:
        return self._make

    def stop(self) -> None:
        """Cancel the batches that are running."""
        with self._lock:
            self._stopped = True
            children = list(self._children)
        for child in children:
            child.stop()

    def close(self) -> None:
        """End all workers before this returns."""
        self.stop()
        until = time.monotonic() + GRACE
        for child in self._children:
            child.end(until)

    def _make(self, trials: Sequence[Trial]) -> BatchResult:
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
                raise WorkerNeverStarted
            child = _Child(self._experiment)
            self._children = [each for each in self._children if each.alive()] + [child]
        child.wait()
        return child


class _Child:
    """A worker process, seen from the parent."""

    def __init__(self, experiment: Experiment) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._sending = threading.Lock()
        self._process: BaseProcess = _SPAWN.Process(target=serve, args=(theirs, experiment), daemon=True)
        with theirs, _no_interrupt():
            self._process.start()

    def alive(self) -> bool:
        return self._process.is_alive()

    def wait(self) -> None:
        """Wait until it is ready. Raises WorkerNeverStarted."""
        try:
            self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerNeverStarted from None

    def make(self, trials: Sequence[Trial]) -> BatchResult:
        """Run a batch in it. Raises WorkerDied."""
        try:
            with self._sending:
                self._pipe.send(trials)
            made: BatchResult = self._pipe.recv()
            return made
        except (EOFError, OSError):
            raise WorkerDied from None

    def stop(self) -> None:
        """Ask it to drop its batch and to end."""
        with contextlib.suppress(OSError), self._sending:
            self._pipe.send(None)

    def end(self, until: float) -> None:
        """Wait for its end, and kill it at `until`."""
        self._process.join(max(0.0, until - time.monotonic()))
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block ctrl-C while a process starts; it arrives here afterwards."""
    resource_tracker.ensure_running()  # started with the first process, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection, experiment: Experiment) -> None:
    """The main function of a worker. While it runs a batch, anything in the pipe is a call to stop."""
    answer_requests(pipe, lambda: Worker(experiment, pipe.poll).batch)


def answer_requests(pipe: Connection, prepare: Callable[[], Callable[[Any], Any]]) -> None:
    """The main loop of a child process: prepare, report ready, and answer requests until the pipe closes or None comes.

    ctrl-C is left to the parent, with which the process ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    answer = prepare()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY_MESSAGE)
        while (request := pipe.recv()) is not None:
            pipe.send(answer(request))


def _end_with_parent() -> None:
    """Exit at once when the parent process has ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
