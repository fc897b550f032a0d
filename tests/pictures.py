"""The pictures of the documents, taken of the running program. `python -m tests.pictures` takes them anew."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from engine import packs, registry
from tui import orders
from tui.application import SudokuApp
from tui.request import LabRequest, NewRun
from tui.terminal.capabilities import Capabilities

DOCS = Path(__file__).parent.parent / "docs"
PATIENCE = 120.0


async def picture(name: str, size: tuple[int, int], theme: str) -> None:
    """`docs/NAME.svg`: classical annealing with reheats on a hard puzzle, at an uphill move after two reheats."""
    record = packs.find("hard:1")
    source = NewRun(record.puzzle, record.name, "anneal-reheat",
                    registry.solver("anneal-reheat").make_params(None, {"stagnation": 40, "moves": 50}), 7)
    app = SudokuApp(LabRequest(source, theme=theme), Capabilities("truecolor", True), guarded=False)
    async with app.run_test(size=size) as pilot:
        await wait(pilot, lambda: not app.lab.moment.busy)
        app.lab.worker.send(orders.Seek(900_000))
        await wait(pilot, lambda: app.lab.moment.playhead == 900_000)
        app.lab.worker.send(orders.Seek(520_000))
        await wait(pilot, lambda: app.lab.moment.playhead == 520_000)
        await pilot.press("u", "h", "j")
        await wait(pilot, lambda: app.lab.moment.playhead > 520_000 and app.lab.chart.ready)
        (DOCS / f"{name}.svg").write_text(app.export_screenshot(title="sudoku-tui"), encoding="utf-8")


async def wait(pilot: Pilot[Any], ready: Any) -> None:
    """Until something holds and the screen has drawn it."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end
        await pilot.pause(0.01)
    await pilot.pause(0.2)


def main() -> None:
    asyncio.run(picture("laboratory", (120, 36), "dark"))


if __name__ == "__main__":
    main()
