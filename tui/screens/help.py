"""The help: all keys of the laboratory, and what this solver does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from engine.solver import AnySolver
from tui.i18n import _
from tui.screens.keymap import key_text
from tui.screens.keytable import KeyLine, KeyTable
from tui.terminal.lean import Lean
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows

KEY = 11
WIDEST = 84
"""Columns beyond which the page does not spread."""


def words_of(solver: AnySolver) -> dict[str, str]:
    """What the help calls this solver's period and knob."""
    return {"period": solver.period_word or _("period"),
            "knob": solver.knobs[0].symbol if solver.knobs else _("knob")}


def help_lines(solver: AnySolver, table: KeyTable, space: Space) -> list[Row]:
    """The keys in two columns, group by group, and the summary of the solver."""
    words = words_of(solver)
    groups: dict[str, list[KeyLine]] = {}
    for line in table.lines():
        groups.setdefault(line.group, []).append(line)
    names = list(groups)
    half = (min(space.width, WIDEST) - 3) // 2
    left = _column(names[:1], groups, words, half, space) + _column(names[-1:], groups, words, half, space)
    right = _column(names[1:-1], groups, words, half, space)
    pairs = zip_longest(left, right, fillvalue=row((), half))
    body = [row((("  ", "blank"), *a, *b), space.width) for a, b in pairs]
    return [*_about(solver, space, space.height - len(body) - 3), row((), space.width), *body]


def _about(solver: AnySolver, space: Space, room: int) -> list[Row]:
    """The solver's name, what its E counts, and as much of its summary as there is room for; the keys come first."""
    title: list[Span] = [("  ", "blank"), (space.glyphs.text(_(solver.title)), "strong")]
    hint: Span = (_("esc closes"), "muted")
    width = min(space.width, WIDEST)
    used = sum(len(text) for text, _role in title) + len(hint[0]) + 2
    title += [(" " * max(1, width - used), "blank"), hint]
    counts = _("E counts {what}.").format(what=_(solver.energy_counts))
    wrapped = [line for text in (counts, _(solver.summary)) for line in wrap(space.glyphs.text(text), width - 4)]
    if len(wrapped) > room:
        wrapped = wrapped[:max(room, 0)]
        wrapped[-1:] = [space.glyphs.text(line[:width - 6].rstrip(".,;: ") + " …") for line in wrapped[-1:]]
    said = [row((("  ", "blank"), (line, "text")), space.width) for line in wrapped]
    return [row((), space.width), row(title, space.width), *said]


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _column(names: Sequence[str], groups: dict[str, list[KeyLine]], words: dict[str, str], width: int,
            space: Space) -> list[Row]:
    lines: list[Row] = []
    for name in names:
        lines.append(row(((_(name), "strong"),), width))
        for key in groups[name]:
            shown, does = key_text(key.shown, space.glyphs), key_text(_(key.does).format_map(words), space.glyphs)
            lines.append(row(((f"{shown:<{KEY}}", "data_strong"), (does, "text")), width))
        lines.append(row((), width))
    return lines


class HelpText(Pane):
    """What the help says."""

    def __init__(self, solver: AnySolver, table: KeyTable) -> None:
        super().__init__()
        self._solver, self._table = solver, table

    def draw(self, space: Space) -> Rows:
        return rows(help_lines(self._solver, self._table, space), space)


class Help(Lean, ModalScreen[None]):
    """Over the laboratory; most keys close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,space,enter", "leave", show=False),
    ]
    DEFAULT_CSS = "Help { background: $background; }"

    def __init__(self, solver: AnySolver, table: KeyTable) -> None:
        super().__init__()
        self._solver, self._table = solver, table

    def compose(self) -> ComposeResult:
        yield HelpText(self._solver, self._table)

    def action_leave(self) -> None:
        self.dismiss(None)
