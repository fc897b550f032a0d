"""Run trials on a Dask cluster: the same results, trial for trial, on whatever workers a scheduler has.

The scheduler receives each batch and the experiment as tasks, so that a batch of a lost worker is run again by another.
Nothing is stored outside this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from importlib.util import find_spec
from typing import Any, Final

from msgspec import Struct

import engine
from engine import registry
from engine.bench.executors.scheduling import Batch
from engine.bench.executors.worker import BatchResult, Worker, WorkerDied
from engine.bench.experiment import Experiment, Trial
from engine.errors import BadInput, MissingExtra

PATIENCE: Final = 10.0
"""Seconds to wait for the answer of a scheduler, and for its first worker."""
NO_WORKER_TIMEOUT: Final = 30.0
"""Seconds to wait for a worker when there is none: new ones may be starting."""
EXPECTED: Final = "expected the address that `dask scheduler` prints, like tcp://192.168.0.10:8786"
RESUMES: Final = "finished trials are kept, and the same command resumes"
PROGRAM: Final = "sudoku-tui"
POLL: Final = 1.0
"""Seconds between two counts of the workers, which come and go."""


class ClusterError(BadInput):
    """No scheduler, no workers, or workers with another program. What was finished is kept."""


class Scheduler(Struct, frozen=True):
    """The address of a scheduler, as `dask scheduler` prints it: tcp://192.168.0.10:8786. Passed to `execute` as `how`.
    """

    address: str

    def __call__(self, experiment: Experiment) -> Cluster:
        """Its workers, for one experiment."""
        return Cluster(self.address, experiment)

    def __str__(self) -> str:
        return f"Dask cluster of {self.address}"


class Cluster:
    """The workers of a scheduler, as a WorkerPool."""

    def __init__(self, address: str, experiment: Experiment) -> None:
        """Does not connect yet. Raises MissingExtra."""
        require()
        self.address = address
        self._experiment = experiment
        self._program = program(_solvers(experiment))
        self._client: Any = None
        self._quiet = contextlib.ExitStack()
        self._threads, self._counted = 0, float("-inf")
        self._seen = 0.0

    @property
    def jobs(self) -> int:
        """The threads of all workers. Raises ClusterError when there have been none for a while."""
        now = time.monotonic()
        if now - self._counted >= POLL:
            with self._plainly():
                self._threads = sum(self._client.nthreads(callback_timeout=PATIENCE).values())
            self._counted = time.monotonic()
            if self._threads:
                self._seen = self._counted
            elif self._counted - self._seen >= NO_WORKER_TIMEOUT:
                raise ClusterError(f"the Dask scheduler at {self.address} has had no worker for "
                                   f"{NO_WORKER_TIMEOUT:g} s: expected `dask worker {self.address}` to run; {RESUMES}")
        return self._threads

    def start(self) -> Executor:
        """Connect, check the program of every worker, and submit the experiment. Raises ClusterError."""
        self._quiet.enter_context(_without_log())
        try:
            self._client, self._seen = self._connected(), time.monotonic()
            with self._plainly():
                self._check_workers()
                return _Link(self._client, self._experiment, self._program, self._plain)
        except BaseException:
            self.close()
            raise

    def task(self) -> Callable[[Sequence[Trial]], BatchResult]:
        """A placeholder: `_Link.submit` decides what a worker runs."""
        return _only_there

    def stop(self) -> None:
        """Batches are short: those that finish soon may still arrive. The others are cancelled when the executor
        closes."""

    def close(self) -> None:
        """Disconnect. The workers cancel their batches and stay."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=PATIENCE)
        self._quiet.close()

    def _connected(self) -> Any:
        from distributed import Client

        try:
            found = asyncio.run(_type_of(self.address))
        except (OSError, ValueError, TypeError, AssertionError) as error:
            said = str(error).partition("\n")[0].rstrip(".") or f"nothing within {PATIENCE:g} s"
            raise ClusterError(f"no Dask scheduler answers at {self.address!r} ({said}): {EXPECTED}") from None
        if found != "Scheduler":
            raise ClusterError(f"{self.address} is a Dask {found.lower()}, not a scheduler: {EXPECTED}")
        return Client(self.address, timeout=PATIENCE, set_as_default=False, name=PROGRAM)

    def _check_workers(self) -> None:
        """Raise ClusterError unless there are workers, and each has this version of the program."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ClusterError(f"the Dask scheduler at {self.address} has no worker: expected `dask worker "
                               f"{self.address}` to run where this program is installed") from None
        found = self._client.run(program, _solvers(self._experiment), on_error="return")
        for worker, there in sorted(found.items()):
            compare(self._program, there, worker)

    @contextlib.contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except BadInput:
            raise
        except Exception as error:
            raise self._plain(error) from None

    def _plain(self, error: BaseException) -> BaseException:
        """Convert errors of the connection into one sentence; a defect of a trial is raised unchanged."""
        from distributed import KilledWorker
        from distributed.client import ClosedClientError

        if isinstance(error, KilledWorker):
            return WorkerDied(str(error))
        if isinstance(error, (CancelledError, ClosedClientError, OSError, TimeoutError)):
            return ClusterError(f"the connection to the Dask scheduler at {self.address} is lost: expected it to "
                                f"last until the last trial; {RESUMES}")
        return error


class _Link(Executor):
    """Submits batches to the scheduler, as an Executor."""

    def __init__(self, client: Any, experiment: Experiment, program: Program,
                 plain: Callable[[BaseException], BaseException]) -> None:
        self._client, self._program, self._plain = client, program, plain
        self._experiment = client.submit(_shared, experiment, pure=False)
        self._asked: dict[Future[Any], Any] = {}

    def submit(self, task: Any, batch: Any, /) -> Batch:  # type: ignore[override]
        """One batch. Its answer raises ClusterError when the scheduler is lost."""
        answer: Batch = Future()
        try:
            asked = self._client.submit(make, self._experiment, self._program, batch, pure=False)
        except Exception as error:
            raise self._plain(error) from None
        self._asked[answer] = asked
        asked.add_done_callback(lambda asked: self._answer(answer, asked))
        return answer

    def _answer(self, answer: Batch, asked: Any) -> None:
        """Fetch the answer, unless the batch is no longer wanted: a client that closes meanwhile never answers, and the
        thread of the callbacks is shared by all clients of the process."""
        while answer in self._asked:
            try:
                answer.set_result(asked.result(timeout=POLL))
            except BaseException as error:
                if isinstance(error, TimeoutError) and asked.status != "error":
                    continue  # a worker was lost with its answer, and another runs the batch again
                answer.set_exception(self._plain(error))
            self._asked.pop(answer, None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forget the batches under way."""
        self._asked.clear()


