"""The input of a terminal: cut into keys, escape sequences and pastes, and parsed by Textual's parser.

Textual's parser alone types what it does not understand as keys, and waits for the end of a paste without limit. Here a
sequence is first completed by the grammar of ECMA-48. What is complete and not understood is dropped, and so is what
has no end after a second: half of an answer, from a line that lost bytes, must neither press keys nor swallow them.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Callable, Iterator

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.message import Message

BEGIN, END = "\x1b[200~", "\x1b[201~"
"""The marks around a paste."""
ESCAPE = "\x1b"
SEQUENCE_SECONDS = 1.0
"""Seconds after which a sequence that has begun is dropped."""
PASTE_SECONDS = 2.0
"""Seconds without input after which a paste has ended."""
PAUSE_SECONDS = 0.3
"""Seconds without input after which a single character is a key that was pressed, and the paste before it has ended."""

_SEQUENCE = re.compile(r"""\x1b (?: \[ \[ .                         # a function key of the Linux console
                                  | \[ M .{3}                       # a mouse event of X10
                                  | \[ (?: [-0-?]+ [\ -/]* [@-~] | [\ -/]* [@-LN-Z\\-~] )  # a control sequence
                                  | O [^\x1b]
                                  | [\]PX^_] [^\x00-\x06\x08-\x1f]*? (?: \x07 | \x1b\\ )  # an answer in a string
                                  | [^][OPX^_\x1b] )                # alt and a key
""", re.DOTALL | re.VERBOSE)
_BEGUN = re.compile(r"\x1b (?: \[ \[ | \[ M .{0,2} | \[ [-0-?]* [\ -/]* | O | [\]PX^_] [^\x00-\x06\x08-\x1f]* \x1b? )?",
                    re.DOTALL | re.VERBOSE)
_STRINGS = tuple(ESCAPE + introducer for introducer in "]PX^_")


class InputDecoder:
    """Cuts the bytes of a terminal into pieces: runs of characters, escape sequences, and whole pastes with marks.

    Invalid bytes become ordinary characters. Within a paste an escape becomes a blank, and the end of a line is a line
    feed: most terminals send the carriage return of the enter key.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._clock = clock
        self._held = ""
        """Outside a paste: a sequence that has begun. Within: the text so far."""
        self._pastes = False
        self._since = 0.0
        """When the sequence began; within a paste, when the last input came."""

    def decode(self, data: bytes) -> Iterator[str]:
        """The pieces that this input completes."""
        text = self._decoder.decode(data)
        now = self._clock()
        if self._pastes and len(text) == 1 and now - self._since >= PAUSE_SECONDS:
            yield from self._end_paste()
        if not self._held or self._pastes:
            self._since = now
        text, self._held = self._held + text, ""
        while text:
            part, text = self._pasted(text) if self._pastes else self._typed(text)
            if text:
                self._since = now
            if part:
                yield part

    def give_up(self) -> Iterator[str]:
        """Release input that has been held too long: an escape that begins nothing, with the key after it, is returned;
        the rest of a sequence is dropped; a paste is ended. Call it when there is no input."""
        waited = self._clock() - self._since
        if self._pastes:
            if waited >= PASTE_SECONDS:
                yield from self._end_paste()
        elif self._held and len(self._held) <= 2 and waited >= constants.ESCAPE_DELAY:
            held, self._held = self._held, ""
            yield held
        elif waited >= SEQUENCE_SECONDS:
            self._held = ""

    def _typed(self, text: str) -> tuple[str, str]:
        """The first piece of input outside a paste, and the rest."""
        at = text.find(ESCAPE)
        if at:
            return (text, "") if at < 0 else (text[:at], text[at:])
        if (found := _SEQUENCE.match(text)) is not None:
            piece, rest = found[0], text[found.end():]
            self._pastes = piece == BEGIN
            return "" if self._pastes or piece.startswith(_STRINGS) else piece, rest
        begun = _BEGUN.match(text)
        end = 1 if begun is None else begun.end()
        if end == len(text):
            if self._clock() - self._since < SEQUENCE_SECONDS:
                self._held = text
            return "", ""
        return ESCAPE if end == 1 else "", text[end:]  # not a sequence after all

    def _pasted(self, text: str) -> tuple[str, str]:
        """The paste, if the input has its end, and the rest."""
        inner, end, rest = text.partition(END)
        if not end:
            self._held = text
            return "", ""
        self._pastes = False
        return _marked(inner), rest

    def _end_paste(self) -> Iterator[str]:
        self._pastes, inner, self._held = False, self._held, ""
        yield _marked(inner)


def _marked(pasted: str) -> str:
    return BEGIN + pasted.replace("\r\n", "\n").replace("\r", "\n").replace(ESCAPE, " ") + END


class InputParser:
    """Textual's events for the input of a terminal."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._decoder, self._parser = InputDecoder(clock), XTermParser()

    def events(self, data: bytes) -> Iterator[Message]:
        """The events that this input completes; without input, those of what was held long enough."""
        for piece in self._decoder.decode(data) if data else self._decoder.give_up():
            yield from self._parsed(piece)

    def _parsed(self, piece: str) -> Iterator[Message]:
        if piece == ESCAPE:
            yield events.Key("escape", ESCAPE)
            return
        try:
            yield from self._parser.feed(piece)
            if self._is_within_a_sequence and len(piece) == 2:
                self._parser._timeout_time = 0.0  # alt and a key: there is nothing to wait for
                yield from self._parser.tick()
        except (ValueError, OverflowError):  # a number that no key has
            self._forget_sequence()
        if self._is_within_a_sequence:
            self._forget_sequence()

    @property
    def _is_within_a_sequence(self) -> bool:
        return self._parser._awaiting.timeout is not None

    def _forget_sequence(self) -> None:
        """Continue with a parser that has seen nothing but the state of the mouse and the size."""
        before, self._parser = self._parser, XTermParser()
        for name in ("last_x", "last_y", "mouse_pixels", "terminal_size", "terminal_pixel_size"):
            setattr(self._parser, name, getattr(before, name))
