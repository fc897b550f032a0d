"""Big and endless input: flat memory, and an end."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from engine.puzzles.formats import Malformed, PuzzleRecord, read_stream

EASY = b"003020600900305001001806400008102900700000008006708200002609500800203009005010300"


class Generated(io.RawIOBase):
    """A stream of the pieces of an iterator, none of them kept."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.rest = b""
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        data = self.rest or next(self.pieces, b"")
        data, self.rest = data[: len(buffer)], data[len(buffer) :]  # type: ignore[arg-type]
        buffer[: len(data)] = data  # type: ignore[index]
        self.given += len(data)
        return len(data)


def repeated(piece: bytes, times: int | None = None, before: bytes = b"", after: bytes = b"") -> io.BufferedReader:
    def pieces() -> Iterator[bytes]:
        yield before
        if times is None:
            while True:
                yield piece
        for _ in range(times or 0):
            yield piece
        if after:
            yield after

    return io.BufferedReader(Generated(pieces()))


STREAMS = {
    "list": lambda: repeated(EASY + b"\n", 6_000, b"# list\n"),
    "csv": lambda: repeated(EASY + b",\n", 6_000, b"quizzes,solutions\n"),
    "hodoku": lambda: repeated(b":0000:x:" + EASY + b":::\n", 6_000, b"\n"),
    "rows": lambda: repeated(b"\n".join(EASY[row : row + 9] for row in range(0, 81, 9)) + b"\n\n", 6_000, b"\n"),
    "xml in one line": lambda: repeated(b"<game data='" + EASY + b"'/>", 6_000, b"<opensudoku>", b"</opensudoku>"),
    "bank": lambda: repeated(b"0123456789ab " + EASY + b" 2.5\n", 6_000, b"\n"),
}

@pytest.mark.sweep
@pytest.mark.parametrize("name", STREAMS)
def test_memory_stays_flat_over_half_a_megabyte(name: str) -> None:
    opened = STREAMS[name]()
    tracemalloc.start()
    try:
        good = sum(isinstance(item, PuzzleRecord) for item in read_stream(opened, "big"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert good == 6_000
    assert peak < 300_000


@pytest.mark.parametrize(("piece", "before", "said"), [
    (b"1" * 1000, b"1", "does not end within 1 000 000 bytes"),
    (b" " * 1000, b" ", "does not end within 1 000 000 bytes"),
    (b"prose\n" * 50, b"prose\n", "no blank line in 1000 rows"),
    (b"a" * 1000, b"<opensudoku><game data='", "a tag does not end within 1 000 000 bytes"),
    (b"<folder>" * 10, b"<opensudoku>", "elements lie more than 16 deep"),
    (b"\xff" * 1000 + b"\n", b"1\n", "no puzzle in 100 attempts"),
])
def test_endless_rubbish_ends(piece: bytes, before: bytes, said: str) -> None:
    stream = repeated(piece, None, before)
    items = list(read_stream(stream, "endless"))
    last = items[-1]
    assert isinstance(last, Malformed)
    assert last.fatal
    assert said in last.sentence
    raw = stream.raw
    assert isinstance(raw, Generated)
    assert raw.given < 4_000_000


def test_puzzles_come_before_the_end_of_the_stream() -> None:
    endless = read_stream(repeated(EASY + b"\n"), "endless")
    assert all(isinstance(next(endless), PuzzleRecord) for _ in range(1000))
    endless.close()  # type: ignore[attr-defined]
