"""The reason of a step under the verdict: at every size, for every kind of solver, and not under messages."""

from __future__ import annotations

import pytest

from engine import registry
from engine.events import SwapJudged
from engine.puzzle import cell_name
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import SMALL
from tui.screens.run import presenter

SIZES = [(80, 24), (120, 36), (200, 60)]
SOLVERS = ["small", "backtrack", "dlx", "ga-ordered", "swarm", "human", "hill-climb"]


def reason(on: RunDriver) -> str:
    """The last line of the verdict."""
    return on.shown(on.run_screen.verdict).splitlines()[-1].strip()


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SOLVERS)
async def test_each_step_has_its_reason(name: str, size: tuple[int, int]) -> None:
    async with open_run(size, SMALL if name == "small" else registry.solver(name)) as on:
        for step in range(1, 4):
            await on.press("right")
            await on.at(step)
            told = on.run_screen.snapshot.readout.because
            assert told is not None
            assert reason(on) == told.text


async def test_a_message_has_all_lines_to_itself() -> None:
    async with open_run((80, 24)) as on:
        await on.press("right", "x")
        await on.until(lambda: "h j k l" in on.said or "select" in on.said)
        assert on.run_screen.verdict.because is None


async def test_the_line_of_a_cell_takes_the_place_of_the_reason_beside_candidates() -> None:
    async with open_run((120, 36), registry.solver("backtrack")) as on:
        await on.press("right")
        await on.until(lambda: "next empty cell" in reason(on))
        await on.press("h")
        await on.until(lambda: not on.run_screen.snapshot.busy and "next empty cell" not in on.said)
        assert on.shown(on.run_screen.cell).strip()


async def test_a_change_by_hand_takes_the_place_of_the_reason_of_its_step() -> None:
    async with open_run((80, 24), registry.solver("anneal")) as on:
        await on.go(3)
        before = reason(on)
        cells = next(event.cells for event in on.run_screen.snapshot.events if isinstance(event, SwapJudged))
        move = " ".join(cell_name(cell, on.run_screen.puzzle.n) for cell in cells)
        on.run_screen._change(f"move = {move}")
        await on.press("right", "left")
        await on.at(3)
        await on.until(lambda: "by hand" in reason(on))
        energy = next(gauge.text for gauge in on.run_screen.snapshot.view.gauges if gauge.label == "E")
        assert reason(on) == f"After this step, by hand: move {move}, so E is {energy} now."
        logged = presenter.log_lines(on.run_screen.snapshot.readout.log, on.run_screen.solver, 9)[0]
        assert logged.what == f"move {move} by hand"
        assert (logged.energy, bool(logged.delta)) == (energy, True)
        await on.press("ctrl+z", "right", "left")
        await on.until(lambda: reason(on) == before)
        await on.press("right_square_bracket", "right", "left")
        await on.at(3)
        await on.until(lambda: "by hand: T " in reason(on))
