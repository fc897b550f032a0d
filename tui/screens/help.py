"""The help: all keys of the laboratory, and what this solver does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from engine.solver import AnySolver
from tui.i18n import _
from tui.screens.keymap import KEYS, Key
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows

WIDTH, HEIGHT = 74, 23
KEY = 10


def words_of(solver: AnySolver) -> dict[str, str]:
    """What the help calls this solver's period and knob."""
    return {"period": solver.period_word or _("period"),
            "knob": solver.knobs[0].symbol if solver.knobs else _("knob")}


def help_lines(solver: AnySolver, space: Space) -> list[Row]:
    """The keys in two columns, group by group, and the summary of the solver."""
    words = words_of(solver)
    groups: dict[str, list[Key]] = {}
    for key in KEYS:
        if key.shown:
            groups.setdefault(key.group, []).append(key)
    names = list(groups)
    half = (space.width - 4) // 2
    left = _column(names[:1], groups, words, half, space) + _column(names[-1:], groups, words, half, space)
    right = _column(names[1:-1], groups, words, half, space)
    height = max(len(left), len(right))
    blank = row((), half)
    body = [row((("  ", "blank"), *a, *b), space.width)
            for a, b in zip(left + [blank] * (height - len(left)), right + [blank] * (height - len(right)), strict=True)]
    return [*_about(solver, space), row((), space.width), *body]


def _about(solver: AnySolver, space: Space) -> list[Row]:
    title: list[Span] = [("  ", "blank"), (space.glyphs.text(_(solver.title)), "strong")]
    hint: Span = (_("esc closes"), "muted")
    used = sum(len(text) for text, _role in title) + len(hint[0]) + 2
    title += [(" " * max(1, space.width - used), "blank"), hint]
    wrapped = wrap(space.glyphs.text(_(solver.summary)), space.width - 4)
    return [row(title, space.width), *(row((("  ", "blank"), (line, "text")), space.width) for line in wrapped[:3])]


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _column(names: Sequence[str], groups: dict[str, list[Key]], words: dict[str, str], width: int,
            space: Space) -> list[Row]:
    lines: list[Row] = []
    for name in names:
        lines.append(row(((_(name), "strong"),), width))
        for key in groups[name]:
            shown, does = space.glyphs.text(key.shown), space.glyphs.text(_(key.does).format_map(words))
            lines.append(row(((f"{shown:<{KEY}}", "data_strong"), (does, "text")), width))
        lines.append(row((), width))
    return lines


class HelpText(Pane):
    """What the help says."""

    def __init__(self, solver: AnySolver) -> None:
        super().__init__()
        self._solver = solver

    def draw(self, space: Space) -> Rows:
        return rows(help_lines(self._solver, space), space)


class Help(ModalScreen[None]):
    """Over the laboratory; most keys close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,space,enter", "leave", show=False),
    ]
    DEFAULT_CSS = f"""
    Help {{ align: center middle; background: transparent; }}
    Help HelpText {{ width: {WIDTH}; height: {HEIGHT}; max-width: 100%; max-height: 100%; background: $background; }}
    """

    def __init__(self, solver: AnySolver) -> None:
        super().__init__()
        self._solver = solver

    def compose(self) -> ComposeResult:
        yield HelpText(self._solver)

    def action_leave(self) -> None:
        self.dismiss(None)
