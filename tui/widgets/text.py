"""Panes of text, and the wrapping of text into rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tui.look.theme import Role
from tui.widgets.pane import Pane
from tui.widgets.rows import BETWEEN_WORDS, Rows, Space, Span, clipped, rows

Spans = Sequence[Span]

MAX_ROWS = 9
"""Rows of the longest message."""


def broken(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters (at least 1), broken between words; longer words are cut.
    The groups of a number stay together."""
    width, lines = max(width, 1), [""]
    for word in filter(None, map(str.strip, BETWEEN_WORDS.split(text))):
        rest = word
        if lines[-1] and len(lines[-1]) + 1 + len(rest) > width:
            lines.append("")
        while len(rest) > width:
            lines[-1], rest = rest[:width], rest[width:]
            lines.append("")
        lines[-1] = f"{lines[-1]} {rest}".strip()
    return lines


def wrapped(text: str, space: Space, role: Role = "text") -> list[Spans]:
    """The text in lines, at most as many as fit; the last ends in whole words and an ellipsis if more follows."""
    lines: list[Spans] = [((line, role),) for line in broken(space.glyphs.text(text), space.width)]
    if len(lines) > space.height > 0:
        rest = " ".join(line for ((line, _role),) in lines[space.height - 1:])
        return [*lines[: space.height - 1], clipped(((rest, role),), space.width, space.glyphs)]
    return lines[: max(space.height, 0)]


class TextPane(Pane):
    """Shows lines of spans, composed by a function for the space available."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._compose_lines: Callable[[Space], Iterable[Spans]] = lambda _space: ()

    def show(self, lines: Callable[[Space], Iterable[Spans]]) -> None:
        self._compose_lines = lines
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows(self._compose_lines(space), space)


def message_lines(badge: str, text: str, space: Space) -> list[Spans]:
    """` REFUSED   the sentence`, its further rows aligned below it."""
    room = Space(space.width - len(badge) - 6, MAX_ROWS, space.glyphs)
    margin = " " * (len(badge) + 5)
    return [((" ", "blank"), (f" {badge} ", "bar_strong"), ("  ", "blank"), *line) if not place
            else ((margin, "blank"), *line) for place, line in enumerate(wrapped(text, room))]


class MessagePane(Pane):
    """A message on one row, or on more, over the panes below."""

    DEFAULT_CSS = "MessagePane { layer: over; height: 1; }"
    grows = True

    _message = ("", "")

    def show(self, badge: str, text: str) -> None:
        """Show a message; an empty text clears it."""
        if (badge, text) != self._message:
            self._message = badge, text
            self._grow()
            self.repaint()

    @property
    def is_empty(self) -> bool:
        return not self._message[1]

    def on_resize(self) -> None:
        self._grow()
        self.repaint()

    def _grow(self) -> None:
        """Take as many rows as the message needs at this width."""
        if self.size.width:
            self.styles.height = self.rows_at(self.size.width)

    def rows_at(self, width: int) -> int:
        """Rows that the message needs at a width, at least 1."""
        return max(1, len(self._lines(Space(width, MAX_ROWS, self.glyphs))))

    def _lines(self, space: Space) -> list[Spans]:
        return message_lines(*self._message, space) if self._message[1] else []

    def draw(self, space: Space) -> Rows:
        return rows(self._lines(space), space)
