"""The store of results: damaged and altered files are refused in one sentence."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.bench.store import Store, StoreError
from tests.engine.bench import made

WHOLE = made.experiment([made.contender()])
READERS: dict[str, Callable[[Store], object]] = {
    "count": lambda store: store.count(WHOLE), "missing": lambda store: list(store.missing(WHOLE)),
    "results": lambda store: list(store.results(WHOLE, curves=True)), "curves": lambda store: list(store.curves(WHOLE)),
    "columns": lambda store: store.columns(WHOLE), "facts": lambda store: store.facts(),
    "note": lambda store: store.note(machine="here"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "results.sqlite"
    with Store(place) as store:
        store.keep(WHOLE, made.results(WHOLE, made.solved(7), made.cut()))
    return place


@pytest.mark.parametrize(("change", "readers"), [
    ("update results set status = 'perfect'", ("columns",)),
    ("update results set curve = x'c1'", ("results", "curves")),
    ("update results set curve = x'a178'", ("results",)),
    ("drop table results", ("count", "missing", "results", "curves", "columns")),
])
def test_an_altered_file_is_refused(path: Path, change: str, readers: tuple[str, ...]) -> None:
    with Store(path) as store:
        with sqlite3.connect(path) as other:
            other.execute(change)
        other.close()
        for name in readers:
            with pytest.raises(StoreError, match=r"results\.sqlite is damaged or was altered .*: expected a file of"):
                READERS[name](store)


def test_a_damaged_file_is_refused_whatever_is_asked_of_it(path: Path) -> None:
    """Every page but the first is overwritten; the schema can still be read."""
    with sqlite3.connect(path) as other:
        other.execute("pragma wal_checkpoint(truncate)")
        (size,) = other.execute("pragma page_size").fetchone()
    other.close()
    data = path.read_bytes()
    path.write_bytes(data[:size] + b"\xff" * (len(data) - size))
    with pytest.raises(StoreError), Store(path) as store:
        store.count(WHOLE)


class Switching(sqlite3.Connection):
    """Refuses to switch the journal twice, as SQLite does while another connection switches it."""

    refusals = 2

    def execute(self, sql: str, *given: object) -> sqlite3.Cursor:
        if "journal_mode = wal" in sql and self.refusals:
            self.refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *given)


def test_it_waits_for_another_that_creates_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, factory=Switching))
    with Store(tmp_path / "results.sqlite") as opened:
        assert opened.facts()["version"]
        [[mode]] = opened._db.execute("pragma journal_mode")
        assert mode == "wal"


def test_what_is_not_locked_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="unable to open database file"):
        Store(tmp_path / "missing" / "results.sqlite")


def test_rows_may_be_left_after_the_store_has_been_closed(path: Path) -> None:
    """As when the reader of `bench --format csv | head -1` ends; an error in a generator that is left is a warning."""
    with Store(path) as store:
        rows = store.results(WHOLE)
        next(rows)
    rows.close()  # type: ignore[attr-defined]
