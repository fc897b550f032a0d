"""Detect the format of a file by its first lines, and by its suffix where these are ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

import msgspec

from engine.errors import UnknownName
from engine.puzzles.formats import bank, csv, hodoku, rows, sdk, sdm, ss
from engine.puzzles.formats.cells import VALUES, is_number, marks, numbered, width
from engine.puzzles.formats.lines import GIVE_UP, Source, TextItem, TextLine, text_lines
from engine.puzzles.formats.record import Item, Malformed, PuzzleRecord
from engine.puzzles.formats.rows import BARS, DRAWN, SECTION, is_rule

LOOK_AHEAD: Final = 16
READERS: Final = {
    "sdm": sdm.read, "rows": rows.read, "sdk": sdk.read, "csv": csv.read, "hodoku": hodoku.read, "bank": bank.read,
}
"""Readers of lines by format; "rows" also reads .ss, and OpenSudoku XML is read by chunks."""


def detected(source: Source, suffix: str) -> Iterator[Item]:
    """Reads the lines of a source in the format that they are in; `suffix` is `.sdk` or the like, or empty."""
    name, lines = opened(source, suffix)
    return READERS[name](lines, source.where)


def opened(source: Source, suffix: str) -> tuple[str, Iterator[TextItem]]:
    """The name of the format among READERS, and all the lines."""
    lines = text_lines(source)
    head, first = opening(lines)
    name: str | None = "sdm"
    if first is not None:
        name = line_format(first.text, suffix)
        if name is None:
            ahead = following(lines)
            name = "rows" if mostly_large([first, *ahead]) else "sdm"
            head += ahead
    return name or "sdm", chain(head, lines)


def opening(lines: Iterator[TextItem]) -> tuple[list[TextItem], TextLine | None]:
    """The lines up to the first that is neither blank nor comment, and this one (None: the first MB has none)."""
    head: list[TextItem] = []
    room = GIVE_UP
    for item in lines:
        head.append(item)
        if isinstance(item, TextLine):
            if item.text and not item.text.lstrip().startswith("#"):
                return head, item
            room -= len(item.text) + 1
        if room < 0 or (isinstance(item, Malformed) and len(head) > LOOK_AHEAD):
            break
    return head, None


def following(lines: Iterator[TextItem]) -> list[TextItem]:
    """The next lines as far as they may be rows of a 16x16 grid, and the one that ends them."""
    ahead: list[TextItem] = []
    for item in lines:
        ahead.append(item)
        if len(ahead) + 1 >= LOOK_AHEAD or not isinstance(item, TextLine) or not is_short(item.text):
            break
    return ahead


def line_format(text: str, suffix: str) -> str | None:
    """The format of a first line; None if its 16 cells may be a 4x4 grid or one row of a 16x16 grid."""
    line = text.lstrip()
    if line.startswith(":"):
        return "hodoku"
    if bank.RECORD.fullmatch(line):
        return "bank"
    if SECTION.fullmatch(line) or suffix == ".sdk":
        return "sdk"
    if suffix == ".csv" or csv.looks_like(line):
        return "csv"
    drawn = suffix == ".ss" or is_rule(line) or not BARS.isdisjoint(line)
    cells = 0 if drawn else cells_in(line)
    return None if is_short(line) and not drawn else "rows" if cells <= 30 else "sdm"


def is_short(text: str) -> bool:
    """True if a line has about 16 cells: a 4x4 grid, or one row of a 16x16 grid."""
    return 12 <= cells_in(text) <= 20


def cells_in(text: str) -> int:
    found = marks(text.partition("#")[0].translate(DRAWN), 1)
    return width(found, numbered(found))


def mostly_large(items: Iterable[TextItem]) -> bool:
    """True if most of the lines contain a value above 4, as rows of a 16x16 grid do."""
    texts = [item.text for item in items if isinstance(item, TextLine) and is_short(item.text)]
    return 2 * sum(has_large(text) for text in texts) > len(texts)


def has_large(text: str) -> bool:
    found = marks(text.partition("#")[0], 1)
    cells = [mark.text for mark in found] if numbered(found) else "".join(mark.text for mark in found)
    return any(int(cell) > 4 if is_number(cell) else VALUES.get(cell, 0) > 4 for cell in cells)


# The formats by name: what they are called, their suffixes, and those that can be written.


Writer = Callable[[Iterable[PuzzleRecord]], Iterator[str]]


class Format(msgspec.Struct, frozen=True):
    """A format that is read; `write` is None for those that are not written. `check` raises FormatError for a record
    that `write` cannot express; None: there is no such record."""

    name: str
    help: str
    suffixes: tuple[str, ...] = ()
    write: Writer | None = None
    check: Callable[[PuzzleRecord], None] | None = None


FORMATS: Final = {
    entry.name: entry
    for entry in (
        Format("line", "one puzzle a line, n*n symbols", (".line",), sdm.write_bare),
        Format("sdm", "one puzzle a line, with # comments", (".sdm", ".txt"), sdm.write),
        Format("sdk", "SadMan Sudoku: [Puzzle] and rows, with #D #L #S", (".sdk",), sdk.write),
        Format("ss", "Simple Sudoku: a boxed grid", (".ss",), ss.write),
        Format("csv", "CSV quizzes,solutions", (".csv",), csv.write, csv.check),
        Format("hodoku", "HoDoKu library lines"),
        Format("bank", "Sudoku Exchange puzzle bank: hash, 81 digits, rating"),
        Format("opensudoku", "OpenSudoku XML", (".opensudoku", ".xml")),
    )
}
WRITTEN: Final = tuple(name for name, entry in FORMATS.items() if entry.write)


def write(records: Iterable[PuzzleRecord], name: str) -> Iterator[str]:
    """The records in a format of WRITTEN, a line of text at a time.

    Raises UnknownName for another format, and FormatError for a record that a format cannot express.
    """
    entry = FORMATS.get(name)
    if entry is None or entry.write is None:
        raise UnknownName(f"no format {name!r} is written: expected one of {', '.join(WRITTEN)}")
    return entry.write(records)


def format_of_suffix(suffix: str) -> str | None:
    """The format that is written to files with this suffix (`.sdk`), None if there is none."""
    return next((entry.name for entry in FORMATS.values() if entry.write and suffix.lower() in entry.suffixes), None)
