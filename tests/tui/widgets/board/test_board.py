"""Boards: the exact strings of the specification, every mark with its role, every size, scrolling."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from tui.look.glyphs import ASCII, UNICODE
from tui.widgets.board.board import Position, Scroll, board_rows, cells_of, follow, part_shown
from tui.widgets.board.cell import Cell, cell_lines
from tui.widgets.board.layout import Layout, choices, fitting, large, medium, pencil, small, window
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


def test_board_s_is_as_specified():
    lines = text(position(CONFLICTS), small(3))
    assert lines[0].rstrip() == "   1   2   3    4   5   6    7   8   9"
    assert lines[6].rstrip() == "5  7   9!  1  │ 6!  8   5  │ 4   3   2"
    assert lines[7].rstrip() == "6  6   8   4! │ 3   1!  2  │[5]![9]! 7"
    assert lines[8] == "  ────────────┼────────────┼────────────"
    assert (len(lines), {len(line) for line in lines}) == (12, {40})


def test_board_m_is_as_specified():
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
    (line,) = cell_lines(cells_of(where)[index], small(3), UNICODE)
    return "".join(text for text, _role in line), tuple(role for _text, role in line)


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
        (position({"partner": (36,)}), 36, "(7) ", "text"),
        (position({"partner": (36,), "conflict": (36,)}), 36, "(7)!", "conflict"),
        (position({"partner": (36,), "moved": (36,)}), 36, "[7] ", "now"),
        (position({"reach": (36,)}), 36, "∘7  ", "text"),
        (position({"reach": (36,), "conflict": (36,)}), 36, "∘7! ", "conflict"),
        (position({"reach": (36,), "partner": (36,)}, cursor=36), 36, ">7< ", "text"),
    ],
)
def test_marks_of_a_cell(where, index, marks, digit_role):
    shown, parts = cell(where, index)
    assert (shown, parts[1]) == (marks, digit_role)


def test_the_ground_of_a_swap_covers_its_marks_and_stays_under_the_cursor():
    _shown, parts = cell(position(CONFLICTS, cursor=51), 51)
    assert parts == ("now", "now_conflict", "now", "alarm")
    assert cell(position(cursor=51), 51)[1] == ("data_strong", "text", "data_strong", "blank")
    assert cell(position(variant="diagonal"), 0)[1][2] == "muted"


def test_sizes_of_the_other_boards():
    assert (small(2).width, small(2).height) == (2 + 2 * 8 + 1, 1 + 4 + 1)
    assert small(4).height == 20
    assert small(4, digits=2).width == 3 + 4 * 20 + 3
    assert small(5).height == 1 + 25 + 4
    assert fitting(3, 46, 18).name == "M"
    assert fitting(3, 46, 17).name == "S"
    assert fitting(3, 74, 36).name == "L"
    assert fitting(3, 74, 35).name == "M"
    assert fitting(3, 69, 27, candidates=True).name == "pencil"
    assert fitting(3, 69, 26, candidates=True).name == "M"
    assert fitting(4, 90, 20).digits == 2
    assert fitting(4, 80, 20).digits == 1
    assert fitting(4, 80, 19).digits == 1
    assert (fitting(4, 94, 32).name, fitting(4, 94, 32).digits) == ("M", 2)
    assert (fitting(4, 78, 32).name, fitting(4, 78, 32).digits) == ("M", 1)
    assert fitting(5, 60, 20) == small(5)


def test_two_column_values_and_letters():
    puzzle = Puzzle((0,) * 256, 4)
    where = Position(puzzle, tuple(1 + (cell % 16 + cell // 16 * 4) % 16 for cell in range(256)))
    letters, numbers = text(where, small(4)), text(where, small(4, digits=2))
    assert letters[1].rstrip() == " 1  1   2   3   4  │ 5   6   7   8  │ 9   A   B   C  │ D   E   F   G"
    assert numbers[1].rstrip() == (
        " 1   1    2    3    4  │  5    6    7    8  │  9   10   11   12  │ 13   14   15   16")
    assert letters[0].rstrip() == "    1   2   3   4    5   6   7   8    9  10  11  12   13  14  15  16"


@pytest.mark.parametrize("layout", [each for box in (2, 3, 4, 5) for each in choices(box, candidates=True)])
def test_a_click_finds_the_cell_under_it(layout):
    for cell_number in range(layout.n**2):
        x, y = layout.column_x(cell_number % layout.n), layout.row_y(cell_number // layout.n)
        places = [(x + across, y + down) for across in range(layout.cell_width) for down in range(layout.tall)]
        assert {layout.cell_at(*place) for place in places} == {cell_number}
    between = [layout.cell_at(layout.column_x(0), y) for y in range(layout.row_y(0), layout.row_y(1))]
    assert set(between) == {0}, "a click between two rows is one on the upper row"
    assert layout.cell_at(0, layout.row_y(0)) is None
    assert layout.cell_at(layout.column_x(0), 0) is None
    assert layout.cell_at(layout.column_x(0), layout.height) is None


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


def test_a_board_that_does_not_fit_names_its_visible_part() -> None:
    layout, puzzle = small(5), Puzzle((0,) * 625, 5)
    for width, cursor in itertools.product(range(40, 79), (0, 312, 624)):
        space = Space(width, 20)
        where = Position(puzzle, tuple(1 + cell % 25 for cell in range(625)), {}, cursor)
        scroll = follow(Scroll(), layout, cursor, space)
        lines = plain(board_rows(where, layout, space, scroll))
        down, across = part_shown(layout, space, scroll)
        labelled = [int(line[:3]) - 1 for line in lines[1:] if line[:3].strip()]
        assert list(down) == labelled
        assert {str(column + 1) for column in across} <= set(lines[0].split())
        assert cursor // 25 in down
        assert cursor % 25 in across
        assert lines[0].split()[0] == str(across.start + 1), "the column at the left is not cut"
        moved = Position(puzzle, where.grid, {"moved": tuple(range(625))})
        assert plain(board_rows(moved, layout, space, scroll))[1].count("]") == len(across)
    assert part_shown(layout, Space(layout.width, layout.height), Scroll()) == (range(25), range(25))


@settings(max_examples=200)
@given(st.sampled_from([4, 5]), st.integers(20, 140), st.integers(0, 624), st.booleans())
def test_the_columns_of_a_board_that_does_not_fit_are_those_of_its_caption(
        box: int, width: int, cursor: int, scrolled: bool) -> None:
    """With all their marks, and nothing of others."""
    n = box * box
    layout, space = fitting(box, width, 40), Space(width, 40)
    scroll = follow(Scroll(), layout, cursor % n**2, space) if scrolled else Scroll()
    where = Position(Puzzle((0,) * n**2, box), (n,) * n**2, {"conflict": tuple(range(n**2))})
    lines = plain(board_rows(where, layout, space, scroll))
    _down, across = part_shown(layout, space, scroll)
    assert [int(number) for number in lines[0].split()] == [column + 1 for column in across]
    first = lines[layout.row_y(0)] if not scroll.y else lines[1]
    assert first.count("!") == len(across)


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
    st.builds(Space, st.integers(1, 80), st.integers(1, 40), st.sampled_from([UNICODE, ASCII])), st.booleans())
def test_any_position_fills_its_space_exactly(grid, marks, cursor, variant, space, pencilled):
    width, height, glyphs = space.width, space.height, space.glyphs
    masks = tuple((value * 37 + cell) % 512 for cell, value in enumerate(grid)) if pencilled else None
    where = Position(Puzzle(grid, 3, variant), grid, marks, cursor, masks)
    layout = fitting(3, width, height, pencilled)
    drawn = board_rows(where, layout, space, follow(Scroll(), layout, cursor, space))
    assert len(drawn) == height
    assert {length(line) for line in drawn} == {width}
    assert all(len(roles(line)) == width for line in drawn)
    assert glyphs is UNICODE or all(line.isascii() for line in plain(drawn))


# Line digits


def test_board_l_is_as_specified():
    values = {0: 3, 1: 8, 2: 4, 3: 2, 4: 1, 5: 2, 6: 5, 7: 9, 8: 7}
    grid = tuple(values.get(cell, 0) for cell in range(81))
    where = position({"conflict": (2, 4, 6), "moved": (6, 7)}, givens=(4,), grid=grid)
    lines = text(where, large(3))
    assert (len(lines), {len(line) for line in lines}) == (36, {74})
    assert lines[1].rstrip() == "     ╶─╮    ╭─╮    ╷ ╷ !  │  ╶─╮    ╺┓  !  ╶─╮    │ ⎡╭─╴⎤! ⎡╭─╮⎤   ╶─┐"
    assert lines[2].rstrip() == " 1    ─┤    ├─┤    ╰─┤    │  ┌─┘     ┃     ┌─┘    │ ⎢╰─╮⎥  ⎢╰─┤⎥     │"
    assert lines[3].rstrip() == "     ╶─╯    ╰─╯      ╵    │  ╰─╴    ╺┻╸    ╰─╴    │ ⎣╶─╯⎦  ⎣╶─╯⎦     ╵"
    assert lines[12] == "   ───────────────────────┼───────────────────────┼───────────────────────"


def tall(flags_of: Position, index: int, glyphs=UNICODE):
    return cell_lines(cells_of(flags_of)[index], large(3), glyphs)


def test_a_conflict_in_line_digits_is_underlined_at_its_foot():
    top, middle, bottom = tall(position({"conflict": (36,)}), 36)
    assert [line[1][1] for line in (top, middle, bottom)] == ["alarm", "alarm", "conflict"]
    assert [line[3][0] for line in (top, middle, bottom)] == ["! ", "  ", "  "]
    swapped = tall(position({"conflict": (36,), "moved": (36,)}), 36)
    assert [line[1][1] for line in swapped] == ["now", "now", "now_conflict"]


def test_the_cursor_is_beside_the_middle_of_a_line_digit_and_the_ground_stays():
    assert ["".join(text for text, _role in line) for line in tall(position(cursor=36), 36)] == [
        " ╶─┐   ", ">  │<  ", "   ╵   "]
    swapped = tall(position({"moved": (36,)}, cursor=36), 36)
    assert [[role for _text, role in line[:3]] for line in swapped] == [["now"] * 3] * 3
    assert [line[0][0] for line in swapped] == [" ", ">", " "]


def test_line_digits_in_ascii_are_plain_digits_in_the_middle_with_brackets_on_three_lines():
    swapped = tall(position({"moved": (36,), "conflict": (36,)}), 36, ASCII)
    assert ["".join(text for text, _role in line) for line in swapped] == ["[   ]  ", "[ 7 ]! ", "[   ]  "]
    assert swapped[1][1][1] == "now_conflict"


def test_given_and_free_digits_differ_in_every_stroke():
    for value in range(1, 10):
        shapes = [cell_lines(Cell(value, flags), large(3), UNICODE) for flags in (0, 1)]
        assert all(a[1][0] != b[1][0] or not a[1][0].strip() for a, b in zip(*shapes, strict=True))


# Pencil marks


def pencilled(mask: int, **marks) -> list[str]:
    where = Position(Puzzle(EMPTY, 3), EMPTY, marks, None, (mask,) * 81)
    return ["".join(text for text, _role in line) for line in cell_lines(cells_of(where)[0], pencil(3), UNICODE)]


def test_every_candidate_has_its_place():
    assert pencilled(0b111111111) == [" 12345 ", " 6789  "]
    assert pencilled(0b101010101) == [" 1 3 5 ", "  7 9  "]
    assert pencilled(0) == ["   ∅!  ", "       "]
    assert pencilled(0b11, moved=(0,)) == ["[12   ]", "       "]
    assert pencilled(0b11, core=(0,)) == [" 12   !", "       "]
    assert pencilled(0b11, core=(0,), moved=(0,)) == ["[12   ]", "      !"]


def test_a_lone_candidate_stands_out_and_a_placed_digit_is_in_the_middle():
    where = Position(Puzzle(EMPTY, 3), (5, *EMPTY[1:]), {"moved": (0,)}, 2, (0, 0b1000, 0b11) + (0b11,) * 78)
    placed, lone, two = (cell_lines(cell, pencil(3), UNICODE) for cell in cells_of(where)[:3])
    assert "".join(text for text, _role in placed[0]) == "  [5]  "
    assert ("4", "data_strong") in lone[0]
    assert ("1", "muted") in two[0]
    assert two[0][0] == (">", "data_strong")


@pytest.mark.parametrize("value", range(1, 10))
def test_a_lone_candidate_is_told_from_a_placed_digit_without_colours(value):
    placed = Position(Puzzle(EMPTY, 3), (value, *EMPTY[1:]), {}, None, (0,) * 81)
    lines = ["".join(text for text, _role in line) for line in cell_lines(cells_of(placed)[0], pencil(3), UNICODE)]
    assert pencilled(1 << value - 1) != lines
    assert pencilled(0b100) == ["  ·3·  ", "       "]


def test_a_pencil_board_has_the_specified_size():
    where = Position(Puzzle(EMPTY, 3), EMPTY, {}, None, (511,) * 81)
    lines = text(where, pencil(3))
    assert (len(lines), {len(line) for line in lines}) == (27, {69})
    assert lines[1].startswith("1  12345  12345  12345 │  12345 ")
    assert lines[9] == "  ─────────────────────┼──────────────────────┼──────────────────────"
    assert lines[0].index("1") == 5
    assert lines[0].index("9") == 65


def test_a_board_too_large_for_its_pane_keeps_its_place_without_a_cell_to_follow():
    layout, space = small(5), Space(78, 20)
    scrolled = follow(Scroll(), layout, 624, space)
    assert follow(scrolled, layout, None, space) == scrolled
    assert follow(scrolled, layout, None, Space(layout.width, layout.height)) == Scroll()


def test_unchanged_rows_are_the_same_objects():
    space = Space(74, 36)
    before = board_rows(position(), large(3), space)
    after = board_rows(position({"moved": (36,)}), large(3), space)
    assert [y for y in range(36) if before[y] is not after[y]] == [17, 18, 19]
