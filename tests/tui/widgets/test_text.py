"""Text in rows: what does not fit ends in whole words and an ellipsis."""

from __future__ import annotations

import pytest

from engine import registry
from tui.look.glyphs import UNICODE
from tui.widgets.rows import Space, plain
from tui.widgets.text import broken, wrapped

SUMMARIES = [registry.solver(name).summary for name in registry.names()]


@pytest.mark.parametrize("height", range(1, 6))
@pytest.mark.parametrize("width", range(30, 80, 3))
def test_a_text_longer_than_its_space_ends_in_whole_words_and_an_ellipsis(width: int, height: int) -> None:
    for summary in SUMMARIES:
        lines = plain(wrapped(summary, Space(width, height)))
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        text = " ".join(lines)
        if text != summary:
            shown, more = text[:-2], text[-2:]
            assert more == f" {UNICODE.ellipsis}"
            assert summary.startswith(shown)
            assert not summary[len(shown)].isalnum(), f"{lines[-1]!r} ends within a word"


def test_the_groups_of_a_number_stay_together():
    assert broken("as many as 12 345 678 moves", 14) == ["as many as", "12 345 678", "moves"]


def test_a_unit_keeps_its_number():
    assert broken("a swap within box 2 lowers E", 17) == ["a swap within", "box 2 lowers E"]
    assert broken("each box has 9 cells", 12) == ["each box has", "9 cells"]
    assert broken("each box 3", 9) == ["each", "box 3"]
