"""Who makes the trials: this thread, threads, or processes of this machine. The results are the same, trial for trial.

Trials travel in batches of some tenths of a second, so that handing them over costs little. A worker that dies takes
only its batch with it, which is made again.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final, Literal, Protocol

from engine.lab import worker
from engine.lab.experiment import Experiment, Trial
from engine.lab.worker import Finished, Worker

How = Literal["processes", "threads", "here"]

LARGEST: Final = 256
"""Trials in a batch at most."""
WAITING: Final = 2
"""Batches a worker that are handed out at once."""
LOOK: Final = 0.1
"""Seconds after which it is asked again whether to go on."""
DEATHS: Final = 3
"""Deaths of workers in a row, without a result in between, after which it is given up."""


class Control(Protocol):
    """Pausing and cancelling, by whoever started it; asked from several threads."""

    def stopped(self) -> bool:
        """Whether to end: what is under way is given up."""

    def paused(self) -> bool:
        """Whether to hand out nothing for now: what is under way is finished."""


class Unattended:
    """Nobody pauses or cancels."""

    def stopped(self) -> bool:
        return False

    def paused(self) -> bool:
        return False


class WorkersDie(RuntimeError):
    """Worker processes end before they have made anything (memory, a crash in compiled code)."""


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def execute(experiment: Experiment, trials: Iterable[Trial], jobs: int, how: How = "processes",
            control: Control | None = None) -> Iterator[Finished]:
    """Make the trials and yield them as they finish, some at a time, in any order. Yields an empty list now and then
    where nothing is finished for a while. Raises WorkersDie."""
    asked = control or Unattended()
    if how == "here":
        return _here(experiment, trials, asked)
    crew = (Processes if how == "processes" else Threads)(experiment, jobs)
    return _Distribution(crew, asked).work(iter(trials))


def _here(experiment: Experiment, trials: Iterable[Trial], control: Control) -> Iterator[Finished]:
    pause = threading.Event()
    one = Worker(experiment, control.stopped)
    for trial in trials:
        while control.paused() and not control.stopped():
            pause.wait(LOOK)
            yield []
        result = None if control.stopped() else one.single(trial)
        if result is None:
            return
        yield [(trial, result)]


class Threads:
    """Workers that are threads: for kernels that release the interpreter's lock."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self.jobs = jobs
        self._experiment = experiment
        self._stop = threading.Event()
        self._local = threading.local()

    def start(self) -> Executor:
        return ThreadPoolExecutor(self.jobs, "trial")

    def task(self) -> Callable[[Sequence[Trial]], tuple[Finished, Sequence[Trial]]]:
        return self._make

    def stop(self) -> None:
        """Have what is under way given up."""
        self._stop.set()

    def _make(self, trials: Sequence[Trial]) -> tuple[Finished, Sequence[Trial]]:
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(self._experiment, self._stop.is_set)
        made: tuple[Finished, Sequence[Trial]] = self._local.worker.batch(trials)
        return made


class Processes:
    """Workers that are processes, begun anew: nothing of this one's threads or compiled code is theirs."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self.jobs = jobs
        self._experiment = experiment
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.Event()

    def start(self) -> Executor:
        return ProcessPoolExecutor(self.jobs, self._context, worker.begin, (self._experiment, self._stop.is_set))

    def task(self) -> Callable[[Sequence[Trial]], tuple[Finished, Sequence[Trial]]]:
        return worker.make

    def stop(self) -> None:
        """Have what is under way given up."""
        self._stop.set()


Batch = Future[tuple[Finished, Sequence[Trial]]]


class _Distribution:
    """Hands out batches and takes back what was not begun."""

    def __init__(self, crew: Threads | Processes, control: Control) -> None:
        self._crew, self._control = crew, control
        self._back: deque[Trial] = deque()
        self._size = 1
        self._deaths = 0

    def work(self, trials: Iterator[Trial]) -> Iterator[Finished]:
        pool, under_way = self._crew.start(), dict[Batch, Sequence[Trial]]()
        try:
            while not self._control.stopped():
                if not self._control.paused():
                    try:
                        self._hand_out(pool, trials, under_way)
                    except BrokenProcessPool:
                        pool = self._anew(pool, under_way)
                        continue
                if not under_way and not self._control.paused():
                    return
                done, _ = wait(under_way, LOOK, FIRST_COMPLETED)
                whole = [batch for batch in done if not isinstance(batch.exception(), BrokenProcessPool)]
                yield [each for batch in whole for each in self._taken(batch, under_way)]
                if len(whole) < len(done):
                    pool = self._anew(pool, under_way)
        finally:
            self._crew.stop()
            pool.shutdown(wait=True, cancel_futures=True)

    def _hand_out(self, pool: Executor, trials: Iterator[Trial], under_way: dict[Batch, Sequence[Trial]]) -> None:
        while len(under_way) < WAITING * self._crew.jobs:
            batch = [self._back.popleft() for _ in range(min(self._size, len(self._back)))]
            batch += islice(trials, self._size - len(batch))
            if not batch:
                return
            try:
                under_way[pool.submit(self._crew.task(), batch)] = batch
            except BrokenProcessPool:
                self._back.extend(batch)
                raise

    def _taken(self, batch: Batch, under_way: dict[Batch, Sequence[Trial]]) -> Finished:
        finished, left = batch.result()
        del under_way[batch]
        self._back.extend(left)
        self._deaths = 0
        if left:
            self._size = max(1, len(finished))
        elif len(finished) == self._size:
            self._size = min(LARGEST, 2 * self._size)
        return finished

    def _anew(self, pool: Executor, under_way: dict[Batch, Sequence[Trial]]) -> Executor:
        """Another pool, the old one's batches being to be made again."""
        self._deaths += 1
        if self._deaths >= DEATHS:
            raise WorkersDie(f"{DEATHS} times in a row a worker process ended before it had made anything")
        whole = {batch: trials for batch, trials in under_way.items() if batch.done() and batch.exception() is None}
        for batch, trials in under_way.items():
            self._back.extend(() if batch in whole else trials)
        under_way.clear()
        under_way.update(whole)
        pool.shutdown(wait=True, cancel_futures=True)
        return self._crew.start()
