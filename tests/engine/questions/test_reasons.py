"""What is said about an answer on a search or a formula: refusals, reasons from the state, known mistakes."""

from __future__ import annotations

import re

import pytest

from engine.errors import BadInput
from engine.events import Retracted
from engine.events.search import Asked, Found
from engine.puzzle import Puzzle
from engine.questions import Choice, Mark, Moment, Several
from engine.questions.beliefs import _shown
from engine.questions.contradictions import SEVERAL, contradiction
from engine.questions.cores import pick_a_core
from engine.techniques.order import CHAINS
from engine.view import View
from tests.engine.questions.asking import EASY, HARD, asked

CELL = re.compile(r"r\d+c\d+")
NAMES = [unit.name for unit in EASY.geometry.units]


@pytest.mark.parametrize("name", ["backtrack", "backtrack-mrv", "norvig"])
def test_a_filled_cell_is_no_answer_where_the_next_one_is_asked_for(name: str) -> None:
    seen = 0
    for before, _after, _events, questions in asked(name, 20):
        question = questions.get("next-cell")
        if isinstance(question, Mark):
            filled = next(cell for cell, value in enumerate(before.grid) if value)
            with pytest.raises(BadInput, match="is not free: expected free cells"):
                question.read(question.write(frozenset({filled})))
            with pytest.raises(BadInput, match="mark a cell first"):
                question.read("none")
            seen += 1
    assert seen > 5


def test_a_cell_that_is_not_next_is_told_from_the_state() -> None:
    for before, _after, _events, questions in asked("backtrack-mrv", 12):
        question = questions["next-cell"]
        assert isinstance(question, Mark)
        left = {cell: sorted(set(range(1, 10)) - {before.grid[peer] for peer in EASY.geometry.peers[cell]})
                for cell in question.free}
        least = min(map(len, left.values()))
        than = "no single" if least == 1 else f"not just {least}"
        for cell in question.free - frozenset().union(*question.rights):
            said = question.judge(frozenset({cell})).misconception
            assert said.endswith(f"can hold {' '.join(map(str, left[cell]))}: {len(left[cell])} values, {than}.")


@pytest.mark.parametrize(("name", "values"), [("backtrack", {}), ("backtrack-mrv", {}), ("norvig", {}), ("mac", {}),
                                              ("dlx", {})])
def test_the_reason_of_no_dead_end_names_no_cell(name: str, values: dict[str, object]) -> None:
    none = 0
    for *_, questions in asked(name, 3000 if name == "mac" else 60, HARD, **values):
        question = questions.get("dead-end")
        if question is not None and question.judge(question.read("no")).right:  # type: ignore[arg-type]
            assert not CELL.search(question.why), question.why
            none += 1
    assert none


def test_backtracking_in_rows_says_that_a_dead_end_is_noticed_later() -> None:
    said = {question.why for *_, questions in asked("backtrack", 305, HARD) for kind, question in questions.items()
            if kind == "dead-end"}
    assert "No value is left for r5c4; row by row, that is noticed only at its turn." in said


def test_what_stays_is_told_of_each_wrong_cell() -> None:
    for before, _after, _events, questions in asked("backtrack-mrv", 12):
        question = questions["struck"]
        assert isinstance(question, Mark)
        (cell,) = question.marked
        for other in set(range(81)) - question.model - {cell}:
            said = question.judge(frozenset({other})).misconception
            if other not in EASY.geometry.peers[cell]:
                assert "shares no row, column or box with" in said
            elif before.grid[other]:
                assert f"holds {before.grid[other]} already" in said
            else:
                assert re.search(r"is no candidate of r\dc\d: r\dc\d holds it", said)
        if len(question.model) > 1:
            part = frozenset(sorted(question.model)[:1])
            assert question.judge(part).misconception == f"Right as far as it goes: 1 of {len(question.model)} cells."


