"""The player in time and out of it: breakpoints, undo, branches, the end of the run, keeping, giving up a replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from engine.breakpoints import Breakpoint, Stop
from engine.run import run_file
from engine.run.run import Run
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, RESTART, SMALL, Small
from tui.config.speed import FLAT_OUT
from tui.playback import commands, playhead
from tui.playback.commands import Break, Redo, Seek, Show, Step, Switch, ToEnd, Toggle, Turn, Undo
from tui.playback.loading import pending_run
from tui.playback.player import Player
from tui.requests import AppRequest
from tui.storage.autosave import RUN_INTERVAL, Autosave, RunFileSaver
from tui.storage.run_files import recent


@pytest.fixture
def driver() -> PlayerDriver:
    return PlayerDriver()


def halts(*stops: Stop) -> Break:
    return Break(tuple(Breakpoint(stop) for stop in stops))


def badge(driver: PlayerDriver) -> str:
    assert driver.last.notice is not None
    return driver.last.notice.badge


def said(driver: PlayerDriver) -> str:
    assert driver.last.notice is not None
    return driver.last.notice.template.format_map(driver.last.notice.fields)


def slow_search(stop: Stop) -> list[int]:
    run, found = Run.start(SMALL, PUZZLE, seed=7), []
    before = run.state.energy
    for step in range(1, END + 1):
        run.advance(1)
        if stop.hit(run.events, before, run.state.energy):
            found.append(step)
        before = run.state.energy
    return found


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("speed", ["5", "1000", "max"])
@pytest.mark.parametrize("stop", [Stop(frozenset({"reheat"})), Stop(energy=12), Stop(cell=5)])
def test_playing_halts_at_the_step_that_a_slow_search_says_both_ways(stop: Stop, speed: str) -> None:
    driver, wanted = PlayerDriver(speed), slow_search(stop)
    driver.send(halts(stop), Seek(wanted[0] - 3))
    driver.send(Toggle())
    forward = driver.play_out()
    assert (forward.playhead, forward.state, badge(driver)) == (wanted[0], "PAUSED", "BREAKPOINT")
    driver.send(Seek(wanted[0] + 3))
    driver.send(Toggle(-1))
    assert (driver.play_out().playhead, badge(driver)) == (wanted[0], "BREAKPOINT")
    driver.send(Toggle(-1))
    assert driver.play_out().playhead == 0


def test_a_halt_names_the_breakpoint_and_the_event(driver: PlayerDriver) -> None:
    driver.send(halts(Stop(frozenset({"reheat"})), Stop(energy=-1)), commands.Speed(FLAT_OUT), Toggle())
    driver.play_out()
    assert driver.last.playhead == REHEAT
    assert said(driver).startswith("reheat   ")
    assert driver.last.sentences[-1].template in driver.last.notice.template  # type: ignore[union-attr]


def test_of_several_breakpoints_the_first_counts_and_one_that_is_off_does_not(driver: PlayerDriver) -> None:
    off = Breakpoint(Stop(frozenset({"cooled"})), on=False)
    driver.send(Break((off, Breakpoint(Stop(frozenset({"restart"}))), Breakpoint(Stop(frozenset({"reheat"}))))))
    driver.send(commands.Speed(FLAT_OUT), Toggle())
    assert driver.play_out().playhead == REHEAT
    driver.send(Toggle())
    assert driver.play_out().playhead == 2 * REHEAT
    driver.send(Toggle())
    assert driver.play_out().playhead == RESTART
    assert driver.last.breakpoints[0] == off
    assert driver.run.breakpoints[0] == off


def test_steps_and_jumps_pass_breakpoints(driver: PlayerDriver) -> None:
    driver.send(halts(Stop(frozenset({"cooled"}))))
    assert driver.send(Step(100)).playhead == 100
    assert driver.send(Seek(777)).playhead == 777


def test_breakpoints_come_along_to_another_branch(driver: PlayerDriver) -> None:
    driver.send(Seek(400))
    driver.send(Seek(100))
    driver.send(Turn(1), halts(Stop(energy=3)), Switch(1))
    assert [each.stop for each in driver.last.breakpoints] == [Stop(energy=3)]
    driver.send(Switch(1), halts(Stop(energy=2)), Turn(-1))
    assert badge(driver) == "UNDONE"
    assert [each.stop for each in driver.last.breakpoints] == [Stop(energy=2)], "turned back is undone too"


def test_end_goes_to_the_recorded_end_and_from_there_to_the_end_of_the_run(driver: PlayerDriver) -> None:
    driver.send(Seek(300))
    driver.send(Seek(100))
    assert (driver.send(ToEnd()).playhead, badge(driver)) == (300, "RECORDED END")
    driver.send(ToEnd())
    ended = driver.play_out()
    assert (ended.playhead, ended.state, ended.speed) == (END, "SOLVED", 100)
    assert driver.send(commands.Finish()).playhead == END
    assert badge(driver) == "END OF RUN"


def test_the_way_to_the_end_can_be_halted(driver: PlayerDriver) -> None:
    driver.send(halts(Stop(frozenset({"restart"}))), commands.Finish())
    assert (driver.play_out().playhead, badge(driver)) == (RESTART, "BREAKPOINT")


def test_undoing_a_knob_is_announced(driver: PlayerDriver) -> None:
    driver.send(Seek(100))
    driver.send(Turn(1), Turn(1))
    assert badge(driver) == "BY HAND"
    assert driver.last.readout.log[0].changes[0].step == 100
    driver.send(Undo())
    assert badge(driver) == "UNDONE"
    assert len(driver.run.recipe.interventions) == 1
    assert driver.send(Redo()).playhead == 100
    assert badge(driver) == "REDONE"
    driver.send(Undo(), Undo())
    assert driver.run.recipe.interventions == ()
    assert driver.send(Undo()).notice is not None
    assert badge(driver) == "NOT AVAILABLE"


def test_a_branch_is_compared_with_the_one_it_left_listed_and_switched(driver: PlayerDriver) -> None:
    driver.send(Seek(400))
    assert driver.last.rival is None
    driver.send(Seek(100))
    driver.send(Turn(1))
    driver.send(Step(30))
    assert driver.last.rival is not None
    assert driver.last.rival.steps[-1] > 130
    assert [(each.number, each.began, each.recorded, each.shown) for each in driver.last.branches] == [
        (1, None, 400, False), (2, 100, 130, True)]
    assert (driver.send(Switch(1)).playhead, driver.last.recorded) == (130, 400)
    assert badge(driver) == "BRANCH"
    assert driver.last.rival.steps[-1] == 130
    assert driver.send(Show(2)).recorded == 130
    assert driver.last.history.marks["hand"] == (100,)
    assert driver.last.rival_number is None, "there is only one other"
    driver.send(Seek(110), Turn(1))
    assert driver.last.rival_number == 2
    assert driver.send(Show(1)).rival_number == 3


def test_without_branches_there_is_nothing_to_switch_to(driver: PlayerDriver) -> None:
    driver.send(Seek(10))
    driver.send(Switch(1))
    assert (badge(driver), driver.last.playhead) == ("NOT AVAILABLE", 10)


def test_a_period_is_as_long_as_ever(driver: PlayerDriver) -> None:
    assert driver.send(commands.Period(1)).playhead == PLATEAU


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("fps", [1.5, 4.0, 20.0])
def test_the_speed_is_kept_however_few_frames_the_line_carries(fps: float, direction: int,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playhead, "MAX_CHUNK", 64)  # a turn makes a part of the due steps
    driver = PlayerDriver("1000")
    driver.send(Seek(1000), commands.Pace(fps))
    driver.send(Toggle(direction))
    begun = driver.now
    while (passed := driver.now - begun) < 0.6:
        driver.pass_time(1 / fps)
    assert abs(driver.run.playhead - 1000) == pytest.approx(1000 * passed, abs=2)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_minute_asleep_is_not_made_up_for(driver: PlayerDriver, direction: int) -> None:
    driver.send(Seek(1000), commands.Speed(10.0))
    driver.send(Toggle(direction))
    driver.pass_time(1.0)
    assert driver.run.playhead == 1000 + 10 * direction
    snapshots = len(driver.snapshots)
    driver.pass_time(60.0)
    assert driver.run.playhead == 1000 + 10 * direction
    assert len(driver.snapshots) <= snapshots + 1
    driver.pass_time(1.0)
    assert driver.run.playhead == 1000 + 20 * direction


# Keeping

def saving_driver(folder: Path) -> PlayerDriver:
    driver = PlayerDriver()
    driver.player.autosave.run_file = RunFileSaver("hard 1", lambda: driver.now, folder)
    return driver


def test_a_run_is_kept_some_seconds_after_it_changed_even_while_nothing_is_pressed(tmp_path: Path) -> None:
    driver = saving_driver(tmp_path)
    assert driver.player.turn() is None
    driver.send(Step(5))
    assert driver.player.turn() == RUN_INTERVAL
    with registry.lent(SMALL):
        assert recent(tmp_path) == []
        driver.pass_time(RUN_INTERVAL)
        assert [each.steps for each in recent(tmp_path)] == [5]
    assert driver.player.turn() is None


def test_a_run_is_kept_when_it_is_left(tmp_path: Path) -> None:
    driver = saving_driver(tmp_path)
    driver.send(Step(7), Step(-3))
    driver.player.close()
    with registry.lent(SMALL):
        [found] = recent(tmp_path)
    assert (found.steps, found.playhead) == (7, 4)


def test_a_failed_save_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    driver = saving_driver(tmp_path / "taken" / "kept")
    driver.send(Step(5))
    driver.pass_time(RUN_INTERVAL)
    assert badge(driver) == "NOT SAVED"
    assert driver.send(Step(1)).notice is None
    driver.pass_time(RUN_INTERVAL)
    assert driver.last.notice is None


def test_a_replay_that_is_given_up_leaves_the_file_as_it_is(driver: PlayerDriver, tmp_path: Path) -> None:
    driver.send(Seek(1500))
    driver.send(Seek(700))
    path = tmp_path / "long.run"
    run_file.save(driver.run, path)
    before = path.read_bytes()
    with registry.lent(SMALL):
        again = pending_run(AppRequest(path))
        inbox, snapshots = commands.Inbox(), []
        saver = RunFileSaver("long", lambda: 0.0, tmp_path / "kept")
        player = Player(inbox, snapshots.append, lambda: 0.0, again.snapshot, Autosave(saver))
        inbox.put(commands.Halt())
        player.open(again.loader)
        player.turn()
        player.close()
    assert player.run is not None
    assert player.run.recorded < 1500
    assert snapshots[-1].notice.badge == "CANCELLED"
    assert path.read_bytes() == before
    assert not (tmp_path / "kept").exists()


def test_before_anything_is_recorded_the_end_says_so(driver: PlayerDriver) -> None:
    assert (driver.send(ToEnd()).playhead, badge(driver)) == (0, "RECORDED END")
    assert driver.send(ToEnd()).playhead == 0


def test_what_can_never_happen_is_not_looked_for(driver: PlayerDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Small, "jumps", lambda _self, _params: frozenset({"best"}))
    driver.send(commands.Find(("contradiction",), 1, "dead end"))
    assert (driver.last.playhead, driver.last.recorded, badge(driver)) == (0, 0, "NOT AVAILABLE")
