"""Hints start from the correctly filled cells, and lead to the solution one after the other."""

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import solve
from engine.techniques.hint import hints, rightly_filled
from tests.engine.techniques.boards import CHAINED

EASY = packs.pack("easy")[0].puzzle


def test_wrong_cells_count_for_nothing() -> None:
    grid = solve(EASY).grid
    assert grid is not None
    free = EASY.free_cells
    cells = list(EASY.givens)
    cells[free[0]], cells[free[1]] = grid[free[0]], grid[free[1]] % 9 + 1
    filled = rightly_filled(EASY, cells)
    assert filled[free[0]] == grid[free[0]]
    assert filled[free[1]] == 0


def test_of_a_puzzle_with_many_solutions_only_the_givens_count() -> None:
    puzzle = Puzzle((1,) + (0,) * 80)
    assert rightly_filled(puzzle, (1, 2) + (0,) * 79) == puzzle.givens


def test_one_after_the_other_they_solve_it() -> None:
    for puzzle in (EASY, CHAINED):
        *_, last = hints(puzzle, puzzle.givens)
        grid = list(last.grid)
        for cell, value in last.finding.placed:
            grid[cell] = value
        assert tuple(grid) == solve(puzzle).grid


def test_a_contradiction_gives_no_hint() -> None:
    assert list(hints(Puzzle((1, 1) + (0,) * 79), (1, 1) + (0,) * 79)) == []
