"""The command palette."""

from __future__ import annotations

import pytest

from engine.puzzles import packs
from tests.tui.run_driver import open_run
from tests.tui.small import SMALL
from tests.tui.until import shown as on_screen
from tui.screens.dialogs.command_palette import Command, CommandPalette, matching


@pytest.mark.sweep
async def test_commands_are_found_and_run():
    async with open_run() as on:
        await on.press("colon")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.input.has_focus)
        await on.press(*"high-contrast")
        await on.until(lambda: on.app.screen.found[0].title == "theme high-contrast")
        await on.press("enter")
        await on.until(lambda: on.app.look.palette.name == "high-contrast")
        assert on.app.screen is on.run_screen
        await on.press("ctrl+p")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.input.has_focus)
        await on.press(*"forward", "down", "up", "enter")
        await on.at(1)
        await on.press("colon", "escape")
        await on.until(lambda: on.app.screen is on.run_screen)


async def test_a_command_is_clicked():
    async with open_run() as on:
        await on.press("colon")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.list.option_count)
        place = next(place for place, each in enumerate(on.app.screen.found) if each.title == "forward")
        await on.pilot.click(type(on.app.screen.list), offset=(5, place))
        await on.at(1)


async def test_a_parameter_is_set_from_the_palette():
    async with open_run() as on:
        await on.press("colon", *"set alpha", "enter")
        await on.until(lambda: type(on.app.screen).__name__ == "PromptDialog")
        await on.press(*"0.5", "enter")
        await on.until(lambda: on.run_screen.snapshot.params.alpha == 0.5)
        assert "α 0.5" in on.shown(on.run_screen.parameters)


async def test_no_command_matches():
    async with open_run() as on:
        await on.press("colon", *"qqqq")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and "no matches" in on_screen(on.app))
        await on.press("enter")
        assert isinstance(on.app.screen, CommandPalette)
        await on.press(*["backspace"] * 4, *"set alpha", "enter")
        await on.until(lambda: type(on.app.screen).__name__ == "PromptDialog")


def test_the_best_match_is_first():
    commands = [Command(title, "does", print) for title in ("next best", "best", "beast of burden")]
    assert matching(commands, "best")[0].title == "best"
    assert matching(commands, " ") == commands
    assert matching(commands, "zzz") == []


async def test_the_words_of_the_footer_find_their_commands():
    async with open_run() as on:
        commands = list(on.run_screen.commands())
        for hint in on.run_screen.FOOTER_HINTS:
            word = hint.word.format_map(on.run_screen.placeholders())
            best = [each.title.replace(" ", "-") for each in matching(commands, word)][:8]
            assert set(best) & set(hint.names) or set(hint.names) & on.run_screen.idle_actions(), (word, best)
        assert {each.title for each in matching(commands, "speed")[:2]} == {"faster", "slower"}


@pytest.mark.sweep
async def test_a_shipped_puzzle_is_opened_from_the_palette():
    async with open_run() as on:
        before = on.app.run_screen
        await on.press("colon", *"open easy:2", "enter")
        await on.until(lambda: on.app.run_screen is not before and not on.app.run_screen.snapshot.busy)
        assert on.app.run_screen.pending.puzzle == packs.find("easy:2").puzzle
        assert (on.app.run_screen.pending.solver, on.app.run_screen.pending.seed) == (SMALL, 7)


async def test_a_click_on_a_command_that_is_gone_does_nothing():
    async with open_run() as on:
        await on.press("colon", *"qqqq")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and "no matches" in on_screen(on.app))
        palette = on.app.screen
        palette._clicked(palette.list.OptionSelected(palette.list, palette.list.options[0], 0))
        await on.pilot.click(type(palette.list), offset=(5, 0))
        assert on.app.screen is palette
