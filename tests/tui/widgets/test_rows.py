"""Rows of spans: cutting, filling, and which columns of two rows differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.theme import PALETTES, Palette, Role
from tui.widgets.rows import MERGE_GAP, Space, changed, length, plain, roles, row, rows, spread


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


def test_near_changes_are_one_stretch_and_far_ones_two():
    before = row((("." * 30, "text"),), 30)
    near = row((("x" + "." * MERGE_GAP + "x", "text"), ("." * 30, "text")), 30)
    far = row((("x" + "." * (MERGE_GAP + 1) + "x", "text"), ("." * 30, "text")), 30)
    assert list(changed(before, near, 30)) == [(0, MERGE_GAP + 2)]
    assert list(changed(before, far, 30)) == [(0, 1), (MERGE_GAP + 2, 1)]
    assert list(changed(before, before, 30)) == []
    assert list(changed(None, before, 30)) == [(0, 30)]


def test_a_change_of_role_alone_is_a_change():
    assert list(changed(row((("ab", "text"),), 2), row((("a", "text"), ("b", "strong")), 2), 2)) == [(1, 1)]


SOME_ROLES = ["text", "strong", "alarm", "conflict", "now"]
SPANS = st.tuples(st.text("ab .", min_size=1, max_size=5), st.sampled_from(SOME_ROLES))
ROWS = st.lists(SPANS, max_size=6).map(lambda spans: row(spans, 20))


@given(ROWS, ROWS)
def test_painting_the_changed_stretches_over_the_old_row_gives_the_new_one(before, after):
    painted, new = roles(before), roles(after)
    for start, columns in changed(before, after, 20):
        assert columns > 0
        painted[start : start + columns] = new[start : start + columns]
    for palette in PALETTES.values():
        assert [seen(*cell, palette) for cell in painted] == [seen(*cell, palette) for cell in new]


def seen(character: str, role: Role, palette: Palette) -> tuple[object, ...]:
    """What shows of a column: of a blank its ground, and a line under it."""
    style = palette.styles[role]
    if character == " ":
        return character, style.bgcolor, style.underline, style.reverse
    return character, style


def test_a_change_that_is_not_seen_is_not_painted():
    before, after = row((("7", "conflict"), ("!  ", "alarm")), 20), row((("7", "conflict"), ("!", "alarm")), 20)
    assert before != after
    assert list(changed(before, after, 20)) == []


def test_what_stands_between_two_changes_in_another_style_is_not_painted_along():
    before, after = (row(((f"{left} ", "text"), ("│", "rule"), (f" {right}", "text")), 20)
                     for left, right in ("12", "34"))
    assert list(changed(before, after, 20)) == [(0, 1), (4, 1)]
    assert list(changed(row((("1   2", "text"),), 20), row((("3   4", "text"),), 20), 20)) == [(0, 5)]


@given(st.lists(st.tuples(st.text(max_size=9), st.just("text")), max_size=5), st.integers(0, 30))
def test_any_text_is_cut_to_its_columns(spans, width):
    assert length(row(spans, width)) == width


@given(st.text(), st.integers(1, 30))
def test_nothing_but_what_shows_gets_into_a_row(text: str, width: int) -> None:
    (drawn,) = plain([row(((text, "text"),), width)])
    assert drawn.isprintable()
    assert length(((drawn, "text"),)) == width


def test_a_name_cannot_give_orders_to_the_terminal():
    assert plain([row((("a\x1b]0;x\x07\nb", "text"),), 12)]) == ["a?]0;x??b   "]
