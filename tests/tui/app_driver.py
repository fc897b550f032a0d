"""Drives the whole application under test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widget import Widget

from engine import registry
from tests.tui.small import PUZZLE, SMALL
from tests.tui.until import lines, shown, until
from tui.app import SudokuApp
from tui.requests import AppRequest, HomeRequest, NewRun
from tui.screens.editor import Editor
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen
from tui.terminal.capabilities import Capabilities

RUN = NewRun(PUZZLE, "hard 1", "small", {}, 7)
NOTHING = HomeRequest()


class AppDriver:
    """Keys to press, and the screens and their text."""

    def __init__(self, app: SudokuApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    async def until(self, what: Callable[[], object]) -> None:
        await until(self.pilot, what)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    @property
    def home(self) -> Home:
        assert isinstance(self.app.screen, Home)
        return self.app.screen

    @property
    def editor(self) -> Editor:
        assert isinstance(self.app.screen, Editor)
        return self.app.screen

    @property
    def run_screen(self) -> RunScreen:
        assert isinstance(self.app.screen, RunScreen)
        return self.app.screen

    def shown(self, widget: Widget) -> str:
        """The text of a pane, a list or a table."""
        return "\n".join(lines(widget))

    @property
    def said(self) -> str:
        """The message under the header of Home or the editor, on one line."""
        screen = self.app.screen
        assert isinstance(screen, Home | Editor)
        return " ".join(self.shown(screen.message).split())

    @property
    def text(self) -> str:
        return shown(self.app)

    async def at(self, kind: type) -> None:
        await self.until(lambda: isinstance(self.app.screen, kind) and self.app.screen.is_mounted)


@asynccontextmanager
async def running_app(source: NewRun | Path | HomeRequest = NOTHING, size: tuple[int, int] = (80, 24),
                      **request: object) -> AsyncIterator[AppDriver]:
    """The application with this source; the small solver is the last one."""
    with registry.lent(SMALL):
        app = SudokuApp(AppRequest(source, **request),  # type: ignore[arg-type]
                        Capabilities("truecolor", True), guarded=False)
        async with app.run_test(size=size) as pilot:
            on = AppDriver(app, pilot)
            await pilot.pause()
            yield on
