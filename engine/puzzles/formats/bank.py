"""Records of the Sudoku Exchange puzzle bank: 12 hexadecimal digits, 81 digits, and a rating, on one line.

The hash is the beginning of the SHA-1 of the digits (there to shuffle the list); it becomes the name. The rating is
on the scale of Sukaku Explainer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from engine.puzzles.formats.cells import grid_of, marks
from engine.puzzles.formats.comments import Notes, number
from engine.puzzles.formats.lines import TextItem, TextLine
from engine.puzzles.formats.record import Fault, Item, PuzzleRecord, shown
from engine.puzzles.formats.sdm import read_each

RECORD: Final = re.compile(r"[0-9a-fA-F]{12}\s+\S{70,90}\s+\S+")
SHAPE: Final = "12 hexadecimal digits, 81 digits and a rating"


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """One record a line; blank lines and comments are passed over."""
    return read_each(lines, where, read_line)


def read_line(source: TextLine, notes: Notes) -> PuzzleRecord:
    """The record of a line. Raises Fault."""
    line, fields = source.number, marks(source.text, source.number)
    if len(fields) != 3:
        last = fields[min(len(fields), 4) - 1]
        column = last.column + (len(last.text) if len(fields) < 3 else 0)
        raise Fault(f"{len(fields)} fields: expected {SHAPE}", line, column)
    digest, cells, rating = fields
    if not re.fullmatch("[0-9a-fA-F]{12}", digest.text):
        raise Fault(f"{shown(digest.text)}: expected 12 hexadecimal digits", line, digest.column)
    if number(rating.text) is None:
        raise Fault(f"the rating {shown(rating.text)}: expected a number like 2.5", line, rating.column)
    if len(cells.text) != 81:
        raise Fault(f"{len(cells.text)} digits: expected 81", line, cells.column + min(81, len(cells.text)))
    notes.note("name", digest.text.lower(), line)
    notes.note("rating", rating.text, line)
    return notes.record(grid_of([cells]), line)
