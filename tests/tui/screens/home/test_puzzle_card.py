"""The facts of the selected puzzle in the columns that there are."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.puzzles import packs
from engine.run.recipe import Intervention, Recipe
from engine.solver import Outcome
from tui.look.glyphs import UNICODE
from tui.screens.home.puzzle_card import Card, card_lines
from tui.storage.library import pack_entries, run_entries, session_entries, setup_text
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
    solved = Outcome("solved", (), 0, "")
    run = SavedRun(Path("a.run"), Recipe(PUZZLE, "anneal", {}, 0), "first-steps", 83259, 83259, solved, 0.0)
    card = Card(next(each for each in pack_entries() if each.puzzle == PUZZLE), "one", run)
    last = card_lines(card, Space(width, 3, UNICODE))[-1]
    assert "".join(text for text, _role in last) == shown


@pytest.mark.parametrize("height", [3, 40])
def test_contradictory_givens_leave_no_search_space(height: int) -> None:
    entry = next(each for each in pack_entries() if each.argument == "traps:4")
    text = "\n".join("".join(text for text, _role in line) for line in card_lines(Card(entry, "none", None),
                                                                               Space(70, height, UNICODE)))
    assert "no grid keeps the givens" in text
    assert "0 neighbours" not in text
    assert "0 swaps" not in text


@pytest.mark.parametrize("height", [3, 40])
@pytest.mark.parametrize(("outcome", "group"), [(None, "interrupted"), (Outcome("solved", (), 0, ""), "closed")])
def test_the_card_of_a_session_says_how_it_ended(outcome: Outcome | None, group: str, height: int) -> None:
    run = SavedRun(Path("a.run"), Recipe(PUZZLE, "anneal", {}, 0), "first-steps", 7, 7, outcome, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    [entry] = session_entries([ResumableSession(saved, run)], 180.0)
    lines = ["".join(text for text, _role in line) for line in card_lines(Card(entry, "one", None),
                                                                          Space(60, height, UNICODE))]
    assert f"{group} 3 minutes ago" in [" ".join(line.split()) for line in lines]
    assert ("interrupted" in "".join(lines)) == (group == "interrupted")


CHANGES = (("T", 0.904555), ("alpha", 0.9))


@pytest.mark.parametrize(("values", "made", "width", "brief", "whole"), [
    ({}, (), 60, "preset strong", ["preset strong"]),
    ({"alpha": 0.99, "seedless": 1}, (), 60, "", []),
    ({"alpha": 0.5}, (), 60, "preset strong, α = 0.5", ["preset strong, α = 0.5"]),
    ({}, CHANGES[:1], 60, "preset strong; T = 0.905 after step 5 000", ["preset strong; T = 0.905 after step 5 000"]),
    ({}, CHANGES, 40, "2 changes, last α = 0.9 after step 5 000",
     ["2 changes, last α = 0.9 after step 5 000", "preset strong"]),
    ({}, CHANGES, 36, "2 changes, last α = 0.9", ["2 changes, last α = 0.9", "preset strong"]),
    ({}, (("move", "r1c2 r1c5"),), 60, "preset strong; move r1c2 r1c5 after step 5 000",
     ["preset strong; move r1c2 r1c5 after step 5 000"]),
])
def test_the_card_of_a_run_tells_its_parameters_and_its_changes(
        values: dict[str, Any], made: tuple[tuple[str, Any], ...], width: int, brief: str, whole: list[str]) -> None:
    recipe = Recipe(PUZZLE, "anneal", values, 0, tuple(Intervention(5000, name, value) for name, value in made))
    [entry] = run_entries([SavedRun(Path("a.run"), recipe, "first-steps", 7000, 7000, None, 0.0)])

    def told(height: int) -> list[str]:
        lines = ["".join(text for text, _role in line).strip() for line in card_lines(
            Card(entry, "one", None), Space(width, height, UNICODE))]
        begun = next(place for place, line in enumerate(lines) if line.startswith("begun"))
        return lines[begun + 1:]

    assert told(3) == [brief or "32 givens   1 solution"]
    assert told(40)[: len(whole) + 1] == [*whole, ""]


def test_of_many_parameters_that_are_no_presets_some_are_named() -> None:
    values = {"alpha": 0.5, "T0": 2.0, "moves": 7, "T_min": 0.1, "restarts": 9}
    run = SavedRun(Path("a.run"), Recipe(PUZZLE, "anneal", values, 0), "", 1, 1, None, 0.0)
    assert setup_text(run).startswith("preset strong, ")
    assert setup_text(run).endswith(", 2 more")
