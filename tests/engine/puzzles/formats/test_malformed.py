"""Bad files: the sentence names line and column and what was expected, and the other puzzles still come."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.puzzles.formats import Item, Malformed, PuzzleRecord, lines, parse_grid, read_path, read_stream, read_text

EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]
HEX = "0123456789ABCDEF"
CSV = "quizzes,solutions\n"


def split(items: object) -> tuple[list[PuzzleRecord], list[Malformed]]:
    found: list[Item] = list(items)  # type: ignore[call-overload]
    return ([item for item in found if isinstance(item, PuzzleRecord)],
            [item for item in found if isinstance(item, Malformed)])


@pytest.mark.parametrize(("text", "line", "column", "said"), [
    (f"{EASY}\n{EASY[:-1]}", 2, 81, "80 symbols: expected 81 (9x9)"),
    (f"{EASY}\n  {EASY}1", 2, 84, "82 symbols: expected 81"),
    (f"{EASY}\n\n# x\n{EASY[:11]}q{EASY[12:]}", 4, 12, "'q' is no symbol of a 9x9 grid: expected 1-9 or ."),
    (f"{EASY}\n1234123412341235", 2, 16, "'5' is no symbol of a 4x4 grid: expected 1-4"),
    (f"{EASY}\n{'.' * 255}H", 2, 256, "'H' is no symbol of a 16x16 grid: expected 1-9, A-G"),
    (f"{EASY}\n{'.' * 624}Q", 2, 625, "'Q' is no symbol of a 25x25 grid: expected 1-9, A-P"),
    (f"{EASY}\n{EASY} 2.5", 2, 83, "84 symbols: expected 81"),
    (f"{EASY}\n0{'.' * 200}{'F' * 55}", 2, 1, "both 0 and . are used in a 16x16 grid without the value G"),
    (f"# variant: diagnal\n{EASY}", 1, 12, "variant 'diagnal': expected classic or diagonal"),
    (f"{EASY}\n# solution: {SOLVED[:-1]}\n{EASY}", 2, 93, "80 symbols: expected 81"),
    (f"{EASY}\n# solution: 485{SOLVED[3:]}\n{EASY}", 2, 13, "the solution has 5 at r1c3: expected the given 3"),
    (f"[Puzzle]\n{ROWS[0]}\n{ROWS[1][:-1]}\n" + "\n".join(ROWS[2:]), 3, 9, "8 cells in this row: expected 9"),
    ("\n".join(ROWS[:4]) + f"\n{ROWS[4]}77\n" + "\n".join(ROWS[5:]), 5, 10, "11 cells in this row: expected 9"),
    ("\n".join(ROWS[:8]), 8, 10, "the grid ends after 8 rows: expected 9 rows of 9 cells"),
    ("\n".join([*ROWS] * 4), 10, 1, "more than 9 rows: expected 9 rows"),
    ("\n".join([*ROWS, ROWS[0]]), 10, 1, "more than 9 rows: expected 9 rows"),
    ("\n".join(ROWS[:3]) + "\n\n" + "\n".join(ROWS[3:6]), 7, 10, "the grid ends after 6 rows"),
    ("\n".join(ROWS).replace("6", "?", 1), 1, 7, "'?' is no symbol of a 9x9 grid"),
    ("12 " * 15 + "17\n" + ("11 " * 16 + "\n") * 15, 1, 46, "'17' is no number of a 16x16 grid: expected 1 to 16"),
    ("12 " * 15 + "A\n" + ("11 " * 16 + "\n") * 15, 1, 46, "'A' is no number of a 16x16 grid"),
    ("\n".join(["." * 16, "123456789ABCDEFG1", *["123456789ABCDEFG"] * 14]), 2, 17, "17 cells in this row"),
    (f"{CSV}{EASY},{SOLVED}\n{EASY[:-1]},{SOLVED}", 3, 81, "80 symbols: expected 81"),
    (f"{CSV}{EASY},{SOLVED[:-1]}", 2, 163, "80 symbols: expected 81"),
    (f"{CSV}{EASY},9{SOLVED[1:]}\n{EASY},{SOLVED.replace('483', '485', 1)}", 3, 83, "the solution has 5 at r1c3"),
    (f"{CSV}{EASY},{EASY}", 2, 83, "the solution leaves r1c1 free: expected a filled grid"),
    (f'{CSV}"{EASY},{SOLVED}', 2, 1, "the quotes do not match"),
    (f"level,puzzle\nhard,{EASY}\nhard", 3, 5, "1 fields: expected a puzzle in field 2"),
    (f"level,puzzle\nhard,{EASY}\nhard,", 3, 6, "the puzzle is empty: expected 81 symbols"),
    (f"level,name,puzzle\nhard,,{EASY}\nhard,,", 3, 7, "the puzzle is empty: expected 81 symbols"),
    (f":0000:x:{EASY}:::\n:0000:x:{EASY[:-1]}:::", 2, 89, "80 cells: expected 81"),
    (f":0000:x:{EASY}:::\n:0000", 2, 6, "the line ends after 1 colons: expected a HoDoKu line"),
    (f":0000:x:{EASY}:::\n{EASY}", 2, 1, "does not begin with a colon"),
    (f":0000:x:{EASY[:-1]}a:::", 1, 89, "'a' is no symbol of a 9x9 grid"),
    (f"0a1b2c3d4e5f {EASY} hard", 1, 96, "the rating 'hard': expected a number"),
    (f"0a1b2c3d4e5f {EASY} 1.5\n0a1b2c3d4e5f {EASY}", 2, 95, "2 fields: expected 12 hexadecimal digits, 81 digits"),
    (f"0a1b2c3d4e5f {EASY} 1.5\nxyz {EASY} 1.5", 2, 1, "'xyz': expected 12 hexadecimal digits"),
    (f"0a1b2c3d4e5f {EASY[1:]} 1.5", 1, 94, "80 digits: expected 81"),
    (f"<opensudoku>\n <game data='{EASY[1:]}'/></opensudoku>", 2, 2, "<game> has 80 cells: expected data="),
    ("<opensudoku>\n\n<game/></opensudoku>", 3, 1, "<game> has no data"),
    ("<opensudoku><game data='version: 6 1|0|0|'/></opensudoku>", 1, 13, "<game> is of version 6: expected 1 to 5"),
    ("<opensudoku><game data='version: 3 1|0|0|'/></opensudoku>", 1, 13, "has 3 fields: expected 243"),
    ("<opensudoku><game data='version: 3 " + "1|0|2|" * 81 + "'/></opensudoku>", 1, 13, "marks a cell as"),
    ("<opensudoku><game data='version: 3 " + "1|0|0|" * 80 + "11|0|0|'/></opensudoku>", 1, 13, "<game> has 82 cells"),
    ("<opensudoku>\n<game", 2, 1, "the XML is broken"),
    ("<sudoku/>", 1, 1, "<sudoku>: expected <opensudoku>"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><opensudoku/>", 1, 13, "a document type or entity is declared"),
    ("<opensudoku>" + "<folder>" * 20, 1, 133, "elements lie more than 16 deep"),
])
def test_the_sentence_names_line_column_and_expectation(text: str, line: int, column: int, said: str) -> None:
    _, bad = split(read_text(text, "list.txt"))
    assert [(item.line, item.column) for item in bad] == [(line, column)], bad
    assert bad[0].sentence.startswith(f"list.txt, line {line}, column {column}: ")
    assert said in bad[0].sentence
    assert "expected" in bad[0].sentence
    assert isinstance(bad[0].error, FormatError)
    assert str(bad[0].error) == bad[0].sentence


@pytest.mark.parametrize("text", [
    f"{EASY}\nrubbish\n{EASY}",
    f"{CSV}{EASY},\nrubbish,\n{EASY},{SOLVED}",
    f":0000:x:{EASY}:::\n:0000:x:rubbish:::\n:0000:x:{EASY}:::",
    f"0a1b2c3d4e5f {EASY} 1.5\nrubbish\n0a1b2c3d4e5f {EASY} 1.5",
    f"<opensudoku><game data='{EASY}'/><game data='rubbish'/><game data='{EASY}'/></opensudoku>",
    "\n".join([*ROWS, "", *ROWS[:4], "rubbish!!", *ROWS[5:], "", *ROWS]),
    "\n".join([*ROWS, "", *ROWS[:8], "", *ROWS]),
    "\n".join(["[Puzzle]", *ROWS, "[Puzzle]", *ROWS[:4], "[Puzzle]", *ROWS]),
    f"{EASY}\n{'1' * 20_000}\n{EASY}",
])
def test_the_others_still_come(text: str) -> None:
    records, bad = split(read_text(text))
    assert [record.puzzle.line for record in records] == [EASY.replace("0", ".")] * 2
    assert len(bad) == 1


@pytest.mark.parametrize(("data", "said", "good"), [
    (b"", "f is empty: expected at least one puzzle", 0),
    (b"\n \r\n", "f is empty: expected at least one puzzle", 0),
    (b"# only\n# comments\n", "f holds no puzzle, only comments: expected at least one puzzle", 0),
    (b"quizzes,solutions\n", "f holds no puzzle, only comments: expected at least one puzzle", 0),
    (b"\x7fELF\x02\x01\x01\x00", "f is binary data: expected text with one of the puzzle formats", 0),
    (EASY.encode() + b"\n\x00\x01", "f is binary data: expected text with one of the puzzle formats", 1),
    (b"<opensudoku>\x00", "f is binary data: expected text with one of the puzzle formats", 0),
    (EASY.encode("utf-16"), "f is UTF-16 text: expected UTF-8", 0),
    ("<opensudoku/>".encode("utf-16"), "f is UTF-16 text: expected UTF-8", 0),
    (f"{EASY}\n".encode() + b"caf\xe9", "f, line 2, column 4: the byte 0xe9 is no UTF-8 text: expected UTF-8", 1),
    (f"{EASY}\ncaffè".encode() + b"\xe9", "f, line 2, column 6: the byte 0xe9 is no UTF-8 text: expected UTF-8", 1),
    (b"short prose\n" * 900, "f, line 1, column 11: 10 cells in this row: expected 9", 0),
    (b"1" * 10_001, "f, line 1, column 10001: the line is longer than 10 000 bytes: expected one puzzle or one row", 0),
    (b"1" * 2_000_000, "f, line 1, column 10001: the line does not end within 1 000 000 bytes: expected one puzzle", 0),
])
def test_files_that_are_something_else_get_one_sentence(data: bytes, said: str, good: int) -> None:
    records, bad = split(read_stream(io.BytesIO(data), "f"))
    assert len(records) == good
    assert len(bad) == 1
    assert bad[0].sentence.startswith(said)


@pytest.mark.parametrize(("begin", "good"), [("", 0), (f"{EASY}\n", 1), ("[Puzzle]\n", 0), ("quizzes,solutions\n", 0)])
@pytest.mark.parametrize("filler", ["# a comment of some length\n", "#\n", "\n"])
def test_too_many_comments_without_a_puzzle_end_the_reading(
        begin: str, good: int, filler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "GIVE_UP", 20_000)
    text = begin + filler * (20_002 // len(filler)) + f"{filler}{EASY}\n"
    records, bad = split(read_stream(io.BytesIO(text.encode()), "f"))
    assert len(records) == good
    assert bad[-1].fatal
    assert "no puzzle in 20 000 bytes of comments and blank lines, the rest is not read" in bad[-1].sentence


@pytest.mark.parametrize("after", [1, 3, 4, 6, 8])
def test_a_row_that_cannot_be_read_spoils_its_grid_between_the_bands_too(after: int) -> None:
    rows = [row.encode() for row in ROWS]
    banded = b"\n\n".join(b"\n".join([*rows[band:band + 3], *([b"\xff"] if band < after <= band + 3 else [])])
                          for band in (0, 3, 6))
    records, bad = split(read_stream(io.BytesIO(banded), "f"))
    assert records == []
    assert "the byte 0xff is no UTF-8 text" in bad[0].sentence
    after_a_band = b"\n".join([*rows[:3], b"", b"\xff", *rows[3:6], b"", *rows[6:]])
    assert split(read_stream(io.BytesIO(after_a_band), "f"))[0] == []


def test_a_line_of_the_longest_length_is_read() -> None:
    longest = f"{EASY} #".ljust(9_999, "x") + "\n"
    records, bad = split(read_text(longest + f"{EASY}\n{longest[:-1]}x\n{EASY}\n"))
    assert [record.line for record in records] == [1, 2, 4]
    assert [(item.line, item.column) for item in bad] == [(3, 10_001)]


def test_a_puzzle_ends_the_count_of_comments() -> None:
    text = "".join("# a comment of some length\n" * 20_000 + f"{EASY}\n" for _ in range(3))
    records, bad = split(read_text(text))
    assert (len(records), bad) == (3, [])


def test_a_text_that_is_no_puzzle_file_is_given_up() -> None:
    records, bad = split(read_text("some prose, a line of more than thirty letters\n" * 5_000))
    assert not records
    assert len(bad) == 101
    assert bad[-1].fatal
    assert "no puzzle in 100 attempts, the rest is not read" in bad[-1].sentence


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    locked = tmp_path / "locked.sdm"
    locked.write_text(EASY)
    locked.chmod(0)
    cases = {str(tmp_path): "is a directory", str(tmp_path / "no"): "does not exist", "a\0b": "cannot be opened",
             str(tmp_path / ("n" * 300)): "too long"}
    if os.geteuid() != 0:
        cases[str(locked)] = "ermission denied"
    for path, said in cases.items():
        records, bad = split(read_path(path))
        assert not records
        assert len(bad) == 1
        assert bad[0].fatal
        assert said in bad[0].sentence
        assert "\n" not in bad[0].sentence


class Failing(io.RawIOBase):
    """Gives one line, then fails as a pulled-out disk does."""

    def __init__(self) -> None:
        self.lines = [f"{EASY}\n".encode()]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        if not self.lines:
            raise OSError(5, "Input/output error")
        data = self.lines.pop()
        buffer[: len(data)] = data  # type: ignore[index]
        return len(data)


def test_an_error_while_reading_is_a_sentence_after_the_puzzles_read() -> None:
    records, bad = split(read_stream(io.BufferedReader(Failing()), "disk"))
    assert len(records) == 1
    assert [item.sentence for item in bad] == ["disk cannot be read: input/output error"]


@pytest.mark.parametrize(("text", "said"), [
    ("", "an empty text: expected a grid of 81 symbols"),
    (" \n|\n---", "an empty text: expected a grid of 81 symbols"),
    (EASY[:-1], "line 1, column 81: 80 symbols: expected 81"),
    ("1", "line 1, column 2: 1 symbol: expected 81"),
    ("/".join(ROWS)[:-2] + "é0", "line 1, column 88: 'é' is no symbol of a 9x9 grid"),
    ("\n".join(ROWS)[:-2] + "-0", "line 9, column 8: '-' is no symbol of a 9x9 grid"),
    ("1" * 10_001, "a text of 10 001 characters: expected one grid"),
    ("".join(HEX[1:] + "." for _ in range(15)) + "0" * 16, "line 1, column 1: both 0 and . are used in a 16x16 grid"),
    (" ".join(["0", *[str(v) for v in range(1, 16)] * 17])[:-40], "expected 81"),
    (" ".join(["0", ".", *["15"] * 254]), "line 1, column 1: both 0 and . are used in a 16x16 grid"),
    (":0000:x:123:::", "line 1, column 12: 3 cells: expected 81"),
])
def test_a_literal_grid_that_is_none(text: str, said: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse_grid(text)
    assert said in str(raised.value)


def test_metadata_cannot_move_the_cursor() -> None:
    record, _ = split(read_text(f"# name: a\x9b31mb\u202ec\n{EASY}"))
    assert record[0].name == "a31mbc"
