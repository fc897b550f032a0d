"""Lists: one puzzle a line, with `#` comments (.sdm of SudoCue, .txt, and bare 81-character lines)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.puzzles.formats.cells import fast_grid, grid_of, marks
from engine.puzzles.formats.comments import Notes, VariantWriter, comments_of
from engine.puzzles.formats.lines import TextItem, TextLine
from engine.puzzles.formats.record import Fault, Item, Malformed, PuzzleRecord

# Common to all formats with one puzzle a line: blank lines, comments, and that a bad line costs only itself.


LineReader = Callable[[TextLine, Notes], PuzzleRecord | None]
"""The record of a line that is neither blank nor a comment, None if it holds none (a header). Raises Fault."""


def read_each(lines: Iterable[TextItem], where: str, read_line: LineReader,
              notes: Notes | None = None) -> Iterator[Item]:
    """The items of lines, one at a time; `notes` is what the comments before them have said."""
    notes = Notes() if notes is None else notes
    for item in lines:
        if isinstance(item, Malformed):
            yield item
            continue
        if not item.text:
            continue
        try:
            if item.text.lstrip().startswith("#"):
                notes.read(item.text.lstrip(), item.number)
                continue
            record = read_line(item, notes)
        except Fault as fault:
            notes.drop()
            yield fault.malformed(where)
        else:
            if record is not None:
                yield record


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """One record per line. Text behind a `#` is a comment; `comments` interprets it."""
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
    """The puzzles alone, one a line (and the variant where it changes, since it is part of the puzzle)."""
    variants = VariantWriter()
    for record in records:
        yield from (f"{line}\n" for line in variants.lines(record))
        yield f"{record.puzzle.line}\n"
