"""Textual's OptionList with rows of spans for options, in the styles of the palette."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from textual.strip import Strip
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.widgets.pane import AppWidget, strip
from tui.widgets.rows import Row, cut, length, plain, row

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.style import Style


class RowVisual(Visual):
    """One row. While it is highlighted, its lead has the role `selected` and a `▶` in its first column.

    One role, so that no colour meets another ground; the mark, for terminals without colour.
    """

    def __init__(self, owner: RowList, index: int, spans: Row) -> None:
        self._owner, self._index, self.spans = owner, index, spans

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return length(self.spans)

    def get_height(self, rules: RulesMap, width: int) -> int:
        return 1

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        line = row(self.spans, width)
        if self._owner.highlighted == self._index:
            text, lead = plain([line])[0], self._owner.lead or width
            mark = self._owner.look.glyphs.current if text.startswith(" ") else ""
            line = row(((mark + text[len(mark):lead], "selected"), *(cut(line, lead, width) or ())), width)
        return [strip(line, self._owner.look, width)]


class RowList(OptionList, AppWidget):
    """A list of rows. Options are addressed by their index."""

    DEFAULT_CSS = """
    RowList, RowList:focus {
        border: none; padding: 0; background: $background; background-tint: $background 0%; scrollbar-size: 0 0;
        & > .option-list--option-highlighted { text-style: bold reverse; }
    }
    """  # the style of the highlighted option is never drawn, but must differ: Textual caches what it draws by style

    def __init__(self, lead: int | None = None) -> None:
        """`lead`: columns of the highlighted row that are marked; None: all of them."""
        super().__init__(markup=False)
        self.lead = lead
        self._rows: tuple[Row, ...] = ()
        self._disabled: Container[int] = ()

    def set_rows(self, rows: Sequence[Row], highlighted: int | None, disabled: Container[int] = ()) -> None:
        """Show these rows and highlight one of them; rows that have not changed are not drawn again."""
        if len(rows) == len(self._rows) and disabled == self._disabled:
            for index, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
                if old != new:
                    self.replace_option_prompt_at_index(index, RowVisual(self, index, new))
        else:
            self.set_options(Option(RowVisual(self, index, spans), disabled=index in disabled)
                             for index, spans in enumerate(rows))
        self._rows, self._disabled = tuple(rows), disabled
        self.highlighted = None if highlighted is None or not rows else min(highlighted, len(rows) - 1)
