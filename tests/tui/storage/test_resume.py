"""Going on with a session that was cut off: what Home offers, what the keys do, and what happens where others are as
quick."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Static

from engine import registry
from engine.breakpoints import Breakpoint, Stop
from engine.errors import BadInput
from engine.run import run_file
from engine.run.run import Run
from tests.tui.app_driver import AppDriver, running_app
from tests.tui.small import PUZZLE, SMALL
from tests.tui.storage.test_sessions import aged
from tui.config import paths
from tui.requests import HomeRequest, ResumeSession
from tui.screens.dialogs.prompt import ConfirmDialog
from tui.screens.run.screen import RunScreen
from tui.storage import sessions
from tui.storage.autosave import SessionSaver
from tui.storage.sessions import PlaybackSettings, Session

WATCHED = [Breakpoint(Stop(cell=3))]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "sessions", lambda: tmp_path / "sessions")
    monkeypatch.setattr(paths, "autosaved_runs", lambda: tmp_path / "kept")


def cut_off(name: str = "hard 1", playhead: int = 1234, quit: bool = False, recorded: int = 1999) -> Path:
    """A session that was cut off; by default its run is one step before its end."""
    run = Run.start(SMALL, PUZZLE, seed=7)
    run.advance(recorded)
    run.seek(playhead)
    run.breakpoints = list(WATCHED)
    session = Session()
    saver = SessionSaver(session, name, lambda: 0.0)
    saver.come_to_front()
    with registry.lent(SMALL):
        saver.save(run, PlaybackSettings(50.0, 256))
    session.close(quit)
    return session.path


async def offered(on: AppDriver) -> None:
    await on.until(lambda: "interrupted" in on.shown(on.home.list) or on.said.startswith("INTERRUPTED"))


async def goes_on(on: AppDriver) -> None:
    await on.at(RunScreen)
    await on.until(lambda: on.run_screen.snapshot.state == "PAUSED")


async def test_home_offers_the_session_and_c_resumes_it() -> None:
    aged(cut_off(), 200)
    async with running_app() as on:
        await offered(on)
        assert on.said == "INTERRUPTED c resumes hard 1, small, step 1 234, 3 minutes ago"
        assert "c resume" in on.shown(on.home.footer)
        await on.press("c")
        await goes_on(on)
        snapshot = on.run_screen.snapshot
        assert (snapshot.playhead, snapshot.recorded, snapshot.speed) == (1234, 1999, 50.0)
        assert list(snapshot.breakpoints) == WATCHED
        assert snapshot.window.span == 256
        assert "where you left it" in on.shown(on.run_screen.verdict)


async def test_the_footer_names_the_two_runs_that_keys_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "saved_runs", lambda: tmp_path / "saved")
    cut_off()
    kept = Run.start(SMALL, PUZZLE, seed=7)
    kept.advance(90)
    paths.saved_runs().mkdir()
    with registry.lent(SMALL):
        run_file.save(kept, paths.saved_runs() / "other.run")
    async with running_app() as on:
        await offered(on)
        await on.press("home", "down")
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.kind == "run"
        assert "c resume hard 1, small" in on.shown(on.home.footer)
        assert f"enter resume {on.home.selection.entry.name}, small" in on.shown(on.home.footer)
        await on.press("up")
        assert "enter resume" in on.shown(on.home.footer)
        assert "c resume" not in on.shown(on.home.footer)


async def test_the_footer_has_the_word_of_the_offer() -> None:
    cut_off(recorded=2000)
    async with running_app() as on:
        await on.until(lambda: on.said.startswith("CLOSED c reopens hard 1"))
        assert "c reopen" in on.shown(on.home.footer)
        assert "resume" not in on.shown(on.home.footer)
        await on.press("home")
        assert "enter reopen" in on.shown(on.home.footer)
        assert "c reopen" not in on.shown(on.home.footer)


async def test_enter_on_its_row_does_the_same_and_the_offer_goes_with_the_next_key() -> None:
    cut_off()
    async with running_app() as on:
        await offered(on)
        await on.press("home")
        assert on.said == ""
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.kind == "session"
        assert "interrupted a moment ago" in on.shown(on.home.card)
        await on.press("enter")
        await goes_on(on)
        assert on.run_screen.snapshot.playhead == 1234


async def test_the_chosen_session_of_several_is_resumed() -> None:
    for age, playhead in ((10, 100), (20, 200), (30, 300)):
        aged(cut_off(playhead=playhead), age)
    async with running_app() as on:
        await offered(on)
        assert on.said.endswith("a moment ago; 2 other sessions in the list")
        await on.press("home", "down", "c")
        await goes_on(on)
        assert on.run_screen.snapshot.playhead == 200


async def test_a_session_taken_by_another_process_is_refused() -> None:
    path = cut_off()
    async with running_app() as on:
        await offered(on)
        other = Session()
        other.claim(path)
        await on.press("c")
        assert on.said == "REFUSED that session is already open elsewhere"
        await on.until(lambda: "interrupted" not in on.shown(on.home.list))
        assert "c resume" not in on.shown(on.home.footer)
        other.close(quit=False)


async def test_what_was_quit_is_not_offered_and_c_says_so() -> None:
    cut_off(quit=True)
    async with running_app() as on:
        await on.until(lambda: on.home.is_mounted)
        await on.press("c")
        assert on.said == "NOT AVAILABLE no interrupted session to resume"


async def test_it_can_be_deleted() -> None:
    path = cut_off()
    async with running_app() as on:
        await offered(on)
        await on.press("home", "d")
        await on.until(lambda: isinstance(on.app.screen, ConfirmDialog))
        question = on.app.screen.query_one(Static)
        asked = str(question.render())
        assert re.fullmatch(r"Delete hard 1, small, step [\d ]+\?", asked), "several may be of one puzzle"
        await on.press("y")
        await on.until(lambda: "interrupted" not in on.shown(on.home.list))
        assert not path.exists()


async def test_with_a_puzzle_it_is_offered_later() -> None:
    cut_off()
    async with running_app(HomeRequest(solver="small", seed=7)) as on:
        await offered(on)
        await on.press("tab", "tab", "enter")
        await goes_on(on)
        assert on.run_screen.snapshot.recorded == 0
        await on.press("n")
        await offered(on)


async def test_straight_into_the_first_that_is_left() -> None:
    cut_off(playhead=55)
    async with running_app(ResumeSession()) as on:  # type: ignore[arg-type]
        await goes_on(on)
        assert on.run_screen.snapshot.playhead == 55


async def test_what_cannot_be_opened_is_refused_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off()

    def refuse(*_given: object) -> None:
        raise BadInput("it cannot be")

    async with running_app() as on:
        await offered(on)
        with monkeypatch.context() as patch:
            patch.setattr(SMALL, "make_params", refuse)
            await on.press("c")
            await on.until(lambda: on.said.startswith("REFUSED it cannot be"))
        assert [each.run.playhead for each in sessions.resumable()] == [1234]


@pytest.mark.sweep
async def test_the_session_of_a_laboratory_is_kept_as_long_as_it_is_open(tmp_path: Path) -> None:
    async with running_app(HomeRequest(solver="small", seed=7)) as on:
        await on.press("tab", "enter")
        await goes_on(on)
        await on.press("right", "right", "right", "left")
        await on.until(lambda: list((tmp_path / "sessions").glob("*.session")))
        [path] = (tmp_path / "sessions").glob("*.session")

        def stands() -> bool:
            file: run_file.RunFile = sessions.read(path).run
            return (file.steps, file.playhead) == (3, 2)

        await on.until(stands)
        assert sessions.resumable() == ()
