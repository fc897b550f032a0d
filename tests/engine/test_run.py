"""The laws of Run, on a solver small enough to be read at a glance: a random walk that wants to reach zero."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import rng, runfile
from engine import state as states
from engine.breakpoints import Breakpoint
from engine.errors import BadInput, ParameterError, RunFileError, UnknownName
from engine.events import Done, Event, NewBest, Restarted, SwapJudged
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.run import Run
from engine.solver import Knob, Outcome, Solver, Stop
from engine.state import State
from engine.view import Channel, Line, View


class WalkParams(Params, frozen=True):
    up: Annotated[float, Meta(ge=0, le=1), About("share", "chance of a step away from zero")] = 0.5
    start: Annotated[int, Meta(ge=1, le=10**6), About("", "where the walk begins", live=False)] = 500


@dataclass
class WalkState(State):
    x: int = 0
    best: int = 0
    bias: float = 0.0
    trail: list[int] = field(default_factory=list)

    @property
    def grid(self) -> tuple[int, ...]:
        return self.puzzle.givens

    @property
    def energy(self) -> int:
        return self.x


class Walk(Solver[WalkState, WalkParams]):
    name = "walk"
    title = "Walk"
    family = "inference"
    summary = "A random walk."
    program = (Line("step", "x ← x ± 1"),)
    Params = WalkParams
    presets: ClassVar = {"default": {}, "downhill": {"up": 0.2}}
    knobs = (Knob("bias", "b", "pull towards zero", 0, 1),)
    channels = (Channel("x", "x", "energy"), Channel("best", "best", "best"))

    def init(self, puzzle: Puzzle, params: WalkParams, seed: int) -> WalkState:
        return WalkState(puzzle, seed, 0, params.start, params.start)

    def steps(self, state: WalkState, params: WalkParams) -> Iterator[tuple[Event, ...]]:
        while state.x > 0:
            u = rng.uniform(rng.draw(state.seed, rng.MOVE, state.step))
            delta = 1 if u < params.up - state.bias else -1
            state.step += 1
            state.x += delta
            events: list[Event] = [SwapJudged(state.step, "step", (0, 1), (1, 2), delta, state.x, True, None, None, u)]
            if state.x < state.best:
                events.append(NewBest(state.step, "step", state.x, state.best))
                state.best = state.x
            if state.step % 997 == 0:
                events.append(Restarted(state.step, "step", 1, 1, state.x, state.best))
                state.trail = [*state.trail[-3:], state.x]
            if state.x == 0:
                events.append(Done(state.step, "step", "solved", 0, "E = 0"))
            yield tuple(events)

    def outcome(self, state: WalkState) -> Outcome | None:
        return None if state.x else Outcome("solved", state.grid, 0, "E = 0")

    def intervene(self, state: WalkState, params: WalkParams, name: str, value: object) -> WalkParams:
        if name == "bias":
            if not isinstance(value, float):
                raise ParameterError(f"bias = {value}: expected a number")
            state.bias = value
            return params
        return super().intervene(state, params, name, value)

    def view(self, state: WalkState, params: WalkParams, events: tuple[Event, ...]) -> View:
        return View(state.grid)

    def sample(self, state: WalkState, params: WalkParams) -> tuple[float, ...]:
        return float(state.x), float(state.best)


WALK = Walk()
PUZZLE = Puzzle((0,) * 16, 2)


def start(preset: str | None = None, seed: int = 7) -> Run:
    return Run.start(WALK, PUZZLE, WALK.make_params(preset), seed)


def truth(steps: int, seed: int = 7) -> list[tuple[str, tuple[Event, ...]]]:
    """(digest, events) at every step, by running the generator straight on."""
    params = WALK.make_params()
    state = WALK.init(PUZZLE, params, seed)
    told: list[tuple[str, tuple[Event, ...]]] = [(states.digest(state), ())]
    for events in WALK.steps(state, params):
        told.append((states.digest(state), events))
        if state.step == steps:
            break
    return told


TRUTH = truth(6000)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["advance", "seek", "back"]), st.integers(0, 5000)), max_size=25))
def test_wherever_the_playhead_goes_it_shows_what_a_straight_run_shows(moves: list[tuple[str, int]]) -> None:
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


def test_find_agrees_with_a_scan_of_the_whole_run() -> None:
    run = start()
    run.advance(6000)
    run.index._thin()
    for kind in ("best", "restart", "uphill", "solved"):
        where = [step for step, (_, events) in enumerate(TRUTH) if any(kind in event.kinds for event in events)]
        for playhead in (0, 1, 996, 997, 998, 2500, 5999, 6000):
            run.seek(playhead)
            after = next((step for step in where if step > playhead), None)
            before = next((step for step in reversed(where) if step < playhead), None)
            assert run.find(kind, 1) == after, (kind, playhead)
            assert run.find(kind, -1) == before, (kind, playhead)
            assert run.playhead == playhead


def test_find_runs_on_past_the_recorded_end_up_to_its_limit() -> None:
    run = start()
    first = next(step for step, (_, events) in enumerate(TRUTH) if any("restart" in event.kinds for event in events))
    assert run.find("restart", 1) is None
    assert run.find("restart", 1, limit=first - 1) is None
    assert run.recorded == 0
    assert run.find("restart", 1, limit=first) == first
    assert run.playhead == 0
    assert run.recorded == first
    assert run.find(("restart", "best"), 1) == run.find("best", 1) != first


def test_find_can_be_cancelled() -> None:
    run = start()
    assert run.find("reheat", 1, limit=10**12, cancelled=lambda: True) is None
    assert run.recorded == 0


def test_a_search_that_is_cancelled_on_the_way_finds_nothing_rather_than_another_step() -> None:
    run = start()
    run.advance(900)
    asked = iter([False] * 5 + [True] * 100)
    assert run.find("uphill", -1, cancelled=lambda: next(asked)) is None
    assert run.find("uphill", -1) is not None


def test_one_who_may_cancel_is_asked_every_few_steps_of_a_slow_solver() -> None:
    run, asked = start(), [0]

    def go_on() -> bool:
        asked.append(run.playhead)
        return False

    assert run.find("reheat", 1, limit=3000, cancelled=go_on) is None
    assert len(asked) > 3000 // 64
    assert max(after - before for before, after in pairwise(asked)) <= 64


def test_a_frequent_kind_that_a_rare_event_answers_to_as_well_is_found_where_it_is() -> None:
    run = start()
    run.advance(100)
    run.index.mark("uphill", 3)
    hits = [step for step, (_, events) in enumerate(TRUTH[:100]) if any("uphill" in event.kinds for event in events)]
    assert run.find("uphill", -1) == hits[-1] > 4


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
    monkeypatch.setattr("engine.run.DIGEST_EVERY", end)
    run = start("downhill")
    for _ in range(2):
        run.advance(10**6)
        run.seek(end - 5)
    assert [step for step, _ in run.digests] == [end]


def test_an_intervention_with_a_number_of_numpy_can_be_saved(tmp_path: Path) -> None:
    run = start()
    run.advance(3)
    run.intervene("bias", np.float64(0.25))
    runfile.save(run, tmp_path / "walk.run")
    assert [each.value for each in runfile.read(tmp_path / "walk.run").recipe.interventions] == [0.25]


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


def test_turning_a_knob_at_the_end_goes_on_in_the_same_run() -> None:
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
    with pytest.raises(BadInput, match="the run is over at step"):
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


# Run files


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.registry.solver", lambda name: WALK)


def saved(tmp_path: Path) -> tuple[Run, Path]:
    run = start()
    run.advance(1234)
    run.intervene("bias", 0.05)
    run.advance(766)
    run.seek(1500)
    run.breakpoints = [Breakpoint(Stop(frozenset({"best", "uphill"}))), Breakpoint(Stop(energy=3)),
                       Breakpoint(Stop(cell=7), on=False)]
    path = tmp_path / "walk.run"
    runfile.save(run, path)
    return run, path


def test_a_run_file_brings_everything_back(tmp_path: Path) -> None:
    run, path = saved(tmp_path)
    again, mismatch = runfile.load(path)
    assert mismatch is None
    assert again.recipe == run.recipe
    assert (again.playhead, again.recorded) == (1500, 2000)
    assert again.breakpoints == run.breakpoints
    assert states.digest(again.state) == states.digest(run.state)
    assert runfile.describe(again) == runfile.describe(run)


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('"sudoku-tui run"', '"sudoku run"', "is not a run file"),
    ('"version": 1', '"version": 2', "run file version 2"),
    ('"seed": 7', '"seed": 8', "checksum"),
    ('"seed": 7', '"seed": -1', "altered or damaged"),
    ('"seed": 7', '"seed": 7, "speed": 3', "altered or damaged"),
    ('"steps": 2000', '"steps": "many"', "altered or damaged"),
    ('"bias"', '"bi', "not a run file or is cut short"),
])
def test_a_tampered_run_file_is_refused_with_a_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    _, path = saved(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RunFileError, match=sentence):
        runfile.load(path)


def test_a_truncated_run_file_is_refused(tmp_path: Path) -> None:
    _, path = saved(tmp_path)
    data = path.read_bytes()
    for length in range(0, len(data) - 2, 97):
        path.write_bytes(data[:length])
        with pytest.raises(RunFileError):
            runfile.load(path)


def test_a_replay_that_comes_out_differently_names_its_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, path = saved(tmp_path)
    monkeypatch.setattr("engine.rng.draw", lambda seed, stream, step, i=0: step)
    run, mismatch = runfile.load(path)
    assert mismatch is not None
    assert "at step" in mismatch.text
    assert mismatch.step <= 2000
    assert run.recorded <= 2000


def test_another_trajectory_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, path = saved(tmp_path)
    monkeypatch.setattr(WALK, "trajectory", 2, raising=False)
    with pytest.raises(RunFileError, match="trajectory"):
        runfile.load(path)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, path = saved(tmp_path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    run.seek(3)
    with pytest.raises(RunFileError, match="No space left"):
        runfile.save(run, path)
    assert path.read_bytes() == before
    monkeypatch.undo()
    with pytest.raises(RunFileError, match="cannot write"):
        runfile.save(run, tmp_path / "nowhere" / "walk.run")


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


@pytest.mark.parametrize("changes", [
    {"steps": -5}, {"steps": 1999}, {"playhead": -1}, {"playhead": 2001}, {"digests": ()},
    {"digests": ((2000, "0" * 32), (1, "0" * 32))},
])
def test_a_run_file_whose_parts_do_not_fit_is_refused_though_its_checksum_does(
        tmp_path: Path, changes: dict[str, object]) -> None:
    run, path = saved(tmp_path)
    forged = msgspec.structs.replace(runfile.describe(run), **changes)
    forged = msgspec.structs.replace(forged, checksum=runfile._checksum(forged))
    path.write_bytes(msgspec.json.encode(forged))
    with pytest.raises(RunFileError, match="do not fit each other"):
        runfile.read(path)


def test_saving_writes_through_a_link_and_onto_nothing_but_files(tmp_path: Path) -> None:
    run, path = saved(tmp_path)
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    path.write_bytes(b"old")
    link.symlink_to(path)
    runfile.save(run, link)
    assert link.is_symlink()
    assert runfile.read(path).steps == 2000
    os.mkfifo(pipe)
    for taken in (pipe, tmp_path):
        with pytest.raises(RunFileError, match="expected a regular file"):
            runfile.save(run, taken)
    assert pipe.is_fifo()
