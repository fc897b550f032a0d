"""The list of commands: type a few letters of what you want, press enter.

Textual has a palette of its own, which animates, draws frames and dims; this one keeps to ours and repaints only what
changes. The matching is Textual's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.fuzzy import Matcher
from textual.message import Message
from textual.widgets import Input, Static

from tui.i18n import _
from tui.keys.bindings import key_text
from tui.screens.dialogs.prompt import MAX_INPUT, Dialog
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, rows, spread

LINES = 12
"""Commands that are seen at once, at most."""
TITLE = 26
"""Columns of their names."""


class Command(Struct, frozen=True):
    """Something that can be done."""

    title: str
    does: str
    run: Callable[[], object]
    key: str = ""
    """The key that does it, as people write it."""


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """The commands that fit what was typed, the best first; all of them in their order if nothing was."""
    if not typed.strip():
        return list(commands)
    matcher = Matcher(typed.strip())
    scored = [(max(2 * matcher.match(each.title), matcher.match(each.does)), each) for each in commands]
    return [each for score, each in sorted(scored, key=lambda pair: -pair[0]) if score > 0]


def window(chosen: int, total: int, height: int) -> range:
    """The places of a list that are seen in so many rows, so that the chosen one is among them."""
    first = min(max(0, chosen - height // 2), max(0, total - height))
    return range(first, min(first + height, total))


class CommandRows(Pane):
    """The commands, one of them chosen."""

    class Picked(Message):
        """A command was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__()
        self.commands: Sequence[Command] = ()
        self.chosen = 0

    def show(self, commands: Sequence[Command], chosen: int) -> None:
        """Show these from now on."""
        self.commands, self.chosen = commands, chosen
        self.repaint()

    def draw(self, space: Space) -> Rows:
        if not self.commands:
            return rows([[("  ", "blank"), (_("nothing fits"), "muted")]], space)
        seen = window(self.chosen, len(self.commands), space.height)
        return rows([self._row(self.commands[place], place == self.chosen, space) for place in seen], space)

    def _row(self, command: Command, chosen: bool, space: Space) -> Row:
        glyphs = space.glyphs
        title, does = (key_text(_(text), glyphs) for text in (command.title, command.does))
        mark = f"{glyphs.current} " if chosen else "  "
        left: list[Span] = [(f"{mark}{title:<{TITLE}}", "selected" if chosen else "strong")]
        return spread([*left, (f"  {does}", "text")], [(key_text(command.key, glyphs), "data_strong"), (" ", "blank")],
                      space.width)

    def on_click(self, event: events.Click) -> None:
        seen = window(self.chosen, len(self.commands), self.size.height)
        if event.y < len(seen):
            self.post_message(self.Picked(seen[event.y]))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.show(self.commands, min(self.chosen + 1, max(len(self.commands) - 1, 0)))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.show(self.commands, max(self.chosen - 1, 0))


class CommandInput(Input):
    """Where one types; the keys of the list go to the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,ctrl+p", "screen.choose(-1)", show=False), Binding("down,ctrl+n", "screen.choose(1)", show=False),
        Binding("pageup", "screen.choose(-10)", show=False), Binding("pagedown", "screen.choose(10)", show=False),
    ]


class CommandPalette(Dialog[Command | None]):
    """Asks for one of some commands; None when it was left with esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False),
                                             Binding("enter", "answer", show=False)]
    DEFAULT_CSS = """
    CommandList { background: transparent; align: left bottom; }
    CommandList Vertical { height: auto; width: 100%; dock: bottom; padding-top: 1; background: $background; }
    CommandList Horizontal { height: 1; width: 100%; }
    CommandList Static { width: auto; padding: 0 1; text-style: bold; }
    CommandList Input, CommandList Input:focus {
        border: none; height: 1; padding: 0; width: 1fr; background: $background;
    }
    """

    def __init__(self, commands: Sequence[Command],
                 typed_command: Callable[[str], Command | None] = lambda typed: None) -> None:
        """`typed_command` gives the command for what needs no list: `alpha = 0.99`."""
        super().__init__()
        self._all, self._spelled_out = tuple(commands), typed_command
        self.list = CommandRows()
        self.input = CommandInput(placeholder=_("what to do"), select_on_focus=False, max_length=MAX_INPUT)
        self.input.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.list
            with Horizontal():
                yield Static(_("Command"), markup=False)
                yield self.input

    def on_mount(self) -> None:
        self._fit(self.app.size.height)
        self.list.show(self._all, 0)
        self.input.focus()

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.height)

    def _fit(self, height: int) -> None:
        self.list.styles.height = max(1, min(LINES, height - 6))

    def on_input_changed(self, event: Input.Changed) -> None:
        self.list.show(self._found(event.value), 0)

    def _found(self, typed: str) -> list[Command]:
        whole = self._spelled_out(typed.strip())
        return matching(self._all, typed) if whole is None else [whole]

    def on_input_submitted(self) -> None:
        self.action_answer()

    def action_answer(self) -> None:
        """Do the chosen one of those that fit, also where they are not yet seen."""
        found = self._found(self.input.value)
        chosen = self.list.chosen if found == list(self.list.commands) else 0
        self.leave(found[chosen] if found else None)

    def on_command_rows_picked(self, event: CommandRows.Picked) -> None:
        if event.place < len(self.list.commands):  # the list may be another one since
            self.leave(self.list.commands[event.place])

    def action_choose(self, by: int) -> None:
        last = len(self.list.commands) - 1
        self.list.show(self.list.commands, min(max(self.list.chosen + by, 0), max(last, 0)))

    def action_leave(self) -> None:
        self.leave(None)
