"""The thread that counts solutions: questions, the cache, and the end of the thread."""

from __future__ import annotations

import threading

import pytest

from engine.puzzle import Puzzle
from engine.solutions import Count
from tests.patience import PATIENCE
from tui.background import threads
from tui.background.solutions import SolutionCounter


@pytest.fixture(autouse=True)
def _no_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the threads of other tests, which may still compile."""
    monkeypatch.setattr(threads, "_started", [])


SMALL = Puzzle.from_line("34.1.2....1.2.43")
MANY = Puzzle((0,) * 16, 2)


def test_an_answer_is_known_once_it_is_announced() -> None:
    told = threading.Event()
    counting = SolutionCounter(told.set)
    for puzzle, answer in ((SMALL, "one"), (MANY, "several")):
        told.clear()
        counting.ask(puzzle)
        assert told.wait(PATIENCE)
        assert counting.answer(puzzle) == answer
    counting.stop()
    assert not threads.is_busy()


def test_stopping_does_not_wait_for_what_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice that has not ended when the thread is stopped is not waited for, and its result is dropped."""
    begun, let_go, told = threading.Event(), threading.Event(), threading.Event()
    work = Count.work

    def compiling(count: Count, guesses: int = 1) -> None:
        begun.set()
        let_go.wait(PATIENCE)
        work(count, 10_000)

    monkeypatch.setattr(Count, "work", compiling)
    counting = SolutionCounter(told.set)
    counting.ask(SMALL)
    assert begun.wait(PATIENCE)
    counting.stop()
    assert threads.is_busy()
    let_go.set()
    for thread in threading.enumerate():
        if thread.name == "counter":
            thread.join(PATIENCE)
    assert not threads.is_busy()
    assert not told.is_set()
    assert counting.answer(SMALL) is None


def test_a_counter_that_was_never_asked_is_stopped_at_once() -> None:
    SolutionCounter(lambda: None).stop()
    assert not threads.is_busy()
