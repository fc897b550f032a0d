"""The rating of puzzles of known difficulty, and the symmetries that it must not depend on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.rating import HARDNESS, WORDS, rate, word_of
from engine.solutions import minimal
from engine.techniques.order import CHAINS
from tests.engine.techniques.boards import HARD, HARD_FOR_SEARCH, relabelled, transposed


def test_full_grid() -> None:
    rating = rate(Puzzle(minimal.full_grid(1, 0)))
    assert (rating.value, rating.word, rating.hardest, rating.solved_by_logic) == (1.0, "easy", None, True)


def test_singles_are_easy() -> None:
    rating = rate(packs.pack("easy")[0].puzzle)
    assert rating.word == "easy"
    assert rating.hardest in ("Hidden single", "Naked single")
    assert rating.solved_by_logic


def test_hard_for_search_need_not_be_hard_for_people() -> None:
    assert rate(Puzzle.from_line(HARD_FOR_SEARCH)).word == "medium"
    assert rate(Puzzle.from_line(HARD)).word == "extreme"


def test_empty_and_contradictory_boards_are_not_solved() -> None:
    assert not rate(Puzzle((0,) * 81)).solved_by_logic
    assert not rate(Puzzle((1, 1) + (0,) * 79)).solved_by_logic
    full_but_wrong = Puzzle((*minimal.full_grid(1, 0)[1:], 1))
    assert not rate(full_but_wrong).solved_by_logic


@pytest.mark.parametrize("box", [2, 4, 5])
def test_other_sizes(box: int) -> None:
    grid = minimal.full_grid(1, 0, box)
    rating = rate(Puzzle((0, *grid[1:]), box))
    assert (rating.hardest, rating.solved_by_logic) == ("Hidden single", True)


@settings(max_examples=25)
@given(number=st.integers(0, 10**6), names=st.permutations(range(1, 10)))
@pytest.mark.sweep
def test_symmetric_puzzles_are_rated_alike(number: int, names: list[int]) -> None:
    puzzles, _grids = minimal.make(3, number, 1)
    puzzle = Puzzle(tuple(puzzles[0].tolist()))
    assert rate(puzzle) == rate(relabelled(transposed(puzzle), names))


def test_words_follow_the_values() -> None:
    bounds = [below for below, _word in WORDS]
    assert bounds == sorted(bounds)
    assert [word_of(below - 0.01) for below in bounds] == ["easy", "medium", "hard"]
    assert word_of(bounds[-1]) == "extreme"


def test_every_technique_has_its_hardness() -> None:
    from engine.techniques.order import TECHNIQUES

    assert {technique.name for technique in TECHNIQUES} == {*HARDNESS, *CHAINS}


def test_puzzles_beyond_all_techniques_are_rated_highest() -> None:
    rating = rate(Puzzle.from_line(HARD))
    assert (rating.value, rating.solved_by_logic) == (10.0, False)
