"""Answers questions about a board's automata in a thread, one after another."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from engine.automata.questions import Finding, Query
from engine.errors import BadInput
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from tui.background.threads import BackgroundThread, one_line

TIMEOUT = 60.0
"""Seconds for a question, unless it is cancelled before."""
MAX_QUEUED = 24
"""Questions in the queue, at most."""

Clock = Callable[[], float]


class Answers(Protocol):
    """Answers questions about one puzzle: `engine.automata.answers.Inquiry`."""

    def put(self, query: Query) -> Finding:
        """The answer. Raises BadInput, or Interrupted when it was cancelled."""


class Reply(Struct, frozen=True):
    """A question and its answer."""

    query: Query
    finding: Finding | None
    """None: the question was refused for the reason in `refused`."""
    seconds: float
    refused: str = ""


def z3_answers(puzzle: Puzzle) -> Answers:
    """Answers from Z3, which is loaded here: that takes a moment."""
    from engine.automata.answers import Inquiry

    return Inquiry(puzzle, TIMEOUT)


class QuestionWorker(BackgroundThread):
    """A queue of questions. Z3 is loaded at the first one."""

    name = "questions"

    def __init__(self, puzzle: Puzzle, done: Callable[[], object], answers: Callable[[Puzzle], Answers] = z3_answers,
                 clock: Clock = time.monotonic) -> None:
        """`done` is called in the thread when `take` has something to return."""
        super().__init__()
        self._puzzle, self._done, self._make, self.clock = puzzle, done, answers, clock
        self._breaker = Breaker()
        self._queue: deque[Query] = deque()
        self._replies: deque[Reply] = deque()
        self._to_cancel = 0
        """Questions in the queue, the first ones, that are not put."""
        self.loaded = False
        """Z3 is loaded."""
        self.current: Query | None = None
        """The question that is being answered."""
        self.since = 0.0
        """The time at which the current question was begun."""

    @property
    def busy(self) -> bool:
        """A question is unanswered."""
        return self.current is not None or bool(self._queue)

    @property
    def queued(self) -> int:
        """Questions in the queue."""
        return len(self._queue)

    def ask(self, query: Query) -> bool:
        """Append a question to the queue; False if it is full."""
        with self.changed:
            if self.ended or len(self._queue) >= MAX_QUEUED:
                return False
            self._queue.append(query)
            self.changed.notify()
        self.start()
        return True

    def cancel(self) -> None:
        """Interrupt the current question; it and those in the queue are unknown."""
        with self.changed:
            self._to_cancel = len(self._queue)
            if self.current is not None:
                self._breaker.break_off()

    def take(self) -> list[Reply]:
        """The replies since the last call, the oldest first."""
        with self.changed:
            taken = list(self._replies)
            self._replies.clear()
        return taken

    def stop(self) -> None:
        self.cancel()
        super().stop()

    # In the thread

    def run(self) -> None:
        answers: Answers | None = None
        while (found := self._next()) is not None:
            query, cancelled = found
            try:
                if cancelled:
                    reply = _cancelled(query, 0.0)
                else:
                    if answers is None:
                        answers = self._make(self._puzzle)
                        self.loaded = True
                        self.since = self.clock()
                    reply = self._answer(answers, query)
            except Exception as error:  # the next question may do better
                reply = Reply(query, None, 0.0, one_line(error))
            with self.changed:
                self.current = None
                self._breaker.clear()
                self._replies.append(reply)
            self._done()

    def failed(self, why: str) -> None:
        """Nothing to report: the reply to each question has its error."""

    def _next(self) -> tuple[Query, bool] | None:
        """The next question, and whether it was cancelled; None at the end."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended or self._queue)
            if self.ended:
                return None
            self.current, self.since = self._queue.popleft(), self.clock()
            cancelled = self._to_cancel > 0
            self._to_cancel -= cancelled
            return self.current, cancelled

    def _answer(self, answers: Answers, query: Query) -> Reply:
        began = self.clock()
        try:
            with self._breaker.watching():
                return Reply(query, answers.put(query), self.clock() - began)
        except Interrupted:
            return _cancelled(query, self.clock() - began)
        except BadInput as error:
            return Reply(query, None, self.clock() - began, str(error))


def _cancelled(query: Query, seconds: float) -> Reply:
    return Reply(query, Finding(query, "unknown", "cancelled"), seconds)
