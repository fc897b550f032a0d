"""Counts the solutions of puzzles in a thread of its own, so that the screen never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.puzzle import Puzzle
from engine.solutions import Answer, Count
from tui.background.threads import _left

REMEMBERED = 512
PATIENCE = 0.05
"""Seconds that are waited for a thread to end: a slice of its work takes some ms; what takes longer compiles."""







class Counter:
    """`ask` for a puzzle; what was asked before and is not done yet is dropped."""

    def __init__(self, done: Callable[[], object]) -> None:
        """`done` is called in the thread when an answer has become known."""
        self._done = done
        self._changed = threading.Condition()
        self._wanted: Puzzle | None = None
        self._ended = False
        self._known: dict[Puzzle, Answer] = {}
        self._thread: threading.Thread | None = None

    def answer(self, puzzle: Puzzle) -> Answer | None:
        """What is known of a puzzle; None while it is being counted."""
        return self._known.get(puzzle)

    def ask(self, puzzle: Puzzle) -> None:
        """Count this one next, unless it is known."""
        with self._changed:
            self._wanted = None if puzzle in self._known else puzzle
            self._changed.notify()
        if self._wanted is not None and self._thread is None:
            self._thread = threading.Thread(target=self._work, name="counter", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait for it unless it compiles: then it ends by itself."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            if self._thread.is_alive():
                _left.append(self._thread)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._wanted is not None)
                if self._ended:
                    return
                puzzle = self._wanted
            if puzzle is not None:
                self._count(puzzle)

    def _count(self, puzzle: Puzzle) -> None:
        count = Count(puzzle)
        while not count.over:
            if self._ended or self._wanted is not puzzle:
                return
            count.work()
        with self._changed:
            if self._ended:
                return
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[puzzle] = count.answer
            if self._wanted is puzzle:
                self._wanted = None
        self._done()
