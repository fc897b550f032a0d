"""The player opens and keeps runs, and what fails is one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.errors import BadInput
from engine.interrupt import Breaker, give_way
from engine.run import run_file
from engine.run.run import Run
from engine.view import Sentence
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import SMALL, Small, SmallParams, SmallState
from tui import messages
from tui.playback import commands
from tui.playback.loading import Progress, RunLoader, pending_run
from tui.playback.player import Player
from tui.playback.snapshot import Snapshot
from tui.requests import AppRequest


@pytest.fixture
def driver() -> PlayerDriver:
    return PlayerDriver()


def test_a_parameter_is_set_or_refused_with_a_sentence(driver: PlayerDriver) -> None:
    assert driver.send(commands.Intervene("alpha", 0.5)).params.alpha == 0.5  # type: ignore[attr-defined]
    refused = driver.send(commands.Intervene("alpha", 1.5))
    assert refused.notice is not None
    assert refused.notice.badge == "REFUSED"
    assert "alpha = 1.5" in refused.notice.text
    assert refused.params.alpha == 0.5  # type: ignore[attr-defined]
    assert driver.send(commands.Intervene("length", 5)).notice.badge == "REFUSED"  # type: ignore[union-attr]


def test_a_change_that_a_file_brings_cannot_be_undone(driver: PlayerDriver, tmp_path: Path) -> None:
    driver.send(commands.Step(100))
    changed = driver.send(commands.Intervene("alpha", 0.5), commands.Step(10), commands.Save(tmp_path, "a"))
    assert changed.can_undo
    assert not driver.send(commands.Undo()).can_undo
    undone = driver.send(commands.Undo())
    assert undone.notice is not None
    assert undone.notice.text == "nothing to undo"
    with registry.lent(SMALL):
        again = pending_run(AppRequest(tmp_path / "a-1.run"))
        snapshots: list[Snapshot] = []
        inbox = commands.Inbox()
        player = Player(inbox, snapshots.append, lambda: 0.0, again.snapshot)
        player.open(again.loader)
        assert snapshots[-1].recipe is not None
        assert snapshots[-1].recipe.interventions
        assert not snapshots[-1].can_undo
        inbox.put(commands.Undo())
        player.turn()
    assert snapshots[-1].notice is not None
    assert snapshots[-1].notice.text == "nothing to undo since this run was opened"


def test_it_saves_a_run_that_can_be_opened_again(driver: PlayerDriver, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "a-1.run"
    driver.send(commands.Step(100))
    snapshot = driver.send(commands.Seek(30), commands.Save(path.parent, "a"))
    assert snapshot.notice is not None
    assert (snapshot.notice.badge, snapshot.notice.text) == ("SAVED", str(path))
    with registry.lent(SMALL):
        run, mismatch = run_file.load(path)
        assert mismatch is None
        assert (run.playhead, run.recorded) == (30, 100)
        again = pending_run(AppRequest(path))
        snapshots: list[Snapshot] = []
        player = Player(commands.Inbox(), snapshots.append, lambda: 0.0, again.snapshot)
        player.open(again.loader)
    assert again.snapshot.state == "OPENING"
    assert (snapshots[-1].playhead, snapshots[-1].recorded, snapshots[-1].state) == (30, 100, "PAUSED")
    assert snapshots[-1].notice is not None
    assert snapshots[-1].notice.badge == "OPENED"


def test_two_saves_in_a_row_are_two_files(driver: PlayerDriver, tmp_path: Path) -> None:
    driver.send(commands.Save(tmp_path, "a"), commands.Save(tmp_path, "a"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.run", "a-2.run"]


def test_what_the_screen_has_to_say_stays_like_any_notice(driver: PlayerDriver) -> None:
    told = messages.message("REFUSED", "no")
    assert driver.send(commands.Announce(told)).notice == told
    assert driver.send(commands.Step(1), commands.Announce(told, 0)).notice is None, "it is about another step"
    assert driver.send(commands.Announce(told, 1)).notice == told
    driver.send(commands.Toggle(), commands.Announce(told))
    assert driver.pass_time(1.0).notice == told
    assert driver.pass_time(1.5).notice is None


def test_where_nothing_can_be_saved_it_says_so(driver: PlayerDriver, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    snapshot = driver.send(commands.Save(tmp_path / "file", "a"))
    assert snapshot.notice is not None
    assert snapshot.notice.badge == "REFUSED"


class Broken(Small):
    """Fails at step 7."""

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple]:  # type: ignore[type-arg]
        for events in super().steps(state, params):
            if state.step == 7:
                raise RuntimeError("seven\nis too much")
            yield events


def test_a_solver_that_fails_becomes_one_sentence() -> None:
    driver = PlayerDriver(solver=Broken())
    driver.send(commands.Step(3), commands.Toggle())
    snapshot = driver.pass_time(1)
    assert (snapshot.state, snapshot.playhead) == ("PAUSED", 3)
    assert snapshot.notice is not None
    assert (snapshot.notice.badge, snapshot.notice.text) == ("ERROR", "RuntimeError: seven")


def _refuse(progress: Progress) -> tuple[Run, Sentence | None]:
    raise BadInput("this puzzle has no free cell")


def _break(progress: Progress) -> tuple[Run, Sentence | None]:
    raise OSError("the disk is gone")


@pytest.mark.parametrize(("loader", "badge", "said"), [
    (_refuse, "REFUSED", "this puzzle has no free cell"), (_break, "ERROR", "OSError: the disk is gone")])
def test_a_run_that_cannot_be_made_leaves_the_board_and_a_sentence(
        loader: RunLoader, badge: str, said: str, driver: PlayerDriver) -> None:
    snapshots: list[Snapshot] = []
    player = Player(commands.Inbox(), snapshots.append, lambda: 0.0, driver.pending.snapshot)
    player.open(loader)
    assert snapshots[-1].state == "FAILED"
    assert snapshots[-1].notice is not None
    assert (snapshots[-1].notice.badge, snapshots[-1].notice.text) == (badge, said)
    player.inbox.put(commands.Step(1))
    assert player.turn() is None
    assert len(snapshots) == 1


def test_commands_that_come_early_are_obeyed_when_the_run_is_there() -> None:
    driver = PlayerDriver()
    fresh = Player(driver.inbox, driver.snapshots.append, lambda: driver.now, driver.pending.snapshot)
    driver.inbox.put(commands.Step(4))
    fresh.open(driver.pending.loader)
    fresh.turn()
    assert driver.last.playhead == 4


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize(("command", "state"), [(commands.Toggle(), "RUNNING"), (commands.Seek(3), "PAUSED"),
                                              (commands.Halt(), "FAILED")])
def test_keys_that_come_early_do_not_break_off_the_making_of_the_run(
        command: commands.Command, state: str, early: bool) -> None:
    """Only what gives it up does."""
    driver = PlayerDriver()
    driver.inbox.breaker = Breaker(grace=0.0)

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        if not early:
            driver.inbox.put(command)
        give_way()
        return driver.pending.loader(progress)

    if early:
        driver.inbox.put(command)
    fresh = Player(driver.inbox, driver.snapshots.append, lambda: driver.now, driver.pending.snapshot)
    with driver.inbox.breaker.watching():
        fresh.open(loader)
        fresh.turn()
    assert driver.last.state == state


def test_a_solver_without_knob_or_period_says_so() -> None:
    class Plain(Small):
        knobs = ()  # type: ignore[assignment]
        period_kind = ""

    driver = PlayerDriver(solver=Plain())
    for command in (commands.Turn(1), commands.Period(1)):
        snapshot = driver.send(command)
        assert snapshot.notice is not None
        assert snapshot.notice.badge == "NOT AVAILABLE"
