"""The verdict with its numbers in line digits, three rows high, for the largest screens."""

from __future__ import annotations

from collections.abc import Mapping

from tui.widgets.board.cell import HEIGHT, drawable, enlarged
from tui.widgets.rows import Space, Span, length
from tui.widgets.sentence import Piece, Widths

GAP = " " * 4
AROUND = " " * 3
"""Blank columns at both sides of the badge."""
RESERVED: Mapping[str, int] = {"cells": 16, "delta": 11, "T": 17, "p": 32, "u": 21}
"""Columns that a piece takes at least, by its last field."""

Block = tuple[tuple[Span, ...], ...]
"""Lines of one width."""


def lines(parts: tuple[Piece, ...], badge: Span, space: Space, widths: Widths) -> Block | None:
    """Badge and sentence on three lines, or None where they are too wide or the glyphs have no lines. Only what happens
    at this step has its numbers drawn large. `widths`, by field, holds how wide each piece ever was, and grows."""
    if space.glyphs.ascii:
        return None
    blocks = [_badge(badge)]
    for piece in parts:
        block = _block(piece, large=badge[1] == "now")
        reserve = max(length(block[0]), widths.get(piece.key, 0), RESERVED.get(piece.key, 0))
        if piece.key in RESERVED:
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
