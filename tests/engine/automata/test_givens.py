"""Validation of givens: cores are minimal contradictions, and explanations match the board."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.automata import encodings, givens
from engine.automata.explanation import UNEXPLAINED, explain_contradiction
from engine.automata.givens import validate_givens
from engine.automata.network import Network
from engine.events.search import MOST_IN_CORE
from engine.puzzle import Puzzle, geometry
from engine.solutions import solve

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
FOUR = Network(geometry(2))


def changed(puzzle, *pairs):
    cells = list(puzzle.givens)
    for cell, value in pairs:
        cells[cell] = value
    return Puzzle(tuple(cells), puzzle.box, puzzle.variant)


@pytest.mark.parametrize("encoding", encodings.NAMES)
def test_a_value_given_twice(encoding):
    verdict = validate_givens(changed(EASY, (0, 6)), encoding)
    assert verdict.status == "contradictory"
    core = verdict.contradictions[0].core
    assert core.texts(EASY.geometry) == ("row 1", "r1c1 = 6", "r1c7 = 6")
    assert verdict.contradictions[0].because == "row 1 has 6 at r1c1 and r1c7"
    assert (verdict.cells[:2], verdict.units[0]) == ((0, 6), 0)


def test_two_contradictions_are_both_named():
    verdict = validate_givens(Puzzle.from_line("11..........2..2"))
    assert [each.core.texts(geometry(2)) for each in verdict.contradictions] == [
        ("row 1", "r1c1 = 1", "r1c2 = 1"), ("row 4", "r4c1 = 2", "r4c4 = 2")]
    assert verdict.cells == (0, 1, 12, 15)


def test_a_value_without_a_place():
    puzzle = Puzzle.from_line("12....3.........")
    verdict = validate_givens(puzzle)
    assert len(verdict.contradictions) == 1
    assert set(verdict.cells) == {0, 1, 6}
    contradiction = verdict.contradictions[0]
    assert contradiction.core.units == (1, 8)  # row 2 and box 1: row 1 has no place left either, but is not needed
    assert contradiction.because == "box 1 has no place left for 3"


def test_givens_that_go_together():
    assert validate_givens(EASY) == givens.Verdict("consistent")
    assert validate_givens(Puzzle((0,) * 16, 2, "diagonal")).status == "consistent"


def test_a_timeout_decides_nothing_about_the_givens():
    verdict = validate_givens(changed(EASY, (0, 6)), timeout=0)
    assert (verdict.status, verdict.contradictions) == ("unknown", ())
    assert verdict.reason == "the limit of 0 s is reached"


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=9))
@settings(max_examples=60, deadline=None)
def test_a_core_contradicts_itself_and_nothing_of_it_can_be_left_out(pairs):
    puzzle = changed(Puzzle((0,) * 16, 2), *pairs)
    verdict = validate_givens(puzzle, network=FOUR)
    assert (verdict.status == "consistent") == (solve(puzzle).outcome == "solved")
    for each in verdict.contradictions:
        assert all(puzzle.givens[cell] == value for cell, value in each.core.placed)
        assert FOUR.ask(each.core.placed, each.core.units).result == "unsat"
        for pair in each.core.placed:
            assert FOUR.ask(set(each.core.placed) - {pair}, each.core.units).result == "sat"
        for unit in each.core.units:
            assert FOUR.ask(each.core.placed, set(each.core.units) - {unit}).result == "sat"


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=9))
@settings(max_examples=200, deadline=None)
@pytest.mark.sweep
def test_where_techniques_see_a_contradiction_there_is_one(pairs):
    puzzle = changed(Puzzle((0,) * 16, 2), *pairs)
    reported = explain_contradiction(puzzle, puzzle.givens)
    if reported is not None:
        assert solve(puzzle).outcome == "no_solution"
    elif solve(puzzle).outcome == "no_solution":
        assert not puzzle.clashes()


def test_large_cores_are_replaced_by_explanations():
    wrong = changed(HARD, (7, solve(HARD).grid[7] % 9 + 1))
    verdict = validate_givens(wrong)
    assert verdict.status == "contradictory"
    contradiction = verdict.contradictions[0]
    assert contradiction.core.size > MOST_IN_CORE
    assert not contradiction.helps
    assert contradiction.because.startswith("after ")
    assert verdict.cells == verdict.units == ()


def test_contradictions_beyond_the_techniques_are_reported_as_unexplained(monkeypatch):
    monkeypatch.setattr("engine.automata.explanation.SIMPLE", ())
    monkeypatch.setattr("engine.automata.explanation.OF_SOME_UNITS", ())
    wrong = changed(HARD, (7, solve(HARD).grid[7] % 9 + 1))
    assert validate_givens(wrong).contradictions[0].because == UNEXPLAINED
