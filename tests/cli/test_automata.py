"""`automata` without a terminal: questions and their answers, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.energy import is_solution
from engine.puzzle import Puzzle
from tests.cli.conftest import Call
from tui.storage.puzzle_files import empty_puzzle

ROW = ("automata", "--unit", "row 1")


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_words_are_accepted_or_refused_with_the_letters_to_blame(cli: Call) -> None:
    words = ("--accepts", "123456789", "--accepts", "113456789")
    code, out, err = cli(*ROW, *words)
    assert (code, err) == (1, "")
    assert out.splitlines()[0].startswith("ACCEPTED  row 1 reads 123456789: accepted")
    assert "REJECTED  row 1 reads 113456789: 1 is already at r1c1" in out
    yes, no = objects(cli(*ROW, *words, "--format", "jsonl").out)
    assert (yes["answer"], yes["board"], yes["unit"], yes["word"]) == ("accepted", "sat", "row 1", "123456789")
    assert is_solution(empty_puzzle(), Puzzle.from_line(yes["solutions"][0]).givens)
    assert (no["answer"], no["blame"], no["reason"]) == ("rejected", [1, 2], "1 is already at r1c1")


def test_a_word_that_the_automaton_accepts_fits_the_givens(cli: Call) -> None:
    code, out, _err = cli("automata", "hard:1", "--unit", "row 1", "--word", "--format", "jsonl")
    word = objects(out)[0]["word"]
    assert code == 0
    assert (sorted(word), word[0], word[6], word[8]) == (list("123456789"), "4", "8", "5")


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize(("question", "code", "answer", "said"), [
    ("r1c3=2", 1, "unsat", "UNSAT     r1c3 = 2: "),
    ("r1c3 = 7", 0, "sat", "SAT       r1c3 = 7: "),
    ("solution", 0, "sat", "SAT       a solution? a solution was found"),
    ("unique", 0, "yes", "YES       unique? exactly one solution"),
    ("row 1 = 417369825", 0, "accepted", "ACCEPTED  row 1 reads 417369825"),
    ("count 3", 0, "sat", "SAT       how many solutions? exactly one solution"),
])
def test_the_board_is_asked(question: str, code: int, answer: str, said: str, cli: Call) -> None:
    done = cli("automata", "hard:1", "--ask", question)
    assert done.code == code
    assert done.out.startswith(said)
    found = objects(cli("automata", "hard:1", "--ask", question, "--format", "jsonl").out)[0]
    assert (found["answer"], bool(found["core"])) == (answer, answer == "unsat")


def test_a_puzzle_with_two_solutions_is_not_unique(cli: Call) -> None:
    asked = ("--ask", "unique", "--ask", "second", "--format", "jsonl")
    unique, second = objects(cli("automata", "--size", "4", *asked).out)
    assert (unique["answer"], len(unique["solutions"])) == ("no", 2)
    assert (second["answer"], len(second["solutions"])) == ("sat", 2)


def test_the_core_of_a_word_counts_its_letters_among_the_values(cli: Call) -> None:
    """17 givens, one of them in row 3: the word assumes 8 more values."""
    out = cli("automata", "hard:1", "--ask", "row 3 = 681743295", "--ask", "r1c2=3").out.splitlines()
    assert "UNSAT on the whole board: column 6 has 3 at r3c6 and r7c6   core: 3 of 27 units and 25 values" in out[0]
    assert out[1] == "  core: column 6, r3c6 = 3, r7c6 = 3"
    assert "core: 3 of 27 units and 18 values" in out[2]


@pytest.mark.sweep
def test_several_solutions_are_counted_up_to_the_limit(cli: Call) -> None:
    found = objects(cli("automata", "--size", "4", "--ask", "count 5", "--ask", "count 300", "--format", "jsonl").out)
    assert [(each["count"], each["exact"]) for each in found] == [(5, False), (288, True)]


def test_an_empty_board_can_have_diagonals(cli: Call) -> None:
    said = ("automata", "--size", "4", "--diagonal", "--unit", "diagonal 1", "--accepts", "1234", "--format", "jsonl")
    found = objects(cli(*said).out)[0]
    assert (found["answer"], found["variant"]) == ("accepted", "diagonal")
    assert is_solution(empty_puzzle(2, "diagonal"), Puzzle.from_line(found["solutions"][0]).givens)


def test_formulas_of_a_unit_and_of_the_board(cli: Call) -> None:
    code, out, _err = cli(*ROW, "--formula", "--encoding", "int-distinct")
    assert (code, out) == (0, "(distinct r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9)\n")
    code, out, _err = cli("automata", "hard:1", "--formula")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["given", "cells", "rows", "columns", "boxes"]
    board = objects(cli("automata", "hard:1", "--formula", "--format", "jsonl").out)[0]
    assert [each["label"] for each in board["formula"]] == ["given", "cells", "rows", "columns", "boxes"]
