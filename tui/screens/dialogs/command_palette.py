"""The command palette: type a few letters of a command, press enter.

Textual's own palette is framed, animated and dimmed and searches in a worker. This one uses Textual's fuzzy matcher,
Input and OptionList, and looks like the other dialogs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.fuzzy import Matcher
from textual.widgets import Input, Static

from tui.i18n import _
from tui.keys.default_keys import key_text
from tui.screens.dialogs.prompt import MAX_INPUT, Dialog
from tui.widgets.row_list import RowList
from tui.widgets.rows import Row, clipped, length, spread

LINES = 12
"""Commands in view, at most."""
TITLE = 26
"""Columns of the titles."""


class Command(Struct, frozen=True):
    """A command of the palette."""

    title: str
    does: str
    run: Callable[[], object]
    key: str = ""
    """The name of the key that does the same."""
    words: tuple[str, ...] = ()
    """Other words for it, such as those of the footer, that find it too."""


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """The commands that match the typed text, the best first; without text, all in order."""
    if not typed.strip():
        return list(commands)
    matcher = Matcher(typed.strip())
    scored = [(max(2 * max(map(matcher.match, (each.title, *each.words))), matcher.match(each.does)), each)
              for each in commands]
    return [each for score, each in sorted(scored, key=lambda pair: -pair[0]) if score > 0]


class CommandInput(Input):
    """The input; the keys of the list act on the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,ctrl+p", "screen.move('cursor_up')", show=False),
        Binding("down,ctrl+n", "screen.move('cursor_down')", show=False),
        Binding("pageup", "screen.move('page_up')", show=False),
        Binding("pagedown", "screen.move('page_down')", show=False),
    ]


class CommandPalette(Dialog[Command | None]):
    """Asks for a command; None if it was left with esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    DEFAULT_CSS = """
    CommandPalette {
        background: transparent; align: left bottom;
        & Vertical { height: auto; width: 100%; dock: bottom; padding-top: 1; background: $background; }
        & Horizontal { height: 1; width: 100%; }
        & Static { width: auto; padding: 0 1; text-style: bold; }
        & Input, & Input:focus { border: none; height: 1; padding: 0; width: 1fr; background: $background; }
    }
    """

    def __init__(self, commands: Sequence[Command],
                 parse: Callable[[str], Command | None] = lambda typed: None) -> None:
        """`parse` returns the command for a text that is one itself: `alpha = 0.99`."""
        super().__init__()
        self._commands, self._parse = tuple(commands), parse
        self.found: list[Command] = list(commands)
        """The commands in the list."""
        self.list = RowList(lead=TITLE + 2)
        self.list.can_focus = False
        self.input = CommandInput(placeholder=_("what to do"), select_on_focus=False, max_length=MAX_INPUT)
        self.input.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.list
            with Horizontal():
                yield Static(_("Command"), markup=False)
                yield self.input

    def on_mount(self) -> None:
        self._arrange(self.app.size.width, self.app.size.height)
        self.input.focus()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange(event.size.width, event.size.height)

    def _arrange(self, width: int, height: int) -> None:
        self._width = width
        self.list.styles.height = max(1, min(LINES, height - 6))
        self._show_found(self.list.highlighted or 0)

    def _show_found(self, highlighted: int) -> None:
        if self.found:
            self.list.set_rows([self._row(each) for each in self.found], highlighted)
        else:
            self.list.set_rows([(("  ", "blank"), (_("no matches"), "muted"))], None, disabled=(0,))

    def _row(self, command: Command) -> Row:
        glyphs = self.list.look.glyphs
        title, does = (key_text(_(text), glyphs) for text in (command.title, command.does))
        key: Row = ((key_text(command.key, glyphs), "data_strong"), (" ", "blank"))
        left: Row = ((f"  {title:<{TITLE}}", "strong"), (f"  {does}", "text"))
        return spread(clipped(left, self._width - length(key) - 2, glyphs), key, self._width)

    @on(Input.Changed)
    def _search(self) -> None:
        typed = self.input.value
        parsed = self._parse(typed.strip())
        self.found = matching(self._commands, typed) if parsed is None else [parsed]
        self._show_found(0)

    @on(Input.Submitted)
    def _answer(self) -> None:
        """Run the highlighted command; stay if there is none. Changes of the input that are still on their way count.
        """
        before = self.found
        self._search()
        index = (self.list.highlighted or 0) if self.found == before else 0
        if self.found:
            self.leave(self.found[index])

    @on(RowList.OptionSelected)
    def _clicked(self, event: RowList.OptionSelected) -> None:
        if event.option_index < len(self.found):  # the list may have changed since
            self.leave(self.found[event.option_index])

    def action_move(self, where: str) -> None:
        getattr(self.list, f"action_{where}")()

    def action_leave(self) -> None:
        self.leave(None)
