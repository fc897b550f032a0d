"""The player: commands, speed and frames, knobs and branches."""

from __future__ import annotations

import re

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import END, PUZZLE, REHEAT, RESTART, SMALL, SOLUTION
from tui.config.settings import Config, Settings
from tui.config.speed import FLAT_OUT, speed_text
from tui.playback import commands
from tui.playback.loading import pending_run
from tui.playback.snapshots import SnapshotBuilder
from tui.playback.window import total_for
from tui.requests import AppRequest, NewRun


@pytest.fixture
def driver() -> PlayerDriver:
    return PlayerDriver()


def test_it_begins_paused_at_step_0_and_says_what_to_do(driver: PlayerDriver) -> None:
    assert (driver.last.state, driver.last.playhead, driver.last.recorded, driver.last.total) == ("PAUSED", 0, 0, 1)
    assert driver.last.notice is not None
    assert driver.last.notice.badge == "READY"


def test_a_step_forwards_and_one_back(driver: PlayerDriver) -> None:
    forward = driver.send(commands.Step(1))
    assert (forward.playhead, forward.recorded, forward.state) == (1, 1, "PAUSED")
    assert forward.events[0].step == 1
    assert forward.sentences[0].badge == "IMPROVED"
    back = driver.send(commands.Step(-1))
    assert (back.playhead, back.recorded, back.events) == (0, 1, ())


def test_each_command_while_paused_is_shown_at_once(driver: PlayerDriver) -> None:
    seen = len(driver.snapshots)
    for step in (1, 2, 3):
        assert driver.send(commands.Step(1)).playhead == step
    assert len(driver.snapshots) == seen + 3


def test_steps_that_pile_up_become_one(driver: PlayerDriver) -> None:
    seen = len(driver.snapshots)
    assert driver.send(*[commands.Step(1)] * 10).playhead == 10
    assert len(driver.snapshots) == seen + 1


def test_steps_asked_for_on_the_way_are_added_to_the_way(driver: PlayerDriver) -> None:
    driver.inbox.put(commands.Step(1000))
    driver.player.turn()
    assert 0 < driver.run.playhead < 1000
    assert driver.send(commands.Step(10)).playhead == 1010


def test_of_several_seeks_only_the_newest_counts(driver: PlayerDriver) -> None:
    driver.send(commands.Step(100))
    seen = len(driver.snapshots)
    assert driver.send(commands.Seek(10), commands.Seek(90), commands.Seek(50)).playhead == 50
    assert len(driver.snapshots) == seen + 1


def test_before_the_start_and_beyond_the_end(driver: PlayerDriver) -> None:
    assert driver.send(commands.Step(-5)).playhead == 0
    ended = driver.send(commands.Seek(10 * END))
    assert (ended.playhead, ended.state) == (END, "SOLVED")
    assert driver.send(commands.Step(1)).playhead == END


def test_it_plays_at_the_chosen_speed(driver: PlayerDriver) -> None:
    assert driver.send(commands.Toggle()).state == "RUNNING"
    assert driver.pass_time(0.5).playhead == 50
    assert driver.pass_time(0.25).playhead == 75
    assert driver.send(commands.Toggle()).state == "PAUSED"
    assert driver.pass_time(10).playhead == 75


def test_a_new_run_begins_slowly_and_accelerates_to_its_speed() -> None:
    driver = PlayerDriver(None)
    driver.send(commands.Toggle())
    assert driver.pass_time(0.5).playhead == 1
    assert driver.last.tempo == "slow"
    assert driver.pass_time(1.5).speed == pytest.approx(4)
    assert driver.last.playhead == 5  # the integral of 2·2^(t/2) up to 2 s is 5.8
    assert driver.pass_time(2).speed == pytest.approx(8)
    driver.send(commands.Toggle())
    driver.pass_time(100)
    assert driver.send(commands.Toggle()).speed == pytest.approx(8)  # a pause is no acceleration
    for _ in range(100):
        driver.pass_time(0.5)
    assert driver.last.speed == SMALL.speed


def test_a_chosen_speed_ends_the_acceleration() -> None:
    driver = PlayerDriver(None)
    driver.send(commands.Toggle(), commands.Speed(100.0))
    start = driver.last.playhead
    assert driver.pass_time(0.5).playhead == start + 50
    assert driver.last.speed == 100.0


def test_a_speed_on_the_command_line_and_a_saved_run_do_not_accelerate() -> None:
    assert not PlayerDriver("100").pending.accelerates
    config = Config(Settings(accelerate=False))
    request = AppRequest(NewRun(PUZZLE, "hard 1", SMALL.name, {}, 7), config=config)
    with registry.lent(SMALL):
        assert not pending_run(request).accelerates
        assert not pending_run(AppRequest(NewRun(PUZZLE, "hard 1", SMALL.name, {}, 7, step=5))).accelerates


