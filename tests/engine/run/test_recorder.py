"""A run that cannot be re-executed is played from its recording, from its first state on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine import registry
from engine import state as states
from engine.conformance import Nonconformance
from engine.conformance.steps import recordings_say_the_same
from engine.errors import RunFileError
from engine.puzzle import Puzzle
from engine.run import run_file
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.run.solve import Limits, Pace, solve
from engine.solver import Solver
from tests.engine.strangers import toy_population, toy_recorded
from tests.engine.strangers.toy_recorded import AskParams, AskState

PUZZLE = Puzzle((0,) * 16, 2)


def shown(run: Run) -> list[tuple[str, object]]:
    """(digest, events) at every recorded step."""
    seen = []
    for step in range(run.recorded + 1):
        run.seek(step)
        seen.append((states.digest(run.state), run.events))
    return seen


def test_an_opened_recording_equals_the_run_from_step_0(tmp_path: Path) -> None:
    solver = toy_recorded.SOLVER
    with registry.lent(solver):
        run = Run.start(solver, PUZZLE, None, 3)
        run.advance(12)
        run_file.save(run, tmp_path / "toy.run")
        before = shown(run)
        again, mismatch = run_file.load(tmp_path / "toy.run")
        assert mismatch is None
        assert shown(again) == before


@pytest.mark.parametrize("damage", [lambda data: b"\xff", lambda data: data[:-1], lambda data: b"\x91" * 100_000,
                                    lambda data: re.sub(rb"says|plain", lambda word: b"\x88" * len(word[0]), data)],
                         ids=["no msgpack", "cut short", "nested too deeply", "no UTF-8"])
@pytest.mark.parametrize(("part", "said"), [(0, "the recording is damaged at step 3"),
                                            (1, "a recorded state is not one of AskState")])
def test_a_damaged_recording_is_refused(part: int, said: str, damage: Callable[[bytes], bytes]) -> None:
    solver = toy_recorded.SOLVER
    with registry.lent(solver):
        run = Run.start(solver, PUZZLE, None, 3)
        run.advance(5)
        file = run_file.describe(run)
        assert file.recording is not None
        frames = [list(frame) for frame in file.recording.frames]
        frames[2][part] = damage(frames[2][part])
        recording = replace(file.recording, frames=tuple((events, state) for events, state in frames))
        with pytest.raises(RunFileError, match=said):
            run_file.begin(replace(file, recording=recording))


def test_an_intervention_in_a_cancelled_replay_drops_the_rest(tmp_path: Path) -> None:
    solver = toy_recorded.SOLVER
    with registry.lent(solver):
        run = Run.start(solver, PUZZLE, None, 3)
        run.advance(12)
        run_file.save(run, tmp_path / "toy.run")
        file = run_file.read(tmp_path / "toy.run")
        again = run_file.begin(file)
        again.advance(4)
        again.intervene("questions", 400)
        assert isinstance(again.solver, Recorder)
        assert len(again.solver.frames) == 4


def test_a_full_recording_ends_the_run_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.run.recorder.MAX_STEPS", 5)
    run = Run.start(toy_recorded.SOLVER, PUZZLE, None, 3)
    assert run.advance(100).reason == "done"
    assert run.playhead == 5
    assert run.outcome is not None
    assert run.outcome.status == "unknown"
    assert "the recording is full after 5 steps" in run.outcome.reason
    run.seek(2)
    assert not run.at_end
    assert run.advance(100).steps == 3


class Weighs(toy_recorded.ToyRecorded):
    """Each step weighs ten candidates."""

    tomorrow = "an attribute that the contract does not have yet"

    def evaluations(self, state: AskState, params: AskParams) -> int:
        return 10 * state.step

    def most_evaluations(self, state: AskState, params: AskParams) -> int:
        return 10


def test_a_recorded_run_keeps_to_a_limit_of_evaluations() -> None:
    run = Run.start(Weighs(), PUZZLE, AskParams(questions=5_000), 3)
    finish = solve(run, Limits(evaluations=500), Pace(), lambda: False, lambda _walk, _elapsed: None)
    assert (finish.steps, finish.reason) == (50, "the evaluation limit of 500 is reached")


def test_a_recorder_picks_individuals_of_the_solver_it_records() -> None:
    solver = toy_population.SOLVER
    params = solver.make_params()
    state = solver.init(PUZZLE, params, 3)
    recorder = Recorder(solver)
    assert recorder.has_individuals
    assert recorder.individuals(state) == solver.individuals(state) > 0
    assert recorder.view_of(state, params, (), 1) == solver.view_of(state, params, (), 1)


def test_everything_that_a_recorder_does_not_define_is_the_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "tomorrow", "a default of the contract", raising=False)
    inner = Weighs()
    recorder = Recorder(inner)
    public = [name for name in (*vars(Solver), *Solver.__annotations__) if not name.startswith("_")]
    own = {"recorded", "init", "steps", "outcome", "view", "sample", "advance", "advance_steps", "events"}
    assert {name for name in public if name in vars(Recorder)} == own
    for name in set(public) - own:
        assert getattr(recorder, name) == getattr(inner, name), name


@pytest.mark.parametrize("name", ["evaluations", "summary", "kinds"])
def test_a_recorder_with_another_answer_breaks_a_law(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = (lambda *_: 3) if name == "evaluations" else "something else"
    monkeypatch.setattr(Recorder, name, other, raising=False)
    with pytest.raises(Nonconformance, match=f"the recorder gives {name} "):
        recordings_say_the_same(Weighs())
