"""Questions about reheats, against the rule worked out from the parameters."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.events import Cooled, NotRaised, Reheated, Restarted
from engine.questions import Choice, Number
from tests.engine.questions.asking import asked, the

SHORT = {"moves": 5, "stagnation": 2, "alpha": 0.8, "T_min": 1e-6, "T0": 2.0}


def factor(solver: str, shrink: object, done: int) -> float:
    if solver == "anneal-reheat":
        return 0.5
    return 0.5 / (1 + done) if shrink == "divide" else 0.5 * 0.6 ** done


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("solver", "values"), [
    ("anneal-reheat", {"reheat": "raise"}), ("anneal-reheat", {"reheat": "set"}),
    ("anneal-reheat-adaptive", {"reheat": "raise", "shrink": "divide", "alpha": 0.95}),
    ("anneal-reheat-adaptive", {"reheat": "set", "shrink": "multiply"}),
])
def test_the_right_answer_is_that_of_the_rule(solver: str, values: dict[str, object]) -> None:
    ways, done, numbers = Counter[str](), 0, 0
    for _before, _after, events, questions in asked(solver, 1200, **{**SHORT, **values}):
        due = [event for event in events if isinstance(event, Reheated | NotRaised)]
        about = {"reheat", "reheat-value"} & questions.keys()
        assert len(about) == bool(due), "the reason of one would be the answer of the other"
        if any(isinstance(event, Restarted) for event in events):
            done = 0
        if not due:
            continue
        cooled = next(event for event in events if isinstance(event, Cooled)).after
        wanted = 2.0 * factor(solver, values.get("shrink"), done)
        question = questions[about.pop()]
        T = float(dict(question.given)["T"].removesuffix(", supposed"))
        assert min(abs(T / cooled - 1), abs(T * cooled / wanted**2 - 1)) < 0.01
        after = wanted if values["reheat"] == "set" else max(T, wanted)
        done += 1
        way = "rises" if after > T else "falls" if after < T else "stays"
        if question.kind == "reheat-value":
            number = the(Number, question)
            assert number.judge(after).right
            assert not number.judge(T).right
            numbers += 1
            assert number.why == f"f·T₀ = {wanted / 2:.6g} · 2 = {wanted:.6g}."
            assert way != "stays"
            continue
        assert question.judge(question.read(way)).right
        assert [question.judge(place).right for place in range(3)].count(True) == 1
        ways[way] += 1
        if values["reheat"] == "set":
            assert "equals" in question.judge(question.read("stays")).misconception or way == "falls"
    assert set(ways) == ({"rises", "falls"} if values["reheat"] == "set" else {"rises", "stays"})
    assert min(ways.values()) > ways.total() / 4
    assert numbers > 5


def test_known_mistakes_about_reheats_are_named() -> None:
    said = set()
    for _before, _after, _events, questions in asked("anneal-reheat", 400, **SHORT, reheat="set"):
        if "reheat" in questions:
            said.add(the(Choice, questions["reheat"]).judge(0).misconception)
        elif "reheat-value" in questions:
            number = the(Number, questions["reheat-value"])
            T = float(dict(number.given)["T"].removesuffix(", supposed"))
            if abs(T - 2) > 0.3:
                assert "applies to T₀" in number.judge(0.5 * T).misconception
    assert said == {"", "A rule that sets T also lowers it."}


def test_a_solver_without_reheats_asks_nothing_of_them() -> None:
    assert not any("reheat" in questions for _b, _after, _e, questions in asked("anneal", 300, moves=5, alpha=0.5))
