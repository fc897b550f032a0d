"""The verdict line: a badge, and a sentence whose values stand out from its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.view import Sentence
from tui.look.theme import Role
from tui.widgets.line_digits import HEIGHT, drawable, enlarged
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, plain, row, rows
from tui.widgets.verdict.sentence import BADGE, Piece, Widths, badge, judged, natural, one_line, pieces, two_lines

# The verdict with its numbers in line digits, three rows high, for the largest screens.


GAP = " " * 4
AROUND = " " * 3
"""Blank columns at both sides of the badge."""
LARGE_RESERVED: Mapping[str, int] = {"cells": 16, "delta": 11, "T": 17, "p": 32, "u": 21}
"""Columns that a piece takes at least, by its last field."""

Block = tuple[tuple[Span, ...], ...]
"""Lines of one width."""


def large_lines(parts: tuple[Piece, ...], badge: Span, space: Space, widths: Widths) -> Block | None:
    """Badge and sentence on three lines, or None where they are too wide or the glyphs have no lines. Only what happens
    at this step has its numbers drawn large. `widths`, by field, holds how wide each piece ever was, and grows."""
    if space.glyphs.ascii:
        return None
    blocks = [_badge(badge)]
    for piece in parts:
        block = _block(piece, large=badge[1] == "now")
        reserve = max(length(block[0]), widths.get(piece.key, 0), LARGE_RESERVED.get(piece.key, 0))
        if piece.key in LARGE_RESERVED:
            widths[piece.key] = reserve
        blocks.append(_beside(_blank(len(GAP)), block, _blank(reserve - length(block[0]))))
    drawn = _beside(*blocks)
    return drawn if _ink_width(drawn) <= space.width else None


def _badge(badge: Span) -> Block:
    """The ground of the badge on all lines, its text on the middle one."""
    text, ground = badge
    blank = AROUND + " " * len(text) + AROUND
    return ((blank, ground),), ((AROUND + text + AROUND, ground),), ((blank, ground),)


def _block(piece: Piece, large: bool) -> Block:
    return _beside(*(_enlarged(text) if large and role == "strong" and drawable(text) else _middle((text, role))
                     for text, role in piece.spans))


def _enlarged(number: str) -> Block:
    return tuple(((stroke, "strong"),) for stroke in enlarged(number))


def _middle(span: Span) -> Block:
    blank: Span = (" " * length([span]), "blank")
    return (blank,), (span,), (blank,)


def _blank(width: int) -> Block:
    return (((" " * width, "blank"),),) * HEIGHT


def _beside(*blocks: Block) -> Block:
    return tuple(tuple(span for block in blocks for span in block[line]) for line in range(HEIGHT))


def _ink_width(block: Block) -> int:
    """Columns up to the last that is not blank; what is reserved at the end may be cut."""
    return max(len("".join(text for text, _role in line).rstrip()) for line in block)


# The verdict in two short lines, for a window in which there is room for little else.


NARROW_RESERVED: Mapping[str, int] = {"cells": 11, "delta": 5, "T": 8, "p": 8}
"""Columns that a shortened piece takes at least, by its last field."""
BETWEEN: Span = ("  ", "blank")
ENERGY = ("after", "E")
"""The last fields of the pieces that tell E."""


def narrow_lines(parts: tuple[Piece, ...], badge: Span, space: Space) -> list[Row]:
    """Badge and sentence. Of a judged move the move and the energy stand above, the test below; others flow."""
    head: list[Span] = [badge, (" ", "blank")]
    if not judged(parts):
        return _flowing(head, parts, space)
    above, below = _parted(parts)
    return [_cut([*head, *_joined(above)], space), _cut(_joined(below), space)]


def line(parts: tuple[Piece, ...], head: Sequence[Span], space: Space) -> Row:
    """A judged move on one line: the move and the energy first, then the test as far as there is room. Where there is a
    draw to tell, the energies say what ΔE was, and the badge how u and p compare if that has no room."""
    tested = parts[-1].key == "u" or parts[-2].key == "u"
    above, below = _parted([piece for piece in parts if not (tested and piece.key == "delta")])
    whole = [*head, *_joined([*above, *below])]
    if tested and length(whole) > space.width:
        return _cut([*head, *_joined([*above, *below[:-1], below[-1][:2]])], space)
    return _cut(whole, space)


def _parted(parts: Sequence[Piece]) -> tuple[list[tuple[Span, ...]], list[tuple[Span, ...]]]:
    """The move and the energy; all the rest."""
    above = [shortened(piece) for piece in parts if piece.key == "cells" or piece.key in ENERGY]
    return above, [shortened(piece) for piece in parts if piece.key != "cells" and piece.key not in ENERGY]


def shortened(piece: Piece) -> tuple[Span, ...]:
    """A piece of a judged move: its first word and what follows from its value on; of the move only the cells."""
    value = next((place for place, (_text, role) in enumerate(piece.spans) if role == "strong"), None)
    if value is None or piece.key in ENERGY or len(piece.spans[value + 1 :]) > 1:
        return piece.spans
    spans = piece.spans[value:]
    if piece.key != "cells" and value:
        bound = piece.spans[value - 1][0].rstrip()[-1:]
        label = piece.spans[0][0].split(" ", 1)[0] + " "
        spans = ((label + ("" if bound == "=" else bound), "text"), *spans)
    return (*spans, (" " * (NARROW_RESERVED.get(piece.key, 0) - length(spans)), "blank"))


def _joined(parts: Sequence[tuple[Span, ...]]) -> list[Span]:
    return [span for place, part in enumerate(parts) for span in ((BETWEEN, *part) if place else part)]


def _cut(spans: Sequence[Span], space: Space) -> Row:
    """A line; an ellipsis says that something had to be left out."""
    text = "".join(text for text, _role in spans).rstrip()
    if len(text) <= space.width:
        return row(spans, space.width)
    return row((*row(spans, space.width - 1), (space.glyphs.ellipsis, "text")), space.width)


def _flowing(head: list[Span], parts: tuple[Piece, ...], space: Space) -> list[Row]:
    """The words one after another, broken between them; more than one blank between pieces."""
    drawn: list[list[Span]] = [list(head), []]
    line = 0
    for part in parts:
        gap: Span = BETWEEN
        for text, role in _words(part):
            if line == 0 and length(drawn[0]) + len(gap[0]) + len(text.rstrip()) > space.width:
                line = 1
            if drawn[line] and drawn[line] != head:
                drawn[line].append(gap)
            drawn[line].append((text, role))
            gap = ("", "blank")
    return [_cut(spans, space) for spans in drawn]


def _words(part: Piece) -> list[Span]:
    """The words of a piece, each with the blank that follows it."""
    found: list[Span] = []
    for text, role in part.spans:
        pieces = text.split(" ")
        found += [(word + " ", role) for word in pieces[:-1] if word or found]
        found += [(pieces[-1], role)] if pieces[-1] else []
    return found


AFTER_BADGE = 2
LARGE = 3
"""Rows from which on numbers are written with line digits."""
SHORT = 100
"""Columns below which one line is not enough for a judged move at full length."""
NARROW = 64
"""Columns below which a sentence is shortened, whatever it says, so that it does not change its form."""


@dataclass(slots=True)
class VerdictStyle:
    """How a view writes its verdicts: letters of its longest badge, the badge's ground, and the widths so far."""

    longest: int = BADGE
    ground: Role = "now"
    widths: Widths = field(default_factory=dict)
    large: Widths = field(default_factory=dict)
    """The widths with line digits."""


