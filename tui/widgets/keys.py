"""The last row: which keys do what. Hints drop from the right where there is no room; help and quit always stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.glyphs import Glyphs
from tui.i18n import _
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, row, rows

GAP = 3
NEAR = 2
"""Columns between hints, and between them where the row is narrow."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A key as it is written on the row, and what it does in one word."""

    key: str
    does: str


ALWAYS = (Hint("?", "help"), Hint("q", "quit"))


def hint_spans(hint: Hint, glyphs: Glyphs) -> tuple[Span, ...]:
    return ((glyphs.text(hint.key), "strong"), (f" {glyphs.text(_(hint.does))}", "muted"))


def joined(hints: Sequence[Hint], glyphs: Glyphs, gap: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    for index, hint in enumerate(hints):
        if index:
            spans.append((" " * gap, "blank"))
        spans.extend(hint_spans(hint, glyphs))
    return tuple(spans)


def keys_row(hints: Sequence[Hint], space: Space) -> Row:
    """The hints from the left, help and quit at the right edge, one column free at both."""
    gap = GAP if space.width >= 100 else NEAR
    right = joined(ALWAYS, space.glyphs, GAP)
    room = space.width - 2 - length(right)
    kept = len(hints)
    while kept and length(joined(hints[:kept], space.glyphs, gap)) + GAP > room:
        kept -= 1
    left = joined(hints[:kept], space.glyphs, gap)
    middle = " " * max(0, room - length(left))
    return row(((" ", "blank"), *left, (middle, "blank"), *right), space.width)


class Keys(Pane):
    """The footer of every screen."""

    DEFAULT_CSS = "Keys { height: 1; }"

    def __init__(self, hints: Sequence[Hint] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints = tuple(hints)

    def show(self, hints: Sequence[Hint]) -> None:
        """Show these from now on."""
        self.hints = tuple(hints)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows((keys_row(self.hints, space),), space)
