"""A list over the whole screen: rows to pick from with keys and mouse, and a line to type into."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.screens.dialogs.prompt import MAX_INPUT, Dialog
from tui.widgets.board.layout import window
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows, spread

MARGIN = 2
TOP = 3
"""TextPane above the first row of the list."""
WIDEST = 110
CARET = "_"


class SheetText(Pane):
    """What a sheet says."""

    def __init__(self, sheet: ListDialog) -> None:
        super().__init__()
        self._sheet = sheet

    def draw(self, space: Space) -> Rows:
        return self._sheet.drawn(space)

    def on_click(self, event: events.Click) -> None:
        self._sheet.clicked(event.y)

    def on_mouse_scroll_down(self) -> None:
        self._sheet.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        self._sheet.action_move(-1)


class ListDialog(Dialog[Any]):
    """Subclasses say what the rows are and what enter, space and typing do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False), Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False), Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False), Binding("enter", "enter", show=False),
        Binding("home", "move(-100000)", show=False), Binding("end", "move(100000)", show=False),
        Binding("delete", "delete", show=False), Binding("backspace", "erase", show=False),
    ]
    DEFAULT_CSS = "Sheet { background: $background; }"

    def __init__(self) -> None:
        super().__init__()
        self.place = 0
        """Which row is chosen."""
        self.typed = ""
        self.said = ""
        """What is wrong with what was typed."""
        self._first = 0
        self._text = SheetText(self)

    def compose(self) -> Any:
        yield self._text

    # What subclasses say

    @property
    def heading(self) -> tuple[str, str]:
        """The title, and which keys do what."""
        raise TypeError("a sheet has a heading")

    def listed(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        """The rows."""
        raise TypeError("a sheet has rows")

    def columns(self, glyphs: Glyphs) -> tuple[Span, ...]:
        """The line over the rows, which may say what is in them."""
        return ()

    def below(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        """The lines under the list, always as many."""
        return []

    def picked(self) -> None:
        """Enter, or a click on the chosen row."""
        raise TypeError("a sheet takes enter")

    def type(self, character: str) -> bool:
        """Take a character; False where nothing is typed here."""
        return False

    # Drawing

    def drawn(self, space: Space) -> Rows:
        """The sheet: heading, as many rows as there is room for around the chosen one, and the lines below."""
        width = min(space.width, WIDEST) - 2 * MARGIN
        title, hint = self.heading
        body = self.listed(width, space.glyphs)
        self.place = max(0, min(self.place, len(body) - 1))
        below = self.below(width, space.glyphs)
        room = max(1, space.height - TOP - len(below) - 1)
        self._first = window(self._first, self.place, 1, room, len(body))
        shown = [self._row(place, spans, width) for place, spans in enumerate(body)][self._first:self._first + room]
        head = spread(((_(title), "strong"),), ((space.glyphs.text(hint), "muted"),), width)
        lines: list[tuple[Span, ...]] = [(), head, self.columns(space.glyphs), *shown, (), *below]
        return rows([((" " * MARGIN, "blank"), *line) for line in lines], space)

    def _row(self, place: int, spans: tuple[Span, ...], width: int) -> Row:
        if place != self.place:
            return row(spans, width)
        return row((("".join(text for text, _role in row(spans, width)), "selected"),), width)

    def refresh_sheet(self) -> None:
        """Draw again."""
        self._text.repaint()

    # Keys and mouse

    def action_move(self, rows_down: int) -> None:
        self.place = max(0, min(self.place + rows_down, len(self.listed(WIDEST, self._text.glyphs)) - 1))
        self.typed = self.said = ""
        self.refresh_sheet()

    def clicked(self, y: int) -> None:
        """A click on a line of the sheet."""
        place = y - TOP + self._first
        if y >= TOP and place < len(self.listed(WIDEST, self._text.glyphs)):
            self.place, self.typed, self.said = place, "", ""
            self.picked()
            self.refresh_sheet()

    def action_enter(self) -> None:
        self.picked()
        self.refresh_sheet()

    def action_delete(self) -> None:
        """Nothing, unless a subclass has rows that can be deleted."""

    def action_erase(self) -> None:
        self.typed, self.said = self.typed[:-1], ""
        self.typing_changed()
        self.refresh_sheet()

    def typing_changed(self) -> None:
        """What was typed has changed: the place to check it."""

    def on_key(self, event: events.Key) -> None:
        if len(self.typed) >= MAX_INPUT or not event.is_printable or event.character is None:
            return
        if self.type(event.character):
            event.stop()
            self.typing_changed()
            self.refresh_sheet()

    def action_leave(self) -> None:
        if self.typed:
            self.typed = self.said = ""
            self.refresh_sheet()
        else:
            self.leave(None)
