"""Whole lists of classic 9x9 puzzles through the fast engine, in arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.exact import BUDGET, Stop, never
from engine.exact.batch_kernel import solve_each
from engine.exact.stacks import band_arrays
from engine.puzzle import geometry

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
