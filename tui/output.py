"""Output of commands: lines and JSON on stdout, messages on stderr, one a line."""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
import traceback
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tui import PROGRAM
from tui.look.glyphs import ASCII

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEBUG = "SUDOKU_TUI_DEBUG"
"""Environment variable; if set, every message about an error is preceded by its traceback."""
LONGEST = 800
"""Characters of the longest message that is not shortened."""
UNBROKEN = "\N{NO-BREAK SPACE}"
"""In place of a blank at which a line must not be broken."""
NARROWEST = 20
"""Columns of prose at least, however narrow the terminal is."""


class OutputError(OSError):
    """A failure to write on stdout, other than a closed pipe."""


def _named(error: OSError) -> OSError:
    """The error of a write on stdout, as an OutputError unless the pipe is closed."""
    return error if isinstance(error, BrokenPipeError) else OutputError(*error.args)


_ascii_only: ContextVar[bool] = ContextVar("ascii_only", default=False)


def use_ascii(wanted: bool) -> None:
    """Write text in ASCII, whatever the encoding of the stream; JSON stays as it is."""
    _ascii_only.set(wanted)


def buffer_stdout() -> None:
    """Give the stdout of the process a buffer if it has none, as with PYTHONUNBUFFERED: without a buffer, a write that
    a signal or a full disk ends writes a part, without an error. Each line is still written at once."""
    own = sys.__stdout__
    if own is not None and sys.stdout is own and isinstance(own.buffer, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(own.buffer), own.encoding, own.errors, line_buffering=True)


def say(message: str) -> None:
    """Write `sudoku-tui: message` as one line on stderr, with control characters escaped."""
    if os.environ.get(DEBUG) and sys.exc_info()[0] is not None:
        traceback.print_exc()
    try:
        sys.stderr.write(f"{PROGRAM}: {_on_stream(one_line(message), sys.stderr.encoding)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # stderr is closed


def one_line(text: str) -> str:
    """The text on one line, a very long one without its middle, control characters escaped."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"
    joined = " ".join(part.strip() for part in text.splitlines() if part.strip())
    return "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in joined)


def write(text: str) -> None:
    """Write text on stdout; characters that its encoding lacks are spelled in ASCII."""
    try:
        sys.stdout.write(_on_stream(text, sys.stdout.encoding))
    except OSError as error:
        raise _named(error) from None


def write_line(text: str = "") -> None:
    write(text + "\n")


def write_prose(text: str, indent: str = "") -> None:
    """Write text on stdout after `indent`, broken between words at the width of the terminal; one line elsewhere."""
    width = terminal_width()
    for line in [text] if width is None else broken(text, max(width - len(indent), NARROWEST)):
        write_line(indent + line)


def broken(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words; the groups of a number stay together."""
    whole = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", UNBROKEN, text)
    lines = textwrap.wrap(whole, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(UNBROKEN, " ") for line in lines]


def terminal_width() -> int | None:
    """Columns of the terminal; None if stdout is not a terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None
    except (OSError, ValueError):
        return None


def write_json(value: object) -> None:
    """Write a value as a line of JSON on stdout, in UTF-8 whatever the locale. Flush between this and `write`."""
    import msgspec

    write_bytes(msgspec.json.encode(value) + b"\n")


def write_bytes(data: bytes) -> None:
    """Write bytes on stdout. Flush between this and `write`."""
    try:
        sys.stdout.buffer.write(data)
        if sys.stdout.line_buffering:
            sys.stdout.buffer.flush()
    except OSError as error:
        raise _named(error) from None


def flush() -> None:
    """Flush stdout."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.flush()
    except OSError as error:
        raise _named(error) from None


def _on_stream(text: str, encoding: str | None) -> str:
    if text.isascii():
        return text
    if _ascii_only.get():
        return ASCII.text(text)
    try:
        text.encode(encoding or "ascii")
    except UnicodeEncodeError:
        return ASCII.text(text)
    return text


def boxed(cells: Sequence[int], box: int) -> Iterator[str]:
    """The lines of a grid of n*n values (0 = empty), with bars and rules between the boxes, in ASCII."""
    from engine.puzzle import SYMBOLS

    yield from boxed_texts([SYMBOLS[value] for value in cells], box)


def boxed_texts(texts: Sequence[str], box: int) -> Iterator[str]:
    """The lines of a grid of n*n texts, in columns as wide as the longest."""
    n, width = box * box, max(map(len, texts))
    rule = "+".join(["-" * ((width + 1) * box + 1)] * box)
    for row in range(n):
        if row and row % box == 0:
            yield rule
        padded = [each.ljust(width) for each in texts[row * n : row * n + n]]
        yield "|".join(f" {' '.join(padded[start : start + box])} " for start in range(0, n, box)).rstrip()


def seconds(value: float) -> str:
    """A duration as text: `0.031 s`, `12.3 s`, `2 min 05 s`."""
    if value >= 100:
        return f"{int(value) // 60} min {int(value) % 60:02} s"
    return f"{value:.1f} s" if value >= 10 else f"{value:.3f} s"
