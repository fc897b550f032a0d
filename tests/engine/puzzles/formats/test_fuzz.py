"""Whatever the bytes: only records and one-line sentences come out, and the reading ends."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.puzzles.formats import Item, Malformed, PuzzleRecord, parse_grid, read_stream
from engine.puzzles.sources import open_source

EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
ROWS = "\n".join(EASY[start : start + 9] for start in range(0, 81, 9))
SEEDS = [
    f"{EASY}\n{EASY}\n", f"[Puzzle]\n{ROWS}\n[State]\n{ROWS}", ROWS.replace("00", "0|0", 5), f"q,quizzes\n1,{EASY}",
    f"{EASY},{EASY}", f":0000:x:{EASY}:1:2:3:", f"0a1b2c3d4e5f {EASY} 1.5", "1234123412341234\n" * 20,
    f"<opensudoku><folder name='a'><game data='{EASY}'/></folder></opensudoku>", "12 " * 256, "# variant: diagonal\n",
    f"# solution: {EASY}\n{EASY}", "\n".join("123456789ABCDEFG" for _ in range(16)),
]
SUFFIXES = st.sampled_from(("", ".sdk", ".ss", ".csv", ".sdm", ".txt", ".opensudoku", ".SDK"))
GRIDDY = st.text(st.sampled_from(list("0123456789ABGPxq.*_|-+=:#[]<>/\"', \n\r\tPuzle")), max_size=700)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)).encode())
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 4))
        data[start:end] = draw(st.binary(max_size=4) | st.sampled_from((b"\n", b" ", b"#")))
    return bytes(data)


def check(items: list[Item]) -> None:
    assert items
    for item in items:
        if isinstance(item, Malformed):
            assert item.sentence.isprintable()
            assert item.sentence.startswith("f")
            assert "expected" in item.sentence or "cannot be read" in item.sentence
        else:
            assert isinstance(item, PuzzleRecord)
            assert (item.name + item.level + item.source).isprintable()


@pytest.mark.sweep
@settings(deadline=None, max_examples=300)
@given(data=st.binary(max_size=600) | GRIDDY.map(str.encode) | mutated(), suffix=SUFFIXES)
def test_any_bytes_give_records_and_sentences(data: bytes, suffix: str) -> None:
    check(list(read_stream(io.BytesIO(data), "f", suffix)))


@pytest.mark.sweep
@settings(deadline=None, max_examples=300)
@given(text=st.text(max_size=300) | GRIDDY | mutated().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_any_literal_is_a_grid_or_a_format_error(text: str) -> None:
    try:
        record = parse_grid(text)
    except FormatError as error:
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert len(record.puzzle.givens) in (16, 81, 256, 625)


@pytest.mark.sweep
@settings(deadline=None, max_examples=200)
@given(text=st.text(st.characters(exclude_characters="/"), max_size=120), data=mutated())
def test_any_source_gives_items(text: str, data: bytes) -> None:
    for source in (text, "-"):
        items = list(open_source(source, io.BytesIO(data)))
        assert [item.index for item in items] == list(range(1, len(items) + 1))
        assert items
        assert all((item.record is None) != (item.error is None) for item in items)