def verdict_rows(sentence: Sentence | None, space: Space, style: VerdictStyle) -> Rows:
    """Badge and sentence on one line, or on two when it has them and needs them; with line digits on three."""
    if sentence is None:
        return rows((), space)
    text = badge(sentence, space.glyphs, style.longest)
    head: tuple[Span, ...] = ((text, style.ground), (" " * AFTER_BADGE, "blank"))
    room = space.width - length(head)
    parts = pieces(sentence, space.glyphs)
    if space.height >= LARGE:
        drawn = large_lines(parts, (text, style.ground), space, style.large)
        return rows(drawn or ((), _fitted(head, parts, space, style.widths)), space)
    if space.height > 1 and space.width < NARROW:
        return rows(narrow_lines(parts, (text, style.ground), space), space)
    if space.height == 1 or space.width >= SHORT or (not judged(parts) and natural(parts) <= room):
        line = _fitted(head, parts, space, style.widths)
        if space.height == 1 or judged(parts) or not _ends_cut(line, space):
            return rows((line,), space)
    above, below = two_lines(parts, style.widths, room, space.width)
    if not judged(parts) and (length(_trimmed(above)) > room or length(_trimmed(below)) > space.width):
        return rows(narrow_lines(parts, (text, style.ground), space), space)
    return rows(((*head, *above), below), space)


def is_cut(sentence: Sentence, space: Space, longest: int = BADGE) -> bool:
    """Whether there is no room for all of it beside a badge of so many letters."""
    return any(_ends_cut(line, space) for line in verdict_rows(sentence, space, VerdictStyle(longest)))


def _ends_cut(line: Row, space: Space) -> bool:
    return plain((line,))[0].rstrip().endswith(space.glyphs.ellipsis)


def _fitted(head: tuple[Span, ...], parts: tuple[Piece, ...], space: Space, widths: Widths) -> Row:
    """One line: with every piece in its place if there is room, closed up if not, shortened in a narrow window, and
    then cut with an ellipsis."""
    if space.width < SHORT and judged(parts):
        return line(parts, head, space)
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

    def __init__(self, style: VerdictStyle | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sentence: Sentence | None = None
        self.verdict_style = style or VerdictStyle()

    def show(self, sentence: Sentence | None) -> None:
        """Show this sentence from now on; None clears the line."""
        self.sentence = sentence
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return verdict_rows(self.sentence, space, self.verdict_style)
