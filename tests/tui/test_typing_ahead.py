"""Nothing that is typed gets lost, however fast, and no size comes as a surprise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.screen import ModalScreen

from engine import registry
from tests.tui.app_driver import running_app
from tests.tui.small import PUZZLE, SMALL
from tests.tui.until import until
from tui.app import SudokuApp
from tui.playback import commands
from tui.requests import AppRequest, NewRun
from tui.screens.base import AppScreen
from tui.screens.editor import Editor
from tui.terminal.capabilities import Capabilities

Until = Callable[[Callable[[], object]], Awaitable[None]]


def laboratory() -> SudokuApp:
    request = AppRequest(NewRun(PUZZLE, "hard 1", SMALL.name, {}, 7))
    return SudokuApp(request, Capabilities("truecolor", True), guarded=False)


def typed(app: SudokuApp, *keys: str) -> None:
    """As a terminal that has them all ready. Characters, and Textual's names of keys that are none."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        app.post_message(events.Key(name, key if len(key) == 1 else {"space": " ", "enter": "\r"}.get(key)))


@asynccontextmanager
async def at_step(playhead: int, size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[SudokuApp, Until]]:
    """A run screen that is ready."""
    with registry.lent(SMALL):
        app = laboratory()
        async with app.run_test(size=size) as pilot:
            app.run_screen.worker.send(commands.Seek(playhead))
            await until(pilot, lambda: app.run_screen.snapshot.playhead == playhead)
            yield app, lambda holds: until(pilot, holds)


async def test_ctrl_c_does_not_wait_for_the_keys_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    obeyed = []
    monkeypatch.setattr(AppScreen, "action_help", lambda _screen: obeyed.append(1))
    async with at_step(100) as (app, until_):
        typed(app, *"?" * 500, "ctrl+c", "ctrl+c")
        await until_(lambda: app._exit)
    assert len(obeyed) < 500


async def test_an_answer_typed_before_the_question_appears_counts() -> None:
    async with at_step(100) as (app, until_):
        typed(app, "g", "5", "0", "enter")
        await until_(lambda: app.run_screen.snapshot.playhead == 50)


async def test_keys_after_an_answer_reach_the_screen_that_asked() -> None:
    async with at_step(100) as (app, until_):
        typed(app, "g", "5", "0", "enter", *["right"] * 3, "g", "+", "4", "enter", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 58)


async def test_a_breakpoint_typed_ahead_is_set_before_the_run_starts() -> None:
    async with at_step(20) as (app, until_):
        typed(app, ".", *"E<=30", "enter", "escape", "space")
        await until_(lambda: app.run_screen.snapshot.playhead > 20 and app.run_screen.snapshot.state == "PAUSED")
        assert [each.stop.energy for each in app.run_screen.snapshot.breakpoints] == [30]
        assert app.run_screen.snapshot.view.gauges[1].text == "30"


async def test_a_parameter_can_be_set_by_keys_typed_ahead() -> None:
    async with at_step(20) as (app, until_):
        typed(app, "p", *"0.5", "enter", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 21)
        assert app.run_screen.snapshot.recipe is not None
        assert [each.value for each in app.run_screen.snapshot.recipe.interventions] == [0.5]


@pytest.mark.sweep
async def test_a_palette_command_with_a_prompt_can_be_typed_ahead() -> None:
    async with at_step(20) as (app, until_):
        typed(app, ":", *"go to", "enter", *"500", "enter", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 501)


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("opens", ["?", "p", ".", "w", "y", "g", ":", "o"])
async def test_keys_after_a_closed_screen_reach_the_run_screen(opens: str) -> None:
    async with at_step(20) as (app, until_):
        typed(app, opens, "escape", "right", opens, "escape", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 22 and app.screen is app.run_screen)


async def test_to_another_run_by_keys_typed_ahead() -> None:
    async with at_step(20) as (app, until_):
        before = app.run_screen
        typed(app, "n", "s", *["backspace"] * 3, "4", "2", "enter", "enter", "right", "right")
        await until_(lambda: app.run_screen is not before and app.run_screen.snapshot.playhead == 2)
        assert app.run_screen.pending.seed == 42


async def test_to_the_editor_and_back_by_keys_typed_ahead() -> None:
    async with at_step(20) as (app, until_):
        typed(app, "e", "left", "7")
        await until_(lambda: isinstance(app.screen, Editor) and app.screen.draft.changed)
        assert isinstance(app.screen, Editor)
        assert app.screen.draft.puzzle.givens[39] == 7
        typed(app, "ctrl+z", "escape", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 21)


@pytest.mark.sweep
async def test_a_thousand_keys_typed_ahead_are_all_obeyed() -> None:
    async with at_step(20) as (app, until_):
        typed(app, *["right"] * 1000, "g", "-", "5", "enter")
        await until_(lambda: app.run_screen.snapshot.playhead == 1015)


class Vanishing(ModalScreen[None]):
    """Goes at the first key, and the key with it."""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.app.pop_screen()


async def test_a_screen_that_goes_while_a_key_is_on_its_way_holds_up_no_other() -> None:
    async with at_step(20) as (app, until_):
        app.push_screen(Vanishing())
        typed(app, "x", "right", "right")
        await until_(lambda: app.run_screen.snapshot.playhead == 22)


async def test_a_filter_typed_ahead_reaches_the_filter() -> None:
    async with running_app() as on:
        seed = on.home.selection.seed
        typed(on.app, *"/warm-up")
        await on.until(lambda: on.home.selection.list.filter == "warm-up")
        assert on.home.selection.seed == seed


@pytest.mark.sweep
async def test_a_pane_can_grow_while_its_place_stays() -> None:
    with registry.lent(SMALL):
        app = laboratory()
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: not app.run_screen.snapshot.busy)
            await pilot.press("right")
            for size in ((81, 24), (90, 30), (100, 30), (80, 24), (117, 34), (119, 35), (200, 60), (81, 25)):
                await pilot.resize_terminal(*size)
                await pilot.press("right")
            await until(pilot, lambda: app.run_screen.snapshot.playhead == 9)
