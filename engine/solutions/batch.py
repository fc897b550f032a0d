"""Solve lists of classic 9x9 puzzles with the bitboard engine, in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import Int, kernel
from engine.puzzle import geometry
from engine.solutions import BUDGET, Stop, never
from engine.solutions.bitboard import Stack, search, set_up, write
from engine.solutions.search_counters import DEPTH, FOUND, Counters
from engine.solutions.stack import bitboard_arrays

Values: TypeAlias = NDArray[np.uint8]
"""uint8[k, 81]: k puzzles or grids, 0 = free."""
Counts: TypeAlias = NDArray[np.int32]
"""int32[k]"""

CHUNK = 512
"""Puzzles in one call of the kernel, between two checks of `stop`: a few milliseconds."""


def solve_all(puzzles: Values, limit: int = 1, budget: int = BUDGET) -> tuple[Values, Counts]:
    """The first solution of each puzzle (the givens if there is none), and its number of solutions up to `limit`.

    A count below 0 means that the guesses of that puzzle ran out: it has at least -1 - count solutions. Raises
    ValueError for another shape or type.
    """
    _check(puzzles)
    solutions, counts = np.empty(puzzles.shape, np.uint8), np.empty(len(puzzles), np.int32)
    for _part in _parts(puzzles, solutions, counts, limit, budget):
        pass
    return solutions, counts


def solve_chunks(puzzles: Values, limit: int = 1, budget: int = BUDGET, stop: Stop = never,
                 ) -> Iterator[tuple[Values, Counts]]:
    """`solve_all` chunk by chunk, in order, until `stop` returns True."""
    _check(puzzles)
    solutions, counts = np.empty(puzzles.shape, np.uint8), np.empty(len(puzzles), np.int32)
    for part in _parts(puzzles, solutions, counts, limit, budget):
        yield solutions[part], counts[part]
        if stop():
            return


def are_solutions(puzzles: Values, grids: Values) -> NDArray[np.bool_]:
    """bool[k]: True where a grid solves its puzzle. Independent of the kernels."""
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
    """Solve chunk by chunk, yielding the slice of each chunk solved."""
    puzzles = np.array(puzzles, order="C")  # a copy: kernels are compiled for writable arrays
    arrays = bitboard_arrays()
    for first in range(0, len(puzzles), CHUNK):
        part = slice(first, first + CHUNK)
        solve_each(puzzles[part], solutions[part], counts[part], limit, budget, *arrays)
        yield part


@kernel
def solve_each(puzzles: Values, solutions: Values, counts: Counts, limit: Int, guesses: Int, stack: Stack,
               counters: Counters) -> None:
    """Solve the rows of `puzzles` one after the other on one stack, at most `guesses` guesses each.

    solutions[i] is the first solution, or the givens if there is none. counts[i] is the number of solutions up to
    `limit`, or -1 - the number found when the guesses ran out before the search was complete.
    """
    for i in range(puzzles.shape[0]):
        set_up(stack, puzzles[i])
        for cell in range(81):
            solutions[i, cell] = puzzles[i, cell]
        counters[DEPTH] = counters[FOUND] = 0
        at = search(stack, counters, limit, guesses)
        if at >= 0:
            write(stack, at, solutions[i])
        while at >= 0:
            at = search(stack, counters, limit, guesses)
        spent = counters[DEPTH] >= 0 and counters[FOUND] < limit
        counts[i] = -1 - counters[FOUND] if spent else counters[FOUND]
