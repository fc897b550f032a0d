"""Writing only differing cells leaves the same screen as writing everything."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.terminal.capabilities import Terminfo
from tui.terminal.cells import GAP, ScreenCells
from tui.terminal.sequences import PLAIN, Piece, Sgr, written

COLUMNS, ROWS = 24, 3
SETTINGS = st.sampled_from([PLAIN, Sgr((), "31"), Sgr((), "32", "44"), Sgr(("1",), "31"), Sgr(("4",), "", "44")])
TEXTS = st.text(st.sampled_from("a b "), min_size=1, max_size=COLUMNS) | st.sampled_from(["漢", "a漢字 b"])


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    text = draw(TEXTS)
    width = sum(2 if character > "z" else 1 for character in text)
    return Piece(draw(st.integers(0, ROWS - 1)), draw(st.integers(0, COLUMNS - width)), text, width, draw(SETTINGS))


def cells(screen: pyte.Screen) -> list[object]:
    """The visible part of a cell: a blank without underline has no ink."""
    found = [screen.buffer[y][x] for y in range(ROWS) for x in range(COLUMNS)]
    return [cell._replace(fg="", bold=False) if cell.data == " " and not cell.underscore else cell for cell in found]


@pytest.mark.sweep
@settings(max_examples=300)
@given(st.lists(st.lists(pieces(), max_size=4), max_size=6))
def test_the_same_cells_with_less(updates: list[list[Piece]]) -> None:
    whole, spare, known = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS), ScreenCells()
    for found in updates:
        pyte.Stream(whole).feed(written(found, Terminfo()))
        pyte.Stream(spare).feed(written(known.differing(found), Terminfo()))
        assert cells(spare) == cells(whole)
        assert not [part for part in known.differing(found[-1:]) if part.width == len(part.text)]


def test_near_differences_are_written_in_one_go_and_far_ones_apart() -> None:
    known = ScreenCells()
    known.differing([Piece(0, 0, "." * 20, 20, PLAIN)])
    assert known.differing([Piece(0, 0, "x" + "." * GAP + "x" + "." * 14, 20, PLAIN)]) == [
        Piece(0, 0, "x" + "." * GAP + "x", GAP + 2, PLAIN)]
    assert known.differing([Piece(0, 0, "." * 19 + "x", 20, PLAIN)]) == [
        Piece(0, 0, "." * (GAP + 2), GAP + 2, PLAIN), Piece(0, 19, "x", 1, PLAIN)]


def test_what_was_forgotten_is_written_again() -> None:
    known, found = ScreenCells(), [Piece(1, 2, "ab", 2, PLAIN)]
    assert known.differing(found) == found
    assert known.differing(found) == []
    known.forget()
    assert known.differing(found) == found
