"""Sentences of the verdict line, in pieces whose values stand out from the words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter

from msgspec import Struct

from engine.view import Sentence
from tui.i18n import GAP, SIGN, _, translated
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.rows import Span, length

BADGE = 15
"""Letters of the longest badge (ACCEPTED UPHILL); a view can set another."""
RESERVED: Mapping[str, int] = {"cells": 16, "delta": 7, "T": 9, "p": 25, "u": 14}
"""Least columns of a piece, by its last field, so that the pieces after it do not shift from step to step."""
MOVE = ("cells", "delta")
"""The pieces that begin the sentence of a judged move."""


class Piece(Struct, frozen=True):
    """A part of a sentence between two gaps. `key` is its last field ("" if it has none)."""

    key: str
    spans: tuple[Span, ...]

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


Widths = dict[str, int]
"""Columns by the key of a piece."""


def one_line(parts: Iterable[Piece], widths: Widths) -> tuple[Span, ...]:
    """The pieces in a row, each as wide as it has ever been (`widths`, by key; it grows)."""
    spans: list[Span] = []
    for index, piece in enumerate(parts):
        if index:
            spans.append((GAP, "blank"))
        spans.extend(piece.spans)
        spans.append((" " * (_reserve(piece, widths) - piece.width), "blank"))
    return tuple(spans)


def _reserve(piece: Piece, widths: Widths) -> int:
    widest = max(piece.width, widths.get(piece.key, 0), RESERVED.get(piece.key, 0))
    if piece.key in RESERVED:
        widths[piece.key] = widest
    return widest


def two_lines(parts: tuple[Piece, ...], widths: Widths, first: int, second: int) -> list[tuple[Span, ...]]:
    """The pieces in two rows of `first` and `second` columns. A judged move has the move and the energy above and the
    test below; other sentences flow."""
    keys = [piece.key for piece in parts]
    if keys[:2] == list(MOVE) and len(parts) > 3:
        above, below = (*parts[:2], parts[-1]), parts[2:-1]
        if natural(above) <= first and natural(below) <= second:
            return [one_line(above, widths), one_line(below, widths)]
    cut = len(parts)
    while cut > 1 and natural(parts[:cut]) > first:
        cut -= 1
    return [one_line(parts[:cut], {}), one_line(parts[cut:], {})]


def natural(parts: Iterable[Piece]) -> int:
    """Columns of pieces in a row, without reserved ones."""
    widths = [piece.width for piece in parts]
    return sum(widths) + len(GAP) * max(0, len(widths) - 1)


def judged(parts: tuple[Piece, ...]) -> bool:
    """Whether the pieces are those of a judged move, which keep their places from step to step."""
    return tuple(piece.key for piece in parts[:2]) == MOVE
