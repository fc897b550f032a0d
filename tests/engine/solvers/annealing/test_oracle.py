"""Every event of every annealer against the slow oracle, and the kernel against the generator."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from engine import state as states
from engine.breakpoints import Stop
from engine.events import Cooled, Done, Event, NewBest, Restarted, Scanned, SwapJudged
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from tests.engine.solvers.annealing.boards import EASY, HARD, first_steps, full_energy, sparse

NEIGHBOURHOODS = ("row-swap", "box-swap", "conflict-swap", "extended")
SCHEDULES = ("exponential", "linear", "logarithmic", "adaptive", "constant")
SHORT: dict[str, dict[str, Any]] = {
    "anneal": {"moves": 13, "alpha": 0.8, "T_min": 0.3, "at_floor": "restart", "restarts": 50},
    "anneal-reheat": {"moves": 7, "alpha": 0.9, "T_min": 0.01, "stagnation": 3, "max_reheats": 4, "restarts": 50},
    "anneal-reheat-adaptive": {"moves": 7, "alpha": 0.9, "T_min": 0.01, "stagnation": 3},
    "anneal-linear": {"levels": 5, "moves": 11},
    "anneal-lewis": {"walk": 40, "stagnation": 2, "alpha": 0.7},
    "anneal-propagate": {"moves": 20},
    "hill-climb": {"patience": 60, "restarts": 50},
}
"""Parameters under which everything that can happen soon does."""
VARIED = [(name, {"neighbourhood": each}) for name in SHORT for each in NEIGHBOURHOODS]
VARIED += [(name, {"schedule": each}) for name in SHORT if name != "hill-climb" for each in SCHEDULES]
VARIED += [(name, {"draw": "group"}) for name in SHORT]
VARIED += [("anneal", {"neighbourhood": each, "draw": "group"}) for each in NEIGHBOURHOODS]
VARIED += [("anneal-reheat", {"reheat": "set"}), ("anneal-reheat-adaptive", {"reheat": "set"})]
VARIED += [("anneal", {"neighbourhood": "conflict-swap", "representation": "row"}),
           ("anneal", {"at_floor": "hold"}), ("anneal", {"at_floor": "hold", "schedule": "logarithmic"}),
           ("anneal-lewis", {"progress": "new-best", "deviation": "energy"}),
           ("anneal-reheat-adaptive", {"shrink": "multiply"}), ("hill-climb", {"accept": "sideways"}),
           ("hill-climb", {"scan": "steepest"}), ("hill-climb", {"scan": "steepest", "accept": "sideways"}),
           ("hill-climb", {"scan": "steepest", "neighbourhood": "extended"}), ("anneal", {"max_steps": 100})]
ALWAYS = ("anneal", "hill-climb")
"""The others share their code, and are left to the sweep."""
SOLVERS = [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.sweep) for name in SHORT]
CASES = [pytest.param(name, values, id=f"{name}-{values}", marks=[] if name in ALWAYS else pytest.mark.sweep)
         for name, values in VARIED]
BOARDS: list[Puzzle] = [sparse(2), sparse(3), sparse(3, "diagonal"), sparse(4), sparse(5, "diagonal")]


def made(name: str, values: dict[str, Any], puzzle: Puzzle, seed: int = 11) -> tuple[AnySolver, Any, Any]:
    solver = registry.solver(name)
    params = solver.make_params(None, SHORT[name] | values)
    return solver, params, solver.init(puzzle, params, seed)


def check_move(event: SwapJudged | Scanned, before: tuple[int, ...], state: Any) -> int:
    """Hold a judged move against the grid before it; E of the grid with its verdict carried out."""
    assert event.values == tuple(before[cell] for cell in event.cells)
    after = list(before)
    for value, there in zip(event.values, (*event.cells[1:], event.cells[0]), strict=True):
        after[there] = value
    assert not any(state.puzzle.givens[cell] for cell in event.cells)
    assert event.delta == full_energy(state, tuple(after)) - full_energy(state, before)
    grid = tuple(after) if event.accepted else before
    energy = full_energy(state, grid)
    assert event.energy == energy
    return energy


def check_chance(event: SwapJudged) -> None:
    """p and u are there exactly where chance decided, and then they decided."""
    assert (event.p is None) == (event.u is None)
    if event.p is not None and event.u is not None:
        assert event.delta >= 0
        assert event.accepted == (event.u < event.p)
        assert 0 <= event.u < 1


@pytest.mark.sweep(keep=20)
@pytest.mark.parametrize(("name", "values"), CASES)
@pytest.mark.parametrize("puzzle", BOARDS[:4:3] + BOARDS[2:3], ids=["4x4", "16x16", "9x9 diagonal"])
def test_every_event_is_correct(name: str, values: dict[str, Any], puzzle: Puzzle) -> None:
    solver, params, state = made(name, values, puzzle)
    best, lines = state.energy, {line.id for line in solver.program}
    before = state.grid
    for step, events in enumerate(first_steps(solver, state, params, 150), 1):
        assert {event.step for event in events} == {step} == {state.step}
        assert {event.line for event in events} <= lines
        if isinstance(events[0], SwapJudged | Scanned):
            energy = check_move(events[0], before, state)
            if isinstance(events[0], SwapJudged):
                check_chance(events[0])
            best = check_turns(events, energy, best, state)
            assert full_energy(state, tuple(state.best.tolist())) == best
        else:
            best = state.energy
        before = state.grid
        assert all(given in (0, value) for given, value in zip(puzzle.givens, before, strict=True))


def check_turns(events: tuple[Event, ...], energy: int, best: int, state: Any) -> int:
    """The events after the proposal, in their order; returns the best E."""
    order = ["swap", "scan", "best", "cooled", "calibrated", "minimum", "reheat", "not_raised", "sweep", "restart",
             "done"]
    tags = [str(event.__struct_config__.tag) for event in events]
    fresh = tags.count("restart") and tags[-1] == "best"
    kept = tags[:-1] if fresh else tags
    assert [order.index(tag) for tag in kept] == sorted(order.index(tag) for tag in kept)
    for event in events:
        match event:
            case NewBest():
                assert event.before == best > event.energy
                best = event.energy
            case Restarted():
                energy = event.energy
                assert event.energy == full_energy(state)
            case Cooled():
                assert 0 <= event.accepted <= event.moves
            case Done():
                assert event.energy == best
    assert best == state.now["best"] <= energy == state.energy
    return best


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize(("name", "values"), CASES)
def test_the_kernel_makes_the_steps_of_the_generator(name: str, values: dict[str, Any]) -> None:
    chunks = random.Random(f"{name} {values}")
    for puzzle in BOARDS[:4]:
        solver, params, state = made(name, values, puzzle)
        twin = states.copy(state)
        rare: list[Event] = []
        reported: list[Event] = []
        for events in first_steps(solver, state, params, 400):
            reported += [event for event in events if event.RARE]
        while twin.step < state.step:
            advanced = solver.advance(twin, params, min(chunks.randint(1, 90), state.step - twin.step))
            rare += advanced.rare
        assert states.pack(state) == states.pack(twin)
        assert rare == reported


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("stop", [
    Stop(frozenset({"uphill"})), Stop(frozenset({"best"})), Stop(frozenset({"cooled"})), Stop(frozenset({"rejected"})),
    Stop(frozenset({"restart", "reheat", "sweep", "calibrated", "minimum"})), Stop(energy=20), Stop(cell=40),
    Stop(frozenset({"scan"})), Stop(frozenset({"swap"})), Stop(frozenset({"assigned"}), energy=11),
], ids=lambda stop: "-".join(sorted(stop.kinds)) or f"E{stop.energy}-cell{stop.cell}")
@pytest.mark.parametrize("name", SOLVERS)
def test_the_kernel_halts_where_the_generator_does(name: str, stop: Stop) -> None:
    for values in ({}, {"neighbourhood": "extended"}, {"scan": "steepest"} if name == "hill-climb" else {}):
        solver, params, state = made(name, values, sparse(3), seed=3)
        twin = states.copy(state)
        halts, before = [], state.energy
        for events in first_steps(solver, state, params, 600):
            if stop.hit(events, before, state.energy) and solver.outcome(state) is None:
                halts.append(state.step)
            before = state.energy
        found = []
        while twin.step < state.step and solver.outcome(twin) is None:
            advanced = solver.advance(twin, params, state.step - twin.step, stop)
            if advanced.reason == "stop":
                found.append(twin.step)
        assert found == halts
        assert states.digest(state) == states.digest(twin)


@pytest.mark.parametrize("name", SOLVERS)
def test_more_rare_events_than_one_call_brings_back(name: str) -> None:
    solver = registry.solver(name)
    values: dict[str, Any] = {"patience": 1} if name == "hill-climb" else {}
    params = solver.make_params(None, SHORT[name] | {"restarts": 500} | values if "restarts" in SHORT[name] else values)
    state = solver.init(HARD, params, 1)
    twin = states.copy(state)
    reported = [event for events in first_steps(solver, state, params, 2000) for event in events if event.RARE]
    rare: list[Event] = []
    while twin.step < state.step:
        rare += solver.advance(twin, params, state.step - twin.step).rare
    assert rare == reported
    assert states.digest(state) == states.digest(twin)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_generator_started_from_a_copy_continues_alike(name: str) -> None:
    solver, params, state = made(name, {}, EASY)
    generator = solver.steps(state, params)
    for _ in range(57):
        next(generator, None)
    kept = states.copy(state)
    first = [next(generator, None) for _ in range(200)]
    again = solver.steps(kept, params)
    assert [next(again, None) for _ in range(200)] == first
    assert states.digest(kept) == states.digest(state)
