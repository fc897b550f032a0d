"""The header: program, screen, context and, at the right, the run state."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui import PROGRAM
from tui.i18n import _
from tui.look.theme import Role
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, clipped, length, row, rows

SEPARATOR = " · "
LEAST_CUT = 8
"""Columns of the shortest beginning of a part of the context that is shown."""


class Title(Struct, frozen=True):
    """The texts of the header. Parts of the context that do not fit are dropped, the last first; the first of these is
    cut, if there is room for its beginning, but not within a number."""

    screen: str
    context: tuple[str, ...] = ()
    state: str = ""
    """The run state in capitals, with its glyph: `‖ PAUSED`."""
    short: str = ""
    """The screen's short name, used if it lets more of the context fit."""
    longest: int = 0
    """Columns of the longest state, so that a change of the state changes nothing else."""


def header_row(title: Title, space: Space) -> Row:
    """The header on the ground of the bar."""
    state = space.glyphs.text(title.state)
    room = space.width - max(len(state), title.longest) - 4
    names = [title.screen, title.short or title.screen]
    fits = [(name, count) for count in range(len(title.context), -1, -1) for name in names
            if length(_left(title, name, count, space)) <= room]
    name, count = fits[0] if fits else (names[-1], 0)
    whole = _left(title, name, count, space)
    if count < len(title.context):
        dropped = space.glyphs.text(title.context[count])
        cut = room - length(_left(title, names[-1], count, space)) - len(SEPARATOR)
        if cut >= min(LEAST_CUT, len(dropped)):
            shown = "".join(each for each, _role in clipped(((dropped, "bar"),), cut, space.glyphs))
            if not shown.rstrip(f" {space.glyphs.ellipsis}")[-1:].isdigit():
                whole = _left(replace(title, context=(*title.context[:count], shown)), names[-1], count + 1, space)
    left = row(whole, space.width - len(state) - 3)
    ground: list[Span] = [(text, "bar" if role == "blank" else role) for text, role in left]
    return row([*ground, ("  ", "bar"), (state, "bar_strong"), (" ", "bar")], space.width)


def _left(title: Title, name: str, count: int, space: Space) -> Row:
    context = space.glyphs.text(SEPARATOR.join(title.context[:count]))
    strong: Role = "bar_bold"
    tail: Row = (("   " + context, "bar"),) if context else ()
    return ((" " + PROGRAM, "bar_strong"), ("  ", "bar"), (space.glyphs.text(_(name)), strong), *tail)


class Header(Pane):
    """Row 0 of every screen."""

    DEFAULT_CSS = "Header { height: 1; }"

    def __init__(self, title: Title | None = None) -> None:
        super().__init__()
        self.title = title or Title("")

    def show(self, title: Title) -> None:
        self.title = title
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows((header_row(self.title, space),), space)
