"""Read puzzles from a path, a stream, a text, or one grid on a command line."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, TypeVar

from engine.errors import FormatError
from engine.files import access
from engine.puzzle import Variant
from engine.puzzles.formats import hodoku, opensudoku
from engine.puzzles.formats.cells import grid_of, marks
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.detect import detected
from engine.puzzles.formats.lines import Source, TextLine, first_visible, reason
from engine.puzzles.formats.record import Fault, Item, Malformed, PuzzleRecord
from engine.puzzles.formats.rows import DRAWN, is_rule
from engine.text import count as written

T = TypeVar("T")
StreamReader: TypeAlias = Callable[[BinaryIO, str, str], Iterator[Item | T]]
SourceReader: TypeAlias = Callable[[Source, str], Iterator[Item | T]]

GRID_LIMIT: Final = 10_000
"""Characters of the longest literal grid: a 25x25 one written as numbers in a frame has about 2 500."""

PATIENCE: Final = 100
"""Malformed records at the beginning of a file after which it is taken for something else."""


def read_path(path: str | os.PathLike[str], read: StreamReader[T] | None = None) -> Iterator[Item | T]:
    """Yield the puzzles of a file, one at a time and in constant memory, in the format that `detect` finds. `read`
    replaces `read_stream` as the reader of the opened file.

    Never raises for the contents of the file: an unreadable item comes as a Malformed in its place.
    """
    where = file_name(path)
    if not access.allows(path):
        yield Malformed(sentence=str(access.refused(path)), fatal=True)
        return
    if os.path.isdir(path):
        yield Malformed(sentence=f"{where} is a directory: expected a file of puzzles", fatal=True)
        return
    try:
        stream = access.open_file(path)  # closed below, also when the caller stops early
    except (FileNotFoundError, NotADirectoryError):
        yield Malformed(sentence=f"{where} does not exist: expected a file of puzzles", fatal=True)
        return
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        yield Malformed(sentence=f"{where} cannot be opened ({why}): expected a readable file", fatal=True)
        return
    with stream:
        yield from (read or read_stream)(stream, where, Path(path).suffix)


def read_stream(stream: BinaryIO, where: str, suffix: str = "",
                read: SourceReader[T] | None = None) -> Iterator[Item | T]:
    """The puzzles of a stream of bytes; `where` names it in sentences, `suffix` hints at its format, `read` may read
    its lines in another way than `detected`."""
    source = Source(stream, where)
    try:
        visible = first_visible(source)
    except OSError as error:
        yield Fault(f"cannot be read: {reason(error)}").malformed(where, fatal=True)
        return
    items: Iterator[Item | T]
    items = opensudoku.read(source) if visible == b"<" else (read or detected)(source, suffix.lower())
    yield from with_a_puzzle(items, where, empty=not visible)


def with_a_puzzle(items: Iterator[Item | T], where: str, empty: bool) -> Iterator[Item | T]:
    """The items, followed by one sentence if the source has none or only malformed ones."""
    count = 0
    hopeless = True
    for item in items:
        yield item
        count += 1
        hopeless = hopeless and isinstance(item, Malformed)
        if hopeless and count == PATIENCE:
            sentence = f"{where}: no puzzle in {PATIENCE} attempts, the rest is not read: expected a file of puzzles"
            yield Malformed(sentence=sentence, fatal=True)
            return
    if not count:
        what = "is empty" if empty else "holds no puzzle, only comments"
        yield Malformed(sentence=f"{where} {what}: expected at least one puzzle", fatal=True)


def read_text(text: str, where: str = "the text", suffix: str = "") -> Iterator[Item]:
    """The puzzles of a text, as `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), where, suffix)


def parse_grid(text: str, variant: Variant = "classic") -> PuzzleRecord:
    """The one grid that a text holds, as it may be given on a command line. Raises FormatError.

    n*n symbols (or white-space separated numbers) with any white space, bars and rules between them, rows also set
    apart by `/`; or a HoDoKu library line.
    """
    if len(text) > GRID_LIMIT:
        raise FormatError(f"a text of {written(len(text))} characters: expected one grid of at most "
                          f"{written(GRID_LIMIT)}")
    if text.lstrip().startswith(":"):
        return hodoku.read_line(TextLine(1, text.strip()), Notes(variant))
    found = []
    for number, line in enumerate(text.replace("/", " ").split("\n"), 1):
        if not is_rule(line.strip()):
            found += marks(line.translate(DRAWN), number)
    if not found:
        raise FormatError("an empty text: expected a grid of 81 symbols (or 16, 256, 625)")
    return Notes(variant).record(grid_of(found), 1)


def file_name(path: str | os.PathLike[str]) -> str:
    """The path, shortened to fit into a one-line sentence."""
    text = os.fspath(path)
    return text if text.isprintable() else repr(text)
