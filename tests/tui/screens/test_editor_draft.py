"""The puzzle being edited, and its undo history."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.puzzle import Puzzle
from tui.screens.editor import Draft, typed_value
from tui.storage.puzzle_files import empty_puzzle, parse_pasted
from tui.undo import MOST

LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EDITS = st.lists(st.one_of(
    st.tuples(st.just("put"), st.integers(0, 15), st.integers(0, 4)), st.tuples(st.just("clear")),
    st.tuples(st.just("turn")), st.tuples(st.just("resize"), st.sampled_from([2, 3])),
    st.tuples(st.just("undo")), st.tuples(st.just("redo")),
), max_size=40)


@given(EDITS)
def test_undo_and_redo_reach_both_ends_of_the_history(edits: list[tuple[object, ...]]) -> None:
    draft = Draft(empty_puzzle(2), "mine")
    seen = [draft.puzzle]
    for name, *arguments in edits:
        before = draft.puzzle
        done = getattr(draft, str(name))(*arguments)
        assert done is (draft.puzzle != before)
        assert draft.changed is (draft.puzzle != seen[0])
    last = draft.puzzle
    while draft.redo():
        pass
    furthest = draft.puzzle
    undone = []
    while draft.undo():
        undone.append(draft.puzzle)
    assert draft.puzzle == seen[0]
    assert not draft.can_undo
    redone = [draft.puzzle]
    while draft.redo():
        redone.append(draft.puzzle)
    assert redone == [*reversed(undone), furthest] if undone else redone == [furthest]
    assert last in redone


def test_a_change_discards_the_redo_history() -> None:
    draft = Draft(empty_puzzle())
    draft.put(0, 5)
    draft.undo()
    draft.put(1, 6)
    assert not draft.can_redo
    assert not draft.redo()
    assert draft.puzzle.givens[:2] == (0, 6)


def test_the_undo_history_is_bounded() -> None:
    draft = Draft(empty_puzzle())
    for change in range(MOST + 10):
        draft.put(0, 1 + change % 2)
    steps = 0
    while draft.undo():
        steps += 1
    assert steps == MOST


def test_a_saved_puzzle_is_unchanged() -> None:
    draft = Draft(empty_puzzle())
    draft.put(3, 3)
    assert draft.changed
    draft.mark_saved()
    assert not draft.changed
    draft.undo()
    assert draft.changed


@pytest.mark.parametrize(("before", "typed", "n", "extend", "value"), [
    (0, "5", 9, False, 5), (5, "0", 9, False, 0), (5, ".", 9, True, 0), (3, "7", 9, True, 7), (0, "9", 4, False, None),
    (1, "2", 16, True, 12), (1, "0", 16, True, 10), (1, "9", 16, True, 9), (2, "5", 25, True, 25),
    (2, "6", 25, True, 6), (1, "2", 16, False, 2), (0, "a", 16, False, 10), (0, "G", 16, False, 16),
    (0, "H", 16, False, None), (0, "P", 25, False, 25), (0, "a", 9, False, None), (0, "é", 25, False, None),
    (0, "²", 9, False, None), (0, "-", 9, False, None),
])
def test_the_value_of_a_typed_character(before: int, typed: str, n: int, extend: bool, value: int | None) -> None:
    assert typed_value(before, typed, n, extend) == value


def test_a_puzzle_of_which_no_given_is_left_has_no_name() -> None:
    draft = Draft(Puzzle.from_line(LINE), "mine")
    assert draft.name == "mine"
    assert draft.turn()
    assert draft.name == "mine, edited"
    assert draft.clear()
    assert draft.name == ""
    assert draft.put(0, 5)
    assert draft.name == ""
    draft.undo()
    draft.undo()
    assert draft.name == "mine, edited"
    assert draft.resize(2)
    assert draft.name == ""


def test_a_puzzle_is_pasted_in_any_format() -> None:
    rows = "\n".join(LINE[row : row + 9] for row in range(0, 81, 9))
    for text in (LINE, LINE.replace(".", "0"), rows, f"# name: mine\n{LINE}\n"):
        record, said = parse_pasted(text, "the text")
        assert record.puzzle == Puzzle.from_line(LINE)
        assert said == ("mine" if "mine" in text else "a puzzle")
    assert parse_pasted(f"{LINE}\n{LINE}", "the text")[1] == "the first of several puzzles"


@pytest.mark.parametrize("text", ["", "hello", LINE[:80], "\0\x1b[31m", "1 2 3"])
def test_a_text_without_a_puzzle_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_pasted(text, "the pasted text")
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()
