"""Hints start from a grid without wrong values, else from the givens, and lead to the solution."""

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import solve
from engine.techniques.hint import basis, hints
from tests.engine.techniques.boards import CHAINED

EASY = packs.pack("easy")[0].puzzle


def test_hints_rest_on_correct_values() -> None:
    grid = solve(EASY).grid
    assert grid is not None
    free = EASY.free_cells
    cells = list(EASY.givens)
    cells[free[0]] = grid[free[0]]
    assert basis(EASY, cells) == tuple(cells)


def test_hints_rest_on_the_givens_if_one_value_is_wrong() -> None:
    grid = solve(EASY).grid
    assert grid is not None
    free = EASY.free_cells
    cells = list(EASY.givens)
    cells[free[0]], cells[free[1]] = grid[free[0]], grid[free[1]] % 9 + 1
    assert basis(EASY, cells) == EASY.givens


def test_hints_rest_on_the_givens_of_a_puzzle_with_several_solutions() -> None:
    puzzle = Puzzle((1,) + (0,) * 80)
    assert basis(puzzle, (1, 2) + (0,) * 79) == puzzle.givens


def test_one_after_the_other_they_solve_it() -> None:
    for puzzle in (EASY, CHAINED):
        *_, last = hints(puzzle, puzzle.givens)
        grid = list(last.grid)
        for cell, value in last.finding.placed:
            grid[cell] = value
        assert tuple(grid) == solve(puzzle).grid


def test_a_contradiction_gives_no_hint() -> None:
    assert list(hints(Puzzle((1, 1) + (0,) * 79), (1, 1) + (0,) * 79)) == []
