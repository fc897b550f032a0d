"""`norvig` against the essay's recursion on sets of candidates, and its bookkeeping against itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import state as states
from engine import text
from engine.breakpoints import Stop
from engine.energy import errors
from engine.events import Assigned, Contradiction, Done, Eliminated, Event, Retracted
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run.run import Run
from engine.solver import Solver
from engine.solvers.exact.board import values_of
from engine.solvers.exact.norvig import SOLVER
from engine.solvers.exact.norvig_state import DEPTH, GUESSES, NorvigState
from engine.view import StackPanel
from tests.engine.solvers.exact.test_backtrack import DIAGONAL, EASY, HARD, NONE, small_puzzles

TOUGH = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
"""One solution, and far from it for propagation."""
SIXTEEN = Puzzle((0,) * 256, 4)

Candidates = list[set[int]]


def propagated(puzzle: Puzzle, candidates: Candidates) -> bool:
    """Strike and place until nothing follows any more; False at a contradiction. Whatever the order, the end is the
    same."""
    g, changed = puzzle.geometry, True
    while changed:
        changed = False
        for cell, values in enumerate(candidates):
            for peer in g.peers[cell] if len(values) == 1 else ():
                if values <= candidates[peer]:
                    candidates[peer] -= values
                    changed = True
        for unit in g.units:
            for value in range(1, puzzle.n + 1):
                places = [cell for cell in unit.cells if value in candidates[cell]]
                if len(places) == 1 and len(candidates[places[0]]) > 1:
                    candidates[places[0]] = {value}
                    changed = True
                elif not places:
                    return False
        if not all(candidates):
            return False
    return True


def search(puzzle: Puzzle, candidates: Candidates, guesses: list[tuple[int, int]]) -> Candidates | None:
    """The essay's search; every value tried goes into `guesses`."""
    if not propagated(puzzle, candidates):
        return None
    if all(len(values) == 1 for values in candidates):
        return candidates
    cell = min((cell for cell, values in enumerate(candidates) if len(values) > 1), key=lambda c: len(candidates[c]))
    for value in sorted(candidates[cell]):
        guesses.append((cell, value))
        tried = [{value} if k == cell else set(values) for k, values in enumerate(candidates)]
        found = search(puzzle, tried, guesses)
        if found:
            return found
    return None


def expected(puzzle: Puzzle) -> tuple[tuple[int, ...] | None, list[tuple[int, int]]]:
    guesses: list[tuple[int, int]] = []
    found = search(puzzle, [{v} if v else set(range(1, puzzle.n + 1)) for v in puzzle.givens], guesses)
    return tuple(min(values) for values in found) if found else None, guesses


def tried(log: list[tuple[Event, ...]]) -> list[tuple[int, int]]:
    return [(event.cell, event.value) for events in log for event in events
            if isinstance(event, Assigned) and event.line == "guess"]


@settings(max_examples=80, deadline=None)
@given(small_puzzles())
def test_it_makes_the_guesses_of_the_recursion(puzzle: Puzzle) -> None:
    state = SOLVER.init(puzzle, SOLVER.make_params(), 0)
    log = list(SOLVER.steps(state, SOLVER.make_params()))
    solution, guesses = expected(puzzle)
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert tried(log) == guesses
    assert (outcome.status, outcome.grid) == ("solved", solution) if solution else outcome.status == "no_solution"


@pytest.mark.parametrize("puzzle", [EASY, HARD, TOUGH, DIAGONAL], ids=["easy", "hard", "17", "x"])
def test_known_puzzles_are_solved_with_the_recursions_guesses(puzzle: Puzzle) -> None:
    state = SOLVER.init(puzzle, SOLVER.make_params(), 0)
    log = list(SOLVER.steps(state, SOLVER.make_params()))
    solution, guesses = expected(puzzle)
    assert state.grid == solution
    assert errors(puzzle, state.grid) == 0
    assert tried(log) == guesses
    assert state.counts[GUESSES] == len(guesses)


def masks_of(state: NorvigState) -> list[set[int]]:
    return [set(values_of(mask)) for mask in state.masks.tolist()]


@pytest.mark.parametrize("puzzle", [HARD, DIAGONAL, NONE], ids=["hard", "x", "none"])
def test_every_candidate_that_goes_has_its_event_and_its_cause(puzzle: Puzzle) -> None:
    """Undoing a guess restores its eliminations, cell by cell."""
    state = SOLVER.init(puzzle, SOLVER.make_params(), 0)
    before, open_guesses = masks_of(state), [(masks_of(state), state.grid)]
    for events in SOLVER.steps(state, SOLVER.make_params()):
        after = masks_of(state)
        if isinstance(events[0], Retracted):
            assert (after, state.grid) == open_guesses.pop()
        else:
            gone = {(cell, value) for cell in range(len(after)) for value in before[cell] - after[cell]}
            reported = [event for event in events if isinstance(event, Eliminated)]
            assert {(event.cell, event.value) for event in reported} == gone
            assert len(reported) == len(gone)
            placed = events[0].cell if isinstance(events[0], Assigned) else -1
            assert all(event.because == (placed,) for event in reported)
        if isinstance(events[0], Assigned) and events[0].line == "guess":
            grid = tuple(0 if cell == events[0].cell else value for cell, value in enumerate(state.grid))
            open_guesses.append((before, grid))
        before = after
        assert state.counts[DEPTH] == len(open_guesses) - 1


