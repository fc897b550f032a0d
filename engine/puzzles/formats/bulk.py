"""Fast reading of long lists: consecutive lines of exactly 81 symbols come in batches, as text; everything else comes
item by item, as from `reading`, in its place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, TypeAlias

import msgspec

from engine.puzzles.formats import detect, reading, sdm
from engine.puzzles.formats.cells import TABLE
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.lines import Source, TextItem, TextLine
from engine.puzzles.formats.record import Item
from engine.puzzles.formats.sdm import read_each

BATCH_SIZE: Final = 4096
"""Most puzzles in a batch."""
PLAIN: Final = re.compile(r"[0-9.*_xX]{81}")


class Batch(msgspec.Struct, frozen=True):
    """Consecutive classic 9x9 puzzles without metadata."""

    lines: tuple[str, ...]
    """81 symbols each, as written."""

    @property
    def values(self) -> bytes:
        """The givens, 81 bytes a puzzle: 1 to 9, 0 for a free cell."""
        return "".join(self.lines).encode("ascii").translate(TABLE)


BulkItem: TypeAlias = Item | Batch


def read_path(path: str | os.PathLike[str]) -> Iterator[BulkItem]:
    """As `reading.read_path`, in batches where possible."""
    return reading.read_path(path, read_stream)


def read_stream(stream: BinaryIO, where: str, suffix: str = "") -> Iterator[BulkItem]:
    """As `reading.read_stream`, in batches where possible."""
    return reading.read_stream(stream, where, suffix, from_source)


def from_source(source: Source, suffix: str) -> Iterator[BulkItem]:
    """Read the lines of a source in the detected format."""
    name, lines = detect.opened(source, suffix)
    return read(lines, source.where) if name == "sdm" else detect.READERS[name](lines, source.where)


def read(lines: Iterable[TextItem], where: str) -> Iterator[BulkItem]:
    """The puzzles of a list."""
    notes, plain = Notes(), []
    for item in lines:
        if isinstance(item, TextLine) and notes.are_none and PLAIN.fullmatch(item.text):
            plain.append(item.text)
            if len(plain) == BATCH_SIZE:
                yield Batch(tuple(plain))
                plain = []
            continue
        others = list(read_each((item,), where, sdm.read_line, notes))
        if others and plain:
            yield Batch(tuple(plain))
            plain = []
        yield from others
    if plain:
        yield Batch(tuple(plain))
