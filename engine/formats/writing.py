"""The formats by name: what they are called, their suffixes, and those that can be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from engine.errors import UnknownName
from engine.formats import sdk, sdm, ss, table
from engine.formats.record import PuzzleRecord

Writer = Callable[[Iterable[PuzzleRecord]], Iterator[str]]


class Format(msgspec.Struct, frozen=True):
    """A format that is read; `write` is None for those that are not written."""

    name: str
    help: str
    suffixes: tuple[str, ...] = ()
    write: Writer | None = None


FORMATS: Final = {
    entry.name: entry
    for entry in (
        Format("line", "one puzzle a line, n*n symbols", (".line",), sdm.write_bare),
        Format("sdm", "one puzzle a line, with # comments", (".sdm", ".txt"), sdm.write),
        Format("sdk", "SadMan Sudoku: [Puzzle] and rows, with #D #L #S", (".sdk",), sdk.write),
        Format("ss", "Simple Sudoku: a boxed grid", (".ss",), ss.write),
        Format("csv", "CSV quizzes,solutions", (".csv",), table.write),
        Format("hodoku", "HoDoKu library lines"),
        Format("bank", "Sudoku Exchange puzzle bank: hash, 81 digits, rating"),
        Format("opensudoku", "OpenSudoku XML", (".opensudoku", ".xml")),
    )
}
WRITTEN: Final = tuple(name for name, entry in FORMATS.items() if entry.write)


def write(records: Iterable[PuzzleRecord], name: str) -> Iterator[str]:
    """The records in a format of WRITTEN, a line of text at a time.

    Raises UnknownName for another format, and FormatError where a format cannot say what a record is.
    """
    entry = FORMATS.get(name)
    if entry is None or entry.write is None:
        raise UnknownName(f"no format {name!r} is written: expected one of {', '.join(WRITTEN)}")
    return entry.write(records)


def format_of_suffix(suffix: str) -> str | None:
    """The format that is written to files with this suffix (`.sdk`), None if there is none."""
    return next((entry.name for entry in FORMATS.values() if entry.write and suffix.lower() in entry.suffixes), None)
