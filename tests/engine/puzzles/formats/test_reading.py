"""The formats as other programs write them."""

from __future__ import annotations

import pytest

from engine.errors import FormatError
from engine.puzzle import SYMBOLS, Puzzle
from engine.puzzles.formats import Item, PuzzleRecord, parse_grid, read_text

EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]
POINTS = EASY.replace("0", ".")
BIG = [SYMBOLS[1:17][r % 4 * 4 :] + SYMBOLS[1:17][: r % 4 * 4] for r in range(16)]


def only(items: object) -> PuzzleRecord:
    found = list(items)  # type: ignore[call-overload]
    assert len(found) == 1
    assert isinstance(found[0], PuzzleRecord), found[0]
    return found[0]


def good(text: str, suffix: str = "") -> list[PuzzleRecord]:
    items: list[Item] = list(read_text(text, suffix=suffix))
    assert all(isinstance(item, PuzzleRecord) for item in items), items
    return [item for item in items if isinstance(item, PuzzleRecord)]


@pytest.mark.parametrize("free", ["0", ".", "*", "_", "x", "X"])
def test_free_cells_have_six_symbols(free: str) -> None:
    assert only(read_text(EASY.replace("0", free))).puzzle.line == POINTS


@pytest.mark.parametrize("text", [
    "\n".join(ROWS),
    "\n".join(" ".join(row) for row in ROWS),
    "\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)),
    "\n".join(f"{row[:3]}|{row[3:6]}|{row[6:]}" + ("\n-----------" if r in (2, 5) else "")
              for r, row in enumerate(ROWS)),
    "*-----------*\n" + "\n".join(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" + ("\n|---+---+---|" if r in (2, 5) else "")
                                  for r, row in enumerate(ROWS)).replace("0", ".") + "\n*-----------*",
    "┌───┬───┬───┐\n" + "\n".join(f"│{row[:3]}│{row[3:6]}│{row[6:]}│" for row in ROWS) + "\n└───┴───┴───┘",
    "[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join(ROWS[::-1]),
    f":0000:x:{POINTS}:::",
    f":0300:4:{POINTS}:653 472 473:481:c28 r68",
    f"0a1b2c3d4e5f {EASY} 2.5",
    f"quizzes,solutions\n{EASY},{SOLVED}",
    f"id,puzzle,solution,clues,difficulty\n1,{POINTS},{SOLVED},32,0.0",
    f'"quizzes","solutions"\n"{EASY}","{SOLVED}"',
    f"{EASY},{SOLVED}",
    f"{EASY},{SOLVED},hard",
    f"<opensudoku><game data='{EASY}'/></opensudoku>",
    f"{EASY}   # the first of fifty",
    f"\ufeff\r\n{EASY}\r\n",
])
def test_one_puzzle_in_many_guises(text: str) -> None:
    assert only(read_text(text)).puzzle.line == POINTS


def test_hodoku_cells_set_while_solving_are_free_and_its_technique_is_the_source() -> None:
    record = only(read_text(f":0361:4:{POINTS.replace('.', '+4', 1)}:434 441:411:r7c39"))
    assert (record.puzzle.line, record.source) == (POINTS, "HoDoKu technique 0361")


def test_bank_records_carry_hash_and_rating() -> None:
    record = only(read_text(f"0A1b2c3d4e5f {EASY}  7.2"))
    assert (record.name, record.rating) == ("0a1b2c3d4e5f", 7.2)


def test_csv_columns_are_found_by_name() -> None:
    record = only(read_text(f"Level,rating,PUZZLE,name,solution\nhard,4.5,{EASY},\"a, b\",{SOLVED}"))
    assert (record.level, record.rating, record.name, record.puzzle.line) == ("hard", 4.5, "a, b", POINTS)
    assert "".join(map(str, record.solution or ())) == SOLVED


def test_sdk_letters_and_comments_count() -> None:
    text = "#ARuud\n#DA puzzle\n#LEasy\n#S the paper\n# rating: 2\n# variant: diagonal\n[Puzzle]\n" + "\n".join(ROWS)
    record = only(read_text(text, suffix=".sdk"))
    assert (record.name, record.level, record.source, record.rating, record.puzzle.variant) == (
        "A puzzle", "Easy", "the paper", 2.0, "diagonal")


