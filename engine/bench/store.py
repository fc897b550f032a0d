"""The result store: one SQLite file, one row per trial, committed as the trial finishes.

The process may be killed at any moment: committed rows stay, and the same experiment resumes with the trials that have
no row. A row is found by the key of its trial, so that a file can also serve an experiment that has grown.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec
import numpy as np

from engine.bench.columns import RESULT, Column, Columns, all_trials, gather, typed
from engine.bench.experiment import Experiment, Trial
from engine.bench.trial import Point, Result
from engine.errors import BadInput
from engine.files import access

VERSION: Final = 1
_SCHEMA: Final = """
create table if not exists facts (name text primary key, value text not null) without rowid;
create table if not exists results (
    key text primary key, solver text not null, label text not null, problem text not null, grp text not null,
    seed integer not null, status text not null, censored integer not null, energy integer not null,
    errors integer not null, steps integer not null, evaluations integer not null, restarts integer not null,
    seconds real not null, cpu real not null, reason text not null, grid text not null, params text not null,
    puzzle text not null, variant text not null, limited text not null, curve blob not null) without rowid;
"""
_RESULT: Final = ("status", "censored", "energy", "errors", "steps", "evaluations", "restarts", "seconds", "cpu",
                  "reason", "grid", "curve")
_COLUMNS: Final = ("key", "solver", "label", "problem", "grp", "seed", *_RESULT[:-1], "params", "puzzle", "variant",
                   "limited", "curve")

_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a rollback journal that names a super-journal."""
_AT_ONCE: Final = 4096
"""Rows that are converted to columns at a time."""


class StoreError(BadInput):
    """A file that is no store of results, or cannot be written."""


@contextlib.contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    """Turn what the content of a damaged or altered file raises into a StoreError."""
    try:
        yield
    except StoreError:
        raise
    except (sqlite3.Error, msgspec.MsgspecError, TypeError, ValueError) as error:
        raise StoreError(f"{path} is damaged or was altered ({error}): expected a file of results") from error


