"""Pending pieces show the same screen as writing all of them, and write no cell twice."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.terminal.capabilities import Terminfo
from tui.terminal.cells import PendingPieces
from tui.terminal.sequences import PLAIN, Piece, Sgr, shortest, written

COLUMNS, ROWS = 24, 3
SETTINGS = st.sampled_from([PLAIN, Sgr((), "31"), Sgr((), "32", "44"), Sgr(("4",), "", "44")])


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    text = draw(st.text(st.sampled_from("abc "), min_size=1, max_size=COLUMNS))
    return Piece(draw(st.integers(0, ROWS - 1)), draw(st.integers(0, COLUMNS - len(text))), text, len(text),
                 draw(SETTINGS))


@pytest.mark.sweep
@settings(max_examples=200)
@given(st.lists(st.lists(pieces(), max_size=4), max_size=8))
def test_the_same_cells_each_written_once(updates: list[list[Piece]]) -> None:
    whole, once, pending = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS), PendingPieces()
    for found in updates:
        pyte.Stream(whole).feed(written(found, Terminfo()))
        pending.add(found)
    assert bool(pending) == any(updates)
    taken = pending.take()
    pyte.Stream(once).feed(shortest(taken))
    assert [once.buffer[y][x] for y in range(ROWS) for x in range(COLUMNS)] == [
        whole.buffer[y][x] for y in range(ROWS) for x in range(COLUMNS)]
    places = [(piece.y, piece.x + column) for piece in taken for column in range(piece.width)]
    assert len(places) == len(set(places))
    assert not pending
    assert pending.take() == []


def test_of_a_wide_character_half_a_cell_is_blank() -> None:
    pending = PendingPieces()
    pending.add([Piece(0, 0, "漢字漢", 6, PLAIN)])
    pending.add([Piece(0, 1, "x", 1, PLAIN), Piece(0, 4, "y", 1, PLAIN)])
    assert [(piece.x, piece.text, piece.width) for piece in pending.take()] == [
        (0, " ", 1), (1, "x", 1), (2, "字", 2), (4, "y", 1), (5, " ", 1)]


def test_what_was_cleared_is_gone() -> None:
    pending = PendingPieces()
    pending.add([Piece(0, 0, "ab", 2, PLAIN)])
    pending.clear()
    assert pending.take() == []