def test_slow_playing_shows_every_step() -> None:
    driver = PlayerDriver("2")
    driver.send(commands.Toggle())
    for step in (1, 2, 3):
        assert driver.pass_time(0.5).playhead == step
        assert driver.last.readout.line == "try"
        assert driver.last.charted == (step, step)


def test_speed_and_frames_are_two_things(driver: PlayerDriver) -> None:
    driver.send(commands.Speed(1000.0), commands.Toggle())
    before = len(driver.snapshots)
    for _ in range(100):
        driver.pass_time(0.01)
    assert driver.last.playhead == pytest.approx(1000, abs=110)
    assert 8 <= len(driver.snapshots) - before <= 11


def test_fewer_frames_do_not_slow_it_down(driver: PlayerDriver) -> None:
    driver.send(commands.Pace(2.0), commands.Speed(1000.0), commands.Toggle())
    before = len(driver.snapshots)
    for _ in range(100):
        driver.pass_time(0.01)
    assert driver.player.run is not None
    assert driver.run.playhead == pytest.approx(1000, abs=5)
    assert 1 <= len(driver.snapshots) - before <= 3


def test_a_fast_run_shows_numbers_of_one_step_a_summary_and_rare_events(driver: PlayerDriver) -> None:
    driver.send(commands.Speed(500.0), commands.Toggle())
    before = len(driver.snapshots)
    for _ in range(200):
        driver.pass_time(0.01)
    shown = driver.snapshots[before:]
    assert len({id(snapshot.view) for snapshot in shown}) >= 17
    for snapshot in shown:
        assert snapshot.tempo == "fast"
        assert snapshot.readout.gauges == snapshot.view.gauges
        assert snapshot.readout.summary is not None
        energy = next(gauge.text for gauge in snapshot.view.gauges if gauge.label == "E")
        said = snapshot.readout.summary.text
        assert f"{snapshot.sample[0]:.0f}" == energy, "beside the lanes are numbers of this step"
        assert f"E {energy}   " in said
        assert all(step.step <= snapshot.playhead for step in snapshot.readout.log)
        assert sum(snapshot.readout.profile.values()) >= 1
    doublings = len({snapshot.total for snapshot in shown})
    assert 2 <= len({id(snapshot.history) for snapshot in shown}) <= 3 + doublings
    assert all(snapshot.readout.line is None for snapshot in shown)


def logged(run: Run, last: int) -> list[int]:
    """The newest steps up to the last one that the log of a fast run must list."""
    rare = {event.step for events in run.cursor_at(0).events(last) for event in events if event.RARE}
    by_hand = {each.step for each in run.recipe.interventions}
    return sorted({step for step in rare | by_hand if step <= last}, reverse=True)[:16]


@pytest.mark.parametrize("way", [
    [commands.Find(("reheat",), 1, "reheat"), commands.Find(("reheat",), 1, "reheat")], [commands.Seek(1_200)],
    [commands.Seek(END - 300), commands.Seek(600)], [commands.Seek(END - 300), commands.Seek(600), commands.Turn(1)],
    [commands.Seek(END - 300), commands.Seek(600), commands.Turn(1), commands.Seek(700), commands.Switch(1)],
], ids=["found", "sought", "back", "branch", "switched"])
@pytest.mark.parametrize("direction", [1, -1])
def test_the_log_of_a_fast_run_has_the_rare_events_before_it_too(driver: PlayerDriver, way: list[commands.Command],
                                                                 direction: commands.Direction) -> None:
    for each in way:
        driver.send(each)
    driver.send(commands.Speed(500.0), commands.Toggle(direction))
    for _ in range(12):
        snapshot = driver.pass_time(0.05)
        assert (snapshot.state, snapshot.tempo) == ("RUNNING" if direction > 0 else "REWINDING", "fast")
        assert [step.step for step in snapshot.readout.log] == logged(driver.run, snapshot.playhead)


def test_an_accelerating_run_has_one_speed() -> None:
    driver = PlayerDriver(speed=None)
    driver.send(commands.Toggle())
    seen = 0
    for _ in range(400):
        snapshot = driver.pass_time(0.05)
        summary = snapshot.readout.summary
        if snapshot.state == "RUNNING" and summary is not None and snapshot.speed < 400:
            seen += 1
            assert f"{speed_text(snapshot.speed)[1:-2]} steps/s" in summary.text
    assert seen > 20


