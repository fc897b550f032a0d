"""A move made by hand between two steps."""

from __future__ import annotations

import pytest

from engine import energy, registry
from engine import state as states
from engine.errors import ParameterError, UnknownName
from engine.puzzle import Puzzle, cell_name
from engine.run import recipe
from engine.run.cursor import Cursor
from engine.run.recipe import Intervention
from engine.run.run import Run
from engine.solvers.annealing.by_hand import MOVE
from engine.solvers.annealing.state import board_of_state
from engine.solvers.annealing.workspace import NO_CELL

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
COUNTED = {"box-swap": energy.box_state_energy, "row-swap": energy.row_state_energy, "extended": energy.full_energy}


def begun(neighbourhood: str, steps: int = 40):
    solver = registry.solver("anneal")
    params = solver.make_params(None, {"neighbourhood": neighbourhood, "at_floor": "hold"})
    state = solver.init(EASY, params, 3)
    solver.advance(state, params, steps)
    return solver, params, state


@pytest.mark.parametrize("neighbourhood", COUNTED)
def test_every_legal_move_is_made_and_e_is_that_of_a_recount(neighbourhood: str) -> None:
    solver, params, start = begun(neighbourhood)
    moves = board_of_state(start).moves.tolist()
    for move in moves[:: max(1, len(moves) // 60)]:
        state, cells = states.copy(start), [cell for cell in move if cell != NO_CELL]
        solver.intervene(state, params, MOVE, " ".join(cell_name(cell, 9) for cell in cells))
        expected = list(start.grid)
        for cell, target in zip(cells, (*cells[1:], cells[0]), strict=True):
            expected[target] = start.grid[cell]
        assert list(state.grid) == expected
        assert state.energy == COUNTED[neighbourhood](EASY, expected)
        assert solver.best(state)[1] == min(state.energy, solver.best(start)[1])
        assert state.step == start.step


@pytest.mark.parametrize("neighbourhood", COUNTED)
def test_steps_and_kernel_go_on_alike_after_it(neighbourhood: str) -> None:
    solver, params, state = begun(neighbourhood)
    move = [cell for cell in board_of_state(state).moves.tolist()[-1] if cell != NO_CELL]
    solver.intervene(state, params, MOVE, " ".join(cell_name(cell, 9) for cell in move))
    stepped = Cursor(solver, states.copy(state), params)
    for _ in range(200):
        assert stepped.single() is not None
    solver.advance(state, params, 200)
    assert states.digest(stepped.state) == states.digest(state)


@pytest.mark.parametrize("named", ["", "r1c1", "r1c1 r1c3", "r2c2 r2c2", "r2c2 r9c9", "r99c99 r1c1", "5",
                                   "r2c2 r2c3 r3c1 r3c2"])
def test_what_is_no_move_is_refused_and_changes_nothing(named: str) -> None:
    solver, params, state = begun("box-swap")
    before = states.digest(state)
    with pytest.raises(ParameterError, match="expected the free cells of one of") as refused:
        solver.intervene(state, params, MOVE, named)
    assert states.digest(state) == before
    solver.intervene(state, params, MOVE, str(refused.value).partition(", as ")[2])
    assert states.digest(state) != before


def test_the_last_move_is_the_solvers() -> None:
    solver = registry.solver("hill-climb")
    solved = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
    two_wrong = Puzzle.from_line("48" + "." + solved[3:9] + "96" + "." + solved[12:])
    params = solver.make_params(None, {"neighbourhood": "box-swap"})
    state = next(found for seed in range(99) if (found := solver.init(two_wrong, params, seed)).energy)
    with pytest.raises(ParameterError, match="it would give E = 0, and the last move is the solver's"):
        solver.intervene(state, params, MOVE, "r1c3 r2c3")
    assert state.energy > 0


def test_a_recipe_with_a_move_by_hand_makes_the_same_run() -> None:
    solver = registry.solver("anneal")
    run = Run.start(solver, EASY, None, 3)
    run.advance(25)
    cells = [cell for cell in board_of_state(run.state).moves.tolist()[5] if cell != NO_CELL]
    value = " ".join(cell_name(cell, 9) for cell in cells)
    run.intervene(MOVE, value)
    run.advance(300)
    assert run.recipe.interventions == (Intervention(25, MOVE, value),)
    again = Run.start(solver, EASY, None, 3, interventions=run.recipe.interventions)
    again.advance(325)
    assert states.digest(again.state) == states.digest(run.state)
    run.seek(25)
    run.advance(1)
    again.seek(26)
    assert states.digest(again.state) == states.digest(run.state)


def test_it_is_written_in_the_line_of_a_recipe_and_read_back() -> None:
    run = Run.start(registry.solver("hill-climb"), EASY, None, 3)
    run.advance(5)
    cells = [cell for cell in board_of_state(run.state).moves.tolist()[2] if cell != NO_CELL]
    run.intervene(MOVE, " ".join(cell_name(cell, 9) for cell in cells))
    written = recipe.line(run.recipe)
    assert recipe.parse(written).recipe == run.recipe
    with pytest.raises(UnknownName, match="expected what can change while backtrack runs, one of max_steps"):
        recipe.parse(written.replace("hill-climb", "backtrack"))
