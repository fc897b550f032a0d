"""What the bench itself costs: against the bare solver, of the processors' time, and threads against processes.

The bare solver is its `init` and one call of `advance`; it and the trial take turns. What handing over and storing cost
is measured with trials of one step, as processor time of this process and its worker; starting is taken off. A worker
is busy while it runs or waits for a processor that others have.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from engine.bench import bench
from engine.bench.executors.scheduling import ExecutorKind, cores
from engine.bench.experiment import Experiment
from engine.bench.experiment_file import parse, work_out
from engine.bench.store import Store
from engine.bench.trial import Loaded, run_trial
from engine.run.solve import Pace
from tests.bench.fixtures import UNSOLVABLE
from tests.bench.result import Options, Result, at_least, at_most, number

OVERHEAD, BUSY = 1.05, 90.0
STEPS = 1_600_000
"""About 10 ms of annealing."""
FEW = 20
TRIALS, QUICK_TRIALS = 1000, 300
REPEATS, QUICK_REPEATS = 5, 1
KINDS = {"annealing, 10 ms": ("anneal", STEPS, 400), "people's techniques, in Python": ("human", 100, 100)}


def measure(options: Options) -> Iterable[Result]:
    repeats = QUICK_REPEATS if options.quick else REPEATS
    trials = QUICK_TRIALS if options.quick else TRIALS
    yield _overhead(trials)
    yield _busy(trials)
    yield from (_threads(name, repeats) for name in KINDS)


def experiment(solver: str, steps: int, runs: int, puzzle: str = UNSOLVABLE) -> Experiment:
    """Trials of one solver that all take the same number of steps."""
    return work_out(parse(f'puzzles = [{{ sources = ["{puzzle}"] }}]\nruns = {runs}\nmax_steps = {steps}\n'
                          f'solvers = [{{ solver = "{solver}" }}]', solver), solver)


def _overhead(trials: int) -> Result:
    work = experiment("anneal", STEPS, trials)
    bare, extra = _pairs(work)
    handing = _handing_over(10 * trials)
    return at_most("bench vs bare solver, trials of 10 ms", (bare + extra + handing) / bare, OVERHEAD, "×",
                   f"{number(1e3 * bare, 'ms')} bare; {number(1e3 * extra, 'ms')} more with its curve and limits, "
                   f"{number(1e3 * handing, 'ms')} to hand it over, take it back and store it")


def _pairs(work: Experiment) -> tuple[float, float]:
    """Seconds of a bare run, and what the same as a trial takes more; one after the other, since others use the
    machine."""
    loaded, pace = Loaded(work), Pace()
    (solver, params), puzzle = loaded.contender(0), loaded.puzzle(0)
    bare, extra = [], []
    for trial in [*islice(work.trials(), FEW), *work.trials()]:  # the first ones are for the pace
        began = time.thread_time()
        solver.advance(solver.init(puzzle, params, trial.seed), params, STEPS)
        between = time.thread_time()
        run_trial(loaded, trial, pace)
        bare.append(between - began)
        extra.append(time.thread_time() - between - bare[-1])
    return statistics.median(bare[FEW:]), statistics.median(extra[FEW:])


def _handing_over(trials: int) -> float:
    """Seconds a trial of a single step takes in a worker process and here, without the trial itself."""
    few, many = experiment("anneal", 1, FEW), experiment("anneal", 1, FEW + trials)
    start = _cpu(lambda: _run(few, 1))
    with_bench = (_cpu(lambda: _run(many, 1)) - start) / trials
    loaded, pace = Loaded(many), Pace()
    began = time.thread_time()
    for trial in many.trials():
        run_trial(loaded, trial, pace)
    return with_bench - (time.thread_time() - began) / many.size


def _busy(trials: int) -> Result:
    """While there is enough to do; the last quarter is left out."""
    many = experiment("anneal", STEPS, 3 * trials)
    shares = list[float]()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
        before: tuple[float, float] | None = None
        for progress in bench.run(many, store):
            if progress.fresh < many.size / 4:
                continue
            now = time.perf_counter(), _wanted()
            if before is None:
                before = now
            elif progress.fresh < many.size * 3 / 4:
                shares.append((now[1] - before[1]) / (now[0] - before[0]) / cores())
    return at_least(f"{cores()} processors busy", 100 * shares[-1], BUSY, "%")


def _wanted() -> float:
    """Seconds that the children of this process ran or waited for a processor."""
    total = 0
    for task in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((task / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid():
                ran, waited, _slices = (task / "schedstat").read_text().split()
                total += int(ran) + int(waited)
        except OSError:
            continue
    return total / 1e9


def _threads(name: str, repeats: int) -> Result:
    solver, steps, runs = KINDS[name]
    work = experiment(solver, steps, runs, UNSOLVABLE if solver == "anneal" else "hard:1")
    took: dict[ExecutorKind, list[float]] = {"threads": [], "processes": []}
    for _ in range(repeats):
        for how, times in took.items():
            times.append(steady(work, how))
    ratios = [slow / fast for slow, fast in zip(took["threads"], took["processes"], strict=True)]
    medians = ", ".join(f"{how} {number(statistics.median(times), 's')}" for how, times in took.items())
    return at_least(f"threads' time / processes': {name}", statistics.median(ratios), 1.0, "×", medians)


def steady(work: Experiment, how: ExecutorKind, jobs: int = 0) -> float:
    """Seconds from the tenth part of the trials to the last. `jobs`: workers; 0: as many as there are processors."""
    times = [each for each in _times(work, how, jobs or cores()) if each[0] >= work.size // 10]
    return (times[-1][1] - times[0][1]) / (times[-1][0] - times[0][0]) * work.size


def _times(work: Experiment, how: ExecutorKind, jobs: int) -> Iterator[tuple[int, float]]:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
        for progress in bench.run(work, store, jobs, how):
            yield progress.fresh, time.perf_counter()


def _run(work: Experiment, jobs: int) -> None:
    for _ in _times(work, "processes", jobs):
        pass


def _cpu(work: Callable[[], None]) -> float:
    """Seconds of the processor of this process and its children."""

    def spent() -> float:
        return sum(each.ru_utime + each.ru_stime
                   for each in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))

    before = spent()
    work()
    return spent() - before
