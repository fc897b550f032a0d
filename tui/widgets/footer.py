"""The last row: what is possible now, and with which keys. Hints drop from the right where there is no room; help and
quit always stay. A click on a hint does what it says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.message import Message

from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, row, rows

GAP = 3
NEAR = 2
"""Columns between hints, and between them where the row is narrow."""


class KeyHint(Struct, frozen=True):
    """A key as it is written on the row, and what it does in one word."""

    key: str
    does: str
    action: str = ""
    """What a click on it runs."""


ALWAYS = (KeyHint("?", "help", "help"), KeyHint("q", "quit", "quit"))


class Placed(Struct, frozen=True):
    """A hint and its columns."""

    hint: KeyHint
    x: int
    width: int


def hint_spans(hint: KeyHint, glyphs: Glyphs) -> tuple[Span, ...]:
    return ((glyphs.text(hint.key), "strong"), (f" {glyphs.text(_(hint.does))}", "muted"))


def placed(hints: Sequence[KeyHint], space: Space, always: Sequence[KeyHint] = ALWAYS) -> list[Placed]:
    """The hints from the left, those of `always` at the right edge, one column free at both."""
    gap = GAP if space.width >= 100 else NEAR
    right = _in_a_row(always, 0, GAP, space.glyphs)
    edge = space.width - 1 - (right[-1].x + right[-1].width if right else 0)
    left = [each for each in _in_a_row(hints, 1, gap, space.glyphs) if each.x + each.width + GAP <= edge]
    return left + [Placed(each.hint, edge + each.x, each.width) for each in right]


def _in_a_row(hints: Sequence[KeyHint], x: int, gap: int, glyphs: Glyphs) -> list[Placed]:
    found: list[Placed] = []
    for hint in hints:
        width = length(hint_spans(hint, glyphs))
        found.append(Placed(hint, x, width))
        x += width + gap
    return found


def keys_row(hints: Sequence[KeyHint], space: Space, always: Sequence[KeyHint] = ALWAYS) -> Row:
    """The row."""
    spans: list[Span] = []
    end = 0
    for each in placed(hints, space, always):
        spans += [(" " * max(0, each.x - end), "blank"), *hint_spans(each.hint, space.glyphs)]
        end = each.x + each.width
    return row(spans, space.width)


class Footer(Pane):
    """The footer of every screen."""

    DEFAULT_CSS = "Footer { height: 1; }"

    class Pressed(Message):
        """A hint was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, hints: Sequence[KeyHint] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints = tuple(hints)
        self.always: tuple[KeyHint, ...] = ALWAYS

    def show(self, hints: Sequence[KeyHint], always: Sequence[KeyHint] = ALWAYS) -> None:
        """Show these from now on."""
        self.hints, self.always = tuple(hints), tuple(always)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows((keys_row(self.hints, space, self.always),), space)

    def on_click(self, event: events.Click) -> None:
        for each in placed(self.hints, Space(self.size.width, 1, self.glyphs), self.always):
            if each.x <= event.x < each.x + each.width and each.hint.action:
                self.post_message(self.Pressed(each.hint.action))