def test_the_summary_gives_the_range_of_energies_and_the_share_of_uphill_moves_of_one_window(
        driver: PlayerDriver) -> None:
    driver.send(commands.Speed(500.0), commands.Toggle())
    for _ in range(200):
        snapshot = driver.pass_time(0.01)
    assert snapshot.readout.summary is not None
    run = driver.player.run
    assert run is not None
    first, last, uphill, low, high = (float(each.replace(" ", "")) for each in re.findall(
        r"steps ([\d ]+)–([\d ]+): uphill ([\d.]+) %, E (\d+)…(\d+)$", snapshot.readout.summary.text)[0])
    assert snapshot.playhead - 300 <= last <= snapshot.playhead, "the steps are renewed twice a second"
    made = list(run.cursor_at(int(first) - 1).events(int(last - first) + 1))
    energies = [event.energy_after for events in made for event in events if event.energy_after is not None]
    assert (low, high) == (min(energies), max(energies))
    share = sum(any("uphill" in event.kinds for event in events) for events in made) / len(made)
    assert uphill == round(100 * share, 1)


@pytest.mark.parametrize("speed", [120.0, 5_000.0])
def test_the_range_of_energies_of_a_frame_contains_its_energy(driver: PlayerDriver, speed: float) -> None:
    driver.send(commands.Speed(speed), commands.Toggle())
    told = []
    for _ in range(300):
        snapshot = driver.pass_time(0.01)
        summary = snapshot.readout.summary
        found = summary and re.search(r"   E (\d+) .*steps [\d ]+–([\d ]+): .*E (\d+)(?:…(\d+))?$", summary.text)
        if found:
            now, last, low, high = (int(each.replace(" ", "")) for each in found.groups(default=found[3]))
            told.append((snapshot.playhead, last))
            assert low <= now <= high
    assert len({playhead for playhead, _last in told}) > 2
    assert speed > 1_000 or all(playhead == last for playhead, last in told)


def test_a_fast_run_backwards_has_no_numbers_of_steps_ahead(driver: PlayerDriver) -> None:
    driver.send(commands.Speed(500.0), commands.Seek(1_000))
    driver.play_out()
    driver.send(commands.Toggle(-1))
    for _ in range(100):
        snapshot = driver.pass_time(0.01)
        readout = snapshot.readout
        assert snapshot.state == "REWINDING"
        assert readout.summary is not None
        assert "steps " not in readout.summary.text.removeprefix("500 steps/s")
        assert not readout.profile


def test_the_axis_never_shows_less_than_what_is_charted(driver: PlayerDriver) -> None:
    driver.send(commands.Speed(500.0), commands.Toggle())
    for _ in range(300):
        snapshot = driver.pass_time(0.01)
        assert snapshot.charted[1] <= snapshot.recorded
        assert total_for(snapshot.charted[1]) == snapshot.total


def test_slower_and_faster_act_on_the_present_speed_of_an_accelerating_run() -> None:
    for direction in (-1, 1):
        driver = PlayerDriver(None)
        driver.send(commands.Toggle())
        for _ in range(30):
            driver.pass_time(0.1)
        before = driver.player.playhead.current_speed
        assert 2 < before < 10
        driver.send(commands.Faster(direction))
        after = driver.player.playhead.speed
        assert (after - before) * direction > 0
        assert after < 20


def test_flat_out_and_back_to_the_speed_before(driver: PlayerDriver) -> None:
    driver.inbox.put(commands.FlatOut())
    assert driver.player.turn() == 0.0
    assert driver.player.playhead.speed == FLAT_OUT
    assert driver.play_out().state == "SOLVED"
    assert driver.send(commands.FlatOut()).speed == 100.0


def test_flat_out_runs_a_paused_run_that_is_flat_out_already(driver: PlayerDriver) -> None:
    driver.send(commands.FlatOut())
    driver.play_out()
    driver.send(commands.Seek(10))
    driver.play_out()
    assert driver.last.state == "PAUSED"
    driver.inbox.put(commands.FlatOut())
    driver.player.turn()
    assert driver.player.playhead.speed == FLAT_OUT
    assert driver.play_out().state == "SOLVED"


def test_the_key_that_pauses_also_pauses_a_run_that_goes_backwards(driver: PlayerDriver) -> None:
    driver.send(commands.Step(30), commands.Toggle(-1))
    assert driver.pass_time(0.1).playhead == 20
    driver.send(commands.Toggle())
    assert (driver.last.state, driver.pass_time(1).playhead) == ("PAUSED", 20)
    driver.send(commands.Toggle())
    assert driver.last.state == "RUNNING"
    driver.send(commands.Toggle(-1))
    assert driver.last.state == "REWINDING"


