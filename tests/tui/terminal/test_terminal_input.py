"""A paste is never taken for keys, whatever its contents and however it is split on its way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser

from tui.terminal.driver import BEGIN, END, InputDecoder


def parsed(chunks: list[str]) -> list[object]:
    """The events that Textual makes of the chunks: pasted texts, and keys."""
    decoder, parser = InputDecoder(), XTermParser()
    found = [event for chunk in chunks for event in parser.feed(decoder.decode(chunk.encode()))]
    return [event.text if isinstance(event, events.Paste) else getattr(event, "key", type(event).__name__)
            for event in found]


@pytest.mark.parametrize("answer", ["\x1b[1;1R", "\x1b", "\x1b[A", "\x1bq", "\x1b[200~", "\x1b[<0;3;3M"])
def test_what_is_pasted_is_never_a_key_nor_an_answer(answer: str) -> None:
    pasted = f"53..7{answer}q" + "." * 40
    assert parsed([f"a{BEGIN}{pasted}{END}b\x1b[1;5R"]) == [
        "a", pasted.replace("\x1b", " "), "b", "CursorPosition"]


TEXT = f"x\x1b[D{BEGIN}12\x1b[20\x1b[3;4R é{END}\x1b[D{BEGIN}{END}{BEGIN}3{END}y"


@given(st.lists(st.integers(0, len(TEXT)), max_size=8))
def test_it_may_come_apart_anywhere(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(TEXT)]
    decoder = InputDecoder()
    done = "".join(decoder.decode(TEXT[one:other].encode()) for one, other in pairwise(places))
    assert done == TEXT.replace("12\x1b[20\x1b[3;4R", "12 [20 [3;4R")


def test_an_end_within_a_paste_loses_nothing() -> None:
    decoder = InputDecoder()
    assert decoder.decode(f"{BEGIN}12\x1b[2".encode()) == f"{BEGIN}12"
    assert decoder.decode(b"", final=True) == " [2"


def test_bytes_that_are_no_text_are_characters() -> None:
    assert InputDecoder().decode(b"a\xff\xc3") == "a\ufffd"
    assert InputDecoder().decode(b"a\xff\xc3", final=True) == "a\ufffd\ufffd"
