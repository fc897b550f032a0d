"""The comparison of complete solvers: what it counts, and what it makes of a limit."""

from __future__ import annotations

import math

from engine import registry
from engine.puzzles import packs
from tests.agreement.answers import Answer
from tests.bench.complete_solvers import Cell, by_new_automaton, cell_of, everybody, is_wrong, sample, seconds, tables

EASY = packs.pack("easy")[0]
TRAPS = {record.solutions: record for record in packs.pack("traps")}


def test_everybody_is_there():
    complete = {name for name in registry.names() if registry.solver(name).complete}
    there = {name for name in complete if not registry.solver(name).missing()}
    assert set(everybody()) == there | {"exact engine"} | {
        f"automata, {name}" for name in ("one-hot", "int-distinct", "finite-domain", "bit-vectors")}


def test_a_sample_is_drawn_by_seed():
    names = [record.name for record in sample("hard", 10)]
    assert len(set(names)) == 10
    assert names == [record.name for record in sample("hard", 10)]
    assert names != [record.name for record in packs.pack("hard")[:10]]
    assert sample("hard", 0) == list(packs.pack("hard"))
    assert sample("traps", 10) == list(packs.pack("traps"))


def test_what_is_undecided_is_later_than_anything():
    def told(*taken):
        return Cell(tuple(Answer("some" if t else "undecided", seconds=t or 10.0) for t in taken))

    def median(cell):
        return cell.median(lambda answer: answer.seconds)

    assert median(told(1.0, 2.0, None)) == 2.0
    assert math.isinf(median(told(1.0, None)))
    assert told(1.0, None, None).counts() == "1 0 2"
    assert [seconds(each, "> 2 s") for each in (math.inf, 1.234, 0.0234, 0.00042)] == [
        "> 2 s", "1.2 s", "23.4 ms", "0.42 ms"]


def test_a_wrong_answer_is_one():
    assert not is_wrong(EASY, Answer("some", (EASY.solution,)))
    assert not is_wrong(EASY, Answer("undecided"))
    assert is_wrong(EASY, Answer("none"))
    assert is_wrong(EASY, Answer("some", (EASY.solution[::-1],)))
    assert is_wrong(TRAPS[0], Answer("some"))
    assert not is_wrong(TRAPS[0], Answer("none"))
    assert cell_of(lambda puzzle, limit: Answer("none"), [EASY, TRAPS[0]], 1.0).counts() == "0 2 0 WRONG"


def test_an_automaton_is_asked_from_nothing():
    answer = by_new_automaton("one-hot", EASY.puzzle, 60.0)
    assert answer.grids == (EASY.solution,)
    assert answer.steps
    assert by_new_automaton("one-hot", TRAPS[0].puzzle, 60.0).says == "none"
    assert by_new_automaton("int-distinct", packs.pack("16x16")[0].puzzle, 0.01).says == "undecided"


def test_tables_have_a_row_for_each_and_a_column_for_every_pack():
    told = Answer("some", seconds=0.002, steps=1200), Answer("undecided"), Answer("none", seconds=0.004, steps=3)
    cell = Cell(told)
    text = tables({"dlx": {"easy": cell}}, {"easy": [EASY] * 3}, 2.0)
    assert text.count("easy (3)") == 3
    assert [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| dlx")] == [
        "1 1 1", "4.00 ms", "1 200"]
