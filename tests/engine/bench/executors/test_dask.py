"""A real Dask scheduler and two worker processes on loopback: the same results, whichever worker dies."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import engine
from engine.bench import bench
from engine.bench.executors import dask, scheduling
from engine.bench.executors.dask import ClusterError, Program, Scheduler
from engine.bench.executors.scheduling import execute
from engine.bench.experiment import Trial
from engine.bench.experiment_file import parse, work_out
from engine.bench.store import Store
from engine.bench.trial import Result
from tests.engine.bench.test_bench import outcomes
from tests.patience import PATIENCE, eventually
from tui.cli import program

distributed: Any = pytest.importorskip("distributed", reason="pip install 'sudoku-tui[cluster]'")

SMALL = work_out(parse("""
runs = 20
max_steps = 3000
puzzles = [{ sources = ["4x4:1", "easy:1"] }]
solvers = [{ solver = "backtrack" }, { solver = "hill-climb" }]
""", "small"), "small")
MOST_UNDER_WAY = scheduling.WAITING * 2
"""Batches of one trial, for two workers."""
ENDLESS = work_out(parse("""
runs = 2
puzzles = [{ sources = ["easy:1"] }]
solvers = [{ solver = "anneal", params = { alpha = 0.999999, T0 = 50, restarts = 1000000 } }]
""", "endless"), "endless")


class Processes:
    """A scheduler and workers as separate processes, as a user would start them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []
        self._workers: list[subprocess.Popen[bytes]] = []
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.address = ""

    def ready(self, workers: int) -> None:
        """A scheduler and the given number of workers."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            said = self._folder / f"scheduler-{len(self._all)}.json"
            self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(said))
            self.address = json.loads(_awaited(said))["address"]
            self._workers = []
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        while len(self._workers) < workers:
            self._workers.append(self._start("worker", self.address, "--nthreads", "1", "--no-nanny",
                                             "--local-directory", str(self._folder)))
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=PATIENCE)

    def kill_a_worker(self) -> None:
        os.kill(self._workers[0].pid, signal.SIGKILL)
        assert self._workers[0].wait() == -signal.SIGKILL

    def kill_the_scheduler(self) -> None:
        assert self.scheduler is not None
        self.scheduler.kill()
        self.scheduler.wait()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        own = "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"
        with open(self._folder / f"{len(self._all)}.log", "wb") as log:
            self._all.append(subprocess.Popen([sys.executable, "-m", "dask", *arguments, *own], stdout=log, stderr=log))
        return self._all[-1]

    def end(self) -> None:
        for process in self._all:
            process.kill()
        for process in self._all:
            process.wait()


def _awaited(path: Path) -> str:
    eventually(lambda: path.exists() and path.read_text().rstrip().endswith("}"), lambda: "the scheduler did not begin")
    return path.read_text()


class Watched:
    """Counts the checks for cancellation, and ends a run that takes too long."""

    def __init__(self, pause: range = range(0), stop: int = sys.maxsize) -> None:
        self._pause, self._stop = pause, stop
        self._until = time.monotonic() + PATIENCE
        self.seen = 0
        """Things that were yielded."""

    def stopped(self) -> bool:
        return self.seen >= self._stop or time.monotonic() > self._until

    def paused(self) -> bool:
        return self.seen in self._pause


def made(how: scheduling.ExecutorKind, control: Watched) -> list[int]:
    """The number of results of each run, which are the expected ones."""
    found: dict[Trial, Result] = {}
    came = []
    for some in execute(SMALL, SMALL.trials(), 2, how, control):
        control.seen += 1
        found.update(some)
        came.append(len(some))
    assert outcomes(found) == expected()
    return came


@functools.cache
def expected() -> dict[Trial, Result]:
    return outcomes(dict(each for some in execute(SMALL, SMALL.trials(), 1, "here") for each in some))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    processes = Processes(tmp_path_factory.mktemp("dask"))
    try:
        yield processes
    finally:
        processes.end()


@pytest.fixture
def processes(begun: Processes) -> Processes:
    begun.ready(2)
    return begun


def test_the_results_are_the_same_as_here_also_after_a_pause(processes: Processes) -> None:
    came = made(Scheduler(processes.address), Watched(pause=range(1, 30)))
    assert sum(came[:29]) <= MOST_UNDER_WAY


def test_a_worker_that_is_killed_loses_nothing(processes: Processes, tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        killed_at = None
        for progress in bench.run(SMALL, store, how=Scheduler(processes.address)):
            if progress.fresh and killed_at is None:
                processes.kill_a_worker()
                killed_at = progress.done
        assert killed_at is not None
        assert killed_at < SMALL.size
        assert progress.fresh == SMALL.size
        assert outcomes(dict(store.results(SMALL, curves=True))) == expected()
        assert store.facts()["execution"] == f"Dask cluster of {processes.address}"


def test_workers_drop_cancelled_batches(processes: Processes) -> None:
    control = Watched(stop=10)
    for some in execute(ENDLESS, ENDLESS.trials(), 2, Scheduler(processes.address), control):
        assert not some
        control.seen += 1
    made(Scheduler(processes.address), Watched())


def test_a_lost_scheduler_costs_only_the_running_batches(processes: Processes, tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        going = bench.run(SMALL, store, how=Scheduler(processes.address))
        next(progress for progress in going if progress.fresh)
        processes.kill_the_scheduler()
        with pytest.raises(ClusterError, match=rf"the connection to the Dask scheduler at {processes.address} is lost"):
            list(going)
        left = len(list(store.missing(SMALL)))
        assert 0 < left < SMALL.size
        assert [progress.fresh for progress in bench.run(SMALL, store, how="here")][-1] == left
        assert outcomes(dict(store.results(SMALL, curves=True))) == expected()


class Closing:
    """A client that is being closed, and the futures that it gave: they never answer."""

    status = "finished"

    def __init__(self) -> None:
        self.callbacks: list[Callable[[Any], None]] = []
        self.asked = threading.Event()

    def submit(self, *_: Any, **__: Any) -> Closing:
        return self

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        self.callbacks.append(callback)

    def result(self, timeout: float | None = None) -> Any:
        self.asked.set()
        threading.Event().wait(None if timeout is None else 0.01)
        raise TimeoutError


def test_a_batch_whose_client_closes_does_not_keep_the_thread_of_the_callbacks() -> None:
    client = Closing()
    link = dask._Link(client, SMALL, Program("1", {}), lambda error: error)
    link.submit(None, [])
    thread = threading.Thread(target=client.callbacks[0], args=(client,), daemon=True)
    thread.start()
    assert client.asked.wait(PATIENCE)
    link.shutdown()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_time_out_of_a_trial_is_its_error() -> None:
    client = Closing()
    client.status = "error"
    link = dask._Link(client, SMALL, Program("1", {}), lambda error: error)
    answer = link.submit(None, [])
    client.callbacks[0](client)
    assert isinstance(answer.exception(0), TimeoutError)


def test_another_version_is_refused_before_the_first_trial(processes: Processes, monkeypatch: pytest.MonkeyPatch,
                                                           tmp_path: Path) -> None:
    version = engine.__version__
    monkeypatch.setattr(engine, "__version__", "9.9")
    with Store(tmp_path / "results.sqlite") as store:
        with pytest.raises(ClusterError, match=rf"the Dask worker tcp://\S+ has sudoku-tui {version}: expected 9.9"):
            list(bench.run(SMALL, store, how=Scheduler(processes.address)))
        assert len(list(store.missing(SMALL))) == SMALL.size


def test_another_trajectory_and_a_missing_package_are_refused_too() -> None:
    here = Program("1", {"anneal": 3})
    dask.compare(here, here, "tcp://w:1")
    for there, said in [(Program("1", {"anneal": 2}), "has version 2 of anneal: expected 3"),
                        (Program("1", {"anneal": 3}, "cp-sat takes ortools"), "on the Dask worker tcp://w:1: cp-sat"),
                        (ModuleNotFoundError("No module named 'engine'"), "cannot run this program .*No module")]:
        with pytest.raises(ClusterError, match=said):
            dask.compare(here, there, "tcp://w:1")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "smtp://127.0.0.1:1", ""])
def test_no_scheduler_is_one_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=rf"no Dask scheduler answers at '{address}' \(.+\): expected the address"):
        Scheduler(address)(SMALL).start()


def test_no_worker_is_one_sentence(monkeypatch: pytest.MonkeyPatch, begun: Processes) -> None:
    monkeypatch.setattr(dask, "PATIENCE", 0.5)
    with (distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp", host="127.0.0.1",
                                   dashboard_address="127.0.0.1:0") as empty,
          pytest.raises(ClusterError, match="has no worker: expected `dask worker tcp://")):
        Scheduler(empty.scheduler_address)(SMALL).start()


def test_a_worker_is_no_scheduler(processes: Processes) -> None:
    with distributed.Client(processes.address, set_as_default=False) as client:
        worker = next(iter(client.nthreads()))
    with pytest.raises(ClusterError, match="is a Dask worker, not a scheduler"):
        Scheduler(worker)(SMALL).start()


def test_the_command_hands_its_trials_over(processes: Processes, tmp_path: Path) -> None:
    words = ["bench", "--solvers", "backtrack", "--packs", "4x4:1,4x4:2", "--max-steps", "3000", "--out", str(tmp_path)]
    said = CliRunner().invoke(program, [*words, "--scheduler", processes.address])
    assert said.exit_code == 0, said.output
    with Store(tmp_path / "results.sqlite", read_only=True) as store:
        assert store.facts()["execution"] == f"Dask cluster of {processes.address}"
