"""CSV with a header: `quizzes,solutions` (the "1 million Sudoku games" of Kaggle) and its relatives.

Columns are found by name, in any order and case: the puzzle (quizzes, quiz, puzzles, puzzle, sudoku, grid), and if
they are there the solution (solutions, solution), name, level, rating (or difficulty) and source; others are passed
over. Without a header the columns are puzzle and solution. Written are `quizzes,solutions`, 0 for a free cell.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Final

from engine.errors import FormatError
from engine.puzzle import line_of
from engine.puzzles.formats.cells import SIDES, Mark, fast_grid, grid_of, marks, solution_of
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.lines import TextItem, TextLine
from engine.puzzles.formats.record import Fault, Item, PuzzleRecord
from engine.puzzles.formats.sdm import read_each

COLUMNS: Final = {
    "quizzes": "puzzle", "quiz": "puzzle", "puzzles": "puzzle", "puzzle": "puzzle", "sudoku": "puzzle",
    "grid": "puzzle", "solutions": "solution", "solution": "solution", "name": "name", "level": "level",
    "rating": "rating", "difficulty": "rating", "source": "source",
}


def fields_of(line: TextLine) -> list[Mark]:
    """The fields of a line with the column that each begins at. Raises Fault for a quote that is not closed."""
    if '"' not in line.text:
        texts = line.text.split(",")
    else:
        try:
            texts = next(csv.reader([line.text], strict=True))
        except csv.Error as error:
            raise Fault(f"the quotes do not match ({error}): expected fields like a,b or \"a\",\"b\"",
                        line.number, line.text.index('"') + 1) from error
    fields = []
    column = 1
    for text in texts:
        begins = line.text.find(text, column - 1) + 1 or column
        fields.append(Mark(text, line.number, begins))
        column = line.text.find(",", begins - 1 + len(text)) + 2
    return fields


def header_of(fields: list[Mark]) -> dict[str, int] | None:
    """The columns of a header: field of a record -> column index; None if the line is not a header."""
    found: dict[str, int] = {}
    for index, field in enumerate(fields):
        part = COLUMNS.get(field.text.strip().strip('"').lower())
        if part:
            found.setdefault(part, index)
    return found if "puzzle" in found else None


def looks_like(text: str) -> bool:
    """True if a first line is a header with a puzzle column, or a row that begins with a puzzle."""
    first, comma, _ = text.partition(",")
    if header_of([Mark(part, 1, 1) for part in text.split(",")]):
        return True
    return bool(comma) and len(first.strip().strip('"')) in SIDES


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """One record a row; blank lines are passed over, and comments that say nothing of the variant."""
    return read_each(lines, where, TableReader().read_line)


class TableReader:
    """Reads rows, with the columns that the header names."""

    def __init__(self) -> None:
        self.columns: dict[str, int] = {}

    def read_line(self, line: TextLine, notes: Notes) -> PuzzleRecord | None:
        """The record of a row, None for the header. Raises Fault."""
        fields = fields_of(line)
        if not self.columns:
            self.columns = header_of(fields) or {}
            if self.columns:
                return None
            self.columns = headerless(fields)
        return read_row(fields, self.columns, notes)


def headerless(fields: list[Mark]) -> dict[str, int]:
    """The columns of a file without a header. Raises Fault when the first field is no puzzle either."""
    if len(fields[0].text.strip()) not in SIDES:
        raise Fault("the header names no column of puzzles: expected quizzes,solutions", fields[0].line, 1)
    return {"puzzle": 0, "solution": 1}


def read_row(fields: list[Mark], columns: dict[str, int], notes: Notes) -> PuzzleRecord:
    """The record of a row. Raises Fault."""
    line = fields[0].line
    if columns["puzzle"] >= len(fields):
        last = fields[-1]
        raise Fault(f"{len(fields)} fields: expected a puzzle in field {columns['puzzle'] + 1}", line,
                    last.column + len(last.text))
    field = fields[columns["puzzle"]]
    found = marks(field.text, line, field.column)
    if not found:
        raise Fault("the puzzle is empty: expected 81 symbols", line, field.column)
    grid = fast_grid(field.text) or grid_of(found)
    for part in ("name", "level", "rating", "source"):
        if part in columns and columns[part] < len(fields):
            notes.note(part, fields[columns[part]].text, line)
    solution = fields[columns["solution"]] if columns.get("solution", len(fields)) < len(fields) else None
    if solution is None or not solution.text.strip():
        return notes.record(grid, line)
    return notes.record(grid, line, solution_of(solution.text, grid, line, solution.column))


def write(records: Iterable[PuzzleRecord]) -> Iterator[str]:
    """Header and rows, one a string. Raises FormatError for a diagonal puzzle, which this format cannot express."""
    yield "quizzes,solutions\n"
    for record in records:
        check(record)
        solution = line_of(record.solution) if record.solution else ""
        yield f"{record.puzzle.line.replace('.', '0')},{solution}\n"


def check(record: PuzzleRecord) -> None:
    """Raises FormatError for a record that `write` cannot express."""
    if record.puzzle.variant != "classic":
        raise FormatError(f"CSV quizzes,solutions cannot say that {record.name or 'a puzzle'} is of the "
                          f"{record.puzzle.variant} variant: expected classic, or one of line, sdm, sdk, ss")