class Store:
    """The results of experiments in one file. Used by one thread; other processes may read it meanwhile."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or create the file. Raises StoreError if it is something else or cannot be written, and Refused for a
        path outside a kiosk's directory."""
        self.path = path
        _check_place(path)
        _check_journal(path)
        try:
            if read_only:
                self._db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            else:
                self._db = sqlite3.connect(path, isolation_level=None)
                _use_log(self._db)
                self._db.execute("pragma synchronous = normal")
                self._db.executescript(_SCHEMA)
                self._db.execute("insert or ignore into facts values ('version', ?)", (str(VERSION),))
            self._db.execute("pragma trusted_schema = off")  # a stranger's views and triggers
            found = self._db.execute("select value from facts where name = 'version'").fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be used for results ({error}): expected a file of results, or none, in a "
                             f"folder that can be written to") from None
        if found is None or found[0] != str(VERSION):
            raise StoreError(f"{path} has results of version {found and found[0]}: expected version {VERSION}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def note(self, **facts: str) -> None:
        """Store facts about the experiment, the machine and the program; a later value replaces an earlier one."""
        with _undamaged(self.path):
            self._db.executemany("insert or replace into facts values (?, ?)", sorted(facts.items()))

    def facts(self) -> dict[str, str]:
        """The stored facts."""
        with _undamaged(self.path):
            return dict(self._db.execute("select name, value from facts order by name"))

    def keep(self, experiment: Experiment, finished: Iterable[tuple[Trial, Result]]) -> None:
        """Commit results, all of these at once. A trial that has a row keeps it: nothing is counted twice."""
        rows = [_row(experiment, trial, result) for trial, result in finished]
        marks = ", ".join("?" * len(_COLUMNS))
        try:
            with contextlib.closing(self._db.cursor()) as cursor:
                cursor.execute("begin immediate")
                cursor.executemany(f"insert or ignore into results ({', '.join(_COLUMNS)}) values ({marks})", rows)
                cursor.execute("commit")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("rollback")
            raise StoreError(f"results cannot be written to {self.path} ({error})") from None

    def count(self, experiment: Experiment) -> int:
        """The number of trials of an experiment that have a row."""
        with _undamaged(self.path):
            (rows,) = self._db.execute("select count(*) from results").fetchone()
        return sum(self._has(experiment, trial) for trial in experiment.trials()) if rows else 0

    def missing(self, experiment: Experiment) -> Iterator[Trial]:
        """The trials of an experiment that have no row, in their order. Each is looked up in turn, so that results may
        be stored meanwhile."""
        return (trial for trial in experiment.trials() if not self._has(experiment, trial))

    def _has(self, experiment: Experiment, trial: Trial) -> bool:
        with _undamaged(self.path):
            found = self._db.execute("select 1 from results where key = ?", (experiment.key(trial),))
            return found.fetchone() is not None

    def results(self, experiment: Experiment, *, curves: bool = False) -> Iterator[tuple[Trial, Result]]:
        """The trials of an experiment that have a row, in their order, one by one from the file; with `curves` their
        convergence too."""
        for trial, row in self._rows(experiment, _RESULT if curves else _RESULT[:-1]):
            with _undamaged(self.path):
                result = _result(row)
            yield trial, result

    def curves(self, experiment: Experiment) -> Iterator[tuple[Trial, list[list[int]]]]:
        """The convergence alone of the trials that have a row: [step, evaluations, best] by point."""
        for trial, (curve,) in self._rows(experiment, ("curve",)):
            with _undamaged(self.path):
                points = msgspec.msgpack.decode(curve)
            yield trial, points

    def _rows(self, experiment: Experiment, names: Iterable[str]) -> Iterator[tuple[Trial, tuple[Any, ...]]]:
        wanted = f"select {', '.join(names)} from results where key = ?"
        cursor = self._db.cursor()  # not closed here: a reader may leave these rows after the store has been closed
        for trial, key in zip(experiment.trials(), experiment.trial_keys(), strict=True):
            with _undamaged(self.path):
                row = cursor.execute(wanted, (key,)).fetchone()
            if row is not None:
                yield trial, row

    def columns(self, experiment: Experiment) -> Columns:
        """The results of an experiment by column, without grids, reasons and curves: some hundred thousand trials a
        second."""
        stored = self._stored()
        wanted = np.fromiter((key.encode() for key in experiment.trial_keys()), "S32", experiment.size)
        keys = stored[0]
        if not len(keys):
            return gather(())
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        known = keys[places] == wanted
        return Columns(*(each[known] for each in all_trials(experiment)),
                       *(column[places[known]] for column in stored[1:]))

    def _stored(self) -> list[Column]:
        """All rows: key and RESULT columns, sorted by key."""
        parts = []
        with _undamaged(self.path), contextlib.closing(self._db.cursor()) as cursor:
            cursor.execute(f"select key, {', '.join(RESULT)} from results order by key")
            while rows := cursor.fetchmany(_AT_ONCE):
                parts.append([np.array([row[0] for row in rows], "S32"), *typed(row[1:] for row in rows)])
        return [np.concatenate(part) for part in zip(*parts, strict=True)] or [np.array([], "S32")]


def _use_log(db: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. While another connection switches a new file, SQLite refuses at once instead of
    waiting."""
    for tries_left in reversed(range(250)):
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            time.sleep(0.02)


def _check_place(path: Path) -> None:
    """SQLite opens files itself: in a kiosk, check first that `engine.files.access` would open this one."""
    if access.kiosk() is None:
        return
    try:
        with access.open_file(path, "ab"):
            pass
    except OSError as error:
        raise StoreError(f"{path} cannot be used for results ({error.strerror or error}): expected a file of results, "
                         "or none, in a folder that can be written to") from None


def _check_journal(path: Path) -> None:
    """Refuse a file beside which lies a rollback journal that names a super-journal, or a link in place of a journal.

    SQLite deletes the super-journal that a hot journal names, wherever it is. Results are written with a write-ahead
    log, so that this program leaves no such journal (https://sqlite.org/fileformat2.html#the_rollback_journal).
    """
    journal = Path(f"{path}-journal")
    harmless = not journal.is_symlink()
    with contextlib.suppress(FileNotFoundError), access.open_file(journal, "rb") as file:
        file.seek(-min(len(_JOURNAL_MAGIC), file.seek(0, os.SEEK_END)), os.SEEK_END)
        harmless = harmless and file.read() != _JOURNAL_MAGIC
    if not harmless:
        raise StoreError(f"{journal} would make SQLite delete another file: expected no rollback journal beside "
                         "results. If the results are yours, remove it")


def _row(experiment: Experiment, trial: Trial, result: Result) -> tuple[object, ...]:
    contender, problem = experiment.contenders[trial.contender], experiment.problems[trial.problem]
    kind, amount = experiment.limit
    first = [experiment.key(trial), contender.solver, contender.label, problem.name, problem.group, trial.seed]
    values = [getattr(result, name) for name in _RESULT[:-1]]
    recipe = [msgspec.json.encode(contender.params, order="sorted").decode(), problem.line, problem.variant,
              f"{kind} {amount:g}"]
    return (*first, *values, *recipe, msgspec.msgpack.encode(result.curve))


def _result(row: tuple[Any, ...]) -> Result:
    values = dict(zip(_RESULT, row, strict=False))
    values["censored"] = bool(values["censored"])
    if "curve" in values:
        values["curve"] = msgspec.msgpack.decode(values["curve"], type=tuple[Point, ...])
    return Result(**values)
