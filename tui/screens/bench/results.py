"""Works out tables and curves of the results so far, in a thread of its own: the more that takes, the more seldom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from engine.bench import curves, report, tables
from engine.bench.columns import Columns, Measure
from engine.bench.curves import Convergence, StepCurve
from engine.bench.experiment import Experiment
from engine.bench.report import Kind
from engine.bench.store import Store
from engine.bench.tables import Comparison, HeatMap, Phase
from engine.errors import BadInput
from engine.files import access
from tui.background import threads

OFTEN = 1.0
"""Seconds between two digests, at least."""
SHARE = 20
"""A digest is followed by so many times the time that it took before the next."""
PATIENCE = 0.5


class Wanted(Struct, frozen=True):
    """What is on the screen."""

    part: int = 0
    measure: Measure | None = None
    """What contenders are compared by; None: what fits them."""
    group: str | None = None
    """The group that the curves are of; None: all."""


class Digest(Struct, frozen=True, eq=False):
    """The results of a part of an experiment, worked out."""

    wanted: Wanted
    columns: Columns
    comparison: Comparison
    maps: tuple[HeatMap, ...]
    phases: tuple[Phase, ...]
    times: tuple[StepCurve, ...]
    convergence: tuple[Convergence, ...]


def digest(experiment: Experiment, store: Store, wanted: Wanted) -> Digest:
    """What is to be shown of an experiment."""
    columns = store.columns(experiment)
    comparison = tables.comparison(experiment, columns, wanted.measure)
    of_group = ((trial, curve) for trial, curve in store.curves(experiment)
                if wanted.group in (None, experiment.problems[trial.problem].group))
    return Digest(wanted, columns, comparison, tables.heat_maps(experiment, columns),
                  tables.phases(experiment, columns),
                  curves.run_time_curves(experiment, columns, comparison.measure, wanted.group),
                  curves.convergence(experiment, of_group))


class Export(Struct, frozen=True):
    """Reports to be written."""

    kinds: tuple[Kind, ...]
    folder: Path
    when: str
    """The date that stands in them."""


class Digester:
    """`show` says what is wanted, `renew` that there is more; `done` is called in the thread when there is another
    `latest` or `told`."""

    def __init__(self, parts: Sequence[Experiment], path: Path, done: Callable[[], object],
                 prepare: Callable[[], object] = lambda: None, clock: Callable[[], float] = time.monotonic) -> None:
        """`prepare` is called in the thread before all else."""
        self._parts, self._path, self._done, self._prepare, self._clock = tuple(parts), path, done, prepare, clock
        self._changed = threading.Condition()
        self._wanted = Wanted()
        self._exports: list[Export] = []
        self._stale = self._hurry = self._ended = False
        self._next = 0.0
        """Before that no digest is made only because there is more."""
        self.latest: Digest | None = None
        self.told: tuple[bool, str] | None = None
        """How the last export went: whether it did, and where to or why not."""
        self._thread = threading.Thread(target=self._work, name="digest", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def show(self, wanted: Wanted) -> None:
        """Want this from now on, at once."""
        with self._changed:
            if wanted != self._wanted:
                self._wanted, self._next = wanted, 0.0
            self._stale = True
            self._changed.notify()

    def renew(self, at_once: bool = False) -> None:
        """There are more results; `at_once`: and for now these are the last ones."""
        with self._changed:
            self._stale, self._hurry = True, self._hurry or at_once
            self._changed.notify()

    def export(self, wish: Export) -> None:
        """Write reports of all parts."""
        with self._changed:
            self._exports.append(wish)
            self._changed.notify()

    def close(self) -> None:
        """End; what is being worked out is given up."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        if self._thread.is_alive():
            threads.follow(self._thread)

    # In the thread

    def _work(self) -> None:
        try:
            self._prepare()
            with Store(self._path) as store:
                while (task := self._task()) is not None:
                    if isinstance(task, Export):
                        self.told = self._exported(store, task)
                    else:
                        self._digest(store, task)
                    self._done()
        except BadInput as error:
            self.told = False, str(error)
        except Exception as error:  # a defect must not leave the screen waiting
            self.told = False, f"{type(error).__name__}: {' '.join(str(error).split())}"
        if not self._ended:
            self._done()

    def _task(self) -> Wanted | Export | None:
        with self._changed:
            while not self._ended:
                if self._exports:
                    return self._exports.pop(0)
                wait = self._next - self._clock() if self._stale else None
                if wait is not None and (wait <= 0 or self._hurry):
                    self._stale = self._hurry = False
                    return self._wanted
                self._changed.wait(wait)
        return None

    def _digest(self, store: Store, wanted: Wanted) -> None:
        first, began = self.latest is None, self._clock()
        self.latest = digest(self._parts[wanted.part], store, wanted)
        now = self._clock()
        with self._changed:
            if wanted == self._wanted:
                self._next = now + (OFTEN if first else max(OFTEN, SHARE * (now - began)))  # the first loads SciPy

    def _exported(self, store: Store, wish: Export) -> tuple[bool, str]:
        try:
            access.make_folder(wish.folder)
            for kind in wish.kinds:
                report.write(kind, self._parts, store, wish.folder / report.FILES[kind], wish.when)
        except (BadInput, OSError) as error:
            return False, str(error)
        return True, str(wish.folder)
