"""The origin of inherited cells, and tabu cells, on the board."""

from __future__ import annotations

import pytest

from engine.puzzle import Puzzle
from tui.look.glyphs import ASCII, UNICODE
from tui.widgets.board.board import Position, board_rows
from tui.widgets.board.cell import CLASH, CURSOR, FROM_A, MOVED, TABU, Cell, compact_line
from tui.widgets.board.layout import large, medium, small
from tui.widgets.board.overlays import NOWHERE, Hints, Origin, origin_of
from tui.widgets.rows import Space, plain

EMPTY = Puzzle((0,) * 81)
GRID = tuple((row * 3 + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))
CELLS = range(81)


def marks(first, moved=()):
    """Marks of a child whose cells are from A where this is true of them."""
    return {"parent_a": tuple(cell for cell in CELLS if first(cell) and cell not in moved),
            "parent_b": tuple(cell for cell in CELLS if not first(cell) and cell not in moved), "moved": moved}


def lines(layout, said, glyphs=UNICODE, puzzle=EMPTY):
    space = Space(layout.width, layout.height, glyphs)
    return board_rows(Position(puzzle, GRID, said), layout, space)


def test_rows_of_one_parent_have_its_letter_and_one_change_is_a_cut():
    found = origin_of(EMPTY, marks(lambda cell: cell < 45))
    assert found == Origin(tuple("AAAAABBBB"), 5)
    drawn = plain(lines(medium(3), marks(lambda cell: cell < 45)))
    assert [line[:2] for line in drawn[1::2]] == [f"{row + 1}{letter}" for row, letter in enumerate("AAAAABBBB")]
    assert drawn[10] == "╌" * 16 + "┼" + "╌" * 14 + "┼" + "╌" * 14
    assert ("A", "strong") in lines(medium(3), marks(lambda cell: cell < 45))[1]


@pytest.mark.parametrize("layout", [small(3), medium(3), large(3)])
def test_a_cut_between_boxes_takes_the_place_of_the_rule(layout):
    drawn = plain(lines(layout, marks(lambda cell: cell < 54)))
    assert drawn[layout.row_y(6) - 1].startswith("╌╌╌")
    assert drawn[layout.row_y(3) - 1].strip().startswith("─")
    assert plain(lines(layout, marks(lambda cell: cell < 54), ASCII))[layout.row_y(6) - 1].startswith("---")


def test_rows_taken_in_turns_have_letters_and_no_cut():
    assert origin_of(EMPTY, marks(lambda cell: cell // 9 % 2 == 0)) == Origin(tuple("ABABABABA"))


def test_a_mutated_row_has_no_letter():
    found = origin_of(EMPTY, marks(lambda cell: cell < 45, tuple(range(18, 27))))
    assert found.rows == (*"AA", "", *"AABBBB")


@pytest.mark.parametrize("first", [lambda cell: cell < 45, lambda cell: cell % 9 < 3])
def test_a_row_or_box_with_a_cell_from_neither_parent_has_letters_at_its_cells(first):
    said = {role: tuple(cell for cell in where if cell != 10) for role, where in marks(first).items()}
    found = origin_of(EMPTY, said)
    assert found.rows == ()
    assert set(found.cells) == set(CELLS) - {10}


def test_boxes_of_one_parent_have_its_letter_once():
    found = origin_of(EMPTY, marks(lambda cell: cell % 9 < 3))
    assert found.rows == ()
    assert found.cells == {0: "A", 3: "B", 6: "B", 27: "A", 30: "B", 33: "B", 54: "A", 57: "B", 60: "B"}


def test_else_every_free_cell_has_its_letter_beside_it():
    puzzle = Puzzle(tuple(value if cell == 0 else 0 for cell, value in enumerate(GRID)))
    found = origin_of(puzzle, marks(lambda cell: cell % 2 == 0, (80,)))
    assert set(found.cells) == set(CELLS) - {0, 80}
    assert (found.cells[1], found.cells[2]) == ("B", "A")
    assert plain(lines(small(3), marks(lambda cell: cell % 2 == 0)))[1].startswith("1 A1  B2  A3")


def test_without_parents_nothing_is_marked():
    assert origin_of(EMPTY, {"moved": (3,)}) is NOWHERE


def test_letters_never_hide_a_conflict_or_a_move():
    assert compact_line(Cell(7, FROM_A | CLASH), "7", UNICODE)[0] == ("A", "muted")
    assert ("!", "alarm") in compact_line(Cell(7, FROM_A | CLASH), "7", UNICODE)
    assert compact_line(Cell(7, FROM_A | MOVED), "7", UNICODE)[0] == ("[", "now")
    assert compact_line(Cell(7, FROM_A | CURSOR), "7", UNICODE)[0] == (">", "data_strong")


@pytest.mark.parametrize(("heat", "role", "bar"), [(8, "strong", "█"), (4, "text", "▄"), (1, "muted", "▁")])
def test_tabu_marks_fade(heat, role, bar):
    assert compact_line(Cell(7, TABU, heat=heat), "7", UNICODE)[::2] == (("⊘", role), (bar, role))
    assert compact_line(Cell(7, TABU | CLASH, heat=heat), "7", UNICODE)[3] == ("!", "alarm"), "a conflict stays"
    assert compact_line(Cell(7, TABU, heat=heat), "7", ASCII)[0] == ("t", role)


def test_tabu_marks_and_heat_come_from_the_view():
    heat = tuple(1.0 if cell == 3 else float("nan") for cell in CELLS)
    position = Position(EMPTY, GRID, {"tabu": (3,)}, hints=Hints(heat=heat))
    assert "⊘4█" in plain(board_rows(position, small(3), Space(40, 12)))[1]
