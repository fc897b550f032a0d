"""Snapshots of the Laboratory, paused at a fixed step. `pytest --snapshot-update` retakes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from engine import registry
from engine.solver import AnySolver
from tests.engine.strangers import toy_population
from tests.tui.small import PUZZLE, REHEAT, SMALL
from tests.tui.until import until
from tui.app import SudokuApp
from tui.playback import commands, zoom
from tui.requests import AppRequest, NewRun
from tui.screens.dialogs.prompt import ConfirmDialog
from tui.screens.run.screen import RunScreen
from tui.terminal.capabilities import Capabilities

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def complete_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of the chart is completed however slow the machine is: the program gives it two seconds."""
    monkeypatch.setattr(zoom, "WINDOW_SECONDS", math.inf)


def laboratory(solver: AnySolver, depth: str, theme: str, ascii: bool) -> SudokuApp:
    request = AppRequest(NewRun(PUZZLE, "hard 1", solver.name, {}, 7), theme=theme, ascii=ascii)
    return SudokuApp(request, Capabilities(depth, True), guarded=False)  # type: ignore[arg-type]


def is_complete(screen: RunScreen) -> bool:
    """Whether the screen shows the charts with every event, as the player has completed them in the time at rest."""
    builder = screen.worker._player.builder
    if screen.snapshot is not builder._last:
        return False
    zoom = builder._zoom
    samples = zoom._cache.get(zoom.window)
    return screen.snapshot.zoomed is None or (
        samples is not None and samples.complete and samples._history is screen.snapshot.zoomed
        and samples._history_key == (samples._sampled, samples._read))


async def settle(pilot: Pilot[Any], step: int, recorded: int = 1200) -> None:
    """Record the run to a step, then go to another, with a cell under the cursor."""
    app = pilot.app
    assert isinstance(app, SudokuApp)
    screen = app.run_screen
    for wanted in (recorded, step):
        screen.worker.send(commands.Seek(wanted))
        await until(pilot, lambda wanted=wanted: screen.snapshot.playhead == wanted and not screen.snapshot.busy
                    and screen.timeline.chart.ready and is_complete(screen))
    layout = screen.verdict.verdict_layout
    layout.widest.clear()  # pieces stay as wide as they ever were, at whatever steps were drawn on the way
    layout.widest_large.clear()
    screen.verdict.repaint()
    await pilot.press("l", "j")
    await pilot.pause()


BORN = 94
"""The step of a toy population at which a child of two parents is kept, with mutated cells."""
CASES = {
    "dark": ("truecolor", "dark", False), "light": ("truecolor", "light", False), "colours-16": ("16", "dark", False),
    "mono": ("mono", "dark", False), "ascii": ("256", "dark", True),
}


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("case", CASES)
def test_annealing(case: str, size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, *CASES[case])

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)

        assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("case", ["dark", "light", "mono", "ascii"])
def test_line_digits(case: str, snap_compare: Compare) -> None:
    app = laboratory(registry.solver("anneal"), *CASES[case])

    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot, 777)

    assert snap_compare(app, terminal_size=(200, 60), run_before=before)


@pytest.mark.sweep
def test_the_smallest_window(snap_compare: Compare) -> None:
    app = laboratory(registry.solver("anneal"), *CASES["dark"])

    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot, 777)

    assert snap_compare(app, terminal_size=(44, 17), run_before=before)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("case", ["light", "mono", "ascii"])
def test_pencil_marks(case: str, snap_compare: Compare) -> None:
    app = laboratory(registry.solver("backtrack"), *CASES[case])

    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot, 700)

    assert snap_compare(app, terminal_size=(120, 36), run_before=before)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60), (60, 20)], ids=["80x24", "120x36", "200x60", "60x20"])
def test_backtracking(size: tuple[int, int], snap_compare: Compare) -> None:
    app = laboratory(registry.solver("backtrack"), "truecolor", "dark", False)

    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot, 700)

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("case", "size"), [("dark", (80, 24)), ("mono", (80, 24)), ("dark", (120, 36)),
                                            ("light", (120, 36)), ("colours-16", (120, 36)), ("ascii", (120, 36))],
                         ids=lambda value: value if isinstance(value, str) else "x".join(map(str, value)))
def test_a_population(case: str, size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(toy_population.SOLVER):
        app = laboratory(toy_population.SOLVER, *CASES[case])

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, BORN, 120)

        assert snap_compare(app, terminal_size=size, run_before=before)


SIZES = [(80, 24), (120, 36), (200, 60)]


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x36", "200x60"])
@pytest.mark.parametrize("theme", ["high-contrast", "high-contrast-light"])
def test_high_contrast(theme: str, size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, "truecolor", theme, False)

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)

        assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x36", "200x60"])
@pytest.mark.parametrize(("key", "case"), [("question_mark", "dark"), ("question_mark", "ascii"), ("colon", "dark"),
                                           ("colon", "mono")], ids=["help", "help-ascii", "palette", "palette-mono"])
def test_over_the_laboratory(key: str, case: str, size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, *CASES[case])

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)
            await pilot.press(key)
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)


PROMPTS: dict[str, tuple[str, ...]] = {"prompt": ("g",), "prompt-typed": ("g", "5", "k"), "parameters": ("p", "down")}
"""The keys that open dialogs with an input or a list."""


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", SIZES[:2], ids=["80x24", "120x36"])
@pytest.mark.parametrize("case", ["dark", "mono"])
@pytest.mark.parametrize("opened", PROMPTS)
def test_a_dialog(opened: str, case: str, size: tuple[int, int], snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, *CASES[case])

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)
            for key in PROMPTS[opened]:
                await pilot.press(key)
                await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("case", ["dark", "mono"])
def test_a_confirmation(case: str, snap_compare: Compare) -> None:
    with registry.lent(SMALL):
        app = laboratory(SMALL, *CASES[case])

        async def before(pilot: Pilot[Any]) -> None:
            await settle(pilot, REHEAT)
            app.push_screen(ConfirmDialog("Delete the draft?"))
            await pilot.pause()

        assert snap_compare(app, terminal_size=(80, 24), run_before=before)
