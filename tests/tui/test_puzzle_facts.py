"""Facts about a puzzle before it is solved."""

from __future__ import annotations

import pytest

from engine.puzzle import Puzzle
from engine.puzzles import packs
from tui.puzzle_facts import clash_text, clashing_cells, landscape, magnitude


def test_what_an_annealer_faces_is_counted_unit_by_unit() -> None:
    puzzle = Puzzle((1, 0, 0, 0, *[0] * 4, 2, 3, 0, 0, *[0] * 3, 4), 2)
    rows = landscape(puzzle, "row")
    assert rows.neighbours == 3 + 6 + 1 + 3
    assert rows.states == 6 * 24 * 2 * 6
    boxes = landscape(puzzle, "box")
    assert boxes.neighbours == 3 + 6 + 1 + 3
    assert boxes.states == 6 * 24 * 2 * 6


def test_the_two_representations_differ() -> None:
    puzzle = packs.find("easy:1").puzzle
    assert landscape(puzzle, "row") != landscape(puzzle, "box")


def test_givens_that_contradict_each_other_in_a_unit_leave_no_grid_of_its_kind() -> None:
    in_a_row = Puzzle.from_line("1..1............")
    assert (landscape(in_a_row, "row").states, landscape(in_a_row, "row").neighbours) == (0, 0)
    assert landscape(in_a_row, "box").states == 6 * 6 * 24 * 24


@pytest.mark.parametrize(("number", "text"), [
    (0, "0"), (999_999, "999 999"), (1_000_000, "1.0 · 10⁶"), (1_449_999, "1.4 · 10⁶"), (9_960_000, "1.0 · 10⁷"),
    (10**123, "1.0 · 10¹²³"),
])
def test_large_numbers_are_short(number: int, text: str) -> None:
    assert magnitude(number) == text


def test_in_ascii_there_is_no_raised_exponent() -> None:
    assert magnitude(24 * 10**20, ascii=True) == "2.4e21"
    assert magnitude(999_999, ascii=True) == "999 999"


def test_clashes_are_sentences_with_unit_and_cells() -> None:
    puzzle = packs.find("traps:4").puzzle
    said = [clash_text(puzzle, clash) for clash in puzzle.clashes()]
    assert said[0] == "3 appears 2 times in row 1: r1c1 r1c3"
    assert clashing_cells(puzzle.clashes()) == (0, 2)
