"""The documents say what the code declares, and the README's lines are the ones that are run."""

from __future__ import annotations

import re

from tests import documents


def test_the_tables_of_solvers_are_those_of_the_registry() -> None:
    text = documents.README.read_text(encoding="utf-8")
    assert documents.readme(text) == text, "run python -m tests.documents"
    assert documents.SOLVERS.read_text(encoding="utf-8") == documents.solvers(), "run python -m tests.documents"


def test_the_readme_has_exactly_two_lines_to_start_with() -> None:
    text = documents.README.read_text(encoding="utf-8")
    lines = re.findall(r"^    (python3 -m venv .*)$", text, re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("sudoku-tui hard:1")
    assert lines[1].endswith("-m pytest")


def test_every_file_that_the_readme_links_to_is_there() -> None:
    text = documents.README.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (documents.ROOT / link).exists()] == []
