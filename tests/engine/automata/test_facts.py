"""Asserted facts hold exactly as long as their values are placed: placements against the exact engine, in any order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.automata import encodings
from engine.automata.sudoku import SudokuAutomaton
from engine.puzzle import Puzzle
from engine.solutions import solve

MOVES = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 4), st.integers(1, 6)), max_size=12)
FULL = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


@pytest.mark.parametrize("encoding", encodings.NAMES)
@given(MOVES, st.integers(0, 15))
@settings(max_examples=12, deadline=None)
def test_a_placement_is_valid_where_the_exact_engine_finds_a_completion(encoding, moves, kept):
    automaton = SudokuAutomaton(Puzzle((*FULL[:kept], *(0,) * (16 - kept)), 2), encoding)
    for place, value, questions in moves:
        automaton.set_cell(*divmod(place, 4), value)
        for cell in range(place, place + questions):
            asked = cell * 7 % 16, cell % 4 + 1
            cells = [asked[1] if k == asked[0] else standing for k, standing in enumerate(automaton.cells)]
            expected = not Puzzle(tuple(cells), 2).clashes() and solve(Puzzle(tuple(cells), 2)).grid is not None
            assert automaton.is_valid_placement(*divmod(asked[0], 4), asked[1]) == expected


def test_placed_values_become_facts_and_are_retracted():
    automaton = SudokuAutomaton(Puzzle((*FULL[:12], 0, 0, 0, 0), 2))
    facts = []
    for cell, value in ((12, 4), (12, 3), (13, 3), (14, 1), (12, 4)):
        assert automaton.is_valid_placement(*divmod(cell, 4), value) == (FULL[cell] == value)
        facts.append(len(automaton.network._facts._facts))
    assert facts == [0, 0, 12, 12, 12]
    assert automaton.ask(0, 0, 2).result == "unsat"
    assert not automaton.is_valid_placement(0, 0, 2), "the cell itself does not count"
    assert automaton.network._facts._facts == frozenset()
    automaton.set_cell(0, 0, 0)
    assert automaton.is_valid_placement(0, 0, 1)
    assert automaton.solve().grid == FULL
