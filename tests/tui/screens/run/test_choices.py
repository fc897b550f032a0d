"""Choices of a search in the Laboratory: selecting one by keys or on the board, and going to its step."""

from __future__ import annotations

import pytest

from engine import registry
from engine.puzzles import packs
from engine.view import choices_of
from tests.tui.run_driver import open_run


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
@pytest.mark.parametrize("name", ["backtrack", "dlx"])
async def test_a_choice_is_selected_and_its_step_found(name: str, size: tuple[int, int]) -> None:
    async with open_run(size, registry.solver(name)) as on:
        await on.go(30)
        choices = choices_of(on.run_screen.snapshot.view.panel)
        await on.press("down", "down", "down", "up")
        assert on.run_screen.choice == choices[1]
        assert on.run_screen.panel.display, "its tab is opened"
        assert on.run_screen.cursor == choices[1][0]
        assert "go there" in on.shown(on.run_screen.footer)
        await on.press("enter")
        await on.until(lambda: on.step < 30)
        assert choices_of(on.run_screen.snapshot.view.panel) == choices[1:], "later choices are gone"
        await on.press("enter")
        await on.until(lambda: "was chosen at this step" in on.said)


async def test_a_choice_that_excludes_a_value_is_named_as_such() -> None:
    async with open_run(solver=registry.solver("z3-inside"), puzzle=packs.find("hard:4").puzzle) as on:
        await on.press(">")
        await on.until(lambda: "r9c9 ≠ 9" in on.said and not on.run_screen.snapshot.busy)
        await on.press("down", "enter")
        await on.until(lambda: "r9c9 ≠ 9 was chosen at this step" in on.said)


async def test_the_cursor_selects_the_choice_of_its_cell() -> None:
    async with open_run(solver=registry.solver("backtrack")) as on:
        await on.go(30)
        choices = choices_of(on.run_screen.snapshot.view.panel)
        on.run_screen.cursor = choices[4][0]
        on.run_screen.show_board()
        assert on.run_screen.choice == choices[4]
        await on.press("escape")
        assert on.run_screen.choice is None
        await on.press("enter")
        await on.until(lambda: "NOT AVAILABLE" in on.said)


async def test_without_choices_the_keys_report_it() -> None:
    async with open_run() as on:
        for key in ("up", "enter"):
            await on.press(key)
            await on.until(lambda: "this solver makes no choices" in on.said)
        assert "stack" not in on.shown(on.run_screen.footer)


async def test_a_solver_that_makes_choices_may_have_none_at_a_step() -> None:
    async with open_run(solver=registry.solver("backtrack")) as on:
        await on.press("up")
        await on.until(lambda: "there are no choices at this step" in on.said)