@pytest.mark.parametrize(("version", "notes"), [
    (1, "1,2,|"), (1, "-|"), (2, "0||"), (2, "511|"), (3, "3|"), (4, "3|0|"), (5, "3|0|1|")], ids=str)
def test_opensudoku_games_under_way_give_their_givens(version: int, notes: str) -> None:
    """Values set by the player, here in every free cell, are left out."""
    cells = "".join(f"{value if value != '0' else 7}|{notes}{int(value == '0')}|" for value in EASY)
    for end in ("&#10;", "\n"):  # the second is a blank once an XML parser has read it
        (found,) = read_text(f"<opensudoku><game data='version: {version}{end}{cells}'/></opensudoku>")
        assert isinstance(found, PuzzleRecord)
        assert found.puzzle == Puzzle.from_line(EASY)


def test_opensudoku_folders_and_levels() -> None:
    text = (f"<?xml version='1.0'?><opensudoku version='2'><name>All</name><folder name='Easy'><game data='{EASY}'/>"
            f"</folder><level>hard</level><source>me</source><game state='0' data='{EASY}'/></opensudoku>")
    assert [(record.level, record.source) for record in good(text)] == [("Easy", ""), ("hard", "me")]


def test_variant_holds_until_it_changes_and_other_fields_for_one_puzzle() -> None:
    text = f"{EASY}\n# Variant: Diagonal\n# name: one\n{EASY}\n{EASY}\n#variant:classic\n{EASY}"
    assert [(record.puzzle.variant, record.name) for record in good(text)] == [
        ("classic", ""), ("diagonal", "one"), ("diagonal", ""), ("classic", "")]


def test_sixteen_cells_are_a_small_grid_or_a_row_of_a_large_one() -> None:
    small = "1234341221434321"
    assert [record.puzzle.n for record in good(f"{small}\n{small}")] == [4, 4]
    assert [record.puzzle.n for record in good("\n".join(BIG))] == [16]
    assert [record.puzzle.n for record in good("\n".join([small, "".join(BIG), "".join(BIG)]))] == [4, 16, 16]


def test_values_above_nine_are_letters_of_either_case_or_numbers() -> None:
    letters = only(read_text("".join(BIG))).puzzle
    assert max(letters.givens) == 16
    rows = [letters.givens[start : start + 16] for start in range(0, 256, 16)]
    for text in ("".join(BIG).lower(), "\n".join(" ".join(map(str, row)) for row in rows),
                 " ".join(map(str, letters.givens))):
        assert only(read_text(text)).puzzle == letters
        assert parse_grid(text).puzzle == letters


def test_cells_are_numbers_if_more_than_half_of_them_look_so() -> None:
    for text, said in (("12 " * 8 + "AB " * 8, "32 symbols: expected"), ("12 " * 9 + "AB " * 7, "'12' is no number")):
        with pytest.raises(FormatError, match=said):
            parse_grid(text)


def test_a_25x25_grid_in_numbers() -> None:
    values = [str((r * 5 + r // 5 + c) % 25 + 1) if c % 3 else "." for r in range(25) for c in range(25)]
    puzzle = parse_grid(" ".join(values)).puzzle
    assert (puzzle.n, puzzle.givens[1], puzzle.givens[23], puzzle.givens[0]) == (25, 2, 24, 0)
    rows = "\n".join(" ".join(values[start : start + 25]) for start in range(0, 625, 25))
    assert only(read_text(rows)).puzzle == puzzle


def test_zero_beside_a_point_is_free_if_it_cannot_be_a_value() -> None:
    assert parse_grid("0." + "".join(BIG)[2:]).puzzle.givens[:2] == (0, 0)
    assert parse_grid("0" * 40 + "." * 41).puzzle.free_cells == tuple(range(81))


def test_an_at_home_grid_on_the_command_line() -> None:
    assert parse_grid("  " + "/".join(ROWS) + "  ").puzzle.line == POINTS
    assert parse_grid(f":0000:x:{POINTS}:::").puzzle.line == POINTS
    assert parse_grid(EASY, "diagonal").puzzle.variant == "diagonal"
