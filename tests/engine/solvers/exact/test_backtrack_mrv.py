"""`backtrack-mrv` against a recursion that is written here to be obviously right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import state as states
from engine.breakpoints import Stop
from engine.energy import errors
from engine.events import Assigned, Contradiction
from engine.puzzle import Puzzle, cell_name
from engine.run.run import Run
from engine.solver import Solver
from engine.solvers.exact.backtrack import NODES
from engine.solvers.exact.backtrack_mrv import SOLVER
from tests.engine.solvers.exact.test_backtrack import DIAGONAL, EASY, HARD, NONE, Assignment, reported, small_puzzles

SIXTEEN = Puzzle((0,) * 256, 4)


def fitting(puzzle: Puzzle, cells: list[int], cell: int) -> list[int]:
    taken = {cells[peer] for peer in puzzle.geometry.peers[cell]}
    return [value for value in range(1, puzzle.n + 1) if value not in taken]


def chosen(puzzle: Puzzle, cells: list[int], ties: str) -> int:
    """The empty cell to be filled next."""
    def key(cell: int) -> tuple[int, int, int]:
        peers = sum(not cells[peer] for peer in puzzle.geometry.peers[cell]) if ties == "degree" else 0
        return len(fitting(puzzle, cells, cell)), -peers, cell
    return min((cell for cell, value in enumerate(cells) if not value), key=key)


def recursion(puzzle: Puzzle, cells: list[int], ties: str) -> Iterator[Assignment]:
    if all(cells):
        return
    cell = chosen(puzzle, cells, ties)
    for value in fitting(puzzle, cells, cell):
        cells[cell] = value
        yield ("assigned", cell, value)
        yield from recursion(puzzle, cells, ties)
        if all(cells):
            return
        cells[cell] = 0
        yield ("retracted", cell, value)


@settings(max_examples=60, deadline=None)
@given(small_puzzles(), st.sampled_from(["first", "degree"]))
def test_every_step_is_the_recursions(puzzle: Puzzle, ties: str) -> None:
    params = SOLVER.make_params(None, {"ties": ties})
    state = SOLVER.init(puzzle, params, 0)
    cells = list(puzzle.givens)
    expected = list(recursion(puzzle, cells, ties))
    assert [step for events in SOLVER.steps(state, params) for step in reported(events)] == expected
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert outcome.status == ("solved" if all(cells) else "no_solution")


@pytest.mark.parametrize("ties", ["first", "degree"])
@pytest.mark.parametrize("puzzle", [EASY, HARD, DIAGONAL], ids=["easy", "hard", "x"])
def test_sizes_and_variants_are_solved_as_the_recursion_does(puzzle: Puzzle, ties: str) -> None:
    params = SOLVER.make_params(None, {"ties": ties})
    state = SOLVER.init(puzzle, params, 0)
    assert SOLVER.advance(state, params, 10**6).reason == "done"
    assert errors(puzzle, state.grid) == 0
    expected = list(recursion(puzzle, list(puzzle.givens), ties))
    assert state.step == len(expected)
    assert state.counts[NODES] == sum(kind == "assigned" for kind, _, _ in expected)


def test_the_view_names_the_cell_of_the_step_and_its_values() -> None:
    for ties in ("first", "degree"):
        run = Run.start("backtrack-mrv", HARD, SOLVER.make_params(None, {"ties": ties}))
        assert run.view().live == {}
        dead_ends = 0
        for _ in range(60):
            run.advance(1)
            view, event = run.view(), run.events[0]
            live = view.live
            if isinstance(event, Assigned):
                assert live["cell"] == cell_name(event.cell, 9)
                assert live["values"].split()[0] == str(event.value)
                assert event.guess is (len(live["values"].split()) > 1)
            elif isinstance(event, Contradiction):
                dead_ends += 1
                assert live == {"cell": cell_name(event.cells[0], 9), "values": "none left"}
                assert view.candidates is not None
                assert view.candidates[event.cells[0]] == 0  # drawn as it is, not as it is after the retraction
        assert dead_ends


def test_a_guess_gives_the_reason_for_its_cell() -> None:
    run = Run.start("backtrack-mrv", HARD)
    run.advance(1)
    peers = sum(not HARD.givens[peer] for peer in HARD.geometry.peers[46])
    assert run.sentences()[0].text == f"r6c2 ← 5   the first of 2 that fit, {peers} empty peers   depth 1"


def test_a_dead_end_has_a_cell_and_who_leaves_it_nothing_as_its_core() -> None:
    params = SOLVER.make_params("first")
    state = SOLVER.init(HARD, params, 0)
    seen = 0
    before = state.grid
    for events in SOLVER.steps(state, params):
        if isinstance(events[0], Contradiction):
            cell, *rest = events[0].cells
            assert sorted(before[each] for each in rest) == list(range(1, 10))
            assert set(rest) <= set(HARD.geometry.peers[cell])
            seen += 1
        before = state.grid
    assert seen > 10


def test_the_core_is_whole_where_the_budget_ends_with_a_dead_end() -> None:
    params = SOLVER.make_params()
    run = Run.start("backtrack-mrv", HARD, params)
    step = run.find("contradiction", +1, limit=1000)
    assert step is not None
    run.advance(step)
    short = Run.start("backtrack-mrv", HARD, SOLVER.make_params(None, {"max_steps": step}))
    short.advance(step)
    assert short.events[:-1] == run.events
    assert short.outcome is not None
    assert short.outcome.status == "gave_up"


def test_a_large_board_is_filled() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(SIXTEEN, params, 0)
    assert SOLVER.advance(state, params, 100_000).reason == "done"
    assert errors(SIXTEEN, state.grid) == 0


def test_no_solution_is_proven() -> None:
    run = Run.start("backtrack-mrv", NONE)
    run.advance(100)
    assert run.outcome is not None
    assert run.outcome.status == "no_solution"


def test_the_causes_are_peers_that_hold_the_value() -> None:
    run = Run.start("backtrack-mrv", EASY)
    run.advance(20)
    view = run.view()
    assert view.causes is not None
    assert view.candidates is not None
    for place, cause in enumerate(view.causes):
        cell, value = divmod(place, 9)
        if view.grid[cell] == value + 1:
            assert not cause
        elif not view.grid[cell]:
            assert bool(cause) is not bool(view.candidates[cell] >> value & 1)
        if cause:
            holder = (int(cause[1]) - 1) * 9 + int(cause[3]) - 1
            assert view.grid[holder] == value + 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3000), st.sampled_from(["contradiction", "guess", "retracted", "done", ""]),
       st.one_of(st.none(), st.integers(0, 60)), st.one_of(st.none(), st.integers(0, 80)))
def test_the_compiled_loop_stops_where_the_generator_would(n: int, kind: str, energy: int | None,
                                                           cell: int | None) -> None:
    params = SOLVER.make_params()
    stop = Stop(frozenset({kind} - {""}), energy, cell)
    fast = SOLVER.init(HARD, params, 0)
    slow = states.copy(fast)
    assert SOLVER.advance(fast, params, n, stop) == Solver.advance(SOLVER, slow, params, n, stop)
    assert states.digest(fast) == states.digest(slow)
