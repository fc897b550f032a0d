"""The documents say what the code declares, and the README's lines are the ones that are run."""

from __future__ import annotations

import re

from engine import registry
from engine.run import Run
from tests import documents
from tui import speed
from tui.catalogue import shipped
from tui.commands.options import DEFAULT_PUZZLE
from tui.commands.sources import single
from tui.request import Wish
from tui.screens.home_choice import HomeChoice
from tui.settings import Settings


def test_the_tables_of_solvers_are_those_of_the_registry() -> None:
    text = documents.README.read_text(encoding="utf-8")
    assert documents.readme(text) == text, "run python -m tests.documents"
    assert documents.SOLVERS.read_text(encoding="utf-8") == documents.solvers(), "run python -m tests.documents"


def test_the_readme_has_exactly_two_lines_to_start_with() -> None:
    text = documents.README.read_text(encoding="utf-8")
    lines = re.findall(r"^    (python3 -m venv .*)$", text, re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("sudoku-tui " + DEFAULT_PUZZLE)
    assert lines[1].endswith("-m pytest -n auto")


def test_what_a_newcomer_is_led_to_is_solved_within_two_minutes_of_playing() -> None:
    """The first line of the README, and what the list of puzzles has chosen when one only presses enter."""
    chosen = HomeChoice(shipped(), Wish()).entry
    assert chosen is not None
    solver = registry.solver(Settings().solver)
    for puzzle in {single(DEFAULT_PUZZLE).puzzle, chosen.puzzle}:
        run = Run.start(solver, puzzle, solver.make_params(Settings().preset or None), seed=0)
        run.advance(int(120 * speed.DEFAULT))
        assert run.outcome is not None
        assert run.outcome.status == "solved"


def test_every_file_that_the_readme_links_to_is_there() -> None:
    text = documents.README.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (documents.ROOT / link).exists()] == []
