"""Solutions are counted: none, one, at least two, or as far as the budget went."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import Count

NAMES = {0: "none", 1: "one", 2: "several"}


def counted(puzzle: Puzzle, budget: int = 4_000) -> Count:
    count = Count(puzzle, budget)
    while not count.over:
        count.work()
    return count


@pytest.mark.parametrize("pack", packs.pack_names())
def test_shipped_puzzles_have_as_many_solutions_as_their_files_say(pack: str) -> None:
    for record in packs.pack(pack):
        assert record.solutions is not None
        assert counted(record.puzzle).answer == NAMES[record.solutions], record.name


@pytest.mark.parametrize("box", [2, 3, 4, 5])
def test_empty_boards_have_several(box: int) -> None:
    assert counted(Puzzle((0,) * box**4, box)).answer == "several"


def test_without_budget_it_is_unknown() -> None:
    puzzle = packs.find("16x16:6").puzzle
    assert counted(puzzle, 3).answer == "unknown"
    assert counted(puzzle).answer == "one"


@given(st.lists(st.integers(0, 4), min_size=16, max_size=16))
def test_small_boards_agree_with_trying_everything(givens: list[int]) -> None:
    puzzle = Puzzle(tuple(givens), 2)
    assert counted(puzzle).answer == NAMES[min(2, len(solutions(puzzle)))]


def solutions(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Up to two solutions of a 4x4 puzzle, cell by cell."""
    if puzzle.clashes():
        return []
    free = puzzle.free_cells
    if not free:
        return [puzzle.givens]
    found: list[tuple[int, ...]] = []
    for value in range(1, 5):
        cells = list(puzzle.givens)
        cells[free[0]] = value
        found += solutions(Puzzle(tuple(cells), 2, puzzle.variant))
        if len(found) > 1:
            break
    return found


def test_work_can_be_stopped_and_continued() -> None:
    count = Count(packs.find("extreme:1").puzzle)
    assert count.answer == "unknown"
    for _slice in range(1000):
        count.work(3)
    assert (count.over, count.answer, count.found) == (True, "one", 1)
