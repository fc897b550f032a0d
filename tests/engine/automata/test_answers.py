"""Answers of the automata of a board: digits, cores, words, solutions, and interrupted queries."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solutions
from engine.automata.answers import Inquiry
from engine.automata.encodings import NAMES
from engine.automata.questions import Query, worded
from engine.energy import is_solution
from engine.errors import BadInput
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from engine.puzzles import packs

HARD = packs.find("hard:1").puzzle
SMALL = packs.find("4x4:1").puzzle
OPEN = Puzzle((0,) * 16, 2)


@pytest.fixture(scope="module")
def hard() -> Inquiry:
    return Inquiry(HARD, 60.0)


def test_solutions_are_counted_and_the_next_question_forgets_it(hard: Inquiry) -> None:
    assert (found := hard.put(Query("count", HARD.givens))).result == "sat"
    assert (found.count, found.exact, found.other) == (1, True, ())
    open_ = Inquiry(OPEN, 60.0)
    several = open_.put(Query("count", OPEN.givens, limit=3))
    assert (several.result, several.count, several.exact) == ("sat", 3, False)
    assert several.grid != several.other
    assert open_.put(Query("count", OPEN.givens, limit=3)).count == 3
    none = hard.put(Query("count", (4, 4, *HARD.givens[2:])))
    assert (none.result, none.count, bool(none.size)) == ("unsat", 0, True)


def test_a_digit_is_refused_with_a_core_and_an_explanation(hard: Inquiry) -> None:
    found = hard.put(Query("value", HARD.givens, cell=5, value=2))
    assert found.result == "unsat"
    assert found.because == "box 5 has no place left for 2"
    assert found.helps
    assert (5, 2) in found.placed
    assert worded(found.query, HARD.geometry) == "r1c6 = 2 ?"


def test_the_two_values_that_a_word_gives_a_cell_are_a_minimal_core(hard: Inquiry) -> None:
    found = hard.put(Query("word", HARD.givens, unit=3, word=tuple(range(1, 10))))
    assert (found.units, found.placed) == ((), ((34, 6), (34, 8)))
    smaller = hard.put(Query("minimise", HARD.givens, unit=3, core_placed=found.placed))
    assert (smaller.result, smaller.placed, smaller.because) == ("unsat", found.placed, "r4c8 cannot hold 6 and 8")


def test_the_explanation_names_a_unit_of_the_core(hard: Inquiry) -> None:
    solution = solutions.count(HARD, 2).examples[0]
    wrong = [(cell, value) for cell in range(81) if not HARD.givens[cell]
             for value in range(1, 10) if value != solution[cell]]
    for cell, value in wrong[::17]:
        found = hard.put(Query("value", HARD.givens, cell=cell, value=value))
        assert found.explanation is not None
        assert found.explanation.unit is None or found.explanation.unit in found.units


def test_a_digit_is_possible_if_it_is_that_of_the_solution(hard: Inquiry) -> None:
    solution = solutions.count(HARD, 2).examples[0]
    found = hard.put(Query("value", HARD.givens, cell=5, value=solution[5]))
    assert found.result == "sat"
    assert found.grid == solution
    assert found.counters.memory > 0


@pytest.mark.sweep
def test_a_minimised_core_knows_its_former_size(hard: Inquiry) -> None:
    found = hard.put(Query("value", HARD.givens, "int-distinct", cell=5, value=2))
    smaller = hard.put(Query("minimise", HARD.givens, "int-distinct", core_units=found.units, core_placed=found.placed))
    assert smaller.result == "unsat"
    assert smaller.before == found.size >= smaller.size
    assert set(smaller.placed) <= set(found.placed)


def test_one_solution_several_and_none(hard: Inquiry) -> None:
    assert hard.put(Query("unique", HARD.givens)).result == "sat"
    assert hard.put(Query("second", HARD.givens)).result == "unsat"
    several = Inquiry(OPEN, 60.0).put(Query("unique", OPEN.givens))
    assert several.result == "unsat"
    assert several.differing
    assert all(is_solution(OPEN, grid) for grid in (several.grid, several.other))
    assert several.size == 0
    twice = hard.put(Query("unique", (4, 4, *HARD.givens[2:])))
    assert twice.result == "unsat"
    assert twice.because == "row 1 has 4 at r1c1 and r1c2"


@pytest.mark.parametrize(("word", "said", "blame"), [
    ((4, 1, 2, 3, 6, 7, 8, 9), "a word of 8 values for row 1: expected 9", ()),
    ((4, 1, 2, 3, 6, 11, 8, 9, 5), "11 is not in 1 to 9", (5,)),
    ((4, 1, 2, 3, 6, 0, 8, 9, 5), "0 is not in 1 to 9", (5,)),
    ((4, 1, 2, 3, 1, 7, 8, 9, 5), "1 is already at r1c2", (1, 4)),
    ((1, 4, 2, 3, 6, 7, 8, 9, 5), "r1c1 is given 4, not 1", (0,)),
    ((1, 1, 2, 3, 6, 7, 8, 9, 5), "r1c1 is given 4, not 1", (0,)),
    ((1, 2, 3, 11, 6, 7, 8, 9, 5), "r1c1 is given 4, not 1", (0,)),
    ((4, 1, 2, 3, 6, 7, 4, 9, 5), "4 is already at r1c1", (0, 6)),
])
def test_a_word_is_refused_and_why(hard: Inquiry, word, said, blame) -> None:
    found = hard.put(Query("word", HARD.givens, word=word))
    assert (found.result, found.because, found.blame) == ("unsat", said, blame)


def test_set_values_are_not_called_given() -> None:
    found = Inquiry(OPEN, 60.0).put(Query("word", (0, 3, *[0] * 14), word=(1, 2, 3, 4)))
    assert found.because == "r1c2 is set to 3, not 2"
    assert found.placed == ((1, 2), (1, 3))


@pytest.mark.parametrize("encoding", NAMES)
def test_a_word_that_repeats_a_letter_too_has_the_two_values_of_its_cell_as_a_core(encoding: str) -> None:
    """Row 1 of easy 1 has 2 in r1c5; the word has 5 there, and 2 in r1c2."""
    givens = packs.find("easy:1").puzzle.givens
    easy = Inquiry(Puzzle(givens), 60.0)
    found = easy.put(Query("word", givens, encoding, word=(1, 2, 3, 4, 5, 6, 7, 8, 8)))
    assert (found.because, found.placed) == ("r1c5 is given 2, not 5", ((4, 2), (4, 5)))
    smaller = easy.put(Query("minimise", givens, encoding, core_placed=found.placed))
    assert (smaller.placed, smaller.because) == (found.placed, "r1c5 cannot hold 2 and 5")


def test_an_accepted_word_is_held_against_the_whole_board(hard: Inquiry) -> None:
    solution = solutions.count(HARD, 2).examples[0]
    right = hard.put(Query("word", HARD.givens, word=solution[:9]))
    assert (right.result, right.beyond) == ("sat", "sat")
    wrong = hard.put(Query("word", HARD.givens, word=(4, 1, 2, 3, 6, 7, 8, 9, 5)))
    assert (wrong.result, wrong.beyond) == ("sat", "unsat")
    assert wrong.because == "box 2 has 7 at r1c6 and r3c4"


@pytest.mark.parametrize("encoding", NAMES)
def test_words_are_given_until_there_is_none_left(encoding) -> None:
    """Two of four letters are placed: two words remain in every encoding."""
    inquiry = Inquiry(OPEN, 60.0)
    cells, words = (1, 2, *[0] * 14), []
    while (found := inquiry.put(Query("model", cells, encoding, without=tuple(words)))).result == "sat":
        words.append(found.word)
    assert sorted(words) == [(1, 2, 3, 4), (1, 2, 4, 3)]
    assert found.because == "there is no other word"
    assert inquiry.put(Query("model", cells, encoding)).result == "sat"  # what was blocked is forgotten
    assert inquiry.put(Query("model", cells, encoding, word=(0, 1, 0, 0))).because == "there is no such word"


@given(word=st.lists(st.integers(0, 5), min_size=4, max_size=4), unit=st.integers(0, 13))
@settings(max_examples=30, deadline=None)
def test_a_word_is_accepted_if_it_is_a_permutation_that_keeps_the_givens(word, unit) -> None:
    puzzle = Puzzle((0, 2, *[0] * 9, 3, *[0] * 4), 2, "diagonal")
    there = zip(puzzle.geometry.units[unit].cells, word, strict=True)
    right = sorted(word) == [1, 2, 3, 4] and all(puzzle.givens[cell] in (0, value) for cell, value in there)
    found = _DIAGONAL.put(Query("word", puzzle.givens, unit=unit, word=tuple(word)))
    assert found.result == ("sat" if right else "unsat")


_DIAGONAL = Inquiry(Puzzle((0, 2, *[0] * 9, 3, *[0] * 4), 2, "diagonal"), 60.0)


@pytest.mark.parametrize(("encoding", "there"), [("one-hot", "pbeq"), ("int-distinct", "distinct")])
def test_the_rule_as_z3_has_it(encoding, there) -> None:
    texts = Inquiry(SMALL, 60.0).put(Query("text", SMALL.givens, encoding, unit=5)).texts
    assert there in texts[0]
    assert "r1c2" in texts[0]


@pytest.mark.parametrize("query", [
    Query("value", HARD.givens, cell=81, value=1), Query("value", HARD.givens, cell=0, value=10),
    Query("value", HARD.givens), Query("word", HARD.givens, unit=27, word=(1,) * 9),
])
def test_indices_out_of_range_are_refused(hard: Inquiry, query) -> None:
    with pytest.raises(BadInput, match="expected"):
        hard.put(query)


def test_time_runs_out_and_that_is_no_answer() -> None:
    puzzle = Puzzle((0,) * 256, 4)
    found = Inquiry(puzzle, 0.01).put(Query("solution", puzzle.givens, "finite-domain"))
    assert found.result == "unknown"
    assert found.because


def test_a_question_is_broken_off_and_the_next_is_answered(hard: Inquiry) -> None:
    breaker = Breaker()
    breaker.break_off()
    broken: list[bool] = []

    def ask() -> None:
        with breaker.watching():
            try:
                hard.put(Query("unique", HARD.givens, "finite-domain"))
            except Interrupted:
                broken.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert broken == [True]
    breaker.clear()
    assert hard.put(Query("unique", HARD.givens, "finite-domain")).result == "sat"
