"""Simple Sudoku's boxed grids (.ss): bars between the boxes of a row, dashes between the bands.

    1..|.2.|...
    .3.|...|4..
    ...|5..|...
    -----------
    ...

Frames around the grid are read too; several grids are set apart by blank lines. `rows` does the reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.puzzles.formats.comments import VariantWriter, comments_of, rows_of
from engine.puzzles.formats.record import PuzzleRecord
from engine.puzzles.formats.rows import read

__all__ = ["read", "write"]


def write(records: Iterable[PuzzleRecord]) -> Iterator[str]:
    """The grids with all that is known about each in comments before it; one line a string."""
    variants = VariantWriter()
    for index, record in enumerate(records):
        if index:
            yield "\n"
        yield from (f"{line}\n" for line in variants.lines(record))
        yield from (f"{line}\n" for line in comments_of(record))
        yield from (f"{line}\n" for line in boxed(record))


def boxed(record: PuzzleRecord) -> Iterator[str]:
    box = record.puzzle.box
    for r, row in enumerate(rows_of(record)):
        if r and r % box == 0:
            yield "-" * (len(row) + box - 1)
        yield "|".join(row[start : start + box] for start in range(0, len(row), box))