def test_it_plays_backwards_and_stops_at_the_start(driver: PlayerDriver) -> None:
    driver.send(commands.Step(30), commands.Toggle(-1))
    assert driver.last.state == "REWINDING"
    assert driver.pass_time(0.1).playhead == 20
    stopped = driver.pass_time(5)
    assert (stopped.playhead, stopped.state, stopped.recorded) == (0, "PAUSED", 30)


def test_playing_does_not_catch_up_after_a_pause_of_the_process(driver: PlayerDriver) -> None:
    driver.player.playhead._chunk = 1.0
    driver.send(commands.Speed(1000.0), commands.Toggle())
    driver.now += 60
    driver.player.turn()
    assert driver.player.playhead.playing is not None
    assert driver.player.playhead._owed(driver.player.playhead.playing) < 1000


def test_speed_keys_go_through_the_list(driver: PlayerDriver) -> None:
    speeds = [driver.send(commands.Faster(1)).speed for _ in range(3)]
    assert speeds == [200.0, 500.0, 1000.0]
    assert [driver.send(commands.Faster(-1)).speed for _ in range(2)] == [500.0, 200.0]
    for direction, words in ((1, "this is the highest speed"), (-1, "this is the lowest speed")):
        said = next(each for _ in range(40) if (each := driver.send(commands.Faster(direction)).notice) is not None)
        assert said.text == words


def test_the_knob_at_the_end_changes_the_run_and_is_part_of_it(driver: PlayerDriver) -> None:
    snapshot = driver.send(commands.Step(3), commands.Turn(1))
    assert driver.player.others == []
    assert driver.run.recipe.interventions[0].step == 3
    assert driver.run.recipe.interventions[0].value == 1.1
    assert snapshot.notice is not None
    assert (snapshot.notice.badge, snapshot.playhead) == ("BY HAND", 3)
    assert "1.00 → 1.10" in snapshot.notice.text


def test_the_knob_sets_numbers_that_a_recipe_can_show(driver: PlayerDriver) -> None:
    """Without rounding, two turns from 1 set T to 1.2100000000000002."""
    driver.send(commands.Step(3), commands.Turn(1), commands.Turn(1))
    assert [each.value for each in driver.run.recipe.interventions] == [1.1, 1.21]


def test_the_knob_never_raises_t_when_it_is_turned_down(driver: PlayerDriver) -> None:
    """A schedule may have brought T below the smallest T that the knob sets."""
    snapshot = driver.send(commands.Step(2), commands.Intervene("temperature", 0.005), commands.Turn(-1))
    assert driver.run.state.T == 0.005
    assert snapshot.notice is not None
    assert snapshot.notice.badge == "UNCHANGED"
    assert "0.00500 → 0.0100" in driver.send(commands.Turn(1)).notice.text


def test_a_knob_turned_in_the_past_begins_a_branch(driver: PlayerDriver) -> None:
    driver.send(commands.Step(100))
    driver.send(commands.Seek(40))
    first = driver.run
    snapshot = driver.send(commands.Turn(-1))
    assert snapshot.notice is not None
    assert snapshot.notice.badge == "NEW BRANCH"
    assert "step 40" in snapshot.notice.text
    assert (snapshot.playhead, snapshot.recorded) == (40, 40)
    assert driver.player.others == [first]
    assert first.recorded == 100
    assert driver.send(commands.Step(1)).notice is None


def test_a_change_of_nothing_is_said_and_begins_no_branch(driver: PlayerDriver) -> None:
    driver.send(commands.Step(100))
    driver.send(commands.Seek(40))
    first, badges = driver.run, []
    now = first.solver.reading(first.state, first.params, "temperature")
    assert now is not None
    for command in (commands.Intervene("temperature", now), commands.Turn(1), commands.Turn(-1)):
        snapshot = driver.send(command)
        assert snapshot.notice is not None
        badges.append(snapshot.notice.badge)
    assert badges == ["UNCHANGED", "NEW BRANCH", "UNDONE"]
    driver.send(commands.Turn(1))
    assert driver.send(commands.Undo()).notice == snapshot.notice, "both name what was undone"
    assert (len(snapshot.branches), driver.run, first.recorded) == (1, first, 100)


def test_at_the_end_it_says_so_and_can_be_rewound(driver: PlayerDriver) -> None:
    ended = driver.send(commands.Seek(END))
    assert (ended.state, ended.view.grid) == ("SOLVED", SOLUTION)
    assert "conflict" not in ended.view.marks or not ended.view.marks["conflict"]
    over = driver.send(commands.Toggle())
    assert over.notice is not None
    assert over.notice.badge == "END OF RUN"
    assert over.state == "SOLVED"
    assert driver.send(commands.Step(-1)).state == "PAUSED"
    assert driver.send(commands.Seek(0)).playhead == 0
    assert driver.send(commands.ToEnd()).playhead == END


