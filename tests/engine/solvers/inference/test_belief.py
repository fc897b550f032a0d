"""`belief`: the claims it may make, and the reason given at its end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solutions
from engine import state as states
from engine.conformance.views import check_reason
from engine.errors import BadInput
from engine.events import Assigned, Contradiction, Done, Event
from engine.events.because import because
from engine.events.search import Passed
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle, cell_name
from engine.puzzles import packs
from engine.solutions import minimal
from engine.solvers.inference.belief import SOLVER, BeliefState
from engine.solvers.inference.checked import Checked, check
from engine.state import digest
from engine.text import MINUS
from engine.view import TablePanel

NINE = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = packs.find("hard:3").puzzle
NO_CLASH = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....9")
"""No value occurs twice in a unit, and there is no solution."""


def ended(puzzle: Puzzle, preset: str | None = None, **values: object) -> tuple[BeliefState, list[tuple[Event, ...]]]:
    params = SOLVER.make_params(preset, values)
    state = SOLVER.init(puzzle, params, 0)
    return state, list(SOLVER.steps(state, params))


@pytest.mark.parametrize("name", ["easy:1", "medium:1", "4x4:1", "diagonal:1", "16x16:1"])
def test_it_solves_puzzles_that_are_not_too_hard(name: str) -> None:
    state, _ = ended(packs.find(name).puzzle)
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.energy) == ("solved", 0)


def test_it_names_the_cells_where_it_is_confidently_wrong() -> None:
    state, log = ended(HARD)
    said = next(event for event in log[-1] if isinstance(event, Checked))
    solution = solutions.solve(HARD).grid
    assert solution is not None
    sure = [cell for cell in HARD.free_cells if state.beliefs[cell].max() > 0.9]
    assert said.confident == len(sure)
    assert said.wrong == tuple(cell for cell in sure if state.strongest[cell] != solution[cell])
    assert said.wrong
    assert "confidently_wrong" in said.kinds
    assert f"{len(said.wrong)} of the {len(sure)} beliefs above 0.9 are wrong, such as " in SOLVER.explain(said).text
    why = SOLVER.because_in(log[-1][-1], log[-1], lambda: state, state, SOLVER.make_params())
    assert why.text == SOLVER.explain(said).text + "."
    check_reason(why, "gave_up")
    done = log[-1][-1]
    assert isinstance(done, Done)
    assert done.status == "gave_up"
    assert "beliefs above 0.9 are wrong" in done.reason
    assert SOLVER.view(state, SOLVER.make_params(), ()).marks["core"] == said.wrong
    assert "unlike the solution" in SOLVER.mark_words["core"]


@pytest.mark.parametrize(("line", "answer", "words"), [
    ("1...............", "several", "several solutions"),
    ("12....3.........", "none", "no solution"),
    ("123434122143432.", "one", "the only belief above 0.9 is right"),
])
def test_a_check_reports_the_answer_of_the_exact_engine(line: str, answer: str, words: str) -> None:
    puzzle = Puzzle.from_line(line)
    solution = solutions.solve(puzzle).grid or (1,) * 16
    found = check(1, puzzle, np.eye(4)[np.array(solution) - 1], 0.9, solutions.never)
    assert (found.answer, found.wrong) == (answer, ())
    assert words in found.clause(4)
    check_reason(found.as_reason(4), "gave_up")


def test_an_unknown_exact_answer_is_reported() -> None:
    found = check(1, NINE, np.full((81, 9), 1 / 9), 0.9, lambda: True)
    assert (found.answer, found.confident, found.wrong) == ("unknown", 0, ())
    assert "unknown" in found.clause(9)
    check_reason(found.as_reason(9), "gave_up")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["plain", "undamped"]))
def test_a_belief_of_zero_is_a_proof(seed: int, preset: str) -> None:
    puzzles, grids = minimal.make(seed, 0, 1)
    puzzle = Puzzle(tuple(puzzles[0].tolist()))
    params = SOLVER.make_params(preset, {"sweeps": 30})
    state = SOLVER.init(puzzle, params, 0)
    for _ in SOLVER.steps(state, params):
        assert (state.beliefs[np.arange(81), grids[0].astype(int) - 1] > 0).all()
    assert state.status in ("solved", "gave_up")
    np.testing.assert_allclose(state.beliefs.sum(axis=1), 1, rtol=1e-9)


def test_where_no_value_is_left_there_is_no_solution() -> None:
    state, log = ended(NO_CLASH)
    assert state.status == "no_solution"
    assert solutions.solve(NO_CLASH).outcome == "no_solution"
    assert any(isinstance(event, Contradiction) for event in log[-1])
    assert ended(Puzzle.from_line("11.............."))[1] == []


def test_all_cells_without_a_value_are_marked_at_the_end_on_the_board_and_in_the_list() -> None:
    puzzle = packs.find("traps:3").puzzle
    state, log = ended(puzzle)
    view = SOLVER.view(state, SOLVER.make_params(), log[-1])
    assert isinstance(view.panel, TablePanel)
    empty = [cell for cell in puzzle.free_cells if not state.beliefs[cell].any()]
    assert len(empty) > 1
    assert sorted(view.marks["core"]) == empty
    assert [view.panel.rows[row][0] for row in view.panel.core] == [cell_name(cell, 9) for cell in empty]
    assert view.panel.core == tuple(range(len(empty)))


def test_decimation_fixes_the_most_certain_open_cell_and_claims_no_proof() -> None:
    params = SOLVER.make_params("decimate")
    state = SOLVER.init(HARD, params, 0)
    fixings = 0
    for events in SOLVER.steps(state, params):
        for event in events:
            if isinstance(event, Assigned):
                fixings += 1
                assert state.fixed[event.cell] == event.value == state.strongest[event.cell]
                assert state.beliefs[event.cell].max() >= state.beliefs[state.fixed == 0].max(initial=0)
    assert fixings == state.decimated > 0
    assert state.status in ("solved", "gave_up")


@pytest.mark.sweep
def test_decimation_breaks_the_symmetry_of_an_empty_board() -> None:
    assert ended(Puzzle((0,) * 81))[0].status == "gave_up"
    assert ended(Puzzle((0,) * 81), "decimate")[0].status == "solved"


def test_its_numbers_are_the_same_on_every_machine() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 0)
    SOLVER.advance(state, params, 20)
    assert digest(state) == "241778b1328071f556523ad0cc4b1656"


def test_a_sweep_that_is_broken_off_changes_nothing() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 0)
    SOLVER.advance(state, params, 3)
    before = digest(state)
    breaker = Breaker(grace=0.0)
    breaker.break_off()
    with breaker.watching(), pytest.raises(Interrupted):
        next(SOLVER.steps(state, params))
    assert digest(state) == before
    twin = states.copy(state)
    assert SOLVER.advance(twin, params, 1).steps == 1


def test_the_sentence_and_the_gauge_give_the_change_alike() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 0)
    (events,) = list(SOLVER.events(state, params, 1))
    view = SOLVER.view(state, params, events)
    change = next(gauge.text for gauge in view.gauges if gauge.label == "change")
    assert f"largest change {change}   " in SOLVER.explain(events[0]).text
    assert view.live["settled"] == change


def test_units_of_too_many_free_cells_are_refused() -> None:
    params = SOLVER.make_params()
    with pytest.raises(BadInput, match="at most 16 free cells, and row 1 has 25"):
        SOLVER.init(Puzzle((0,) * 625, 5), params, 0)


def test_the_view_of_a_moment() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 0)
    (events,) = list(SOLVER.events(state, params, 1))
    view = SOLVER.view(state, params, events)
    assert view.heat is not None
    assert view.weights is not None
    assert view.candidates is not None
    free = HARD.free_cells[0]
    assert view.heat[free] == state.beliefs[free].max()
    assert view.weights[free * 9 : free * 9 + 9] == tuple(state.beliefs[free].tolist())
    assert {v + 1 for v in range(9) if view.candidates[free] >> v & 1} == {
        v + 1 for v in range(9) if state.beliefs[free, v] >= 0.01}
    assert MINUS not in SOLVER.explain(events[0]).text
    assert SOLVER.sample(state, params)[2] == state.entropy


@pytest.mark.parametrize(("confident", "wrong", "words"), [
    (0, (), "no belief is above 0.9, so that none is compared"),
    (1, (3,), "the only belief above 0.9 is wrong: r1c4"),
    (5, (), "none of the 5 beliefs above 0.9 is wrong"),
    (5, (3,), "1 of the 5 beliefs above 0.9 is wrong: r1c4"),
    (5, (3, 4), "2 of the 5 beliefs above 0.9 are wrong: r1c4 r1c5"),
])
def test_a_comparison_counts_the_beliefs(confident: int, wrong: tuple[int, ...], words: str) -> None:
    assert Checked(1, "check", "one", 0.9, confident, wrong).clause(9) == words


def test_one_sweep_is_not_called_sweeps() -> None:
    state, _log = ended(HARD, sweeps=1)
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert outcome.reason.startswith("1 sweep is spent: ")


def test_the_reason_of_a_comparison_fits_one_line_of_a_small_window() -> None:
    for threshold in (0.9, 0.95, 0.999):
        found = because(Checked(1, "check", "one", threshold, 30, ()))
        assert found is not None
        check_reason(found, "checked")


def test_a_message_of_0_may_change_by_more_than_damping_allows_and_the_glossary_says_so() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(packs.find("hard:1").puzzle, params, 0)
    changes = [event.change for events in SOLVER.steps(state, params) for event in events if isinstance(event, Passed)]
    assert max(changes) > 1 - params.damping
    assert "not damped" in SOLVER.glossary["change"]


def test_errors_count_values_that_the_board_does_not_show_and_the_glossary_says_so() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(packs.find("hard:1").puzzle, params, 0)
    next(SOLVER.steps(state, params))
    assert state.energy > sum(1 for value in state.grid if not value)
    assert "above one half" in SOLVER.glossary["errors"]
