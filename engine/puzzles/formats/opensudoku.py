"""OpenSudoku collections: `<opensudoku> <folder name=...> <game data="81 digits"/> ...`, read with a restricted parser.

Document types and entities are refused before they are looked at, encodings other than UTF-8 as well; depth and the
length of a tag are bounded, and games come out while the file is being read. `<level>` or the folder's name become the
level of a record, `<source>` its source.

A game that was being played is written as `version: 3` and 81 cells of value, notes and editable, with a bar after
each: what stands in an editable cell is no given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from engine.puzzles.formats.cells import Mark, grid_of
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.lines import BINARY, BINARY_FAULT, UTF16_BOMS, Source, reason
from engine.puzzles.formats.record import Fault, Item, plain, shown
from engine.text import count

CHUNK: Final = 8_192
DEPTH: Final = 16
TAG_LIMIT: Final = 1_000_000
"""Bytes that the parser may hold back waiting for the end of a tag."""
TEXT_LIMIT: Final = 1_000
PLAYED: Final = re.compile(r"version:\s*(\d{1,3})\s+(\S*)")
FIELDS: Final = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}
"""Fields of a cell by version: the first is its value, the last whether it can be edited."""


class OpenSudokuReader:
    """The handlers of the parser; `found` fills with items that `read` hands on after every chunk."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[Item] = []
        self.path: list[str] = []
        self.folder = ""
        self.texts = {"level": "", "source": ""}
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.EntityDeclHandler = self.refuse_doctype
        self.parser.buffer_text = True

    def fault(self, what: str) -> Fault:
        return Fault(what, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def refuse_doctype(self, *declared: object) -> None:
        raise self.fault("a document type or entity is declared: expected <opensudoku> without one")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.path and tag != "opensudoku":
            raise self.fault(f"<{plain(tag, 40)}>: expected <opensudoku>")
        if len(self.path) >= DEPTH:
            raise self.fault(f"elements lie more than {DEPTH} deep: expected <opensudoku>, <folder>, <game>")
        self.path.append(tag)
        if tag == "folder":
            self.folder = attributes.get("name", "")
        elif tag in self.texts:
            self.texts[tag] = ""
        elif tag == "game":
            self.game(attributes)

    def end(self, tag: str) -> None:
        self.path.pop()
        if tag == "folder":
            self.folder = ""

    def text(self, text: str) -> None:
        tag = self.path[-1]
        if tag in self.texts and len(self.texts[tag]) < TEXT_LIMIT:
            self.texts[tag] += text[:TEXT_LIMIT]

    def game(self, attributes: dict[str, str]) -> None:
        """A game: its record, or a Malformed item."""
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        try:
            data = givens_of(attributes.get("data", "").strip(), line, column)
            if len(data) != 81:
                has = f"has {len(data)} cells" if data else "has no data"
                raise Fault(f"<game> {has}: expected data=\"81 digits\"", line, column)
            notes = Notes()
            notes.note("level", self.texts["level"].strip() or self.folder, line)
            notes.note("source", self.texts["source"], line)
            self.found.append(notes.record(grid_of([Mark(data, line, column)]), line))
        except Fault as fault:
            self.found.append(Fault(fault.what, line, column).malformed(self.where))

    def feed(self, data: bytes, final: bool) -> None:
        """Parse the file. Raises Fault for other or invalid XML."""
        if BINARY.search(data):
            raise BINARY_FAULT
        try:
            self.parser.Parse(data, final)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code) or "error"
            raise Fault(f"the XML is broken ({what}): expected <opensudoku> with <game data=\"81 digits\"/>",
                        error.lineno, error.offset + 1) from error


def givens_of(data: str, line: int, column: int) -> str:
    """The givens of a game, one symbol per cell, if the game was in progress; else its data unchanged."""
    match = PLAYED.fullmatch(data)
    if match is None:
        return data
    version, written = match.groups()
    width = FIELDS.get(version)
    if width is None:
        raise Fault(f"<game> is of version {version}: expected 1 to {len(FIELDS)}, or 81 digits", line, column)
    fields = [each for each in written.split("|") if each]  # version 2 puts two bars after notes
    if len(fields) != 81 * width:
        raise Fault(f"<game> of version {version} has {len(fields)} fields: expected {81 * width}", line, column)
    values, editable = fields[::width], fields[width - 1::width]
    wrong = next((each for each in editable if each not in ("0", "1")), None)
    if wrong is not None:
        raise Fault(f"<game> marks a cell as {shown(wrong)}: expected 0 (given) or 1 (editable)",
                    line, column)
    return "".join("." if free == "1" else value for value, free in zip(values, editable, strict=True))


def read(source: Source) -> Iterator[Item]:
    """The games of a collection, while it is read; broken XML ends it with a fatal Malformed."""
    reader = OpenSudokuReader(source.where)
    fed = 0
    try:
        while True:
            data = source.read_chunk(CHUNK)
            if not fed and data.startswith(UTF16_BOMS):
                raise Fault("is UTF-16 text: expected UTF-8")
            fed += len(data)
            reader.feed(data, final=not data)
            yield from reader.found
            reader.found.clear()
            if not data:
                return
            if fed - reader.parser.CurrentByteIndex > TAG_LIMIT:
                raise reader.fault(f"a tag does not end within {count(TAG_LIMIT)} bytes: "
                                   "expected <game data=\"81 digits\"/>")
    except OSError as error:
        yield Fault(f"cannot be read: {reason(error)}").malformed(source.where, fatal=True)
    except Fault as fault:
        yield from reader.found
        yield fault.malformed(source.where, fatal=True)