def test_a_step_beyond_an_end_of_the_run_says_so(driver: PlayerDriver) -> None:
    for command in (commands.Step(-1), commands.Step(-10)):
        begun = driver.send(command)
        assert begun.notice is not None
        assert (begun.playhead, begun.notice.badge) == (0, "START OF RUN")
    assert driver.send(commands.Step(1)).notice is None
    driver.send(commands.Seek(END - 1))
    ended = driver.send(commands.Step(5))
    assert (ended.playhead, ended.state, ended.notice) == (END, "SOLVED", None)
    for command in (commands.Step(1), commands.Step(1), commands.ToEnd(), commands.Seek(END + 1)):
        over = driver.send(command)
        assert over.notice is not None
        assert (over.playhead, over.state, over.notice.badge) == (END, "SOLVED", "END OF RUN")
    assert driver.send(commands.Step(-1)).notice is None


def test_the_log_tells_the_last_steps_newest_first(driver: PlayerDriver) -> None:
    log = driver.send(commands.Seek(5)).readout.log
    assert [each.step for each in log] == [5, 4, 3, 2, 1]
    log = driver.send(commands.Seek(REHEAT)).readout.log
    assert [each.step for each in log] == list(range(REHEAT, REHEAT - len(log), -1))
    assert [event.kinds[0] for event in log[0].events][-1] == "reheat"
    assert driver.send(commands.Seek(0)).readout.log == ()


def test_a_change_by_hand_before_the_first_step_is_in_the_log(driver: PlayerDriver) -> None:
    driver.send(commands.Turn(1))
    for steps in (0, 5, 2):
        log = driver.send(commands.Seek(steps)).readout.log
        assert [each.step for each in log] == list(range(steps, -1, -1))
        assert [change.name for change in log[-1].changes] == ["temperature"]


def test_charts_know_the_rare_events(driver: PlayerDriver) -> None:
    snapshot = driver.send(commands.Seek(END))
    assert snapshot.history.marks["reheat"] == (REHEAT, 2 * REHEAT, RESTART)
    assert snapshot.history.marks["restart"] == (RESTART,)
    assert snapshot.history.steps[-1] == END


def test_the_history_is_the_same_object_while_nothing_is_recorded(driver: PlayerDriver) -> None:
    first = driver.send(commands.Step(50)).history
    assert driver.send(commands.Seek(3)).history is first
    assert driver.send(commands.Step(1)).history is first
    assert driver.send(commands.Seek(60)).history is not first


def test_the_way_to_a_step_beyond_the_recording_and_to_the_end_is_shown_as_flat_out(driver: PlayerDriver) -> None:
    driver.tick = 0.01  # every look at the clock takes long, so that each slice is shown
    for command, end in ((commands.Seek(1000), 1000), (commands.Finish(), END)):
        seen = len(driver.snapshots)
        assert driver.send(command).playhead == end
        on_the_way = [snapshot for snapshot in driver.snapshots[seen:] if snapshot.state == "RUNNING"]
        assert on_the_way
        assert {snapshot.speed for snapshot in on_the_way} == {FLAT_OUT}
        assert all(snapshot.tempo == "fast" for snapshot in on_the_way)
        assert driver.last.speed == 100.0


def test_the_summary_and_the_gauge_have_the_same_share_of_accepted_proposals() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "anneal", {}, 7), "max")).snapshot
    run = Run.start("anneal", PUZZLE, snapshot.params, seed=7)
    run.advance(100_000)
    shown = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "RUNNING", FLAT_OUT)
    gauge = next(gauge.text for gauge in shown.readout.gauges if gauge.label == "accept")
    assert shown.readout.summary is not None
    assert f"   accepted {gauge} of the last plateau   steps 99 " in shown.readout.summary.text



def test_the_gauges_of_a_run_that_gave_up_are_those_of_the_grid_that_it_returns() -> None:
    puzzle = Puzzle.from_line("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..")
    snapshot = pending_run(AppRequest(NewRun(puzzle, "hard 3", "belief", {}, 0))).snapshot
    run = Run.start("belief", puzzle, snapshot.params, seed=0)
    run.advance(1000)
    assert run.outcome is not None
    shown = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", 1.0)
    assert shown.returns
    errors = next(gauge.text for gauge in shown.readout.gauges if gauge.label == "errors")
    assert errors == str(run.outcome.energy) == "3"
