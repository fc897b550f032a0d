"""Distribute trials: to this thread, to threads, or to processes of this machine. The results are the same, trial for
trial.

Trials travel in batches of some tenths of a second, which keeps the overhead small. A worker that dies loses only its
batch, which is run again.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Final, Literal, Protocol

from engine.bench.executors.processes import Processes
from engine.bench.executors.worker import BatchResult, Finished, Worker, WorkerDied, WorkerNeverStarted
from engine.bench.experiment import Experiment, Trial
from engine.bench.trial import without_run
from engine.files import access

LocalKind = Literal["processes", "threads", "here"]

LARGEST: Final = 256
"""Most trials in a batch."""
WAITING: Final = 2
"""Batches queued for each worker."""
POLL: Final = 0.1
"""Seconds between two checks for pause and cancel."""
MAX_DEATHS: Final = 3
"""Workers that may die with a trial before the trial fails, and times that a worker may end before it is ready."""
STOP_TIMEOUT: Final = 1.0
"""Seconds in which stopped workers can deliver finished trials."""


class Control(Protocol):
    """Pause and cancel flags, set by the caller and read from several threads."""

    def stopped(self) -> bool:
        """True to end, and to drop the batches under way."""

    def paused(self) -> bool:
        """True to hand out no batches for now; those under way finish."""


class NoControl:
    """The default: never pause, never cancel."""

    def stopped(self) -> bool:
        return False

    def paused(self) -> bool:
        return False


class NoWorkerStarts(RuntimeError):
    """Worker processes end before they are ready, again and again."""


def cores() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class WorkerPool(Protocol):
    """Workers of one kind."""

    @property
    def jobs(self) -> int:
        """The number of workers. It changes if they come and go."""

    def start(self) -> Executor:
        """Start the workers: an executor of batches."""

    def task(self) -> Callable[[Sequence[Trial]], BatchResult]:
        """Run a batch. Raises WorkerDied if the worker was lost with its batch."""

    def stop(self) -> None:
        """Cancel the batches that are running."""

    def close(self) -> None:
        """End all workers before this returns."""


ExecutorKind = LocalKind | Callable[[Experiment], WorkerPool]
"""A kind of local workers, or a callable that makes the workers of an experiment. Its `str` is stored with results."""


def default_executor() -> LocalKind:
    """The default executor: processes; threads in a kiosk, which starts no processes."""
    return "processes" if access.kiosk() is None else "threads"


def execute(experiment: Experiment, trials: Iterable[Trial], jobs: int, how: ExecutorKind = "processes",
            control: Control | None = None) -> Iterator[Finished]:
    """Run the trials and yield results as they finish, in any order, some at a time. Yields an empty list now and then
    while nothing finishes. Raises NoWorkerStarts."""
    asked = control or NoControl()
    if how == "here":
        return _here(experiment, trials, asked)
    local = Processes if how == "processes" else Threads
    workers: WorkerPool = how(experiment) if callable(how) else local(experiment, jobs)
    return Dispatcher(workers, asked).work(experiment, iter(trials))


def _here(experiment: Experiment, trials: Iterable[Trial], control: Control) -> Iterator[Finished]:
    pause = threading.Event()
    one = Worker(experiment, control.stopped)
    for trial in trials:
        while control.paused() and not control.stopped():
            pause.wait(POLL)
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

    def task(self) -> Callable[[Sequence[Trial]], BatchResult]:
        return self._make

    def stop(self) -> None:
        """Cancel the batches that are running."""
        self._stop.set()

    def close(self) -> None:
        """Nothing to do: the threads end after their batch."""

    def _make(self, trials: Sequence[Trial]) -> BatchResult:
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(self._experiment, self._stop.is_set)
        made: BatchResult = self._local.worker.batch(trials)
        return made


Batch = Future[BatchResult]


class Dispatcher:
    """Hands out batches; trials that a worker returns unstarted are queued again."""

    def __init__(self, workers: WorkerPool, control: Control) -> None:
        self._workers, self._control = workers, control
        self._returned: deque[Trial] = deque()
        self._suspects: deque[Trial] = deque()
        """Trials of batches whose worker died; each is run alone."""
        self._deaths: dict[Trial, int] = {}
        """Number of workers that died with this trial alone."""
        self._size = 1
        self._never_started = 0
        self._error: BaseException | None = None
        """An error that every worker would raise."""

    def work(self, experiment: Experiment, trials: Iterator[Trial]) -> Iterator[Finished]:
        """Run the trials, and yield results as they finish."""
        executor, running = self._workers.start(), dict[Batch, Sequence[Trial]]()
        try:
            while not self._control.stopped():
                if not self._control.paused():
                    self._submit(executor, trials, running)
                    if not running:
                        return
                yield self._collect(experiment, running, POLL)
                if self._error is not None:
                    raise self._error
            self._workers.stop()
            yield self._collect(experiment, running, STOP_TIMEOUT, ALL_COMPLETED)
        finally:
            self._workers.stop()
            executor.shutdown(wait=False, cancel_futures=True)
            self._workers.close()
            executor.shutdown(wait=True)

    def _submit(self, executor: Executor, trials: Iterator[Trial], running: dict[Batch, Sequence[Trial]]) -> None:
        while len(running) < WAITING * self._workers.jobs:
            if self._suspects:
                batch = [self._suspects.popleft()]
            else:
                batch = [self._returned.popleft() for _ in range(min(self._size, len(self._returned)))]
                batch += islice(trials, self._size - len(batch))
            if not batch:
                return
            running[executor.submit(self._workers.task(), batch)] = batch

    def _collect(self, experiment: Experiment, running: dict[Batch, Sequence[Trial]], seconds: float,
              until: str = FIRST_COMPLETED) -> Finished:
        """The results finished within the given seconds at most."""
        if not running:
            _NEVER.wait(seconds)
            return []
        done, _ = wait(running, seconds, until)
        return [each for batch in done for each in self._results_of(experiment, batch, running.pop(batch))]

    def _results_of(self, experiment: Experiment, batch: Batch, trials: Sequence[Trial]) -> Finished:
        if batch.cancelled():
            return []
        died = batch.exception()
        if isinstance(died, WorkerDied):
            return self._requeue(experiment, trials, died)
        if died is not None:
            self._error = died
            return []
        finished, left = batch.result()
        self._returned.extend(left)
        self._never_started = 0
        if left:
            self._size = max(1, len(finished))
        elif len(finished) == self._size:
            self._size = min(LARGEST, 2 * self._size)
        return finished

    def _requeue(self, experiment: Experiment, trials: Sequence[Trial], died: WorkerDied) -> Finished:
        """Queue a batch again whose worker died, trial by trial. A trial that has killed several workers fails."""
        if isinstance(died, WorkerNeverStarted):
            self._never_started += 1
            if self._never_started >= MAX_DEATHS * self._workers.jobs and not self._control.stopped():
                raise NoWorkerStarts(f"{self._never_started} times in a row a worker process ended before it was ready")
            self._returned.extend(trials)
            return []
        if len(trials) > 1:
            self._suspects.extend(trials)
            return []
        (trial,) = trials
        self._deaths[trial] = self._deaths.get(trial, 0) + 1
        if self._deaths[trial] < MAX_DEATHS:
            self._suspects.append(trial)
            return []
        why = f"{MAX_DEATHS} times a worker process ended while it made this trial (no memory, or a crash)"
        return [(trial, without_run(experiment, trial, "failed", why))]


_NEVER = threading.Event()
"""Never set: a wait for it is a sleep."""
