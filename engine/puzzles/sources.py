"""Resolve SOURCE of a command line to puzzles. It may be, in this order:

1. `-`: standard input, in any format.
2. A file: whatever exists under that path. So a file named `hard` comes before the pack; a directory counts only if it
   is written with a path separator (`./hard`), so that a folder does not hide a pack.
3. A grid, with white space, bars, or `/` between its rows; or a HoDoKu library line.
4. Anything else with a path separator or a suffix (`nope.txt`) is a file that does not exist; and a directory without a
   separator is one only if it has no other meaning.
5. A shipped puzzle: `pack:number`, the name of a pack (all its puzzles), or the name of a puzzle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec

from engine.errors import FormatError, UnknownName
from engine.files import access
from engine.puzzles import packs
from engine.puzzles.formats import Item, Malformed, PuzzleRecord, bulk, parse_grid, read_path, read_stream
from engine.puzzles.formats.bulk import BulkItem
from engine.puzzles.formats.reading import file_name
from engine.puzzles.formats.record import shown

RUN_FILE: Final = re.compile(rb'\s*\{\s*"format":\s*"sudoku-tui run"')
"""The beginning of a run file."""
SUFFIX: Final = re.compile(r"\.[A-Za-z]\w{0,9}$")
"""The end of the name of a file."""
GRID_SYMBOLS: Final = frozenset("0123456789.*_xX/|+-ABCDEFGHIJKLMNOPabcdefghijklmnop \t\r\n")


class SourceItem(msgspec.Struct, frozen=True, kw_only=True):
    """One puzzle of a source, or a sentence on why there is none: exactly one of `record` and `error` is set."""

    index: int
    """The position in the source, from 1, malformed items included."""
    record: PuzzleRecord | None = None
    error: str | None = None
    line: int | None = None
    """The line of the file it begins at, if it comes from one."""


def open_source(text: str, stdin: BinaryIO) -> Iterator[SourceItem]:
    """Yield the puzzles of a SOURCE, one at a time; `stdin` is read for `-` only. Never raises for bad input: it comes
    as an item with a sentence."""
    for index, item in enumerate(items_of(text, stdin), 1):
        if isinstance(item, Malformed):
            yield SourceItem(index=index, error=item.sentence, line=item.line)
        else:
            yield SourceItem(index=index, record=item, line=item.line)


def open_bulk(text: str, stdin: BinaryIO) -> Iterator[BulkItem]:
    """The same, many at a time where that is possible."""
    if text == "-":
        return bulk.read_stream(stdin, "standard input")
    there = exists(text, has_separator(text)) and not is_run_file(text)
    return bulk.read_path(text) if there else items_of(text, stdin)


def items_of(text: str, stdin: BinaryIO) -> Iterator[Item]:
    if text == "-":
        return read_stream(stdin, "standard input")
    separated = has_separator(text)
    if is_run_file(text):
        return iter((Malformed(sentence=f"{file_name(text)} is a run file: expected a file of puzzles", fatal=True),))
    if exists(text, separated):
        return read_path(text)
    try:
        return iter((parse_grid(text),))
    except FormatError as error:
        grid_error = error
    if (separated or not access.allows(text)) and not looks_like_grid(text):
        return read_path(text)
    return shipped(text, grid_error)


def has_separator(text: str) -> bool:
    return os.sep in text or bool(os.altsep and os.altsep in text)


def exists(text: str, separated: bool) -> bool:
    """True if a file exists at this path, or with `separated` anything at all."""
    try:
        return access.allows(text) and os.path.exists(text) and (separated or not os.path.isdir(text))
    except (OSError, ValueError):
        return False


def shipped(text: str, grid_error: FormatError) -> Iterator[Item]:
    """The shipped puzzles that the text names, or the sentence of an error."""
    try:
        name = text.strip().lower()
        return iter(packs.pack(name) if name in packs.pack_names() else (packs.find(text),))
    except UnknownName as error:
        sentence = _not_found(text, grid_error, error)
    except FormatError as error:
        return iter((Malformed(sentence=str(error), fatal=True),))
    return iter((Malformed(sentence=sentence, fatal=True),))


def _not_found(text: str, grid_error: FormatError, unknown: UnknownName) -> str:
    """The sentence for a source that is nothing, after what it was probably meant as."""
    if looks_like_grid(text):
        return f"{shown(text)} is not a grid: {grid_error}"
    if exists(text, separated=True):
        return f"{file_name(text)} is a directory: expected a file of puzzles"
    if SUFFIX.search(text):
        return f"{shown(text)} does not exist: expected a file of puzzles, or a puzzle such as easy:1"
    if ":" in text:
        return str(unknown)
    hint = packs.nearest(name, (*packs.by_name(), *packs.pack_names())) if (name := text.strip().lower()) else ""
    return f"cannot find {shown(text)}{hint}: try easy:1 or a file"


def is_run_file(text: str) -> bool:
    """True if a file at this path begins as run files do."""
    try:
        if not (access.allows(text) and os.path.isfile(text)):
            return False
        with access.open_file(text) as file:
            return RUN_FILE.match(file.read(100)) is not None
    except (OSError, ValueError):
        return False


def is_experiment_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like an experiment, by its name."""
    return os.fspath(path).lower().endswith(".toml") and access.allows(path) and os.path.isfile(path)


def looks_like_grid(text: str) -> bool:
    """True if the text was meant as a grid: long, with at least nine in ten symbols of grids."""
    good = sum(symbol in GRID_SYMBOLS for symbol in text)
    cells = sum(symbol.isdigit() or symbol in ".*_" for symbol in text)
    return len(text) >= 12 and 10 * good >= 9 * len(text) and 2 * cells >= len(text)
