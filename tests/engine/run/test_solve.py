"""Running to an end or to a limit: the same steps whatever the chunks, and limits that are met exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run import solve as draining
from engine.run.cursor import Cursor
from engine.run.run import Run
from engine.run.solve import Finish, Limits, Pace, Walk, solve
from engine.solver import Advanced


def unwatched(walk: Walk, elapsed: float) -> None:
    """A watch that does nothing."""


def walk_of(name: str, line: str) -> Cursor:
    solver = registry.solver(name)
    params = solver.make_params()
    return Cursor(solver, solver.init(Puzzle.from_line(line), params, 0), params)


def best_by_single_steps(name: str, steps: int) -> tuple[int, tuple[int, ...]]:
    """The oracle: look after every step."""
    walk = walk_of(name, HARD)
    best = walk.state.energy, walk.state.grid
    while walk.step < steps and walk.outcome is None:
        walk.advance(1)
        if walk.state.energy < best[0]:
            best = walk.state.energy, walk.state.grid
    return best


HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.mark.sweep(keep=12)
@pytest.mark.parametrize("steps", [1, 2, 50, 777, 3000])
@pytest.mark.parametrize("chunk", [1, 16, 1000])
@pytest.mark.parametrize("name", ["backtrack", "anneal"])
def test_the_best_grid_is_exact_in_chunks_of_any_size(name: str, steps: int, chunk: int) -> None:
    pace = Pace()
    pace.chunk = chunk
    finish = solve(walk_of(name, HARD), Limits(steps), pace, lambda: False, unwatched)
    assert (finish.energy, finish.grid) == best_by_single_steps(name, steps)
    assert finish.steps == steps


def test_a_saved_run_finds_the_same_best_grid() -> None:
    run = Run.start("backtrack", Puzzle.from_line(HARD))
    finish = solve(run, Limits(777), Pace(), lambda: False, unwatched)
    assert (finish.energy, finish.grid) == best_by_single_steps("backtrack", 777)


def test_an_interrupt_is_neither_solved_nor_given_up() -> None:
    answers: Iterator[bool] = iter([False, False, True])
    finish: Finish = solve(walk_of("backtrack", HARD), Limits(), Pace(), lambda: next(answers), unwatched)
    assert (finish.status, finish.reason) == ("unknown", "interrupted")
    assert finish.steps > 0


def test_a_solver_that_stops_without_a_verdict_does_not_hang() -> None:
    class Stuck(Cursor):
        def advance(self, n: int, *more: Any) -> Advanced:
            return Advanced(0, "steps", ())

    walk = walk_of("backtrack", HARD)
    finish = solve(Stuck(walk.solver, walk.state, walk.params), Limits(), Pace(), lambda: False, unwatched)
    assert (finish.status, finish.steps) == ("unknown", 0)
    assert "without an outcome" in finish.reason


def test_the_pace_follows_the_machine() -> None:
    pace = Pace()
    for _ in range(40):
        pace.adapt(0.0, pace.chunk)
    assert pace.chunk == draining.MAX_CHUNK
    pace.adapt(0.0, 1)
    pace.adapt(0.02, pace.chunk)
    assert pace.chunk == draining.MAX_CHUNK
    for _ in range(40):
        pace.adapt(1.0, pace.chunk)
    assert pace.chunk == 1


@pytest.mark.parametrize("chunk", [1, 16, 1000])
@pytest.mark.parametrize("name", ["anneal", "tabu"])
def test_a_limit_of_evaluations_is_met_by_the_first_step_that_reaches_it(name: str, chunk: int) -> None:
    pace = Pace()
    pace.chunk = chunk
    walk = walk_of(name, HARD)
    finish = solve(walk, Limits(evaluations=10_000), pace, lambda: False, unwatched)
    most = walk.solver.most_evaluations(walk.state, walk.params)
    assert finish.steps == -(-10_000 // most)
    assert finish.cut
    assert finish.reason == "the evaluation limit of 10 000 is reached"


def test_a_chunk_ends_at_every_milestone() -> None:
    looked: list[int] = []
    pace = Pace()
    pace.chunk = 64
    solve(walk_of("anneal", HARD), Limits(1000), pace, lambda: False,
          lambda walk, _elapsed: looked.append(walk.state.step), (1, 2, 5, 10, 20, 50, 100, 777, 5000))
    assert {1, 2, 5, 10, 20, 50, 100, 777, 1000} <= set(looked)
    assert looked == sorted(set(looked))
