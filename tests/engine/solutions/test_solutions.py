"""The front of the exact engine: counts, examples and proofs against trying everything, for every size and variant."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solutions as exact
from engine.energy import is_solution
from engine.puzzle import Puzzle, Variant
from engine.puzzles import packs
from engine.solutions import minimal
from engine.solutions.stack import BitboardStack, MaskStack
from tests.engine.solvers.exact.trying import solutions

VARIANTS = st.sampled_from(["classic", "diagonal"])
EMPTY = Puzzle((0,) * 81)
NO_CLASH = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....9")
"""No value occurs twice in a unit, and there is no solution."""


def thinned(puzzle: Puzzle, seed: int, clues: int) -> Puzzle:
    """The puzzle with `clues` of its givens."""
    left = set(random.Random(seed).sample([c for c, value in enumerate(puzzle.givens) if value], clues))
    return Puzzle(tuple(v if c in left else 0 for c, v in enumerate(puzzle.givens)), puzzle.box, puzzle.variant)


def made(seed: int, spoilt: bool, dropped: int) -> Puzzle:
    """A 9x9 puzzle with one solution, or with a wrong value, or with less givens."""
    puzzles, _grids = minimal.make(seed, 0, 1)
    givens = puzzles[0].tolist()
    chance = random.Random(seed)
    clues = [cell for cell in range(81) if givens[cell]]
    for cell in chance.sample(clues, dropped):
        givens[cell] = 0
    if spoilt:
        cell = chance.choice(clues)
        givens[cell] = givens[cell] % 9 + 1
    return Puzzle(tuple(givens))


@pytest.mark.sweep
@given(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16), VARIANTS)
@settings(max_examples=200)
def test_counts_agree_with_trying_everything(givens: list[int], variant: Variant) -> None:
    puzzle = Puzzle(tuple(givens), 2, variant)
    expected = solutions(puzzle, 400)
    known = exact.count(puzzle, 400)
    assert (known.found, known.exact) == (len(expected), True)
    assert set(known.examples) <= set(expected)
    assert len(set(known.examples)) == min(2, len(expected))


@pytest.mark.parametrize("variant", ["classic", "diagonal"])
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000])
def test_the_empty_small_board_is_counted_up_to_the_limit(variant: Variant, limit: int) -> None:
    puzzle = Puzzle((0,) * 16, 2, variant)
    every = len(solutions(puzzle, 1000))
    known = exact.count(puzzle, limit)
    assert every == {"classic": 288, "diagonal": 48}[variant]
    assert (known.found, known.exact) == (min(limit, every), limit > every)


@given(st.integers(0, 400), st.booleans(), st.integers(0, 3))
@settings(max_examples=60)
def test_both_engines_find_the_same_solutions(seed: int, spoilt: bool, dropped: int) -> None:
    puzzle = made(seed, spoilt, dropped)
    found = []
    for stack in (BitboardStack(puzzle), MaskStack(puzzle)):
        examples = set()
        while (example := stack.search(2000, 10**6)) is not None:
            examples.add(example)
            assert is_solution(puzzle, example)
        found.append(stack.found)
        assert len(examples) == min(2, stack.found)
        assert stack.is_empty or stack.found == 2000
    assert found[0] == found[1]
    if not spoilt:
        assert (found[0] > 1) == (dropped > 0)


@pytest.mark.sweep
@given(st.integers(0, 100))
@settings(max_examples=10)
def test_nine_by_nine_agrees_with_trying_everything(seed: int) -> None:
    puzzle = made(seed, spoilt=seed % 3 == 0, dropped=seed % 2)
    expected = solutions(puzzle, 3)
    known = exact.count(puzzle, 3)
    assert known.found == len(expected)
    assert known.found != 1 or known.examples == (expected[0],)


@given(st.integers(0, 1000), st.randoms(use_true_random=False))
@settings(max_examples=40)
@pytest.mark.sweep
def test_a_board_turned_relabelled_and_permuted_has_as_many(seed: int, chance: random.Random) -> None:
    puzzle = made(seed, False, 2)
    label = [0, *chance.sample(range(1, 10), 9)]
    lines = [[3 * band + line for band in chance.sample(range(3), 3) for line in chance.sample(range(3), 3)]
             for _direction in range(2)]
    rows = [[label[puzzle.givens[9 * r + c]] for c in lines[1]] for r in lines[0]]
    turned = [value for column in zip(*rows, strict=True) for value in column]
    assert exact.count(Puzzle(tuple(turned)), 500).found == exact.count(puzzle, 500).found


@pytest.mark.parametrize("pack", packs.pack_names())
def test_shipped_puzzles_have_as_many_solutions_as_their_files_say(pack: str) -> None:
    for record in packs.pack(pack):
        known = exact.count(record.puzzle, 2)
        assert known.found == min(2, record.solutions or 0), record.name
        assert all(is_solution(record.puzzle, example) for example in known.examples)
        assert exact.unique(record.puzzle) == (record.solutions == 1)


@pytest.mark.parametrize("cells", [(0, 8), (0, 72), (0, 20)])
@pytest.mark.parametrize("box", [3, 5])
def test_givens_that_contradict_each_other_have_no_solution(cells: tuple[int, int], box: int) -> None:
    givens = [0] * box**4
    for cell in cells:
        row, column = divmod(cell, 9)
        givens[row * box * box + column] = 7
    puzzle = Puzzle(tuple(givens), box)
    assert puzzle.clashes() or (box, cells) == (5, (0, 20))
    if puzzle.clashes():
        assert exact.solve(puzzle) == exact.Solved("no_solution", None, 0)


@pytest.mark.parametrize("box", [2, 3, 4])
@pytest.mark.parametrize("cells", ["all", "odd", "rows", "boxes"])
def test_a_value_in_every_cell_is_no_solution(box: int, cells: str) -> None:
    n = box * box
    holds = {"all": lambda cell: True, "odd": lambda cell: cell % 2, "rows": lambda cell: cell // n % box == 0,
             "boxes": lambda cell: cell // n // box == cell % n // box}[cells]
    givens = tuple(box if holds(cell) else 0 for cell in range(n * n))
    assert exact.count(Puzzle(givens, box)) == exact.Solutions(0, True, (), 0)


def test_none_one_and_many() -> None:
    one = packs.find("extreme:1").puzzle
    assert [exact.solve(puzzle).outcome for puzzle in (NO_CLASH, one, EMPTY)] == ["no_solution", "solved", "solved"]
    assert [exact.unique(puzzle) for puzzle in (NO_CLASH, one, EMPTY)] == [False, True, False]
    assert [exact.count(puzzle).answer for puzzle in (NO_CLASH, one, EMPTY)] == ["none", "one", "several"]
    assert len(set(exact.count(EMPTY).examples)) == 2


def test_without_budget_it_is_unknown() -> None:
    hard = packs.find("extreme:1").puzzle
    assert exact.solve(hard, budget=1) == exact.Solved("unknown", None, 1)
    assert exact.unique(hard, budget=1) is None
    known = exact.count(EMPTY, 10**9, budget=3000)
    assert not known.exact
    assert (known.answer, known.guesses) == ("several", 3000)
    assert known.found > 100


def test_it_stops_when_asked() -> None:
    asked = iter([False, False, True])
    known = exact.count(EMPTY, 10**9, 10**9, lambda: next(asked))
    assert (known.guesses, known.exact) == (2 * exact.SLICE, False)
    assert exact.solve(EMPTY, stop=lambda: True) == exact.Solved("unknown", None, 0)


@pytest.mark.parametrize("variant", ["classic", "diagonal"])
def test_slices_of_work_come_to_the_same(variant: Variant) -> None:
    puzzle = thinned(Puzzle(minimal.full_grid(3, 1, 3, variant), 3, variant), 5, 14)
    at_once = exact.count(puzzle, 5000)
    search = exact.Search(puzzle, 5000)
    assert not search.over
    assert search.solutions == exact.Solutions(0, False, (), 0)
    while not search.over:
        search.work(7)
    assert search.solutions == at_once
    assert at_once.found > 2


@pytest.mark.parametrize(("box", "clues"), [(4, 140), (5, 400)])
@pytest.mark.parametrize("variant", ["classic", "diagonal"])
def test_large_boards_are_solved(box: int, clues: int, variant: Variant) -> None:
    grid = minimal.full_grid(2, 0, box, variant)
    puzzle = thinned(Puzzle(grid, box, variant), 1, clues)
    known = exact.solve(puzzle)
    assert known.outcome == "solved"
    assert known.grid is not None
    assert is_solution(puzzle, known.grid)
