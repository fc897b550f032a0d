"""A run that cannot be re-executed is played from its recording, from its first state on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry, runfile
from engine import state as states
from engine.puzzle import Puzzle
from engine.run import Run
from engine.tape import Recorder
from tests.engine.strangers import toy_recorded

PUZZLE = Puzzle((0,) * 16, 2)


def shown(run: Run) -> list[tuple[str, object]]:
    """(digest, events) at every recorded step."""
    seen = []
    for step in range(run.recorded + 1):
        run.seek(step)
        seen.append((states.digest(run.state), run.events))
    return seen


def test_an_opened_recording_shows_what_was_seen_from_the_first_state_on(tmp_path: Path) -> None:
    solver = toy_recorded.SOLVER
    with registry.lent(solver):
        run = Run.start(solver, PUZZLE, None, 3)
        run.advance(12)
        runfile.save(run, tmp_path / "toy.run")
        before = shown(run)
        again, mismatch = runfile.load(tmp_path / "toy.run")
        assert mismatch is None
        assert shown(again) == before


def test_a_replay_broken_off_forgets_the_rest_when_it_is_intervened_in(tmp_path: Path) -> None:
    solver = toy_recorded.SOLVER
    with registry.lent(solver):
        run = Run.start(solver, PUZZLE, None, 3)
        run.advance(12)
        runfile.save(run, tmp_path / "toy.run")
        file = runfile.read(tmp_path / "toy.run")
        again = runfile.begin(file)
        again.advance(4)
        again.intervene("questions", 400)
        assert isinstance(again.solver, Recorder)
        assert len(again.solver.frames) == 4


def test_a_full_recording_ends_the_run_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tape.MAX_STEPS", 5)
    run = Run.start(toy_recorded.SOLVER, PUZZLE, None, 3)
    assert run.advance(100).reason == "done"
    assert run.playhead == 5
    assert run.outcome is not None
    assert run.outcome.status == "unknown"
    assert "the recording is full after 5 steps" in run.outcome.reason
    run.seek(2)
    assert not run.at_end
    assert run.advance(100).steps == 3
