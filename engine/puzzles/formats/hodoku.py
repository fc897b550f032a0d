"""HoDoKu library lines: `:technique:candidates:grid:deleted candidates:eliminations:comment:`.

`+` before a digit of the grid marks one set while solving: such a cell is free here. Techniques are numbers
(`0000` none, `0300` an X-wing, ...); deleted candidates and eliminations belong to a moment of a solution, not to the
puzzle, and are passed over. Source: HoDoKu's clipboard format, "library".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.puzzles.formats.cells import Mark, grid_of
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.lines import TextItem, TextLine
from engine.puzzles.formats.record import Fault, Item, PuzzleRecord, plain
from engine.puzzles.formats.sdm import read_each

SHAPE: Final = ":0000:x: and 81 symbols and :::"


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """One record a line; blank lines and comments are passed over."""
    return read_each(lines, where, read_line)


def read_line(source: TextLine, notes: Notes) -> PuzzleRecord:
    """The record of a library line. Raises Fault."""
    line, text = source
    if not text.startswith(":"):
        raise Fault(f"the line does not begin with a colon: expected a HoDoKu line {SHAPE}", line, 1)
    fields = text.split(":")
    if len(fields) < 4:
        raise Fault(f"the line ends after {len(fields) - 1} colons: expected a HoDoKu line {SHAPE}",
                    line, len(text) + 1)
    technique, grid_text = fields[1], fields[3]
    column = len(":".join(fields[:3])) + 2
    cells = given_marks(grid_text, line, column)
    count = sum(len(mark.text) for mark in cells)
    if count != 81:
        raise Fault(f"{count} cells: expected 81", line, column + len(grid_text))
    if technique.strip("0"):
        notes.note("source", f"HoDoKu technique {plain(technique, 12)}", line)
    return notes.record(grid_of(cells), line)


def given_marks(text: str, line: int, column: int) -> list[Mark]:
    """The cells one by one, those set while solving (`+4`) as free cells."""
    found = []
    solved = False
    for offset, symbol in enumerate(text):
        if symbol == "+" and not solved:
            solved = True
        else:
            found.append(Mark("." if solved and symbol.isdigit() else symbol, line, column + offset))
            solved = False
    return found
