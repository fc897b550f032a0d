"""The knob and the parameters, turned while a run goes on."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine import registry
from engine import state as states
from engine.errors import ParameterError, UnknownName
from engine.events import Calibrated, Cooled, SwapJudged
from tests.engine.solvers.annealing.boards import HARD, STUCK, first_steps, of_kind

COOLERS = ("anneal", "anneal-reheat", "anneal-reheat-adaptive", "anneal-linear", "anneal-lewis", "anneal-propagate")


def begun(name: str, values: dict[str, Any], steps: int) -> tuple[Any, Any, Any]:
    solver = registry.solver(name)
    params = solver.make_params(None, values)
    state = solver.init(STUCK if name != "anneal-propagate" else HARD, params, 8)
    while state.step < steps:
        solver.advance(state, params, steps - state.step)
    return solver, params, state


@pytest.mark.parametrize("name", COOLERS)
def test_the_next_proposal_is_judged_at_the_new_temperature(name: str) -> None:
    solver, params, state = begun(name, {}, 130)
    assert solver.intervene(state, params, "T", 0.75) == params
    (event,) = of_kind(first_steps(solver, state, params, 1), SwapJudged)
    assert event.temperature == 0.75


@pytest.mark.parametrize(("schedule", "after"), [
    ("exponential", [0.9, 0.81]), ("constant", [1.0, 1.0]), ("linear", [0.95, 0.9]),
    ("logarithmic", [1 / math.log(6 + math.e), 1 / math.log(16 + math.e)]),
])
def test_the_schedule_continues_from_there(schedule: str, after: list[float]) -> None:
    values = {"schedule": schedule, "alpha": 0.9, "levels": 20, "moves": 10, "T0": 5.0, "T_min": 0.01}
    solver, params, state = begun("anneal", values, 44)
    solver.intervene(state, params, "T", 1.0)
    cooled = of_kind(first_steps(solver, state, params, 16), Cooled)
    assert [event.after for event in cooled] == pytest.approx(after)
    if schedule != "logarithmic":  # its T falls within a plateau, too
        assert cooled[0].before == 1.0, "the T set by hand is the one that is cooled"


def test_a_temperature_below_the_floor_is_left_there() -> None:
    solver, params, state = begun("anneal", {}, 250)
    solver.intervene(state, params, "T", 0.2)
    assert {event.after for event in of_kind(first_steps(solver, state, params, 300), Cooled)} == {0.2}


def test_another_schedule_continues_from_the_present_temperature() -> None:
    solver, params, state = begun("anneal", {"alpha": 0.9, "levels": 10, "moves": 10, "T_min": 0.01}, 30)
    T = float(state.now["temperature"])
    assert pytest.approx(0.9**3) == T
    params = solver.intervene(state, params, "schedule", "linear")
    cooled = of_kind(first_steps(solver, state, params, 20), Cooled)
    assert [event.after for event in cooled] == pytest.approx([0.9 * T, 0.8 * T])


@pytest.mark.parametrize(("name", "steps"), [("anneal-linear", 20_500), ("anneal-lewis", 50), ("anneal-propagate", 1)])
def test_the_schedule_can_change_at_zero_and_before_there_is_a_temperature(name: str, steps: int) -> None:
    solver, params, state = begun(name, {}, steps)
    assert state.now["temperature"] == 0
    params = solver.intervene(state, params, "schedule", "adaptive")
    twin = states.copy(state)
    list(first_steps(solver, state, params, 2000))
    while twin.step < state.step:
        solver.advance(twin, params, state.step - twin.step)
    assert states.digest(twin) == states.digest(state)
    assert state.now["temperature"] > 0


def test_a_shorter_plateau_ends_at_the_next_move() -> None:
    solver, params, state = begun("anneal", {}, 250)
    params = solver.intervene(state, params, "moves", 20)
    twin = states.copy(state)
    events = list(first_steps(solver, state, params, 41))
    assert [event.step for event in of_kind(events, Cooled)] == [251, 271, 291]
    assert [event.moves for event in of_kind(events, Cooled)] == [51, 20, 20]
    while twin.step < state.step:
        solver.advance(twin, params, state.step - twin.step)
    assert states.digest(twin) == states.digest(state)


@pytest.mark.parametrize("value", [0, -1, 1e9, math.nan, math.inf, "warm", True, None])
def test_an_invalid_temperature_is_refused_and_changes_nothing(value: object) -> None:
    solver, params, state = begun("anneal", {}, 150)
    before = states.digest(state)
    with pytest.raises(ParameterError, match=r"expected a number from 0\.0001 to 100"):
        solver.intervene(state, params, "T", value)
    assert states.digest(state) == before


def test_there_is_no_temperature_yet_or_never() -> None:
    solver, params, state = begun("anneal-lewis", {}, 50)
    with pytest.raises(ParameterError, match="has not begun"):
        solver.intervene(state, params, "T", 1.0)
    solver, params, state = begun("hill-climb", {}, 50)
    with pytest.raises(UnknownName):
        solver.intervene(state, params, "T", 1.0)


@pytest.mark.parametrize(("name", "parameter", "value"), [
    ("anneal", "neighbourhood", "row-swap"), ("anneal", "representation", "row"), ("hill-climb", "scan", "steepest"),
])
def test_parameters_of_the_first_state_cannot_change(name: str, parameter: str, value: str) -> None:
    solver, params, state = begun(name, {}, 10)
    with pytest.raises(ParameterError, match="cannot change while a run goes on"):
        solver.intervene(state, params, parameter, value)


def test_a_longer_walk_is_walked() -> None:
    solver, params, state = begun("anneal-lewis", {}, 90)
    params = solver.intervene(state, params, "walk", 120)
    assert [event.step for event in of_kind(first_steps(solver, state, params, 60), Calibrated)] == [120]
