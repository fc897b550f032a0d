"""The laws of Run: moving about, ends, knobs and branches, on a random walk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import state as states
from engine import text
from engine.breakpoints import Breakpoint, Stop
from engine.errors import BadInput, ParameterError, UnknownName
from engine.events import Done, Event
from engine.run.run import Run
from tests.engine.solvers.annealing.boards import HARD as BOARD
from tests.engine.walk import PUZZLE, TRUTH, WALK, Walk, WalkParams, WalkState, start


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["advance", "seek", "back"]), st.integers(0, 5000)), max_size=25))
def test_any_path_of_the_playhead_shows_the_states_of_a_straight_run(moves: list[tuple[str, int]]) -> None:
    run = start()
    furthest = 0
    for what, amount in moves:
        before = run.playhead
        if what == "advance":
            steps = min(amount, 6000 - run.playhead)
            assert run.advance(steps).steps == steps
            assert run.playhead == before + steps
        elif what == "seek":
            run.seek(amount)
            assert run.playhead == min(amount, furthest)
        else:
            assert run.step_back() == (before > 0)
            assert run.playhead == max(0, before - 1)
        furthest = max(furthest, run.playhead)
        assert run.recorded == furthest
        digest, events = TRUTH[run.playhead]
        assert states.digest(run.state) == digest
        assert run.events == events


@pytest.mark.parametrize(("name", "value"), [("alpha", 0.5), ("schedule", "constant"), ("schedule", "linear"),
                                             ("moves", 400), ("T", 2.0)])
def test_the_reason_of_a_step_is_not_changed_by_what_is_changed_after_it(name: str, value: object) -> None:
    run = Run.start("anneal", BOARD, None, 7)
    run.advance(100)
    event = next(event for event in run.events if event.kinds == ("cooled",))
    before = run.because(event)
    changed = run.intervene(name, value)  # type: ignore[arg-type]
    assert changed.playhead == 100
    assert changed.because(event) == before
    changed.advance(400)
    changed.seek(100)
    assert changed.because(event) == before


def test_the_values_of_the_program_are_those_of_the_step_whatever_is_changed_after_it() -> None:
    run = Run.start("belief", BOARD, None, 0)
    run.advance(2)
    assert run.view().live["damp"] == "d 0.3"
    changed = run.intervene("damping", 0.9)
    assert changed.view().live["damp"] == "d 0.3"
    changed.advance(1)
    assert changed.view().live["damp"] == "d 0.9"
    assert changed.intervene("damping", 0.5).view().live["damp"] == "d 0.9"


def test_the_generator_of_a_solver_without_a_kernel_is_begun_once_however_many_chunks_there_are() -> None:
    class Slow(Walk):
        begun = 0

        def steps(self, state: WalkState, params: WalkParams) -> Iterator[tuple[Event, ...]]:
            self.begun += 1
            yield from super().steps(state, params)

    slow = Slow()
    run = Run.start(slow, PUZZLE, slow.make_params(), 7)
    for n in (1, 500, 2, 1500):
        run.advance(n)
    assert slow.begun == 1
    assert states.digest(run.state) == TRUTH[2003][0]
    run.intervene("bias", 0.25).advance(300)
    assert slow.begun == 2


def test_the_end_on_a_digest_is_digested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run = start("downhill")
    run.advance(10**6)
    end = run.recorded
    monkeypatch.setattr("engine.run.run.DIGEST_EVERY", end)
    run = start("downhill")
    for _ in range(2):
        run.advance(10**6)
        run.seek(end - 5)
    assert [step for step, _ in run.digests] == [end]


def test_interventions_at_the_start_at_the_end_and_twice_at_one_step_replay_in_their_order() -> None:
    run = start()
    run = run.intervene("bias", 0.5).intervene("bias", 0.25).intervene("up", 0.75)
    run.advance(2048)
    run = run.intervene("bias", 0.5).intervene("bias", 0.0)
    run.advance(100)
    run.seek(700)
    branch = run.intervene("bias", 0.125)
    branch.advance(500)
    for each in (run, branch):
        again = Run.start(WALK, PUZZLE, WALK.make_params(), 7, each.recipe.interventions)
        again.advance(each.recorded)
        for step in (0, 1, 699, 700, 701, 1200, 2047, 2048, 2049, each.recorded):
            each.seek(step)
            again.seek(step)
            assert states.digest(each.state) == states.digest(again.state)
            assert (each.params, each.events) == (again.params, again.events)
    assert [(each.step, each.value) for each in branch.recipe.interventions] == [
        (0, 0.5), (0, 0.25), (0, 0.75), (700, 0.125)]


def test_a_run_ends_and_can_be_rewound() -> None:
    run = start("downhill")
    result = run.advance(10**6)
    assert result.reason == "done"
    assert run.at_end
    assert run.outcome is not None
    assert run.outcome.status == "solved"
    assert isinstance(run.events[-1], Done)
    end = run.playhead
    assert run.advance(5).steps == 0
    run.seek(end - 10)
    assert not run.at_end
    assert run.find("solved", 1) == end
    assert run.advance(50).steps == 10
    assert run.at_end


def test_a_breakpoint_stops_right_after_the_step() -> None:
    run = start("downhill")
    assert run.advance(10**6, Stop(energy=400)).reason == "stop"
    assert run.state.x == 400
    reached = run.playhead
    run.seek(0)
    assert run.advance(10**6, Stop(energy=400)).reason == "stop"
    assert run.playhead == reached


def test_turning_a_knob_at_the_end_continues_the_same_run() -> None:
    run = start()
    run.advance(100)
    digest = states.digest(run.state)
    assert run.intervene("bias", 0.3) is run
    assert states.digest(run.state) != digest
    run.advance(100)
    after = states.digest(run.state)
    run.seek(3)
    run.seek(200)
    assert states.digest(run.state) == after
    again = Run.start(WALK, PUZZLE, WALK.make_params(), 7, run.recipe.interventions)
    again.advance(200)
    assert states.digest(again.state) == after


def test_turning_a_knob_in_the_past_starts_a_branch_and_keeps_the_old_run() -> None:
    run = start()
    run.advance(3000)
    run.intervene("bias", 0.1)
    run.advance(100)
    old = states.digest(run.state)
    run.seek(1500)
    branch = run.intervene("up", 0.1)
    assert branch is not run
    assert branch.playhead == branch.recorded == 1500
    assert run.recorded == 3100
    assert [each.step for each in branch.recipe.interventions] == [1500]
    assert branch.params.up == 0.1
    branch.advance(1000)
    branch.seek(700)
    assert states.digest(branch.state) == TRUTH[700][0]
    assert branch.params.up == 0.5
    run.seek(3100)
    assert states.digest(run.state) == old


def test_a_refused_intervention_changes_nothing() -> None:
    run = start()
    run.advance(10)
    before = states.digest(run.state), run.recipe
    for name, value, error in (("bias", "much", ParameterError), ("up", 2.0, ParameterError),
                               ("start", 3, ParameterError), ("warp", 1, UnknownName)):
        with pytest.raises(error):
            run.intervene(name, value)
        assert (states.digest(run.state), run.recipe) == before


def test_nothing_can_be_turned_after_the_end() -> None:
    run = start("downhill")
    run.advance(10**6)
    with pytest.raises(BadInput, match=f"the run is over at step {text.count(run.playhead)}: "):
        run.intervene("up", 0.3)


def test_history_stays_bounded() -> None:
    run = Run.start(WALK, PUZZLE, WALK.make_params(None, {"start": 10**6}), 1)
    run.advance(30_000)
    assert run.nbytes < 2**21
    steps, values = run.series.arrays()
    assert len(steps) <= 1025
    assert steps[-1] == 30_000
    for step, (x, best) in list(zip(steps, values, strict=True))[::97]:
        run.seek(int(step))
        assert (run.state.x, run.state.best) == (x, best)


def test_a_seed_out_of_range_is_refused() -> None:
    for seed in (-1, 2**63):
        with pytest.raises(ParameterError, match="seed = "):
            Run.start(WALK, PUZZLE, None, seed)


def test_a_branch_of_a_long_run_has_a_history_as_fine_as_its_own_length_asks_for() -> None:
    run = Run.start(WALK, PUZZLE, WALK.make_params(None, {"start": 10**6}), 1)
    run.advance(30_000)
    run.breakpoints = [Breakpoint(Stop(energy=3))]
    run.seek(900)
    branch = run.intervene("bias", 0.1)
    steps, values = branch.series.arrays()
    assert list(steps) == list(range(901))
    alone = Run.start(WALK, PUZZLE, WALK.make_params(None, {"start": 10**6}), 1)
    alone.advance(900)
    assert (values[:900] == alone.series.arrays()[1][:900]).all()
    assert branch.index.steps("best", 0, 900) == alone.index.steps("best", 0, 900)
    assert branch.breakpoints == run.breakpoints
    assert run.recorded == 30_000
