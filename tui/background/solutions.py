"""Counts the solutions of puzzles in a thread."""

from __future__ import annotations

from collections.abc import Callable

from engine.puzzle import Puzzle
from engine.solutions import Answer, Count
from tui.background.threads import BackgroundThread

REMEMBERED = 512
"""Answers in the cache, at most."""


class SolutionCounter(BackgroundThread):
    """Counts the solutions of the puzzle that was asked for last, and remembers the answers."""

    name = "counter"
    patience = 0.05  # a slice of the work takes milliseconds; what takes longer compiles

    def __init__(self, done: Callable[[], object]) -> None:
        """`done` is called in the thread when there is a new answer."""
        super().__init__()
        self._done = done
        self._wanted: Puzzle | None = None
        self._known: dict[Puzzle, Answer] = {}

    def answer(self, puzzle: Puzzle) -> Answer | None:
        """The answer for a puzzle; None if it is not known yet."""
        return self._known.get(puzzle)

    def ask(self, puzzle: Puzzle) -> None:
        """Count the solutions of this puzzle next, unless they are known; drop the one before."""
        with self.changed:
            self._wanted = None if puzzle in self._known else puzzle
            self.changed.notify()
        if self._wanted is not None:
            self.start()

    # In the thread

    def run(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.ended or self._wanted is not None)
                if self.ended:
                    return
                puzzle = self._wanted
            if puzzle is not None:
                self._count(puzzle)

    def failed(self, why: str) -> None:
        """Nothing to report: the answer stays unknown."""

    def _count(self, puzzle: Puzzle) -> None:
        count = Count(puzzle)
        while not count.over:
            if self.ended or self._wanted is not puzzle:
                return
            count.work()
        with self.changed:
            if self.ended:
                return
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[puzzle] = count.answer
            if self._wanted is puzzle:
                self._wanted = None
        self._done()
