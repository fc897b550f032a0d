"""A sample of `python -m tests.agreement`, and that it notices what does not agree."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine import registry
from engine.puzzle import Puzzle
from tests.agreement import answers
from tests.agreement.__main__ import compared
from tests.agreement.answers import Answer, ask, everybody
from tests.agreement.cases import Case, generated, shipped
from tests.agreement.judging import decided, judge
from tests.agreement.running import Line, read
from tests.agreement.summary import summary

SEED = 7
SAMPLE = (2, 12, 13, 15, 17, 27, 96, 116, 9, 11, 18, 19, 33, 35, 38, 39)
"""Numbers of that seed: each kind of puzzle once, and easy ones of these, so that all decide them in no time."""
SLOW = (2, 12, 15, 17, 27, 96, 116)
"""Those of them that take Z3 seconds; 13 is the 9x9 that is always asked."""
ENOUGH = 120.0
"""Seconds of processor time, never reached."""
MAY_GIVE_UP = ("ac3", "belief", "human")

FOUR = Case("four", "4x4", Puzzle.from_line("....34....2..1.3"), "one")
SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 4, 3)
EMPTY = Case("empty", "4x4", Puzzle((0,) * 16, 2))
SQUARES = (SOLUTION, (2, 1, 3, 4, 3, 4, 1, 2, 4, 3, 2, 1, 1, 2, 4, 3))


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("number", [
    pytest.param(number, marks=pytest.mark.sweep if number in SLOW else []) for number in SAMPLE])
def test_all_agree(number: int) -> None:
    case = generated(SEED, number)
    told = {name: ask(name, case.puzzle, ENOUGH) for name in everybody()}
    assert judge(case, told) == []
    for name, answer in told.items():
        assert decided(answer) or name in MAY_GIVE_UP or answer.says == "refused", (name, answer)


def test_the_sample_has_every_kind_but_the_large() -> None:
    kinds = {generated(SEED, number).kind for number in range(40)}
    assert {generated(SEED, number).kind for number in SAMPLE} == kinds


def test_every_complete_solver_is_asked() -> None:
    complete = {name for name in registry.names()
                if registry.solver(name).complete and not registry.solver(name).missing()}
    assert complete <= set(everybody())
    assert {"human", "belief", "exact: count", "check", "encoding: bit-vectors"} <= set(everybody())
    assert "mac, preset dom-deg" in everybody(presets=True)


def test_every_shipped_puzzle_is_among_them() -> None:
    names = [case.name for case in shipped()]
    assert len(names) == len(set(names)) > 500
    assert {"easy:1", "16x16:1", "diagonal:1", "traps:4"} <= set(names)


WRONG: tuple[tuple[Case, dict[str, Answer], str], ...] = (
    (FOUR, {"a": Answer("none")}, "a says none, how it was made says one"),
    (FOUR, {"a": Answer("not one")}, "how it was made says one, a says not one"),
    (FOUR, {"a": Answer("some", ((1,) * 16,))}, "a gives a grid that is no solution"),
    (FOUR, {"a": Answer("failed", why="KeyError: 3")}, "a failed: KeyError: 3"),
    (EMPTY, {"a": Answer("none"), "b": Answer("some", (SOLUTION,))}, "a says none, b says some"),
    (EMPTY, {"a": Answer("several", SQUARES), "b": Answer("one", (SOLUTION,))}, "b says one, a says several"),
    (EMPTY, {"a": Answer("several", (SOLUTION, SOLUTION))}, "a gives the same solution twice"),
    (EMPTY, {"a": Answer("one", SQUARES)}, "a gives two solutions and says that there is one"),
    (EMPTY, {"a": Answer("one"), "b": Answer("some", SQUARES[:1]), "c": Answer("some", SQUARES[1:])},
     "a says one, b and c give different solutions"),
    (EMPTY, {"a": Answer("none", (SOLUTION,))}, "a gives a solution and says none"),
)


@pytest.mark.parametrize(("case", "told", "sentence"), WRONG, ids=[sentence for *_, sentence in WRONG])
def test_disagreement_is_named(case: Case, told: dict[str, Answer], sentence: str) -> None:
    assert sentence in judge(case, told)


def test_what_goes_together() -> None:
    told = {"a": Answer("several", SQUARES), "b": Answer("some", SQUARES[1:]), "c": Answer("undecided"),
            "d": Answer("not one"), "e": Answer("refused")}
    assert judge(EMPTY, told) == []


def test_a_solver_that_breaks_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(answers.OTHERS, "broken", lambda puzzle, seconds: Answer("some", ((0,) * seconds,)))
    answers.asked.cache_clear()
    assert ask("broken", FOUR.puzzle, 1.5).says == "failed"


def test_time_that_is_over_is_no_answer() -> None:
    puzzle = Puzzle((0,) * 256, 4, "diagonal")
    for name in ("z3", "human", "backtrack", "encoding: int-distinct"):
        assert ask(name, puzzle, 0.01).says == "undecided", name


def test_answers_are_kept_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    lines = [Line("a", "four", ask("exact: count", FOUR.puzzle, 1.0)), Line("b", "four", Answer("undecided", why="x")),
             Line("b", "empty", Answer("some", SQUARES[:1]))]
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b'\n{"who": "cut o')
    assert read(path) == lines
    assert compared((FOUR, EMPTY), read(path)) == []
    text = summary((FOUR, EMPTY), lines, 1.0)
    assert "- b: 4x4 1 of 2 (four)" in text
    assert compared((FOUR,), [*lines, Line("c", "four", Answer("none"))]) == [
        "four (4x4) ....34....2..1.3: c says none, a says one"]
