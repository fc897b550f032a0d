"""Lean updates draw the same screen as Textual's own, and a swap costs few bytes on a real terminal."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import random
import sys
from pathlib import Path

import pexpect
import pyte
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from tests.patience import PATIENCE
from tui.look.theme import PALETTES, Look
from tui.terminal import compositor, sequences
from tui.terminal.sequences import Sgr
from tui.widgets.pane import Pane

PAGE = Path(__file__).parents[1] / "widgets" / "page.py"
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("lean_page", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawn_page(page):
    """A page whose updates are counted by kind and drawn on a terminal, too."""
    class DrawnPage(page.Page):
        def __init__(self) -> None:
            super().__init__()
            self.direct = self.paints = self.written = 0
            self.console = console()
            self.terminal = pyte.Screen(120, 36)

        def _display(self, screen, renderable):
            super()._display(screen, renderable)
            if renderable is not None:
                self.direct += isinstance(renderable.drawn, list)
                self.paints += not isinstance(renderable.drawn, list)
                sequence = renderable.render_segments(console())
                self.written = len(sequence)
                feed(self.terminal, sequence)

    return DrawnPage


def feed(screen: pyte.Screen, sequence: str) -> None:
    pyte.Stream(screen).feed(sequence.replace("\n", "\r\n"))


def console() -> Console:
    return Console(color_system="truecolor", force_terminal=True, legacy_windows=False)


def cells(screen: pyte.Screen) -> list:
    """Every cell, the ink of a blank left out: it does not show."""
    found = []
    for y in range(screen.lines):
        for x in range(screen.columns):
            cell = screen.buffer[y][x]
            found.append(cell._replace(fg="", bold=False) if cell.data == " " and not cell.reverse else cell)
    return found


@pytest.mark.sweep
def test_any_update_draws_what_textual_draws(page, monkeypatch):
    made: list[LayoutUpdate | ChopsUpdate] = []

    class Recorded(compositor.LeanUpdate):
        def __init__(self, update):
            super().__init__(update)
            made.append(update)

    async def play() -> None:
        app, chance = page.Page(), random.Random(7)
        async with app.run_test(size=(120, 36)) as pilot:
            for _round in range(40):
                await pilot.press(chance.choice("nd"))
                for pane in chance.choices(list(app.query(Pane)), k=4):
                    x, width = chance.randrange(pane.size.width), chance.randrange(1, 20)
                    pane.refresh(Region(x, chance.randrange(pane.size.height), width, 1).intersection(pane.size.region))
                await pilot.pause()

    monkeypatch.setattr(compositor, "LeanUpdate", Recorded)
    monkeypatch.setattr(compositor.Lean, "_direct_place", lambda _self, _widget: None)
    asyncio.run(play())
    plain, thin = pyte.Screen(120, 36), pyte.Screen(120, 36)
    assert len([update for update in made if isinstance(update, ChopsUpdate)]) > 40
    for update in made:
        feed(plain, update.render_segments(console()))
        feed(thin, Recorded.__base__(update).render_segments(console()))
        assert cells(thin) == cells(plain)


def test_what_is_painted_past_the_compositor_is_what_it_would_have_painted(drawn_page):
    async def play() -> None:
        app, chance = drawn_page(), random.Random(11)
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            for _round in range(40):
                await pilot.press(chance.choice("nd"))
                if chance.random() < 0.2:
                    pane = chance.choice(list(app.query(Pane)))
                    x, y = pane.styles.offset
                    pane.styles.offset = (x.value, y.value + chance.choice((1, -1)))
            await pilot.pause()
            whole = pyte.Screen(120, 36)
            feed(whole, app.screen._compositor.render_full_update().render_segments(console()))
            assert cells(app.terminal) == cells(whole)
            assert app.direct > 20

    asyncio.run(play())


def test_a_repaint_of_rows_that_a_pane_has_no_more_is_dropped(drawn_page):
    """It was asked for while the terminal was larger."""
    async def play() -> None:
        app = drawn_page()
        async with app.run_test(size=(120, 36)) as pilot:
            await painted(app, pilot)
            pane, direct = app.query(Pane).first(), app.direct
            app.screen.paint(pane, [Region(0, 0, 4, 1), Region(0, pane.size.height + 3, 4, 1)])
            await painted(app, pilot)
            assert app.direct == direct + 1
            assert list(app.terminal.display) == [strip.text for strip in app.screen._compositor.render_strips()]

    asyncio.run(play())


def test_with_another_textual_the_plain_compositor_stays(monkeypatch):
    assert compositor.supported()
    assert compositor.supported("8.0.0")
    assert not compositor.supported("9.0.1")
    assert not compositor.supported("7.9.0")
    monkeypatch.setattr(compositor, "supported", lambda: False)
    assert type(compositor.LeanScreen()._compositor) is type(Screen()._compositor)
    monkeypatch.setattr(compositor, "supported", lambda: True)
    assert type(compositor.LeanScreen()._compositor) is compositor.LeanCompositor


def test_the_shorter_order_is_taken():
    found = [sequences.Piece(y, x, "ab", 2, setting) for y in range(3) for x, setting in (
        (0, Sgr((), "38;2;213;94;0", "48;2;18;18;18")), (9, Sgr((), "38;2;1;2;3", "48;2;9;9;9")))]
    assert len(sequences.shortest(found)) < len(sequences.written(found))
    assert sequences.strip_pieces((), ColorSystem.TRUECOLOR) == []


class Terminal:
    """The page on a real pseudo-terminal, with the bytes that a key costs."""

    def __init__(self, *arguments: str, **environ: str) -> None:
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.child = pexpect.spawn(sys.executable, [str(PAGE), *arguments], dimensions=(36, 120), timeout=PATIENCE,
                                   env=env | {"PYTHONPATH": str(ROOT), **environ})
        self.screen = pyte.Screen(120, 36)
        self.stream = pyte.ByteStream(self.screen)
        self.seen = b""

    def until(self, text: str) -> None:
        """Read until this is on the screen. A frame is complete when the cursor goes home after it."""
        while not (any(text in line for line in self.screen.display) and self.seen.endswith(b"\x1b[1;1H")):
            data = self.child.read_nonblocking(65536, timeout=PATIENCE)
            self.seen += data
            for junk in (b"\x1b[?2026$p", b"\x1b[?2048$p", b"\x1b[>25u"):
                data = data.replace(junk, b"")
            self.stream.feed(data)

    def begin(self) -> None:
        """The start, which draws several times over, and a first move after it."""
        self.until("[5]![9]!")
        self.cost("d", "[8]! │  5   2  [6]!")

    def cost(self, key: str, text: str) -> int:
        self.seen = b""
        self.child.send(key)
        self.until(text)
        return len(self.seen)

    def close(self) -> None:
        self.child.send("q")
        self.child.expect(pexpect.EOF)
        self.child.close()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("look", "term", "colours", "board", "everything"),
    [("dark", "xterm-256color", "truecolor", 280, 900), ("dark-16", "xterm-16color", "", 200, 700)],
)
def test_a_swap_costs_few_bytes(look, term, colours, board, everything):
    terminal = Terminal(look, TERM=term, COLORTERM=colours)
    try:
        terminal.begin()
        costs = [terminal.cost("d", text) for text in ("[9]! 5  [8]", "[9]! 1   │  6  [4]!")]
        assert max(costs) <= board
        assert terminal.cost("n", "r6c1 ↔ r6c3") <= everything
    finally:
        terminal.close()


@pytest.mark.sweep
def test_without_the_correction_it_would_cost_several_times_as_much():
    full = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    thin, plain = Terminal("dark", **full), Terminal("dark", "--plain", **full)
    try:
        for terminal in (thin, plain):
            terminal.begin()
        assert plain.cost("d", "[9]! 5  [8]") > 4 * thin.cost("d", "[9]! 5  [8]")
    finally:
        thin.close()
        plain.close()


def test_looks_are_taken_by_every_pane(page):
    async def shown() -> set:
        app = page.Page(Look(PALETTES["dark"]))
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.press("l")
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            return {segment.style.bgcolor.get_truecolor().hex for strip in strips for segment in strip
                    if segment.style and segment.style.bgcolor}

    assert asyncio.run(shown()) == {"#ffffff", "#dcdcdc", "#f0e442"}


async def painted(app, pilot) -> int:
    """The number of paints of the screen when no more follow, also on a busy machine."""
    before = -1
    while before != app.paints:
        before = app.paints
        await pilot.pause(0.1)
    return before


def test_a_screen_that_comes_is_painted_less_often_and_what_changed_meanwhile_is_not_lost(drawn_page):
    """Textual would paint it four times, and a busy machine may come between the second paint and its clock."""
    async def play() -> None:
        app = drawn_page()
        async with app.run_test(size=(120, 36)) as pilot:
            await painted(app, pilot)
            for come in (lambda: app.push_screen(compositor.LeanScreen()), app.pop_screen):
                before = app.paints
                come()
                assert before + 2 <= await painted(app, pilot) <= before + 3
                assert not app.written  # all of it stood there since the first of them
            app.push_screen(compositor.LeanScreen())
            app.pop_screen()
            await pilot.press("d", "d", "n")
            await pilot.pause()
            wanted = [strip.text for strip in app.screen._compositor.render_strips()]
            assert list(app.terminal.display) == wanted

    asyncio.run(play())


def test_a_screen_of_another_size_stands_as_it_would(drawn_page):
    async def play() -> None:
        app = drawn_page()
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            for columns, rows in ((110, 34), (130, 40), (80, 24)):
                app.terminal.resize(rows, columns)
                app.terminal.alignment_display()
                await pilot.resize_terminal(columns, rows)
                await pilot.press("d", "n")
                await pilot.pause()
                assert list(app.terminal.display) == [strip.text for strip in app.screen._compositor.render_strips()]

    asyncio.run(play())


def test_what_no_terminal_shows_is_never_written():
    strip = Strip([Segment("a\x1b]0;x\x07b\u202e\N{NO-BREAK SPACE}\udcff漢")])
    assert sequences.written(sequences.strip_pieces([(0, 0, strip)], ColorSystem.TRUECOLOR)) == "\x1b[1;1Ha]0;xb ?漢"