# Functions that run on a worker


class Program(Struct, frozen=True):
    """The versions that must agree for the results to agree."""

    version: str
    solvers: dict[str, int]
    """Their trajectory versions."""
    missing: str = ""
    """A sentence about a package that a solver needs and that is not installed."""


def program(solvers: Sequence[str]) -> Program:
    """The Program of this process, for these solvers."""
    found = [registry.solver(name) for name in solvers]
    lacking = [why for each in found if (why := each.missing()) is not None]
    return Program(engine.__version__, {each.name: each.trajectory for each in found}, "; ".join(lacking))


class _Bench(threading.local):
    """The state of a worker thread, kept from batch to batch."""

    worker: Worker | None = None
    stopped: Callable[[], bool]


_bench = _Bench()


def make(experiment: Experiment, expected: Program, trials: Sequence[Trial]) -> BatchResult:
    """Run a batch in a thread of a Dask worker. Raises ClusterError if the program differs."""
    from distributed import get_worker

    if _bench.worker is None or _bench.worker.experiment is not experiment:
        compare(expected, program(_solvers(experiment)), get_worker().address)
        _bench.worker = Worker(experiment, _stopped)
    _bench.stopped = _unwanted()
    return _bench.worker.batch(trials)


def _stopped() -> bool:
    """True if the batch of this thread was cancelled."""
    return _bench.stopped()


def _unwanted() -> Callable[[], bool]:
    """A function that returns True once the task of this thread is cancelled or its client is gone."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return unwanted


def _shared(experiment: Experiment) -> Experiment:
    """The experiment as a task, which the scheduler can repeat when a worker dies."""
    return experiment


def _only_there(trials: Sequence[Trial]) -> BatchResult:
    raise AssertionError("a batch for a cluster is made by its workers")


def compare(here: Program, there: Program | BaseException, worker: str) -> None:
    """Raise ClusterError if the results of a worker could differ from those made here."""
    if isinstance(there, BaseException):
        raise ClusterError(f"the Dask worker {worker} cannot run this program ({type(there).__name__}: {there}): "
                           f"expected sudoku-tui {here.version} to be installed there")
    if there.missing != here.missing:
        raise ClusterError(f"on the Dask worker {worker}: {there.missing}")
    if there.version != here.version:
        raise ClusterError(f"the Dask worker {worker} has sudoku-tui {there.version}: expected {here.version}, as here")
    for name, trajectory in here.solvers.items():
        if there.solvers.get(name) != trajectory:
            raise ClusterError(f"the Dask worker {worker} has version {there.solvers.get(name)} of {name}: expected "
                               f"{trajectory}, as here")


def _solvers(experiment: Experiment) -> tuple[str, ...]:
    return tuple(dict.fromkeys(contender.solver for contender in experiment.contenders))


# Requirements


def require() -> None:
    """Raise MissingExtra if Dask is not installed. Imports nothing."""
    if find_spec("distributed") is None:
        raise MissingExtra("--scheduler takes the package distributed, which is not installed: "
                           "pip install 'sudoku-tui[cluster]'")


async def _type_of(address: str) -> str:
    """Check that a scheduler answers at an address. Done before a client is created, since a client without a scheduler
    cannot be closed."""
    from distributed import rpc

    async with rpc(address, timeout=PATIENCE) as asked:
        found = await asyncio.wait_for(asked.identity(), PATIENCE)
    return str(found["type"])


@contextlib.contextmanager
def _without_log() -> Iterator[None]:
    """Silence Dask's log output: errors are reported as sentences."""
    import distributed  # sets up its loggers, each with its own handler

    ours = logging.root.manager.loggerDict.items()
    loud = [log for name, log in ours if name.partition(".")[0] == distributed.__name__
            and isinstance(log, logging.Logger) and not log.disabled]
    for log in loud:
        log.disabled = True
    try:
        yield
    finally:
        for log in loud:
            log.disabled = False
