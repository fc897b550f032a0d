"""Overlays of the board: heat, weights, marked candidates, units, causes; and the panels of their solvers."""

from __future__ import annotations

from math import nan

import pytest

from engine.puzzle import Puzzle
from engine.view import AutomatonPanel, Block, CountsPanel, ListPanel, Panel, Sections, TablePanel, View
from tui.look.glyphs import ASCII, UNICODE, Glyphs
from tui.widgets.board.board import Position, board_rows, cells_of
from tui.widgets.board.cell import cell_lines
from tui.widgets.board.cell_line import cell_rows
from tui.widgets.board.layout import large, medium, pencil, small
from tui.widgets.board.overlays import NO_HINTS, Hints, hints_of
from tui.widgets.panels.panel import panel_rows
from tui.widgets.rows import Rows, Space, eighths, plain, roles

PUZZLE = Puzzle((0,) * 16, 2)
NINE = Puzzle((0,) * 81)


def cell(hints: Hints, candidates: int | None = None, layout=small, index: int = 0, glyphs: Glyphs = UNICODE):
    masks = None if candidates is None else (candidates,) * 81
    where = Position(NINE, (5, *(0,) * 80), candidates=masks, hints=hints)
    lines = cell_lines(cells_of(where)[index], layout(3), glyphs)
    return ["".join(text for text, _role in line) for line in lines], [roles(line) for line in lines]


def test_a_view_without_hints_has_the_same_object() -> None:
    assert hints_of(View((0,) * 81)) is NO_HINTS
    assert hints_of(View((0,) * 81, units=(3,))).units == (3,)


@pytest.mark.parametrize(("share", "bar"), [(0.0, 0), (0.001, 1), (0.5, 4), (1.0, 8), (nan, -1)])
def test_heat_is_seen_however_small(share: float, bar: int) -> None:
    assert eighths(share) == bar


def test_heat_is_beside_the_value_on_every_board() -> None:
    hints = Hints(heat=(0.5, *(1.0,) * 79, nan))
    assert cell(hints)[0] == [" 5▄ "]
    assert cell(hints, index=1)[0] == [" ·█ "]
    assert cell(hints, index=80)[0] == [" ·  "]
    assert cell(hints, layout=medium)[0] == [" 5▄ "]
    assert "▄" in cell(hints, layout=large)[0][1]
    assert cell(hints, 0b11, pencil, 1)[0][0] == " 12   █"


def test_in_ascii_heat_is_no_second_digit() -> None:
    (text,), _roles = cell(Hints(heat=(0.5,) * 81), glyphs=ASCII)
    assert text == " 5+ "
    assert not any(glyph.isdigit() for glyph in ASCII.heats)


def test_candidates_eliminated_at_this_step_are_still_shown() -> None:
    texts, drawn = cell(Hints(pencils={"struck": ((1, 4), (1, 7)), "support": ((1, 2),)}), 0b11, pencil, 1)
    assert texts == [" 12 4  ", "  7    "]
    assert [role for character, role in drawn[0] if character in "124"] == ["muted", "data_strong", "now"]


def test_eliminating_the_last_candidate_raises_the_alarm() -> None:
    texts, drawn = cell(Hints(pencils={"struck": ((1, 4),)}), 0, pencil, 1)
    assert texts[0] == "   ∅!  "
    assert drawn[0][3:5] == [("∅", "conflict"), ("!", "alarm")], "a dead end, not the value that was eliminated"


def test_candidates_are_written_by_their_weights() -> None:
    weights = (0.05, 0.3, 0.65, *(0.0,) * 6) * 81
    _texts, drawn = cell(Hints(weights=weights), 0b111, pencil, 1)
    assert [role for character, role in drawn[0] if character in "123"] == ["future", "text", "strong"]


def test_units_are_named_by_their_labels_and_their_cells() -> None:
    where = Position(PUZZLE, (1, *(0,) * 15), hints=Hints(units=(0, 5)))
    drawn: Rows = board_rows(where, small(2), Space(40, 12))
    text = plain(drawn)
    assert text[0] == plain(board_rows(Position(PUZZLE, (0,) * 16), small(2), Space(40, 12)))[0]
    assert [role for character, role in roles(drawn[0]) if character in "1234"] == ["muted", "strong", "muted", "muted"]
    assert roles(drawn[1])[0] == ("1", "strong")
    assert roles(drawn[2])[0] == ("2", "muted")
    assert [line.count(":") for line in text[1:4]] == [4, 1, 0]


