"""The application: look, end, internal errors."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.tui.app_driver import RUN, running_app
from tests.tui.run_driver import open_run
from tui.config.settings import Appearance
from tui.terminal.capabilities import Capabilities


async def test_an_appearance_that_is_chosen_is_saved():
    kept: list[Appearance] = []
    async with open_run() as on:
        on.app._remember = kept.append
        await on.press("C", "L", "A")
        await on.until(lambda: len(kept) == 3)
        assert kept == [Appearance("high-contrast"), Appearance("high-contrast-light"),
                        Appearance("high-contrast-light", True)]
        assert on.app.look.palette.name == "high-contrast-light"
        assert on.shown(on.run_screen.board).isascii()


@pytest.mark.parametrize(("able", "key", "said"), [
    (Capabilities("256", False), "A", "this terminal draws ASCII only"),
    (Capabilities("mono", True), "L", "this terminal has no such colours"),
    (Capabilities("mono", True), "C", "this terminal has no such colours"),
    (Capabilities("8", False), "L", "this terminal has no such colours"),
])
async def test_an_appearance_that_the_terminal_has_not_is_refused_and_not_saved(
        able: Capabilities, key: str, said: str) -> None:
    kept: list[Appearance] = []
    async with open_run(able=able) as on:
        on.app._remember = kept.append
        await on.press(key)
        await on.until(lambda: said in on.said)
        assert kept == []


async def test_the_first_puzzle_of_several_is_named():
    async with running_app(replace(RUN, puzzle_name="steep-climb", first_of="hard"), (120, 36)) as on:
        await on.until(lambda: "steep-climb, the first of several puzzles in hard" in on.shown(on.run_screen.verdict))


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("opening", ["question_mark", "colon", "g", "o", "p", "y"])
async def test_ctrl_c_quits_from_any_screen(opening):
    async with open_run() as on:
        await on.press(opening)
        await on.until(lambda: on.app.screen is not on.run_screen)
        await on.press("ctrl+c", "ctrl+c")
        await on.until(lambda: not on.app.is_running)
        assert on.app.code == 0


async def test_an_internal_error_is_left_to_the_command_line():
    defect = RuntimeError("a defect")
    apps = []

    async def defective() -> None:
        async with open_run() as on:
            apps.append(on.app)
            on.app._handle_exception(defect)
            await on.until(lambda: not on.app.is_running)

    with pytest.raises(RuntimeError):
        await defective()
    assert apps[0].defect is defect
    assert not apps[0]._exit_renderables
