"""Long lists many at a time: the same puzzles in the same order as one at a time."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from engine.puzzles.formats import Malformed, PuzzleRecord, bulk, read_stream
from engine.puzzles.formats.bulk import Batch
from tests.engine.puzzles.formats.test_streaming import EASY, repeated

LINE = EASY.decode()
LINES = st.sampled_from([
    LINE, LINE, LINE, LINE.replace("0", "."), LINE.replace("0", "x"), "", "# only a comment", "# name: sunday",
    "# variant: diagonal", "# variant: classic", "# variant: round", "rubbish", "34.1.2....1.2.43", LINE + " # behind",
    " " + LINE, LINE[:-1], LINE[:-1] + "A",
])


def reported(items: object) -> list[tuple[str, ...]]:
    """The content of the items, with batches taken apart and line numbers left out, which batches do not have."""
    out: list[tuple[str, ...]] = []
    for item in items:  # type: ignore[attr-defined]
        if isinstance(item, Batch):
            values = item.values
            out += [(Puzzle(tuple(values[at:at + 81])).line, "", "classic") for at in range(0, len(values), 81)]
        elif isinstance(item, Malformed):
            out.append((item.sentence,))
        else:
            out.append((item.puzzle.line, item.name, item.puzzle.variant))
    return out


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_the_same_as_one_at_a_time(lines: list[str], end: str) -> None:
    data = (end.join(lines) + end).encode()
    assert reported(bulk.read_stream(io.BytesIO(data), "list")) == reported(read_stream(io.BytesIO(data), "list"))


def test_other_formats_come_one_at_a_time() -> None:
    data = b"quizzes,solutions\n" + EASY + b",\n"
    (record,) = bulk.read_stream(io.BytesIO(data), "list")
    assert isinstance(record, PuzzleRecord)


@pytest.mark.sweep
def test_memory_stays_flat_and_handfuls_are_bounded() -> None:
    stream = repeated(EASY + b"\n", 30_000)
    tracemalloc.start()
    try:
        sizes = [len(item.lines) for item in bulk.read_stream(stream, "big") if isinstance(item, Batch)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(sizes) == 30_000
    assert max(sizes) == bulk.BATCH_SIZE
    assert peak < 3_000_000
