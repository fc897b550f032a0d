"""Tabu search against a plain version, move by move: forbidden, aspired, forced and refused moves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry, rng
from engine.breakpoints import Stop
from engine.energy import box_state_energy, row_state_energy
from engine.errors import ParameterError
from engine.glossary import GLOSSARY
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run.run import Run
from engine.solvers.annealing.state import board_of_state
from engine.solvers.annealing.tabu import SOLVER, TabuMoved, TabuParams

EASY, HARD = packs.pack("easy")[0].puzzle, packs.pack("hard")[0].puzzle
DIAGONAL = packs.pack("diagonal")[0].puzzle
SMALL = Puzzle.from_line("....34....2..1.3")
UNSOLVABLE = Puzzle.from_line("12....3.........")


def plain_search(puzzle: Puzzle, grid: tuple[int, ...], params: TabuParams, seed: int) -> Iterator[tuple[int, ...]]:
    """The moves (cells, energy after, forbidden, tenure) of tabu search, from its definition, without restarts."""
    cells, energy_of = list(grid), box_state_energy if params.representation == "box" else row_state_energy
    g = puzzle.geometry
    units = g.boxes if params.representation == "box" else g.rows
    free = [[cell for cell in unit.cells if not puzzle.givens[cell]] for unit in units]
    swaps = [pair for group in free for pair in itertools.combinations(group, 2)]
    until: dict[tuple[int, int], int] = {}
    lowest = energy = energy_of(puzzle, cells)
    for step in itertools.count(1):
        weighed = []
        for a, b in swaps:
            tried = list(cells)
            tried[a], tried[b] = tried[b], tried[a]
            tabu = until.get((a, cells[b]), 0) >= step and until.get((b, cells[a]), 0) >= step
            weighed.append((energy_of(puzzle, tried), tabu))
        allowed = [k for k, (after, tabu) in enumerate(weighed) if not tabu or after < lowest]
        word = rng.draw(seed, rng.MOVE, step, 0)
        if allowed:
            least = min(weighed[k][0] for k in allowed)
            ties = [k for k in allowed if weighed[k][0] == least]
            chosen = ties[rng.below(word, len(ties))]
        else:
            chosen = rng.below(word, len(swaps))
        (a, b), energy = swaps[chosen], weighed[chosen][0]
        drawn = rng.below(rng.draw(seed, rng.MOVE, step, 1), params.drawn + 1)
        term = params.tenure + drawn + int(params.per_conflict * energy)
        until[a, cells[a]] = until[b, cells[b]] = step + term
        cells[a], cells[b] = cells[b], cells[a]
        lowest = min(lowest, energy)
        yield a, b, energy, sum(tabu for _after, tabu in weighed), term
        if energy == 0:
            return


@pytest.mark.sweep
@settings(max_examples=8)
@given(st.sampled_from([EASY, HARD, SMALL, DIAGONAL]), st.integers(0, 2**63 - 1),
       st.sampled_from(["default", "short", "long", "rows"]))
def test_every_move_is_that_of_a_plain_search(puzzle: Puzzle, seed: int, preset: str) -> None:
    try:
        run = Run.start(SOLVER, puzzle, SOLVER.make_params(preset), seed)
    except ParameterError:
        assert preset == "long"
        return
    plain = plain_search(puzzle, run.state.grid, run.params, seed)
    for a, b, energy, forbidden, term in itertools.islice(plain, 30):
        run.advance(1)
        moved = run.events[0]
        assert isinstance(moved, TabuMoved)
        assert (moved.cells, moved.energy, moved.forbidden, moved.tenure) == ((a, b), energy, forbidden, term)
        assert run.state.energy == energy


def test_without_a_tabu_list_it_falls_back_into_its_local_minimum() -> None:
    stuck = Run.start(SOLVER, HARD, SOLVER.make_params("short"), 0)
    stuck.advance(3000)
    free = Run.start(SOLVER, HARD, SOLVER.make_params(), 0)
    free.advance(3000)
    assert stuck.solver.best(stuck.state)[1] > free.solver.best(free.state)[1]


def test_an_aspiration_leads_lower_than_the_attempt_has_been() -> None:
    run = Run.start(SOLVER, HARD, SOLVER.make_params("long"), 1)
    assert run.advance(100_000, Stop(frozenset({"aspiration"}))).reason == "stop"
    moved = run.events[0]
    assert isinstance(moved, TabuMoved)
    assert moved.aspired
    assert "tabu, but lower than ever in this attempt" in run.sentences()[0].text
    run.step_back()
    assert moved.energy < run.state.now["lowest"]


def test_a_move_that_others_equal_is_not_called_the_only_best() -> None:
    """Three moves lower E by 4 in the first step."""
    run = Run.start(SOLVER, packs.find("16x16:1").puzzle, SOLVER.make_params(), 0)
    run.advance(1)
    assert run.because(run.events[0]).text == "Of 398 moves that are not tabu none lowers E more."


def test_the_only_move_is_not_said_to_be_drawn() -> None:
    run = Run.start(SOLVER, Puzzle.from_line("312442311.43.312"), SOLVER.make_params(), 0)
    run.advance(2)
    assert "the only move, though tabu" in run.sentences()[0].text


def test_where_every_move_is_tabu_one_is_drawn() -> None:
    params = SOLVER.make_params("default", {"drawn": 1000})
    run = Run.start(SOLVER, UNSOLVABLE, params, 3)
    forced = []
    for _ in range(200):
        run.advance(1)
        moved = run.events[0]
        assert isinstance(moved, TabuMoved)
        if moved.forced:
            forced.append(run.sentences()[0].text)
            assert moved.forbidden == moved.better + moved.equal + moved.worse
    assert forced
    assert "are tabu: drawn" in forced[0]


def test_a_restart_clears_the_tabu_list() -> None:
    run = Run.start(SOLVER, HARD, SOLVER.make_params("default", {"patience": 20}), 5)
    assert run.advance(10_000, Stop(frozenset({"restart"}))).reason == "stop"
    assert not run.state.until.any()
    assert run.view().panel.rows == ()
    assert run.view().live["restart"] == "20", "the steps that led to it"


@pytest.mark.parametrize(("values", "sentence"), [
    ({"tenure": -1}, "tenure = -1: expected a whole number from 0"),
    ({"per_conflict": "nan"}, "per_conflict = nan: expected a number"),
    ({"patience": 0}, "patience = 0: expected a whole number from 1"),
])
def test_what_is_refused(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence.replace(".", r"\.")):
        Run.start(SOLVER, EASY, SOLVER.make_params(None, values), 0)


@pytest.mark.parametrize("preset", SOLVER.presets)
def test_every_preset_runs_on_a_small_board(preset: str) -> None:
    for number in range(1, 9):
        run = Run.start(SOLVER, packs.numbered("4x4", str(number)).puzzle, SOLVER.make_params(preset), 1)
        run.advance(200)
        assert run.recorded == 200 or run.outcome is not None


def test_a_tenure_beyond_the_neighbourhood_forces_moves() -> None:
    run = Run.start(SOLVER, EASY, SOLVER.make_params(), 0)
    run.advance(5)
    run = run.intervene("tenure", 10**6)
    moved = run.events[0]
    while run.playhead < 5000 and not (isinstance(moved, TabuMoved) and moved.forced):
        run.advance()
        moved = run.events[0]
    assert isinstance(moved, TabuMoved)
    assert (moved.forced, moved.forbidden) == (True, len(board_of_state(run.state).moves))


def test_the_view_lists_tabu_values_and_their_terms() -> None:
    run = Run.start(registry.solver("tabu"), EASY, None, 2)
    run.advance(12)
    view = run.view()
    held = set(view.marks["tabu"])
    assert held
    assert view.heat is not None
    assert all(0 < view.heat[cell] <= 1 for cell in held)
    assert len(view.panel.rows) >= len(held)


def test_a_banned_value_can_return_with_one_that_is_not_and_the_list_says_so() -> None:
    run, returned = Run.start(SOLVER, HARD, None, 0), 0
    for _ in range(150):
        until = run.state.until.copy()
        run.advance(1)
        moved = run.events[0]
        assert isinstance(moved, TabuMoved)
        wanted = zip(moved.cells, moved.values[::-1], strict=True)
        banned = [until[cell, value] >= run.playhead for cell, value in wanted]
        assert moved.aspired or moved.forced or not all(banned)
        returned += any(banned) and not all(banned)
    assert returned
    about = run.view().panel.about
    assert "may not return" not in SOLVER.summary + about + GLOSSARY["bans"]
    assert "only if both of its values are banned" in about
