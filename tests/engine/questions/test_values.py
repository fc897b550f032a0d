"""Values in order: how they are read, written and judged."""

from __future__ import annotations

import pytest

from engine.errors import BadInput
from engine.questions import Values

ROW = Values(kind="a", text="?", why=".", values=(4, 1, 3), ways=6, marked=(0, 1, 2),
             faults={(1, 3, 4): "They are sorted."})
WIDE = Values(kind="a", text="?", why=".", values=(12, 1, 16), ways=6, marked=(0, 1, 2), n=16)


def test_values_are_read_as_learners_write_them() -> None:
    assert [ROW.read(written) for written in ("4 1 3", " 413 ", "4,1,3", "4, 1, 3")] == [(4, 1, 3)] * 4
    assert [WIDE.read(written) for written in ("C 1 G", "c1g", "12 1 16")] == [(12, 1, 16)] * 3
    assert (ROW.write(ROW.model), WIDE.write(WIDE.model)) == ("4 1 3", "12 1 16")


@pytest.mark.parametrize(("written", "expected"), [
    ("4 1", "2 values: expected 3"), ("4", "1 value: expected 3"), ("4 1 3 2", "4 values: expected 3"),
    ("", "type the 3 values first"), ("4 1 0", "'0' is no value: expected 1 to 9"), ("4 1 A", "expected 1 to 9"),
    ("4 1 .", "expected 1 to 9"), ("4 1 12", "'12' is no value"), ("4 1 ²", "is no value"),
    ("4 AB 3", "'AB' is no value"), ("r1c1", "'R' is no value"),
])
def test_other_answers_are_refused_in_one_sentence(written: str, expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        ROW.read(written)


def test_an_answer_is_right_only_in_its_order() -> None:
    assert ROW.judge((4, 1, 3)).right
    assert ROW.judge((4, 3, 1)).misconception == ""
    assert not ROW.judge((4, 3, 1)).right
    assert ROW.judge((1, 3, 4)).misconception == "They are sorted."
    assert ROW.chance == pytest.approx(1 / 6)
