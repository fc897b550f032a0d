"""`anneal-linear` against textbook simulated annealing in plain Python on `engine.rng` and `engine.energy`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pytest

from engine import registry, rng
from engine.energy import row_state_energy
from engine.events import SwapJudged
from engine.puzzle import Puzzle
from tests.engine.solvers.annealing.boards import EASY, HARD

LEVELS, MOVES = 5, 30
"""T falls from 1 to 0 in 5 steps, 30 proposals at each temperature; then again."""

Proposal = tuple[tuple[int, int], int, bool, float]
"""(cells, ΔE, accepted, T)"""


def random_rows(puzzle: Puzzle, seed: int) -> list[int]:
    """The givens, and in each row its missing values in random order."""
    cells, drawn = list(puzzle.givens), 0
    for row in puzzle.geometry.rows:
        free = [cell for cell in row.cells if not cells[cell]]
        missing = [value for value in range(1, puzzle.n + 1) if value not in {cells[cell] for cell in row.cells}]
        for cell, value in zip(free, rng.shuffled(missing, seed, rng.FILL, 0, drawn), strict=True):
            cells[cell] = value
        drawn += max(0, len(free) - 1)
    return cells


def metropolis(puzzle: Puzzle, seed: int) -> Iterator[Proposal]:
    """Swap two free cells of a row; accept if ΔE < 0, or with probability e^(−ΔE/T)."""
    cells = random_rows(puzzle, seed)
    swaps = [swap for row in puzzle.geometry.rows
             for swap in combinations([cell for cell in row.cells if not puzzle.givens[cell]], 2)]
    step, energy = 0, row_state_energy(puzzle, cells)
    while energy:
        T = 1 - (step // MOVES) % (LEVELS + 1) / LEVELS
        step += 1
        word = rng.draw(seed, rng.MOVE, step)
        a, b = swaps[rng.below(word, len(swaps))]
        cells[a], cells[b] = cells[b], cells[a]
        delta = row_state_energy(puzzle, cells) - energy
        accepted = delta < 0 or (T > 0 and rng.uniform(word) < math.exp(-delta / T))
        if accepted:
            energy += delta
        else:
            cells[a], cells[b] = cells[b], cells[a]
        yield (a, b), delta, accepted, T


@pytest.mark.parametrize("puzzle", [Puzzle.from_line("1..." + "." * 12), EASY, HARD], ids=["4x4", "easy", "hard"])
@pytest.mark.parametrize("seed", [1, 2])
def test_anneal_linear_agrees_with_textbook_metropolis(puzzle: Puzzle, seed: int) -> None:
    solver = registry.solver("anneal-linear")
    params = solver.make_params(None, {"levels": LEVELS, "moves": MOVES})
    state = solver.init(puzzle, params, seed)
    steps = 0
    for events, expected in zip(solver.steps(state, params), metropolis(puzzle, seed), strict=False):
        judged = events[0]
        assert isinstance(judged, SwapJudged)
        assert (judged.cells, judged.delta, judged.accepted) == expected[:3]
        assert judged.temperature == pytest.approx(expected[3])
        steps += 1
        if steps == 400:
            break
    assert steps == 400 or (steps and state.energy == 0)