def test_nothing_is_asked_about_a_value_that_follows_a_choice_taken_back() -> None:
    """The grid on the screen is the one before the choice is taken back."""
    undone = 0
    for *_, events, questions in asked("mac", 5000, HARD):
        if any(isinstance(event, Retracted) for event in events):
            assert not questions.keys() & {"struck", "next-cell", "next-value", "follows"}
            undone += 1
    assert undone


def test_the_candidates_of_an_arc_are_given() -> None:
    for before, _after, _events, questions in asked("ac3", 200):
        question = questions.get("support")
        if question is not None:
            first, second = question.marked
            (_arc, _), (name, own), (against, other) = question.given
            assert question.text == f"Does each value of {name} find a different one in {against} (its support)?"
            for cell, values in ((first, own), (second, other)):
                assert values.split() == [str(v) for v in range(1, 10) if int(before.domains[cell]) >> v - 1 & 1]
            is_yes = all(set(other.split()) - {value} for value in own.split())
            assert question.judge(question.read("yes")).right == is_yes


def test_no_fact_of_an_exact_cover_repeats_its_name() -> None:
    for *_, questions in asked("dlx", 60, HARD):
        for question in questions.values():
            assert not any(value.startswith(name) for name, value in question.given), question.given


def test_a_column_that_is_not_next_is_told_with_its_choices() -> None:
    for *_, questions in asked("dlx", 60, HARD):
        question = questions.get("next-column")
        if isinstance(question, Choice):
            for place in set(range(len(question.options))) - question.rights:
                said = question.judge(place).misconception
                assert re.fullmatch(rf"{question.options[place]}: it has \d left\.", said)


@pytest.mark.parametrize("place", ["1", "3"])
def test_a_long_option_is_answered_by_its_number_too(place: str) -> None:
    question = next(questions["next-column"] for *_, questions in asked("dlx", 5, HARD) if "next-column" in questions)
    assert question.read(place) == int(place) - 1
    numbers = next(questions["choices-left"] for *_, questions in asked("dlx", 5, HARD) if "choices-left" in questions)
    assert isinstance(numbers, Choice)
    assert numbers.options[numbers.read(place)] == place


def test_the_pattern_of_a_technique_can_be_marked_by_hand() -> None:
    puzzle = Puzzle.from_line("005300000800000020070010500400005300010070006003200080060500009004000030000009700")
    seen = chains = 0
    for *_, events, questions in asked("human", 12, puzzle):
        event = events[0]
        if isinstance(technique := questions.get("technique"), Choice):
            assert technique.meanings.keys() == set(range(len(technique.options)))
        if isinstance(event, Found):
            question = questions.get("pattern")
            assert (question is None) == (event.technique in CHAINS or len(event.cells) > 6)
            chains += question is None
            if isinstance(question, Mark):
                seen += 1
                assert "share a unit" not in question.hint
                with pytest.raises(BadInput, match=r"mark (a|at least one) cell first"):
                    question.read("none")
    assert seen
    assert chains


# Formulas

@pytest.mark.parametrize(("units", "placed", "kind", "clause"), [
    ("row 1", "r1c1=5 r1c9=5", "twice in a unit", "row 1 would hold 5 twice, in r1c1 and r1c9"),
    ("row 1, column 1", "r1c2=1 r1c3=2 r1c4=3 r1c5=4 r1c6=5 r1c7=6 r1c8=7 r1c9=8 r2c1=9", "left without a value",
     "no value would be left for r1c1"),
    ("row 1, column 1, column 2", "r1c3=1 r1c4=2 r1c5=3 r1c6=4 r1c7=5 r1c8=6 r1c9=7 r2c1=9 r5c2=9",
     "no place in a unit", "9 would have no place in row 1"),
    ("row 1, column 2, column 3", "r1c4=1 r1c5=2 r1c6=3 r1c7=4 r1c8=5 r1c9=6 r2c2=7 r3c2=8 r4c3=7 r5c3=8",
     "the same place", "7 and 8 would both need r1c1 in row 1"),
    ("row 1, column 1, column 2", "r1c5=1 r1c6=2 r1c7=3 r1c8=4 r1c9=5 r2c1=6 r3c1=7 r4c1=8 r5c2=6 r6c2=7 r7c2=8",
     "the same value", "r1c1 and r1c2 would both need 9 in row 1"),
])
def test_a_contradiction_names_the_unit_that_fails(units: str, placed: str, kind: str, clause: str) -> None:
    pairs = [((int(each[1]) - 1) * 9 + int(each[3]) - 1, int(each[5])) for each in placed.split()]
    found = contradiction(EASY, [NAMES.index(unit) for unit in units.split(", ")], pairs)
    assert kind in found.kind
    assert not CELL.search(found.kind)
    assert found.clause == clause


