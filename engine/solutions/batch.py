"""Whole lists of classic 9x9 puzzles through the fast engine, in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import kernel
from engine.puzzle import geometry
from engine.solutions import BUDGET, Stop, never
from engine.solutions.bitboard import search, set_up, write
from engine.solutions.stack import band_arrays
from engine.solutions.words import DEPTH, FOUND

# The loop of the batch solver: classic 9x9 puzzles, one after the other, on one stack.


@kernel
def solve_each(puzzles: Any, solutions: Any, counts: Any, limit: Any, guesses: Any, stack: Any, books: Any) -> None:
    """Solve the rows of `puzzles`, uint8[k, 81].

    solutions[i] is the first solution, or the givens where there is none; counts[i], int32, how many there are, up to
    `limit`; -1 - how many when so many guesses were made and boards are left.
    """
    for i in range(puzzles.shape[0]):
        set_up(stack, puzzles[i])
        for cell in range(81):
            solutions[i, cell] = puzzles[i, cell]
        books[DEPTH] = books[FOUND] = 0
        at = search(stack, books, limit, guesses)
        if at >= 0:
            write(stack, at, solutions[i])
        while at >= 0:
            at = search(stack, books, limit, guesses)
        spent = books[DEPTH] >= 0 and books[FOUND] < limit
        counts[i] = -1 - books[FOUND] if spent else books[FOUND]


Values = NDArray[np.uint8]
Counts = NDArray[np.int32]

CHUNK = 512
"""Puzzles of one call of the kernel, between two looks at whether to stop: a few milliseconds."""


def solve_all(puzzles: Values, limit: int = 1, budget: int = BUDGET) -> tuple[Values, Counts]:
    """The first solution of each row of `puzzles`, uint8[k, 81] (0 = free), and how many each has, up to `limit`.

    Where there is no solution the givens are returned. A count below 0 means that the budget of guesses of that puzzle
    was spent: at least -1 - count solutions. Raises ValueError for another shape or type.
    """
    _check(puzzles)
    solutions, counts = np.empty(puzzles.shape, np.uint8), np.empty(len(puzzles), np.int32)
    for _part in _parts(puzzles, solutions, counts, limit, budget):
        pass
    return solutions, counts


def solve_chunks(puzzles: Values, limit: int = 1, budget: int = BUDGET, stop: Stop = never,
                 ) -> Iterator[tuple[Values, Counts]]:
    """The same chunk by chunk, in their order, until `stop` says so."""
    _check(puzzles)
    solutions, counts = np.empty(puzzles.shape, np.uint8), np.empty(len(puzzles), np.int32)
    for part in _parts(puzzles, solutions, counts, limit, budget):
        yield solutions[part], counts[part]
        if stop():
            return


def are_solutions(puzzles: Values, grids: Values) -> NDArray[np.bool_]:
    """For each row whether `grids` solves `puzzles`, both uint8[k, 81]; written apart from the kernel."""
    _check(puzzles)
    _check(grids)
    units = np.array([unit.cells for unit in geometry(3).units])
    whole = np.bitwise_or.reduce(np.left_shift(np.uint16(1), grids.astype(np.uint16))[:, units], axis=2) == 0b1111111110
    kept = (puzzles == 0) | (puzzles == grids)
    right: NDArray[np.bool_] = whole.all(axis=1) & kept.all(axis=1)
    return right


def _check(puzzles: Values) -> None:
    if puzzles.ndim != 2 or puzzles.shape[1] != 81 or puzzles.dtype.name != "uint8":
        raise ValueError(f"an array {puzzles.dtype.name}{list(puzzles.shape)}: expected uint8[k, 81]")
    if puzzles.size and puzzles.max() > 9:
        raise ValueError(f"a value {puzzles.max()}: expected 0 (free) to 9")


def _parts(puzzles: Values, solutions: Values, counts: Counts, limit: int, budget: int) -> Iterator[slice]:
    """Solve chunk by chunk; each as the slice that is done."""
    puzzles = np.array(puzzles, order="C")  # a copy: kernels are compiled for writable arrays
    arrays = band_arrays()
    for first in range(0, len(puzzles), CHUNK):
        part = slice(first, first + CHUNK)
        solve_each(puzzles[part], solutions[part], counts[part], limit, budget, *arrays)
        yield part
