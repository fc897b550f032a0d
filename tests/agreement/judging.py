"""Compare the answers to one puzzle. No answerer is trusted more than another: grids are verified, claims compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.energy import is_solution
from engine.solutions import Grid
from tests.agreement.answers import Answer
from tests.agreement.cases import Case

MADE: Final = "how it was made"
"""The name under which facts known from the construction are compared."""
SOLVABLE: Final = ("some", "one", "several")
DECIDED: Final = (*SOLVABLE, "none", "not one")


def judge(case: Case, answers: Mapping[str, Answer]) -> list[str]:
    """A sentence for each disagreement; none if all agree. Undecided answers are ignored."""
    told = {**answers, **_made(case)}
    wrong = [f"{who} {what}" for who, answer in told.items() if (what := _alone(case, answer))]
    return wrong or _together(told)


def _made(case: Case) -> dict[str, Answer]:
    grids = (case.solution,) if case.solution else ()
    if case.known:
        return {MADE: Answer(case.known, grids)}
    return {MADE: Answer("some", grids)} if grids else {}


def _alone(case: Case, answer: Answer) -> str:
    """The error in a single answer, as the end of a sentence; None if it is consistent."""
    if answer.says == "failed":
        return f"failed: {answer.why}"
    if any(not is_solution(case.puzzle, grid) for grid in answer.grids):
        return "gives a grid that is no solution"
    if len(answer.grids) != len(set(answer.grids)):
        return "gives the same solution twice"
    if answer.says == "one" and len(answer.grids) > 1:
        return "gives two solutions and says that there is one"
    if answer.grids and answer.says not in SOLVABLE:
        return f"gives a solution and says {answer.says}"
    return ""


def _together(told: Mapping[str, Answer]) -> list[str]:
    """Claims that exclude each other; each pair of claims is named once, by the first who makes them."""
    who: dict[str, str] = {}
    for name, answer in told.items():
        who.setdefault(answer.says, name)
    grids: dict[Grid, str] = {}
    for name, answer in told.items():
        for grid in answer.grids:
            grids.setdefault(grid, name)
    found = [f"{who[a]} says {a}, {who[b]} says {b}" for a, b in EXCLUDE if a in who and b in who]
    if "one" in who and len(grids) > 1:
        first, second = list(grids.values())[:2]
        found.append(f"{who['one']} says one, {first} and {second} give different solutions")
    return found


EXCLUDE: Final = (("none", "some"), ("none", "one"), ("none", "several"), ("one", "several"), ("one", "not one"))


def decided(answer: Answer) -> bool:
    return answer.says in DECIDED
