"""What is to be written and may not be yet: of all that was painted meanwhile only what would be seen in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from rich.segment import Segment

from tui.terminal.pieces import Piece, by_place


class Held:
    """Pieces that wait for the next frame. None of them is `raw`, for such a piece cannot be cut."""

    def __init__(self) -> None:
        self._lines: dict[int, list[Piece]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, pieces: Iterable[Piece]) -> None:
        """Have these as well, over what was held before."""
        for piece in pieces:
            below = self._lines.get(piece.y, ())
            kept = chain.from_iterable(_beside(each, piece.x, piece.x + piece.width) for each in below)
            self._lines[piece.y] = [*kept, piece]

    def clear(self) -> None:
        self._lines = {}

    def take(self) -> list[Piece]:
        """All of them, by their places; then none are held."""
        lines, self._lines = self._lines, {}
        return sorted(chain.from_iterable(lines.values()), key=by_place)


def _beside(piece: Piece, first: int, end: int) -> Iterator[Piece]:
    """What is left of a piece outside of some columns."""
    last = piece.x + piece.width
    if last <= first or end <= piece.x:
        yield piece
        return
    if piece.x < first:
        yield _part(piece, 0, first - piece.x)
    if end < last:
        yield _part(piece, end - piece.x, piece.width)


def _part(piece: Piece, first: int, end: int) -> Piece:
    """Some columns of a piece; of a wide character half a cell is a blank."""
    if piece.width == len(piece.text):
        text = piece.text[first:end]
    else:
        text = Segment(piece.text).split_cells(end)[0].split_cells(first)[1].text
    return Piece(piece.y, piece.x + first, text, end - first, piece.setting)
