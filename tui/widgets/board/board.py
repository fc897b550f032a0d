"""The board widget: scrolls a board that does not fit, and posts the cell under a click."""

from __future__ import annotations

from textual import events
from textual.message import Message

from tui.i18n import _
from tui.widgets.board.drawing import Position, Scroll, board_rows, follow, part_shown
from tui.widgets.board.layout import Layout, fitting
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, row, rows

__all__ = ["Board", "Position"]


class Board(Pane):
    """A board, drawn in the roomiest layout that fits."""

    DEFAULT_CSS = "Board { width: 46; height: 18; }"

    class Picked(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, position: Position | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.position = position
        self._scroll = Scroll()
        self.keys = ""
        """The keys that move the cell cursor, for the line below a board that does not fit."""

    def show(self, position: Position) -> None:
        self.position = position
        self.repaint()

    def layout_for(self, width: int, height: int) -> Layout | None:
        if self.position is None:
            return None
        return fitting(self.position.puzzle.box, width, height, self.position.candidates is not None)

    def draw(self, space: Space) -> Rows:
        layout = self.layout_for(space.width, space.height)
        if self.position is None or layout is None:
            return rows((), space)
        cut = layout.width > space.width or layout.height > space.height
        room = Space(space.width, space.height - 1, space.glyphs) if cut else space
        wanted = self.position.focus if self.position.cursor is None else (self.position.cursor,)
        for cell in (*reversed(wanted), *([] if wanted else [None])):
            self._scroll = follow(self._scroll, layout, cell, room)
        drawn = board_rows(self.position, layout, room, self._scroll)
        return (*drawn, self._hidden_line(layout, room)) if cut else drawn

    def _hidden_line(self, layout: Layout, space: Space) -> Row:
        """The line below a board that does not fit: the visible part, and the keys that show the rest."""
        n, (down, across) = layout.n, part_shown(layout, space, self._scroll)
        parts = [_("{name} {first} to {last} of {n}").format(name=name, first=shown.start + 1, last=shown.stop, n=n)
                 for name, shown in ((_("rows"), down), (_("columns"), across)) if len(shown) < n]
        spans: list[Span] = [("  " + ", ".join(parts), "muted")]
        if self.keys:
            spans.append(("   " + _("{keys} shows the rest").format(keys=space.glyphs.key(self.keys)), "muted"))
        return row(spans if length(spans) <= space.width else spans[:1], space.width)

    def on_click(self, event: events.Click) -> None:
        layout = self.layout_for(*self.size)
        if layout is None:
            return
        x = event.x + (self._scroll.x if event.x >= layout.label else 0)
        y = event.y + (self._scroll.y if event.y >= 1 else 0)
        cell = layout.cell_at(x, y)
        if cell is not None:
            self.post_message(self.Picked(cell))
