"""The exact engine: how many solutions a puzzle has, and which. For checking, generating and rating; any size and
variant.

Classic 9x9 goes through bitboards by band, everything else through masks of candidates. Every answer says whether it
is exact: where the budget of guesses ran out or somebody wanted it to stop, it is `unknown`. Nothing is random, so the
same question has the same answer everywhere. Kernels are compiled at the first question, not at import.
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
"""Guesses before it is given up: below 0.1 s on 9x9, about a second on 25x25."""
SLICE: Final = 500
"""Guesses between two looks at whether to stop: at most some milliseconds."""


def never() -> bool:
    return False


class Solutions(Struct, frozen=True):
    """What is known of the solutions of a puzzle."""

    found: int
    exact: bool
    """Whether there are no others."""
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
    """How solving a puzzle ended."""

    outcome: Literal["solved", "no_solution", "unknown"]
    grid: Grid | None
    guesses: int


class Search:
    """The solutions of one puzzle, up to a limit: work that can be left and gone on with.

    `work` until `over`, then read `solutions`; they can also be read before.
    """

    def __init__(self, puzzle: Puzzle, limit: int = 2) -> None:
        self._puzzle = puzzle
        self._limit = limit
        self._stack: Stack | None = None
        self._examples: list[Grid] = []

    @property
    def over(self) -> bool:
        """Whether nothing is left to look at, or the limit is reached."""
        return self._stack is not None and (self._stack.is_empty or self._stack.found >= self._limit)

    @property
    def solutions(self) -> Solutions:
        if self._stack is None:
            return Solutions(0, False, (), 0)
        return Solutions(self._stack.found, self._stack.is_empty, tuple(self._examples), self._stack.guesses)

    def work(self, guesses: int = SLICE) -> None:
        """Make so many guesses, unless it is over before."""
        if self._stack is None:
            self._stack = stack_of(self._puzzle)
        end = self._stack.guesses + guesses
        while not self.over:
            example = self._stack.search(self._limit, end - self._stack.guesses)
            if example is None:
                return
            self._examples.append(example)


def count(puzzle: Puzzle, limit: int = 2, budget: int = BUDGET, stop: Stop = never) -> Solutions:
    """The solutions of a puzzle, counted up to a limit."""
    search, left = Search(puzzle, limit), budget
    while not search.over and not stop():
        search.work(min(SLICE, left))
        left = budget - search.solutions.guesses
        if left <= 0:
            break
    return search.solutions


def solve(puzzle: Puzzle, budget: int = BUDGET, stop: Stop = never) -> Solved:
    """The first solution of a puzzle, the proof that there is none, or neither."""
    known = count(puzzle, 1, budget, stop)
    if known.found:
        return Solved("solved", known.examples[0], known.guesses)
    return Solved("no_solution" if known.exact else "unknown", None, known.guesses)


def unique(puzzle: Puzzle, budget: int = BUDGET, stop: Stop = never) -> bool | None:
    """Whether a puzzle has exactly one solution; None where that could not be found out."""
    answer = count(puzzle, 2, budget, stop).answer
    return None if answer == "unknown" else answer == "one"


def warm_up() -> None:
    """Compile every kernel of the engine, or load it, so that no question waits for it."""
    from engine.solutions import batch, minimal

    for variant in ("classic", "diagonal"):
        count(Puzzle((0,) * 81, 3, variant))
    puzzles, _grids = minimal.make(1, 0, 1)
    batch.solve_all(puzzles)


# How many solutions a puzzle has: none, one, or at least two. Work that can be stopped and gone on with.


class Count:
    """Counts the solutions of one puzzle, up to two. `work` until `over`, then read `answer`.

    The first `work` of a process compiles or loads kernels, which may take seconds.
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
        """What is known so far; `unknown` while boards are left that nobody has looked at."""
        return self._search.solutions.answer

    def work(self, guesses: int = SLICE) -> None:
        """Make so many guesses, unless it is over before."""
        if not self.over:
            guesses = min(guesses, self._left)
            self._left -= guesses
            self._search.work(guesses)
