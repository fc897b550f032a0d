"""Rows of spans: what every widget draws, before it becomes strips. Pure, and told apart by role, never by colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from tui.look.glyphs import UNICODE, Glyphs, visible
from tui.look.theme import Role

Span = tuple[str, Role]
"""A text and what it means."""
Row = tuple[Span, ...]
"""The spans of one line, from the left; neighbours of one role are merged."""
Rows = tuple[Row, ...]


class Space(Struct, frozen=True):
    """The room that something is drawn into, and the glyphs it is drawn with."""

    width: int
    height: int = 1
    glyphs: Glyphs = UNICODE
    picked: tuple[int, int] | None = None
    """The choice, (cell, value), that the learner has picked from the stack of a search."""


@lru_cache(4096)
def measured(text: str) -> tuple[str, int]:
    """The text as it is shown, what shows nothing replaced, and the columns that it takes."""
    shown = visible(text)
    return shown, len(shown) if shown.isascii() else cell_len(shown)


def columns(text: str) -> int:
    """Columns that a text takes."""
    return measured(text)[1]


def row(spans: Iterable[Span], width: int) -> Row:
    """The spans cut or filled up with blanks to exactly `width` columns, neighbours of one role merged. What
    no terminal shows becomes a `?`."""
    merged: list[tuple[str, Role]] = []
    left = width
    for given, role in spans:
        if left <= 0:
            break
        text, width_of = measured(given)
        if width_of > left:
            text, width_of = set_cell_size(text, left), left
        left -= width_of
        _append(merged, text, role)
    if left > 0:
        _append(merged, " " * left, "blank")
    return tuple(merged)


def _append(merged: list[tuple[str, Role]], text: str, role: Role) -> None:
    if not text:
        return
    if merged and merged[-1][1] == role:
        merged[-1] = merged[-1][0] + text, role
    else:
        merged.append((text, role))


def rows(lines: Iterable[Iterable[Span]], space: Space) -> Rows:
    """Exactly as many rows of exactly as many columns as there is room: lines beyond are cut, missing ones blank."""
    drawn = [row(spans, space.width) for spans, _ in zip(lines, range(space.height), strict=False)]
    return tuple(drawn) + (row((), space.width),) * (space.height - len(drawn))


def spread(left: Sequence[Span], right: Sequence[Span], width: int, gap: int = 2) -> Row:
    """`left` at the left edge and `right` at the right one; `right` is dropped when fewer than `gap` columns remain."""
    space = width - length(left) - length(right)
    if space < gap:
        return row(left, width)
    return row((*left, (" " * space, "blank"), *right), width)


def length(spans: Iterable[Span]) -> int:
    """Columns that the spans take."""
    return sum([measured(text)[1] for text, _role in spans])


def plain(lines: Iterable[Row]) -> list[str]:
    """The rows as text."""
    return ["".join(text for text, _role in line) for line in lines]


def roles(line: Row) -> list[tuple[str, Role]]:
    """One (character, role) a column. Only for rows whose characters are all one column wide."""
    return [(character, role) for text, role in line for character in text]


def changed(before: Row | None, after: Row, width: int) -> tuple[int, int]:
    """The stretch (first column, columns) that holds all in which two rows differ: spans that are the same on both
    sides are left out. What of it stands on the terminal already is found cell by cell when it is written.

    All of the row if it was drawn for a narrower pane before."""
    if before is None or length(before) != length(after):
        return 0, width
    first, last = _alike(before, after), _alike(before[::-1], after[::-1])
    start = length(after[:first])
    return start, width - start - length(after[len(after) - last:])


def _alike(before: Row, after: Row) -> int:
    """How many spans at the beginning are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(after)))


def cut(line: Row, first: int, last: int) -> Row | None:
    """The columns from `first` to before `last`; None where the row has characters of more than one column."""
    found, x = [], 0
    for text, role in line:
        if not text.isascii() and measured(text)[1] != len(text):
            return None
        end = x + len(text)
        if end > first and x < last:
            found.append((text[max(first - x, 0):last - x], role))
        x = end
    return tuple(found)
