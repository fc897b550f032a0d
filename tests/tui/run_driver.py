"""Drives the run screen under test, with a small solver in the thread of the player."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from engine import registry
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from tests.tui.small import PUZZLE, SMALL
from tests.tui.until import until
from tui.app import SudokuApp
from tui.requests import AppRequest, NewRun
from tui.screens.dialogs.prompt import PromptDialog
from tui.screens.run.screen import RunScreen
from tui.terminal.capabilities import Capabilities
from tui.widgets.pane import Pane
from tui.widgets.rows import plain


class RunDriver:
    """Keys to press, and the text of the panes."""

    def __init__(self, app: SudokuApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def run_screen(self) -> RunScreen:
        return self.app.run_screen

    @property
    def step(self) -> int:
        return self.run_screen.snapshot.playhead

    async def until(self, what: Callable[[], object]) -> None:
        await until(self.pilot, what)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def at(self, step: int) -> None:
        await self.until(lambda: self.step == step and not self.run_screen.snapshot.busy)

    async def go(self, step: int) -> None:
        """Go to a step, by the prompt."""
        await self.press("g")
        await self.until(lambda: isinstance(self.app.screen, PromptDialog))
        await self.press(*str(step), "enter")
        await self.at(step)

    def shown(self, pane: Pane) -> str:
        return "\n".join(plain(pane._shown))

    @property
    def said(self) -> str:
        return self.shown(self.run_screen.verdict)


@asynccontextmanager
async def open_run(size: tuple[int, int] = (120, 36), solver: AnySolver = SMALL, puzzle: Puzzle = PUZZLE,
                   depth: str = "truecolor", able: Capabilities | None = None,
                   **request: object) -> AsyncIterator[RunDriver]:
    with registry.lent(solver):
        asked = AppRequest(NewRun(puzzle, "hard 1", solver.name, {}, 7), **request)  # type: ignore[arg-type]
        app = SudokuApp(asked, able or Capabilities(depth, True), guarded=False)  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            on = RunDriver(app, pilot)
            await on.until(lambda: not on.run_screen.snapshot.busy or request.get("play"))
            yield on
