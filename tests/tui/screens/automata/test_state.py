"""What the screen of the automata knows: the board, the automaton that is chosen, the questions. No widgets, no Z3."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.automata.explanation import Explanation
from engine.automata.formula import ENCODINGS
from engine.automata.questions import Finding
from engine.puzzle import Puzzle
from engine.puzzles import packs
from tui.look.glyphs import ASCII
from tui.screens.automata.layout import SMALLEST, plan
from tui.screens.automata.panes import counter_lines, formula_lines, question_lines, strip_lines
from tui.screens.automata.sentences import items, milliseconds, verdict
from tui.screens.automata.state import Book
from tui.widgets.rows import Space

HARD = packs.find("hard:1").puzzle
CORE = ((13,), ((5, 2), (28, 2)))


def book_with(*topics: str) -> Book:
    book = Book(HARD)
    for topic in topics:
        book.take(Finding(book.query(topic), "sat"), 0.001)  # type: ignore[arg-type]
    return book


def refused(book: Book, size: int = 3) -> Finding:
    book.place(5)
    placed = tuple((cell, value) for cell, value in enumerate(HARD.givens) if value)[:size - 2]
    told = Explanation("column 5 has no place left for 2", 13, 2, (), HARD.givens, 1)
    found = Finding(book.query("value", value=2), "unsat", told.because, (13,), ((5, 2), *placed), told=told)
    book.take(found, 0.00184)
    return found


def text_of(lines) -> str:
    return "\n".join("".join(text for text, _role in line) for line in lines)


def test_what_is_set_is_taken_back_and_made_again() -> None:
    book = Book(HARD)
    assert book.put(1, 6)
    assert not book.put(0, 9)  # it is given
    assert not book.put(1, 6)
    assert book.set_cells == 1
    assert book.undo()
    assert book.cells == HARD.givens
    assert not book.undo()
    assert book.redo()
    assert book.cells[1] == 6
    assert not book.redo()


def test_the_grid_of_a_run_is_taken_back_at_once() -> None:
    grid = tuple(value or 1 for value in HARD.givens)
    book = Book(HARD, grid)
    assert book.set_cells == 64
    assert book.undo()
    assert book.cells == HARD.givens


def test_the_automaton_goes_with_the_cursor() -> None:
    book = Book(packs.find("diagonal:1").puzzle)
    assert book.scopes[-2:] == ("diagonal 1", "diagonal 2")
    book.place(80)
    book.turn(1)
    assert book.unit_of.name == "row 9"
    book.turn(2)
    assert book.unit_of.name == "box 9"
    book.turn(2)
    assert book.unit_of.name == "diagonal 2"
    book.choose(9)
    assert (book.unit_of.name, book.cursor) == ("column 1", 0)
    book.recode(-1)
    assert book.encoding == ENCODINGS[-1]


def test_one_goes_back_through_the_questions_and_on_to_the_board_as_it_stands() -> None:
    book = book_with("solution", "unique")
    assert book.entry is not None
    assert book.entry.number == 2
    assert book.go(-1)
    assert not book.go(-1)
    assert book.entry.finding.query.topic == "solution"
    assert book.go(1)
    assert book.go(1)
    assert book.entry is None
    assert not book.go(1)


def test_an_earlier_question_shows_the_board_that_it_was_about() -> None:
    book = Book(HARD)
    refused(book)
    assert book.grid[5] == 2
    book.put(1, 6)
    assert book.entry is None
    assert (book.grid[1], book.grid[5]) == (6, 0)
    book.go(-1)
    assert (book.grid[1], book.grid[5]) == (0, 2)


def test_another_word_each_time_of_the_same_unit_with_the_same_letters() -> None:
    book = Book(HARD)
    first = book.query("model", unit=0)
    assert first.without == ()
    book.take(Finding(first, "sat", word=(4, 1, 2, 3, 6, 7, 8, 9, 5)), 0.0)
    assert book.query("model", unit=0).without == ((4, 1, 2, 3, 6, 7, 8, 9, 5),)
    assert book.query("model", unit=1).without == ()
    assert book.query("model", unit=0, word=(4,) + (0,) * 8).without == ()
    book.put(9, 1)
    assert book.query("model", unit=0).without != ()  # that cell is of another row
    book.put(1, 2)
    assert book.query("model", unit=0).without == ()


def test_a_smaller_core_takes_the_place_of_what_it_was() -> None:
    book = Book(HARD)
    found = refused(book, 8)
    query = book.smaller()
    assert query is not None
    book.take(Finding(book.query("solution"), "sat"), 0.0)
    smaller = Finding(query, "unsat", "so", CORE[0], CORE[1], found.size)
    entry = book.take(smaller, 0.5)
    assert len(book.entries) == 2
    assert (entry.number, entry.finding.size, entry.finding.before) == (1, 3, 8)
    said = verdict(entry, HARD).text
    assert said == "r1c6 = 2 is impossible: so   core 3 of 45   minimal, 8 before   1.84 ms"


def test_there_is_nothing_to_make_smaller_or_to_show() -> None:
    book = Book(HARD)
    assert book.smaller() is None
    assert not book.turn_answer()
    book = book_with("solution")
    assert book.smaller() is None
    assert not book.explain()


def test_an_explanation_and_an_answer_on_the_board() -> None:
    book = Book(HARD)
    found = refused(book)
    deduced = (*HARD.givens[:1], 9, *HARD.givens[2:])
    assert found.told is not None
    book.entries[0] = replace(book.entries[0], finding=replace(found, told=replace(found.told, values=deduced)))
    assert book.explain()
    assert book.grid[:6] == (4, 9, 0, 0, 0, 2)
    assert book.explain()
    assert book.shown == "board"
    book.take(Finding(book.query("solution"), "sat", grid=(1,) * 81), 0.0)
    assert book.turn_answer()
    assert set(book.grid) == {1}
    assert book.turn_answer()
    assert book.shown == "board"
    book.take(Finding(book.query("unique"), "unsat", grid=(1,) * 81, other=(2,) * 81), 0.0)
    assert [book.turn_answer() and (book.shown, book.grid[1]) for _press in range(3)] == [
        ("answer", 1), ("other", 2), ("board", 0)]


def test_the_formula_marks_the_core_and_leaves_out_what_is_too_large() -> None:
    book = Book(HARD)
    refused(book)
    shown = text_of(formula_lines(book, Space(65, 12), "f"))
    assert "▶!asked      r1c6 = 2" in shown
    assert "! column 5" in shown
    book.core_only = True
    assert "cells" not in text_of(formula_lines(book, Space(65, 12), "f"))
    book.core_only = False
    found = refused(book, 18)
    assert not found.helps
    shown = text_of(formula_lines(book, Space(65, 12), "f"))
    assert "a core of 18 items teaches nothing" in shown
    assert "! " not in shown.split("\n", 1)[1]
    book.core_only = True
    assert "! units" in text_of(formula_lines(book, Space(65, 12), "f"))


@pytest.mark.parametrize("width", [34, 65, 110])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_line_is_wider_than_its_pane(encoding, width) -> None:
    for puzzle in (HARD, Puzzle((0,) * 625, 5), packs.find("16x16:1").puzzle):
        book = Book(puzzle)
        book.encoding = encoding
        for scope in ("board", "row"):
            book.scope = scope  # type: ignore[assignment]
            space = Space(width, 12)
            panes = formula_lines(book, space, "f"), counter_lines(book, space), question_lines(book, space, "x")
            for lines in panes:
                assert len(lines) <= 12
                for line in lines[1:]:
                    assert sum(len(text) for text, _role in line) <= width
        for line in strip_lines(book, Space(78, 5))[1:]:
            assert sum(len(text) for text, _role in line) <= 78


def test_a_strip_says_what_is_read_why_and_whether_it_is_accepted() -> None:
    book = Book(HARD)
    refused(book)
    head, reads, can, because, states = text_of(strip_lines(book, Space(116, 5))).splitlines()
    assert "One 2 in column 5" in head
    assert "not accepted" in head
    assert "r1c5" in reads
    assert can.startswith("can be 2")
    assert "= 8" in because
    assert states.count("(0)") == 10
    assert text_of(strip_lines(book, Space(116, 5, ASCII))).isascii()


def test_a_core_is_out_of_units_and_what_stands() -> None:
    book = Book(HARD)
    assert items(refused(book), HARD) == 27 + 17 + 1


def test_times_have_three_digits() -> None:
    assert [milliseconds(each) for each in (0.00184, 0.0417, 5.0123)] == ["1.84", "41.7", "5 012"]


@pytest.mark.parametrize("box", [2, 3, 4, 5])
@pytest.mark.parametrize("size", [(44, 17), (60, 20), (80, 24), (100, 30), (120, 34), (120, 36), (200, 60), (300, 80)])
def test_panes_stay_on_the_screen_and_apart(size, box) -> None:
    width, height = size
    for tab in (1, 2, 3):
        regions = plan(width, height, box, tab).regions
        assert {"verdict", "board", "footer"} <= regions.keys()
        placed = list(regions.values())
        for place, region in enumerate(placed):
            assert region.width > 0
            assert region.height > 0
            assert region.right <= width
            assert region.bottom <= height
            assert not any(region.overlaps(other) for other in placed[place + 1:])
    assert plan(SMALLEST[0] - 1, 60, box).mode == "none"


def test_a_letter_that_was_typed_is_the_given_only_where_they_are_the_same() -> None:
    book = Book(HARD)
    book.place(0)
    book.turn(1)
    word = (4, 1, 2, 3, 5, 6, 7, 9, 8)
    assert HARD.givens[:9] == (4, 0, 0, 0, 0, 0, 8, 0, 5)
    book.take(Finding(book.query("word", word=word), "sat", word=word), 0.001)
    assert book.strip().because == ("given", *["typed"] * 8)
