"""Autosave of sessions: the playhead is on disk a second later, and opening the session leads there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import registry
from engine.breakpoints import Breakpoint, Stop
from engine.run.run import Run
from tests.engine.strangers.toy_recorded import ToyRecorded
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import PUZZLE, SMALL
from tui.config.speed import FLAT_OUT
from tui.playback import commands
from tui.playback.loading import pending_run
from tui.playback.player import Player
from tui.requests import AppRequest, ResumeSession
from tui.storage import sessions
from tui.storage.autosave import RUN_INTERVAL, SESSION_INTERVAL, SESSION_SHARE, Autosave, RunFileSaver, SessionSaver
from tui.storage.sessions import PlaybackSettings, Session, resumable

PROMISED = 2.0
"""Greatest age of the session on disk, in seconds."""


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registry.lent(SMALL, ToyRecorded()):
        yield


def driver_with(folder: Path) -> tuple[PlayerDriver, Session]:
    driver, session = PlayerDriver(), Session(folder)
    saver = SessionSaver(session, "hard 1", lambda: driver.now)
    saver.come_to_front()
    driver.player.autosave = Autosave(session=saver)
    return driver, session


def gone_on(folder: Path) -> tuple[Player, Session]:
    """The only session that was left, opened."""
    session = Session(folder)
    begun = pending_run(AppRequest(ResumeSession(session.claim_first())))
    saver = SessionSaver(session, begun.puzzle_name, lambda: 0.0)
    saver.come_to_front()
    player = Player(commands.Inbox(), lambda snapshot: None, lambda: 0.0, begun.snapshot, Autosave(session=saver))
    player.open(begun.loader)
    return player, session


def where(run: Run) -> tuple[object, ...]:
    return run.recorded, run.playhead, run.recipe, run.breakpoints, run.events, run.view()


def test_the_whole_state_of_a_session_is_restored(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    watched = (Breakpoint(Stop(frozenset({"reheat"}))), Breakpoint(Stop(cell=3), on=False))
    for each in (commands.Seek(1500), commands.Seek(1000), commands.Turn(1), commands.Step(77), commands.Step(-7)):
        driver.send(each)
    driver.send(commands.Break(watched), commands.Zoom(3), commands.Speed(5000.0))
    driver.pass_time(SESSION_INTERVAL)
    session.close(quit=False)
    player, _session = gone_on(tmp_path)
    assert player.run is not None
    assert where(player.run) == where(driver.run)
    assert (player.run.playhead, player.run.recorded) == (1070, 1077)
    assert (player.playhead.speed, player.builder.span) == (5000.0, driver.player.builder.span)
    assert player.builder.span is not None
    assert player.playhead.stops


def test_flat_out_comes_back_too(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    driver.send(commands.Step(3), commands.Speed(FLAT_OUT))
    driver.pass_time(SESSION_INTERVAL)
    session.close(quit=False)
    assert gone_on(tmp_path)[0].playhead.speed == math.inf


@example([(1.0, commands.Toggle()), (1.0, commands.Toggle(-1)), (2.0, commands.Turn(1))])  # a branch without steps
@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 3), st.sampled_from([
    commands.Toggle(), commands.Toggle(-1), commands.Step(5), commands.Step(-9), commands.Turn(1), commands.Seek(40),
    commands.Break((Breakpoint(Stop(cell=1)),)), commands.Faster(1)])), max_size=12))
def test_what_is_on_disk_was_so_two_seconds_ago_at_most(
        tmp_path_factory: pytest.TempPathFactory, made: list[tuple[float, commands.Command]]) -> None:
    folder = tmp_path_factory.mktemp("kept")
    driver, session = driver_with(folder)
    seen: list[tuple[float, tuple[object, ...]]] = []
    turn = driver.player.turn

    def watched() -> float | None:
        wanted = turn()
        seen.append((driver.now, (driver.run.recorded, driver.run.playhead, driver.run.recipe)))
        return wanted

    driver.player.turn = watched  # type: ignore[method-assign]
    for seconds, command in made:
        driver.send(command)
        for _ in range(int(seconds / 0.05)):
            driver.pass_time(0.05)
        if any(stood[0] for at, stood in seen if driver.now - at > PROMISED):
            file = sessions.read(session.path).run
            lately = [stood for at, stood in seen if driver.now - at <= PROMISED]
            assert (file.steps, file.playhead, file.recipe) in lately
    session.close(quit=False)


def test_a_paused_run_is_saved_once(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    assert driver.player.turn() is None
    driver.send(commands.Step(5))
    assert driver.player.turn() == SESSION_INTERVAL
    driver.pass_time(SESSION_INTERVAL)
    written = session.path.stat().st_mtime_ns
    assert driver.player.turn() is None
    driver.pass_time(60)
    assert session.path.stat().st_mtime_ns == written


def test_a_run_without_a_step_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    driver.pass_time(SESSION_INTERVAL)
    driver.player.close()
    assert not session.path.exists()


def test_leaving_keeps_what_was_not_due_yet(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    driver.send(commands.Step(5))
    driver.player.close()
    session.close(quit=False)
    assert [each.run.steps for each in resumable(tmp_path)] == [5]


def test_a_resumed_session_is_written_only_when_it_changes(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path)
    driver.send(commands.Step(5))
    driver.player.close()
    session.close(quit=False)
    player, taker = gone_on(tmp_path)
    written = taker.path.stat().st_mtime_ns
    assert player.turn() is None
    player.close()
    assert taker.path.stat().st_mtime_ns == written


def test_a_slow_disk_is_not_asked_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, session = driver_with(tmp_path)
    write = Session.write

    def slowly(self: Session, owner: object, kept: sessions.SavedSession) -> None:
        driver.now += 0.5
        write(self, owner, kept)

    monkeypatch.setattr(Session, "write", slowly)
    driver.send(commands.Step(5))
    driver.pass_time(SESSION_INTERVAL)
    driver.send(commands.Step(5))
    assert driver.player.turn() == 0.5 * SESSION_SHARE
    session.close(quit=False)


def test_a_recording_comes_back_step_by_step(tmp_path: Path) -> None:
    session, now = Session(tmp_path), 0.0
    saver = SessionSaver(session, "toy", lambda: now)
    saver.come_to_front()
    run = Run.start(ToyRecorded(), PUZZLE)
    for steps in (3, 4, 5):
        run.advance(steps)
        assert saver.save(run, PlaybackSettings(10.0)) is None
    run.seek(6)
    saver.save(run, PlaybackSettings(10.0))
    session.close(quit=False)
    assert len(list(tmp_path.glob("*.tape"))) == 1
    player, _session = gone_on(tmp_path)
    again = player.run
    assert again is not None
    assert where(again) == where(run)
    for step in range(13):
        run.seek(step)
        again.seek(step)
        assert where(again) == where(run)


def test_a_failure_is_reported_once_for_session_and_run_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    driver, _session = driver_with(tmp_path / "taken" / "sessions")
    driver.player.autosave.run_file = RunFileSaver("hard 1", lambda: driver.now, tmp_path / "taken" / "kept")
    said = []
    for _ in range(12):
        driver.send(commands.Step(1))
        driver.pass_time(SESSION_INTERVAL)
        said += [] if driver.last.notice is None else [driver.last.notice.text]
    assert said == [f"autosave failed: {tmp_path / 'taken' / 'sessions'}: Not a directory"]


def test_a_run_file_that_takes_long_waits_until_the_run_is_at_rest(tmp_path: Path) -> None:
    driver, session = driver_with(tmp_path / "sessions")
    saver = RunFileSaver("hard 1", lambda: driver.now, tmp_path / "kept")
    driver.player.autosave.run_file = saver
    saver.is_slow = True
    driver.send(commands.Toggle())
    for _ in range(20):
        driver.pass_time(1.0)
    assert session.path.exists()
    assert not (tmp_path / "kept").exists()
    driver.send(commands.Halt())
    driver.pass_time(RUN_INTERVAL)
    assert list((tmp_path / "kept").iterdir())


def test_without_autosave_nothing_is_written(tmp_path: Path) -> None:
    session = Session(tmp_path / "sessions")
    saver = SessionSaver(session, "toy", lambda: 0.0, enabled=False)
    saver.come_to_front()
    run = Run.start(SMALL, PUZZLE)
    run.advance(5)
    assert saver.due(run, PlaybackSettings(1.0)) is None
    assert saver.save(run, PlaybackSettings(1.0)) is None
    session.close(quit=True)
    assert not (tmp_path / "sessions").exists()
