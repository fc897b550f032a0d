"""Metadata in comments: `# key: value` before a puzzle, and the variant of all that follow.

    # variant: diagonal        every puzzle from here on has the two main diagonals as units (or: classic)
    # name: sunday             the next puzzle; also level, rating (a number), source,
    # solution: 4839…          its solution, and
    # solutions: 1             how many were counted: 0, 1 or 2 (two or more)

Every other comment is passed over.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final, cast

from engine.puzzle import Variant, line_of
from engine.puzzles.formats.cells import Grid, solution_of
from engine.puzzles.formats.record import Fault, PuzzleRecord, plain

FIELD: Final = re.compile(r"#+\s*(variant|name|level|rating|source|solutions?)\s*:\s*(.*)", re.IGNORECASE)


class Notes:
    """Collects the metadata in comments for the puzzle that follows them."""

    def __init__(self, variant: Variant = "classic") -> None:
        self.variant: Variant = variant
        self._fields: dict[str, tuple[str, int, int]] = {}

    @property
    def are_none(self) -> bool:
        """True if the next puzzle is classic and has no metadata."""
        return not self._fields and self.variant == "classic"

    def read(self, text: str, line: int) -> bool:
        """Read a comment. False if it is none of ours. Raises Fault for an unknown variant."""
        match = FIELD.match(text)
        if not match:
            return False
        key, value = match[1].lower(), match[2].strip()
        if key != "variant":
            self.note(key, value, line, match.start(2) + 1)
        elif value.lower() in ("classic", "diagonal"):
            self.variant = cast(Variant, value.lower())
        else:
            raise Fault(f"variant {plain(value, 40)!r}: expected classic or diagonal; the puzzles below are read as "
                        f"{self.variant}", line, match.start(2) + 1)
        return True

    def note(self, key: str, value: str, line: int, column: int = 1) -> None:
        """Note a field for the next puzzle."""
        self._fields[key] = (value, line, column)

    def drop(self) -> None:
        """Drop the fields of a puzzle that cannot be read."""
        self._fields.clear()

    def record(self, grid: Grid, line: int, solution: tuple[int, ...] | None = None) -> PuzzleRecord:
        """The record of a grid with the fields noted for it. Raises Fault for a solution that does not fit."""
        fields, self._fields = self._fields, {}
        text = {key: plain(value) for key, (value, _, _) in fields.items()}
        if "solution" in fields and solution is None:
            solution = solution_of(fields["solution"][0], grid, *fields["solution"][1:])
        return PuzzleRecord(
            puzzle=grid.puzzle(self.variant), name=text.get("name", ""), level=text.get("level", ""),
            rating=number(text.get("rating", "")), source=text.get("source", ""), solution=solution,
            solutions=counted(text.get("solutions", "")), line=line,
        )


def number(text: str) -> float | None:
    """A finite number, or None for any other text."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def counted(text: str) -> int | None:
    """0, 1 or 2 (two or more) from a count of solutions; None for any other text."""
    return min(int(text), 2) if text.isascii() and text.isdigit() and len(text) < 10 else None


def comments_of(record: PuzzleRecord) -> Iterator[str]:
    """The comment lines that `Notes` reads back as this record's fields (the variant apart)."""
    if record.name:
        yield f"# name: {record.name}"
    if record.level:
        yield f"# level: {record.level}"
    yield from rest_of(record)


def rest_of(record: PuzzleRecord) -> Iterator[str]:
    """Comment lines for the fields that a format cannot store."""
    if record.rating is not None:
        yield f"# rating: {record.rating!r}"
    if record.source:
        yield f"# source: {record.source}"
    if record.solution is not None:
        yield f"# solution: {line_of(record.solution)}"
    if record.solutions is not None:
        yield f"# solutions: {record.solutions}"


class VariantWriter:
    """Writes the variant comment where it changes."""

    def __init__(self) -> None:
        self._last: Variant = "classic"

    def lines(self, record: PuzzleRecord) -> Iterator[str]:
        variant = record.puzzle.variant
        if variant != self._last:
            self._last = variant
            yield f"# variant: {variant}"


def rows_of(record: PuzzleRecord) -> list[str]:
    """The givens, a row a string of n symbols."""
    n, line = record.puzzle.n, record.puzzle.line
    return [line[row : row + n] for row in range(0, n * n, n)]
