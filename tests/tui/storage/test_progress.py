"""Progress files: nothing is lost between processes, damage costs the damaged lines, and one's own is one's own."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.files import access
from engine.teaching.progress import Answered, Progress, with_answers
from tests.cli.conftest import ROOT
from tests.patience import PATIENCE
from tui import WEB_DRIVER
from tui.storage import progress
from tui.storage.progress import DAMAGED, ProgressStore, encoded, learner, read

DAY = date(2026, 3, 1)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
ANSWERS = st.lists(st.builds(Answered, NAMES, NAMES, st.booleans(), st.dates()), max_size=30)
SSH = {"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.1 22"}
WRITER = """
import sys
from pathlib import Path
from tui.storage.progress import ProgressStore
folder, kind, count = sys.argv[1:]
store = ProgressStore(folder=Path(folder))
answered = store.counter("anneal")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(count)):
    answered("both", number % 2 == 0)
    answered(kind, True)
    notice = store.save()
    assert notice is None, notice
"""
"""A process that counts answers of two kinds, one of which others count too, and saves after each."""


def some(*answers: tuple[str, str, bool]) -> Progress:
    return with_answers({}, [Answered(*each, DAY) for each in answers])


def answer(store: ProgressStore, solver: str = "anneal", kind: str = "accept", *rights: bool) -> None:
    counted = store.counter(solver)
    for right in rights or (True,):
        counted(kind, right)


def asked(store: ProgressStore) -> dict[tuple[str, str], tuple[int, int]]:
    return {key: (score.asked, score.right) for key, score in store.read().progress.items()}


def test_what_is_saved_is_there_again(tmp_path: Path) -> None:
    store = ProgressStore(folder=tmp_path / "new" / "progress")
    assert store.read().progress == {}
    assert not store.is_due
    answer(store, "anneal", "accept", True, False, True)
    assert store.is_due
    assert store.save() is None
    assert not store.is_due
    assert store.save() is None
    again = ProgressStore(folder=store.folder)
    assert asked(again) == {("anneal", "accept"): (3, 2)}
    answer(again, "dlx", "next-cell")
    assert asked(again) == {("anneal", "accept"): (3, 2), ("dlx", "next-cell"): (1, 1)}, "unsaved answers are shown too"
    assert asked(store) == {("anneal", "accept"): (3, 2)}


@given(ANSWERS)
def test_a_file_holds_any_progress(tmp_path_factory: pytest.TempPathFactory, answers: list[Answered]) -> None:
    path = tmp_path_factory.mktemp("progress") / "own.jsonl"
    counted = with_answers({}, answers)
    path.write_bytes(encoded(counted, "10.0.0.2"))
    found = read(path)
    assert (found.progress, found.damaged) == (counted, 0)


def test_two_stores_add_to_each_other(tmp_path: Path) -> None:
    first, second = ProgressStore(folder=tmp_path), ProgressStore(folder=tmp_path)
    answer(first)
    answer(second, "anneal", "accept", False, False)
    assert first.save() is second.save() is None
    answer(first)
    first.save()
    assert asked(second) == {("anneal", "accept"): (4, 2)}


def test_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), f"own-{number}", "40"], text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
               for number in range(3)]
    for each in writers:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in writers:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    for each in writers:
        assert each.communicate(timeout=PATIENCE) == ("", "")
        assert each.returncode == 0
    own = {("anneal", f"own-{number}"): (40, 40) for number in range(3)}
    assert asked(ProgressStore(folder=tmp_path)) == {("anneal", "both"): (120, 60), **own}
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_process_that_holds_the_lock_is_not_waited_for_for_ever(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LONGEST_WAIT", 0.0)
    store = ProgressStore(folder=tmp_path)
    answer(store)
    with progress._locked(tmp_path):
        notice = store.save()
    assert notice is not None
    assert "another process is writing there" in notice.text
    assert store.save() is None
    assert asked(ProgressStore(folder=tmp_path)) == {("anneal", "accept"): (1, 1)}


@given(st.data())
def test_damage_costs_the_damaged_lines_only(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    counted = some(("anneal", "accept", True), ("anneal", "energy-change", False), ("dlx", "next-cell", True))
    whole = encoded(counted, "").splitlines(keepends=True)
    place = data.draw(st.integers(1, 3))
    line = whole[place]
    at = data.draw(st.integers(0, len(line) - 2))
    whole[place] = data.draw(st.sampled_from([line[:at] + b"\n", line[:at] + b"\xff" + line[at:], b"[" * 9999 + b"\n",
                                              b"\n", b"{}\n"]))
    path = tmp_path_factory.mktemp("damaged") / "own.jsonl"
    path.write_bytes(b"".join(whole))
    found = read(path)
    kept = [key for number, key in enumerate(sorted(counted), 1) if number != place]
    assert [key for key in found.progress if key in kept] == kept
    assert all(found.progress[key] == counted[key] for key in kept)
    assert found.damaged == 1


@pytest.mark.parametrize(("field", "value"), [
    ("asked", 0), ("asked", -1), ("asked", 2**60), ("right", 9), ("right", -1), ("best", 9), ("best", 0),
    ("recent", "2"), ("recent", ""), ("recent", "11111"), ("last", "yesterday"), ("kind", ""), ("solver", "a\nb"),
    ("solver", "x" * 99), ("points", 7)])
def test_what_makes_no_sense_is_damage(field: str, value: object, tmp_path: Path) -> None:
    import msgspec

    heading, line = encoded(some(("anneal", "accept", True)), "").splitlines()
    path = tmp_path / "own.jsonl"
    path.write_bytes(heading + b"\n" + msgspec.json.encode(msgspec.json.decode(line) | {field: value}) + b"\n")
    assert (dict(read(path).progress), read(path).damaged) == ({}, 1)


def test_a_damaged_file_stays_beside_and_is_reported_once(tmp_path: Path) -> None:
    store = ProgressStore(folder=tmp_path)
    damaged = encoded(some(("anneal", "accept", True)), "") + b"half a li"
    store.path.write_bytes(damaged)
    assert store.read().damaged == 1
    answer(store, "dlx", "next-cell")
    notice = store.save()
    assert notice is not None
    assert notice.text == f"1 line of {store.path}{DAMAGED} cannot be read"
    assert Path(f"{store.path}{DAMAGED}").read_bytes() == damaged
    assert asked(store) == {("anneal", "accept"): (1, 1), ("dlx", "next-cell"): (1, 1)}
    answer(store, "dlx", "next-cell")
    assert store.save() is None
    assert store.read().damaged == 0


def test_a_file_of_a_later_version_stays_as_it_is(tmp_path: Path) -> None:
    store = ProgressStore(folder=tmp_path)
    later = b'{"format":"sudoku-tui progress","version":2}\n{"solver":"x"}\n'
    store.path.write_bytes(later)
    answer(store)
    notice = store.save()
    assert notice is not None
    assert "of a version of the program that this one cannot read" in notice.text
    assert store.path.read_bytes() == later
    with pytest.raises(BadInput, match="this one cannot read"):
        store.read()


def test_where_nothing_can_be_written_it_is_said_once_and_the_answers_wait(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = ProgressStore(folder=tmp_path / "file" / "progress")
    for first in (True, False, False):
        answer(store)
        notice = store.save()
        assert (notice is not None) is first
    assert store.is_due
    (tmp_path / "file").unlink()
    assert store.save() is None
    assert asked(ProgressStore(folder=store.folder)) == {("anneal", "accept"): (3, 3)}


def test_without_autosave_nothing_is_written(tmp_path: Path) -> None:
    store = ProgressStore(folder=tmp_path, enabled=False)
    answer(store)
    assert store.save() is None
    assert asked(store) == {("anneal", "accept"): (1, 1)}
    assert list(tmp_path.iterdir()) == []


def test_one_solver_is_reset_or_all(tmp_path: Path) -> None:
    store = ProgressStore(folder=tmp_path)
    for solver in ("anneal", "dlx"):
        answer(store, solver)
    store.save()
    store.reset("anneal")
    assert asked(store) == {("dlx", "accept"): (1, 1)}
    store.reset()
    assert asked(store) == {}


def test_the_owner_of_an_account_is_the_learner_wherever_the_line_comes_from() -> None:
    assert [learner(each) for each in ({}, SSH, {"TEXTUAL_DRIVER": WEB_DRIVER})] == ["", "", ""]


def test_a_kiosk_tells_learners_apart_by_their_clients(tmp_path: Path) -> None:
    with access.restricted_to(tmp_path):
        assert [learner(each) for each in ({}, SSH, {"TEXTUAL_DRIVER": WEB_DRIVER})] == ["", "10.0.0.2", None]
        folder = tmp_path / "sudoku-tui" / "progress"
        stores = [ProgressStore(client, folder) for client in ("10.0.0.2", "10.0.0.3", "", "::1", "../../x")]
        for number, store in enumerate(stores, 1):
            answer(store, "anneal", "accept", *[True] * number)
            assert store.save() is None
        assert [asked(store)["anneal", "accept"][0] for store in stores] == [1, 2, 3, 4, 5]
        assert len({store.path for store in stores}) == len(stores)
        assert {path.parent for path in tmp_path.rglob("*.jsonl")} == {folder}


def test_in_a_browser_that_shows_a_kiosk_progress_ends_with_the_tab(tmp_path: Path) -> None:
    store = ProgressStore(None, tmp_path)
    answer(store)
    assert store.save() is None
    assert asked(store) == {("anneal", "accept"): (1, 1)}
    assert asked(ProgressStore(None, tmp_path)) == {}
    store.reset()
    assert list(tmp_path.iterdir()) == []


def test_the_files_of_clients_that_were_away_longest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST", 2)
    own = ProgressStore(folder=tmp_path)
    answer(own)
    own.save()
    os.utime(own.path, (0, 0))
    for number in range(4):
        store = ProgressStore(f"10.0.0.{number}", tmp_path)
        answer(store)
        store.save()
        os.utime(store.path, (number, number))
    (tmp_path / ".own.jsonl.abc").write_bytes(b"half")
    last = ProgressStore("10.0.0.3", tmp_path)
    answer(last)
    last.save()
    kept = {ProgressStore(f"10.0.0.{number}", tmp_path).path for number in (2, 3)}
    assert {path for path in tmp_path.iterdir() if path.name != progress.LOCK} == {own.path, *kept}


def test_no_link_is_followed_for_the_lock(tmp_path: Path) -> None:
    (tmp_path / "progress").mkdir()
    (tmp_path / "progress" / progress.LOCK).symlink_to(tmp_path / "elsewhere")
    store = ProgressStore(folder=tmp_path / "progress")
    answer(store)
    assert store.save() is not None
    assert not (tmp_path / "elsewhere").exists()