def test_a_contradiction_shows_the_cells_that_leave_a_cell_or_a_unit_empty() -> None:
    state, kinds = SOLVER.init(TOUGH, SOLVER.make_params(), 0), set()
    for events in SOLVER.steps(state, SOLVER.make_params()):
        for event in events:
            if not isinstance(event, Contradiction):
                continue
            view = SOLVER.view(state, SOLVER.make_params(), events)
            assert view.marks["core"] == event.cells
            assert view.candidates is not None
            word = event.reason.split()[0]
            kinds.add("unit" if view.units else "cell")
            if view.units:
                unit = TOUGH.geometry.units[view.units[0]]
                value = int(event.reason.split()[-1])
                assert word == unit.kind
                assert all(not view.candidates[cell] >> value - 1 & 1 for cell in unit.cells)
                holding = [cell for cell in event.cells if view.grid[cell] == value]
                ruled_out = {peer for cell in holding for peer in TOUGH.geometry.peers[cell]}
                assert all(cell in event.cells or cell in ruled_out for cell in unit.cells)
            else:
                assert view.candidates[event.cells[0]] == 0
                assert sorted(view.grid[cell] for cell in event.cells[1:]) == list(range(1, 10))
    assert kinds == {"cell", "unit"}


def test_the_first_steps_of_an_easy_puzzle() -> None:
    run = Run.start("norvig", EASY)
    run.advance(1)
    assert [said.text for said in run.sentences()][:2] == [
        "r5c6 ← 4   naked single", "4 struck from r1c6   a peer holds it   because of r5c6"]
    assert {event.kinds[0] for event in run.events[1:]} == {"eliminated"}
    struck = run.events[1]
    assert isinstance(struck, Eliminated)
    view = run.view()
    assert (struck.cell, struck.value) in view.pencils["struck"]
    assert view.causes is not None
    assert view.causes[struck.cell * 9 + struck.value - 1] == "r5c6"


def test_the_last_of_two_candidates_is_left_by_the_other() -> None:
    run, told = Run.start("norvig", packs.find("hard:3").puzzle), {}
    while not run.at_end:
        run.advance(1)
        for event in run.events:
            if isinstance(event, Assigned) and event.line == "guess" and not event.guess:
                told[event.reason] = run.because(event).text
    assert told == {"the last of 2": "The other candidate of r1c8 led to a contradiction: 9 is left."}


def test_a_contradiction_of_the_givens_is_the_first_step() -> None:
    run = Run.start("norvig", Puzzle.from_line("123....4........"))
    run.advance(5)
    assert run.recorded == 1
    assert [type(event) for event in run.events] == [Contradiction, Done]
    assert run.outcome is not None
    assert (run.outcome.status, run.outcome.reason) == ("no_solution", "r1c4 has no candidate left")
    assert run.view().marks["core"] == (3, 0, 1, 2, 7)


def test_contradictory_givens_are_known_at_step_0() -> None:
    run = Run.start("norvig", Puzzle.from_line("1..1............"))
    assert run.outcome is not None
    assert (run.outcome.status, run.outcome.reason) == ("no_solution", "row 1 is given 1 more than once: r1c1 r1c4")
    assert run.view().marks["conflict"] == (0, 3)


def test_the_stack_shows_the_guesses() -> None:
    run = Run.start("norvig", TOUGH)
    step = run.find("retracted", +1, limit=10_000)
    assert step is not None
    run.advance(step)
    view, event = run.view(), run.events[0]
    assert isinstance(view.panel, StackPanel)
    assert isinstance(event, Retracted)
    *standing, back = view.panel.frames
    assert back[:2] == (event.cell, 0)
    assert event.value in back[2]
    assert [view.grid[cell] for cell, *_ in standing] == [value for _, value, _, _ in standing]
    assert view.candidates is not None
    assert set(values_of(view.candidates[back[0]])) == {*back[2], *back[3]}


def test_a_large_board_is_filled() -> None:
    state = SOLVER.init(SIXTEEN, SOLVER.make_params(), 0)
    assert SOLVER.advance(state, SOLVER.make_params(), 100_000).reason == "done"
    assert errors(SIXTEEN, state.grid) == 0


def test_the_budget_ends_a_run_with_the_grid_of_the_lowest_energy() -> None:
    params = SOLVER.make_params(None, {"max_steps": 80})
    state = SOLVER.init(TOUGH, params, 0)
    lowest, grid = state.energy, state.grid
    for _ in SOLVER.steps(state, params):
        if state.energy < lowest:
            lowest, grid = state.energy, state.grid
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.energy, outcome.grid) == ("gave_up", lowest, grid)
    assert outcome.reason == "the budget is spent at step 80"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 500), st.sampled_from(["contradiction", "guess", "eliminated", "retracted", "done", ""]),
       st.one_of(st.none(), st.integers(0, 200)), st.one_of(st.none(), st.integers(0, 80)))
def test_the_compiled_loop_stops_where_the_generator_would(n: int, kind: str, energy: int | None,
                                                           cell: int | None) -> None:
    params = SOLVER.make_params()
    stop = Stop(frozenset({kind} - {""}), energy, cell)
    fast = SOLVER.init(TOUGH, params, 0)
    slow = states.copy(fast)
    assert SOLVER.advance(fast, params, n, stop) == Solver.advance(SOLVER, slow, params, n, stop)
    assert states.digest(fast) == states.digest(slow)


def test_the_gauge_counts_the_last_value_of_a_choice_too_and_says_so() -> None:
    run = Run.start(SOLVER, TOUGH)
    tried = []
    while run.outcome is None:
        run.advance(1)
        tried += [event.guess for event in run.events if isinstance(event, Assigned) and event.line == "guess"]
    gauges = {gauge.label: gauge.text for gauge in run.view().gauges}
    assert not all(tried)
    assert gauges["guesses"] == text.count(len(tried))
    assert "counts too" in SOLVER.glossary["guesses"]
