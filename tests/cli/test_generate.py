"""generate and rate: what they write, their exit codes, and what they say when they find nothing or are interrupted."""

from __future__ import annotations

import json
import signal

import pytest

from engine import solutions
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord, read_text
from engine.puzzles.rating import UNSOLVED, rate
from tests.cli.conftest import EASY, Call
from tests.cli.test_process import ended, started
from tui.commands import generate


def records(text: str) -> list[PuzzleRecord]:
    found = list(read_text(text))
    assert all(isinstance(item, PuzzleRecord) for item in found)
    return [item for item in found if isinstance(item, PuzzleRecord)]


@pytest.mark.parametrize("layout", ["line", "sdm", "sdk", "csv", "jsonl", "grid", "ss"])
def test_every_format_holds_the_same_puzzles(layout: str, cli: Call) -> None:
    count = "1" if layout in ("grid", "ss", "sdk") else "3"
    code, out, err = cli("generate", "--count", count, "--seed", "5", "--format", layout)
    assert (code, err) == (0, "")
    found = ([json.loads(line)["puzzle"] for line in out.splitlines()] if layout == "jsonl"
             else [record.puzzle.line for record in records(out)])
    plain = cli("generate", "--count", count, "--seed", "5", "--format", "line").out.split()
    assert found == plain
    assert len(plain) == int(count)


def test_a_json_line_says_all(cli: Call) -> None:
    out = cli("generate", "--seed", "3", "--first", "8", "--size", "4", "--diagonal", "--symmetry", "rotational-180",
              "--format", "jsonl").out
    line = json.loads(out)
    assert list(line) == ["puzzle", "solution", "seed", "number", "size", "variant", "symmetry", "givens", "minimal"]
    assert (line["seed"], line["number"], line["size"], line["variant"]) == (3, 8, 4, "diagonal")
    assert (line["symmetry"], line["minimal"]) == ("rotational-180", True)
    assert line["givens"] == sum(symbol != "." for symbol in line["puzzle"])


def test_file_formats_tell_of_puzzles_that_are_not_proved_to_be_minimal(cli: Call) -> None:
    sixteen = ("generate", "--size", "16", "--seed", "0", "--count", "2", "--format")
    proved = [json.loads(line)["minimal"] for line in cli(*sixteen, "jsonl").out.splitlines()]
    assert not all(proved)
    assert cli(*sixteen, "sdm").err == f"sudoku-tui: not proved to be minimal: {proved.count(False)} of 2\n"
    assert cli("generate", "--size", "4", "--format", "sdm").err == ""


def test_number_k_needs_none_before_it(cli: Call) -> None:
    five = cli("generate", "--count", "5", "--format", "line").out.splitlines()
    assert cli("generate", "--first", "3", "--count", "2", "--format", "line").out.splitlines() == five[3:]


@pytest.mark.parametrize("difficulty", generate.DIFFICULTIES)
def test_a_difficulty_follows_from_the_rating(difficulty: str, cli: Call) -> None:
    out = cli("generate", "--count", "2", "--difficulty", difficulty, "--format", "jsonl").out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["level"] for line in lines] == [difficulty] * 2
    for line in lines:
        (record,) = records(line["puzzle"])
        assert rate(record.puzzle).value == line["rating"]
        assert solutions.unique(record.puzzle)


@pytest.mark.parametrize("board", [("--size", "4", "--diagonal"), ("--symmetry", "rotational-90")])
def test_z3_makes_the_same_puzzles(board: tuple[str, ...], cli: Call) -> None:
    asked = ("generate", "--seed", "6", "--format", "jsonl", *board)
    assert cli(*asked, "--engine", "z3") == cli(*asked)


def test_an_unsuccessful_search_is_reported(cli: Call) -> None:
    code, out, err = cli("generate", "--size", "4", "--difficulty", "extreme", "--tries", "20")
    assert (code, out) == (1, "")
    assert err == ("sudoku-tui: 0 of 1 puzzles: none is extreme among the last 20, up to number 19; more --tries or "
                   "another --seed may find some\n")


def test_the_options_are_those_of_the_engine() -> None:
    from typing import get_args

    from engine.puzzles.generate import SYMMETRIES
    from engine.puzzles.rating import Word

    assert generate.SYMMETRIES == SYMMETRIES
    assert get_args(Word) == generate.DIFFICULTIES


@pytest.mark.parametrize("arguments", [
    ["--count", "0"], ["--count", "many"], ["--seed", "-1"], ["--size", "10"], ["--symmetry", "round"],
    ["--difficulty", "insane"], ["--first", "70368744177664", "--count", "1"], ["--format", "xml"], ["easy:1"],
    ["--engine", "z3", "--size", "16"],
])
def test_what_cannot_be_is_refused_in_one_sentence(arguments: list[str], cli: Call) -> None:
    code, out, err = cli("generate", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.sweep
def test_generating_can_be_interrupted() -> None:
    child = started("generate", "--count", "1e9", "--format", "line")
    assert child.stdout is not None
    assert len(child.stdout.readline()) == 82
    child.send_signal(signal.SIGINT)
    code, err = ended(child)
    assert code == 130
    assert err.startswith(b"sudoku-tui: interrupted after")
    assert err.count(b"\n") == 1


@pytest.mark.sweep
def test_a_large_board_can_be_interrupted_while_it_is_made() -> None:
    child = started("generate", "--count", "100000", "--size", "16", "--format", "line")
    assert child.stdout is not None
    assert len(child.stdout.readline()) == 257
    child.send_signal(signal.SIGINT)
    assert ended(child)[0] == 130


# rate


def test_rate_says_number_word_and_technique(cli: Call) -> None:
    code, out, err = cli("rate", EASY)
    assert (code, err) == (0, "")
    assert out == "1: easy, 1.58; hardest technique: Hidden single\n"
    assert "the techniques do not solve it; hardest that helped:" in cli("rate", "hard:3").out


def test_the_help_of_rate_gives_the_bounds_of_the_words(cli: Call) -> None:
    words = " ".join(cli("rate", "--help").out.split())
    assert "Easy is below 2.5, medium below 3.7, hard below 6, extreme from 6 on." in words
    assert "A puzzle that the techniques do not solve is rated 10." in words
    assert [record.rating for record in packs.pack("extreme") if record.rating == UNSOLVED] == []


def test_rate_as_json_lines(cli: Call) -> None:
    code, out, err = cli("rate", "easy:1", "traps:2", "diagonal:1", "nope", "--format", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["status"] for line in lines] == ["rated", "several", "rated", "error"]
    assert [line["level"] for line in lines] == ["easy", None, "easy", None]
    assert (lines[0]["name"], lines[2]["variant"]) == ("first-steps", "diagonal")
    assert (code, err.count("\n")) == (2, 1)


def test_only_puzzles_with_one_solution_are_rated(cli: Call) -> None:
    code, out, _err = cli("rate", "traps")
    assert code == 1
    assert [line.partition(": ")[2] for line in out.splitlines()] == [
        "not rated, it has several solutions", "not rated, it has several solutions", "not rated, it has no solution",
        "not rated, it has no solution"]


def test_what_is_generated_can_be_rated(cli: Call) -> None:
    text = cli("generate", "--count", "3", "--difficulty", "medium", "--format", "sdm").out
    out = cli("rate", "-", stdin=text.encode()).out
    assert out.count("medium") == 3
