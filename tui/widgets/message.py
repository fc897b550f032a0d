"""What the program has to say under the header: nothing, or a badge and a sentence over as many rows as it takes."""

from __future__ import annotations

from tui.widgets.lines import Spans, wrapped
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, rows

MOST = 9
"""Rows of the longest message; they lie over what is there."""


def message_lines(badge: str, said: str, space: Space) -> list[Spans]:
    """` REFUSED   the sentence`, further rows under the sentence."""
    room = Space(space.width - len(badge) - 6, MOST, space.glyphs)
    margin = " " * (len(badge) + 5)
    return [((" ", "blank"), (f" {badge} ", "bar_strong"), ("  ", "blank"), *line) if not place
            else ((margin, "blank"), *line) for place, line in enumerate(wrapped(said, room))]


class MessagePane(Pane):
    """One row, which grows downwards over what is there when a sentence is long."""

    DEFAULT_CSS = "MessagePane { layer: over; height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.told = ("", "")

    def say(self, badge: str, said: str) -> None:
        """Say this from now on; nothing when it is empty."""
        if (badge, said) != self.told:
            self.told = badge, said
            self._grow()
            self.repaint()

    def on_resize(self) -> None:
        self._grow()
        self.repaint()

    def _grow(self) -> None:
        """Be as high as what is said, at this width."""
        if self.size.width:
            self.styles.height = max(1, len(self._lines(Space(self.size.width, MOST, self.glyphs))))

    def _lines(self, space: Space) -> list[Spans]:
        return message_lines(*self.told, space) if self.told[1] else []

    def draw(self, space: Space) -> Rows:
        return rows(self._lines(space), space)
