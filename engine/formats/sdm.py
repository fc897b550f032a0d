"""Lists: one puzzle a line, with `#` comments (.sdm of SudoCue, .txt, and bare 81-character lines)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.formats.cells import fast_grid, grid_of, marks
from engine.formats.comments import Notes, VariantWriter, comments_of
from engine.formats.lines import TextItem, TextLine
from engine.formats.perline import read_each
from engine.formats.record import Item, PuzzleRecord


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """One record a line; what stands behind a `#` is a comment, and `comments` says which of them count."""
    return read_each(lines, where, read_line)


def read_line(line: TextLine, notes: Notes) -> PuzzleRecord:
    """The record of a line. Raises Fault."""
    grid = fast_grid(line.text) or grid_of(marks(line.text.partition("#")[0], line.number))
    return notes.record(grid, line.number)


def write(records: Iterable[PuzzleRecord]) -> Iterator[str]:
    """The list with everything known about each puzzle in comments before it; one line a string."""
    variants = VariantWriter()
    for record in records:
        yield from (f"{line}\n" for line in variants.lines(record))
        yield from (f"{line}\n" for line in comments_of(record))
        yield f"{record.puzzle.line}\n"


def write_bare(records: Iterable[PuzzleRecord]) -> Iterator[str]:
    """Nothing but the puzzles, one a line (and the variant where it changes, since it changes the puzzle)."""
    variants = VariantWriter()
    for record in records:
        yield from (f"{line}\n" for line in variants.lines(record))
        yield f"{record.puzzle.line}\n"
