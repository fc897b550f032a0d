"""The loop of the batch solver: classic 9x9 puzzles, one after the other, on one stack."""

from __future__ import annotations

from typing import Any

from engine.compiled.kernel import kernel
from engine.exact.bands_kernel import search, set_up, write
from engine.exact.words import DEPTH, FOUND


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
