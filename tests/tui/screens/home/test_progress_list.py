"""The progress in hands on, listed over Home."""

from __future__ import annotations

from datetime import date

import pytest

from engine.teaching.progress import Answered, with_answers
from tests.tui.app_driver import AppDriver, running_app
from tests.tui.until import shown
from tui.config import paths
from tui.screens.dialogs.command_palette import CommandPalette
from tui.screens.dialogs.help import Help
from tui.screens.dialogs.pager import Pager
from tui.screens.home.progress_list import NUMBERS, ProgressList, name_columns, shown_numbers
from tui.screens.home.screen import Home
from tui.storage.progress import OWN, SUFFIX, encoded

ANSWERS = [("anneal-reheat-adaptive", "next-temperature", 7, 3), ("backtrack-mrv", "next-cell", 12, 12),
           ("tabu", "better-neighbour", 1, 0)]


@pytest.fixture
def answered() -> None:
    """Some questions were answered earlier."""
    day = date(2026, 3, 1)
    progress = with_answers({}, [Answered(solver, kind, number < right, day) for solver, kind, asked, right in ANSWERS
                                 for number in range(asked)])
    paths.progress().mkdir(parents=True)
    (paths.progress() / f"{OWN}{SUFFIX}").write_bytes(encoded(progress, ""))


async def opened(on: AppDriver) -> list[str]:
    await on.press("H")
    await on.at(ProgressList)
    return [line.rstrip() for line in shown(on.app).splitlines() if line.strip()]


@pytest.mark.usefixtures("answered")
async def test_each_solver_and_kind_has_a_row() -> None:
    async with running_app() as on:
        lines = await opened(on)
        assert lines[0].split("   ")[0].strip() == "Progress in hands on"
        assert lines[1].split() == ["solver", "question", "asked", "right", "share", "best", "last"]
        rows = [" ".join(line.replace("▶", " ").split()) for line in lines[2:5]]
        assert rows == ["anneal-reheat-adaptive next-temperature 7 3 42.9 % 3 2026-03-01",
                        "backtrack-mrv next-cell 12 12 100.0 % 10 2026-03-01",
                        "tabu better-neighbour 1 0 0.0 % 0 2026-03-01"]
        assert lines[5].strip() == "right: at the first try; best: most right of 10 in a row, never falls"
        await on.press("escape")
        await on.at(Home)


@pytest.mark.usefixtures("answered")
async def test_a_question_mark_explains_the_columns() -> None:
    async with running_app() as on:
        await opened(on)
        await on.press("question_mark")
        await on.at(Pager)
        lines = shown(on.app)
        assert "enter selects the solver" in lines
        assert "best: the most right answers of 10 in a row" in lines
        await on.press("escape")
        await on.at(ProgressList)


@pytest.mark.usefixtures("answered")
async def test_a_small_window_has_the_names_and_the_numbers_that_count() -> None:
    async with running_app(size=(64, 20)) as on:
        lines = await opened(on)
        assert lines[1].split() == ["solver", "question", "asked", "right", "best"]
        assert " ".join(lines[2].replace("▶", " ").split()) == "anneal-reheat-adaptive next-temperature 7 3 3"
        assert all(len(line) <= 64 for line in lines)


@pytest.mark.usefixtures("answered")
async def test_the_smallest_window_cuts_names_before_numbers() -> None:
    async with running_app(size=(44, 17)) as on:
        lines = await opened(on)
        assert lines[1].split() == ["solver", "question", "asked", "right"]
        assert [line.split()[-2:] for line in lines[2:5]] == [["7", "3"], ["12", "12"], ["1", "0"]]
        assert all(len(line) <= 44 for line in lines)


def test_no_row_is_wider_than_its_window() -> None:
    assert (name_columns(76), name_columns(40)) == ((22, 16), (14, 12))
    assert shown_numbers(76) == list(NUMBERS)
    assert shown_numbers(60) == ["asked", "right", "best"]
    assert shown_numbers(36) == ["asked", "right"]


@pytest.mark.usefixtures("answered")
async def test_enter_selects_the_solver_of_the_row() -> None:
    async with running_app() as on:
        await opened(on)
        await on.press("down", "enter")
        await on.at(Home)
        await on.until(lambda: on.home.selection.solver.name == "backtrack-mrv")


async def test_before_the_first_question_it_says_how_to_begin() -> None:
    async with running_app() as on:
        await on.press("H")
        await on.until(lambda: "no questions answered yet" in on.said)
        assert "open a puzzle and press H" in on.said
        assert isinstance(on.app.screen, Home)


async def test_a_file_that_cannot_be_read_is_one_sentence() -> None:
    paths.progress().mkdir(parents=True)
    (paths.progress() / f"{OWN}{SUFFIX}").write_bytes(b'{"format":"sudoku-tui progress","version":9}\n')
    async with running_app() as on:
        await on.press("H")
        await on.until(lambda: "REFUSED" in on.said)
        assert "this one cannot read" in on.said


@pytest.mark.usefixtures("answered")
async def test_damaged_lines_are_named_under_the_list() -> None:
    with (paths.progress() / f"{OWN}{SUFFIX}").open("ab") as file:
        file.write(b"{half")
    async with running_app() as on:
        assert "1 line of the file is damaged" in " ".join(" ".join(await opened(on)).split())


@pytest.mark.usefixtures("answered")
async def test_the_palette_and_the_help_have_it() -> None:
    async with running_app() as on:
        await on.press("question_mark")
        await on.at(Help)
        await on.until(lambda: "progress in hands on" in on.text)
        await on.press("escape")
        await on.at(Home)
        await on.press("colon")
        await on.at(CommandPalette)
        await on.press(*"progress", "enter")
        await on.at(ProgressList)
