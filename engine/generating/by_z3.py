"""Uniqueness told by Z3's automata in place of the exact engine: the same puzzles, by quite another way."""

from __future__ import annotations

from engine.generating.making import Spec, Unique
from engine.puzzle import Puzzle
from engine.solutions import Stop

LARGEST_BOX = 3
"""Beyond 9x9 a question has no bound that is the same on every machine."""


def unique_by_z3(spec: Spec) -> Unique:
    """One automaton of the board, built once, that answers every question about its clues."""
    from engine.automata.sudoku import SudokuAutomaton

    automaton = SudokuAutomaton(Puzzle((0,) * spec.n**2, spec.box, spec.variant))

    def unique(puzzle: Puzzle, stop: Stop) -> bool | None:
        for cell, value in enumerate(puzzle.givens):
            automaton.set_cell(*divmod(cell, spec.n), value)
        answer = automaton.unique(timeout=None)
        return None if answer == "unknown" else answer == "yes"

    return unique
