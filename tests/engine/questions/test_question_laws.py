"""The law of questions notices what is wrong with them."""

from __future__ import annotations

import pytest

from engine.conformance import Nonconformance
from engine.conformance.questions import questions_agree_with_the_steps
from engine.events import Event
from engine.questions import Mark, Question, Values
from tests.engine.strangers.toy_population import ToyParams, ToyPopulation, ToyState

ROW = Values(kind="row", text="Which values?", why="So.", hint="Look.", values=(1, 2), marked=(0, 1), ways=4, n=4)
CELLS = Mark(kind="cells", text="Which cells?", why="So.", hint="Look.", rights=frozenset({frozenset({0, 1})}), most=2,
             among=4, marked=(0, 1, 2, 3), inside=True, n=4)


class Asks(ToyPopulation):
    """Asks one question at every step."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def ask(self, before: ToyState, params: ToyParams, events: tuple[Event, ...]) -> tuple[Question, ...]:
        return (self.question,)


def replaced(question: Question, **values: object) -> Question:
    known = {name: getattr(question, name) for name in question.__struct_fields__}
    return type(question)(**{**known, **values})


@pytest.mark.parametrize("question", [ROW, CELLS])
def test_a_sound_question_passes(question: Question) -> None:
    questions_agree_with_the_steps(Asks(question))


@pytest.mark.parametrize(("question", "named"), [
    (replaced(ROW, marked=(0,)), "one value of the grid for each marked cell"),
    (replaced(ROW, values=(1, 5)), "written model answer|is no value|one value of the grid"),
    (replaced(ROW, faults={(1, 2): "No."}), "wrong values are judged right"),
    (replaced(ROW, hint="Type 1 2."), "the answer is in the question or in its hint"),
    (replaced(CELLS, text="Is it r1c1 r1c2?"), "the answer is in the question or in its hint"),
    (replaced(CELLS, faults={frozenset({0, 1}): "No."}), "right cells are called a mistake"),
    (replaced(CELLS, rights=frozenset({frozenset({0, 1}), frozenset({0, 9})})), "other cells than those"),
])
def test_an_unsound_one_is_noticed(question: Question, named: str) -> None:
    with pytest.raises((Nonconformance, ValueError), match=named):
        questions_agree_with_the_steps(Asks(question))
