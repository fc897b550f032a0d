"""The documentation agrees with the code, its links work, and the two lines of the README are the ones that CI runs."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from click import Context

from engine import registry
from engine.bench import experiment_file
from engine.run.run import Run
from tests import documents
from tui.cli import program
from tui.commands import COMMANDS, LAB
from tui.commands.options import DEFAULT_PUZZLE
from tui.commands.sources import first_puzzle
from tui.config import speed
from tui.config.settings import Settings
from tui.requests import HomeRequest
from tui.screens.home.selection import HomeSelection
from tui.storage.library import pack_entries

PAGES = [page for place in (".", "docs", "engine", "tui", "puzzles")
         for page in sorted((documents.ROOT / place).glob("*.md"))]
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def test_the_tables_of_solvers_are_those_of_the_registry() -> None:
    text = documents.README.read_text(encoding="utf-8")
    assert documents.readme(text) == text, "run python -m tests.documents"
    assert documents.SOLVERS.read_text(encoding="utf-8") == documents.solvers(), "run python -m tests.documents"


def test_the_table_of_settings_is_that_of_the_code() -> None:
    text = documents.SETTINGS.read_text(encoding="utf-8")
    assert documents.settings(text) == text, "run python -m tests.documents"


def test_the_readme_has_exactly_two_lines_to_start_with() -> None:
    text = documents.README.read_text(encoding="utf-8")
    lines = re.findall(r"^    (python3 -m venv .*)$", text, re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("sudoku-tui " + DEFAULT_PUZZLE)
    assert lines[1].endswith("-m pytest -n auto")


def test_what_a_newcomer_is_led_to_is_solved_within_two_minutes_of_playing() -> None:
    """The first line of the README, and the puzzle that is selected when Home opens."""
    chosen = HomeSelection(pack_entries(), HomeRequest()).entry
    assert chosen is not None
    solver = registry.solver(Settings().solver)
    for puzzle in {first_puzzle(DEFAULT_PUZZLE).puzzle, chosen.puzzle}:
        run = Run.start(solver, puzzle, solver.make_params(Settings().preset or None), seed=0)
        run.advance(int(120 * speed.DEFAULT))
        assert run.outcome is not None
        assert run.outcome.status == "solved"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings; a repeated heading gets -1, -2, … as on GitHub."""
    found: Counter[str] = Counter()
    names = set()
    for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        name = documents.anchor(heading)
        names.add(f"{name}-{found[name]}" if found[name] else name)
        found[name] += 1
    return names


def links(page: Path) -> list[str]:
    """The targets of a page's relative links and pictures."""
    return [link for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))) if "://" not in link]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(documents.ROOT)))
def test_every_link_and_picture_of_a_page_exists(page: Path) -> None:
    for link in links(page):
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not fragment or fragment in anchors(target), link


def test_the_way_through_tui_names_files_and_functions_that_exist() -> None:
    folder = documents.ROOT / "tui"
    code = re.findall(r"`([\w./]+)`", (folder / "README.md").read_text(encoding="utf-8"))
    files = [each for each in code if each.endswith(".py") and "NAME" not in each]
    assert len(files) > 20
    assert {each for each in files if not list(folder.rglob(each))} == set()
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    methods = {each.split(".")[1] for each in code if re.fullmatch(r"[A-Z]\w+\.\w+", each)}
    known = set(re.findall(r"(?:def|class) (\w+)", source))
    assert methods - known - {"seek"} == set()  # `Run.seek` is the engine's


def test_the_table_of_exit_codes_has_every_command_that_ends_with_1() -> None:
    page = (documents.ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    helps = {name: program.get_command(Context(program), name) for name in COMMANDS}
    ending = {name for name, each in helps.items() if each and re.search(r"Exit code: 0[^.]* 1 ", each.help or "")}
    assert {"solve", "rate", "generate"} <= ending
    for code in "01":
        row = next(line for line in page.splitlines() if line.startswith(f"| {code} |"))
        assert {name for name in ending if f"`{name}`" not in row} == set()


def test_the_readme_leads_to_every_page() -> None:
    linked = {(documents.ROOT / link.partition("#")[0]).resolve() for link in links(documents.README)}
    assert {page for page in PAGES if page not in linked} == {documents.README}


def test_every_picture_is_on_a_page() -> None:
    shown = {(page.parent / link).resolve() for page in PAGES for link in links(page)}
    assert {picture.name for picture in (documents.ROOT / "docs").glob("*.svg") if picture not in shown} == set()


def commands(page: Path) -> list[str]:
    """The commands of a page, without `sudoku-tui`: lines of code that begin with it, and first cells of tables."""
    found = re.findall(r"^(?:    |\| `)sudoku-tui\b([^`\n]*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.split(r" {3,}|`", command)[0].strip() for command in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(documents.ROOT)))
def test_the_program_understands_every_command_of_a_page(page: Path) -> None:
    for command in commands(page):
        words = shlex.split(command)
        name, arguments = (words[0], words[1:]) if words and words[0] in COMMANDS else (LAB, words)
        found = program.get_command(Context(program), name)
        assert found is not None
        found.make_context(name, arguments)


def test_every_part_of_the_course_has_its_command() -> None:
    named = {part for command in commands(documents.ROOT / "docs" / "course.md")
             if (words := command.split())[:2] == ["bench", "course"] for part in words[2:]}
    assert named == {part.name.removeprefix("course: ") for part in experiment_file.load("course")}


def test_the_readme_suggests_six_commands() -> None:
    assert len(commands(documents.README)) == 6
