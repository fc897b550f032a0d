"""The pseudo-code of the annealers says what they do, whatever the parameters."""

from __future__ import annotations

import pytest

from engine import registry


@pytest.mark.parametrize(("solver", "given", "cool"), [
    ("anneal", {}, "every L moves: T ← next(T)"),
    ("anneal", {"schedule": "logarithmic"}, "after each move: T ← next(T)"),
    ("anneal-reheat", {"schedule": "logarithmic"}, "after each move: T ← next(T)"),
    ("anneal-linear", {}, "L moves made: T ← T₀(1−k/K)"),
    ("anneal-linear", {"schedule": "exponential"}, "every L moves: T ← next(T)"),
    ("anneal-linear", {"schedule": "logarithmic"}, "after each move: T ← next(T)"),
    ("anneal-lewis", {}, "n² moves made: T ← next(T)"),
    ("anneal-lewis", {"chain": 3}, "after a plateau: T ← next(T)"),
    ("anneal-lewis", {"schedule": "logarithmic"}, "after each move: T ← next(T)"),
])
def test_the_line_that_cools_says_when(solver: str, given: dict[str, object], cool: str) -> None:
    found = registry.solver(solver)
    program = found.program_for(found.make_params(None, given))
    assert [line.id for line in program] == [line.id for line in found.program]
    assert next(line.text.strip() for line in program if line.id == "cool") == cool


@pytest.mark.parametrize(("name", "constant", "exponential"), [
    ("anneal", "T constant: no floor", "but not below T_min"),
    ("anneal-propagate", "T constant: no floor", "but not below T_min"),
    ("anneal-linear", "T constant: no floor", "at T_min: T ← T₀, keep s"),
    ("anneal-reheat", "reheats spent: restart", "T_min or spent: restart"),
    ("anneal-reheat-adaptive", "reheats spent: restart", "T_min or spent: restart"),
])
def test_a_constant_temperature_comes_to_no_floor(name: str, constant: str, exponential: str) -> None:
    solver = registry.solver(name)
    for schedule, text in (("constant", constant), ("exponential", exponential)):
        program = solver.program_for(solver.make_params(None, {"schedule": schedule}))
        assert text in [line.text.strip() for line in program]


@pytest.mark.parametrize("solver", ["anneal", "anneal-propagate"])
def test_the_line_after_the_one_that_cools_says_what_happens_at_the_floor(solver: str) -> None:
    found = registry.solver(solver)
    for at_floor, text in (("hold", "    but not below T_min"), ("restart", "  T ≤ T_min: restart")):
        program = found.program_for(found.make_params(None, {"at_floor": at_floor, "schedule": "exponential"}))
        place = next(place for place, line in enumerate(program) if line.id == "cool")
        assert program[place + 1].text == text


@pytest.mark.parametrize("schedule", ["exponential", "logarithmic"])
def test_a_temperature_that_is_held_restarts_for_reheats_only(schedule: str) -> None:
    solver = registry.solver("anneal-reheat")
    for at_floor, text in (("hold", "T_min: hold; spent: restart"), ("restart", "T_min or spent: restart")):
        program = solver.program_for(solver.make_params(None, {"schedule": schedule, "at_floor": at_floor}))
        assert text in [line.text.strip() for line in program]


def test_a_sweep_that_is_not_linear_ends_at_its_floor() -> None:
    found = registry.solver("anneal-linear")
    for schedule, text in (("linear", "after T = 0: T ← T₀, keep s"), ("exponential", "at T_min: T ← T₀, keep s")):
        program = found.program_for(found.make_params(None, {"schedule": schedule}))
        assert next(line.text.strip() for line in program if line.id == "sweep") == text
