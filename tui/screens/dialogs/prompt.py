"""A question on the last row of the screen: go to which step, set which parameter."""

from __future__ import annotations

import math
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input, Static

from engine.errors import ParameterError
from tui.i18n import _
from tui.playback.commands import Seek, Step
from tui.storage.puzzle_files import completed
from tui.terminal.compositor import Lean

# The base of what is asked over a screen.


class Dialog(Lean, ModalScreen[ScreenResultType]):
    """Something that is answered once: a second key may come before the screen is gone."""

    _answered = False

    def leave(self, answer: ScreenResultType) -> None:
        """Close with this answer."""
        if not self._answered:
            self._answered = True
            self.dismiss(answer)


class LastRow(Dialog[ScreenResultType]):
    """A question on the last row; the rest of the screen stays in view."""

    DEFAULT_CSS = """
    LastRow { background: transparent; align: left bottom; }
    LastRow Horizontal { height: 1; width: 100%; dock: bottom; background: $background; }
    LastRow Static { width: auto; padding: 0 1; text-style: bold; }
    """


MAX_INPUT = 1000
"""Characters of the longest answer: what is drawn at every key must not grow without bounds."""


class PromptDialog(LastRow[str | None]):
    """Asks for a line of text; None when the question was left with esc or nothing was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False),
                                             Binding("enter", "answer", show=False)]
    DEFAULT_CSS = """
    Prompt Input, Prompt Input:focus { border: none; height: 1; padding: 0; width: 1fr; background: $background; }
    """

    def __init__(self, question: str, hint: str, begun: str = "") -> None:
        """`begun`: what stands there already."""
        super().__init__()
        self._question = question
        self._input = Input(begun, placeholder=hint, select_on_focus=False, max_length=MAX_INPUT)
        self._input.cursor_blink = False

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(self._question, markup=False)
            yield self._input

    def on_mount(self) -> None:
        self._input.focus()

    def on_input_submitted(self) -> None:
        self.action_answer()

    def action_answer(self) -> None:
        self.leave(self._input.value.strip() or None)

    def action_leave(self) -> None:
        self.leave(None)


def way_to(typed: str) -> Seek | Step:
    """The way that was typed: to a step, a number with spaces or underscores if one likes, `5k`, `1e6`; or `+100` and
    `-100` from where the playhead comes to by what was asked for before. Raises ParameterError."""
    word = typed.strip().lower().replace(" ", "").replace("_", "").replace("−", "-")
    relative = word[:1] in ("+", "-")
    factor = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(word[-1:], 1)
    digits = word[:-1] if factor > 1 else word
    try:
        number = float(digits) * factor
        step = int(number)
    except (ValueError, OverflowError):
        step, number = 0, 0.5
    if step != number or not digits.lstrip("+-")[:1].isdigit():
        raise ParameterError(_("step {typed}: expected a whole number, as 5 000, 5k or +100").format(typed=typed))
    return Step(step) if relative else Seek(step)


def number_of(name: str, typed: str) -> float:
    """The number that was typed for a knob. Raises ParameterError."""
    try:
        value = float(typed.replace(" ", "").replace("_", "").replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ParameterError(_("{name} = {typed}: expected a number").format(name=name, typed=typed))
    return value


def assignment(typed: str) -> tuple[str, str]:
    """`name = value` as (name, value). Raises ParameterError."""
    name, sign, value = (part.strip() for part in typed.partition("="))
    if not (name and sign and value):
        raise ParameterError(_("{typed}: expected NAME = VALUE, as alpha = 0.99").format(typed=typed))
    return name, value


# Two questions on the last row: for the name of a file, which `tab` completes, and for yes or no.


class PathDialog(PromptDialog):
    """Asks for the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]

    def __init__(self, question: str, begun: str = "") -> None:
        super().__init__(question, _("a path; tab completes it"), begun)

    def action_complete(self) -> None:
        """Go on with what was typed as far as there is only one way."""
        self._input.value = completed(self._input.value)
        self._input.cursor_position = len(self._input.value)


class ConfirmDialog(LastRow[bool]):
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
            yield Static(_("y yes   n no"), markup=False, classes="footer")

    def action_answer(self, answer: bool) -> None:
        self.leave(answer)
