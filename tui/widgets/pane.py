"""Bases of the widgets: look and place; panes, which draw rows of spans and repaint only the columns that changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar

from rich.color import ColorSystem
from rich.segment import Segment
from textual import events
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.look.glyphs import Glyphs
from tui.look.theme import DARK, ROLES, Look, Palette, Role
from tui.terminal import sequences
from tui.terminal.compositor import Lean, Painted, system_of
from tui.widgets.rows import Row, Rows, Space, changed, cut, row, rows

DEFAULT_LOOK = Look(DARK)
GROUND = Color(0, 0, 0)
"""Background for Textual's filters, which use it to dim; no style here is dim."""


def strip(line: Row, look: Look, width: int) -> Strip:
    """A row as a strip in the styles of a look."""
    return Strip([Segment(text, look.style(role)) for text, role in line], width)


def filtered(strips: list[Strip], filters: Sequence[LineFilter]) -> list[Strip]:
    """The strips after Textual's line filters."""
    for each in filters:
        strips = [line.apply_filter(each, GROUND) for line in strips]
    return strips


@lru_cache(32)
def sgr_table(palette: Palette, filters: tuple[LineFilter, ...], system: ColorSystem) -> dict[Role, sequences.Sgr]:
    """The terminal attributes of every role: its style after Textual's line filters."""
    strips = filtered([Strip([Segment("x", palette.styles[role])], 1) for role in ROLES], filters)
    found = {role: piece.setting for role, line in zip(ROLES, strips, strict=True)
             for piece in sequences.strip_pieces([(0, 0, line)], system)}
    return found


class AppWidget(Widget):
    """A widget in the look of the application, which a layout places."""

    grows: ClassVar[bool] = False
    """Its height follows its text, and not its region."""
    _look: Look | None = None
    placed: Region | None = None
    """The region that the layout gives it; None: it is hidden."""

    @property
    def look(self) -> Look:
        """The look that was set, else the application's."""
        if self._look is not None:
            return self._look
        given = getattr(self.app, "look", None) if self.is_attached else None
        return given if isinstance(given, Look) else DEFAULT_LOOK

    @property
    def glyphs(self) -> Glyphs:
        return self.look.glyphs

    def set_look(self, look: Look) -> None:
        """Redraw with these styles and glyphs."""
        self._look = look
        self.refresh()

    def place(self, region: Region | None) -> None:
        """Move to a region of the parent, or hide without one."""
        self.display = region is not None
        before, self.placed = self.placed, region
        if region is not None and region != before:
            self.styles.offset = region.offset
            self.styles.width = region.width
            if not self.grows:
                self.styles.height = region.height


class Pane(Painted, AppWidget):
    """A widget that draws rows of spans. Subclasses implement `draw` and call `repaint` when a value has changed."""

    DEFAULT_CSS = "Pane { width: 1fr; height: 1fr; }"
    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Rows = ()
        self._drawn_for = (0, 0)
        """Columns and rows of the rows shown."""

    def set_look(self, look: Look) -> None:
        self._look = look
        self._shown = ()
        self.repaint()

    def draw(self, space: Space) -> Rows:
        """The rows to show, which fill the space exactly."""
        return rows((), space)

    def repaint(self) -> None:
        """Draw, and have the columns that changed painted."""
        width, height = self.outer_size
        if not (width and height and self.is_attached):
            return
        before, grown = self._shown, self._drawn_for != (width, height)
        self._shown, self._drawn_for = self.draw(Space(width, height, self.glyphs)), (width, height)
        if grown or len(before) != len(self._shown):
            self.refresh()
            return
        pairs = enumerate(zip(before, self._shown, strict=True))
        parts = [(y, changed(old, new, width)) for y, (old, new) in pairs if old != new]
        regions = [Region(x, y, columns, 1) for y, (x, columns) in parts]
        screen = self.screen
        if regions and isinstance(screen, Lean):
            screen.paint(self, regions)
        elif regions:
            self.refresh(*regions)

    def on_resize(self) -> None:
        self.repaint()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines as drawn: Textual would add frame and padding, which a pane has not."""
        return filtered([self.render_line(y).crop(crop.x, crop.right) for y in crop.line_range],
                        self.app.get_line_filters())

    def pieces(self, regions: Iterable[Region], place: Offset) -> list[sequences.Piece]:
        """The regions as pieces for the terminal; without strips in between if all characters take one column."""
        if self._drawn_for != self.outer_size or not self._shown:
            return super().pieces(regions, place)
        wanted = [(y, region.x, region.right) for region in regions for y in region.line_range]
        app = self.app
        table = sgr_table(self.look.palette, tuple(app.get_line_filters()), system_of(app.console))
        found: list[sequences.Piece] = []
        for y, first, last in wanted:
            part = cut(self._shown[y], first, last)
            if part is None:
                return super().pieces(regions, place)
            found += sequences.text_pieces([(text, table[role]) for text, role in part], place.y + y, place.x + first)
        return found

    def render_line(self, y: int) -> Strip:
        width, height = self.outer_size
        if len(self._shown) != height or self._drawn_for != (width, height):
            self._shown, self._drawn_for = self.draw(Space(width, height, self.glyphs)), (width, height)
        line = self._shown[y] if y < len(self._shown) else row((), width)
        return strip(line, self.look, width)


class HeadedPane(Pane):
    """A pane with a heading, which is left out under a tab title."""

    class HeadingClicked(Message):
        """The heading of a pane was clicked."""

        def __init__(self, pane: Pane) -> None:
            super().__init__()
            self.pane = pane

    heading = True

    def on_click(self, event: events.Click) -> None:
        if self.heading and event.y == 0:
            self.post_message(self.HeadingClicked(self))

    def set_heading(self, shown: bool) -> None:
        """Show or leave out the heading."""
        if shown is not self.heading:
            self.heading = shown
            self.repaint()
