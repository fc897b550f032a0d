"""The worker that answers questions: order, cancelling, errors, and when Z3 is loaded."""

from __future__ import annotations

import threading
import time

from engine.automata.questions import Finding, Query
from engine.errors import PuzzleError
from engine.interrupt import interruptible
from engine.puzzle import Puzzle
from tests.patience import PATIENCE
from tui.screens.automata.worker import MAX_QUEUED, QuestionWorker, Reply

PUZZLE = Puzzle((0,) * 16, 2)


class Slow:
    """Answers values at once; a `solution` only when it is interrupted."""

    def __init__(self) -> None:
        self.began, self.stop = threading.Event(), threading.Event()

    def put(self, query: Query) -> Finding:
        if query.value == 9:
            raise PuzzleError("value 9: expected 1 to 4")
        if query.value == 8:
            raise KeyError("a defect")
        if query.topic == "solution":
            with interruptible(self.stop.set):
                self.began.set()
                assert self.stop.wait(PATIENCE)
                self.stop.clear()
        return Finding(query, "sat")


class Bench:
    def __init__(self) -> None:
        self.answers, self.rung = Slow(), threading.Event()
        self.worker = QuestionWorker(PUZZLE, self.rung.set, lambda _puzzle: self.answers, iter(range(10**6)).__next__)
        self.replies: list[Reply] = []

    def ask(self, topic: str = "value", value: int = 1) -> bool:
        return self.worker.ask(Query(topic, PUZZLE.givens, value=value))  # type: ignore[arg-type]

    def until(self, number: int) -> list[Reply]:
        end = time.monotonic() + PATIENCE
        while len(self.replies) < number:
            assert self.rung.wait(max(0.0, end - time.monotonic()))
            self.rung.clear()
            self.replies += self.worker.take()
        return self.replies


def test_questions_are_answered_in_their_order() -> None:
    bench = Bench()
    for value in (1, 2, 3):
        assert bench.ask(value=value)
    assert [reply.query.value for reply in bench.until(3)] == [1, 2, 3]
    assert not bench.worker.busy
    assert bench.worker.loaded
    bench.worker.stop()


def test_cancel_interrupts_the_question_and_those_in_the_queue() -> None:
    bench = Bench()
    bench.ask("solution")
    bench.ask(value=1)
    bench.ask(value=2)
    assert bench.answers.began.wait(PATIENCE)
    assert bench.worker.busy
    bench.worker.cancel()
    bench.ask(value=3)
    *cancelled, reply = bench.until(4)
    assert [each.query.value for each in cancelled[1:]] == [1, 2]
    assert [each.finding and (each.finding.result, each.finding.because) for each in cancelled] == [
        ("unknown", "cancelled")] * 3
    assert reply.finding == Finding(Query("value", PUZZLE.givens, value=3), "sat")
    bench.worker.stop()


def test_the_worker_survives_bad_input_and_internal_errors() -> None:
    bench = Bench()
    for value in (9, 8, 1):
        bench.ask(value=value)
    replies = bench.until(3)
    assert [reply.refused for reply in replies] == ["value 9: expected 1 to 4", "KeyError: 'a defect'", ""]
    bench.worker.stop()


def test_the_queue_is_bounded() -> None:
    bench = Bench()
    bench.ask("solution")
    assert bench.answers.began.wait(PATIENCE)
    assert all(bench.ask() for _each in range(MAX_QUEUED))
    assert not bench.ask()
    bench.worker.stop()
    assert not bench.ask()


def test_z3_is_not_loaded_before_the_first_question() -> None:
    bench = Bench()
    assert not bench.worker.busy
    bench.worker.cancel()
    bench.worker.stop()
    assert not bench.worker.loaded
