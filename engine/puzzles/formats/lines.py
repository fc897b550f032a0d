"""Bytes to lines in flat memory: UTF-8, BOM, CRLF; binary data, other encodings and endless lines refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from engine.puzzles.formats.record import Fault, Malformed
from engine.text import count

LINE_LIMIT: Final = 10_000
"""Bytes of the longest line that is read; a longer one is reported and passed over."""
GIVE_UP: Final = 1_000_000
"""Bytes after which a line is taken to have no end, and comments to be followed by no puzzle."""
UTF8_BOM: Final = b"\xef\xbb\xbf"
UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
BINARY_FAULT: Final = Fault("is binary data: expected text with one of the puzzle formats")


class TextLine(NamedTuple):
    """A line of text without its end; `number` counts from 1."""

    number: int
    text: str


TextItem: TypeAlias = TextLine | Malformed


class Source:
    """A stream of bytes that can be read by lines or by chunks, with pieces put back in front."""

    def __init__(self, stream: BinaryIO, where: str) -> None:
        self.where = where
        self._stream = stream
        self._front: list[bytes] = []

    def put_back(self, pieces: list[bytes]) -> None:
        """The next reads return these, one at a time."""
        self._front.extend(reversed(pieces))

    def read_line(self) -> bytes:
        """Up to LINE_LIMIT bytes, ending with a newline if one comes; b"" at the end. Raises OSError."""
        return self._front.pop() if self._front else self._stream.readline(LINE_LIMIT)

    def read_chunk(self, limit: int) -> bytes:
        """Up to `limit` bytes (each piece put back comes alone); b"" at the end. Raises OSError."""
        return self._front.pop() if self._front else self._stream.read(limit)


def first_visible(source: Source) -> bytes:
    """The first byte that is not white space, left in the source; b"" if the first megabyte has none."""
    pieces: list[bytes] = []
    visible = b""
    room = GIVE_UP
    while not visible and room > 0 and (piece := source.read_line()):
        visible = (piece if pieces else piece.removeprefix(UTF8_BOM)).lstrip()[:1]
        pieces.append(piece)
        room -= len(piece)
    source.put_back(pieces)
    return visible


def text_lines(source: Source) -> Iterator[TextItem]:
    """The lines of the source; a line that cannot be read comes as a Malformed, a fatal one ends them. So do GIVE_UP
    bytes of comments and blank lines in a row."""
    number = passed = 0
    try:
        while raw := source.read_line():
            number += 1
            if len(raw) >= LINE_LIMIT and not raw.endswith(b"\n") and not BINARY.search(raw):
                item: TextItem = pass_over(source, number)
            else:
                item = decoded(raw, number, source.where)
            passed = passed + len(raw) if raw.lstrip()[:1] in (b"", b"#") else 0
            if passed > GIVE_UP:
                what = (f"no puzzle in {count(GIVE_UP)} bytes of comments and blank lines, the rest is not read: "
                        "expected a puzzle")
                item = Fault(what, number).malformed(source.where, fatal=True)
            yield item
            if isinstance(item, Malformed) and item.fatal:
                return
    except OSError as error:
        yield Fault(f"cannot be read: {reason(error)}").malformed(source.where, fatal=True)


def pass_over(source: Source, number: int) -> Malformed:
    """Reads on to the end of an overlong line; fatal when the end does not come."""
    passed = LINE_LIMIT
    while passed < GIVE_UP:
        data = source.read_line()
        passed += len(data)
        if not data or data.endswith(b"\n"):
            what = f"the line is longer than {count(LINE_LIMIT)} bytes: expected one puzzle or one row of a grid"
            return Fault(what, number, LINE_LIMIT + 1).malformed(source.where)
    what = f"the line does not end within {count(GIVE_UP)} bytes: expected one puzzle or one row of a grid"
    return Fault(what, number, LINE_LIMIT + 1).malformed(source.where, fatal=True)


def decoded(raw: bytes, number: int, where: str) -> TextItem:
    if number == 1:
        if raw.startswith(UTF16_BOMS):
            return Fault("is UTF-16 text: expected UTF-8").malformed(where, fatal=True)
        raw = raw.removeprefix(UTF8_BOM)
    if BINARY.search(raw):
        return BINARY_FAULT.malformed(where, fatal=True)
    try:
        return TextLine(number, raw.decode("utf-8").rstrip())
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8")) + 1
        what = f"the byte 0x{raw[error.start]:02x} is no UTF-8 text: expected UTF-8"
        return Fault(what, number, column).malformed(where)


def reason(error: OSError) -> str:
    """`no such file or directory`: the system's words for it, as part of a sentence."""
    words = error.strerror or type(error).__name__
    return words[0].lower() + words[1:]
