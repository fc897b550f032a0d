"""Asks the automata of a board in a thread of its own, one question after another, so that the screen never waits."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from engine.automata.questions import Finding, Query
from engine.errors import BadInput
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from tui.background import threads

TIMEOUT = 60.0
"""Seconds for a question, unless somebody breaks it off before."""
WAITING = 24
"""Questions that may wait for their turn."""
PATIENCE = 0.5
"""Seconds that are waited for the thread when the screen is left."""

Clock = Callable[[], float]


class Answers(Protocol):
    """Whoever knows the answers: `engine.automata.answers.Inquiry`."""

    def put(self, query: Query) -> Finding:
        """The answer."""


class Reply(Struct, frozen=True):
    """A question that is done with."""

    query: Query
    finding: Finding | None
    """None: it was refused, and `refused` says why."""
    seconds: float
    refused: str = ""


def z3_answers(puzzle: Puzzle) -> Answers:
    """Z3's; it is loaded here, which takes a moment."""
    from engine.automata.answers import Inquiry

    return Inquiry(puzzle, TIMEOUT)


class Asker:
    """`ask`, and `done` is called in the thread when there is something in `replies`."""

    def __init__(self, puzzle: Puzzle, done: Callable[[], object], answers: Callable[[Puzzle], Answers] = z3_answers,
                 clock: Clock = time.monotonic) -> None:
        self._puzzle, self._done, self._make, self.clock = puzzle, done, answers, clock
        self._breaker = Breaker()
        self._changed = threading.Condition()
        self._waiting: deque[Query] = deque()
        self._replies: deque[Reply] = deque()
        self._ended = False
        self._thread: threading.Thread | None = None
        self.loaded = False
        """Whether Z3 is there."""
        self.going: Query | None = None
        """The question that is being answered."""
        self.since = 0.0
        """When it was put."""

    @property
    def busy(self) -> bool:
        """Whether anything is asked and not yet answered."""
        return self.going is not None or bool(self._waiting)

    @property
    def waiting(self) -> int:
        """Questions that wait for their turn."""
        return len(self._waiting)

    def ask(self, query: Query) -> bool:
        """Put a question, after those before it. False where too many wait."""
        with self._changed:
            if self._ended or len(self._waiting) >= WAITING:
                return False
            self._waiting.append(query)
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="asker", daemon=True)
            self._thread.start()
        return True

    def break_off(self) -> None:
        """Break off the question that is being answered, and forget those that wait."""
        with self._changed:
            self._waiting.clear()
            if self.going is not None:
                self._breaker.break_off()

    def take(self) -> list[Reply]:
        """What has been answered since it was last taken, the oldest first."""
        with self._changed:
            taken = list(self._replies)
            self._replies.clear()
        return taken

    def stop(self) -> None:
        """End the thread. Whoever builds a large formula is not waited for."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self.break_off()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            if self._thread.is_alive():
                threads.follow(self._thread)

    # In the thread

    def _work(self) -> None:
        answers: Answers | None = None
        while (query := self._next()) is not None:
            reply: Reply
            try:
                if answers is None:
                    answers = self._make(self._puzzle)
                    self.loaded = True
                    self.since = self.clock()
                reply = self._answer(answers, query)
            except Exception as error:  # a defect must not leave the screen waiting
                reply = Reply(query, None, 0.0, f"{type(error).__name__}: {' '.join(str(error).split())}")
            with self._changed:
                self.going = None
                self._breaker.clear()
                self._replies.append(reply)
            self._done()

    def _next(self) -> Query | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._waiting)
            if self._ended:
                return None
            self.going, self.since = self._waiting.popleft(), self.clock()
            return self.going

    def _answer(self, answers: Answers, query: Query) -> Reply:
        began = self.clock()
        try:
            with self._breaker.watching():
                found: Finding | None = answers.put(query)
            refused = ""
        except Interrupted:
            found, refused = Finding(query, "unknown", "it was broken off"), ""
        except BadInput as error:
            found, refused = None, str(error)
        return Reply(query, found, self.clock() - began, refused)
