"""The explanation of a cell: message, page and key."""

from __future__ import annotations

from itertools import islice

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.view import View
from tests.tui.run_driver import open_run
from tui.look.glyphs import ASCII
from tui.screens.dialogs.pager import Pager
from tui.screens.run.explain import eliminations, explanation, explanation_pages
from tui.widgets.rows import Space, plain

BOARD = Puzzle.from_line("4...............")
CAUSES = ("", "", "", "", "", "guess", "", "r1c1", *[""] * 12, "", "r3c2", "X-wing", "r9c9", *[""] * 40)
VIEW = View((4, *(0,) * 15), candidates=(8, 0b101, *(0b1111,) * 3, 0b1, *(0b1111,) * 10), causes=CAUSES)


@pytest.mark.parametrize(("cell", "said"), [
    (0, "r1c1 is given 4"),
    (1, "r1c2 could be 1 3   ruled out: 2 by guess   4 by r1c1 in row 1"),
    (5, "r2c2 could be 1   ruled out: 2 by r3c2 in column 2   3 by the technique X-wing   4 by r9c9"),
    (6, "r2c3 could be 1 2 3 4   no value is ruled out yet"),
])
def test_a_cell_is_explained(cell: int, said: str) -> None:
    assert explanation(BOARD, VIEW, cell).text == said


def test_a_cell_that_holds_a_value_and_one_that_can_hold_none() -> None:
    held = View((4, 3, *(0,) * 14), candidates=(8, 4, *(15,) * 14), causes=CAUSES)
    assert explanation(BOARD, held, 1).text == "r1c2 holds 3   ruled out: 2 by guess   4 by r1c1 in row 1"
    wiped = View((4, *(0,) * 15), candidates=(8, 0, *(15,) * 14), causes=CAUSES)
    assert explanation(BOARD, wiped, 1).text.startswith("no value is possible in r1c2   ruled out: 2 by guess")


def test_values_that_the_cells_own_value_ruled_out_name_that_value() -> None:
    causes = [""] * 64
    causes[4:8] = "r1c4", "r1c2", "", "r1c2"
    held = View((4, 3, *(0,) * 14), candidates=(8, 4, *(15,) * 14), causes=tuple(causes))
    assert explanation(BOARD, held, 1).text == (
        "r1c2 holds 3   ruled out: 1 by r1c4 in row 1   2 by the 3 placed here   4 by the 3 placed here")


def test_values_above_9_and_cells_that_share_a_box() -> None:
    puzzle = Puzzle((0,) * 256, 4, "diagonal")
    causes = [""] * 4096
    causes[17 * 16 + 9], causes[17 * 16 + 11], causes[17 * 16 + 15] = "r1c1", "r1c3", "r16c16"
    view = View((0,) * 256, candidates=(1,) * 256, causes=tuple(causes))
    assert eliminations(puzzle, view, 17) == (
        (10, "r1c1 in box 1"), (12, "r1c3 in box 1"), (16, "r16c16 in diagonal 1"))
    assert explanation(puzzle, view, 17).text == ("r2c2 could be 1   ruled out: 10 by r1c1 in box 1   "
                                                  "12 by r1c3 in box 1   16 by r16c16 in diagonal 1")


@pytest.mark.parametrize("name", ["norvig", "backtrack", "backtrack-mrv", "mac", "human", "z3"])
def test_a_cell_just_filled_keeps_the_causes_that_it_had(name: str) -> None:
    puzzle, solver = packs.find("easy:1").puzzle, registry.solver(name)
    params = solver.make_params()
    state = solver.init(puzzle, params, 0)
    before, compared = solver.view(state, params, ()), 0
    for events in islice(solver.steps(state, params), 2000):
        view = solver.view(state, params, events)
        for cell in (cell for cell, value in enumerate(view.grid) if value and not before.grid[cell]):
            assert dict(eliminations(puzzle, before, cell)).items() <= dict(eliminations(puzzle, view, cell)).items()
            compared += 1
        before = view
    assert compared > 3


def test_a_solver_without_causes_reports_it() -> None:
    view = View((4, *(0,) * 15))
    assert explanation(BOARD, view, 0).text == "r1c1 is given 4"
    assert explanation(BOARD, view, 1).text == "this solver does not record what ruled out a value"
    assert eliminations(BOARD, view, 1) == ()


def test_the_page_has_a_line_for_each_candidate() -> None:
    (page,) = explanation_pages(BOARD, VIEW, 5, 1200, Space(70, 20))
    assert [line.rstrip() for line in plain(page)] == [
        "  r2c2 could be 1", "  after step 1 200; eliminated values and their causes:", "",
        "  2   r3c2 in column 2", "  3   the technique X-wing", "  4   r9c9"]
    (page,) = explanation_pages(BOARD, VIEW, 6, 1200, Space(70, 20))
    assert [line.strip() for line in plain(page)][:2] == [
        "r2c3 could be 1 2 3 4", "after step 1 200; no value is ruled out yet"]
    pages = explanation_pages(BOARD, VIEW, 5, 1200, Space(20, 4, ASCII))
    assert len(pages) > 1
    text = "\n".join(line for page in pages for line in plain(page))
    assert text.isascii()
    assert all(len(line) == 20 for line in text.splitlines())
    assert "X-wing" in text


async def test_the_key_explains_the_picked_cell() -> None:
    async with open_run((80, 24), registry.solver("mac")) as on:
        await on.press("x")
        await on.until(lambda: "select a cell first" in on.said)
        assert "why" not in on.shown(on.run_screen.footer)
        await on.go(300)
        await on.press("h")
        await on.until(lambda: "x why" in on.shown(on.run_screen.footer))
        await on.press("k", "x")
        await on.until(lambda: "r4c5 could be" in on.said)
        assert "1 by r6c5 in column 5" in on.said
        await on.press("right", "escape")
        await on.at(301)
        await on.until(lambda: "x why" not in on.shown(on.run_screen.footer))


@pytest.mark.parametrize(("key", "asked", "then"), [
    ("x", "select a cell first", "h"), ("enter", "no choice is selected", "down")])
async def test_a_message_that_asks_for_a_cell_goes_once_one_is_selected(key: str, asked: str, then: str) -> None:
    async with open_run((80, 24), registry.solver("backtrack")) as on:
        await on.go(30)
        await on.press(key)
        await on.until(lambda: asked in on.said)
        await on.press(then)
        await on.until(lambda: asked not in on.said and on.run_screen.cursor is not None)


@pytest.mark.sweep
async def test_a_long_explanation_is_a_page() -> None:
    async with open_run((120, 36), registry.solver("ac3")) as on:
        await on.press("exclamation_mark")
        await on.until(lambda: on.run_screen.snapshot.state == "GAVE UP")
        await on.press("h", "x")
        await on.until(lambda: "r5c5 is given 8" in on.said)
        await on.press("k", "x")
        await on.until(lambda: isinstance(on.app.screen, Pager) and on.app.screen.text._shown)
        text = on.shown(on.app.screen.text)
        assert "r4c5 could be 3 4 5 7 9" in text
        assert "  8   r5c5 in column 5" in text
        await on.press("escape")
        await on.until(lambda: on.app.screen is on.run_screen)


async def test_a_solver_without_causes_has_no_hint() -> None:
    async with open_run((120, 36)) as on:
        await on.press("h", "k", "x")
        await on.until(lambda: "does not record what ruled out" in on.said)
        assert "why" not in on.shown(on.run_screen.footer)