def test_the_line_of_a_cell_has_the_causes_of_eliminations() -> None:
    causes = ["", "r1c2", "", "box 2", *[""] * 60]
    view = View((0,) * 16, candidates=(0b101,) * 16, causes=tuple(causes))
    (line,) = plain(cell_rows(PUZZLE, view, 0, Space(80)))
    assert line.rstrip() == "r1c1  could be 1 3  not 2 r1c2  4 box 2"
    assert [line.rstrip() for line in plain(cell_rows(PUZZLE, view, 0, Space(20, 3)))] == [
        "r1c1  could be 1 3", "not 2 r1c2  4 box 2", ""]
    assert "not" not in "".join(plain(cell_rows(PUZZLE, view, 1, Space(80))))


def drawn(panel: Panel, width: int = 44, height: int = 12, glyphs: Glyphs = UNICODE) -> Rows:
    return panel_rows(panel, 9, Space(width, height, glyphs))


TABLE = TablePanel("Formula", ("kind", "text"), (("asked", "r1c6 = 2"), ("given", "r4c2 = 2"), ("row 1", "distinct")),
                   0, (0, 1))


def test_a_table_marks_the_row_of_this_step_and_the_core() -> None:
    rows = drawn(TABLE)
    assert [line.rstrip() for line in plain(rows)[:5]] == [
        "Formula                      ! = in the core", "  kind   text", "▶!asked  r1c6 = 2", "! given  r4c2 = 2",
        "  row 1  distinct"]
    assert {role for _character, role in roles(rows[2])} == {"now"}
    assert roles(rows[3])[0] == ("!", "alarm")


def test_a_table_that_is_too_wide_is_shortened_column_by_column() -> None:
    wide = TablePanel("T", (), (("a" * 30, "b" * 30, "c"),))
    (line,) = (text for text in plain(drawn(wide, 24)) if "a" in text)
    assert "…" in line
    assert "b" in line
    assert "c" not in line


def test_counts_are_side_by_side_if_there_is_room() -> None:
    panel = CountsPanel("Columns", (Block("cells", (1, 2, -1, 0), 2), Block("rows", (3, 4, 5, 6), 2)), ((1, 2),))
    wide, narrow = plain(drawn(panel)), plain(drawn(panel, 8))
    assert [line.rstrip() for line in wide[1:4]] == ["cells  rows", "12     34", "·0     56"]
    assert [line.rstrip() for line in narrow[1:8]] == ["cells", "12", "·0", "", "rows", "34", "56"]
    assert ("5", "now") in roles(drawn(panel)[3])
    assert ("0", "alarm") in roles(drawn(panel)[3])


def test_an_automaton_reads_a_letter_a_line() -> None:
    panel = AutomatonPanel("Automaton", ("r1c5", "r2c5"), ("no", "yes"), ("box 2", "= 2"), ("(0)", "(0)", "((1))"),
                           True, 1)
    text = [line.rstrip() for line in plain(drawn(panel))]
    assert text[1:5] == ["  state  reads  letter  because", "  (0)    r1c5   no      box 2",
                         "▶ (0)    r2c5   yes     = 2", "  ((1))  accepted"]


def test_sections_are_under_one_another_and_the_last_gives_way() -> None:
    both = Sections("Z3", (TABLE, ListPanel("Counts", ("decisions 3", "conflicts 1"))))
    text = [line.rstrip() for line in plain(drawn(both, height=12))]
    assert text[0].split() == ["Formula", "!", "=", "in", "the", "core"], "the first title is the heading"
    assert text[5:9] == ["", "Counts", "decisions 3", "conflicts 1"]
    assert plain(drawn(both, height=6))[-1].rstrip() == "… Counts", "the part left out is named"


@pytest.mark.parametrize("panel", [TABLE, Sections("Z3", (TABLE,))], ids=["table", "sections"])
def test_panels_in_ascii(panel: Panel) -> None:
    assert all(line.isascii() for line in plain(drawn(panel, glyphs=ASCII)))
