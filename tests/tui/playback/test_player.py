"""The player: commands, speed and frames, knobs and branches."""

from __future__ import annotations

import pytest

from tests.tui.playback.playing import Desk
from tests.tui.small import END, REHEAT, RESTART, SOLUTION
from tui.config.speed import FLAT_OUT
from tui.playback import commands
from tui.playback.window import total_for


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_it_begins_paused_at_step_0_and_says_what_to_do(desk: Desk) -> None:
    assert (desk.last.state, desk.last.playhead, desk.last.recorded, desk.last.total) == ("PAUSED", 0, 0, 1)
    assert desk.last.notice is not None
    assert desk.last.notice.badge == "READY"


def test_a_step_forwards_and_one_back(desk: Desk) -> None:
    forward = desk.send(commands.Step(1))
    assert (forward.playhead, forward.recorded, forward.state) == (1, 1, "PAUSED")
    assert forward.events[0].step == 1
    assert forward.sentences[0].badge == "IMPROVED"
    back = desk.send(commands.Step(-1))
    assert (back.playhead, back.recorded, back.events) == (0, 1, ())


def test_each_command_while_paused_is_shown_at_once(desk: Desk) -> None:
    seen = len(desk.snapshots)
    for step in (1, 2, 3):
        assert desk.send(commands.Step(1)).playhead == step
    assert len(desk.snapshots) == seen + 3


def test_steps_that_pile_up_become_one(desk: Desk) -> None:
    seen = len(desk.snapshots)
    assert desk.send(*[commands.Step(1)] * 10).playhead == 10
    assert len(desk.snapshots) == seen + 1


def test_steps_asked_for_on_the_way_are_added_to_the_way(desk: Desk) -> None:
    desk.inbox.put(commands.Step(1000))
    desk.player.turn()
    assert 0 < desk.run.playhead < 1000
    assert desk.send(commands.Step(10)).playhead == 1010


def test_of_several_seeks_only_the_newest_counts(desk: Desk) -> None:
    desk.send(commands.Step(100))
    seen = len(desk.snapshots)
    assert desk.send(commands.Seek(10), commands.Seek(90), commands.Seek(50)).playhead == 50
    assert len(desk.snapshots) == seen + 1


def test_before_the_start_and_beyond_the_end(desk: Desk) -> None:
    assert desk.send(commands.Step(-5)).playhead == 0
    ended = desk.send(commands.Seek(10 * END))
    assert (ended.playhead, ended.state) == (END, "SOLVED")
    assert desk.send(commands.Step(1)).playhead == END


def test_it_plays_as_fast_as_it_was_told(desk: Desk) -> None:
    assert desk.send(commands.Toggle()).state == "RUNNING"
    assert desk.pass_time(0.5).playhead == 50
    assert desk.pass_time(0.25).playhead == 75
    assert desk.send(commands.Toggle()).state == "PAUSED"
    assert desk.pass_time(10).playhead == 75


def test_slow_playing_shows_every_step() -> None:
    desk = Desk("2")
    desk.send(commands.Toggle())
    for step in (1, 2, 3):
        assert desk.pass_time(0.5).playhead == step
        assert desk.last.readout.line == "try"
        assert desk.last.charted == (step, step)


def test_speed_and_frames_are_two_things(desk: Desk) -> None:
    desk.send(commands.Speed(1000.0), commands.Toggle())
    before = len(desk.snapshots)
    for _ in range(100):
        desk.pass_time(0.01)
    assert desk.last.playhead == pytest.approx(1000, abs=110)
    assert 8 <= len(desk.snapshots) - before <= 11


def test_fewer_frames_do_not_slow_it_down(desk: Desk) -> None:
    desk.send(commands.Pace(2.0), commands.Speed(1000.0), commands.Toggle())
    before = len(desk.snapshots)
    for _ in range(100):
        desk.pass_time(0.01)
    assert desk.player.run is not None
    assert desk.run.playhead == pytest.approx(1000, abs=5)
    assert 1 <= len(desk.snapshots) - before <= 3


def test_what_is_read_changes_less_often_than_the_board_and_charts_once_a_second(desk: Desk) -> None:
    desk.send(commands.Speed(500.0), commands.Toggle())
    before = len(desk.snapshots)
    for _ in range(200):
        desk.pass_time(0.01)
    shown = desk.snapshots[before:]
    assert len({id(snapshot.view) for snapshot in shown}) >= 17
    assert 4 <= len({id(snapshot.readout) for snapshot in shown}) <= 6
    doublings = len({snapshot.total for snapshot in shown})
    assert 2 <= len({id(snapshot.history) for snapshot in shown}) <= 3 + doublings
    assert all(snapshot.readout.line is None for snapshot in shown)


def test_the_axis_never_shows_less_than_what_is_charted(desk: Desk) -> None:
    desk.send(commands.Speed(500.0), commands.Toggle())
    for _ in range(300):
        snapshot = desk.pass_time(0.01)
        assert snapshot.charted[1] <= snapshot.recorded
        assert total_for(snapshot.charted[1]) == snapshot.total


