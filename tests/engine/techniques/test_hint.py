"""Hints lead to the solution, and it is known whether a grid is on the way to one."""

import pytest

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import count, solve
from engine.techniques import hint
from engine.techniques.hint import completes, hints
from tests.engine.techniques.boards import CHAINED

EASY = packs.pack("easy")[0].puzzle


def test_values_of_the_solution_complete_to_it() -> None:
    grid = solve(EASY).grid
    assert grid is not None
    free = EASY.free_cells
    cells = list(EASY.givens)
    cells[free[0]] = grid[free[0]]
    assert completes(EASY, cells) is True
    assert completes(EASY, grid) is True
    assert completes(EASY, EASY.givens) is True


def test_one_wrong_value_has_no_solution() -> None:
    grid = solve(EASY).grid
    assert grid is not None
    free = EASY.free_cells
    cells = list(EASY.givens)
    cells[free[0]], cells[free[1]] = grid[free[0]], grid[free[1]] % 9 + 1
    assert completes(EASY, cells) is False


def test_values_of_any_solution_of_several_are_right() -> None:
    puzzle = packs.find("traps:2").puzzle
    both = count(puzzle, 2).examples
    assert len(both) == 2
    assert [completes(puzzle, grid) for grid in both] == [True, True]
    differing = [cell for cell in range(81) if both[0][cell] != both[1][cell]]
    mixed = list(both[0])
    mixed[differing[0]] = both[1][differing[0]]
    assert completes(puzzle, mixed) is False


def test_it_is_not_known_where_the_search_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "solve", lambda puzzle: solve(puzzle, budget=0))
    empty = Puzzle((0,) * 256, 4)
    assert completes(empty, (1, *empty.givens[1:])) is None


def test_one_after_the_other_they_solve_it() -> None:
    for puzzle in (EASY, CHAINED):
        *_, last = hints(puzzle, puzzle.givens)
        grid = list(last.grid)
        for cell, value in last.finding.placed:
            grid[cell] = value
        assert tuple(grid) == solve(puzzle).grid


def test_a_contradiction_gives_no_hint() -> None:
    assert list(hints(Puzzle((1, 1) + (0,) * 79), (1, 1) + (0,) * 79)) == []
