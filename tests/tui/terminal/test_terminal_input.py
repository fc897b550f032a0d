"""Input of a terminal: a paste is never taken for keys, and half of a sequence neither presses nor swallows keys."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tui.terminal.terminal_input import BEGIN, END, InputDecoder, InputParser


class Typist:
    """Types into an InputParser, with a clock that it moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.parser = InputParser(lambda: self.now)

    def types(self, *chunks: str | bytes) -> list[str]:
        """The events of these chunks: pasted texts, keys, names of other events."""
        data = [chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks]
        return [event.text if isinstance(event, events.Paste) else getattr(event, "key", type(event).__name__)
                for chunk in data for event in self.parser.events(chunk)]

    def waits(self, seconds: float) -> list[str]:
        """The events of a time without input."""
        self.now += seconds
        return self.types(b"")


@pytest.mark.parametrize("answer", ["\x1b[1;1R", "\x1b", "\x1b[A", "\x1bq", "\x1b[200~", "\x1b[<0;3;3M"])
def test_what_is_pasted_is_never_a_key_nor_an_answer(answer: str) -> None:
    pasted = f"53..7{answer}q" + "." * 40
    assert Typist().types(f"a{BEGIN}{pasted}{END}b\x1b[1;5R") == [
        "a", pasted.replace("\x1b", " "), "b", "CursorPosition"]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_that_are_pasted_end_alike_whatever_the_terminal_sends(end: str) -> None:
    assert Typist().types(f"{BEGIN}53..7{end}{end}6..1{end}{END}") == ["53..7\n\n6..1\n"]


TEXT = (f"x\x1b[D{BEGIN}12\x1b[20\x1b[3;4R é{END}\x1b[D{BEGIN}{END}{BEGIN}3{END}y"
        "\x1bOP\x1b[[B\x1b[M !!\x1b]11;rgb:0/0/0\x07z")


@given(st.lists(st.integers(0, len(TEXT)), max_size=8))
def test_it_may_come_apart_anywhere(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(TEXT)]
    decoder = InputDecoder()
    done = "".join(piece for one, other in pairwise(places) for piece in decoder.decode(TEXT[one:other].encode()))
    assert done == TEXT.replace("12\x1b[20\x1b[3;4R", "12 [20 [3;4R").replace("\x1b]11;rgb:0/0/0\x07", "")


@given(st.lists(st.binary(max_size=6) | st.sampled_from([b"\x1b", b"\x1b[", b"\x1b]", b"\x1b[M", BEGIN.encode()])))
def test_after_any_bytes_and_a_pause_a_key_is_heard(chunks: list[bytes]) -> None:
    typist = Typist()
    typist.types(*(chunk for chunk in chunks if chunk))
    typist.waits(3)
    assert typist.types("q")[-1:] == ["q"]


def test_bytes_that_are_no_text_are_characters() -> None:
    assert list(InputDecoder().decode(b"a\xffb\xc3")) == ["a\ufffdb"]


HALVES = ["\x1b]11;rgb:ffff", "\x1b]", "\x1bP+r", "\x1b_G", "\x1b[", "\x1b[<0;1;", "\x1b[M", "\x1b[M ", "\x1b[?",
          "\x1b[1;", "\x1bO"]


@pytest.mark.parametrize("half", HALVES)
def test_half_of_a_sequence_is_given_up_after_a_second(half: str) -> None:
    typist = Typist()
    assert typist.types(half) == []
    assert len(typist.waits(1.1)) <= 1  # two characters may be alt and a key
    assert typist.types("q") == ["q"]


def test_keys_that_follow_half_of_a_sequence_do_not_keep_it_waiting() -> None:
    typist = Typist()
    typist.types("\x1b]11;rgb:ffff")
    heard = []
    for _ in range(4):
        typist.now += 0.5
        heard += typist.types("q")
    assert "q" in heard


def test_a_paste_without_its_end_ends_when_a_key_is_pressed_after_a_pause() -> None:
    typist = Typist()
    assert typist.types(BEGIN + "half a paste") == []
    typist.now += 0.5
    assert typist.types("q") == ["half a paste", "q"]


def test_a_paste_that_a_slow_line_brings_in_parts_is_one() -> None:
    typist = Typist()
    assert typist.types(BEGIN + "53..7") == []
    assert typist.waits(1.0) == []
    assert typist.types("....6" + END) == ["53..7....6"]


@pytest.mark.parametrize("sequence", [
    "\x1b[99999999999u", "\x1b[1114112u", "\x1b[97;1:99u", "\x1b[97;;99999999999u", "\x1b[99999999999~", "\x1b[8;9;9t",
    "\x1b[48;-1;-1;-1;-1t", "\x1b[97;1;97:98:99999999u", "\x1b[>0;10;1c", "\x1b[?62;c",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
])
def test_a_sequence_that_is_not_understood_is_dropped(sequence: str) -> None:
    assert Typist().types(f"a{sequence}q") == ["a", "q"]


def test_escape_is_a_key_when_nothing_follows() -> None:
    typist = Typist()
    assert typist.types("\x1b") == []
    assert typist.waits(0.11) == ["escape"]
    assert typist.types("\x1b\x1b[A") == ["escape", "up"]


@pytest.mark.parametrize(("typed", "key"), [
    ("\x1bq", "alt+q"), ("\x1b[D", "left"), ("\x1bOA", "up"),
    ("\x1b[1;2D", "shift+left"), ("\x1b[3~", "delete"), ("\x1b[[A", "f1"), ("\x1b[97u", "a"), ("\x7f", "backspace"),
])
def test_keys(typed: str, key: str) -> None:
    assert Typist().types(typed) == [key]
