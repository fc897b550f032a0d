"""Snapshots of the zoomed timeline with another branch. `pytest --snapshot-update` retakes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from engine import registry
from tests.tui.screens.run.test_run_snapshots import Compare, complete_windows, is_complete, laboratory, settle
from tests.tui.small import REHEAT, SMALL
from tests.tui.until import until
from tui.playback import commands
from tui.playback.snapshot import History

__all__ = ["complete_windows"]  # a fixture of all its tests


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)], ids=["80x24", "120x36", "200x60"])
def test_zoomed_beside_another_branch(size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, "truecolor", "dark", False)

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)
            app.run_screen.worker.send(commands.Zoom(2))
            await until(pilot, lambda: app.run_screen.snapshot.window.span == 512 and is_complete(app.run_screen))
            other = np.array([(36.0 - step % 64 / 8, 20.0, 1.0, 0.5) for step in range(1200)])
            app.run_screen.show(replace(app.run_screen.snapshot, rival=History(np.arange(1200), other)))
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)
