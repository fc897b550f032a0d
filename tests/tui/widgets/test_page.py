"""A page of all panes: snapshots, repaints, clicks and sizes."""

from __future__ import annotations

import importlib.util
from importlib.metadata import version
from pathlib import Path

import pytest

from tui.look.glyphs import ASCII, UNICODE
from tui.look.theme import PALETTES, Look
from tui.widgets.board.board import Board
from tui.widgets.pane import Pane
from tui.widgets.rows import plain


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("static_page", Path(__file__).with_name("page.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXTUAL = tuple(int(part) for part in version("textual").split(".")[:2])
LOOKS = [("dark", UNICODE), ("light", UNICODE), ("mono", UNICODE), ("dark-16", UNICODE), ("dark", ASCII),
         ("mono", ASCII)]


@pytest.mark.sweep(keep=6)
@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=["120x36", "80x24"])
@pytest.mark.parametrize("look", LOOKS, ids=[f"{name}{'-ascii' if glyphs.ascii else ''}" for name, glyphs in LOOKS])
def test_looks(snap_compare, page, look, size):
    if PALETTES[look[0]].native and TEXTUAL < (8, 2):
        pytest.skip("before Textual 8.2 a picture gave the terminal's own colours other values")
    assert snap_compare(page.Page(Look(PALETTES[look[0]], look[1])), terminal_size=size)


def text_of(app) -> list[str]:
    return [strip.text for strip in app.screen._compositor.render_strips()]


async def test_a_change_repaints_only_what_differs(page):
    app = page.Page()
    async with app.run_test(size=(120, 36)) as pilot:
        board = app.query_one(Board)
        await pilot.pause()
        regions = []
        app.screen.paint = lambda widget, given: regions.extend(given if widget is board else ())
        app.action_board()
        lines = {region.y for region in regions}
        assert {region.height for region in regions} == {1}
        assert board.layout_for(*board.size).row_y(1) in lines
        assert sum(region.width for region in regions) < 60
        regions.clear()
        board.repaint()
        assert regions == []


async def test_many_changes_leave_the_same_screen_as_one_drawing(page):
    app = page.Page()
    async with app.run_test(size=(120, 36)) as pilot:
        for key in "ndnndndn":
            await pilot.press(key)
        await pilot.pause()
        before = text_of(app)
        for pane in app.query(Pane):
            pane.set_look(pane.look)
        await pilot.pause()
        assert text_of(app) == before


async def test_a_resize_takes_the_other_board(page):
    app = page.Page()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert app.query_one(Board).layout_for(*app.query_one(Board).size).name == "M"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        board = app.query_one(Board)
        assert board.layout_for(*board.size).name == "S"
        assert [line[1:41] for line in text_of(app)[3:15]] == plain(board._shown)


async def test_a_click_picks_a_cell(page):
    app = page.Page()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        board = app.query_one(Board)
        layout = board.layout_for(*board.size)
        for offset in ((0, 0), (layout.column_x(4) + 1, layout.row_y(8)), (layout.rule_x(0), layout.row_y(3))):
            await pilot.click(Board, offset=offset)
        await pilot.pause()
    assert app.picked == [76, 29], "a click on the rule between two boxes is one on the cell before it"
