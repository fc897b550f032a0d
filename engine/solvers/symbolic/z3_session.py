"""Questions put to one long-lived network of automata, kept between the steps of a run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from engine.automata.encodings import EncodingName, Pair
from engine.automata.explanation import Explanation, explain_core
from engine.automata.network import Answer, Network, NoAnswer
from engine.automata.prover import Deadline
from engine.puzzle import Puzzle

Topic = Literal["solution", "second", "value"]


class Question(Struct, frozen=True):
    """The next query."""

    topic: Topic
    cell: int = 0
    value: int = 0


class Reply(Struct, frozen=True):
    """The result of a query."""

    answer: Answer
    grid: tuple[int, ...] | None
    """The completed grid that Z3 has found, where the answer is sat."""
    explanation: Explanation | None
    """The explanation by human techniques, if the answer is unsat and there is one."""
    work: int
    """The cost, in Z3's resource count."""
    counts: tuple[tuple[str, int], ...]


class Session:
    """A network, and the queries of one run to it."""

    def __init__(self, puzzle: Puzzle, encoding: EncodingName) -> None:
        self.puzzle = puzzle
        self.network = Network(puzzle.geometry, encoding)
        self._work = self.network.work()

    def put(self, question: Question, cells: Sequence[int], known: Sequence[int], limits: tuple[float, bool]) -> Reply:
        """Ask about a board (n*n values, 0 = open); `known`: a completion of it, if there is one. `limits`: seconds,
        and True to minimise cores. Raises Interrupted."""
        timeout, minimise = limits
        self.network.begin()
        deadline = Deadline(timeout)
        placed = [(cell, value) for cell, value in enumerate(cells) if value]
        if question.topic == "second":
            answer = self._apart(placed, {cell: known[cell] for cell, value in enumerate(cells) if not value}, deadline)
            return self._reply(Answer(answer.result, reason=answer.reason), None)
        if question.topic == "value":
            placed.append((question.cell, question.value))
        answer = self.network.ask(placed, deadline=deadline)
        grid = self.network.grid() if answer.result == "sat" else None
        if answer.core is None:
            return self._reply(answer, grid)
        core = self.network.minimised(answer.core, deadline) if minimise else answer.core
        return self._reply(Answer("unsat", core), None, explain_core(self.puzzle, core, placed))

    def _apart(self, placed: list[Pair], blocked: dict[int, int], deadline: Deadline) -> Answer:
        try:
            with self.network.apart(deadline):
                self.network.block(blocked)
                return self.network.ask(placed, deadline=deadline)
        except NoAnswer as none:
            return Answer("unknown", reason=str(none))

    def _reply(self, answer: Answer, grid: tuple[int, ...] | None, explanation: Explanation | None = None) -> Reply:
        before, self._work = self._work, self.network.work()
        return Reply(answer, grid, explanation, max(0, self._work - before), self.network.statistics())


def session_of(puzzle: Puzzle, encoding: EncodingName) -> Session:
    """The session of a puzzle in this thread, since a Z3 context is used by one thread at a time."""
    return _session_of(puzzle, encoding, threading.get_ident())


@lru_cache(maxsize=4)
def _session_of(puzzle: Puzzle, encoding: EncodingName, thread: int) -> Session:
    return Session(puzzle, encoding)
