"""Schedules, floors, reheats, restarts, calibration, budgets: what the course sheets and the papers say, in numbers."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise
from typing import Any

import pytest

from engine import registry
from engine.breakpoints import Stop
from engine.energy import conflicts
from engine.errors import ParameterError
from engine.events import (
    Calibrated,
    Cooled,
    Done,
    LocalMinimum,
    NewBest,
    NotRaised,
    Reheated,
    Restarted,
    Scanned,
    SwapJudged,
    Swept,
)
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solvers.annealing.state import board_of_state
from tests.engine.solvers.annealing.boards import EASY, HARD, STUCK, finish, first_steps, full_energy, of_kind


def run(name: str, values: dict[str, Any], n: int, puzzle: Puzzle = STUCK, seed: int = 5) -> list[Any]:
    """The events of the first n steps, step by step."""
    solver = registry.solver(name)
    params = solver.make_params(None, values)
    return list(first_steps(solver, solver.init(puzzle, params, seed), params, n))


@pytest.mark.sweep
@pytest.mark.parametrize(("preset", "steps", "attempts", "plateaus"), [
    ("easy", 4_143_000, 6, 6905), ("medium", 40_517_400, 11, 18417),
])
def test_the_course_presets_have_exact_lengths(preset: str, steps: int, attempts: int, plateaus: int) -> None:
    solver = registry.solver("anneal")
    params = solver.make_params(preset)
    state = solver.init(STUCK, params, 1)
    rare = finish(solver, state, params)
    outcome = solver.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.reason) == ("gave_up", f"all {attempts} attempts are spent")
    assert (state.step, outcome.restarts) == (steps, attempts - 1)
    restarts = of_kind(rare, Restarted)
    assert [event.step for event in restarts] == [steps // attempts * k for k in range(1, attempts)]
    assert [event.attempt for event in restarts] == list(range(2, attempts + 1))
    assert state.now["plateau"] == plateaus * attempts
    assert outcome.energy == full_energy(state, outcome.grid) == min(event.energy for event in of_kind(rare, NewBest))
    assert rare[-1] == Done(steps, "give_up", "gave_up", outcome.energy, outcome.reason)


def temperatures(values: dict[str, Any], plateaus: int, moves: int = 3) -> list[float]:
    """T at the start and after each plateau."""
    events = of_kind(run("anneal", {"moves": moves, **values}, plateaus * moves), Cooled)
    assert [event.plateau for event in events] == list(range(1, plateaus + 1))
    assert all(event.moves == moves for event in events)
    assert all(one.after == two.before for one, two in pairwise(events))
    return [events[0].before, *(event.after for event in events)]


def test_exponential() -> None:
    found = temperatures({"T0": 2.0, "alpha": 0.9, "T_min": 1e-9}, 30)
    assert found == pytest.approx([2 * 0.9**k for k in range(31)], rel=1e-12)


def test_linear() -> None:
    found = temperatures({"T0": 2.0, "schedule": "linear", "levels": 8, "T_min": 0.3}, 12)
    assert found == [2 * (1 - k / 8) for k in range(7)] + [0.3] * 6


def test_logarithmic_counts_moves() -> None:
    events = run("anneal", {"schedule": "logarithmic", "T0": 1.5, "T_min": 1e-3, "at_floor": "restart"}, 300)
    swaps = of_kind(events, SwapJudged)
    assert [event.temperature for event in swaps] == pytest.approx(
        [1.5 / math.log(k + math.e) for k in range(300)], rel=1e-12)
    assert of_kind(events, Cooled)[1].after == pytest.approx(1.5 / math.log(200 + math.e), rel=1e-12)


def test_adaptive() -> None:
    events = of_kind(run("anneal", {"schedule": "adaptive", "T0": 10.0, "T_min": 1e-4, "moves": 20, "alpha": 0.9},
                         3000), Cooled)
    seen = set()
    for event in events:
        share = event.accepted / event.moves
        factor = 0.81 if share > 0.8 else 0.9**0.5 if share < 0.2 else 0.9
        seen.add(factor)
        assert event.after == pytest.approx(event.before * factor, rel=1e-12)
    assert len(seen) == 3


def test_constant_needs_no_room_below() -> None:
    assert set(temperatures({"schedule": "constant", "T0": 0.2}, 20)) == {0.2}


def test_hold_stays_at_the_floor() -> None:
    found = temperatures({"T0": 1.0, "alpha": 0.5, "T_min": 0.3}, 6)
    assert found == [1.0, 0.5] + [0.3] * 5


def test_a_floor_at_or_above_the_start_is_refused() -> None:
    with pytest.raises(ParameterError, match="T_min = 1: expected less than T0 = 1"):
        registry.solver("anneal").make_params(None, {"T_min": 1.0})


def test_accepted_share_of_a_plateau_is_counted() -> None:
    events = run("anneal", {"moves": 40}, 400)
    for k, cooled in enumerate(of_kind(events, Cooled)):
        swaps = of_kind(events[40 * k : 40 * k + 40], SwapJudged)
        assert cooled.accepted == sum(event.accepted for event in swaps)


@pytest.mark.sweep
def test_linear_sheet_sweeps_21_levels_of_1000_and_keeps_the_grid() -> None:
    events = run("anneal-linear", {}, 42_000)
    swaps = of_kind(events, SwapJudged)
    assert [swap.temperature for swap in swaps[::1000]] == 2 * [1 - k / 20 for k in range(21)]
    assert {swap.temperature for swap in swaps[20_000:21_000]} == {0.0}
    assert [event.step for event in of_kind(events, Swept)] == [21_000, 42_000]
    for swap in swaps:
        if swap.temperature == 0:
            assert swap.accepted == (swap.delta < 0)
            assert swap.u is None
        elif swap.delta == 0:
            assert swap.accepted
            assert swap.p == 1
        else:
            assert (swap.p is None) == (swap.delta < 0)
    assert swaps[21_000].energy_before == swaps[20_999].energy == of_kind(events, Swept)[0].energy


def test_reheats_come_after_50_idle_plateaus_and_after_10_of_them_a_restart() -> None:
    events = run("anneal-reheat", {"moves": 2, "alpha": 0.97}, 60_000)
    energies = [swap.energy for swap in of_kind(events, SwapJudged)]
    stagnation, reheats, T, attempt = 0, 0, 1.0, 1
    for k in range(len(events) // 2):
        start = energies[2 * k - 1] if k else of_kind(events, SwapJudged)[0].energy_before
        if k and of_kind(events[2 * k - 1 : 2 * k], Restarted):
            start = of_kind(events[2 * k - 1 : 2 * k], Restarted)[0].energy
        stagnation = 0 if energies[2 * k + 1] < start else stagnation + 1
        T *= 0.97
        turns = events[2 * k + 1]
        found = of_kind([turns], Reheated)
        if stagnation == 50 and reheats < 10 and T > 1e-3:
            stagnation, reheats = 0, reheats + 1
            assert found[0].number == reheats
            assert found[0].stagnation == 50
            assert found[0].factor == 0.5
            assert found[0].before == pytest.approx(T)
            T = max(T, 0.5)
            assert found[0].after == pytest.approx(T)
        else:
            assert not found
        if T <= 1e-3 or stagnation == 50:
            attempt += 1
            assert bool(of_kind([turns], Restarted)) == (attempt <= 6)
            stagnation, reheats, T = 0, 0, 1.0
    assert attempt == 7
    assert isinstance(events[-1][-1], Done)


@pytest.mark.sweep
def test_the_gain_of_a_reheat() -> None:
    events = run("anneal-reheat", {"moves": 5, "alpha": 0.9, "T_min": 1e-9, "stagnation": 4, "max_reheats": 0}, 5000)
    mark = lowest = of_kind(events, SwapJudged)[0].energy_before
    gains = []
    for step in events:
        lowest = min(lowest, step[0].energy)
        for reheat in of_kind([step], Reheated):
            assert reheat.gained == mark - lowest
            gains.append(reheat.gained)
            mark = lowest = step[0].energy
    assert len(gains) > 20
    assert max(gains) > 0


def test_the_course_preset_never_restarts() -> None:
    solver = registry.solver("anneal-reheat")
    params = solver.make_params("course", {"max_steps": 5_000_000})
    state = solver.init(STUCK, params, 2)
    rare = finish(solver, state, params)
    assert len(of_kind(rare, Reheated)) > 50
    assert not of_kind(rare, Restarted)
    assert rare[-1].reason == "the budget is spent at step 5 000 000"
    assert state.step == 5_000_000


@pytest.mark.sweep
def test_a_reheat_that_would_not_raise_the_temperature_says_so_and_is_no_jump() -> None:
    values = {"moves": 2, "alpha": 0.99, "T_min": 0.01, "stagnation": 3, "max_reheats": 0}
    events = run("anneal-reheat", values, 2000)
    swaps = of_kind(events, SwapJudged)
    kept, raised = of_kind(events, NotRaised), of_kind(events, Reheated)
    assert len(kept) > 3 < len(raised)
    for event in kept:
        assert event.temperature >= event.factor == 0.5
        assert swaps[event.step].temperature == event.temperature
        assert not event.RARE
    assert all(event.before < event.after == 0.5 for event in raised)
    first = min(event.step for event in raised)
    solver = registry.solver("anneal-reheat")
    whole = Run.start(solver, STUCK, solver.make_params(None, values), 5)
    whole.advance(2000)
    assert "not_raised" not in whole.index
    whole.seek(0)
    assert whole.find("reheat", 1) == first
    assert whole.find("not_raised", 1) == kept[0].step < first
    sentence = solver.explain(kept[0])
    assert (sentence.badge, sentence.text) == (
        "NOT RAISED", "T stays 0.914: 0.500·T₀ is not above it   reheat 1")


@pytest.mark.parametrize("name", ["anneal-reheat", "anneal-reheat-adaptive"])
def test_the_course_sets_its_share_of_the_start_even_if_that_cools(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params("course", {"moves": 2, "alpha": 0.99, "stagnation": 3})
    assert params.reheat == "set"
    events = list(first_steps(solver, solver.init(STUCK, params, 5), params, 600))
    swaps, found = of_kind(events, SwapJudged), of_kind(events, Reheated)
    assert all(event.after == pytest.approx(event.factor) for event in found)
    assert all(swaps[event.step].temperature == event.after for event in found if event.step < len(swaps))
    assert found[0].before > found[0].after == 0.5
    sentence = solver.explain(found[0])
    assert sentence.badge == "REHEAT"
    assert "= 0.500·T₀ (lowered)" in sentence.text


@pytest.mark.parametrize(("shrink", "expected"), [
    ("divide", [0.5 / (1 + n) for n in range(6)]), ("multiply", [0.5 * 0.6**n for n in range(6)]),
])
def test_adaptive_reheats_shrink(shrink: str, expected: list[float]) -> None:
    values = {"shrink": shrink, "moves": 5, "alpha": 0.8, "T_min": 1e-30, "stagnation": 10}
    solver = registry.solver("anneal-reheat-adaptive")
    params = solver.make_params(None, values)
    state = solver.init(STUCK, params, 1)
    found = of_kind(list(solver.advance(state, params, 3000).rare), Reheated)[:6]
    assert [event.factor for event in found] == pytest.approx(expected, rel=1e-12)
    assert [event.number for event in found] == [1, 2, 3, 4, 5, 6]
    assert all(event.after == max(event.before, event.factor) for event in found)


@pytest.mark.parametrize("deviation", ["delta", "energy"])
def test_lewis_calibrates_on_a_walk_that_takes_everything(deviation: str) -> None:
    events = run("anneal-lewis", {"deviation": deviation, "walk": 150}, 400, EASY)
    walk = of_kind(events[:150], SwapJudged)
    assert all(swap.accepted and swap.temperature is None and swap.p is None for swap in walk)
    found = of_kind(events, Calibrated)
    assert [event.step for event in found] == [150]
    assert found[0].samples == 150
    assert found[0].deviation_delta == pytest.approx(statistics.pstdev(swap.delta for swap in walk))
    assert found[0].deviation_energy == pytest.approx(statistics.pstdev(swap.energy for swap in walk))
    T0 = found[0].deviation_delta if deviation == "delta" else found[0].deviation_energy
    assert found[0].temperature == T0
    swaps = of_kind(events[150:], SwapJudged)
    assert {swap.temperature for swap in swaps[:81]} == {T0}
    assert swaps[81].temperature == pytest.approx(T0 * 0.99)


@pytest.mark.sweep
@pytest.mark.parametrize("progress", ["chain-minimum", "new-best"])
def test_lewis_reheats_to_the_start_after_20_idle_chains(progress: str) -> None:
    events = run("anneal-lewis", {"progress": progress, "walk": 10, "alpha": 0.9}, 40_000)
    T0 = of_kind(events, Calibrated)[0].temperature
    swaps = of_kind(events[10:], SwapJudged)
    best = min(swap.energy for swap in of_kind(events[:10], SwapJudged))
    best = min(best, of_kind(events, SwapJudged)[0].energy_before)
    idle, before, expected = 0, 10**6, []
    for k in range(len(swaps) // 81):
        chain = swaps[81 * k : 81 * k + 81]
        least = min([chain[0].energy_before, *(swap.energy for swap in chain)])
        idle = 0 if least < (before if progress == "chain-minimum" else best) else idle + 1
        before, best = least, min(best, least)
        if idle == 20:
            expected.append(10 + 81 * (k + 1))
            idle, before = 0, 10**6
    reheats = of_kind(events, Reheated)
    assert [event.step for event in reheats] == expected
    assert len(expected) > 3
    assert {event.after for event in reheats} == {T0}


def test_hill_climb_takes_only_better_grids_and_stops_after_its_patience() -> None:
    events = run("hill-climb", {"patience": 500}, 10_000, HARD)
    swaps = of_kind(events, SwapJudged)
    assert all(swap.accepted == (swap.delta < 0) for swap in swaps)
    assert all(swap.temperature is swap.p is None for swap in swaps)
    last = max(swap.step for swap in swaps if swap.accepted)
    assert len(events) == last + 500
    assert [type(event) for event in events[-1]] == [SwapJudged, LocalMinimum, Done]
    assert events[-1][-1].reason == "500 steps in a row without a better grid"
    impatient = run("hill-climb", {"patience": 1}, 100, HARD)[-1][-1]
    assert impatient.reason == "a step without a better grid"


def test_sideways_takes_equal_grids_too() -> None:
    swaps = of_kind(run("hill-climb", {"patience": 500, "accept": "sideways"}, 10_000, HARD), SwapJudged)
    assert all(swap.accepted == (swap.delta <= 0) for swap in swaps)
    assert any(swap.accepted and swap.delta == 0 for swap in swaps)


@pytest.mark.parametrize("neighbourhood", ["row-swap", "box-swap", "conflict-swap", "extended"])
def test_a_local_minimum_counts_its_neighbours(neighbourhood: str) -> None:
    solver = registry.solver("hill-climb")
    params = solver.make_params("steepest", {"neighbourhood": neighbourhood})
    state = solver.init(HARD, params, 3)
    energy = state.energy
    for events in solver.steps(state, params):
        scanned = events[0]
        assert isinstance(scanned, Scanned)
        assert scanned.accepted == (scanned.delta < 0) == (scanned.better > 0)
        energy += scanned.delta if scanned.accepted else 0
        assert scanned.energy == energy
    minimum = events[1]
    assert isinstance(minimum, LocalMinimum)
    assert (minimum.better, minimum.equal, minimum.worse) == (0, scanned.equal, scanned.worse)
    assert events[-1].reason == "no move of the whole neighbourhood can be taken: a local minimum"
    board, cells = board_of_state(state), state.grid
    conflicting = set(conflicts(HARD, cells))
    changes = []
    for a, b, c in board.moves.tolist():
        ends = [a, b] if c == 65535 else [a, b, c]
        after = list(cells)
        for here, there in zip(ends, ends[1:] + ends[:1], strict=True):
            after[there] = cells[here]
        if neighbourhood != "conflict-swap" or {a, b} & conflicting:
            changes.append(full_energy(state, tuple(after)) - minimum.energy)
    assert (minimum.better, minimum.equal, minimum.worse) == (
        sum(x < 0 for x in changes), sum(x == 0 for x in changes), sum(x > 0 for x in changes))


def test_hill_climb_restarts() -> None:
    events = run("hill-climb", {"patience": 50, "restarts": 3}, 10_000)
    assert len(of_kind(events, LocalMinimum)) == 4
    assert [event.attempt for event in of_kind(events, Restarted)] == [2, 3, 4]
    assert events[-1][-1].reason == "all 4 attempts are spent"


@pytest.mark.parametrize("name", ["anneal", "anneal-linear", "anneal-lewis", "hill-climb", "anneal-propagate"])
def test_the_budget_ends_a_run_at_its_step(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params(None, {"max_steps": 30})
    state = solver.init(HARD, params, 1)
    events = list(solver.steps(state, params))
    assert len(events) == state.step == 30
    done = events[-1][-1]
    assert (done.status, done.reason) == ("gave_up", "the budget is spent at step 30")
    assert done.energy == min(state.now["best"], state.energy)


@pytest.mark.parametrize("name", ["anneal", "anneal-reheat", "anneal-linear", "anneal-lewis", "anneal-propagate"])
def test_a_solution_ends_the_run_at_once(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params()
    state = solver.init(EASY, params, 3)
    before = state.step
    while solver.outcome(state) is None:
        before = state.step
        solver.advance(state, params, 1000, Stop(energy=2))
    outcome = solver.outcome(state)
    assert outcome is not None
    assert outcome.status == "solved"
    assert outcome.grid == state.grid
    assert full_energy(state, outcome.grid) == 0
    assert before < state.step


@pytest.mark.parametrize("seed", range(3))
def test_strong_solves_hard_puzzles(seed: int) -> None:
    solver = registry.solver("anneal")
    params = solver.make_params()
    for line in ("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
                 "52...6.........7.13...........4..8..6......5...........418.........3..2...87....."):
        state = solver.init(Puzzle.from_line(line), params, seed)
        finish(solver, state, params)
        outcome = solver.outcome(state)
        assert outcome is not None
        assert outcome.status == "solved"
