"""Cells of the terminal: those known to be on it, which are not written again, and those waiting for the next frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from rich.segment import Segment

from tui.terminal.sequences import Piece, Sgr, by_place

Cell = tuple[str, Sgr]
"""A character and its setting; for a blank only its visible attributes."""

GAP = 4
"""Gaps of up to this many unchanged columns are rewritten: moving the cursor is not shorter."""


class ScreenCells:
    """The known cells of a terminal. Pieces pass through `differing` on their way to it."""

    def __init__(self) -> None:
        self._lines: list[list[Cell | None]] = []

    def forget(self) -> None:
        """Forget everything: another program may have written."""
        self._lines = []

    def differing(self, pieces: Iterable[Piece]) -> list[Piece]:
        """The parts of the pieces that differ from the terminal; they count as written from now on."""
        return [part for piece in pieces for part in self._parts(piece)]

    def _parts(self, piece: Piece) -> Iterator[Piece]:
        line, end = self._line(piece.y, piece.x + piece.width), piece.x + piece.width
        if piece.raw or piece.width != len(piece.text):  # half of a wide character has no cell to compare
            line[piece.x:end] = [None] * piece.width
            yield piece
            return
        before, cells = line[piece.x:end], cells_of(piece.text, piece.setting)
        if before == cells:
            return
        line[piece.x:end] = cells
        for first, last in _spans(column for column, (old, new) in enumerate(zip(before, cells, strict=True))
                                  if old != new):
            yield Piece(piece.y, piece.x + first, piece.text[first:last], last - first, piece.setting)

    def _line(self, y: int, end: int) -> list[Cell | None]:
        """Extend a line to at least the given number of cells."""
        self._lines += ([] for _ in range(y + 1 - len(self._lines)))
        line = self._lines[y]
        line += [None] * (end - len(line))
        return line


def cells_of(text: str, setting: Sgr) -> list[Cell | None]:
    """The cells of characters that take one column each."""
    ground = blank(setting)
    return [(character, ground if character == " " else setting) for character in text]


@lru_cache(1024)
def blank(setting: Sgr) -> Sgr:
    """The visible attributes of a setting on a blank."""
    return setting if setting.visible else Sgr((), "", setting.ground)


def _spans(columns: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Group ascending columns into ranges (first, last + 1), across gaps of up to `GAP` columns."""
    start = end = -1
    for column in columns:
        if start >= 0 and column - end > GAP:
            yield start, end
            start = column
        elif start < 0:
            start = column
        end = column + 1
    if start >= 0:
        yield start, end


class PendingPieces:
    """Pieces that wait for the next frame, without what later ones cover. None is `raw`, as a raw piece cannot be cut.
    """

    def __init__(self) -> None:
        self._lines: dict[int, list[Piece]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, pieces: Iterable[Piece]) -> None:
        """Add pieces over those already waiting."""
        for piece in pieces:
            below = self._lines.get(piece.y, ())
            kept = chain.from_iterable(_beside(each, piece.x, piece.x + piece.width) for each in below)
            self._lines[piece.y] = [*kept, piece]

    def clear(self) -> None:
        self._lines = {}

    def take(self) -> list[Piece]:
        """Take all pieces, ordered by position."""
        lines, self._lines = self._lines, {}
        return sorted(chain.from_iterable(lines.values()), key=by_place)


def _beside(piece: Piece, first: int, end: int) -> Iterator[Piece]:
    """The parts of a piece outside of some columns."""
    last = piece.x + piece.width
    if last <= first or end <= piece.x:
        yield piece
        return
    if piece.x < first:
        yield _part(piece, 0, first - piece.x)
    if end < last:
        yield _part(piece, end - piece.x, piece.width)


def _part(piece: Piece, first: int, end: int) -> Piece:
    """Some columns of a piece; half of a wide character is a blank."""
    if piece.width == len(piece.text):
        text = piece.text[first:end]
    else:
        text = Segment(piece.text).split_cells(end)[0].split_cells(first)[1].text
    return Piece(piece.y, piece.x + first, text, end - first, piece.setting)
