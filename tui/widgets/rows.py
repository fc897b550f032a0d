"""Rows of spans: what every widget draws, before it becomes strips. Pure, and told apart by role, never by colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from tui.glyphs import UNICODE, Glyphs, visible
from tui.terminal.stretches import stretches
from tui.theme import INK_ONLY, Role

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


MERGE_GAP = 4
"""Changed stretches with so few unchanged columns between them are painted as one: moving the cursor costs more,
unless something in another style stands there."""


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


def changed(before: Row | None, after: Row, width: int) -> Iterator[tuple[int, int]]:
    """The stretches (first column, columns) in which two rows differ, near ones merged.

    All of the row if it was drawn for a narrower pane before."""
    if before == after:
        return
    if before is None or not (_narrow(before) and _narrow(after)) or length(before) != length(after):
        yield 0, width
        return
    first, last = _alike(before, after), -_alike(before[::-1], after[::-1])
    old, new = _seen(before[first:last or None]), _seen(after[first:last or None])
    left = length(after[:first])
    differ = (column for column, seen in enumerate(new) if old[column] != seen)
    for start, end in stretches(differ, lambda end, column: _merges(new, end, column)):
        yield left + start, end - start


def _alike(before: Row, after: Row) -> int:
    """How many spans at the beginning are the same; the rows differ, and are as wide as one another."""
    return next(place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)


def _seen(line: Row) -> list[tuple[str, Role]]:
    """What is seen of each column: of a blank no ink."""
    return [(character, "blank" if character == " " and role in INK_ONLY else role)
            for text, role in line for character in text]


def _merges(line: list[tuple[str, Role]], end: int, column: int) -> bool:
    """Whether what stands unchanged between two changed stretches is painted along with them."""
    role = line[end - 1][1]
    return column - end <= MERGE_GAP and all(between[1] in ("blank", role) for between in line[end:column])


def _narrow(line: Row) -> bool:
    return all(text.isascii() or measured(text)[1] == len(text) for text, _role in line)


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
