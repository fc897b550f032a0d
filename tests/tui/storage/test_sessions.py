"""Sessions: offered when their process has ended, claimed by one process only, never lost."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadInput
from engine.run import run_file
from engine.run.run import Run
from tests.tui.small import PUZZLE, SMALL
from tui.storage import sessions
from tui.storage.library import ago_text, session_entries
from tui.storage.sessions import FORMAT, LOCK, OLDEST, VERSION, SavedSession, Session, SessionTaken, resumable, tidy


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registry.lent(SMALL):
        yield


def kept(steps: int = 10, seed: int = 7) -> SavedSession:
    run = Run.start(SMALL, PUZZLE, seed=seed)
    run.advance(steps)
    return SavedSession(FORMAT, VERSION, run_file.sketch(run, "hard 1"), speed=100.0)


def open_on(folder: Path, steps: int = 10, client: str = "") -> Session:
    """The session of a live process: a lock belongs to the open file, also within one process."""
    session = Session(folder, client)
    session.front = session
    session.write(session, kept(steps))
    return session


def cut_off(folder: Path, steps: int = 10, client: str = "") -> Path:
    session = open_on(folder, steps, client)
    session.close(quit=False)
    return session.path


def aged(path: Path, seconds: float) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def names(folder: Path, suffix: str) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.suffix == suffix)


def test_a_session_is_offered_once_its_process_has_ended(tmp_path: Path) -> None:
    session = open_on(tmp_path)
    assert resumable(tmp_path) == ()
    session.close(quit=False)
    [found] = resumable(tmp_path)
    assert (found.run.path, found.run.puzzle_name, found.run.solver) == (session.path, "hard 1", "small")
    assert (found.run.steps, found.run.playhead, found.saved.ended) == (10, 10, "unexpected")
    assert found.saved.run == kept().run


def test_a_session_that_was_quit_is_not_offered_and_can_be_resumed(tmp_path: Path) -> None:
    session = open_on(tmp_path)
    session.close(quit=True)
    [found] = resumable(tmp_path)
    assert found.saved.ended == "quit"
    assert session_entries([found], found.run.modified) == ()
    assert Session(tmp_path).claim_first().exists()


def test_of_many_takers_at_once_one_has_it(tmp_path: Path) -> None:
    path = cut_off(tmp_path)
    takers, won = [Session(tmp_path) for _ in range(12)], []
    start = threading.Barrier(len(takers))

    def take(taker: Session) -> None:
        start.wait()
        with contextlib.suppress(SessionTaken):
            won.append(taker.claim(path))

    threads = [threading.Thread(target=take, args=(each,)) for each in takers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(won) == 1
    assert sessions.read(won[0]).run == kept().run
    assert resumable(tmp_path) == ()


def test_thirty_that_were_cut_off_at_once_all_find_one(tmp_path: Path) -> None:
    for steps in range(1, 31):
        cut_off(tmp_path, steps)
    takers = [Session(tmp_path) for _ in range(30)]
    assert sorted(sessions.read(each.claim_first()).run.steps for each in takers) == list(range(1, 31))
    with pytest.raises(BadInput, match="no interrupted session to resume"):
        Session(tmp_path).claim_first()


def test_what_was_claimed_is_offered_again_if_its_taker_is_cut_off_too(tmp_path: Path) -> None:
    taker = Session(tmp_path)
    taker.claim(cut_off(tmp_path, 42))
    taker.close(quit=False)
    assert [each.run.steps for each in resumable(tmp_path)] == [42]


def test_what_cannot_be_opened_is_given_back(tmp_path: Path) -> None:
    taker = open_on(tmp_path, 5)
    taker.claim(cut_off(tmp_path, 42))
    taker.give_back()
    assert [each.run.steps for each in resumable(tmp_path)] == [42]
    assert taker.front is taker
    taker.write(taker, kept(6))
    taker.close(quit=False)
    assert sorted(each.run.steps for each in resumable(tmp_path)) == [6, 42]


def test_the_session_of_a_live_process_is_not_offered(tmp_path: Path) -> None:
    session = open_on(tmp_path)
    with pytest.raises(SessionTaken):
        Session(tmp_path).claim(session.path)
    sessions.delete(session.path)
    assert sessions.read(session.path).run.steps == 10


def test_a_lock_that_is_tidied_away_before_it_is_held_is_made_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flock, removed = fcntl.flock, []

    def after_another_process(fd: int, how: int) -> None:
        if not removed:
            removed.extend(names(tmp_path, LOCK))
            (tmp_path / removed[0]).unlink()
        flock(fd, how)

    monkeypatch.setattr(fcntl, "flock", after_another_process)
    session = open_on(tmp_path)
    assert names(tmp_path, LOCK) == [f"{session.path.stem}{LOCK}"] != removed
    assert not resumable(tmp_path)
    session.close(quit=False)


def test_only_the_run_in_front_or_in_the_file_is_saved(tmp_path: Path) -> None:
    session, behind = open_on(tmp_path), object()
    session.write(behind, kept(99))
    assert sessions.read(session.path).run.steps == 10
    session.front = behind
    session.write(session, kept(11))
    assert sessions.read(session.path).run.steps == 11
    session.write(behind, kept(99))
    session.write(session, kept(12))
    assert sessions.read(session.path).run.steps == 99


def test_those_of_the_same_client_come_first_then_the_newest(tmp_path: Path) -> None:
    for steps, client, age in ((1, "10.0.0.1", 50), (2, "10.0.0.2", 300), (3, "10.0.0.2", 200), (4, "", 10)):
        aged(cut_off(tmp_path, steps, client), age)
    assert [each.run.steps for each in resumable(tmp_path, "10.0.0.2")] == [3, 2, 4, 1]
    assert [each.run.steps for each in resumable(tmp_path)] == [4, 1, 3, 2]


def test_the_client_is_where_the_connection_comes_from() -> None:
    assert sessions.client({"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.1 22"}) == "10.0.0.2"
    assert sessions.client({}) == ""


def test_old_ones_go_and_what_is_left_over(tmp_path: Path) -> None:
    alive, old, young = open_on(tmp_path), cut_off(tmp_path), cut_off(tmp_path, 3)
    aged(alive.path, OLDEST + 9)
    aged(old, OLDEST + 9)
    log = alive.new_recording().path
    log.write_bytes(b"of one who is there")
    gone = old.stem
    (tmp_path / f"{gone}-0000.tape").write_bytes(b"of none")
    (tmp_path / f".{gone}.session.77").write_bytes(b"half")
    tidy(tmp_path)
    tidy(tmp_path)
    assert names(tmp_path, ".session") == sorted([alive.path.name, young.name])
    assert names(tmp_path, ".tape") == [log.name]
    assert names(tmp_path, ".lock") == sorted([f"{alive.path.stem}.lock", f"{young.stem}.lock"])
    assert not list(tmp_path.glob(".*"))


def test_a_recording_that_is_needed_stays(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.front = session
    log = session.new_recording().path
    log.write_bytes(b"frames")
    session.write(session, msgspec.structs.replace(kept(), tape=log.name))
    session.close(quit=False)
    taker = Session(tmp_path)
    claimed = taker.claim(session.path)
    tidy(tmp_path)
    assert sessions.read(claimed).tape == log.name
    assert log.exists()


def test_there_are_no_more_than_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    for steps in range(1, 7):
        aged(cut_off(tmp_path, steps), 100 - steps)
    tidy(tmp_path)
    assert [each.run.steps for each in resumable(tmp_path)] == [6, 5, 4]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_files_are_nobodys(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    whole = msgspec.json.encode(kept())
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(st.sampled_from([whole[:place], whole[:place] + b"7" + whole[place + 1:], b"\xff" + whole,
                                         b"[" * 99999]))
    path = tmp_path_factory.mktemp("damaged") / "a.session"
    path.write_bytes(damaged)
    try:
        found = sessions.read(path)
    except BadInput:
        assert resumable(path.parent) == ()
    else:
        assert found.run == kept().run  # only the manner is not sealed


@pytest.mark.parametrize(("field", "value"), [
    ("speed", -1.0), ("span", 3), ("span", 2**70), ("version", 2), ("format", "something else"), ("ended", "somehow")])
def test_what_makes_no_sense_is_refused(field: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    path.write_bytes(msgspec.json.encode(msgspec.to_builtins(kept()) | {field: value}))
    with pytest.raises(BadInput):
        sessions.read(path)


def test_a_recording_elsewhere_is_not_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a file name"):
        sessions.with_recording(tmp_path / "a.session", msgspec.structs.replace(kept(), tape="../b.tape"))


def test_how_long_ago() -> None:
    said = [ago_text(seconds) for seconds in (-5, 59, 60, 150, 3600, 7300, 86400, 200000)]
    assert said == ["a moment ago", "a moment ago", "1 minute ago", "2 minutes ago", "1 hour ago", "2 hours ago",
                    "1 day ago", "2 days ago"]
