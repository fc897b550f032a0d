"""Lists of puzzles at once: the same answers as one by one, chunk by chunk."""

from __future__ import annotations

import numpy as np
import pytest

from engine import solutions as exact
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import batch, minimal
from tests.engine.solutions.test_solutions import EMPTY, NO_CLASH, made


def mixed() -> np.ndarray:
    puzzles = [made(seed, seed % 4 == 0, seed % 3) for seed in range(40)]
    return np.array([puzzle.givens for puzzle in [*puzzles, EMPTY, NO_CLASH]], np.uint8)


@pytest.mark.parametrize("limit", [1, 2, 30])
def test_each_row_is_answered_as_if_alone(limit: int) -> None:
    puzzles = mixed()
    solutions, counts = batch.solve_all(puzzles, limit)
    assert set(np.minimum(counts, 2).tolist()) == ({0, 1} if limit == 1 else {0, 1, 2})
    for givens, solution, count in zip(puzzles.tolist(), solutions.tolist(), counts.tolist(), strict=True):
        known = exact.count(Puzzle(tuple(givens)), limit)
        assert count == known.found
        assert tuple(solution) == (known.examples[0] if known.found else tuple(givens))


def test_a_budget_that_is_spent_shows_below_zero() -> None:
    hard = packs.find("extreme:1").puzzle
    puzzles = np.array([EMPTY.givens, hard.givens, NO_CLASH.givens], np.uint8)
    counts = batch.solve_all(puzzles, 10**6, 60)[1].tolist()
    assert counts[0] < -2
    assert counts[1:] == [1, 0]
    assert batch.solve_all(puzzles, 2, 1)[1].tolist() == [-1, -1, 0]


def test_chunks_come_in_order_until_somebody_stops() -> None:
    puzzles, grids = minimal.make(3, 0, batch.CHUNK + 88)
    puzzles.flags.writeable = False
    sizes = []
    for solutions, counts in batch.solve_chunks(puzzles, 2):
        begun = sum(sizes)
        sizes.append(len(counts))
        assert (counts == 1).all()
        assert (solutions == grids[begun:begun + len(counts)]).all()
    assert sizes == [batch.CHUNK, 88]
    assert len(list(batch.solve_chunks(puzzles, stop=lambda: True))) == 1


def test_anything_but_a_list_of_boards_is_refused() -> None:
    for wrong in (np.zeros(81, np.uint8), np.zeros((2, 80), np.uint8), np.zeros((2, 81), np.int64)):
        with pytest.raises(ValueError, match="expected uint8"):
            batch.solve_all(wrong)
    with pytest.raises(ValueError, match="a value 10"):
        batch.solve_all(np.full((1, 81), 10, np.uint8))
    assert batch.solve_all(np.zeros((0, 81), np.uint8))[1].size == 0


def test_checking_takes_solutions_and_nothing_else() -> None:
    puzzles = np.array([record.puzzle.givens for record in packs.pack("easy")], np.uint8)
    grids, _counts = batch.solve_all(puzzles)
    assert batch.are_solutions(puzzles, grids).all()
    for cell in range(81):
        wrong = grids.copy()
        wrong[:, cell] = wrong[:, cell] % 9 + 1
        assert not batch.are_solutions(puzzles, wrong).any()
    assert not batch.are_solutions(puzzles, puzzles).any(), "a free cell is no solution"
    others = np.roll(grids, 1, axis=0)
    assert not batch.are_solutions(puzzles, others).any(), "the solutions of other puzzles"
