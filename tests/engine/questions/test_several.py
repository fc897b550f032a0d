"""Questions of which several options are right together: how answers are read, judged and guessed."""

from __future__ import annotations

import pytest

from engine.errors import BadInput
from engine.questions import Several

ARCS = Several(kind="a", text="?", why="As it is.", options=("row 3", "r4c2 = 2", "r1c1 → r1c2", "column 4"), most=3,
               taken=frozenset({0, 2}), rights=frozenset({frozenset({0, 2}), frozenset({1, 3})}),
               faults={3: "Not with that one."})


@pytest.mark.parametrize(("written", "places"), [
    ("1 3", {0, 2}), ("3,1", {0, 2}), ("1; 3 ;", {0, 2}), ("4", {3}), ("row 3", {0}), ("Row 3, r4c2=2", {0, 1}),
    ("r4c2 = 2, r1c1 -> r1c2", {1, 2}), ("2, column 4", {1, 3}),
])
def test_answers_are_numbers_or_names(written: str, places: set[int]) -> None:
    assert ARCS.read(written) == places


@pytest.mark.parametrize(("written", "expected"), [
    ("5", "numbers from 1 to 4"), ("0", "numbers from 1 to 4"), ("row 3 column 4", "or their names"),
    ("1 2 3 4", "expected 3 at most"), ("row", "or their names"),
    ("none", "mark at least one answer first"), ("", "mark at least one answer first"),
])
def test_what_cannot_be_read_is_refused_in_one_sentence(written: str, expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        ARCS.read(written)


def test_every_right_set_is_right_and_no_part_of_one() -> None:
    assert ARCS.judge(frozenset({0, 2})).right
    assert ARCS.judge(frozenset({1, 3})).right
    for wrong in ({0}, {0, 1}, {0, 2, 3}, set()):
        assert not ARCS.judge(frozenset(wrong)).right
    assert ARCS.judge(frozenset({0, 3})).misconception == "Not with that one."
    assert ARCS.judge(frozenset({1, 3})).misconception == ""
    assert ARCS.write(ARCS.model) == "1 3"
    assert ARCS.chance == pytest.approx(2 / 6)


def test_a_predicate_judges_and_gives_the_reason_but_never_of_nothing() -> None:
    asked: list[frozenset[int]] = []

    def check(places: frozenset[int]) -> tuple[bool, str]:
        asked.append(places)
        return sum(places) > 3, f"They sum to {sum(places)}."

    question = Several(kind="a", text="?", why="Nothing is marked.", options=("a", "b", "c", "d"), most=4,
                       taken=frozenset({1, 3}), check=check)
    assert question.judge(frozenset({1, 3})).right
    assert question.judge(frozenset({0, 1})).why == "They sum to 1."
    assert question.judge(frozenset()).why == "Nothing is marked."
    assert asked == [{1, 3}, {0, 1}]
