"""SadMan Sudoku puzzles (.sdk): `#` metadata, `[Puzzle]`, rows; other sections ([State], ...) are passed over.

The letters after `#` are SudoCue's: A author, D description, C comment, B date, S source, L level, U address. Of
these D is the name of a record, L its level and S its source. The section header may be missing; several puzzles in
one file, which other programs do not write, are read and written one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.puzzles.formats.comments import VariantWriter, rest_of, rows_of
from engine.puzzles.formats.lines import TextItem
from engine.puzzles.formats.record import Item, PuzzleRecord
from engine.puzzles.formats.rows import RowReader


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    return RowReader(where, letters=True).read(lines)


def write(records: Iterable[PuzzleRecord]) -> Iterator[str]:
    """One line a string; metadata without a letter is written as in the comments of lists."""
    variants = VariantWriter()
    for record in records:
        yield from (f"{line}\n" for line in variants.lines(record))
        if record.name:
            yield f"#D{record.name}\n"
        if record.level:
            yield f"#L{record.level}\n"
        if record.source:
            yield f"#S{record.source}\n"
        yield from (f"{line}\n" for line in rest_of(record) if not line.startswith("# source:"))
        yield "[Puzzle]\n"
        yield from (f"{row}\n" for row in rows_of(record))
