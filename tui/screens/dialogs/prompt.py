"""The base of the dialogs, and questions on the last row of the screen: for a text, a file, yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input, Static

from tui.i18n import _
from tui.storage.puzzle_files import complete_path
from tui.terminal.compositor import Lean

MAX_INPUT = 1000
"""Characters of an answer, at most: all of it is drawn at every key."""


class Dialog(Lean, ModalScreen[ScreenResultType]):
    """A screen that is answered once, although a second key may come before it is gone."""

    _answered = False

    def leave(self, answer: ScreenResultType) -> None:
        """Close with this answer."""
        if not self._answered:
            self._answered = True
            self.dismiss(answer)


class LastRow(Dialog[ScreenResultType]):
    """A question on the last row; the rest of the screen stays in view."""

    DEFAULT_CSS = """
    LastRow {
        background: transparent; align: left bottom;
        & Horizontal { height: 1; width: 100%; dock: bottom; background: $background; }
        & Static { width: auto; padding: 0 1; text-style: bold; }
        & .keys { text-style: none; }
        & Input, & Input:focus { border: none; height: 1; padding: 0; width: 1fr; background: $background; }
    }
    """


class PromptDialog(LastRow[str | None]):
    """Asks for a line of text; None if it was left with esc or nothing was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    replaces = False
    """The initial text is selected, so that typing replaces it."""

    def __init__(self, question: str, hint: str, initial: str = "") -> None:
        """`hint` is shown while the input is empty; `initial`: the text that can be edited."""
        super().__init__()
        self._question = question
        self._input = Input(initial, placeholder=hint, select_on_focus=self.replaces, max_length=MAX_INPUT)
        self._input.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(self._question, markup=False)
            yield self._input

    def on_mount(self) -> None:
        self._input.focus()

    @on(Input.Submitted)
    def _submit(self) -> None:
        self.leave(self._input.value.strip() or None)

    def action_leave(self) -> None:
        self.leave(None)


class PathDialog(PromptDialog):
    """Asks for the name of a file, which `tab` completes."""

    replaces = True

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]

    def __init__(self, question: str, initial: str = "") -> None:
        super().__init__(question, _("a path; tab completes it"), initial)

    def action_complete(self) -> None:
        """Complete the path up to the first ambiguity."""
        self._input.value = complete_path(self._input.value)
        self._input.cursor_position = len(self._input.value)


class ConfirmDialog(LastRow[bool]):
    """Asks for yes or no; any other answer is no."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "answer(True)", show=False),
                                             Binding("n,escape,q", "answer(False)", show=False)]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(self._question, markup=False)
            yield Static(_("y yes   n no"), markup=False, classes="keys")

    def action_answer(self, answer: bool) -> None:
        self.leave(answer)
