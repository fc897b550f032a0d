"""Long messages are shown in full, however small the window."""

from __future__ import annotations

import pytest

from engine.puzzles import packs
from tests.tui.app_driver import NOTHING, RUN, AppDriver, running_app
from tui.config.settings import Config
from tui.requests import AutomataRequest, HomeRequest, NewRun

MISTAKE = ("~/a/very/long/way/to/the/configuration/of/somebody/config.toml, line 12: colour: no setting of that name, "
           "expected one of theme, ascii, speed, fps, solver, preset, autosave, [keys]")
AUTOMATA = AutomataRequest(packs.find("hard:1"))
SAID = "CONFIG " + MISTAKE + " using defaults"
"""Separated by a gap in the verdict line, by a semicolon where it covers other lines."""


def screen_rows(on: AppDriver) -> list[str]:
    """The text of the screen, row by row."""
    return ["".join(segment.text for segment in line) for line in on.app.screen._compositor.render_strips()]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("source", [RUN, NOTHING, AUTOMATA], ids=["laboratory", "list of puzzles", "automata"])
async def test_a_mistake_in_the_settings(source: NewRun | HomeRequest | AutomataRequest,
                                         size: tuple[int, int]) -> None:
    async with running_app(source, size, config=Config(mistake=MISTAKE)) as on:
        await on.until(lambda: SAID in " ".join(" ".join(screen_rows(on)).replace("; ", " ").split()))
        rows = screen_rows(on)
        last = next(place for place, row in enumerate(rows) if "using defaults" in row)
        assert rows[last + 1].strip(), "nothing more is covered than it takes"


async def test_a_message_goes_with_the_next_key_and_covers_nothing_if_it_fits() -> None:
    async with running_app(RUN, (80, 24), config=Config(mistake=MISTAKE)) as on:
        await on.until(lambda: on.run_screen.message.display)
        await on.press("right")
        await on.until(lambda: not on.run_screen.message.display and on.run_screen.snapshot.playhead == 1)
        await on.press("home")
        await on.until(lambda: on.run_screen.snapshot.playhead == 0)
        assert not on.run_screen.message.display
