"""A step that takes long is broken off: it is not made, and what was made before stays."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from engine.events import Done, Event
from engine.events.search import Asked
from engine.interrupt import Breaker, Interrupted, asked, give_way, interruptible
from engine.run.run import Run
from tests.engine.strangers.toy_slow import HARD, PUZZLE, SlowParams, SlowState, ToySlow
from tests.patience import PATIENCE


@pytest.fixture
def solver() -> ToySlow:
    return ToySlow()


def broken_off(run: Run, solver: ToySlow, n: int) -> int:
    """Steps that were made of n, the hard one being broken off from another thread."""
    breaker = Breaker()

    def watch() -> None:
        assert solver.engine.begun.wait(PATIENCE)
        breaker.break_off()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    with breaker.watching():
        made = run.advance(n).steps
    watcher.join(PATIENCE)
    return made


def test_steps_made_before_an_interrupt_stay_recorded(solver: ToySlow) -> None:
    run = Run.start(solver, PUZZLE)
    assert broken_off(run, solver, 10) == HARD - 1
    assert (run.playhead, run.recorded, run.state.filled) == (HARD - 1,) * 3
    assert solver.engine.stopped >= 1
    assert run.step_back()
    assert run.playhead == HARD - 2


def test_the_first_step_being_broken_off_is_an_exception_and_can_be_made_again(solver: ToySlow) -> None:
    run = Run.start(solver, PUZZLE)
    run.advance(HARD - 1)
    with pytest.raises(Interrupted):
        broken_off(run, solver, 1)
    assert run.playhead == run.recorded == HARD - 1
    assert run.advance(1).steps == 1  # without a breaker the engine answers
    assert run.advance(100).reason == "done"


def test_a_call_without_a_breaker_is_not_interrupted() -> None:
    with interruptible(lambda: None) as call:
        assert not asked()
    give_way()
    assert not call.stopped


def test_a_call_that_comes_back_in_time_is_not_broken_off() -> None:
    breaker = Breaker()
    with breaker.watching(), interruptible(lambda: None) as call:
        breaker.break_off()
        breaker.clear()
    assert not call.stopped
    assert not breaker.asked


def test_a_computation_of_ones_own_gives_way() -> None:
    breaker = Breaker(grace=0)
    with breaker.watching():
        give_way()
        breaker.break_off()
        assert asked()
        with pytest.raises(Interrupted):
            give_way()
        breaker.clear()
        give_way()


def test_a_step_has_patience_from_its_beginning_unless_one_does_not_want_to_wait() -> None:
    breaker = Breaker(grace=0, patience=3600)
    breaker.break_off()
    with breaker.watching():
        assert asked(), "no step is under way"
        with breaker.step():
            assert breaker.in_step
            assert not asked()
            breaker.break_off(at_once=True)
            assert asked()
            breaker.clear()
            assert not asked()
    assert not breaker.in_step


def test_a_step_that_has_lasted_long_gets_no_grace() -> None:
    breaker = Breaker(grace=3600, patience=0)
    breaker.break_off()
    assert not breaker.asked
    with breaker.step():
        assert breaker.asked


def test_each_of_several_breakers_can_interrupt_and_is_named() -> None:
    outer, inner = Breaker(grace=0), Breaker(grace=0)
    with outer.watching(), inner.watching():
        inner.break_off()
        with pytest.raises(Interrupted) as first:
            give_way()
        outer.break_off()
        with pytest.raises(Interrupted) as second:
            give_way()
        inner.clear()
        stopped = threading.Event()
        with pytest.raises(Interrupted) as third, interruptible(stopped.set):
            assert stopped.wait(PATIENCE)
    assert (first.value.by, second.value.by, third.value.by) == (inner, outer, outer)
    give_way()


def test_computations_give_way_at_an_end_that_is_over() -> None:
    breaker = Breaker()
    with breaker.watching(end=math.inf):
        give_way()
    with breaker.watching(end=0.0), pytest.raises(Interrupted):
        give_way()


def test_a_stop_that_comes_before_the_engine_has_begun_is_repeated() -> None:
    breaker, heard = Breaker(), threading.Semaphore(0)
    breaker.break_off()
    with pytest.raises(Interrupted), breaker.watching(), interruptible(heard.release):
        assert all(heard.acquire(timeout=PATIENCE) for _ in range(3))


class InterruptedAt(ToySlow):
    """Its steps are made again to go back; `requests` times it is interrupted before step `before`."""

    recorded = False
    checkpoint_stride = 64
    before, requests = 0, 0

    def steps(self, state: SlowState, params: SlowParams) -> Iterator[tuple[Event, ...]]:
        while state.filled < 16:
            if state.step + 1 == self.before and self.requests:
                self.requests -= 1
                raise Interrupted
            state.step += 1
            state.filled += 1
            outcome = self.outcome(state)
            asked = Asked(state.step, "ask", "", "sat")
            yield (Done(state.step, "end", "solved", 0, outcome.reason) if outcome else asked,)


@pytest.mark.parametrize("start", [3, 15], ids=("forwards", "backwards"))
def test_a_seek_that_is_interrupted_once_arrives_all_the_same(start: int) -> None:
    solver = InterruptedAt()
    run = Run.start(solver, PUZZLE)
    run.advance(15)
    run.seek(start)
    solver.before, solver.requests = 8, 1
    run.seek(12)
    assert (run.playhead, run.state.filled, run.events[0].step) == (12, 12, 12)


def test_an_interrupted_seek_leaves_the_events_of_the_step_where_it_is() -> None:
    solver = InterruptedAt()
    run = Run.start(solver, PUZZLE)
    run.advance(15)
    run.seek(3)
    solver.before, solver.requests = 8, 100
    with pytest.raises(Interrupted):
        run.seek(12)
    assert run.playhead in (3, 7)
    assert run.events[0].step == run.playhead


class Waits(ToySlow):
    """It cannot be resumed, and yields an empty step while nothing has happened yet."""

    resumable = False
    begun = 0

    def steps(self, state: SlowState, params: SlowParams) -> Iterator[tuple[Event, ...]]:
        self.begun += 1
        made = super().steps(state, params)
        while state.filled < 16:
            if asked():
                yield ()
            else:
                yield next(made)


def test_an_engine_with_inner_state_is_started_once() -> None:
    solver = Waits()
    solver.engine.answers.set()
    run, breaker = Run.start(solver, PUZZLE), Breaker(grace=0)
    run.advance(3)
    breaker.break_off()
    with breaker.watching(), pytest.raises(Interrupted):
        run.advance(1)
    for step in (0, 2, 3):
        run.seek(step)
    run.advance(5)
    run.seek(1)
    assert run.advance(100).reason == "done"
    assert run.outcome is not None
    assert run.outcome.status == "solved"
    assert solver.begun == 1


def test_a_run_whose_engine_cannot_continue_ends_with_a_reason(tmp_path: Any) -> None:
    solver = Waits()
    solver.engine.answers.set()
    run = Run.start(solver, PUZZLE)
    run.advance(5)
    branch = run.twin()
    branch.solver = run.solver.until(3)
    again = Run.start(branch.solver, PUZZLE)
    assert again.advance(10).reason == "done"
    assert again.playhead == 3
    assert again.outcome is not None
    assert again.outcome.status == "unknown"
    assert "cannot continue" in again.outcome.reason
