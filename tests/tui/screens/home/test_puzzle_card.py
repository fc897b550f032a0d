"""The facts of the selected puzzle in the columns that there are."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.puzzles import packs
from engine.solver import Outcome
from tui.look.glyphs import UNICODE
from tui.screens.home.puzzle_card import Card, card_lines
from tui.storage.library import pack_entries, session_entries
from tui.storage.run_files import SavedRun
from tui.storage.sessions import ResumableSession
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


@pytest.mark.parametrize("height", [3, 40])
@pytest.mark.parametrize(("outcome", "group"), [(None, "interrupted"), (Outcome("solved", (), 0, ""), "closed")])
def test_the_card_of_a_session_says_how_it_ended(outcome: Outcome | None, group: str, height: int) -> None:
    run = SavedRun(Path("a.run"), PUZZLE, "first-steps", "anneal", 0, 7, 7, outcome, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    [entry] = session_entries([ResumableSession(saved, run)], 180.0)
    lines = ["".join(text for text, _role in line) for line in card_lines(Card(entry, "one", None),
                                                                          Space(60, height, UNICODE))]
    assert f"{group} 3 minutes ago" in [" ".join(line.split()) for line in lines]
    assert ("interrupted" in "".join(lines)) == (group == "interrupted")
