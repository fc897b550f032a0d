"""A list over the whole screen: rows to pick with keys or mouse, and text typed for the highlighted row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from tui.i18n import GAP, _
from tui.look.glyphs import Glyphs
from tui.screens.dialogs.pager import SENTENCE, Pager, Pages, paged
from tui.screens.dialogs.prompt import MAX_INPUT, Dialog
from tui.widgets.row_list import RowList
from tui.widgets.rows import Row, Space, columns, row, spread
from tui.widgets.text import Spans, TextPane, broken

MARGIN = 2
TOP = 3
"""Lines above the list: a blank one, the heading, the titles of the columns."""
WIDEST = 110
CARET = "_"

Answer = TypeVar("Answer")


class ListDialog(Dialog[Answer | None], Generic[Answer]):
    """Base of the lists.

    Subclasses set `heading` and implement `listed`, `answers` or `picked`, and `type` if text is typed.
    """

    heading: tuple[str, str]
    """The title, and the keys; translated where they are drawn."""
    about: Sequence[str] = ()
    """The meaning of the columns, for `?`; translated where it is drawn."""

    keeps_typed: ClassVar[bool] = False
    """Whether the typed text is about no row, as a search is: it stays when another row is highlighted."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False), Binding("enter", "enter", show=False, priority=True),
        Binding("delete", "delete", show=False), Binding("backspace", "erase", show=False),
    ]
    DEFAULT_CSS = f"""
    ListDialog {{
        background: $background;
        & > Vertical {{ padding: 0 {MARGIN}; width: 100%; max-width: {WIDEST}; }}
        & RowList {{ height: auto; }}
    }}
    """

    def __init__(self, index: int = 0) -> None:
        """`index`: the row that is highlighted at first."""
        super().__init__()
        self.typed = ""
        self.error = ""
        """The error in the typed text."""
        self._first_index = index
        self._typed_at = index
        """The row that the typed text is about."""
        self.list = RowList()
        self._above, self._below = TextPane(id="above"), TextPane(id="below")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._above
            yield self.list
            yield self._below

    def on_mount(self) -> None:
        self._above.show(self._drawn_above)
        self.watch(self.list, "scroll_y", self._below.repaint, init=False)
        self._arrange(self.app.size.width, self.app.size.height)
        self.list.focus()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange(event.size.width, event.size.height)

    def _arrange(self, width: int, height: int) -> None:
        self._width = min(width, WIDEST) - 2 * MARGIN
        below = 1 + len(self.below(self._width, self.list.look.glyphs))
        self._above.styles.height, self._below.styles.height = TOP, below
        self.list.styles.max_height = max(1, height - TOP - below)
        self._below.show(self._drawn_below)
        self.refresh_rows()

    # For subclasses

    @abstractmethod
    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        """The rows."""

    def answers(self) -> Sequence[Answer]:
        """The answer of each row."""
        return ()

    def columns(self, glyphs: Glyphs) -> Row:
        """The titles of the columns."""
        return ()

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        """The lines under the list, always the same number."""
        return []

    def picked(self) -> None:
        """Enter was pressed, or the highlighted row clicked."""
        answers = self.answers()
        if self.index < len(answers):
            self.leave(answers[self.index])

    def type(self, character: str) -> bool:
        """Take a typed character; False if nothing is typed here."""
        return False

    def typing_changed(self) -> None:
        """The typed text has changed."""

    # Drawing

    @property
    def index(self) -> int:
        """The highlighted row."""
        return self._first_index if self.list.highlighted is None else self.list.highlighted

    def move_to(self, index: int) -> None:
        """Highlight another row and drop the typed text."""
        self.typed = self.error = ""
        self._typed_at = index
        self.list.highlighted = index

    def refresh_rows(self) -> None:
        """Draw again what has changed."""
        self.list.set_rows(self.listed(self._width, self.list.look.glyphs), self.index)
        self.call_after_refresh(self._below.repaint)  # it counts the rows in view

    def _drawn_above(self, space: Space) -> Iterable[Spans]:
        title, keys = self.heading
        name, phrases = _(title), space.glyphs.text(_(keys)).split(GAP)  # without room the first ones are left out
        while len(phrases) > 1 and columns(name + GAP.join(("", *phrases))) > space.width:
            del phrases[0]
        head = spread(((name, "strong"),), ((GAP.join(phrases), "muted"),), space.width)
        return (), head, self.columns(space.glyphs)

    def _drawn_below(self, space: Space) -> Iterable[Spans]:
        above, below = self.list.out_of_view
        counts = [_("{count} more below").format(count=below)] * bool(below) + [
            _("{count} more above").format(count=above)] * bool(above)
        more: Row = ((f" {space.glyphs.ellipsis} " + ", ".join(counts), "muted"),) if counts else ()
        return more, *self.below(space.width, space.glyphs)

    # Keys and mouse

    @on(RowList.OptionHighlighted)
    def _moved(self, event: RowList.OptionHighlighted) -> None:
        if event.option_index != self._typed_at and not self.keeps_typed:
            self.typed = self.error = ""
            self._typed_at = event.option_index
        self.refresh_rows()

    @on(RowList.OptionSelected)
    def action_enter(self) -> None:
        self.picked()
        self.refresh_rows()

    def action_delete(self) -> None:
        """Delete the row, in lists that allow it."""

    def action_erase(self) -> None:
        self.typed, self.error = self.typed[:-1], ""
        self.typing_changed()
        self.refresh_rows()

    def on_key(self, event: events.Key) -> None:
        if len(self.typed) >= MAX_INPUT or not event.is_printable or event.character is None:
            return
        if self._take(event.character):
            event.stop()
        elif event.character == "?":
            event.stop()
            self.app.push_screen(Pager(self._explained))

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text as if it were typed, its lines as one."""
        event.stop()
        for character in " ".join(event.text.split())[:MAX_INPUT]:
            if len(self.typed) < MAX_INPUT:
                self._take(character)

    def _take(self, character: str) -> bool:
        """Take a character for the highlighted row; False if nothing is typed here."""
        taken = self.type(character)
        if taken:
            self.typing_changed()
            self._typed_at = self.index
            self.refresh_rows()
        return taken

    def _explained(self, space: Space) -> Pages:
        """The keys and the meaning of the columns."""
        title, keys = self.heading
        texts = ["; ".join(_(keys).split(GAP)), *(_(text) for text in self.about)]
        lines = [line for text in texts for line in broken(space.glyphs.text(text), min(space.width - 4, SENTENCE))]
        body: list[Row] = [((_(title), "strong"),), *(((line, "text"),) for line in lines)]
        return paged([row((("  ", "blank"), *spans), space.width) for spans in body], space.height)

    def action_leave(self) -> None:
        if self.typed:
            self.typed = self.error = ""
            self.refresh_rows()
        else:
            self.leave(None)
