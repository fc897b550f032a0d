"""Textual's OptionList with rows of spans for options, in the styles of the palette."""

from __future__ import annotations

from collections.abc import Container, Sequence

from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.widgets.pane import AppWidget, strip
from tui.widgets.rows import Row, clipped, cut, plain, row


class RowList(OptionList, AppWidget):
    """A list of rows. Options are addressed by their index.

    The lead of the highlighted row has the role `selected` and a `▶` in its first column: one role, so that no colour
    meets another ground; the mark, for terminals without colour.
    """

    DEFAULT_CSS = """
    RowList, RowList:focus {
        border: none; padding: 0; background: $background; background-tint: $background 0%; scrollbar-size: 0 0;
    }
    """

    def __init__(self, lead: int | None = None) -> None:
        """`lead`: columns of the highlighted row that are marked; None: all of them."""
        super().__init__(markup=False)
        self._lead = lead
        self._rows: tuple[Row, ...] = ()
        self._disabled: Container[int] = ()

    def set_rows(self, rows: Sequence[Row], highlighted: int | None, disabled: Container[int] = ()) -> None:
        """Show these rows and highlight one of them."""
        if (len(rows), disabled) != (len(self._rows), self._disabled):
            self.set_options(Option(" ", disabled=index in disabled) for index in range(len(rows)))
        self._rows, self._disabled = tuple(rows), disabled
        self.highlighted = None if highlighted is None or not rows else min(highlighted, len(rows) - 1)
        self.refresh()

    @property
    def out_of_view(self) -> tuple[int, int]:
        """The numbers of rows above and below those in view."""
        above = self.scroll_offset.y
        return above, max(len(self._rows) - above - self.size.height, 0)

    def render_line(self, y: int) -> Strip:
        index, width, look = self.scroll_offset.y + y, self.size.width, self.look
        if index >= len(self._rows):
            return strip(row((), width), look, width)
        line = row(clipped(self._rows[index], width, look.glyphs), width)
        if index == self.highlighted:
            text, lead = plain([line])[0], self._lead or width
            mark = look.glyphs.current if text.startswith(" ") else ""
            line = row(((mark + text[len(mark):lead], "selected"), *(cut(line, lead, width) or ())), width)
        return strip(line, look, width).apply_meta({"option": index})
