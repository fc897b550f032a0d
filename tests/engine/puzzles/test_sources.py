"""SOURCE of the command line: the order of resolution, and the error when nothing fits."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.puzzles.packs import pack
from engine.puzzles.sources import SourceItem, open_source

EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
OTHER = "1" + "." * 80


def opened(text: str, stdin: bytes = b"") -> list[SourceItem]:
    return list(open_source(text, io.BytesIO(stdin)))


def lines(items: list[SourceItem]) -> list[str]:
    return [item.record.puzzle.line if item.record else "" for item in items]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_standard_input_is_read_for_a_dash_only() -> None:
    items = opened("-", f"{EASY}\nrubbish\n{OTHER}\n".encode())
    assert lines(items) == [EASY.replace("0", "."), "", OTHER]
    assert [(item.index, item.line) for item in items] == [(1, 1), (2, 2), (3, 3)]
    assert items[1].error == ("standard input, line 2, column 1: 'r' is no symbol of a grid: "
                              "expected 1-9, A-P or . 0 * _ x for a free cell")
    assert lines(opened(OTHER, EASY.encode())) == [OTHER]


def test_a_recipe_in_a_file_is_called_a_recipe() -> None:
    items = opened("-", f"{EASY}?solver=anneal&seed=7\n".encode())
    assert items[0].error == ("standard input, line 1, column 82: a recipe of a run: expected a puzzle "
                              "(a recipe is an argument, in quotes)")


@pytest.mark.parametrize("text", ["hard:2", "long-way-round", "LONG-way-round"])
def test_one_shipped_puzzle(text: str) -> None:
    assert [item.record for item in opened(text)] == [pack("hard")[1]]


def test_a_pack_is_all_of_its_puzzles() -> None:
    items = opened("medium")
    assert tuple(item.record for item in items) == pack("medium")
    assert [item.index for item in items] == list(range(1, len(items) + 1))


def test_a_grid_may_have_slashes_between_its_rows(folder: Path) -> None:
    rows = "/".join(EASY[start : start + 9] for start in range(0, 81, 9))
    assert lines(opened(rows)) == [EASY.replace("0", ".")]
    assert "column 90: 82 symbols: expected 81" in (opened(rows + "1")[0].error or "")


def test_an_existing_file_comes_before_everything_but_a_dash(folder: Path) -> None:
    for name in ("hard", "coffee", EASY):
        (folder / name).write_text(OTHER)
        assert lines(opened(name)) == [OTHER]
        assert lines(opened(f"./{name}")) == [OTHER]


def test_a_folder_does_not_hide_a_pack(folder: Path) -> None:
    (folder / "hard").mkdir()
    assert len(opened("hard")) == len(pack("hard"))
    assert [item.error for item in opened("./hard")] == ["./hard is a directory: expected a file of puzzles"]


def test_a_missing_path_is_reported(folder: Path) -> None:
    assert [item.error for item in opened("lists/top.txt")] == [
        "lists/top.txt does not exist: expected a file of puzzles"]


@pytest.mark.parametrize(("text", "said"), [
    ("foo", "cannot find 'foo': try easy:1 or a file"),
    ("cofee", "cannot find 'cofee' (did you mean coffee?): try easy:1 or a file"),
    ("hrad:1", "no pack 'hrad' (did you mean hard?): expected one of easy"),
    ("nope.txt", "'nope.txt' does not exist: expected a file of puzzles, or a puzzle such as easy:1"),
    ("folder", "folder is a directory: expected a file of puzzles"),
    ("hard:999", "no puzzle '999' in the pack hard: expected hard:1 to hard:113"),
    (EASY[:-1], "is not a grid: line 1, column 81: 80 symbols: expected 81"),
    (EASY[:-1] + "?", "is not a grid: line 1, column 81: '?' is no symbol of a 9x9 grid"),
    ("", "cannot find ''"),
    ("a\0b", "cannot find 'a\\x00b'"),
])
def test_an_unresolved_source_lists_the_attempts(folder: Path, text: str, said: str) -> None:
    (folder / "folder").mkdir()
    items = opened(text)
    assert len(items) == 1
    assert items[0].record is None
    assert said in (items[0].error or "")


def test_nothing_is_read_before_it_is_asked_for() -> None:
    stream = io.BytesIO(f"{EASY}\n{OTHER}\n{EASY}\n".encode())
    items = open_source("-", stream)
    assert stream.tell() == 0
    next(items)
    assert stream.tell() < len(stream.getvalue())
