"""The exact engine, without steps: solve a puzzle, count its solutions; for checking, generating and rating.

    bitboard.py   classic 9x9: a word for each digit and band
    masks.py      any size and variant: a mask of candidates for each cell
    stack.py      a search by either, which can be paused; search_counters.py: its counters
    batch.py      lists of 9x9 puzzles in arrays
    minimal.py    random full grids and minimal puzzles

A count that is not exact, because the budget of guesses ran out or the caller stopped it, is `unknown`. Nothing is
random: the same puzzle has the same answer on any machine. Kernels are compiled at the first call, not at import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from engine.puzzle import Puzzle
from engine.solutions.stack import Stack, stack_of

Grid = tuple[int, ...]
"""n*n values, row by row."""
Answer = Literal["none", "one", "several", "unknown"]
Stop = Callable[[], bool]

BUDGET: Final = 200_000
"""Guesses before a search gives up: below 0.1 s on 9x9, about a second on 25x25."""
SLICE: Final = 500
"""Guesses between two checks of `stop`: at most some milliseconds."""


def never() -> bool:
    return False


class Solutions(Struct, frozen=True):
    """The solutions of a puzzle found so far."""

    found: int
    exact: bool
    """True if there are no others."""
    examples: tuple[Grid, ...]
    """The first two."""
    guesses: int

    @property
    def answer(self) -> Answer:
        if self.found > 1:
            return "several"
        if not self.exact:
            return "unknown"
        return "one" if self.found else "none"


class Solved(Struct, frozen=True):
    """The result of `solve`."""

    outcome: Literal["solved", "no_solution", "unknown"]
    grid: Grid | None
    guesses: int


class Search:
    """A search for the solutions of one puzzle, up to a limit, in slices.

    Call `work` until `over`; `solutions` can be read at any time.
    """

    def __init__(self, puzzle: Puzzle, limit: int = 2) -> None:
        self._puzzle = puzzle
        self._limit = limit
        self._stack: Stack | None = None
        self._examples: list[Grid] = []

    @property
    def over(self) -> bool:
        """True if the search is complete or the limit is reached."""
        return self._stack is not None and (self._stack.is_empty or self._stack.found >= self._limit)

    @property
    def solutions(self) -> Solutions:
        if self._stack is None:
            return Solutions(0, False, (), 0)
        return Solutions(self._stack.found, self._stack.is_empty, tuple(self._examples), self._stack.guesses)

    def work(self, guesses: int = SLICE) -> None:
        """Continue for at most this many guesses."""
        if self._stack is None:
            self._stack = stack_of(self._puzzle)
        end = self._stack.guesses + guesses
        while not self.over:
            example = self._stack.search(self._limit, end - self._stack.guesses)
            if example is None:
                return
            self._examples.append(example)


class Count:
    """Count the solutions of one puzzle, up to two, in slices and within a budget of guesses.

    Call `work` until `over`, then read `answer`. The first call in a process compiles or loads kernels: seconds.
    """

    def __init__(self, puzzle: Puzzle, budget: int = BUDGET) -> None:
        self._search = Search(puzzle)
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
        """The answer so far; `unknown` while the search is incomplete."""
        return self._search.solutions.answer

    def work(self, guesses: int = SLICE) -> None:
        """Search on for this many guesses at most."""
        if not self.over:
            guesses = min(guesses, self._left)
            self._left -= guesses
            self._search.work(guesses)


def count(puzzle: Puzzle, limit: int = 2, budget: int = BUDGET, stop: Stop = never) -> Solutions:
    """Count the solutions of a puzzle, up to a limit."""
    search, left = Search(puzzle, limit), budget
    while not search.over and not stop():
        search.work(min(SLICE, left))
        left = budget - search.solutions.guesses
        if left <= 0:
            break
    return search.solutions


def solve(puzzle: Puzzle, budget: int = BUDGET, stop: Stop = never) -> Solved:
    """Find the first solution of a puzzle, or prove that there is none, within a budget of guesses."""
    known = count(puzzle, 1, budget, stop)
    if known.found:
        return Solved("solved", known.examples[0], known.guesses)
    return Solved("no_solution" if known.exact else "unknown", None, known.guesses)


def unique(puzzle: Puzzle, budget: int = BUDGET, stop: Stop = never) -> bool | None:
    """True if a puzzle has exactly one solution; None if the budget ran out before that was decided."""
    answer = count(puzzle, 2, budget, stop).answer
    return None if answer == "unknown" else answer == "one"


def warm_up() -> None:
    """Compile or load every kernel of the engine, so that no later call waits for it."""
    from engine.solutions import batch, minimal

    for variant in ("classic", "diagonal"):
        count(Puzzle((0,) * 81, 3, variant))
    puzzles, _grids = minimal.make(1, 0, 1)
    batch.solve_all(puzzles)
