"""The formula in words, held against what the encodings really assert."""

from __future__ import annotations

import pytest

from engine import registry
from engine.automata import encodings, formula
from engine.automata.formula import Instance, formula_panel, marked
from engine.automata.transitions import NONE, value_panel, word_panel
from engine.puzzle import geometry
from engine.puzzles import packs

HARD = packs.find("hard:1").puzzle


def test_the_names_of_the_encodings_are_theirs() -> None:
    assert sorted(formula.ENCODINGS) == sorted(encodings.NAMES) == sorted(formula.ABOUT)


@pytest.mark.parametrize("name", encodings.NAMES)
@pytest.mark.parametrize("board", [geometry(2), geometry(3), geometry(2, "diagonal")])
def test_as_many_constraints_as_are_asserted(name, board) -> None:
    encoding = encodings.make(name, board)
    rules = [len(encoding.rule(unit)) for unit in board.units]
    numbers = getattr(encoding, "variables", ())
    assert formula.variables(board, name) == sum(map(len, encoding.literals)) + len(numbers)
    assert formula.assertions(board, name) == len(encoding.domain()) + sum(rules)
    assert formula.assertions(board, name, alone=True) == len(encoding.domain()) + rules[0]
    assert formula.totals(formula.unit_formula(board, board.units[0], name)) == (
        formula.assertions(board, name, alone=True), 0)


def test_every_constraint_is_counted_once() -> None:
    lines = formula.formula(Instance(HARD, HARD.givens, "one-hot", (5, 2), (13,), ((28, 2),)))
    asserted = [line for line in lines if line.kind in ("cell", "means", "unit")]
    assert sum(line.many for line in asserted) == formula.assertions(HARD.geometry, "one-hot")
    assert sum(line.many for line in lines if line.kind == "given") == 17
    assert formula.totals(lines) == (324, 18)
    assert [(line.label, line.text) for line in marked(lines)] == [
        ("asked", "r1c6 = 2"), ("given", "r4c2 = 2"), ("column 5", "each value once in r1c5 … r9c5")]


def test_the_value_asked_about_replaces_the_value_of_the_cell() -> None:
    lines = formula.formula(Instance(HARD, HARD.givens, asked=(0, 9)))
    assert sum(line.many for line in lines if line.kind == "given") == 16
    assert lines[0].text == "r1c1 = 9"


def test_set_values_differ_from_givens() -> None:
    cells = (*HARD.givens[:1], 6, *HARD.givens[2:])
    lines = formula.formula(Instance(HARD, cells))
    assert [(line.kind, line.text, line.many) for line in lines[:2]] == [("given", "r1c1 = 4", 17),
                                                                       ("set", "r1c2 = 6", 1)]


def test_an_automaton_waits_for_a_value() -> None:
    panel = value_panel(HARD, 0, 4, HARD.givens)
    assert panel.title == "One 4 in row 1"
    assert panel.accepted
    assert panel.states[:2] == ("(0)", "(1)")
    assert not value_panel(HARD, 0, 2, HARD.givens).accepted


def test_a_word_is_spelled_letter_by_letter() -> None:
    assert word_panel(HARD, 0, range(1, 10)).accepted
    assert word_panel(HARD, 0, (1, 2, 0, 0, 0, 0, 0, 0, 0)).accepted is None
    repeated = word_panel(HARD, 0, (1, 2, 1, 4, 5, 6, 7, 8, 9), blame=(0, 2))
    assert repeated.accepted is False
    assert repeated.states == ("(0)", "(1)", "(2)", *[NONE] * 7)
    assert repeated.now == 2


def test_a_run_shows_its_formula_with_the_core_of_its_question() -> None:
    part = formula_panel(Instance(HARD, HARD.givens, "one-hot", (5, 2), (13,), ((5, 2), (28, 2))))
    assert part.lines == ("324 asserted + 18 assumed, one-hot", "cells, columns, rows, boxes 81; asked 1, given 17",
                          "core: 1 of 27 units, 2 values")
    assert formula_panel(Instance(HARD, HARD.givens, "int-distinct")).lines == (
        "837 asserted + 17 assumed, int-distinct", "cells 81; means 729; rows, columns, boxes 9; given 17")


@pytest.mark.parametrize(("preset", "assumed"), [
    ("one-hot", ("given 17", "blocking 1; cells, rows, columns, boxes 81; given 17")), ("one-solve", ("given 17",))])
def test_each_question_of_a_run_has_its_own_formula(preset, assumed) -> None:
    """What Z3 is told differs between the first and the second solution, and a grid that it found is no assumption."""
    solver = registry.solver("z3")
    params = solver.make_params(preset)
    state = solver.init(HARD, params, 0)
    steps = solver.steps(state, params)
    for wanted in assumed:
        events = next(steps)
        part = next(part for part in solver.view(state, params, events).panel.parts if part.title == "Formula")
        assert part.lines[1].endswith(wanted)
        asserted = 325 if "blocking" in wanted else 324
        assert part.lines[0].startswith(f"{asserted} asserted + 17 assumed")
        assert ("blocking" in part.lines[1]) == (asserted == 325)


@pytest.mark.parametrize("name", ["z3", "z3-inside"])
def test_the_formula_is_a_part_of_the_panel(name) -> None:
    solver = registry.solver(name)
    params = solver.make_params()
    view = solver.view(solver.init(HARD, params, 0), params, ())
    assert "Formula" in [part.title for part in view.panel.parts]
