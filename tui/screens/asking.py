"""Two questions on the last row: for the name of a file, which `tab` completes, and for yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from tui.i18n import _
from tui.screens.dialog import LastRow
from tui.screens.prompt import Prompt
from tui.storage.puzzle_files import completed


class PathPrompt(Prompt):
    """Asks for the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]

    def __init__(self, question: str, begun: str = "") -> None:
        super().__init__(question, _("a path; tab completes it"), begun)

    def action_complete(self) -> None:
        """Go on with what was typed as far as there is only one way."""
        self._input.value = completed(self._input.value)
        self._input.cursor_position = len(self._input.value)


class Question(LastRow[bool]):
    """Asks for yes or no; everything but yes is no."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "answer(True)", show=False),
                                             Binding("n,escape,q", "answer(False)", show=False)]
    DEFAULT_CSS = "Question .keys { text-style: none; }"

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(self._question, markup=False)
            yield Static(_("y yes   n no"), markup=False, classes="keys")

    def action_answer(self, answer: bool) -> None:
        self.leave(answer)
