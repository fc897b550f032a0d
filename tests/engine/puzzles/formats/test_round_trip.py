"""Every written format reads back unchanged, in every size."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import FormatError, UnknownName
from engine.puzzle import Puzzle, Variant
from engine.puzzles.formats import (
    WRITTEN,
    Item,
    Malformed,
    PuzzleRecord,
    format_of_suffix,
    parse_grid,
    read_path,
    read_text,
    write,
)

ALL = frozenset(("puzzle", "name", "level", "rating", "source", "solution", "solutions"))
KEPT = {"line": {"puzzle"}, "csv": {"puzzle", "solution"}, "sdm": ALL, "sdk": ALL, "ss": ALL}
"""The metadata that each format has a place for."""

WORDS = st.text("abcdefghij -,é", max_size=30).map(str.strip)


def pattern_grid(box: int, shift: int) -> tuple[int, ...]:
    """A solved grid: each row is the one above, moved by a box, and by one more at the bands."""
    n = box * box
    return tuple((shift + c + r * box + r // box) % n + 1 for r in range(n) for c in range(n))


@st.composite
def records(draw: st.DrawFn, variants: tuple[Variant, ...] = ("classic", "diagonal")) -> PuzzleRecord:
    box = draw(st.sampled_from((2, 3, 4, 5)))
    solution = pattern_grid(box, draw(st.integers(0, 30)))
    every = draw(st.integers(1, 6))
    givens = tuple(value if cell % every == 0 else 0 for cell, value in enumerate(solution))
    return PuzzleRecord(
        puzzle=Puzzle(givens, box, draw(st.sampled_from(variants))), name=draw(WORDS), level=draw(WORDS),
        rating=draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)), source=draw(WORDS),
        solution=draw(st.sampled_from((None, solution))), solutions=draw(st.sampled_from((None, 0, 1, 2))),
    )


def kept(record: PuzzleRecord, name: str) -> dict[str, object]:
    return {field: value for field, value in msgspec.structs.asdict(record).items() if field in KEPT[name]}


def good(items: Iterator[Item]) -> list[PuzzleRecord]:
    found = list(items)
    assert not [item for item in found if isinstance(item, Malformed)]
    return [item for item in found if isinstance(item, PuzzleRecord)]


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "csv"])
@settings(deadline=None)
@given(written=st.lists(records(), min_size=1, max_size=5))
def test_records_round_trip(name: str, written: list[PuzzleRecord]) -> None:
    read = good(read_text("".join(write(written, name)), suffix=f".{name}"))
    assert [kept(record, name) for record in read] == [kept(record, name) for record in written]


@pytest.mark.sweep
@settings(deadline=None)
@given(written=st.lists(records(("classic",)), min_size=1, max_size=5))
def test_csv_is_read_back(written: list[PuzzleRecord]) -> None:
    read = good(read_text("".join(write(written, "csv"))))
    assert [kept(record, "csv") for record in read] == [kept(record, "csv") for record in written]


@pytest.mark.parametrize("name", ["line", "sdm", "sdk", "ss"])
@pytest.mark.parametrize("box", [2, 3, 4, 5])
def test_the_format_is_found_without_a_suffix(name: str, box: int) -> None:
    solution = pattern_grid(box, 0)
    written = [PuzzleRecord(puzzle=Puzzle((0, *solution[1:]), box)), PuzzleRecord(puzzle=Puzzle(solution, box))]
    read = good(read_text("".join(write(written, name))))
    assert [record.puzzle for record in read] == [record.puzzle for record in written]


@settings(deadline=None)
@given(record=records())
def test_a_literal_grid_is_read_from_one_line_and_from_rows(record: PuzzleRecord) -> None:
    line, n = record.puzzle.line, record.puzzle.n
    rows = [line[start : start + n] for start in range(0, n * n, n)]
    for text in (line, "/".join(rows), "\n".join(rows), " ".join(line)):
        assert parse_grid(text, record.puzzle.variant).puzzle == record.puzzle


def test_csv_cannot_express_diagonal() -> None:
    record = PuzzleRecord(puzzle=Puzzle((0,) * 16, 2, "diagonal"), name="tiny")
    with pytest.raises(FormatError, match="tiny is of the diagonal variant: expected classic"):
        list(write([record], "csv"))


@pytest.mark.parametrize("name", ["hodoku", "opensudoku", "bank", "docx"])
def test_formats_that_are_only_read_are_not_written(name: str) -> None:
    with pytest.raises(UnknownName, match=f"no format '{name}' is written: expected one of line, sdm, sdk, ss, csv"):
        write([], name)


def test_suffixes_name_formats() -> None:
    assert [format_of_suffix(suffix) for suffix in (".sdk", ".SDM", ".txt", ".csv", ".ss", ".xml", "")] == [
        "sdk", "sdm", "sdm", "csv", "ss", None, None]


def test_a_file_keeps_the_lines_that_its_puzzles_stand_on(tmp_path: object) -> None:
    path = f"{tmp_path}/three.sdm"
    with open(path, "w", encoding="utf-8-sig", newline="\r\n") as file:
        file.write("# a list\n\n" + "1" + "." * 80 + "   \n# between\n" + "2" + "0" * 80 + "\n\n" + "3" + "_" * 80)
    assert [(item.line, item.puzzle.givens[0]) for item in read_path(path) if isinstance(item, PuzzleRecord)] == [
        (3, 1), (5, 2), (7, 3)]
