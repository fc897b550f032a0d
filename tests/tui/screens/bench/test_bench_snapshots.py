"""Pictures of the bench, with invented results. `pytest --snapshot-update` retakes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.experiments import MAP, stored
from tests.tui.until import until
from tui.app import SudokuApp
from tui.requests import AppRequest, BenchRequest
from tui.screens.bench.screen import Bench
from tui.terminal.capabilities import Capabilities

Compare = Callable[..., bool]


async def computed(pilot: Pilot[Any]) -> None:
    screen = pilot.app.screen
    assert isinstance(screen, Bench)
    await until(pilot, lambda: screen.runner.progress.stage == "done" and screen.state.results is not None)
    await pilot.press("down", "down")
    screen.show()


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("size", "look"), [((80, 24), {}), ((120, 36), {}), ((120, 36), {"theme": "light"}),
                                           ((120, 36), {"ascii": True})], ids=["80x24", "120x36", "light", "ascii"])
def test_a_map(size: tuple[int, int], look: dict[str, Any], snap_compare: Compare, tmp_path: Path) -> None:
    request = AppRequest(BenchRequest("", (MAP,), stored(tmp_path, MAP), "here"), **look)
    app = SudokuApp(request, Capabilities("truecolor", True), guarded=False)
    assert snap_compare(app, terminal_size=size, run_before=computed)
