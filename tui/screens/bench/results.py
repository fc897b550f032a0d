"""Computes tables and curves of the results so far in a thread; slow computations are repeated less often."""

from __future__ import annotations

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
from tui.background.threads import BackgroundThread

INTERVAL = 1.0
"""Seconds between two computations, at least."""
REST = 20
"""Seconds of rest for every second that a computation took: the trials need the processor too."""


class ResultsQuery(Struct, frozen=True):
    """The results that the screen shows."""

    part: int = 0
    measure: Measure | None = None
    """The cost by which contenders are compared; None: the one that fits them."""
    group: str | None = None
    """The group of puzzles of the curves; None: all."""


class Results(Struct, frozen=True, eq=False):
    """Tables and curves of one part of an experiment."""

    query: ResultsQuery
    columns: Columns
    comparison: Comparison
    maps: tuple[HeatMap, ...]
    phases: tuple[Phase, ...]
    times: tuple[StepCurve, ...]
    convergence: tuple[Convergence, ...]


def compute(experiment: Experiment, store: Store, query: ResultsQuery) -> Results:
    """The results of an experiment from the trials in the store."""
    columns = store.columns(experiment)
    comparison = tables.comparison(experiment, columns, query.measure)
    of_group = ((trial, curve) for trial, curve in store.curves(experiment)
                if query.group in (None, experiment.problems[trial.problem].group))
    return Results(query, columns, comparison, tables.heat_maps(experiment, columns),
                   tables.phases(experiment, columns),
                   curves.run_time_curves(experiment, columns, comparison.measure, query.group),
                   curves.convergence(experiment, of_group))


class Export(Struct, frozen=True):
    """Reports to be written."""

    kinds: tuple[Kind, ...]
    folder: Path
    date: str
    """The date in the reports."""


class Exported(Struct, frozen=True):
    """The outcome of an export."""

    written: bool
    text: str
    """The folder, or why it could not be written."""


class ResultsWorker(BackgroundThread):
    """Computes the results of one query, and writes reports."""

    name = "results"

    def __init__(self, parts: Sequence[Experiment], path: Path, done: Callable[[], object],
                 prepare: Callable[[], object] = lambda: None, clock: Callable[[], float] = time.monotonic) -> None:
        """`path`: the store. `done` is called in the thread when `latest` or `exported` has changed; `prepare` before
        all else."""
        super().__init__()
        self._parts, self._path, self._done, self._prepare, self._clock = tuple(parts), path, done, prepare, clock
        self._query = ResultsQuery()
        self._exports: list[Export] = []
        self._stale = self._at_once = False
        self._next = 0.0
        """The time before which new trials alone are no reason to compute."""
        self.latest: Results | None = None
        self.exported: Exported | None = None

    def ask(self, query: ResultsQuery) -> None:
        """Compute the results of this query from now on, the first time at once."""
        with self.changed:
            if query != self._query:
                self._query, self._next = query, 0.0
            self._stale = True
            self.changed.notify()

    def renew(self, at_once: bool = False) -> None:
        """Compute again after new trials; `at_once`: no more will come for now."""
        with self.changed:
            self._stale, self._at_once = True, self._at_once or at_once
            self.changed.notify()

    def export(self, export: Export) -> None:
        """Write reports of all parts."""
        with self.changed:
            self._exports.append(export)
            self.changed.notify()

    # In the thread

    def run(self) -> None:
        self._prepare()
        with Store(self._path) as store:
            while (task := self._task()) is not None:
                if isinstance(task, Export):
                    self.exported = self._export(store, task)
                else:
                    self._compute(store, task)
                self._done()

    def failed(self, why: str) -> None:
        self.exported = Exported(False, why)
        if not self.ended:
            self._done()

    def _task(self) -> ResultsQuery | Export | None:
        with self.changed:
            while not self.ended:
                if self._exports:
                    return self._exports.pop(0)
                wait = self._next - self._clock() if self._stale else None
                if wait is not None and (wait <= 0 or self._at_once):
                    self._stale = self._at_once = False
                    return self._query
                self.changed.wait(wait)
        return None

    def _compute(self, store: Store, query: ResultsQuery) -> None:
        first, began = self.latest is None, self._clock()
        self.latest = compute(self._parts[query.part], store, query)
        now = self._clock()
        with self.changed:
            if query == self._query:
                rest = 0.0 if first else REST * (now - began)  # the first one also loads SciPy
                self._next = now + max(INTERVAL, rest)

    def _export(self, store: Store, export: Export) -> Exported:
        try:
            access.make_folder(export.folder)
            for kind in export.kinds:
                report.write(kind, self._parts, store, export.folder / report.FILES[kind], export.date)
        except (BadInput, OSError) as error:
            return Exported(False, str(error))
        return Exported(True, str(export.folder))