def test_a_contradiction_that_no_unit_shows_is_said_to_be_one() -> None:
    assert contradiction(EASY, range(27), [(cell, value) for cell, value in enumerate(EASY.givens) if value]) is SEVERAL


def test_an_answer_unsat_says_what_fails_and_its_core_where() -> None:
    named = 0
    for *_, questions in asked("z3", 40, HARD):
        if "core" in questions:
            assert questions["satisfiable"].why.startswith("No grid with this board holds it: ")
            assert not re.search(r"\d", questions["satisfiable"].why)
            named += "would" in questions["core"].judge(questions["core"].model).why
    assert named > 2


def core_of(grid: tuple[int, ...], words: str, core: tuple[str, ...], cells: tuple[int, ...] = ()) -> Several:
    event = Asked(3, "check", words, "unsat", cells, core)
    moment = Moment(Puzzle(grid), View(grid, {}), None, (event,), lambda _place: View(grid, {}))  # type: ignore[arg-type]
    (question,) = pick_a_core(event, moment)
    return question


def test_a_set_that_is_no_core_is_told_what_is_missing_and_that_others_are_right() -> None:
    question = core_of((5, 0, 3, 3, *(0,) * 77), "r1c9 = 5", ("row 1", "r1c1 = 5", "r1c9 = 5"), (8,))
    row, value = question.options.index("row 1"), question.options.index("r1c1 = 5")
    judged = question.judge(frozenset({row}))
    assert not judged.right
    assert judged.correct == f"{question.write(frozenset({row, value}))}, or another"
    assert re.fullmatch(r"No core: Z3 finds a grid with r1c1 = [1-46-9]; r1c1 = 5 is missing\.", judged.why)
    assert judged.misconception == "row 1 would hold 5 twice, in r1c1 and r1c9."
    judged = question.judge(frozenset({value}))
    assert judged.why == "No core: Z3 finds a grid with 5 twice in row 1, which is missing."


def test_a_core_that_does_without_the_value_asked_about_says_so() -> None:
    question = core_of((5, 5, 0, *(0,) * 78), "r1c9 = 5", ("row 1", "r1c1 = 5", "r1c9 = 5"), (8,))
    chosen = frozenset(question.options.index(name) for name in ("row 1", "r1c1 = 5", "r1c2 = 5"))
    judged = question.judge(chosen)
    assert judged.right
    assert "even without r1c9 = 5" in judged.why


def test_the_terms_of_a_core_are_explained_where_it_is_asked() -> None:
    for *_, questions in asked("z3", 30, HARD):
        if "core" in questions:
            given = dict(questions["core"].given)
            assert "cannot all hold together" in questions["core"].text
            assert given["a unit"] == "holds each value once"
            assert ("kept" in given) == ("the kept cells" in questions["core"].text)


def test_a_message_that_is_not_certain_is_not_shown_as_certain() -> None:
    assert [f"{_shown(message):.2f}" for message in (0.998, 1.0, 0.5, 0.004)] == ["0.99", "1.00", "0.50", "0.00"]
