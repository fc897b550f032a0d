"""A part of a run, repeated by a separate cursor."""

from __future__ import annotations

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run.recorder import Recorder
from engine.run.run import Run

PUZZLE = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


def run_of(solver: str, steps: int = 400) -> Run:
    run = Run.start(solver, PUZZLE, seed=7)
    run.advance(steps)
    return run


@pytest.mark.parametrize("solver", ["anneal", "backtrack"])
@pytest.mark.parametrize("chunks", [(300,), (1, 99, 200), (7, 0, 293)])
def test_the_events_of_a_stretch_are_those_of_its_steps(solver: str, chunks: tuple[int, ...]) -> None:
    run = run_of(solver)
    cursor, single = run.cursor_at(50), run.cursor_at(50)
    for chunk in chunks:
        events = list(cursor.events(chunk))
        assert events == [single.single() for _ in range(chunk)]
        assert cursor.step == single.step
    assert run.playhead == 400


def test_interventions_are_made_on_the_way() -> None:
    run = run_of("anneal")
    run.intervene("T", 5.0)
    run.advance(50)
    run.intervene("alpha", 0.5)
    run.advance(50)
    cursor = run.cursor_at(350)
    events = list(cursor.events(150))
    run.seek(420)
    assert events[420 - 350 - 1] == run.events
    run.seek(500)
    assert events[-1] == run.events
    assert cursor.params == run.params
    assert cursor.params.alpha == 0.5


def test_events_end_with_the_run() -> None:
    run = Run.start("backtrack", PUZZLE, registry.solver("backtrack").make_params(None, {"max_steps": 30}))
    run.advance(100)
    cursor = run.cursor_at(20)
    assert len(list(cursor.events(1000))) == 10
    assert list(cursor.events(5)) == []


def test_a_cursor_is_clamped_to_the_recorded_part() -> None:
    run = run_of("backtrack", 40)
    assert [run.cursor_at(step).step for step in (-5, 0, 17, 40, 99)] == [0, 0, 17, 40, 40]
    assert (run.playhead, run.recorded) == (40, 40)


def test_a_recorder_has_the_channels_of_its_solver() -> None:
    solver = registry.solver("anneal-linear")
    assert Recorder(solver).channels_for(solver.make_params()) == solver.channels_for(solver.make_params())
    assert solver.channels_for(solver.make_params()) != solver.channels
