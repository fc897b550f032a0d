"""Boards: the exact strings of the specification, every mark with its role, every size, scrolling."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from tui.glyphs import ASCII, UNICODE
from tui.widgets.board import Position, Scroll, board_rows, cell_ink, follow
from tui.widgets.board_layout import Layout, fitting, medium, small, window
from tui.widgets.rows import Space, length, plain, roles

FIFTH = "791685432"
SIXTH = "684312597"
EMPTY = (0,) * 81


def position(marks=None, cursor=None, givens=(), variant="classic", grid=None) -> Position:
    """Rows 5 and 6 of the specification's examples on an otherwise empty board."""
    cells = grid or tuple(int(symbol) for symbol in "0" * 36 + FIFTH + SIXTH + "0" * 27)
    puzzle = Puzzle(tuple(value if cell in givens else 0 for cell, value in enumerate(cells)), 3, variant)
    return Position(puzzle, cells, marks or {}, cursor)


CONFLICTS = {"conflict": (37, 39, 47, 49, 51, 52), "moved": (51, 52)}


def text(where: Position, layout: Layout, glyphs=UNICODE) -> list[str]:
    return plain(board_rows(where, layout, Space(layout.width, layout.height, glyphs)))


def test_board_s_is_what_the_specification_shows():
    lines = text(position(CONFLICTS), small(3))
    assert lines[0].rstrip() == "   1   2   3    4   5   6    7   8   9"
    assert lines[6].rstrip() == "5  7   9!  1  │ 6!  8   5  │ 4   3   2"
    assert lines[7].rstrip() == "6  6   8   4! │ 3   1!  2  │[5]![9]! 7"
    assert lines[8] == "  ────────────┼────────────┼────────────"
    assert (len(lines), {len(line) for line in lines}) == (12, {40})


def test_board_m_is_what_the_specification_shows():
    lines = text(position(CONFLICTS), medium(3))
    assert lines[0].rstrip() == "    1   2   3      4   5   6      7   8   9"
    assert lines[9].rstrip() == "5   7   9!  1   │  6!  8   5   │  4   3   2"
    assert lines[10].rstrip() == "                │              │"
    assert lines[11].rstrip() == "6   6   8   4!  │  3   1!  2   │ [5]![9]! 7"
    assert lines[12] == "  ──────────────┼──────────────┼──────────────"
    assert (len(lines), {len(line) for line in lines}) == (18, {46})


def test_ascii_changes_nothing_but_the_glyphs():
    lines = text(position(CONFLICTS), small(3), ASCII)
    assert lines[6].rstrip() == "5  7   9!  1  | 6!  8   5  | 4   3   2"
    assert lines[8] == "  ------------+------------+------------"
    assert lines[1].rstrip() == "1  .   .   .  | .   .   .  | .   .   ."


def cell(where: Position, index: int):
    ink = cell_ink(where, index, small(3), UNICODE)
    return ink.left + ink.value + ink.right + ink.overflow, (
        ink.left_role, ink.value_role, ink.right_role, ink.overflow_role)


@pytest.mark.parametrize(
    ("where", "index", "marks", "digit_role"),
    [
        (position(), 36, " 7  ", "text"),
        (position(givens=(36,)), 36, " 7  ", "strong"),
        (position(), 0, " ·  ", "rule"),
        (position({"conflict": (36,)}), 36, " 7! ", "conflict"),
        (position({"conflict": (36,)}, givens=(36,)), 36, " 7! ", "conflict_strong"),
        (position({"core": (36,)}), 36, " 7! ", "conflict"),
        (position({"moved": (36,)}), 36, "[7] ", "now"),
        (position({"moved": (36,), "conflict": (36,)}), 36, "[7]!", "now_conflict"),
        (position(cursor=36), 36, ">7< ", "text"),
        (position({"conflict": (36,)}, cursor=36), 36, ">7<!", "conflict"),
        (position({"moved": (36,)}, cursor=36), 36, ">7< ", "now"),
        (position({"moved": (36,), "conflict": (36,)}, cursor=36), 36, ">7<!", "now_conflict"),
        (position(variant="diagonal"), 0, " ·╲ ", "rule"),
        (position(variant="diagonal"), 8, " ·╱ ", "rule"),
        (position({"conflict": (8,)}, variant="diagonal"), 8, " ·! ", "conflict"),
        (position({"moved": (8,)}, variant="diagonal"), 8, "[·] ", "now"),
    ],
)
def test_marks_of_a_cell(where, index, marks, digit_role):
    shown, parts = cell(where, index)
    assert (shown, parts[1]) == (marks, digit_role)


