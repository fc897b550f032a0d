"""Slow steps: the screen reports them; commands and the limits of the command line cancel them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from engine import registry
from engine.interrupt import Interrupted
from engine.run.cursor import Cursor
from engine.run.run import Run
from engine.run.solve import Limits, Pace, solve
from tests.engine.strangers.toy_slow import HARD, PUZZLE, ToySlow
from tests.patience import PATIENCE
from tui.background.threads import Waiting
from tui.config.speed import FLAT_OUT
from tui.playback import commands
from tui.playback.loading import PendingRun, pending_run
from tui.playback.playhead import Playhead
from tui.playback.snapshot import Snapshot
from tui.playback.thread import PlayerThread
from tui.requests import AppRequest, NewRun


class ThreadDriver:
    """A player in its thread, and the newest snapshot that it hands over."""

    def __init__(self, solver: ToySlow) -> None:
        self.solver = solver
        with registry.lent(solver):
            self.pending: PendingRun = pending_run(AppRequest(NewRun(PUZZLE, "", solver.name, {}, 1), "flat"))
        self._came = threading.Condition()
        self.snapshot = self.pending.snapshot
        self.worker = PlayerThread(self.pending.snapshot, self.pending.loader, self._ring, time.monotonic)
        self.worker.start()

    def _ring(self) -> None:
        with self._came:
            self._came.notify_all()

    def until(self, wanted: Callable[[Snapshot], bool]) -> Snapshot:
        """Wait for a snapshot; fails after `PATIENCE` seconds."""
        end = time.monotonic() + PATIENCE
        with self._came:
            while not wanted(self.snapshot):
                self.snapshot = self.worker.mailbox.take() or self.snapshot
                if not wanted(self.snapshot):
                    assert self._came.wait(max(0.0, end - time.monotonic())), f"last seen: {self.snapshot.notice}"
        return self.snapshot


@pytest.fixture
def driver() -> Iterator[ThreadDriver]:
    made = ThreadDriver(ToySlow())
    made.until(lambda snapshot: snapshot.state == "PAUSED")
    yield made
    made.solver.engine.answers.set()
    made.worker.stop(PATIENCE)


def badge(snapshot: Snapshot) -> str:
    return "" if snapshot.notice is None else snapshot.notice.badge


def test_the_screen_says_that_a_step_takes_long_and_pause_breaks_it_off(driver: ThreadDriver) -> None:
    assert driver.snapshot.speed == FLAT_OUT
    driver.worker.send(commands.Toggle())
    waiting = driver.until(lambda snapshot: badge(snapshot) == "WAITING")
    assert waiting.state == "RUNNING"
    driver.worker.send(commands.Toggle())
    stopped = driver.until(lambda snapshot: badge(snapshot) == "UNKNOWN")
    assert stopped.state == "PAUSED"
    assert (stopped.playhead, stopped.recorded) == (HARD - 1, HARD - 1)
    assert driver.solver.engine.stopped > 0


def test_a_cancelled_step_can_be_made_again(driver: ThreadDriver) -> None:
    driver.worker.send(commands.Seek(10))
    driver.until(lambda snapshot: badge(snapshot) == "WAITING")
    driver.worker.send(commands.Halt())
    driver.until(lambda snapshot: badge(snapshot) == "UNKNOWN")
    driver.worker.send(commands.Finish())  # the engine answers from now on
    assert driver.until(lambda snapshot: snapshot.state == "SOLVED").recorded == 16


def test_a_step_of_a_moment_is_made_although_one_pauses(driver: ThreadDriver) -> None:
    driver.worker.inbox.breaker._patience = 3600
    driver.worker.send(commands.Toggle())
    assert driver.solver.engine.begun.wait(PATIENCE)
    driver.worker.send(commands.Toggle())
    driver.solver.engine.answers.set()
    paused = driver.until(lambda snapshot: snapshot.state == "PAUSED" and snapshot.recorded > 0)
    assert paused.recorded == HARD
    assert driver.solver.engine.stopped == 0


def test_a_second_pause_interrupts_at_once(driver: ThreadDriver) -> None:
    driver.worker.inbox.breaker._patience = 3600
    driver.worker.send(commands.Toggle())
    assert driver.solver.engine.begun.wait(PATIENCE)
    driver.worker.send(commands.Toggle())
    driver.worker.send(commands.Toggle())
    stopped = driver.until(lambda snapshot: badge(snapshot) == "UNKNOWN")
    assert (stopped.state, stopped.recorded) == ("PAUSED", HARD - 1)
    assert driver.solver.engine.stopped > 0


def test_the_announced_step_is_the_cancelled_one(driver: ThreadDriver) -> None:
    driver.worker.send(commands.Toggle())
    assert driver.solver.engine.begun.wait(PATIENCE)
    driver.worker.send(commands.Seek(1))
    said = driver.until(lambda snapshot: badge(snapshot) == "UNKNOWN")
    assert (said.playhead, said.recorded) == (1, HARD - 1)
    assert said.notice is not None
    assert f"question {HARD} was cancelled" in said.notice.text


def test_nothing_is_said_of_a_step_that_is_made_already_and_only_made_again(driver: ThreadDriver) -> None:
    driver.solver.engine.answers.set()
    run = Run.start(ToySlow(), PUZZLE)
    run.advance(2)
    run.seek(1)
    playhead = Playhead(time.monotonic, FLAT_OUT)

    def broken(*_args: object) -> None:
        raise Interrupted

    run.advance = broken  # type: ignore[method-assign,assignment]
    playhead.play(1)
    with pytest.raises(Interrupted):
        playhead.move(run)
    assert playhead.cancelled is None
    run.seek(2)
    with pytest.raises(Interrupted):
        playhead.move(run)
    assert playhead.cancelled == (run, 3)


def test_leaving_breaks_it_off(driver: ThreadDriver) -> None:
    driver.worker.send(commands.Step(HARD))
    assert driver.solver.engine.begun.wait(PATIENCE)
    driver.worker.stop(PATIENCE)
    assert not driver.worker.is_alive


def walk(solver: ToySlow) -> Cursor:
    params = solver.make_params()
    return Cursor(solver, solver.init(PUZZLE, params, 1), params)


def test_a_time_limit_of_the_command_line_breaks_it_off() -> None:
    solver = ToySlow()
    finish = solve(walk(solver), Limits(None, 0.05), Pace(), lambda: False, lambda walk, elapsed: None)
    assert (finish.status, finish.steps) == ("gave_up", HARD - 1)
    assert "time limit" in finish.reason
    assert finish.grid.count(0) == 16 - finish.steps


def test_ctrl_c_breaks_it_off() -> None:
    solver = ToySlow()
    finish = solve(walk(solver), Limits(), Pace(), solver.engine.begun.is_set, lambda walk, elapsed: None)
    assert (finish.status, finish.reason, finish.steps) == ("unknown", "interrupted", HARD - 1)


def test_what_an_engine_raises_is_raised_where_it_is_waited_for() -> None:
    class Breaks(ToySlow):
        def steps(self, state: object, params: object) -> Iterator[tuple[object, ...]]:  # type: ignore[override]
            raise RuntimeError("out of order")
            yield ()

    with pytest.raises(RuntimeError, match="out of order"):
        solve(walk(Breaks()), Limits(), Pace(), lambda: False, lambda walk, elapsed: None)


def test_what_is_over_in_time_is_not_told() -> None:
    told: list[str] = []
    with Waiting(3600, lambda: told.append("late")):
        pass
    late = Waiting(3600, lambda: told.append("late"))
    late._late()
    assert told == ["late"]
    with late:
        pass
    late._late()
    assert told == ["late"]
