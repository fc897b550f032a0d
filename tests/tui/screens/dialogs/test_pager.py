"""Pages of text, and the page of a recipe."""

from __future__ import annotations

import pytest

from engine.run import recipe
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import SMALL
from tui.keys.default_keys import RUN_KEYS
from tui.keys.keymap import KeyTable
from tui.screens.dialogs.help import Topic, help_pages
from tui.screens.dialogs.pager import Pager, flow, recipe_pages
from tui.screens.run.presenter import placeholders
from tui.widgets.rows import Space, plain, row
from tui.widgets.text import broken

TOPIC = Topic("Laboratory", ["It stands."], [("space", "run")], KeyTable(RUN_KEYS), placeholders(SMALL),
              ["About", "A text."])


async def shown(on: RunDriver) -> str:
    await on.until(lambda: isinstance(on.app.screen, Pager) and on.app.screen.text._shown)
    return on.shown(on.app.screen.text)


def test_blocks_are_kept_together_and_a_long_one_is_cut():
    blocks = [[row((), 5)] * rows for rows in (3, 4, 20)]
    pages = flow(blocks, Space(20, 8), 5)
    assert [len(page) for page in pages] == [8, 8]
    assert flow([], Space(20, 8), 5) == [[]]


def test_words_are_wrapped_and_long_ones_cut():
    assert broken("a bc def", 4) == ["a bc", "def"]
    assert broken("abcdefgh i", 3) == ["abc", "def", "gh", "i"]
    assert broken("", 3) == [""]
    assert broken("steps 8 114–9 113: E 17", 14) == ["steps", "8 114–9 113: E", "17"]
    assert broken("100 12 345 678 cells", 10) == ["100", "12 345 678", "cells"]


async def test_the_recipe_is_copied_and_shown():
    async with open_run() as on:
        await on.press("right", "right_square_bracket", "right")
        await on.at(2)
        await on.press("y")
        text = await shown(on)
        line = recipe.line(on.run_screen.snapshot.recipe, 2)
        assert on.app.clipboard == line
        assert line.endswith("?solver=small&seed=7&at=1:temperature=1.1&step=2")
        assert line in text.replace(" ", "").replace("\n", "")


def test_a_recipe_is_whole_at_any_width():
    line = "x" * 700
    for width in (44, 80, 200):
        pages = recipe_pages(line, Space(width, 10))
        assert sum(text.count("x") for page in pages for text in plain(page)) >= 700
        assert all(len(page) <= 10 for page in pages)


def test_a_recipe_that_fits_is_on_one_row_to_be_copied_with_the_mouse():
    line = "x" * 190
    assert any(line in text for page in recipe_pages(line, Space(200, 10)) for text in plain(page))


@pytest.mark.parametrize("width", range(7))
@pytest.mark.parametrize("height", [-1, 0, 1, 30])
def test_pages_end_in_the_smallest_windows(width, height):
    space = Space(width, height)
    for pages in (help_pages(TOPIC, space), recipe_pages("1234?seed=1", space)):
        assert pages
        assert all(len(line) == width for page in pages for line in plain(page))
    assert broken("ab c", 0) == ["a", "b", "c"]


async def test_a_key_past_the_last_page_does_nothing():
    async with open_run(size=(80, 24)) as on:
        await on.press("question_mark")
        await shown(on)
        pages = on.app.screen.text
        await on.press("end")
        await on.until(lambda: pages.page + 1 == pages.total > 1)
        await on.press("space", "space", "enter")
        await on.pilot.pause()
        assert isinstance(on.app.screen, Pager)
        assert pages.page + 1 == pages.total
        await on.press("escape")
        await on.until(lambda: on.app.screen is on.run_screen)
        assert not on.run_screen.snapshot.busy
