"""First states, and puzzles that leave nothing to do."""

from __future__ import annotations

import pytest

from engine import registry
from engine import state as states
from engine.errors import PuzzleError
from engine.events import Contradiction, Done
from engine.puzzle import Puzzle
from engine.solvers.annealing.annealer import begin_steps
from engine.solvers.annealing.parameters import HIGHEST, SEARCH, make_config
from engine.solvers.annealing.rules import random_restart
from engine.solvers.annealing.state import first_attempt, new_state
from tests.engine.solvers.annealing.boards import STUCK, finish, first_steps, full_energy, of_kind, sparse

ANNEALERS = [name for name in registry.names() if registry.solver(name).family == "annealing" and name != "tabu"]
SOLVED = Puzzle.from_line("1234341221434321")
NEIGHBOURHOODS = ("row-swap", "box-swap", "conflict-swap", "extended")


@pytest.mark.parametrize(("neighbourhood", "boxes"), [(0, False), (1, True), (2, True), (2, False), (3, False)])
@pytest.mark.parametrize("step", [0, 12345])
def test_the_compiled_restart_makes_the_state_of_the_plain_one(neighbourhood: int, boxes: bool, step: int) -> None:
    plain = new_state(sparse(3), 7, neighbourhood, boxes)
    plain.step, plain.now["step"], plain.now["phase"], plain.now["best"] = step, step, SEARCH, HIGHEST
    compiled = states.copy(plain)
    first_attempt(plain, 0.7)
    workspace, _ = begin_steps(compiled, make_config({"t0": 0.7, "moves": 10}))
    random_restart(workspace)
    compiled.now["before"] = compiled.now["energy"]
    for name in plain.scalars.dtype.names or ():
        if name not in ("plateau_best",):
            assert plain.now[name] == compiled.now[name], name
    assert (plain.grids == compiled.grids).all()


@pytest.mark.parametrize("name", [name for name in ANNEALERS if name != "anneal-propagate"])
@pytest.mark.parametrize("neighbourhood", NEIGHBOURHOODS)
def test_a_first_state_respects_givens_and_groups(name: str, neighbourhood: str) -> None:
    solver = registry.solver(name)
    puzzle = sparse(3)
    state = solver.init(puzzle, solver.make_params(None, {"neighbourhood": neighbourhood}), 4)
    assert all(not given or given == value for given, value in zip(puzzle.givens, state.grid, strict=True))
    units = puzzle.geometry.boxes if state.now["boxes"] else puzzle.geometry.rows
    assert all(sorted(state.grid[cell] for cell in unit.cells) == list(range(1, 10)) for unit in units)
    assert state.energy == full_energy(state) == state.now["best"]


@pytest.mark.parametrize("name", ANNEALERS)
def test_contradictory_givens_are_refused_by_unit_and_cells(name: str) -> None:
    solver = registry.solver(name)
    with pytest.raises(PuzzleError, match=r"row 1 holds 1 in r1c1 and r1c4") as raised:
        solver.init(Puzzle.from_line("1..1............"), solver.make_params(), 0)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ANNEALERS)
def test_a_solved_grid_is_solved_at_step_0(name: str) -> None:
    solver = registry.solver(name)
    state = solver.init(SOLVED, solver.make_params(), 0)
    outcome = solver.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.grid, outcome.energy) == ("solved", SOLVED.givens, 0)
    assert list(solver.steps(state, solver.make_params())) == []
    assert solver.advance(state, solver.make_params(), 10).steps == 0


ONE_FREE_CELL_A_ROW = Puzzle.from_line("123.3.142.434321")
"""And one a box: the missing value clashes in its only place."""
ONE_FREE_CELL_A_BAND = Puzzle.from_line("1234.42131424.13")
STRANDED = Puzzle.from_line("123.3.142..34321")
"""Its third row is the only one with two free cells; once they are right, the conflicts left cannot be moved."""


@pytest.mark.parametrize("name", [name for name in ANNEALERS if name != "anneal-propagate"])
@pytest.mark.parametrize(("neighbourhood", "puzzle", "reason"), [
    ("row-swap", ONE_FREE_CELL_A_ROW, "no two free cells share a row"),
    ("box-swap", ONE_FREE_CELL_A_ROW, "no two free cells share a box"),
    ("conflict-swap", ONE_FREE_CELL_A_ROW, "no two free cells share a box"),
    ("extended", ONE_FREE_CELL_A_BAND, "no two free cells share a band"),
])
def test_an_empty_neighbourhood_gives_up_with_its_reason(name: str, neighbourhood: str, puzzle: Puzzle,
                                                         reason: str) -> None:
    assert not puzzle.clashes()
    solver = registry.solver(name)
    params = solver.make_params(None, {"neighbourhood": neighbourhood})
    state = solver.init(puzzle, params, 0)
    outcome = solver.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.reason, outcome.energy) == ("gave_up", reason, full_energy(state))
    assert outcome.energy > 0
    assert solver.advance(state, params, 10).steps == 0


def test_a_row_with_one_free_cell_is_left_alone() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params("easy")
    state = solver.init(STUCK, params, 1)
    for events in first_steps(solver, state, params, 300):
        assert min(events[0].touched, default=9) > 8
    assert state.grid[8] == 9


def test_conflict_swap_gives_up_where_no_conflict_can_be_moved() -> None:
    assert not STRANDED.clashes()
    solver = registry.solver("anneal")
    params = solver.make_params(None, {"neighbourhood": "conflict-swap", "representation": "row"})
    ends = set()
    for seed in range(10):
        state, twin = solver.init(STRANDED, params, seed), solver.init(STRANDED, params, seed)
        events = list(first_steps(solver, state, params, 1000))
        outcome = solver.outcome(state)
        assert outcome is not None
        assert outcome.reason == "no free cell in conflict shares its row with another free cell"
        assert state.grid[8:12] == (2, 1, 4, 3)
        assert not events or isinstance(events[-1][-1], Done)
        finish(solver, twin, params)
        assert states.digest(state) == states.digest(twin)
        ends.add(bool(events))
    assert ends == {True, False}


def test_a_contradiction_of_singles_is_no_solution() -> None:
    solver = registry.solver("anneal-propagate")
    state = solver.init(ONE_FREE_CELL_A_ROW, solver.make_params(), 0)
    events = list(solver.steps(state, solver.make_params()))
    outcome = solver.outcome(state)
    assert outcome is not None
    assert outcome.status == "no_solution"
    contradiction = of_kind(events, Contradiction)[0]
    assert contradiction.reason == outcome.reason == "no value fits into r1c4"
    assert contradiction.cells == (3,)
    assert events[-1][-1] == Done(state.step, "contradiction", "no_solution", outcome.energy, outcome.reason)
