"""Run an experiment into a store: trials that have a row are skipped, and each result is committed when it arrives."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

import engine
from engine.bench.executors.scheduling import Control, ExecutorKind, cores, execute
from engine.bench.executors.worker import Finished
from engine.bench.experiment import Experiment
from engine.bench.store import Store


class Progress(Struct, frozen=True):
    """Progress of an experiment."""

    done: int
    """Trials that have a row, those of earlier runs included."""
    size: int
    fresh: int
    """Trials of this run."""
    elapsed: float
    """Seconds since the start or the resumption, pauses included."""

    @property
    def rate(self) -> float:
        """Trials a second."""
        return self.fresh / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate; None while there is none."""
        return (self.size - self.done) / self.rate if self.rate else None


def run(experiment: Experiment, store: Store, jobs: int = 0, how: ExecutorKind = "processes",
        control: Control | None = None, clock: Callable[[], float] = time.monotonic) -> Iterator[Progress]:
    """Run the trials that have no row, and yield the progress at least every tenth of a second."""
    before = store.count(experiment)
    store.note(**_facts(experiment), execution=str(how))
    began, fresh = clock(), 0
    yield Progress(before, experiment.size, 0, 0.0)
    for finished in _made(experiment, store, experiment.size - before, jobs or cores(), how, control):
        store.keep(experiment, finished)
        fresh += len(finished)
        yield Progress(before + fresh, experiment.size, fresh, clock() - began)
    if before + fresh < experiment.size and not (control is not None and control.stopped()):
        # trials that are the same (a puzzle that is there twice) share a row
        yield Progress(store.count(experiment), experiment.size, fresh, clock() - began)


def run_parts(parts: Sequence[Experiment], store: Store, jobs: int = 0, how: ExecutorKind = "processes",
              control: Control | None = None, clock: Callable[[], float] = time.monotonic) -> Iterator[Progress]:
    """`run` for the parts of an experiment, one after the other; the progress is that of all parts."""
    size, done = sum(part.size for part in parts), [store.count(part) for part in parts]
    began, fresh = clock(), 0
    for place, part in enumerate(parts):
        for each in run(part, store, jobs, how, control, clock):
            done[place] = each.done
            yield Progress(sum(done), size, fresh + each.fresh, clock() - began)
        fresh += each.fresh
        if control is not None and control.stopped():
            return


def _made(experiment: Experiment, store: Store, missing: int, jobs: int, how: ExecutorKind,
          control: Control | None) -> Iterator[Finished]:
    """Execute the missing trials; no worker is started if there are none."""
    if not missing:
        return iter(())
    return execute(experiment, store.missing(experiment), min(jobs, missing), how, control)


def _facts(experiment: Experiment) -> dict[str, str]:
    """The machine and the versions that made the results."""
    return {"experiment": experiment.whole, "about": experiment.about, "program": engine.__version__,
            "python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}",
            "processor": _processor(), "cores": str(cores())}


def _processor() -> str:
    """The processor as the system names it; "" where it does not."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            named = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        return platform.processor()
    return named[0] if named else platform.processor()
