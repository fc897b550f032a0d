"""Rows of spans, the form in which every widget draws: texts with roles, never colours."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from engine.text import count
from tui.i18n import _
from tui.look.glyphs import UNICODE, Glyphs, visible
from tui.look.theme import Role

Span = tuple[str, Role]
"""A text and its role."""
Row = tuple[Span, ...]
"""The spans of one line, from the left."""
Rows = tuple[Row, ...]
BLANK: Span = (" ", "blank")
BETWEEN_WORDS = re.compile(
    r"(?:(?<!\d)|(?!\s\d{3}(?!\d)))(?!(?:(?<=\bbox)|(?<=\brow)|(?<=\bcolumn))\s\d)\s")
"""Blanks at which a text can be broken or cut: not those within a number in groups of three, or within `box 2`."""
EIGHTHS = 8
"""Steps of a bar of block characters."""


class Space(Struct, frozen=True):
    """The size of the area to draw, and the glyphs to use."""

    width: int
    height: int = 1
    glyphs: Glyphs = UNICODE
    picked: tuple[int, int] | None = None
    """The selected choice of a search, (cell, value)."""
    skip: int = 0
    """Lines that the user has scrolled down lists that are longer than their room."""
    scroll_key: str = ""
    """The key that scrolls them further down."""


@lru_cache(4096)
def measured(text: str) -> tuple[str, int]:
    """(the text with control characters replaced, its columns)."""
    shown = visible(text)
    return shown, len(shown) if shown.isascii() else cell_len(shown)


def columns(text: str) -> int:
    """Columns of a text."""
    return measured(text)[1]


def more_text(number: int, indent: int, space: Space) -> str:
    """The line in place of some lines that are not shown: `… 12 more`."""
    return " " * indent + space.glyphs.ellipsis + " " + _("{number} more").format(number=count(number))


def key_text(key: str) -> str:
    """The key that shows them, after a gap; nothing without a key."""
    return "   " + key if key else ""


def row(spans: Iterable[Span], width: int) -> Row:
    """The spans cut or padded to exactly `width` columns, neighbours of one role merged, control characters as `?`."""
    drawn: list[Span] = []
    left = width
    for given, role in spans:
        if left <= 0:
            break
        text, width_of = measured(given)
        if width_of > left:
            text, width_of = set_cell_size(text, left), left
        left -= width_of
        _append(drawn, text, role)
    if left > 0:
        _append(drawn, " " * left, "blank")
    return tuple(drawn)


def _append(spans: list[Span], text: str, role: Role) -> None:
    if not text:
        return
    if spans and spans[-1][1] == role:
        spans[-1] = spans[-1][0] + text, role
    else:
        spans.append((text, role))


def rows(lines: Iterable[Iterable[Span]], space: Space, words: bool = True) -> Rows:
    """The lines as rows that fill the space exactly: longer lines end in whole words and an ellipsis, further lines are
    cut, missing ones are blank. `words`: False for lines that are no text, which are just cut."""
    drawn = [row(clipped(tuple(spans), space.width, space.glyphs) if words else spans, space.width)
             for spans, _ in zip(lines, range(space.height), strict=False)]
    return tuple(drawn) + (row((), space.width),) * (space.height - len(drawn))


def clipped(spans: Row, width: int, glyphs: Glyphs) -> Row:
    """The spans or, if they are longer than `width`, as many whole words of them as fit, and an ellipsis.

    A number is a word: `49 241` is not cut to `49`. A word that is longer than half of the row is cut, but no number
    after another word.
    """
    if length(spans) <= width:
        return spans
    text = "".join([measured(text)[0] for text, _role in spans])
    if width < 3 or columns(text) != len(text) or len(text.rstrip()) <= width:
        return spans
    ends = [match.start() for match in BETWEEN_WORDS.finditer(text) if match.start() < width - 1]
    whole = bool(ends) and (ends[-1] >= width // 2 or text[ends[-1] + 1].isdigit())
    end, mark = (ends[-1], " " + glyphs.ellipsis) if whole else (width - 1, glyphs.ellipsis)
    kept, left = list[Span](), len(text[:end].rstrip(" ,;:"))
    for each, role in spans:
        if left > 0:
            kept.append((measured(each)[0][:left], role))
            left -= len(kept[-1][0])
    return (*kept, (mark, (kept or spans)[-1][1]))


def spread(left: Sequence[Span], right: Sequence[Span], width: int, gap: int = 2) -> Row:
    """`left` and `right` at the edges of a row; `right` is dropped if fewer than `gap` columns are between them."""
    space = width - length(left) - length(right)
    if space < gap:
        return row(left, width)
    return row((*left, (" " * space, "blank"), *right), width)


def fit(text: str, width: int, glyphs: Glyphs) -> str:
    """A text padded to a width or, if it is longer, cut to whole words and an ellipsis."""
    shown = glyphs.text(text)
    if columns(shown) > width and width < 3:
        return shown[:max(width - 1, 0)] + glyphs.ellipsis
    (kept, _role), *mark = clipped(((shown, "text"),), width, glyphs)
    kept += "".join(text for text, _role in mark)
    return set_cell_size(kept, max(width, 0)) if columns(kept) != width else kept


def eighths(share: float) -> int:
    """The height of a bar from 0 to 8, at least 1 for a positive share; -1 for nan."""
    return min(EIGHTHS, math.ceil(share * EIGHTHS)) if math.isfinite(share) else -1


def bar(share: float, width: int, glyphs: Glyphs) -> str:
    """A bar that grows to the right, from nothing to `width` columns in eighths of a column; at least one eighth for a
    positive share."""
    eighth = max(1, round(max(0.0, min(share, 1.0)) * width * EIGHTHS)) if share > 0 else 0
    whole, part = divmod(eighth, EIGHTHS)
    return glyphs.parts[EIGHTHS] * whole + (glyphs.parts[part] if part else "")


def length(spans: Iterable[Span]) -> int:
    """Columns of the spans."""
    return sum([measured(text)[1] for text, _role in spans])


def plain(lines: Iterable[Row]) -> list[str]:
    """The rows as text."""
    return ["".join(text for text, _role in line) for line in lines]


def roles(line: Row) -> list[Span]:
    """One (character, role) a column. Only for rows whose characters are all one column wide."""
    return [(character, role) for text, role in line for character in text]


def changed(before: Row | None, after: Row, width: int) -> tuple[int, int]:
    """(first column, columns) of the smallest run of spans that holds all differences between two rows; the whole row
    if their widths differ.

    Cells in it that are on the terminal already are left out later, when it is written.
    """
    if before is None or length(before) != length(after):
        return 0, width
    first, last = _common_prefix(before, after), _common_prefix(before[::-1], after[::-1])
    start = length(after[:first])
    return start, width - start - length(after[len(after) - last:])


def _common_prefix(before: Row, after: Row) -> int:
    """Number of equal spans at the beginning."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(after)))


def cut(line: Row, first: int, last: int) -> Row | None:
    """The columns `first` to `last` - 1; None if the row has characters of more than one column."""
    found, x = [], 0
    for text, role in line:
        if not text.isascii() and measured(text)[1] != len(text):
            return None
        end = x + len(text)
        if end > first and x < last:
            found.append((text[max(first - x, 0):last - x], role))
        x = end
    return tuple(found)
