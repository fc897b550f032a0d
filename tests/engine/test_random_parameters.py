"""The laws hold with parameters drawn at random, on puzzles that the presets are not checked on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import params as parameters
from engine import registry
from engine.conformance import cases, questions, runs, steps
from engine.conformance.cases import Case
from engine.errors import BadInput
from engine.params import Parameter
from engine.puzzle import Puzzle
from engine.solver import AnySolver

HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
PUZZLES = (cases.FOUR, cases.FOUR_DIAGONAL, cases.NINE, cases.UNSOLVABLE, HARD, Puzzle(HARD.givens, 3, "diagonal"),
           Puzzle((0,) * 16, 2), Puzzle((0,) * 16, 2, "diagonal"), Puzzle((0,) * 81, 3))
LAWS = (steps.events_are_explained, steps.events_have_reasons, steps.views_are_well_shaped,
        steps.individuals_can_be_picked, steps.samples_fit_the_channels, steps.advance_equals_steps,
        steps.events_equal_steps, steps.jumps_are_declared, steps.rare_events_are_marked, runs.run_seeks,
        questions.questions_agree_with_the_steps, questions.answers_can_be_run_on)
SEEDS = 6
STEPS = 60
MOST = 64
"""The most that a drawn whole number is above its minimum."""


@pytest.mark.sweep(keep=8)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("name", registry.names())
def test_the_laws_hold_with_parameters_at_random(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    solver, random = registry.solver(name), Random(f"{name} {seed}")
    if why := solver.missing():
        pytest.skip(why)
    case = case_at_random(solver, random)
    solver.warm_up(case.puzzle, case.params)
    log = cases.log_of(solver, case)
    monkeypatch.setattr(cases, "logs", lambda _solver: (log,))
    for law in LAWS:
        law(solver)


def case_at_random(solver: AnySolver, random: Random) -> Case:
    """A puzzle that the solver takes, with about half of the parameters drawn."""
    while True:
        values = {each.name: value_at_random(each, random) for each in parameters.describe(solver.Params)
                  if random.random() < 0.5}
        try:
            case = Case(random.choice(PUZZLES), f"at random, {values},", solver.make_params(None, values), STEPS)
            if solver.outcome(case.init(solver)) is None:
                return case
        except BadInput:  # of values that exclude each other, or a puzzle that is refused
            continue


def value_at_random(parameter: Parameter, random: Random) -> Any:
    if parameter.choices:
        return random.choice(parameter.choices)
    if parameter.type is bool:
        return random.random() < 0.5
    low = parameter.minimum or 0
    if parameter.type is int:
        return int(low) + random.choice((0, 1, 2, random.randrange(MOST)))
    high = max(parameter.default * 10, low + 1) if parameter.maximum is None else parameter.maximum
    return random.choice((low, random.uniform(low, min(high, low + 10)), parameter.default * random.uniform(0.1, 10)))
