"""The footer: hints for the keys that do something now. Hints that do not fit are shortened, or dropped from the right;
help and quit always stay. A click on a hint runs its action."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.message import Message

from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, row, rows

GAP = 3
NARROW_GAP = 2
"""Columns between hints, and between hints of a narrow row."""


class KeyHint(Struct, frozen=True):
    """A key as written, and its effect in one word."""

    key: str
    does: str
    action: str = ""
    """The action that a click runs."""
    short: str = ""
    """The effect where `does` has no room; empty: there is no shorter one."""


ALWAYS = (KeyHint("?", "help", "help"), KeyHint("q", "quit", "quit"))


class Placed(Struct, frozen=True):
    """A hint and its columns."""

    hint: KeyHint
    x: int
    width: int


def hint_spans(hint: KeyHint, glyphs: Glyphs) -> Row:
    return ((glyphs.text(hint.key), "strong"), (f" {glyphs.text(_(hint.does))}", "muted"))


def placed(hints: Sequence[KeyHint], space: Space, always: Sequence[KeyHint] = ALWAYS) -> list[Placed]:
    """The hints that fit, from the left, and `always` at the right edge, with a blank column at both ends."""
    gap = GAP if space.width >= 100 else NARROW_GAP
    right = _in_a_row(always, 0, GAP, space.glyphs)
    edge = space.width - 1 - (right[-1].x + right[-1].width if right else 0)
    shown = list(hints)
    for index, each in enumerate(shown):
        if each.short and not _fits(_in_a_row(shown, 1, gap, space.glyphs)[index], edge):
            shown[index] = replace(each, does=each.short)
    left = [each for each in _in_a_row(shown, 1, gap, space.glyphs) if _fits(each, edge)]
    return left + [Placed(each.hint, edge + each.x, each.width) for each in right]


def _fits(each: Placed, edge: int) -> bool:
    return each.x + each.width + GAP <= edge


def _in_a_row(hints: Sequence[KeyHint], x: int, gap: int, glyphs: Glyphs) -> list[Placed]:
    found: list[Placed] = []
    for hint in hints:
        width = length(hint_spans(hint, glyphs))
        found.append(Placed(hint, x, width))
        x += width + gap
    return found


def keys_row(hints: Sequence[KeyHint], space: Space, always: Sequence[KeyHint] = ALWAYS) -> Row:
    spans: list[Span] = []
    end = 0
    for each in placed(hints, space, always):
        spans += [(" " * max(0, each.x - end), "blank"), *hint_spans(each.hint, space.glyphs)]
        end = each.x + each.width
    return row(spans, space.width)


class Footer(Pane):
    """The last row of every screen."""

    DEFAULT_CSS = "Footer { height: 1; }"

    class Pressed(Message):
        """A click on a hint with this action."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, hints: Sequence[KeyHint] = ()) -> None:
        super().__init__()
        self.hints = tuple(hints)
        self.always: tuple[KeyHint, ...] = ALWAYS

    def show(self, hints: Sequence[KeyHint], always: Sequence[KeyHint] = ALWAYS) -> None:
        self.hints, self.always = tuple(hints), tuple(always)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows((keys_row(self.hints, space, self.always),), space)

    def on_click(self, event: events.Click) -> None:
        for each in placed(self.hints, Space(self.size.width, 1, self.glyphs), self.always):
            if each.x <= event.x < each.x + each.width and each.hint.action:
                self.post_message(self.Pressed(each.hint.action))
