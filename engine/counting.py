"""How many solutions a puzzle has: none, one, or at least two. Work that can be stopped and gone on with."""

from __future__ import annotations

from engine import exact
from engine.exact import Answer
from engine.puzzle import Puzzle

__all__ = ["BUDGET", "Answer", "Count"]

BUDGET = exact.BUDGET
"""Guesses before it is given up."""


class Count:
    """Counts the solutions of one puzzle, up to two. `work` until `over`, then read `answer`.

    The first `work` of a process compiles or loads kernels, which may take seconds.
    """

    def __init__(self, puzzle: Puzzle, budget: int = BUDGET) -> None:
        self._search = exact.Search(puzzle)
        self._left = budget

    @property
    def found(self) -> int:
        """Solutions found so far, at most two."""
        return self._search.solutions.found

    @property
    def over(self) -> bool:
        return self._search.over or self._left <= 0

    @property
    def answer(self) -> Answer:
        """What is known so far; `unknown` while boards are left that nobody has looked at."""
        return self._search.solutions.answer

    def work(self, guesses: int = exact.SLICE) -> None:
        """Make so many guesses, unless it is over before."""
        if not self.over:
            guesses = min(guesses, self._left)
            self._left -= guesses
            self._search.work(guesses)
