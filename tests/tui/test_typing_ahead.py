"""Nothing that is typed gets lost, however fast, and no size comes as a surprise."""

from __future__ import annotations

from textual import events

from engine import registry
from tests.patience import until
from tests.tui.desk import desk
from tests.tui.small import PUZZLE, SMALL
from tui import orders
from tui.application import SudokuApp
from tui.request import LabRequest, NewRun
from tui.terminal.capabilities import Capabilities


def laboratory() -> SudokuApp:
    request = LabRequest(NewRun(PUZZLE, "hard 1", SMALL.name, {}, 7))
    return SudokuApp(request, Capabilities("truecolor", True), guarded=False)


async def test_an_answer_typed_before_the_question_appears_counts() -> None:
    with registry.lent(SMALL):
        app = laboratory()
        async with app.run_test(size=(80, 24)) as pilot:
            app.lab.worker.send(orders.Seek(100))
            await until(pilot, lambda: app.lab.moment.playhead == 100)
            for key, character in (("g", "g"), ("5", "5"), ("0", "0"), ("enter", "\r")):
                app.post_message(events.Key(key, character))
            await until(pilot, lambda: app.lab.moment.playhead == 50)


async def test_a_filter_typed_in_one_breath_is_typed_into_the_filter() -> None:
    async with desk() as on:
        seed = on.home.chosen.seed
        for character in "/warm-up":
            key = {"/": "slash", "-": "minus"}.get(character, character)
            on.app.post_message(events.Key(key, character))
        await on.until(lambda: on.home.chosen.list.filter == "warm-up")
        assert on.home.chosen.seed == seed


async def test_a_pane_can_grow_while_its_place_stays() -> None:
    with registry.lent(SMALL):
        app = laboratory()
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: not app.lab.moment.busy)
            await pilot.press("right")
            for size in ((81, 24), (90, 30), (100, 30), (80, 24), (117, 34), (119, 35), (200, 60), (81, 25)):
                await pilot.resize_terminal(*size)
                await pilot.press("right")
            await until(pilot, lambda: app.lab.moment.playhead == 9)
