"""The verdict in two short lines, for a window in which there is room for little else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.widgets.rows import Row, Space, Span, length, row
from tui.widgets.sentence import Piece, judged

RESERVED: Mapping[str, int] = {"cells": 11, "delta": 5, "T": 8, "p": 8}
"""Columns that a shortened piece takes at least, by its last field."""
BETWEEN: Span = ("  ", "blank")
ENERGY = ("after", "E")
"""The last fields of the pieces that tell E."""


def lines(parts: tuple[Piece, ...], badge: Span, space: Space) -> list[Row]:
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
    return (*spans, (" " * (RESERVED.get(piece.key, 0) - length(spans)), "blank"))


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
