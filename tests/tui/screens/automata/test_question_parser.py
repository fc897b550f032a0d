"""Typed questions to the automata."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput, PuzzleError
from engine.puzzle import geometry
from tui.screens.automata.question_parser import ParsedQuestion, parse_question, unit_index, word_text

NINE, SIXTEEN = geometry(3), geometry(4)


@pytest.mark.parametrize(("typed", "what"), [
    ("r1c6 = 2", ParsedQuestion("value", 5, 2)),
    ("R1C6=2 ?", ParsedQuestion("value", 5, 2)),
    (" r1 c6 2", ParsedQuestion("value", 5, 2)),
    ("123456789", ParsedQuestion("word", word=tuple(range(1, 10)))),
    ("1 2 3", ParsedQuestion("word", word=(1, 2, 3))),
    ("row 3 = 123456789", ParsedQuestion("word", unit=2, word=tuple(range(1, 10)))),
    ("column 5: 1,2,3,4,5,6,7,8,9", ParsedQuestion("word", unit=13, word=tuple(range(1, 10)))),
    ("box 2 1..4.....", ParsedQuestion("model", unit=19, word=(1, 0, 0, 4, 0, 0, 0, 0, 0))),
    ("col 9", ParsedQuestion("unit", unit=17)),
    ("second solution ?", ParsedQuestion("second")),
    ("count", ParsedQuestion("count", limit=10)), ("count 25 ?", ParsedQuestion("count", limit=25)),
    ("Unique", ParsedQuestion("unique")),
    ("solve", ParsedQuestion("solution")),
    ("another word", ParsedQuestion("model")),
    ("0123", ParsedQuestion("word", word=(0, 1, 2, 3))),
    ("12a", ParsedQuestion("word", word=(1, 2, 10))),
])
def test_questions_are_parsed(typed: str, what: ParsedQuestion) -> None:
    assert parse_question(typed, NINE) == what


def test_letters_and_numbers_on_large_boards() -> None:
    assert parse_question("r10c12 = G", SIXTEEN) == ParsedQuestion("value", 9 * 16 + 11, 16)
    assert parse_question("r10c12 = 16", SIXTEEN) == ParsedQuestion("value", 9 * 16 + 11, 16)
    assert parse_question("123456789ABCDEFg", SIXTEEN).word == tuple(range(1, 17))
    assert parse_question("1 10 16 4", SIXTEEN).word == (1, 10, 16, 4)
    assert word_text(tuple(range(1, 17)), 16) == "123456789ABCDEFG"


@pytest.mark.parametrize(("typed", "said"), [
    ("r0c6 = 2", "row 0: expected 1 to 9"),
    ("r1c10 = 2", "column 10: expected 1 to 9"),
    ("r99999c1 = 2", "row 99999: expected 1 to 9"),
    ("r1c6 = 0", "value 0: expected 1 to 9"),
    ("r1c6 = x", "value x: expected 1 to 9"),
    ("r1c6 = 222222222222222222222222222222", "value 22222222222222222222: expected 1 to 9"),
    ("row 10 = 123456789", "row 10: expected row 1 to 9"),
    ("diagonal 1", "diagonal 1: this board has no diagonals"),
    ("12.", "a word of 3 values: expected 9"),
    ("a........", "letter 10: expected 1 to 9, or . for any"),
    ("r4c5", "r4c5: expected r1c6 = 2, a word of 9 values"),
    ("how many", "how many: expected r1c6 = 2, a word of 9 values"),
    ("what?!", "what !: expected r1c6 = 2, a word of 9 values"),
    ("?", "expected r1c6 = 2, a word of 9 values"),
    ("\x1b[2J", "expected r1c6 = 2"),
    ("é" * 900, "expected r1c6 = 2"),
])
def test_bad_questions_are_refused_in_one_sentence(typed: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_question(typed, NINE)
    sentence = str(caught.value)
    assert said in sentence
    assert sentence.isprintable()
    assert len(sentence) < 160


@pytest.mark.parametrize("typed", ["", "row", "3", "row 3 4", "tow 3", "row -1", "\x00", "row ３³"])
def test_unknown_units_are_refused(typed: str) -> None:
    with pytest.raises(PuzzleError, match="expected"):
        unit_index(typed, NINE)


def test_a_unit_may_end_with_a_line_break() -> None:
    assert unit_index("row 3\n", NINE) == 2


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_refused(typed: str) -> None:
    try:
        said = parse_question(typed, NINE).topic
    except PuzzleError as error:
        said = str(error)
    assert said
    assert said.isprintable()
