"""Random full grids, and puzzles with one solution none of whose clues can go: what a generator is made of.

Everything is drawn from (seed, number): the same puzzle everywhere, and number k without those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import rng
from engine.exact import BUDGET, Grid, Stop, minimal_kernel, never, unique
from engine.exact.stacks import MaskStack, band_arrays
from engine.puzzle import Puzzle, Variant

Values = NDArray[np.uint8]

STREAM: Final = 16
"""The stream of grids and of the order in which clues are removed."""
ATTEMPTS: Final = 64
GUESSES: Final = 4_000
"""A random filling of a large board that takes more guesses than that is begun again."""

Orbits = Sequence[Sequence[int]]
"""Cells that are removed together: every cell stands in one of them."""


def make(seed: int, first: int, count: int, orbits: Orbits | None = None) -> tuple[Values, Values]:
    """Classic 9x9 puzzles number first ... first + count - 1 of a seed and their solutions: uint8[count, 81] both.

    Each has one solution, and none without one of its orbits (none without one of its clues, when no orbits are
    given). Orbits are removed in a random order for as long as the solution stays unique.
    """
    table = _table(orbits or [(cell,) for cell in range(81)])
    puzzles, grids = np.empty((count, 81), np.uint8), np.empty((count, 81), np.uint8)
    scratch = (*band_arrays(), table.copy(), np.empty(81, np.uint8))
    minimal_kernel.make(np.uint64(rng.stream_key(seed, STREAM)), first, table, puzzles, grids, scratch)
    return puzzles, grids


def full_grid(seed: int, number: int, box: int = 3, variant: Variant = "classic") -> Grid:
    """The random full grid of that number: on classic 9x9 the one that `make` begins with."""
    if box == 3 and variant == "classic":
        return _classic_grid(seed, number)
    empty = Puzzle((0,) * box**4, box, variant)
    for attempt in range(ATTEMPTS):
        grid = MaskStack(empty, rng.draw(seed, STREAM, number, attempt) | 1).search(1, GUESSES)
        if grid is not None:
            return grid
    grid = MaskStack(empty).search(1, 2**62)  # without chance it takes less than a thousand guesses
    assert grid is not None
    return grid


def _classic_grid(seed: int, number: int) -> Grid:
    cells = np.empty(81, np.uint8)
    minimal_kernel.random_grid(np.uint64(rng.stream_key(seed, STREAM)), number, band_arrays()[0], cells)
    return tuple(cells.tolist())


def reduce(puzzle: Puzzle, orbits: Iterable[Sequence[int]], budget: int = BUDGET, stop: Stop = never) -> Puzzle:
    """Remove the clues of each orbit, one after the other, where the solution stays unique; any size and variant.

    An orbit stays where uniqueness cannot be told within the budget of guesses, and those stay that are left when
    `stop` says so: the puzzle always has one solution, if it had one.
    """
    for orbit in orbits:
        if stop():
            break
        gone = set(orbit)
        fewer = Puzzle(tuple(0 if cell in gone else value for cell, value in enumerate(puzzle.givens)), puzzle.box,
                       puzzle.variant)
        if unique(fewer, budget, stop):
            puzzle = fewer
    return puzzle


def _table(orbits: Orbits) -> NDArray[np.int16]:
    """The orbits as rows, padded with -1. Raises ValueError unless every cell stands in exactly one."""
    if sorted(cell for orbit in orbits for cell in orbit) != list(range(81)):
        raise ValueError("orbits of cells: expected each of the 81 cells in exactly one of them")
    width = max(map(len, orbits))
    return np.array([[*orbit, *[-1] * (width - len(orbit))] for orbit in orbits], np.int16)
