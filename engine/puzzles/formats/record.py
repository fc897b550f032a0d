"""The items that reading yields: a puzzle with its metadata, or the sentence that explains why there is none."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.errors import FormatError
from engine.puzzle import Puzzle


class PuzzleRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle and its metadata; an empty text or None means that the file does not give it."""

    puzzle: Puzzle
    name: str = ""
    level: str = ""
    rating: float | None = None
    """The difficulty, on the scale of its source; puzzles/README.md describes the scale of the packs."""
    source: str = ""
    solution: tuple[int, ...] | None = None
    """n*n values 1..n that agree with the givens."""
    solutions: int | None = None
    """The number of solutions: 0, 1, or 2 for two or more."""
    line: int | None = None
    """The line of the file that the puzzle begins at, from 1."""


class Malformed(msgspec.Struct, frozen=True, kw_only=True):
    """A record that could not be read; the records after it still come unless `fatal`."""

    sentence: str
    """One line: what, where (file, line, column) and what was expected."""
    line: int | None = None
    column: int | None = None
    fatal: bool = False
    """Nothing more can be read from this file."""

    @property
    def error(self) -> FormatError:
        return FormatError(self.sentence)


Item: TypeAlias = PuzzleRecord | Malformed


class Fault(FormatError):
    """An error at a line and column of the text being read (both from 1; None for the text as a whole)."""

    def __init__(self, what: str, line: int | None = None, column: int | None = None) -> None:
        place = ", ".join(f"{word} {number}" for word, number in (("line", line), ("column", column)) if number)
        super().__init__(f"{place}: {what}" if place else what)
        self.what = what
        self.line = line
        self.column = column

    def malformed(self, where: str, fatal: bool = False) -> Malformed:
        """The fault as an item; `where` names the file."""
        glue = ", " if self.line else " " if self.what.startswith(("is ", "holds ", "cannot ")) else ": "
        return Malformed(sentence=f"{where}{glue}{self}", line=self.line, column=self.column, fatal=fatal)


def shown(text: str, limit: int = 40) -> str:
    """The text quoted for a sentence: control characters escaped, the middle of a long one left out."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}…{text[-(limit // 4) :]}"
    return repr(text)


def plain(text: str, limit: int = 200) -> str:
    """The text without anything that could move a cursor, one line, at most `limit` characters."""
    return "".join(symbol for symbol in text[:limit] if symbol.isprintable()).strip()
