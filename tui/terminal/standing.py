"""What stands on the terminal, cell by cell, so that nothing is written that stands there already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from tui.terminal.pieces import Piece
from tui.terminal.sgr import Sgr
from tui.terminal.stretches import stretches

Cell = tuple[str, Sgr]
"""A character and its setting; of a blank only what is seen of it."""

GAP = 4
"""So many columns that stand already are written along with what differs on both sides: to move is no shorter."""


class Standing:
    """The cells of a terminal as far as they are known. Pieces go through `differing` on their way to it."""

    def __init__(self) -> None:
        self._lines: list[list[Cell | None]] = []

    def forget(self) -> None:
        """Somebody else may have written: nothing is known any more."""
        self._lines = []

    def differing(self, pieces: Iterable[Piece]) -> list[Piece]:
        """What of the pieces does not stand there already; from now on it does."""
        return [part for piece in pieces for part in self._parts(piece)]

    def _parts(self, piece: Piece) -> Iterator[Piece]:
        line, end = self._line(piece.y, piece.x + piece.width), piece.x + piece.width
        if piece.raw or piece.width != len(piece.text):  # of a wide character half a cell cannot be told
            line[piece.x:end] = [None] * piece.width
            yield piece
            return
        before, cells = line[piece.x:end], cells_of(piece.text, piece.setting)
        if before == cells:
            return
        line[piece.x:end] = cells
        differ = (column for column, (old, new) in enumerate(zip(before, cells, strict=True)) if old != new)
        for first, last in stretches(differ, _near):
            yield Piece(piece.y, piece.x + first, piece.text[first:last], last - first, piece.setting)

    def _line(self, y: int, end: int) -> list[Cell | None]:
        """A line of at least so many cells."""
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
    """What is seen of a setting on a blank."""
    return setting if setting.visible else Sgr((), "", setting.ground)


def _near(end: int, column: int) -> bool:
    return column - end <= GAP
