"""The facts of the selected puzzle in the columns that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.puzzles import packs
from engine.solver import Outcome
from tui.look.glyphs import UNICODE
from tui.screens.home.puzzle_card import Card, card_lines
from tui.storage.library import pack_entries
from tui.storage.run_files import SavedRun
from tui.widgets.rows import Space

PUZZLE = packs.find("easy:1").puzzle


@pytest.mark.parametrize(("width", "shown"), [
    (42, "your last run anneal, solved, 83 259 steps"),
    (41, "last run anneal, solved, 83 259 steps"),
    (37, "last run anneal, solved, 83 259 steps"),
    (36, "last run anneal, solved"),
    (23, "last run anneal, solved"),
])
def test_the_last_run_drops_a_part_where_it_does_not_fit(width: int, shown: str) -> None:
    run = SavedRun(Path("a.run"), PUZZLE, "first-steps", "anneal", 0, 83259, 83259, Outcome("solved", (), 0, ""), 0.0)
    card = Card(next(each for each in pack_entries() if each.puzzle == PUZZLE), "one", run)
    last = card_lines(card, Space(width, 3, UNICODE))[-1]
    assert "".join(text for text, _role in last) == shown
