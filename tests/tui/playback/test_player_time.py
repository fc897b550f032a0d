"""The player in time and out of it: breakpoints, undo, branches, the end of the run, keeping, giving up a replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from engine.run import run_file
from engine.run.breakpoints import Breakpoint
from engine.run.run import Run
from engine.solver import Stop
from tests.tui.playback.playing import Desk
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, RESTART, SMALL, Small
from tui.config.speed import FLAT_OUT
from tui.playback import commands
from tui.playback.commands import Break, Redo, Seek, Show, Step, Switch, ToEnd, Toggle, Turn, Undo
from tui.playback.loading import pending_run
from tui.playback.player import Player
from tui.requests import AppRequest
from tui.storage.autosave import RUN_INTERVAL, Autosave, RunFileSaver
from tui.storage.run_files import recent


@pytest.fixture
def desk() -> Desk:
    return Desk()


def halts(*stops: Stop) -> Break:
    return Break(tuple(Breakpoint(stop) for stop in stops))


def badge(desk: Desk) -> str:
    assert desk.last.notice is not None
    return desk.last.notice.badge


def said(desk: Desk) -> str:
    assert desk.last.notice is not None
    return desk.last.notice.template.format_map(desk.last.notice.fields)


def slow_search(stop: Stop) -> list[int]:
    run, found = Run.start(SMALL, PUZZLE, seed=7), []
    before = run.state.energy
    for step in range(1, END + 1):
        run.advance(1)
        if stop.hit(run.events, before, run.state.energy):
            found.append(step)
        before = run.state.energy
    return found


@pytest.mark.parametrize("speed", ["5", "1000", "max"])
@pytest.mark.parametrize("stop", [Stop(frozenset({"reheat"})), Stop(energy=12), Stop(cell=5)])
def test_playing_halts_at_the_step_that_a_slow_search_says_both_ways(stop: Stop, speed: str) -> None:
    desk, wanted = Desk(speed), slow_search(stop)
    desk.send(halts(stop), Seek(wanted[0] - 3))
    desk.send(Toggle())
    forward = desk.play_out()
    assert (forward.playhead, forward.state, badge(desk)) == (wanted[0], "PAUSED", "BREAKPOINT")
    desk.send(Seek(wanted[0] + 3))
    desk.send(Toggle(-1))
    assert (desk.play_out().playhead, badge(desk)) == (wanted[0], "BREAKPOINT")
    desk.send(Toggle(-1))
    assert desk.play_out().playhead == 0


def test_it_says_which_breakpoint_and_what_happened(desk: Desk) -> None:
    desk.send(halts(Stop(frozenset({"reheat"})), Stop(energy=-1)), commands.Speed(FLAT_OUT), Toggle())
    desk.play_out()
    assert desk.last.playhead == REHEAT
    assert said(desk).startswith("reheat   ")
    assert desk.last.sentences[-1].template in desk.last.notice.template  # type: ignore[union-attr]


def test_of_several_breakpoints_the_first_counts_and_one_that_is_off_does_not(desk: Desk) -> None:
    off = Breakpoint(Stop(frozenset({"cooled"})), on=False)
    desk.send(Break((off, Breakpoint(Stop(frozenset({"restart"}))), Breakpoint(Stop(frozenset({"reheat"}))))))
    desk.send(commands.Speed(FLAT_OUT), Toggle())
    assert desk.play_out().playhead == REHEAT
    desk.send(Toggle())
    assert desk.play_out().playhead == 2 * REHEAT
    desk.send(Toggle())
    assert desk.play_out().playhead == RESTART
    assert desk.last.breakpoints[0] == off
    assert desk.run.breakpoints[0] == off


def test_steps_and_jumps_pass_breakpoints(desk: Desk) -> None:
    desk.send(halts(Stop(frozenset({"cooled"}))))
    assert desk.send(Step(100)).playhead == 100
    assert desk.send(Seek(777)).playhead == 777


def test_breakpoints_come_along_to_another_branch(desk: Desk) -> None:
    desk.send(Seek(400))
    desk.send(Seek(100))
    desk.send(Turn(1), halts(Stop(energy=3)), Switch(1))
    assert [each.stop for each in desk.last.breakpoints] == [Stop(energy=3)]


def test_end_goes_to_the_recorded_end_and_from_there_to_the_end_of_the_run(desk: Desk) -> None:
    desk.send(Seek(300))
    desk.send(Seek(100))
    assert (desk.send(ToEnd()).playhead, badge(desk)) == (300, "RECORDED END")
    desk.send(ToEnd())
    ended = desk.play_out()
    assert (ended.playhead, ended.state, ended.speed) == (END, "SOLVED", 100)
    assert desk.send(commands.Finish()).playhead == END
    assert badge(desk) == "END OF RUN"


def test_the_way_to_the_end_can_be_halted(desk: Desk) -> None:
    desk.send(halts(Stop(frozenset({"restart"}))), commands.Finish())
    assert (desk.play_out().playhead, badge(desk)) == (RESTART, "BREAKPOINT")


def test_a_knob_is_taken_back_and_said(desk: Desk) -> None:
    desk.send(Seek(100))
    desk.send(Turn(1), Turn(1))
    assert badge(desk) == "BY HAND"
    assert desk.last.readout.log[0].changes[0].step == 100
    desk.send(Undo())
    assert badge(desk) == "UNDONE"
    assert len(desk.run.recipe.interventions) == 1
    assert desk.send(Redo()).playhead == 100
    assert badge(desk) == "REDONE"
    desk.send(Undo(), Undo())
    assert desk.run.recipe.interventions == ()
    assert desk.send(Undo()).notice is not None
    assert badge(desk) == "NOT AVAILABLE"


def test_a_branch_is_compared_with_the_one_it_left_listed_and_switched(desk: Desk) -> None:
    desk.send(Seek(400))
    assert desk.last.rival is None
    desk.send(Seek(100))
    desk.send(Turn(1))
    desk.send(Step(30))
    assert desk.last.rival is not None
    assert desk.last.rival.steps[-1] > 130
    assert [(each.number, each.began, each.recorded, each.shown) for each in desk.last.branches] == [
        (1, None, 400, False), (2, 100, 130, True)]
    assert (desk.send(Switch(1)).playhead, desk.last.recorded) == (130, 400)
    assert badge(desk) == "BRANCH"
    assert desk.last.rival.steps[-1] == 130
    assert desk.send(Show(2)).recorded == 130
    assert desk.last.history.marks["hand"] == (100,)


def test_without_branches_there_is_nothing_to_switch_to(desk: Desk) -> None:
    desk.send(Seek(10))
    desk.send(Switch(1))
    assert (badge(desk), desk.last.playhead) == ("NOT AVAILABLE", 10)


def test_a_period_is_as_long_as_ever(desk: Desk) -> None:
    assert desk.send(commands.Period(1)).playhead == PLATEAU


@pytest.mark.parametrize("direction", [1, -1])
def test_a_minute_asleep_is_not_made_up_for(desk: Desk, direction: int) -> None:
    desk.send(Seek(1000), commands.Speed(10.0))
    desk.send(Toggle(direction))
    desk.pass_time(1.0)
    assert desk.run.playhead == 1000 + 10 * direction
    snapshots = len(desk.snapshots)
    desk.pass_time(60.0)
    assert desk.run.playhead == 1000 + 10 * direction
    assert len(desk.snapshots) <= snapshots + 1
    desk.pass_time(1.0)
    assert desk.run.playhead == 1000 + 20 * direction


# Keeping

def kept_desk(folder: Path) -> Desk:
    desk = Desk()
    desk.player.autosave.run_file = RunFileSaver("hard 1", lambda: desk.now, folder)
    return desk


def test_a_run_is_kept_some_seconds_after_it_changed_even_while_nothing_is_pressed(tmp_path: Path) -> None:
    desk = kept_desk(tmp_path)
    assert desk.player.turn() is None
    desk.send(Step(5))
    assert desk.player.turn() == RUN_INTERVAL
    with registry.lent(SMALL):
        assert recent(tmp_path) == []
        desk.pass_time(RUN_INTERVAL)
        assert [each.steps for each in recent(tmp_path)] == [5]
    assert desk.player.turn() is None


def test_a_run_is_kept_when_it_is_left(tmp_path: Path) -> None:
    desk = kept_desk(tmp_path)
    desk.send(Step(7), Step(-3))
    desk.player.close()
    with registry.lent(SMALL):
        [found] = recent(tmp_path)
    assert (found.steps, found.playhead) == (7, 4)


def test_what_cannot_be_kept_is_said_once_and_disturbs_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    desk = kept_desk(tmp_path / "taken" / "kept")
    desk.send(Step(5))
    desk.pass_time(RUN_INTERVAL)
    assert badge(desk) == "NOT SAVED"
    assert desk.send(Step(1)).notice is None
    desk.pass_time(RUN_INTERVAL)
    assert desk.last.notice is None


def test_a_replay_that_is_given_up_leaves_the_file_as_it_is(desk: Desk, tmp_path: Path) -> None:
    desk.send(Seek(1500))
    desk.send(Seek(700))
    path = tmp_path / "long.run"
    run_file.save(desk.run, path)
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


def test_before_anything_is_recorded_the_end_says_so(desk: Desk) -> None:
    assert (desk.send(ToEnd()).playhead, badge(desk)) == (0, "RECORDED END")
    assert desk.send(ToEnd()).playhead == 0


def test_what_can_never_happen_is_not_looked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Small, "jumps", lambda _self, _params: frozenset({"best"}))
    desk.send(commands.Find(("contradiction",), 1, "dead end"))
    assert (desk.last.playhead, desk.last.recorded, badge(desk)) == (0, 0, "NOT AVAILABLE")
