"""A cell that the learner fills between two steps of a search, in place of the one that the rule chooses."""

from __future__ import annotations

import pytest

from engine import registry
from engine import state as states
from engine.errors import ParameterError
from engine.events import Assigned
from engine.puzzle import Puzzle, cell_name
from engine.questions import Branch, Mark
from engine.run.cursor import Cursor
from engine.run.recipe import Intervention
from engine.run.run import Run
from engine.solvers.exact.backtrack import DEPTH, TRIED
from engine.solvers.exact.backtrack_mrv import FILL, SOLVER, MrvState
from engine.solvers.exact.board import candidates, values_of

HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
PARAMS = SOLVER.make_params()


def begun(steps: int = 0) -> MrvState:
    state = SOLVER.init(HARD, PARAMS, 0)
    SOLVER.advance(state, PARAMS, steps)
    return state


def test_any_empty_cell_gets_its_smallest_value_and_the_search_still_solves() -> None:
    start, solution = begun(), None
    fits = candidates(HARD, start.cells)
    for cell in range(0, 81, 7):
        if HARD.givens[cell]:
            continue
        state = states.copy(start)
        SOLVER.intervene(state, PARAMS, FILL, cell_name(cell, 9))
        assert state.cells[cell] == values_of(int(fits[cell]))[0]
        assert (state.energy, int(state.counts[DEPTH]), state.step) == (start.energy - 1, 1, 0)
        stepped = Cursor(SOLVER, states.copy(state), PARAMS)
        for _ in range(300):
            assert stepped.single() is not None
        quick = states.copy(state)
        SOLVER.advance(quick, PARAMS, 300)
        assert states.digest(stepped.state) == states.digest(quick)
        SOLVER.advance(state, PARAMS, 10**8)
        outcome = SOLVER.outcome(state)
        assert outcome is not None
        assert outcome.status == "solved"
        assert solution in (None, state.grid)
        solution = state.grid


def test_the_larger_values_of_the_cell_are_tried_where_the_search_comes_back() -> None:
    state = begun()
    free = [cell for cell in range(81) if not HARD.givens[cell]]
    solved = begun(10**8).grid
    cell = next(cell for cell in free
                if values_of(int(candidates(HARD, state.cells)[cell]))[0] != solved[cell])
    SOLVER.intervene(state, PARAMS, FILL, cell_name(cell, 9))
    seen = [event.value for events in SOLVER.steps(state, PARAMS) for event in events
            if isinstance(event, Assigned) and event.cell == cell]
    assert seen == sorted(seen)
    assert seen[-1] == solved[cell]


@pytest.mark.parametrize(("written", "why"), [
    ("", "expected an empty cell, as r1c2"), ("r1c1", "expected an empty cell"), ("r1c10", "expected an empty cell"),
    ("r0c5", "expected an empty cell"), ("r99c1", "expected an empty cell"), ("r1c2 r1c3", "expected an empty cell")])
def test_what_is_no_empty_cell_is_refused_and_changes_nothing(written: str, why: str) -> None:
    state = begun()
    before = states.digest(state)
    with pytest.raises(ParameterError, match=why) as refused:
        SOLVER.intervene(state, PARAMS, FILL, written)
    assert states.digest(state) == before
    SOLVER.intervene(state, PARAMS, FILL, str(refused.value).partition(", as ")[2])
    assert states.digest(state) != before


def test_where_the_search_goes_back_or_is_over_nothing_is_filled() -> None:
    state = next(found for steps in range(1, 999) if (found := begun(steps)).counts[TRIED])
    cell = cell_name(next(cell for cell in range(81) if not state.cells[cell]), 9)
    with pytest.raises(ParameterError, match="goes back to another one"):
        SOLVER.intervene(state, PARAMS, FILL, cell)
    last = SOLVER.init(Puzzle((0, *begun(10**8).grid[1:]), 3), PARAMS, 0)
    with pytest.raises(ParameterError, match="the last value is the solver's"):
        SOLVER.intervene(last, PARAMS, FILL, "r1c1")


def test_a_wrong_answer_to_the_next_cell_is_run_on_by_it() -> None:
    state = begun()
    before = states.copy(state)
    question = next(each for each in SOLVER.ask(before, PARAMS, next(SOLVER.steps(state, PARAMS)))
                    if each.kind == "next-cell")
    assert isinstance(question, Mark)
    wrong = next(cell for cell in range(81) if not HARD.givens[cell] and frozenset({cell}) not in question.rights)
    branch = question.branch(frozenset({wrong}))
    assert branch == Branch(FILL, cell_name(wrong, 9), after=False)
    SOLVER.intervene(before, PARAMS, branch.name, branch.value)
    assert before.cells[wrong]


def test_a_recipe_with_a_filled_cell_makes_the_same_run() -> None:
    run = Run.start(registry.solver("backtrack-mrv"), HARD, None, 0)
    run.advance(3)
    assert isinstance(run.state, MrvState)
    cell = cell_name(int(run.state.order[-1]), 9)
    run.intervene(FILL, cell)
    run.advance(400)
    assert run.recipe.interventions == (Intervention(3, FILL, cell),)
    again = Run.start(run.solver, HARD, None, 0, interventions=run.recipe.interventions)
    again.advance(403)
    assert states.digest(again.state) == states.digest(run.state)
    run.seek(3)
    run.advance(1)
    again.seek(4)
    assert states.digest(again.state) == states.digest(run.state)
