"""Stops where one step does more than one thing: the kernels halt where the generator does, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from engine import registry
from engine import state as states
from engine.breakpoints import Stop
from engine.solver import Solver
from tests.engine.solvers.annealing.boards import HARD

STEPS = 300
NEIGHBOURHOODS = ("box-swap", "row-swap", "conflict-swap", "extended")


def halts(solver: Any, params: Any, stop: Stop, seed: int, *, kernel: bool) -> list[tuple[int, str, str]]:
    """(step, reason, digest) of every halt in STEPS steps."""
    state, found = solver.init(HARD, params, seed), []
    advance = solver.advance if kernel else lambda *given: Solver.advance(solver, *given)
    while state.step < STEPS and solver.outcome(state) is None:
        result = advance(state, params, STEPS - state.step, stop)
        if result.reason != "steps":
            found.append((state.step, result.reason, states.digest(state)))
    return found


def both(name: str, values: dict[str, object], stop: Stop, seed: int) -> int:
    """The number of halts of a run, after a comparison of kernel and generator."""
    solver = registry.solver(name)
    params = solver.make_params(None, values)
    slow = halts(solver, params, stop, seed, kernel=False)
    assert halts(solver, params, stop, seed, kernel=True) == slow
    return len(slow)


@pytest.mark.sweep
@pytest.mark.parametrize("neighbourhood", [
    pytest.param(each, marks=[] if each == "row-swap" else pytest.mark.sweep) for each in NEIGHBOURHOODS])
def test_an_energy_that_a_restart_lifts_again_in_the_same_step_is_no_halt(neighbourhood: str) -> None:
    every_step_restarts = {"neighbourhood": neighbourhood, "moves": 1, "T_min": 0.9, "alpha": 0.5,
                           "at_floor": "restart", "restarts": 10**6}
    assert sum(both("anneal", every_step_restarts, Stop(energy=energy), seed)
               for energy in range(36, 100, 4) for seed in range(2)) > 0


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("neighbourhood", NEIGHBOURHOODS)
def test_a_fresh_state_that_is_a_new_best_is_one_to_halt_at(neighbourhood: str) -> None:
    restless = {"neighbourhood": neighbourhood, "patience": 1, "restarts": 10**6}
    assert sum(both("hill-climb", restless, Stop(frozenset({"best"})), seed) for seed in range(5)) > 5
