"""What a Dask cluster costs over processes of the bench: the same trials, made by a scheduler with two workers on
loopback, and by two processes; steady, from the tenth part of the trials to the last, one after the other in turn.

Nothing is promised of it: a cluster is for many machines, and worth it for trials that take longer than these. The
budgets only say so in figures.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from engine.bench.executors.dask import Scheduler
from tests.bench.lab_overhead import STEPS, experiment, steady
from tests.bench.result import Options, Result, absent, at_most, number
from tests.patience import eventually

WORKERS = 2
REPEATS, QUICK_REPEATS = 3, 1
WAIT = 60.0
KINDS = {"trials of 10 ms": (STEPS, 400, 1.5), "trials of 1 ms": (STEPS // 10, 2000, 5.0)}
"""Steps of a trial, trials, budget."""


def measure(options: Options) -> Iterable[Result]:
    if find_spec("distributed") is None:
        yield absent("Dask's time / processes'", "-", "the extra cluster is not installed")
        return
    repeats = QUICK_REPEATS if options.quick else REPEATS
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder)) as scheduler:
        yield from (_compared(name, scheduler, repeats) for name in KINDS)


def _compared(name: str, scheduler: Scheduler, repeats: int) -> Result:
    steps, runs, budget = KINDS[name]
    work = experiment("anneal", steps, runs)
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(steady(work, "processes", WORKERS))
        theirs.append(steady(work, scheduler, WORKERS))
    ratio = statistics.median(there / here for here, there in zip(ours, theirs, strict=True))
    a_trial = [number(1e3 * WORKERS * statistics.median(each) / work.size, "ms") for each in (theirs, ours)]
    return at_most(f"Dask's time / processes': {name}", ratio, budget, "×",
                   f"a trial takes a worker {a_trial[0]} of Dask, {a_trial[1]} of processes")


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Scheduler]:
    """A scheduler and its workers, each in a process of its own."""
    said, own = folder / "scheduler.json", ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
    started = [_dask("scheduler", "--port", "0", "--scheduler-file", str(said), *own)]
    try:
        address = json.loads(_awaited(said))["address"]
        started += [_dask("worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder), *own)
                    for _ in range(WORKERS)]
        _ready(address)
        yield Scheduler(address)
    finally:
        for process in started:
            process.kill()
            process.wait()


def _dask(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "dask", *arguments], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def _awaited(path: Path) -> str:
    eventually(lambda: path.exists() and path.read_text().rstrip().endswith("}"), lambda: "the scheduler did not begin")
    return path.read_text()


def _ready(address: str) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(WORKERS, timeout=WAIT)
