"""The verdict line: a badge, a sentence whose values are stronger than its words, and below it the reason.

The sentence takes one line where it fits, else two; the largest screens give it three, with line digits. Over a reason
it has one line less. A judged move has its pieces in fixed places, so that nothing shifts from step to step; other
sentences flow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter

from msgspec import Struct
from msgspec.structs import replace

from engine.events.because import MOST_BECAUSE
from engine.view import Sentence
from tui.i18n import GAP, SIGN, _, translated
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.line_digits import HEIGHT, drawable, enlarged
from tui.widgets.pane import Pane
from tui.widgets.rows import BETWEEN_WORDS, Row, Rows, Space, Span, clipped, length, plain, row, rows

BADGE = 15
"""Letters of the longest badge (ACCEPTED UPHILL); a view can set another."""
RESERVED: Mapping[str, int] = {"cells": 16, "delta": 7, "T": 9, "p": 25, "u": 14}
"""Least columns of a piece, by its last field, so that the pieces after it do not shift from step to step."""
MOVE = ("cells", "delta")
"""The pieces that begin the sentence of a judged move."""
LARGE = 3
"""Rows from which numbers are written in line digits."""
SHORT = 100
"""Columns below which a judged move does not fit one line in full."""
NARROW = 64
"""Columns below which every sentence is shortened, so that its form does not depend on its length."""
AFTER_BADGE = 2
"""Blank columns after the badge."""
BETWEEN: Span = ("  ", "blank")
"""The gap between pieces that are moved together."""
LARGE_GAP = 4
AROUND = " " * 3
"""Blank columns on both sides of a large badge."""
LARGE_WIDTHS: Mapping[str, int] = {"cells": 16, "delta": 11, "T": 17, "p": 32, "u": 21}
"""Least columns of a piece in line digits, by its last field."""
NARROW_WIDTHS: Mapping[str, int] = {"cells": 11, "delta": 5, "T": 8, "p": 8}
"""Least columns of a shortened piece, by its last field."""
COMPARISONS = ("<", ">", "≥", "≤")
"""The signs that stay between a label and its value in a shortened piece, other than `=`."""
ENERGY = ("after", "E")
"""The last fields of the pieces about E."""

Widths = dict[str, int]
"""Columns by the key of a piece."""
Block = tuple[Row, ...]
"""Three lines of one width."""


# The pieces of a sentence


class Piece(Struct, frozen=True):
    """A part of a sentence between two gaps. `key` is its last field ("" if it has none)."""

    key: str
    spans: Row

    @property
    def width(self) -> int:
        return length(self.spans)


def pieces(sentence: Sentence, glyphs: Glyphs) -> tuple[Piece, ...]:
    """The pieces of a sentence: words in the role `text`, values in `strong`."""
    shown = translated(sentence)
    return tuple(_piece(each, shown.fields, glyphs) for each in shown.template.split(GAP))


def _piece(template: str, fields: Mapping[str, str], glyphs: Glyphs) -> Piece:
    spans: list[Span] = []
    key = ""
    for text, name, _spec, _conversion in Formatter().parse(template):
        spans.append((glyphs.text(text), "text"))
        if name is not None:
            key = name
            written = glyphs.key if name.startswith(SIGN) else glyphs.text
            spans.append((written(fields.get(name, "")), _field_role(name, template)))
    return Piece(key, tuple(span for span in spans if span[0]))


def _field_role(name: str, template: str) -> Role:
    """Role of a value: `strong`, but `text` for the exponent and for the energy before the move."""
    return "text" if name == "exponent" or (name == "before" and "{after}" in template) else "strong"


def badge(sentence: Sentence, glyphs: Glyphs, longest: int = BADGE) -> str:
    """The badge between blanks, padded to the longest one of its view."""
    text = glyphs.text(_(sentence.badge))
    return f" {text:<{longest}} "


def one_line(parts: Iterable[Piece], widest: Widths) -> Row:
    """The pieces in a row, each as wide as it has ever been. `widest` has the widths by key, and is widened."""
    spans: list[Span] = []
    for index, piece in enumerate(parts):
        if index:
            spans.append((GAP, "blank"))
        spans.extend(piece.spans)
        spans.append((" " * (_widened(piece, widest) - piece.width), "blank"))
    return tuple(spans)


def _widened(piece: Piece, widest: Widths) -> int:
    """The columns for a piece: the most that it has ever had. Those of a piece that keeps its place go into `widest`.
    """
    columns = max(piece.width, widest.get(piece.key, 0), RESERVED.get(piece.key, 0))
    if piece.key in RESERVED:
        widest[piece.key] = columns
    return columns


def two_lines(parts: tuple[Piece, ...], widest: Widths, first: int, second: int) -> list[Row]:
    """The pieces in two rows of `first` and `second` columns. A judged move has the move and the energy above and the
    test below; other sentences flow."""
    keys = [piece.key for piece in parts]
    if keys[:2] == list(MOVE) and len(parts) > 3:
        above, below = (*parts[:2], parts[-1]), parts[2:-1]
        if natural(above) <= first and natural(below) <= second:
            return [one_line(above, widest), one_line(below, widest)]
    cut = len(parts)
    while cut > 1 and natural(parts[:cut]) > first:
        cut -= 1
    return [_joined_by(GAP, parts[:cut]), _joined_by(GAP, parts[cut:])]


def natural(parts: Iterable[Piece]) -> int:
    """Columns of pieces in a row, without reserved ones."""
    widths = [piece.width for piece in parts]
    return sum(widths) + len(GAP) * max(0, len(widths) - 1)


def judged(parts: tuple[Piece, ...]) -> bool:
    """Test for the pieces of a judged move, which keep their places from step to step."""
    return tuple(piece.key for piece in parts[:2]) == MOVE


# The lines


@dataclass(slots=True)
class VerdictLayout:
    """The places of the pieces in a view's verdicts. Drawing widens `widest` and `widest_large`, so that a piece that
    was pushed aside once stays there."""

    longest: int = BADGE
    """Letters of the longest badge of the view."""
    ground: Role = "now"
    """The ground of the badge."""
    widest: Widths = field(default_factory=dict)
    """The most columns that each piece has had, by its last field."""
    widest_large: Widths = field(default_factory=dict)
    """The same in line digits."""


def verdict_with_reason(sentence: Sentence, because: Sentence, space: Space, layout: VerdictLayout,
                        passing: bool = False) -> Rows:
    """The verdict with the reason on the last line, if there is room for it; muted while it is `passing`."""
    if space.height < 2 or space.width < MOST_BECAUSE:
        return verdict_rows(sentence, space, layout)
    above = verdict_rows(sentence, replace(space, height=space.height - 1), layout)
    return (*above, because_row(because, space, layout, "muted" if passing else "text"))


def verdict_rows(sentence: Sentence | None, space: Space, layout: VerdictLayout) -> Rows:
    """Badge and sentence on one line, on two if there are two and it needs them, or in line digits on three; in its
    brief form if the whole would be cut."""
    if sentence is None:
        return rows((), space)
    drawn = _sentence_rows(sentence, space, layout)
    if sentence.brief and any(_ends_cut(line, space) for line in drawn):
        return _sentence_rows(replace(sentence, template=sentence.brief, brief=""), space, layout)
    return drawn


def _sentence_rows(sentence: Sentence, space: Space, layout: VerdictLayout) -> Rows:
    text = badge(sentence, space.glyphs, layout.longest)
    head: Row = ((text, layout.ground), (" " * AFTER_BADGE, "blank"))
    room = space.width - length(head)
    parts = pieces(sentence, space.glyphs)
    if space.height >= LARGE:
        drawn = _large_lines(parts, (text, layout.ground), space, layout.widest_large)
        line = _fitted(head, parts, space, layout.widest)
        if drawn is None and _ends_cut(line, space) and not judged(parts):
            return rows(((), *_sentence_rows(sentence, replace(space, height=2), layout)), space)
        return rows(drawn or ((), line), space)
    if space.height > 1 and space.width < NARROW:
        return rows(_narrow_lines(parts, (text, layout.ground), space), space)
    if space.height == 1 or space.width >= SHORT or (not judged(parts) and natural(parts) <= room):
        line = _fitted(head, parts, space, layout.widest)
        if space.height == 1 or judged(parts) or not _ends_cut(line, space):
            return rows((line,), space)
    above, below = two_lines(parts, layout.widest, room, space.width)
    if not judged(parts) and (length(_trimmed(above)) > room or length(_trimmed(below)) > space.width):
        return rows(_narrow_lines(parts, (text, layout.ground), space), space)
    if space.width >= SHORT and length(_trimmed(below)) <= room:
        below = ((" " * length(head), "blank"), *below)
    return rows(((*head, *above), below), space)


def because_row(because: Sentence, space: Space, layout: VerdictLayout, role: Role = "text") -> Row:
    """The reason below the beginning of the sentence; in a narrow window from the left edge on."""
    large = space.height > LARGE and not space.glyphs.ascii
    aside = layout.longest + 2 + (2 * len(AROUND) + LARGE_GAP if large else AFTER_BADGE)
    said: Row = ((space.glyphs.text(translated(because).text), role),)
    margin = aside if space.width >= SHORT else 0
    return row(((" " * margin, "blank"), *clipped(said, space.width - margin, space.glyphs)), space.width)


def is_cut(sentence: Sentence, space: Space, longest: int = BADGE) -> bool:
    """Test for a sentence that does not fit beside a badge of `longest` letters."""
    return any(_ends_cut(line, space) for line in verdict_rows(sentence, space, VerdictLayout(longest)))


def _ends_cut(line: Row, space: Space) -> bool:
    return plain((line,))[0].rstrip().endswith(space.glyphs.ellipsis)


# One line


def _fitted(head: Row, parts: tuple[Piece, ...], space: Space, widest: Widths) -> Row:
    """One line: every piece in its place if they fit, else moved together, in a narrow window shortened, else cut."""
    if space.width < SHORT and judged(parts):
        return _short_line(parts, head, space)
    for spans in (one_line(parts, widest), one_line(parts, {}), _moved_together(parts)):
        if length(head) + length(_trimmed(spans)) <= space.width:
            return row((*head, *spans), space.width)
    if judged(parts):
        return _short_line(parts, head, space)
    return row(_without_bare_label(clipped((*head, *_moved_together(parts)), space.width, space.glyphs), space.glyphs),
               space.width)


def _without_bare_label(spans: Row, glyphs: Glyphs) -> Row:
    """The spans of a line; if it is cut between a label and its value, without the label."""
    gaps = [place for place, span in enumerate(spans) if span == BETWEEN]
    whole = spans[-1][0] != f" {glyphs.ellipsis}"
    if whole or not gaps or any(role == "strong" for _text, role in spans[gaps[-1]:-1]):
        return spans
    return (*spans[:gaps[-1]], spans[-1])


def _trimmed(spans: Row) -> Row:
    """The spans up to the last that is not blank."""
    last = len(spans)
    while last and not spans[last - 1][0].strip():
        last -= 1
    return spans[:last]


def _moved_together(parts: tuple[Piece, ...]) -> Row:
    return tuple(_joined([part.spans for part in parts]))


def _joined_by(gap: str, parts: Iterable[Piece]) -> Row:
    return tuple(span for place, part in enumerate(parts) for span in (((gap, "blank"),) if place else ()) + part.spans)


def _short_line(parts: tuple[Piece, ...], head: Sequence[Span], space: Space) -> Row:
    """A judged move on one line: the move, the energy, and as much of the test as fits.

    After a random draw T is left out, because it changes least from step to step and has a gauge; then u, because the
    badge gives the comparison.
    """
    tested = parts[-1].key == "u" or parts[-2].key == "u"
    above, below = _parted([piece for piece in parts if not (tested and piece.key == "T")])
    whole = [*head, *_joined([*above, *below])]
    if tested and length(whole) > space.width:
        return _cut([*head, *_joined([*above, *below[:-1], below[-1][:2]])], space)
    return _cut(whole, space)


# Two short lines


def _narrow_lines(parts: tuple[Piece, ...], badge: Span, space: Space) -> list[Row]:
    """Two short lines. A judged move has the move and the energy above and the test below; other sentences flow."""
    head: list[Span] = [badge, (" ", "blank")]
    if not judged(parts):
        return _between_pieces(head, parts, space) or _flowing(head, parts, space)
    above, below = _parted(parts)
    return [_cut([*head, *_joined(above)], space), _cut(_joined(below), space)]


def _parted(parts: Sequence[Piece]) -> tuple[list[Row], list[Row]]:
    """The shortened pieces: the move and the energy; all others."""
    above = [_shortened(piece) for piece in parts if piece.key == "cells" or piece.key in ENERGY]
    return above, [_shortened(piece) for piece in parts if piece.key != "cells" and piece.key not in ENERGY]


def _shortened(piece: Piece) -> Row:
    """A piece of a judged move without its middle: the first word and the value; of the move only the cells."""
    value = next((place for place, (_text, role) in enumerate(piece.spans) if role == "strong"), None)
    if value is None or piece.key in ENERGY or len(piece.spans[value + 1 :]) > 1:
        return piece.spans
    spans = piece.spans[value:]
    if piece.key != "cells" and value:
        sign = piece.spans[value - 1][0].rstrip()[-1:]
        label = piece.spans[0][0].split(" ", 1)[0] + " "
        spans = ((label + (f"{sign} " if sign in COMPARISONS else ""), "text"), *spans)
    return (*spans, (" " * (NARROW_WIDTHS.get(piece.key, 0) - length(spans)), "blank"))


def _joined(parts: Sequence[Row]) -> list[Span]:
    return [span for place, part in enumerate(parts) for span in ((BETWEEN, *part) if place else part)]


def _cut(spans: Sequence[Span], space: Space) -> Row:
    """A row that ends in whole words and an ellipsis if the spans do not fit."""
    return row(clipped(_trimmed(tuple(spans)), space.width, space.glyphs), space.width)


def _between_pieces(head: list[Span], parts: tuple[Piece, ...], space: Space) -> list[Row] | None:
    """The pieces on two lines; None if they do not fit without a break inside one."""
    for cut in range(len(parts) - 1, 0, -1):
        drawn = [(*head, *_moved_together(parts[:cut])), _moved_together(parts[cut:])]
        if length(drawn[0]) <= space.width:
            return [row(line, space.width) for line in drawn] if length(drawn[1]) <= space.width else None
    return None


def _flowing(head: list[Span], parts: tuple[Piece, ...], space: Space) -> list[Row]:
    """The words on two lines, broken between them, with a wider gap between pieces."""
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
    """The words of a piece, each with the blank after it."""
    found: list[Span] = []
    for text, role in part.spans:
        words = BETWEEN_WORDS.split(text)
        found += [(word + " ", role) for word in words[:-1] if word or found]
        found += [(words[-1], role)] if words[-1] else []
    return found


# Three lines with line digits


def _large_lines(parts: tuple[Piece, ...], badge: Span, space: Space, widest: Widths) -> Block | None:
    """Badge and sentence on three lines; None if they are too wide or the glyph set has no line digits.

    Only numbers of this step are enlarged, not those in messages of the program."""
    if space.glyphs.ascii:
        return None
    blocks = [_large_badge(badge)]
    for piece in parts:
        block = _large_piece(piece, enlarge=badge[1] == "now")
        reserved = max(length(block[0]), widest.get(piece.key, 0), LARGE_WIDTHS.get(piece.key, 0))
        if piece.key in LARGE_WIDTHS:
            widest[piece.key] = reserved
        blocks.append(_beside(_blank(LARGE_GAP), block, _blank(reserved - length(block[0]))))
    drawn = _beside(*blocks)
    used = max(len("".join(text for text, _role in line).rstrip()) for line in drawn)
    return drawn if used <= space.width else None


def _large_badge(badge: Span) -> Block:
    """The badge with its ground on all three lines."""
    text, ground = badge
    blank = AROUND + " " * len(text) + AROUND
    return ((blank, ground),), ((AROUND + text + AROUND, ground),), ((blank, ground),)


def _large_piece(piece: Piece, enlarge: bool) -> Block:
    blocks: list[Block] = []
    for text, role in piece.spans:
        if enlarge and role == "strong" and drawable(text):
            blocks.append(tuple(((stroke, "strong"),) for stroke in enlarged(text)))
        else:
            blank: Span = (" " * length([(text, role)]), "blank")
            blocks.append(((blank,), ((text, role),), (blank,)))
    return _beside(*blocks)


def _blank(width: int) -> Block:
    return (((" " * width, "blank"),),) * HEIGHT


def _beside(*blocks: Block) -> Block:
    return tuple(tuple(span for block in blocks for span in block[line]) for line in range(HEIGHT))


class Verdict(Pane):
    """The verdict line of a screen."""

    DEFAULT_CSS = "Verdict { height: 1; }"

    sentence: Sentence | None = None
    because: Sentence | None = None
    passing = False
    """The next step replaces the reason before it can be read."""

    def __init__(self, layout: VerdictLayout | None = None) -> None:
        super().__init__()
        self.verdict_layout = layout or VerdictLayout()

    def show(self, sentence: Sentence | None, because: Sentence | None = None, passing: bool = False) -> None:
        """Show a sentence and its reason; None clears the line. `passing`: the next step replaces it before it can be
        read."""
        self.sentence, self.because, self.passing = sentence, because, passing
        self.repaint()

    def draw(self, space: Space) -> Rows:
        if self.sentence is None or self.because is None:
            return verdict_rows(self.sentence, space, self.verdict_layout)
        return verdict_with_reason(self.sentence, self.because, space, self.verdict_layout, self.passing)
