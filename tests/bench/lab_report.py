"""Reports of 100 000 stored trials: seconds of the processor from the file to each report, and the most memory it took.

The trials are made up: ten contenders, a hundred puzzles, a hundred seeds, curves of some twenty points. Storing and
each report have a process of their own, as from the command line; what Python and SciPy take to load is in the figures.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from engine import rng
from engine.bench import report
from engine.bench.experiment import Contender, Experiment, Problem, Trial
from engine.bench.store import Store
from engine.bench.trial import MILESTONES, Point
from engine.bench.trial import Result as Made
from engine.run.solve import Limits
from tests.bench.result import Options, Result, at_most

SECONDS, MEBIBYTES = 10.0, 300.0
RUNS, QUICK_RUNS = 100, 10
LIMIT: Final = 1_000_000
EMPTY: Final = "." * 81
_KEPT_AT_ONCE = 256


def experiment(runs: int) -> Experiment:
    """A thousand trials a run."""
    from engine import params, registry

    anneal = registry.solver("anneal")
    alphas = [round(0.90 + 0.01 * number, 2) for number in range(10)]
    contenders = tuple(Contender(f"anneal alpha={alpha}", "anneal", params.to_dict(
        anneal.make_params(None, {"alpha": alpha})), {"alpha": alpha}) for alpha in alphas)
    problems = tuple(Problem(f"group {number % 4}", f"puzzle {number}", _line(number)) for number in range(100))
    return Experiment("made up", "", contenders, problems, runs, 0, Limits(steps=LIMIT))


def _line(number: int) -> str:
    """A puzzle of one given, of each number another."""
    value, cell = divmod(number, len(EMPTY))
    return f"{EMPTY[:cell]}{value + 1}{EMPTY[cell + 1:]}"


def made(trial: Trial) -> Made:
    """A result that could be."""
    steps = int(1000 * 10 ** (4 * rng.uniform(rng.draw(trial.seed, 0, trial.problem, trial.contender))))
    solved, steps = steps <= LIMIT, min(steps, LIMIT)
    points = [0, *(milestone for milestone in MILESTONES if milestone < steps), steps]
    curve = tuple(Point(step, step, max(0 if solved and step == steps else 2, 60 - 3 * place))
                  for place, step in enumerate(points))
    return Made("solved" if solved else "gave_up", not solved, curve[-1].best, curve[-1].best, steps, steps, 0,
                steps * 1e-7, steps * 1e-7, "E = 0" if solved else "the step limit of 1 000 000 is reached", EMPTY,
                curve)


def _batches(trials: Iterable[Trial]) -> Iterator[list[tuple[Trial, Made]]]:
    batch = []
    for trial in trials:
        batch.append((trial, made(trial)))
        if len(batch) == _KEPT_AT_ONCE:
            yield batch
            batch = []
    yield batch


def _store(folder: Path, runs: int) -> float:
    """Seconds of storing alone."""
    took, whole = 0.0, experiment(runs)
    with Store(folder / "results.sqlite") as store:
        for batch in _batches(whole.trials()):
            began = time.process_time()
            store.keep(whole, batch)
            took += time.process_time() - began
    return took


def child(folder: Path, runs: int, kind: str) -> None:
    """The child process: store, or write a report; prints seconds and mebibytes."""
    if kind == "store":
        took = _store(folder, runs)
    else:
        with Store(folder / "results.sqlite", read_only=True) as store:
            report.write(kind, experiment(runs), store, folder / report.FILES[kind], "today")
        took = time.process_time()  # from the beginning of the process
    print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def measure(options: Options) -> Iterable[Result]:
    yield from measured(QUICK_RUNS if options.quick else RUNS, SECONDS, MEBIBYTES)


def measured(runs: int, most_seconds: float, most_memory: float) -> Iterable[Result]:
    """A thousand trials a run, stored and reported."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("store", *report.FILES):
            script = (f"from pathlib import Path; from tests.bench import lab_report; "
                      f"lab_report.child(Path({folder!r}), {runs}, {kind!r})")
            said = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, text=True)
            seconds, memory = json.loads(said.stdout)
            what = f"{runs * 1000} trials: {'stored' if kind == 'store' else report.FILES[kind]}"
            yield at_most(f"{what}, time", seconds, most_seconds, "s")
            yield at_most(f"{what}, memory", memory, most_memory, "MiB")
