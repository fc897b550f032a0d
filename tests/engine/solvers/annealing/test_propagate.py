"""Singles, contradictions, and the hybrid that begins with them."""

from __future__ import annotations

import pytest

from engine import registry
from engine import state as states
from engine.errors import ParameterError
from engine.events import Assigned, Restarted
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solvers.annealing.propagate import Filled, NoPlace, Single, candidates, next_finding
from tests.engine.solvers.annealing.boards import EASY, HARD, first_steps, full_energy, of_kind, sparse

SOLVER = registry.solver("anneal-propagate")


def slow_candidates(puzzle: Puzzle, cells: tuple[int, ...], cell: int) -> set[int]:
    return set(range(1, puzzle.n + 1)) - {cells[other] for other in puzzle.geometry.peers[cell]}


@pytest.mark.parametrize("puzzle", [EASY, HARD, sparse(2, "diagonal"), sparse(4)], ids=["easy", "hard", "4x4", "16x16"])
def test_candidates_are_the_values_that_no_peer_holds(puzzle: Puzzle) -> None:
    found = candidates(puzzle, puzzle.givens)
    for cell, given in enumerate(puzzle.givens):
        values = {v for v in range(1, puzzle.n + 1) if found[cell] >> (v - 1) & 1}
        assert values == (set() if given else slow_candidates(puzzle, puzzle.givens, cell))


@pytest.mark.parametrize("puzzle", [EASY, HARD, sparse(2, "diagonal"), sparse(3), sparse(4)], ids=lambda p: p.line[:9])
def test_every_single_is_forced_and_has_a_reason(puzzle: Puzzle) -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(puzzle, params, 1)
    cells = state.grid
    for events in SOLVER.steps(state, params):
        if not isinstance(events[0], Assigned):
            break
        event = events[0]
        assert event.value in slow_candidates(puzzle, cells, event.cell)
        if event.reason == "naked single":
            assert slow_candidates(puzzle, cells, event.cell) == {event.value}
        else:
            unit = next(u for u in puzzle.geometry.units if event.reason == f"hidden single in {u.name}")
            places = [c for c in unit.cells if not cells[c] and event.value in slow_candidates(puzzle, cells, c)]
            assert places == [event.cell]
        cells = (*cells[: event.cell], event.value, *cells[event.cell + 1 :])
        assert state.fixed[event.cell] == 1


def test_the_contradiction_that_ends_a_run_can_be_jumped_to() -> None:
    params = SOLVER.make_params()
    last = list(SOLVER.steps(SOLVER.init(Puzzle.from_line("12....3........."), params, 0), params))[-1]
    assert {"contradiction"} < {kind for event in last for kind in event.kinds}
    assert "contradiction" in SOLVER.jumps(params)


def test_findings() -> None:
    for line, expected in (
        ("................", None),
        ("12....3.........", Single(2, 4, "naked single")),
        ("1.........1.....", Single(7, 1, "hidden single in row 2")),
        ("123....4........", NoPlace((3,), "no value fits into r1c4")),
        ("...21.....1.....", NoPlace((0, 1, 2, 3), "1 finds no place in row 1")),
    ):
        puzzle = Puzzle.from_line(line)
        assert not puzzle.clashes()
        assert next_finding(puzzle, puzzle.givens) == expected


def test_easy_puzzles_are_solved_by_singles_alone() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(EASY, params, 1)
    events = list(SOLVER.steps(state, params))
    assert len(of_kind(events, Assigned)) == len(EASY.free_cells) == state.step
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.grid) == ("solved", state.grid)
    assert events[-1][-1].line == "solved"


def test_the_rest_is_filled_at_random_and_annealed_around_them() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 1)
    assert 0 in state.grid
    assert len(set(SOLVER.view(state, params, ()).candidates)) > 3
    before = state.energy
    events = []
    for step in SOLVER.steps(state, params):
        events.append(step)
        if of_kind([step], Filled):
            break
        assert state.energy < before
        before = state.energy
        assert state.energy == sum(9 - len({state.grid[cell] for cell in unit.cells} - {0})
                                   for unit in HARD.geometry.rows + HARD.geometry.columns)
    filled = of_kind(events, Filled)[0]
    assert filled.energy == state.energy == full_energy(state)
    assert filled.cells == 81 - sum(map(bool, HARD.givens)) - len(of_kind(events, Assigned))
    assert SOLVER.explain(filled).text == f"no single is left; {filled.cells} cells are filled at random   " \
                                          f"E = {filled.energy}"
    kept = {event.cell: event.value for event in of_kind(events, Assigned)}
    for _ in first_steps(SOLVER, state, params, 2000):
        assert all(state.grid[cell] == value for cell, value in kept.items())
    assert SOLVER.view(state, params, ()).candidates is None


@pytest.mark.parametrize("puzzle", [EASY, HARD], ids=["easy", "hard"])
def test_each_single_says_that_e_and_best_fall_and_the_random_grid_that_best_begins_again(puzzle: Puzzle) -> None:
    run = Run.start("anneal-propagate", puzzle, SOLVER.make_params(), seed=1)
    filled: list[Filled] = []
    while not filled and not run.at_end:
        before = run.state.energy
        run.advance()
        filled = of_kind([run.events], Filled)
        single = run.events[0]
        assert isinstance(single, Assigned)
        assert SOLVER.explain(single).text.endswith("   E and best fall")
        if 0 in run.state.grid:
            assert run.best()[1] == run.state.energy < before
            assert run.because(single).text.endswith(
                f": E and best fall by {before - run.state.energy}, to {run.state.energy}.")
    for event in filled:
        assert run.best()[1] == run.state.energy
        assert run.because(event).text == (
            f"Swaps need a full grid: the rest is random, and best begins again at {event.energy}.")


def test_a_restart_keeps_propagated_values() -> None:
    params = SOLVER.make_params(None, {"schedule": "exponential", "alpha": 0.5, "moves": 3, "at_floor": "restart"})
    state = SOLVER.init(HARD, params, 1)
    events = list(first_steps(SOLVER, state, params, 60))
    assert len(of_kind(events, Restarted)) == 5
    assert all(state.grid[event.cell] == event.value for event in of_kind(events, Assigned))


def test_no_temperature_while_singles_are_filled_in() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 1)
    before = states.digest(state)
    with pytest.raises(ParameterError, match="has not begun"):
        SOLVER.intervene(state, params, "T", 0.5)
    assert states.digest(state) == before


def test_without_singles_the_search_begins_at_once() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(Puzzle((0,) * 81), params, 1)
    assert 0 not in state.grid
    assert state.energy == full_energy(state)


def test_the_meaning_of_energy_covers_empty_cells_while_singles_are_filled_in() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(HARD, params, 1)
    assert "empty cells" in SOLVER.energy_counts
    assert SOLVER.energy_counted(state, params) == "the values that rows and columns still lack, as cells are empty"
    while 0 in state.grid:
        SOLVER.advance(state, params, 1)
    assert SOLVER.energy_counted(state, params).startswith("k \u2212 1 for every value")
