"""Pages of text over a screen, turned with keys and mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui.i18n import _
from tui.screens.dialogs.prompt import Dialog
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows, spread
from tui.widgets.text import broken

Block = Sequence[Row]
"""Rows that are not divided between columns if they fit in one."""
Pages = Sequence[Sequence[Row]]
PageMaker = Callable[[Space], Pages]
"""The pages of a text, for the space of one."""
GUTTER = 3
NARROW, WIDE = 36, 46
"""Width of a column of a page, at least and at most."""
SENTENCE = 100
"""Width of a sentence across a page, at most."""


def columns_of(width: int) -> int:
    """The width of each column of a page."""
    number = max(1, (width - 2 + GUTTER) // (NARROW + GUTTER))
    return min((width - 2 + GUTTER) // min(number, 3) - GUTTER, WIDE)


def flow(blocks: Sequence[Block], space: Space, column: int) -> list[list[Row]]:
    """The blocks in columns from left to right on as many pages as they take, with blank rows between them."""
    across = max(1, min((space.width - 2 + GUTTER) // (column + GUTTER), 3))
    stacks: list[list[Row]] = [[]]
    for block in blocks:
        for part in paged(block, space.height):
            if stacks[-1] and len(stacks[-1]) + 1 + len(part) > space.height:
                stacks.append([])
            stacks[-1] += [*([row((), column)] if stacks[-1] else []), *part]
    pages = [stacks[at:at + across] for at in range(0, len(stacks), across)]
    return [[_beside(line, space.width, column) for line in zip_longest(*page, fillvalue=row((), column))]
            for page in pages]


def _beside(parts: Sequence[Row], width: int, column: int) -> Row:
    spans = [span for part in parts for span in (*row(part, column), (" " * GUTTER, "blank"))]
    return row((("  ", "blank"), *spans), width)


def paged(lines: Sequence[Row], height: int) -> Pages:
    """The rows in pages of this height."""
    return [lines[at:at + height] for at in range(0, len(lines), max(height, 1))]


def text_pages(lines: Iterable[str], space: Space) -> Pages:
    """A text in pages, its lines wrapped to the width of the window."""
    width = max(space.width - 4, 10)
    cut = [part for line in lines for part in ([line[at:at + width] for at in range(0, len(line), width)] or [""])]
    return paged([row((("  ", "blank"), (space.glyphs.text(part), "text")), space.width) for part in cut],
                 space.height)


def recipe_pages(line: str, space: Space) -> Pages:
    """A run as one line, wrapped to the window, and its uses."""
    width = max(space.width - 4, 1)
    cut = [line[at:at + width] for at in range(0, len(line), width)]
    uses = [_("This line is the whole run up to this step. It is in the clipboard if the terminal allows that."),
            _("sudoku-tui '…' opens this run at this step; solve and trace run it from the start.")]
    words = [text for each in uses for text in broken(space.glyphs.text(each), min(width, SENTENCE))]
    body: list[Row] = [((_("Recipe"), "strong"),), *(((text, "text"),) for text in words), (),
                       *(((text, "strong"),) for text in cut)]
    return paged([row((("  ", "blank"), *spans), space.width) for spans in body], space.height)


class PageText(Pane):
    """One of the pages, and a row with the keys."""

    def __init__(self, pages: PageMaker) -> None:
        super().__init__()
        self._pages = pages
        self.page = 0
        self.total = 1

    def show(self, pages: PageMaker) -> None:
        """Show another text from its first page on."""
        self._pages, self.page = pages, 0
        self.repaint()

    def renew(self, pages: PageMaker) -> None:
        """Show another state of the text, at the same page."""
        self._pages = pages
        self.repaint()

    def turn(self, pages: int) -> None:
        """Turn this many pages, within the first and the last."""
        self.page = min(max(self.page + pages, 0), self.total - 1)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        pages = self._pages(Space(space.width, space.height - 2, space.glyphs))
        self.total = len(pages)
        self.page = min(self.page, self.total - 1)
        shown = list(pages[self.page])[:space.height - 1]
        shown += [row((), space.width)] * (space.height - 1 - len(shown))
        return rows([*shown, self._last_row(space)], space)

    def _last_row(self, space: Space) -> Row:
        left: list[Span] = [(" ", "blank")]
        if self.total > 1:
            last = self.page + 1 == self.total
            left += [(_("backspace") if last else _("space"), "strong"),
                     (" " + (_("previous page") if last else _("next page")), "muted"),
                     (f"   {self.page + 1} / {self.total}", "muted")]
        return spread(left,
                      [("esc", "strong"), (" " + _("closes"), "muted"), (" ", "blank")], space.width)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.turn(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.turn(-1)

    async def on_click(self, event: events.Click) -> None:
        if event.y == self.size.height - 1 and event.x < self.size.width // 2:
            self.turn(1 if self.page + 1 < self.total else -1)
        elif event.y == self.size.height - 1:
            await self.run_action("screen.leave")


class Pager(Dialog[None]):
    """Shows pages of rows. A key past the last page does nothing: if it closed them, the next one would act on the
    screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q", "leave", show=False),
        Binding("space,enter,right,down,pagedown", "turn(1)", show=False),
        Binding("backspace,left,up,pageup", "turn(-1)", show=False),
        Binding("home", "turn(-99)", show=False),
        Binding("end", "turn(99)", show=False),
    ]
    DEFAULT_CSS = "Pager { background: $background; }"

    def __init__(self, pages: PageMaker) -> None:
        """`pages` returns the pages for the space of one."""
        super().__init__()
        self.text = PageText(pages)

    def compose(self) -> ComposeResult:
        yield self.text

    def action_turn(self, pages: int) -> None:
        self.text.turn(pages)

    def action_leave(self) -> None:
        self.leave(None)
