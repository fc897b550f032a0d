"""The player: orders, speed, finding, branches. The clock is moved by hand; nothing waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry, runfile
from engine.errors import BadInput
from engine.run import Run
from engine.view import Sentence
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, RESTART, SMALL, SOLUTION, Small, SmallParams, SmallState
from tui import notices, orders
from tui.moment import Moment
from tui.opening import opening
from tui.player import Player
from tui.request import LabRequest, NewRun
from tui.speed import FLAT_OUT
from tui.timeline import total_for
from tui.watch import Opener, Watch

STEP_LIMIT = 10_000


class Desk:
    """A player on its own, with a clock that stands still until it is moved."""

    def __init__(self, speed: str = "100", solver: Small = SMALL) -> None:
        self.now = 100.0
        self.moments: list[Moment] = []
        self.inbox = orders.Inbox()
        with registry.lent(solver):
            self.opening = opening(LabRequest(NewRun(PUZZLE, "hard 1", "small", {}, 7), speed))
        self.player = Player(self.inbox, self.moments.append, lambda: self.now, self.opening.moment)
        self.player.open(self.opening.opener)

    @property
    def last(self) -> Moment:
        return self.moments[-1]

    @property
    def run(self) -> Run:
        assert self.player.run is not None
        return self.player.run

    def order(self, *sent: orders.Order) -> Moment:
        """Send orders and let the player work until it wants to wait for the clock or for more orders."""
        for each in sent:
            self.inbox.put(each)
        for _ in range(STEP_LIMIT):
            wanted = self.player.turn()
            if wanted is None or wanted > 0:
                return self.last
        raise AssertionError("the player never comes to rest")

    def pass_time(self, seconds: float) -> Moment:
        self.now += seconds
        return self.order()

    def play_out(self) -> Moment:
        """Let time pass until the player stands still."""
        for _ in range(STEP_LIMIT):
            wanted = self.player.turn()
            if wanted is None:
                return self.last
            self.now += max(wanted, 0.001)
        raise AssertionError("the player never comes to rest")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_it_begins_paused_at_step_0_and_says_what_to_do(desk: Desk) -> None:
    assert (desk.last.state, desk.last.playhead, desk.last.recorded, desk.last.total) == ("PAUSED", 0, 0, 1)
    assert desk.last.notice is not None
    assert desk.last.notice.badge == "READY"


def test_a_step_forwards_and_one_back(desk: Desk) -> None:
    forward = desk.order(orders.Step(1))
    assert (forward.playhead, forward.recorded, forward.state) == (1, 1, "PAUSED")
    assert forward.events[0].step == 1
    assert forward.sentences[0].badge == "IMPROVED"
    back = desk.order(orders.Step(-1))
    assert (back.playhead, back.recorded, back.events) == (0, 1, ())


def test_each_order_while_paused_is_shown_at_once(desk: Desk) -> None:
    seen = len(desk.moments)
    for step in (1, 2, 3):
        assert desk.order(orders.Step(1)).playhead == step
    assert len(desk.moments) == seen + 3


def test_steps_that_pile_up_become_one(desk: Desk) -> None:
    seen = len(desk.moments)
    assert desk.order(*[orders.Step(1)] * 10).playhead == 10
    assert len(desk.moments) == seen + 1


def test_steps_asked_for_on_the_way_are_added_to_the_way(desk: Desk) -> None:
    desk.inbox.put(orders.Step(1000))
    desk.player.turn()
    assert 0 < desk.run.playhead < 1000
    assert desk.order(orders.Step(10)).playhead == 1010


def test_of_several_seeks_only_the_newest_counts(desk: Desk) -> None:
    desk.order(orders.Step(100))
    seen = len(desk.moments)
    assert desk.order(orders.Seek(10), orders.Seek(90), orders.Seek(50)).playhead == 50
    assert len(desk.moments) == seen + 1


def test_before_the_start_and_beyond_the_end(desk: Desk) -> None:
    assert desk.order(orders.Step(-5)).playhead == 0
    ended = desk.order(orders.Seek(10 * END))
    assert (ended.playhead, ended.state) == (END, "SOLVED")
    assert desk.order(orders.Step(1)).playhead == END


def test_it_plays_as_fast_as_it_was_told(desk: Desk) -> None:
    assert desk.order(orders.Toggle()).state == "RUNNING"
    assert desk.pass_time(0.5).playhead == 50
    assert desk.pass_time(0.25).playhead == 75
    assert desk.order(orders.Toggle()).state == "PAUSED"
    assert desk.pass_time(10).playhead == 75


def test_slow_playing_shows_every_step() -> None:
    desk = Desk("2")
    desk.order(orders.Toggle())
    for step in (1, 2, 3):
        assert desk.pass_time(0.5).playhead == step
        assert desk.last.slow.line == "try"


def test_speed_and_frames_are_two_things(desk: Desk) -> None:
    desk.order(orders.Speed(1000.0), orders.Toggle())
    before = len(desk.moments)
    for _ in range(100):
        desk.pass_time(0.01)
    assert desk.last.playhead == pytest.approx(1000, abs=110)
    assert 8 <= len(desk.moments) - before <= 11


def test_fewer_frames_do_not_slow_it_down(desk: Desk) -> None:
    desk.order(orders.Pace(2.0), orders.Speed(1000.0), orders.Toggle())
    before = len(desk.moments)
    for _ in range(100):
        desk.pass_time(0.01)
    assert desk.player.run is not None
    assert desk.run.playhead == pytest.approx(1000, abs=5)
    assert 1 <= len(desk.moments) - before <= 3


def test_what_is_read_changes_less_often_than_the_board_and_charts_once_a_second(desk: Desk) -> None:
    desk.order(orders.Speed(500.0), orders.Toggle())
    before = len(desk.moments)
    for _ in range(200):
        desk.pass_time(0.01)
    shown = desk.moments[before:]
    assert len({id(moment.view) for moment in shown}) >= 17
    assert 4 <= len({id(moment.slow) for moment in shown}) <= 6
    doublings = len({moment.total for moment in shown})
    assert 2 <= len({id(moment.history) for moment in shown}) <= 3 + doublings
    assert all(moment.slow.line is None for moment in shown)


def test_the_axis_never_shows_less_than_what_is_charted(desk: Desk) -> None:
    desk.order(orders.Speed(500.0), orders.Toggle())
    for _ in range(300):
        moment = desk.pass_time(0.01)
        assert moment.charted[1] <= moment.recorded
        assert total_for(moment.charted[1]) == moment.total


def test_flat_out_and_back_to_the_speed_before(desk: Desk) -> None:
    desk.inbox.put(orders.FlatOut())
    assert desk.player.turn() == 0.0
    assert desk.player.mover.speed == FLAT_OUT
    assert desk.play_out().state == "SOLVED"
    assert desk.order(orders.FlatOut()).speed == 100.0


def test_it_plays_backwards_and_stops_at_the_start(desk: Desk) -> None:
    desk.order(orders.Step(30), orders.Toggle(-1))
    assert desk.last.state == "REWINDING"
    assert desk.pass_time(0.1).playhead == 20
    stopped = desk.pass_time(5)
    assert (stopped.playhead, stopped.state, stopped.recorded) == (0, "PAUSED", 30)


def test_running_the_other_way_turns_round(desk: Desk) -> None:
    desk.order(orders.Step(50), orders.Toggle(-1))
    assert desk.pass_time(0.1).playhead == 40
    desk.order(orders.Toggle(1))
    assert desk.pass_time(0.1).playhead == 50


def test_it_does_not_make_up_for_time_it_was_kept_from(desk: Desk) -> None:
    desk.player.mover._chunk = 1.0
    desk.order(orders.Speed(1000.0), orders.Toggle())
    desk.now += 60
    desk.player.turn()
    assert desk.player.mover.playing is not None
    assert desk.player.mover._owed(desk.player.mover.playing) < 1000


def test_speed_keys_go_through_the_list(desk: Desk) -> None:
    speeds = [desk.order(orders.Faster(1)).speed for _ in range(3)]
    assert speeds == [200.0, 500.0, 1000.0]
    assert [desk.order(orders.Faster(-1)).speed for _ in range(2)] == [500.0, 200.0]


def truth() -> Run:
    run = Run.start(SMALL, PUZZLE, None, 7)
    run.advance(END)
    return run


@pytest.mark.parametrize("kinds", [("uphill",), ("best",), ("reheat", "restart"), ("cooled",), ("solved",)])
@pytest.mark.parametrize("playhead", [0, 1, 499, 500, 501, 1500, 1999, END])
@pytest.mark.parametrize("recorded", ["fresh", "whole"])
def test_find_goes_where_a_scan_of_the_run_says(kinds: tuple[str, ...], playhead: int, recorded: str,
                                               desk: Desk) -> None:
    run = truth()
    where = []
    for step in range(1, END + 1):
        run.seek(step)
        if any(kind in event.kinds for event in run.events for kind in kinds):
            where.append(step)
    for direction in (1, -1):
        if recorded == "whole":
            desk.order(orders.Seek(END))
        desk.order(orders.Seek(playhead))
        after = min((step for step in where if step > playhead), default=None)
        before = max((step for step in where if step < playhead), default=None)
        wanted = after if direction > 0 else before
        moment = desk.order(orders.Find(kinds, direction, "it"))
        assert moment.playhead == (playhead if wanted is None else wanted)
        assert (moment.notice is not None and moment.notice.badge == "NOT FOUND") == (wanted is None)


def test_periods_are_the_solvers_own(desk: Desk) -> None:
    assert desk.order(orders.Period(1)).playhead == PLATEAU
    assert desk.order(orders.Period(1)).playhead == 2 * PLATEAU
    assert desk.order(orders.Step(5), orders.Period(-1)).playhead == 2 * PLATEAU


def test_a_search_gives_way_to_an_order_and_stays_where_it_was(desk: Desk) -> None:
    desk.order(orders.Step(10))
    desk.inbox.put(orders.Find(("gave_up",), 1, "end"))
    desk.inbox.put(orders.Halt())
    moment = desk.order()
    assert moment.playhead == 10
    assert any(each.notice is not None and each.notice.badge == "GIVEN UP" for each in desk.moments)


def test_a_search_says_how_far_it_is() -> None:
    desk = Desk()
    desk.inbox.put(orders.Find(("gave_up", "unknown"), 1, "end of it"))
    desk.now += 1
    desk.order()
    searching = [each for each in desk.moments if each.state == "SEARCHING"]
    assert searching
    assert searching[0].notice is not None
    assert "end of it" in searching[0].notice.text
    assert searching[0].playhead == 0


def test_the_knob_at_the_end_changes_the_run_and_is_part_of_it(desk: Desk) -> None:
    moment = desk.order(orders.Step(3), orders.Turn(1))
    assert desk.player.others == []
    assert desk.run.recipe.interventions[0].step == 3
    assert desk.run.recipe.interventions[0].value == pytest.approx(1.1)
    assert moment.notice is not None
    assert (moment.notice.badge, moment.playhead) == ("BY HAND", 3)
    assert "1.00 → 1.10" in moment.notice.text


def test_the_knob_in_the_past_begins_a_branch_and_says_so(desk: Desk) -> None:
    desk.order(orders.Step(100))
    desk.order(orders.Seek(40))
    first = desk.run
    moment = desk.order(orders.Turn(-1))
    assert moment.notice is not None
    assert moment.notice.badge == "NEW BRANCH"
    assert "step 40" in moment.notice.text
    assert (moment.playhead, moment.recorded) == (40, 40)
    assert desk.player.others == [first]
    assert first.recorded == 100
    assert desk.order(orders.Step(1)).notice is None


def test_a_parameter_is_set_or_refused_with_a_sentence(desk: Desk) -> None:
    assert desk.order(orders.Change("alpha", 0.5)).params.alpha == 0.5  # type: ignore[attr-defined]
    refused = desk.order(orders.Change("alpha", 1.5))
    assert refused.notice is not None
    assert refused.notice.badge == "REFUSED"
    assert "alpha = 1.5" in refused.notice.text
    assert refused.params.alpha == 0.5  # type: ignore[attr-defined]
    assert desk.order(orders.Change("length", 5)).notice.badge == "REFUSED"  # type: ignore[union-attr]


def test_at_the_end_it_says_so_and_can_be_rewound(desk: Desk) -> None:
    ended = desk.order(orders.Seek(END))
    assert (ended.state, ended.view.grid) == ("SOLVED", SOLUTION)
    assert "conflict" not in ended.view.marks or not ended.view.marks["conflict"]
    over = desk.order(orders.Toggle())
    assert over.notice is not None
    assert over.notice.badge == "THE END"
    assert over.state == "SOLVED"
    assert desk.order(orders.Step(-1)).state == "PAUSED"
    assert desk.order(orders.Seek(0)).playhead == 0
    assert desk.order(orders.ToEnd()).playhead == END


def test_the_log_tells_the_last_steps_newest_first(desk: Desk) -> None:
    log = desk.order(orders.Seek(5)).slow.log
    assert [each.step for each in log] == [5, 4, 3, 2, 1]
    log = desk.order(orders.Seek(REHEAT)).slow.log
    assert [each.step for each in log] == list(range(REHEAT, REHEAT - len(log), -1))
    assert [event.kinds[0] for event in log[0].events][-1] == "reheat"
    assert desk.order(orders.Seek(0)).slow.log == ()


def test_charts_know_the_rare_events(desk: Desk) -> None:
    moment = desk.order(orders.Seek(END))
    assert moment.history.marks["reheat"] == (REHEAT, 2 * REHEAT, RESTART)
    assert moment.history.marks["restart"] == (RESTART,)
    assert moment.history.steps[-1] == END


def test_the_history_is_the_same_object_while_nothing_is_recorded(desk: Desk) -> None:
    first = desk.order(orders.Step(50)).history
    assert desk.order(orders.Seek(3)).history is first
    assert desk.order(orders.Step(1)).history is first
    assert desk.order(orders.Seek(60)).history is not first


def test_it_saves_a_run_that_can_be_opened_again(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "a-1.run"
    desk.order(orders.Step(100))
    moment = desk.order(orders.Seek(30), orders.Save(path.parent, "a"))
    assert moment.notice is not None
    assert (moment.notice.badge, moment.notice.text) == ("SAVED", str(path))
    with registry.lent(SMALL):
        run, mismatch = runfile.load(path)
        assert mismatch is None
        assert (run.playhead, run.recorded) == (30, 100)
        again = opening(LabRequest(path))
        moments: list[Moment] = []
        player = Player(orders.Inbox(), moments.append, lambda: 0.0, again.moment)
        player.open(again.opener)
    assert again.moment.state == "OPENING"
    assert (moments[-1].playhead, moments[-1].recorded, moments[-1].state) == (30, 100, "PAUSED")
    assert moments[-1].notice is not None
    assert moments[-1].notice.badge == "OPENED"


def test_two_saves_in_a_row_are_two_files(desk: Desk, tmp_path: Path) -> None:
    desk.order(orders.Save(tmp_path, "a"), orders.Save(tmp_path, "a"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.run", "a-2.run"]


def test_what_the_screen_has_to_say_stays_like_any_notice(desk: Desk) -> None:
    told = notices.told("REFUSED", "no")
    assert desk.order(orders.Tell(told)).notice == told
    desk.order(orders.Toggle(), orders.Tell(told))
    assert desk.pass_time(1.0).notice == told
    assert desk.pass_time(1.5).notice is None


def test_a_search_that_is_broken_off_does_not_go_to_the_wrong_place(desk: Desk) -> None:
    desk.order(orders.Seek(END), orders.Seek(RESTART + 100))
    asked = iter(range(1000))
    found = desk.run.find(("reheat", "restart"), -1, cancelled=lambda: next(asked) > 2)
    assert found is None
    assert desk.run.playhead == RESTART + 100


def test_where_nothing_can_be_saved_it_says_so(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    moment = desk.order(orders.Save(tmp_path / "file", "a"))
    assert moment.notice is not None
    assert moment.notice.badge == "REFUSED"


class Broken(Small):
    """Fails at step 7."""

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple]:  # type: ignore[type-arg]
        for events in super().steps(state, params):
            if state.step == 7:
                raise RuntimeError("seven\nis too much")
            yield events


def test_a_solver_that_fails_becomes_one_sentence() -> None:
    desk = Desk(solver=Broken())
    desk.order(orders.Step(3), orders.Toggle())
    moment = desk.pass_time(1)
    assert (moment.state, moment.playhead) == ("PAUSED", 3)
    assert moment.notice is not None
    assert (moment.notice.badge, moment.notice.text) == ("ERROR", "RuntimeError: seven")


def _refuse(watch: Watch) -> tuple[Run, Sentence | None]:
    raise BadInput("this puzzle has no free cell")


def _break(watch: Watch) -> tuple[Run, Sentence | None]:
    raise OSError("the disk is gone")


@pytest.mark.parametrize(("opener", "badge", "said"), [
    (_refuse, "REFUSED", "this puzzle has no free cell"), (_break, "ERROR", "OSError: the disk is gone")])
def test_a_run_that_cannot_be_made_leaves_the_board_and_a_sentence(
        opener: Opener, badge: str, said: str, desk: Desk) -> None:
    moments: list[Moment] = []
    player = Player(orders.Inbox(), moments.append, lambda: 0.0, desk.opening.moment)
    player.open(opener)
    assert moments[-1].state == "FAILED"
    assert moments[-1].notice is not None
    assert (moments[-1].notice.badge, moments[-1].notice.text) == (badge, said)
    player.inbox.put(orders.Step(1))
    assert player.turn() is None
    assert len(moments) == 1


def test_orders_that_come_early_are_obeyed_when_the_run_is_there() -> None:
    desk = Desk()
    fresh = Player(desk.inbox, desk.moments.append, lambda: desk.now, desk.opening.moment)
    desk.inbox.put(orders.Step(4))
    fresh.open(desk.opening.opener)
    fresh.turn()
    assert desk.last.playhead == 4


def test_a_solver_without_knob_or_period_says_so() -> None:
    class Plain(Small):
        knobs = ()  # type: ignore[assignment]
        period_kind = ""

    desk = Desk(solver=Plain())
    for order in (orders.Turn(1), orders.Period(1)):
        moment = desk.order(order)
        assert moment.notice is not None
        assert moment.notice.badge == "NOTHING THERE"
