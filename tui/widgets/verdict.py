"""The verdict line: a badge, and a sentence whose values stand out from its words."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.view import Sentence
from tui.look.theme import Role
from tui.widgets import verdict_large, verdict_narrow
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, plain, row, rows
from tui.widgets.sentence import BADGE, Piece, Widths, badge, judged, natural, one_line, pieces, two_lines

AFTER_BADGE = 2
LARGE = 3
"""Rows from which on numbers are written with line digits."""
SHORT = 100
"""Columns below which one line is not enough for a judged move at full length."""
NARROW = 64
"""Columns below which a sentence is shortened, whatever it says, so that it does not change its form."""


@dataclass(slots=True)
class Manner:
    """How a view writes its verdicts: letters of its longest badge, the badge's ground, and the widths so far."""

    longest: int = BADGE
    ground: Role = "now"
    widths: Widths = field(default_factory=dict)
    large: Widths = field(default_factory=dict)
    """The widths with line digits."""


def verdict_rows(sentence: Sentence | None, space: Space, manner: Manner) -> Rows:
    """Badge and sentence on one line, or on two when it has them and needs them; with line digits on three."""
    if sentence is None:
        return rows((), space)
    text = badge(sentence, space.glyphs, manner.longest)
    head: tuple[Span, ...] = ((text, manner.ground), (" " * AFTER_BADGE, "blank"))
    room = space.width - length(head)
    parts = pieces(sentence, space.glyphs)
    if space.height >= LARGE:
        drawn = verdict_large.lines(parts, (text, manner.ground), space, manner.large)
        return rows(drawn or ((), _fitted(head, parts, space, manner.widths)), space)
    if space.height > 1 and space.width < NARROW:
        return rows(verdict_narrow.lines(parts, (text, manner.ground), space), space)
    if space.height == 1 or space.width >= SHORT or (not judged(parts) and natural(parts) <= room):
        line = _fitted(head, parts, space, manner.widths)
        if space.height == 1 or judged(parts) or not _ends_cut(line, space):
            return rows((line,), space)
    above, below = two_lines(parts, manner.widths, room, space.width)
    if not judged(parts) and (length(_trimmed(above)) > room or length(_trimmed(below)) > space.width):
        return rows(verdict_narrow.lines(parts, (text, manner.ground), space), space)
    return rows(((*head, *above), below), space)


def is_cut(sentence: Sentence, space: Space, longest: int = BADGE) -> bool:
    """Whether there is no room for all of it beside a badge of so many letters."""
    return any(_ends_cut(line, space) for line in verdict_rows(sentence, space, Manner(longest)))


def _ends_cut(line: Row, space: Space) -> bool:
    return plain((line,))[0].rstrip().endswith(space.glyphs.ellipsis)


def _fitted(head: tuple[Span, ...], parts: tuple[Piece, ...], space: Space, widths: Widths) -> Row:
    """One line: with every piece in its place if there is room, closed up if not, shortened in a narrow window, and
    then cut with an ellipsis."""
    if space.width < SHORT and judged(parts):
        return verdict_narrow.line(parts, head, space)
    for spans in (one_line(parts, widths), one_line(parts, {}), _closed(parts)):
        if length(head) + length(_trimmed(spans)) <= space.width:
            return row((*head, *spans), space.width)
    cut = row((*head, *_closed(parts)), space.width - 1)
    return row((*cut, (space.glyphs.ellipsis, "text")), space.width)


def _trimmed(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    last = len(spans)
    while last and not spans[last - 1][0].strip():
        last -= 1
    return spans[:last]


def _closed(parts: tuple[Piece, ...]) -> tuple[Span, ...]:
    """The pieces as close together as they can be read."""
    spans: list[Span] = []
    for index, piece in enumerate(parts):
        if index:
            spans.append(("  ", "blank"))
        spans.extend(piece.spans)
    return tuple(spans)


class Verdict(Pane):
    """The verdict line: two rows, of which 120 columns seldom take the second; three at 200."""

    DEFAULT_CSS = "Verdict { height: 1; }"

    def __init__(self, manner: Manner | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sentence: Sentence | None = None
        self.manner = manner or Manner()

    def show(self, sentence: Sentence | None) -> None:
        """Show this sentence from now on; None clears the line."""
        self.sentence = sentence
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return verdict_rows(self.sentence, space, self.manner)
