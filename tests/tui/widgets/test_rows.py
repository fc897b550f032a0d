"""Rows of spans: cutting, filling, and which columns of two rows differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.look.glyphs import ASCII, UNICODE
from tui.widgets.rows import Space, changed, clipped, fit, length, plain, roles, row, rows, spread


def test_a_row_has_exactly_its_width_and_merges_equal_neighbours():
    assert row((("ab", "text"), ("", "strong"), ("cd", "text")), 6) == (("abcd", "text"), ("  ", "blank"))
    assert row((("abcdef", "text"),), 4) == (("abcd", "text"),)
    assert row((("漢字", "text"),), 3) == (("漢 ", "text"),)


def test_missing_rows_are_blank_and_spare_ones_are_cut():
    assert plain(rows(([("a", "text")], [("b", "text")]), Space(2, 3))) == ["a ", "b ", "  "]
    assert plain(rows(([("a", "text")], [("b", "text")]), Space(2, 1))) == ["a "]


def test_the_right_part_is_dropped_where_it_would_touch_the_left_one():
    left, right = (("left", "text"),), (("right", "muted"),)
    assert plain([spread(left, right, 12)]) == ["left   right"]
    assert plain([spread(left, right, 10)]) == ["left      "]


def test_the_changed_columns_are_between_equal_ends():
    before = row((("left ", "muted"), ("12", "strong"), (" right", "muted")), 20)
    after = row((("left ", "muted"), ("34", "strong"), (" right", "muted")), 20)
    assert changed(before, after, 20) == (5, 2)
    assert changed(None, after, 20) == (0, 20)
    assert changed(before[:1], after, 20) == (0, 20)


def test_a_change_of_role_alone_is_a_change():
    assert changed(row((("ab", "text"),), 2), row((("a", "text"), ("b", "strong")), 2), 2) == (0, 2)


SOME_ROLES = ["text", "strong", "alarm", "conflict", "now"]
SPANS = st.tuples(st.text("ab .", min_size=1, max_size=5), st.sampled_from(SOME_ROLES))
ROWS = st.lists(SPANS, max_size=6).map(lambda spans: row(spans, 20))


@given(ROWS, ROWS)
def test_painting_the_changed_stretch_over_the_old_row_gives_the_new_one(before, after):
    painted, new = roles(before), roles(after)
    start, columns = changed(before, after, 20)
    painted[start : start + columns] = new[start : start + columns]
    assert painted == new


@given(st.lists(st.tuples(st.text(max_size=9), st.just("text")), max_size=5), st.integers(0, 30))
def test_any_text_is_cut_to_its_columns(spans, width):
    assert length(row(spans, width)) == width


@given(st.text(), st.integers(1, 30))
def test_a_row_has_only_printable_characters(text: str, width: int) -> None:
    (drawn,) = plain([row(((text, "text"),), width)])
    assert drawn.isprintable()
    assert length(((drawn, "text"),)) == width


def test_a_name_cannot_control_the_terminal():
    assert plain([row((("a\x1b]0;x\x07\nb", "text"),), 12)]) == ["a?]0;x??b   "]


@pytest.mark.parametrize(("text", "width", "shown"), [
    ("your last run anneal, solved, 49 241 steps", 42, "your last run anneal, solved, 49 241 steps"),
    ("your last run anneal, solved, 49 241 steps", 41, "your last run anneal, solved, 49 241 …"),
    ("your last run anneal, solved, 49 241 steps", 35, "your last run anneal, solved …"),
    ("not 1 r4c7  2 r1c8  3 box 4", 22, "not 1 r4c7  2 r1c8 …"), ("incomprehensibilities", 8, "incompr…")])
def test_a_long_line_ends_in_a_whole_word_and_an_ellipsis(text: str, width: int, shown: str) -> None:
    assert plain(rows([[(text[:9], "text"), (text[9:], "strong")]], Space(width)))[0].rstrip() == shown[:width]
    assert fit(text, width, UNICODE).rstrip() == shown[:width]


@given(st.lists(st.tuples(st.text(max_size=9), st.just("text")), max_size=5), st.integers(0, 30))
def test_any_text_is_clipped_to_its_columns(spans, width):
    drawn = row(clipped(tuple(spans), width, ASCII), width)
    assert rows([spans], Space(width, 1, ASCII)) == (drawn,)
    assert length(row(clipped(tuple(spans), width, UNICODE), width)) == width


@pytest.mark.parametrize("width", range(8, 27))
def test_a_number_after_a_word_is_never_cut(width: int) -> None:
    shown = "".join(text for text, _role in clipped((("from 1 to 1 000 000 000 000", "text"),), width, UNICODE))
    assert "1 000" not in shown
    assert shown.startswith("from 1")