def test_the_ground_of_a_swap_covers_its_marks_and_stays_under_the_cursor():
    _shown, parts = cell(position(CONFLICTS, cursor=51), 51)
    assert parts == ("now", "now_conflict", "now", "alarm")
    assert cell(position(cursor=51), 51)[1] == ("data_strong", "text", "data_strong", "alarm")
    assert cell(position(variant="diagonal"), 0)[1][2] == "muted"


def test_sizes_of_the_other_boards():
    assert (small(2).width, small(2).height) == (2 + 2 * 8 + 1, 1 + 4 + 1)
    assert small(4).height == 20
    assert small(4, digits=2).width == 3 + 4 * 20 + 3
    assert small(5).height == 1 + 25 + 4
    assert fitting(3, 46, 18).name == "M"
    assert fitting(3, 46, 17).name == "S"
    assert fitting(4, 90, 20).digits == 2
    assert fitting(4, 80, 20).digits == 1


def test_two_column_values_and_letters():
    puzzle = Puzzle((0,) * 256, 4)
    where = Position(puzzle, tuple(1 + (cell % 16 + cell // 16 * 4) % 16 for cell in range(256)))
    letters, numbers = text(where, small(4)), text(where, small(4, digits=2))
    assert letters[1].rstrip() == " 1  1   2   3   4  │ 5   6   7   8  │ 9   A   B   C  │ D   E   F   G"
    assert numbers[1].rstrip() == (
        " 1   1    2    3    4  │  5    6    7    8  │  9   10   11   12  │ 13   14   15   16")
    assert letters[0].rstrip() == "    1   2   3   4    5   6   7   8    9  10  11  12   13  14  15  16"


@pytest.mark.parametrize("layout", [small(2), small(3), medium(2), medium(3), small(4), small(4, 2), small(5)])
def test_a_click_finds_the_cell_under_it(layout):
    for cell_number in range(layout.n**2):
        x, y = layout.column_x(cell_number % layout.n), layout.row_y(cell_number // layout.n)
        assert {layout.cell_at(x + offset, y) for offset in range(layout.cell_width)} == {cell_number}
    assert layout.cell_at(0, layout.row_y(0)) is None
    assert layout.cell_at(layout.column_x(0), 0) is None


def test_a_large_board_scrolls_to_the_cursor_under_its_labels():
    layout, space = small(5), Space(78, 20)
    puzzle = Puzzle((0,) * 625, 5)
    where = Position(puzzle, tuple(1 + cell % 25 for cell in range(625)), {}, 624)
    scroll = follow(Scroll(), layout, 624, space)
    lines = plain(board_rows(where, layout, space, scroll))
    assert lines[-1].rstrip().endswith(">P<")
    assert lines[-1].startswith("25")
    assert "25" in lines[0]
    back = follow(scroll, layout, 0, space)
    assert back == Scroll(0, 0)
    assert follow(scroll, layout, 624 - 25, space) == scroll, "moves no further than it must"


@given(st.integers(0, 90), st.integers(0, 99), st.integers(1, 6), st.integers(6, 120))
def test_a_window_holds_what_it_must(first, cursor, pitch, room):
    total = 100
    cursor = min(cursor, total - pitch)
    begin = window(first, cursor, pitch, room, total)
    assert 0 <= begin <= cursor
    assert begin + room >= cursor + pitch or begin + room >= total


MARKS = st.dictionaries(
    st.sampled_from(["moved", "partner", "conflict", "core", "reach", "parent_a", "parent_b", "tabu"]),
    st.lists(st.integers(0, 80), max_size=8).map(tuple))


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 9), min_size=81, max_size=81).map(tuple), MARKS, st.none() | st.integers(0, 80),
    st.sampled_from(["classic", "diagonal"]),
    st.builds(Space, st.integers(1, 60), st.integers(1, 30), st.sampled_from([UNICODE, ASCII])))
def test_any_position_fills_its_space_exactly(grid, marks, cursor, variant, space):
    width, height, glyphs = space.width, space.height, space.glyphs
    where = Position(Puzzle(grid, 3, variant), grid, marks, cursor)
    layout = fitting(3, width, height)
    drawn = board_rows(where, layout, space, follow(Scroll(), layout, cursor, space))
    assert len(drawn) == height
    assert {length(line) for line in drawn} == {width}
    assert all(len(roles(line)) == width for line in drawn)
    assert glyphs is UNICODE or all(line.isascii() for line in plain(drawn))
