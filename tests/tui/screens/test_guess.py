"""Guess on the screen: what is shown before the answer and after it, and the keys."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.rng import MAX_SEED
from engine.teaching.guess import CANDIDATES, Guess, What, make_guess
from tests.patience import PATIENCE
from tests.tui.app_driver import AppDriver, running_app
from tui.screens.dialogs.pager import Pager, PageText
from tui.screens.guess import GuessScreen, plan
from tui.screens.home.screen import Home
from tui.widgets.plot import curve_rows

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


def guess_screen(on: AppDriver) -> GuessScreen:
    assert isinstance(on.app.screen, GuessScreen)
    return on.app.screen


async def made(on: AppDriver) -> Guess:
    await on.until(lambda: guess_screen(on).guess is not None)
    guess = guess_screen(on).guess
    assert guess is not None
    return guess


def shown(on: AppDriver) -> str:
    """The text of the panes without its line ends: long lines are broken."""
    screen = guess_screen(on)
    return "".join(line.strip() for pane in screen.panes.values() for line in on.shown(pane).splitlines())


@asynccontextmanager
async def guessing(seed: int = 5, size: tuple[int, int] = (80, 24)) -> AsyncIterator[AppDriver]:
    async with running_app(size=size) as on:
        await on.app.push_screen(GuessScreen(EASY, seed))
        await made(on)
        yield on


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (64, 20), (72, 22)])
async def test_the_recipe_comes_after_the_answer_and_its_hash_before(size: tuple[int, int]) -> None:
    async with guessing(size=size) as on:
        guess = await made(on)
        before = shown(on)
        assert guess.question.text in before
        assert "solver=" not in before
        assert guess.commitment in before
        await on.press("y")
        assert "the recipe comes after the answer" in shown(on)
        await on.press(*["down"] * (1 + min(guess.question.rights)), "enter")
        after = shown(on)
        assert hashlib.sha256(guess.recipe.encode()).hexdigest() == guess.commitment
        assert guess.recipe in after or (size == (64, 20) and "…" in after)
        assert guess.question.why in after
        assert guess.reason
        assert guess.reason.replace(" ", "") in after.replace(" ", "")
        assert guess.features.replace(" ", "") in after.replace(" ", "")
        assert "1 of 1 right" in after
        assert " RIGHT " in on.shown(guess_screen(on).verdict)
        await on.press("y")
        await on.at(Pager)
        pager = on.app.screen.query_one(PageText)
        assert guess.recipe in "".join(line.strip() for line in on.shown(pager).splitlines())


async def test_a_recipe_of_a_large_grid_is_whole_at_80_by_24() -> None:
    async with running_app(size=(80, 24)) as on:
        await on.app.push_screen(GuessScreen(packs.find("16x16:1").puzzle, 1))
        guess = await made(on)
        await on.press("down", "enter")
        assert guess.recipe in shown(on)


async def test_a_wrong_answer_counts_once_and_the_next_curve_is_another() -> None:
    async with guessing() as on:
        guess = await made(on)
        wrong = next(place for place in range(5) if place not in guess.question.rights)
        await on.press(*["down"] * (1 + wrong), "enter")
        assert "NOT RIGHT" in on.shown(guess_screen(on).verdict)
        assert "0 of 1 right" in shown(on)
        await on.press("up", "enter")
        following = await made(on)
        assert following.commitment != guess.commitment
        assert "0 of 1 right" in shown(on)


async def test_without_a_selected_answer_nothing_is_judged() -> None:
    async with guessing() as on:
        await on.press("enter")
        assert "choose an answer first" in shown(on)
        assert guess_screen(on).judgement is None


async def test_keys_of_hint_another_curve_and_the_rule_for_t() -> None:
    async with guessing() as on:
        first = await made(on)
        await on.press("f2")
        assert "Does E ever rise?" in shown(on)
        await on.press("s")
        assert (await made(on)).commitment != first.commitment
        await on.press("tab")
        rule = await made(on)
        assert rule.question.options == tuple(each.label for each in CANDIDATES["temperature"])
        assert "which rule for T" in shown(on)
        await on.press("escape")
        await on.at(Home)


async def test_an_answer_is_chosen_by_a_click() -> None:
    async with guessing() as on:
        pane = guess_screen(on).question
        rows = on.shown(pane).splitlines()
        await on.pilot.click(pane, offset=(6, next(y for y, row in enumerate(rows) if "hill climbing" in row)))
        await on.until(lambda: guess_screen(on).option == 2)


async def test_an_answer_is_chosen_by_its_number() -> None:
    async with guessing() as on:
        await made(on)
        await on.press("3")
        await on.until(lambda: "▶ 3 hill climbing" in on.shown(guess_screen(on).question))
        await on.press("9", "enter")
        await on.until(lambda: "0 of 1 right" in shown(on) or "1 of 1 right" in shown(on))
        await on.press("1")
        assert guess_screen(on).option == 2


async def test_it_is_opened_on_the_puzzle_that_is_selected() -> None:
    async with running_app() as on:
        await on.press("down", "down", "g")
        await on.at(GuessScreen)
        entry = on.app.screen_stack[-2].selection.entry  # type: ignore[attr-defined]
        assert guess_screen(on).puzzle == entry.record.puzzle
        await made(on)


async def test_a_seed_at_the_end_is_followed_by_the_first() -> None:
    async with guessing(MAX_SEED) as on:
        await on.press("s")
        assert await made(on)


async def test_while_the_curve_is_made_it_counts_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.screens import guess as module

    may_end, now = threading.Event(), 100.0

    def slow(puzzle: Puzzle, what: What, seed: int) -> Guess:
        may_end.wait(PATIENCE)
        return make_guess(puzzle, what, seed)

    monkeypatch.setattr(module, "make_guess", slow)
    async with running_app() as on:
        await on.app.push_screen(GuessScreen(EASY, 5, lambda: now))
        try:
            now += 7.2
            await on.until(lambda: "7 s" in on.shown(guess_screen(on).verdict))
            await on.press("enter", "down", "f2", "s", "tab")
        finally:
            may_end.set()
        assert (await made(on)).question.kind == "guess-solver"


async def test_a_puzzle_that_a_solver_refuses_is_one_sentence_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.errors import PuzzleError
    from tui.screens import guess as module

    def refused(*_arguments: object) -> Guess:
        raise PuzzleError("nothing can be swapped")

    monkeypatch.setattr(module, "make_guess", refused)
    async with running_app() as on:
        await on.press("down", "down", "g")
        await on.until(lambda: isinstance(on.app.screen, Home) and "nothing can be swapped" in on.said)


def test_panes_never_overlap() -> None:
    for width in range(64, 201, 4):
        for height in range(20, 61, 4):
            regions = list(plan(width, height).values())
            assert all(one.intersection(other).area == 0 for one in regions for other in regions if one is not other)
            assert all(region.right <= width and region.bottom <= height for region in regions)


@pytest.mark.parametrize(("width", "height"), [(0, 0), (3, 10), (40, -1), (40, 1)])
def test_a_curve_without_room_has_no_rows(width: int, height: int) -> None:
    assert curve_rows([9, 4, 0] * 20, width, height, braille=True) == []