def test_flat_out_and_back_to_the_speed_before(desk: Desk) -> None:
    desk.inbox.put(commands.FlatOut())
    assert desk.player.turn() == 0.0
    assert desk.player.playhead.speed == FLAT_OUT
    assert desk.play_out().state == "SOLVED"
    assert desk.send(commands.FlatOut()).speed == 100.0


def test_it_plays_backwards_and_stops_at_the_start(desk: Desk) -> None:
    desk.send(commands.Step(30), commands.Toggle(-1))
    assert desk.last.state == "REWINDING"
    assert desk.pass_time(0.1).playhead == 20
    stopped = desk.pass_time(5)
    assert (stopped.playhead, stopped.state, stopped.recorded) == (0, "PAUSED", 30)


def test_running_the_other_way_turns_round(desk: Desk) -> None:
    desk.send(commands.Step(50), commands.Toggle(-1))
    assert desk.pass_time(0.1).playhead == 40
    desk.send(commands.Toggle(1))
    assert desk.pass_time(0.1).playhead == 50


def test_it_does_not_make_up_for_time_it_was_kept_from(desk: Desk) -> None:
    desk.player.playhead._chunk = 1.0
    desk.send(commands.Speed(1000.0), commands.Toggle())
    desk.now += 60
    desk.player.turn()
    assert desk.player.playhead.playing is not None
    assert desk.player.playhead._owed(desk.player.playhead.playing) < 1000


def test_speed_keys_go_through_the_list(desk: Desk) -> None:
    speeds = [desk.send(commands.Faster(1)).speed for _ in range(3)]
    assert speeds == [200.0, 500.0, 1000.0]
    assert [desk.send(commands.Faster(-1)).speed for _ in range(2)] == [500.0, 200.0]


def test_the_knob_at_the_end_changes_the_run_and_is_part_of_it(desk: Desk) -> None:
    snapshot = desk.send(commands.Step(3), commands.Turn(1))
    assert desk.player.others == []
    assert desk.run.recipe.interventions[0].step == 3
    assert desk.run.recipe.interventions[0].value == pytest.approx(1.1)
    assert snapshot.notice is not None
    assert (snapshot.notice.badge, snapshot.playhead) == ("BY HAND", 3)
    assert "1.00 → 1.10" in snapshot.notice.text


def test_the_knob_in_the_past_begins_a_branch_and_says_so(desk: Desk) -> None:
    desk.send(commands.Step(100))
    desk.send(commands.Seek(40))
    first = desk.run
    snapshot = desk.send(commands.Turn(-1))
    assert snapshot.notice is not None
    assert snapshot.notice.badge == "NEW BRANCH"
    assert "step 40" in snapshot.notice.text
    assert (snapshot.playhead, snapshot.recorded) == (40, 40)
    assert desk.player.others == [first]
    assert first.recorded == 100
    assert desk.send(commands.Step(1)).notice is None


def test_at_the_end_it_says_so_and_can_be_rewound(desk: Desk) -> None:
    ended = desk.send(commands.Seek(END))
    assert (ended.state, ended.view.grid) == ("SOLVED", SOLUTION)
    assert "conflict" not in ended.view.marks or not ended.view.marks["conflict"]
    over = desk.send(commands.Toggle())
    assert over.notice is not None
    assert over.notice.badge == "END OF RUN"
    assert over.state == "SOLVED"
    assert desk.send(commands.Step(-1)).state == "PAUSED"
    assert desk.send(commands.Seek(0)).playhead == 0
    assert desk.send(commands.ToEnd()).playhead == END


def test_the_log_tells_the_last_steps_newest_first(desk: Desk) -> None:
    log = desk.send(commands.Seek(5)).readout.log
    assert [each.step for each in log] == [5, 4, 3, 2, 1]
    log = desk.send(commands.Seek(REHEAT)).readout.log
    assert [each.step for each in log] == list(range(REHEAT, REHEAT - len(log), -1))
    assert [event.kinds[0] for event in log[0].events][-1] == "reheat"
    assert desk.send(commands.Seek(0)).readout.log == ()


def test_charts_know_the_rare_events(desk: Desk) -> None:
    snapshot = desk.send(commands.Seek(END))
    assert snapshot.history.marks["reheat"] == (REHEAT, 2 * REHEAT, RESTART)
    assert snapshot.history.marks["restart"] == (RESTART,)
    assert snapshot.history.steps[-1] == END


def test_the_history_is_the_same_object_while_nothing_is_recorded(desk: Desk) -> None:
    first = desk.send(commands.Step(50)).history
    assert desk.send(commands.Seek(3)).history is first
    assert desk.send(commands.Step(1)).history is first
    assert desk.send(commands.Seek(60)).history is not first
