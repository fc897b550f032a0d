"""Takes the pictures of the documents from the running program.

`python -m tests.pictures` retakes all of them, `python -m tests.pictures home editor` only some. Each is a recipe of
keys and commands on a run that a seed determines; nothing is drawn by hand.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from textual.pilot import Pilot

from engine import registry
from engine.puzzles import packs
from tests.tui.until import until
from tui.app import SudokuApp
from tui.look import screenshot
from tui.playback import commands
from tui.requests import AppRequest, AutomataRequest, HomeRequest, NewRun
from tui.screens.automata.screen import Automata
from tui.terminal.capabilities import Capabilities

DOCS = Path(__file__).parent.parent / "docs"
MEDIUM, LARGE, SMALL = (120, 36), (200, 60), (80, 24)
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PictureDriver:
    """The program, and helpers that bring it to the state to picture."""

    app: SudokuApp
    pilot: Pilot[None]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds and the screen has drawn it."""
        await until(self.pilot, holds)
        await self.pilot.pause(0.2)

    async def seek(self, step: int) -> None:
        screen = self.app.run_screen
        screen.worker.send(commands.Seek(step))
        await self.until(lambda: screen.snapshot.playhead == step and not screen.snapshot.busy)

    async def press(self, *keys: str) -> None:
        """Press keys one by one, each after the run is at rest again."""
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause(0.2)
            await self.until(lambda: not self.app.run_screen.snapshot.busy)


@asynccontextmanager
async def laboratory(puzzle: str, solver: str, values: Mapping[str, object] | None = None, preset: str | None = None,
                     seed: int = 7, size: Size = MEDIUM, theme: str = "dark") -> AsyncIterator[PictureDriver]:
    """A laboratory that is ready to play."""
    record = packs.find(puzzle)
    params = registry.solver(solver).make_params(preset, values or {})
    app = SudokuApp(AppRequest(NewRun(record.puzzle, record.name, solver, params, seed), theme=theme),
                    Capabilities("truecolor", True), guarded=False)
    async with app.run_test(size=size) as pilot:
        driver = PictureDriver(app, pilot)
        await driver.until(lambda: not app.run_screen.snapshot.busy)
        yield driver


def save(app: SudokuApp, name: str) -> None:
    drawn = screenshot.svg(app, app.look.palette, "sudoku-tui")
    (DOCS / f"{name}.svg").write_text(drawn, encoding="utf-8")


async def reheating(name: str, size: Size = MEDIUM, theme: str = "dark") -> None:
    """Classical annealing with reheats on a hard puzzle, at an uphill move after two reheats."""
    values = {"stagnation": 40, "moves": 50}
    async with laboratory("hard:1", "anneal-reheat", values, size=size, theme=theme) as driver:
        await driver.seek(900_000)
        await driver.seek(520_000)
        await driver.press("u", "h", "j")
        screen = driver.app.run_screen
        await driver.until(lambda: screen.snapshot.playhead > 520_000 and screen.timeline.chart.ready)
        save(driver.app, name)


async def branches(name: str) -> None:
    """The second run of the tour: the run that was left, and its hotter branch behind it."""
    async with laboratory("easy:1", "anneal", preset="easy", seed=0) as driver:
        await driver.seek(100_067)
        await driver.seek(20_000)
        await driver.press("right_square_bracket")
        await driver.seek(66_015)
        await driver.press("v")
        await driver.until(lambda: driver.app.run_screen.timeline.chart.ready)
        save(driver.app, name)


async def stuck(name: str) -> None:
    """The first run of the tour at its end."""
    async with laboratory("easy:1", "hill-climb", seed=0) as driver:
        await driver.press("exclamation_mark")
        await driver.until(lambda: driver.app.run_screen.timeline.chart.ready)
        save(driver.app, name)


async def backtracking(name: str) -> None:
    """A search with its candidates pencilled in and its stack beside them, a choice picked from it."""
    async with laboratory("hard:3", "backtrack") as driver:
        await driver.seek(4_000)
        await driver.press("d", *["down"] * 4)
        await driver.until(lambda: driver.app.run_screen.timeline.chart.ready)
        save(driver.app, name)


async def population(name: str) -> None:
    """A child that is better than its parents."""
    async with laboratory("easy:1", "ga-ordered", seed=0) as driver:
        await driver.press("m")
        await driver.until(lambda: driver.app.run_screen.timeline.chart.ready)
        save(driver.app, name)


async def core(name: str) -> None:
    """Z3 refuses a value."""
    async with laboratory("hard:1", "z3") as driver:
        await driver.seek(2)
        await driver.press("greater_than_sign")
        await driver.until(lambda: driver.app.run_screen.timeline.chart.ready)
        save(driver.app, name)


async def setup(name: str) -> None:
    """The form of all parameters."""
    async with laboratory("hard:1", "anneal", size=SMALL) as driver:
        await driver.seek(1_000)
        await driver.pilot.press("p")
        await driver.pilot.pause(0.3)
        save(driver.app, name)


@asynccontextmanager
async def at_home(size: Size) -> AsyncIterator[PictureDriver]:
    """Home at the very first start."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict("os.environ", {"XDG_DATA_HOME": folder}):
        app = SudokuApp(AppRequest(HomeRequest()), Capabilities("truecolor", True), guarded=False)
        async with app.run_test(size=size) as pilot:
            await pilot.pause(0.5)
            yield PictureDriver(app, pilot)


async def home(name: str) -> None:
    """The choice of a puzzle and a solver."""
    async with at_home(SMALL) as driver:
        await driver.pilot.press("down", "down", "right")
        await driver.pilot.pause(0.5)
        save(driver.app, name)


async def editor(name: str) -> None:
    """A puzzle in the editor, with a value that conflicts."""
    async with at_home(SMALL) as driver:
        await driver.pilot.press("e", "1")
        await driver.pilot.pause(0.5)
        save(driver.app, name)


async def automata(name: str) -> None:
    """A digit that is refused, with its core."""
    async with at_home(MEDIUM) as driver:
        driver.app.open_automata(AutomataRequest(packs.find("hard:1"), cursor=5))
        await driver.pilot.pause(0.5)
        screen = driver.app.screen
        assert isinstance(screen, Automata)
        await driver.pilot.press("9", "u", "2")
        await driver.until(lambda: len(screen.state.questions) == 3)
        save(driver.app, name)


PICTURES: Mapping[str, Callable[[str], Awaitable[None]]] = {
    "laboratory": reheating,
    "laboratory-light": lambda name: reheating(name, theme="light"),
    "laboratory-large": lambda name: reheating(name, LARGE),
    "branches": branches,
    "stuck": stuck,
    "backtracking": backtracking,
    "core": core, "population": population,
    "setup": setup,
    "home": home,
    "editor": editor,
    "automata": automata,
}


def main() -> None:
    for name in sys.argv[1:] or PICTURES:
        asyncio.run(PICTURES[name](name))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
