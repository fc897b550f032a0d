"""Questions on the last row."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.tui.run_driver import open_run
from tui.screens.dialogs.prompt import MAX_INPUT


@pytest.mark.parametrize("opening", ["colon", "g"])
async def test_the_input_is_bounded(opening):
    async with open_run() as on:
        await on.press(opening)
        await on.until(lambda: on.app.screen is not on.run_screen)
        line = on.app.screen.query_one(Input)
        await on.until(lambda: line.has_focus)
        line.value = "x" * (MAX_INPUT - 1)
        line.action_end()
        await on.press("y", "y")
        assert line.value == "x" * (MAX_INPUT - 1) + "y"
