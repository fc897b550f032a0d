"""Files that are opened and written: refusals are one sentence, nothing that is there is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.errors import BadInput, FormatError
from engine.files import access
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord, read_path
from engine.puzzles.packs import pack
from tui.config import paths
from tui.storage import puzzle_files
from tui.storage.puzzle_files import (
    FEW,
    LARGEST,
    complete_path,
    empty_puzzle,
    is_run_file,
    kiosk_files,
    path_of,
    read_puzzles,
    write_puzzle,
)

RECORD = packs.find("diagonal:1")


@pytest.mark.parametrize("suffix", [".sdk", ".sdm", ".txt", "", ".line"])
def test_what_was_written_is_read_again(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{suffix}"
    write_puzzle(path, RECORD)
    opened, wrong = read_puzzles(path)
    assert opened.records[0].puzzle == RECORD.puzzle
    assert (opened.name, wrong) == (path.name, "")
    assert os.listdir(tmp_path) == [path.name]


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        write_puzzle(tmp_path, RECORD)
    with pytest.raises(BadInput, match="cannot write"):
        write_puzzle(tmp_path / "missing" / "x.sdk", RECORD)
    assert os.listdir(tmp_path) == []


def test_a_list_with_faults_gives_the_valid_puzzles_and_the_first_fault(tmp_path: Path) -> None:
    path = tmp_path / "list.sdm"
    path.write_text(f"{RECORD.puzzle.line}\n12345\n{'.' * 81}\n")
    opened, wrong = read_puzzles(path)
    assert len(opened.records) == 2
    assert "list.sdm, line 2" in wrong


@pytest.mark.parametrize("content", [None, b"", b"hello\n", b"\x00\xff\xfe"])
def test_a_file_without_a_puzzle_is_one_sentence(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read_puzzles(path)
    assert "\n" not in str(caught.value)


def test_a_directory_and_a_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        assert not is_run_file(path)
        with pytest.raises(BadInput):
            read_puzzles(path)


def test_run_files_are_told_from_puzzles(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('\n{"format": "sudoku-tui run"}')
    (tmp_path / "b").write_text(RECORD.puzzle.line)
    assert [is_run_file(tmp_path / name) for name in ("a", "b", "c")] == [True, False, False]


def test_paths_are_completed_as_far_as_there_is_one_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("grid-1.sdk", "grid-2.sdk", "other.txt", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert complete_path("g") == "grid-"
    assert complete_path("grid-1") == "grid-1.sdk"
    assert complete_path("fo") == "folder/"
    assert complete_path(f"{tmp_path}/o") == f"{tmp_path}/other.txt"
    assert complete_path("x") == "x"
    assert complete_path("") == ""
    assert complete_path(".h") == ".hidden"
    assert complete_path("missing/x") == "missing/x"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert complete_path("~/ot") == "~/other.txt"
    assert path_of(" ~/a b ") == tmp_path / "a b"


def test_a_missing_file_may_be_one_of_three_kinds(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="does not exist: expected a file of puzzles, a run or an experiment"):
        puzzle_files.read_puzzles(tmp_path / "mine.run")


@pytest.mark.parametrize("typed", ["", "  ", "a\0b"])
def test_what_is_no_path_is_refused(typed: str) -> None:
    with pytest.raises(BadInput):
        path_of(typed)


def test_drafts_are_kept_until_they_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first, second, third, fourth = (replace(record, name=f"draft {at}") for at, record in enumerate(pack("4x4")[:4]))
    assert puzzle_files.load_drafts() == []
    puzzle_files.delete_draft(first.puzzle)
    puzzle_files.save_draft(first, empty_puzzle())
    puzzle_files.save_draft(second, empty_puzzle())
    assert names() == ["draft 1", "draft 0"]
    puzzle_files.save_draft(third, first.puzzle)
    assert names() == ["draft 2", "draft 1"], "the draft that it was made from is replaced"
    puzzle_files.save_draft(fourth, RECORD.puzzle)
    puzzle_files.delete_draft(third.puzzle)
    assert names() == ["draft 3", "draft 1"]
    assert [each.name for each in read_path(paths.draft_file()) if isinstance(each, PuzzleRecord)] == names()
    paths.draft_file().write_bytes(b"\xff\xff")
    assert names() == []
    puzzle_files.delete_draft(first.puzzle)
    assert not paths.draft_file().exists()


def test_drafts_without_a_name_get_numbers_that_no_other_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    records = [replace(record, name="") for record in pack("4x4")[:5]]
    paths.draft_file().parent.mkdir(parents=True)
    paths.draft_file().write_text("".join(f"{each.puzzle.line}\n" for each in records[:2]))
    assert names() == ["draft 2", "draft 1"], "an older program saved them without names"
    assert puzzle_files.save_draft(records[2], empty_puzzle()) == "draft 3"
    assert puzzle_files.save_draft(replace(records[3], name="mine"), empty_puzzle()) == "mine"
    puzzle_files.delete_draft(records[0].puzzle)
    assert puzzle_files.save_draft(records[4], empty_puzzle()) == "draft 4"
    assert names() == ["draft 4", "mine", "draft 3", "draft 1"]


def test_the_oldest_drafts_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for record in pack("easy")[:puzzle_files.MOST_DRAFTS + 3]:
        puzzle_files.save_draft(record, empty_puzzle())
    assert names() == [each.name for each in pack("easy")[3:puzzle_files.MOST_DRAFTS + 3]][::-1]


def names() -> list[str]:
    """The names of the drafts."""
    return [each.name for each in puzzle_files.load_drafts()]


def test_a_name_longer_than_any_file_has_is_refused_in_a_sentence() -> None:
    long = Path("x" * 300)
    with pytest.raises(BadInput, match=r"(?i)file name too long"):
        read_puzzles(long)
    with pytest.raises(BadInput, match=r"(?i)file name too long"):
        write_puzzle(long, RECORD)
    assert not is_run_file(long)


@pytest.mark.sweep
def test_of_a_huge_file_only_the_beginning_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.sdm"
    with path.open("wb") as file:
        file.write(b"." * 80 + b"5\n\n" + b"." * 80 + b"6\n")
        file.truncate(2**40)
    opened, wrong = read_puzzles(path)
    assert len(opened.records) == 2
    assert wrong
    path.write_bytes((b"." * 80 + b"5\n" + b"\n" * (LARGEST // 3)) * 4)
    opened, wrong = read_puzzles(path)
    assert len(opened.records) == 3
    assert wrong.endswith("only its first 1 MB are read")


def test_a_kiosk_lists_the_puzzles_that_lie_in_its_directory(tmp_path: Path) -> None:
    room = tmp_path / "room"
    (room / "folder.sdm").mkdir(parents=True)
    write_puzzle(room / "a.SDK", RECORD)
    for name in ("b.sdm", "c.run", "d"):
        (room / name).write_text(RECORD.puzzle.line)
    (room / "e.txt").write_text("no puzzle")
    (room / "large.sdm").write_text(f"{RECORD.puzzle.line}\n" * (LARGEST // 80))
    (tmp_path / "outside.sdm").write_text(RECORD.puzzle.line)
    (room / "link.sdm").symlink_to(tmp_path / "outside.sdm")
    (room / "loop.sdm").symlink_to("loop.sdm")
    os.mkfifo(room / "pipe.sdm")
    assert kiosk_files() == []
    with access.restricted_to(room):
        assert [each.name for each in kiosk_files()] == ["a.SDK", "b.sdm"]
        for number in range(2 * FEW):
            (room / f"{number}.sdm").write_text(RECORD.puzzle.line)
        assert len(kiosk_files()) == FEW


def test_in_a_kiosk_paths_lead_to_its_directory_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    (room / "folder").mkdir(parents=True)
    (tmp_path / "roommate").mkdir()
    monkeypatch.chdir(room)
    monkeypatch.setenv("HOME", str(room))
    with access.restricted_to(room):
        assert path_of("~/x.sdk") == room / "x.sdk"
        assert path_of("~root/x.sdk") == Path("~root/x.sdk")
        assert complete_path("~/fo") == f"~/folder{os.sep}"
        for typed in ("../roo", f"{tmp_path}/roo", "/et", "~roo", "/proc/sel", "..", "../"):
            assert complete_path(typed) == typed
        with pytest.raises(BadInput, match="this is a kiosk: files are in"):
            path_of("../roommate")
