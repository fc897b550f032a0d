"""A window decoded in bulk gives the events of the generator."""

import itertools

import numpy as np
import pytest

from engine import registry
from engine import state as states
from engine.events import Cooled, Done, NewBest, Restarted, SwapJudged
from engine.puzzle import Puzzle
from engine.solvers.annealing import replay
from engine.solvers.annealing.neighbourhood import NO_CELL

HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
PUZZLES = {"hard": HARD, "easy": EASY, "diagonal": Puzzle(HARD.givens, 3, "diagonal"), "4": Puzzle((0,) * 16, 2),
           "16": Puzzle((0,) * 256, 4)}
SHORT = {"moves": 6, "alpha": 0.9, "T_min": 0.6, "at_floor": "restart", "restarts": 3}
ANNEALS = [{}, SHORT, {"neighbourhood": "row-swap", **SHORT}, {"neighbourhood": "conflict-swap"},
           {"neighbourhood": "extended"}, {"schedule": "logarithmic"}, {"schedule": "adaptive", "moves": 1},
           {"schedule": "linear", "levels": 9, "moves": 20}]
OTHERS = [("anneal-linear", {}), ("anneal-reheat", {"moves": 5, "stagnation": 3, "max_reheats": 2}),
          ("anneal-reheat-adaptive", {"moves": 3, "stagnation": 2}), ("anneal-lewis", {}), ("anneal-propagate", {}),
          ("hill-climb", {"patience": 50, "restarts": 5}), ("hill-climb", {"scan": "steepest", "restarts": 2})]


def assert_same(solver, puzzle, values, n=900, seed=3):
    """Decode n steps and hold them against the generator; returns the events."""
    params = solver.make_params(None, values)
    slow = solver.init(puzzle, params, seed)
    fast = states.copy(slow)
    expected = list(itertools.islice(solver.steps(slow, params), n))
    found = list(replay.events(solver, fast, params, n))
    assert found == expected
    assert states.digest(fast) == states.digest(slow)
    return [event for events in found for event in events]


@pytest.mark.sweep(keep=9)
@pytest.mark.parametrize("values", ANNEALS, ids=str)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_events_of_anneal_are_those_of_the_generator(puzzle, values):
    found = assert_same(registry.solver("anneal"), PUZZLES[puzzle], values)
    assert any(isinstance(event, SwapJudged) for event in found)


@pytest.mark.sweep(keep=7)
@pytest.mark.parametrize(("name", "values"), OTHERS)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_events_of_the_family_are_those_of_the_generator(puzzle, name, values):
    found = assert_same(registry.solver(name), PUZZLES[puzzle], values)
    assert found


def test_events_across_coolings_and_restarts_to_the_end():
    found = assert_same(registry.solver("anneal"), HARD, SHORT, 2000)
    kinds = {type(event) for event in found}
    assert {SwapJudged, Cooled, Restarted, NewBest, Done} <= kinds
    assert isinstance(found[-1], Done)
    assert found[-1].step < 2000


def test_events_continue_from_any_state():
    solver = registry.solver("anneal")
    params = solver.make_params(None, SHORT)
    whole = solver.init(HARD, params, 8)
    expected = list(solver.steps(whole, params))
    state, found = solver.init(HARD, params, 8), []
    for n in itertools.cycle([1, 2, 97, 13]):
        part = list(replay.events(solver, state, params, n))
        found += part
        if not part:
            break
    assert found == expected


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_chunks_do_not_show(chunk, monkeypatch):
    monkeypatch.setattr(replay, "CHUNK", chunk)
    assert_same(registry.solver("anneal"), HARD, SHORT, 400)
    monkeypatch.setattr(replay, "LOG_SIZE", 2)
    assert_same(registry.solver("anneal"), HARD, SHORT, 400)


def test_a_window_has_one_record_for_each_step():
    solver = registry.solver("anneal")
    params = solver.make_params()
    state = solver.init(HARD, params, 1)
    config = solver.config(state, params)
    part = replay.window(state, config, 1000)
    assert part.proposals["step"].tolist() == list(range(1, 1001))
    assert state.step == 1000
    assert part.proposals["energy"][-1] == state.energy
    assert (part.proposals["c"] == NO_CELL).all()
    drawn, allowed = part.proposals["draw"], part.proposals["threshold"]
    assert ((drawn < allowed) == part.proposals["accepted"]).all()
    assert part.proposals["accepted"].any()
    assert not part.proposals["accepted"].all()
    assert len(np.unique(part.proposals["temperature"])) == 10
    assert np.isin(part.log["step"], part.proposals["step"]).all()


def test_a_scan_of_the_neighbourhood_is_not_logged():
    solver = registry.solver("hill-climb")
    params = solver.make_params("steepest")
    state = solver.init(HARD, params, 1)
    with pytest.raises(ValueError, match="one move each"):
        replay.window(state, solver.config(state, params), 10)
