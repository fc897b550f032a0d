"""Workers that die, trials that fail, pauses: every trial is made, and none is there twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from engine import registry
from engine.bench.executors.scheduling import MAX_DEATHS, Dispatcher, NoControl, NoWorkerStarts, Threads, execute
from engine.bench.executors.worker import BatchResult, Finished, WorkerDied, WorkerNeverStarted
from engine.bench.experiment import Experiment, Trial
from engine.bench.experiment_file import parse, work_out

SMALL = work_out(parse("""
runs = 20
max_steps = 3000
puzzles = [{ sources = ["4x4:1", "4x4:2", "easy:1"] }]
solvers = [{ solver = "backtrack" }, { solver = "hill-climb" }]
""", "small"), "small")


class Fragile(Threads):
    """Workers that die of some trials."""

    def __init__(self, experiment: Experiment, deadly: Callable[[Trial], bool], died: WorkerDied) -> None:
        super().__init__(experiment, 2)
        self.deadly, self.died = deadly, died

    def task(self) -> Callable[[Sequence[Trial]], BatchResult]:
        alive = super().task()

        def make(trials: Sequence[Trial]) -> BatchResult:
            if any(map(self.deadly, trials)):
                raise self.died
            return alive(trials)

        return make


def worked(workers: Fragile) -> list[Any]:
    return [each for some in Dispatcher(workers, NoControl()).work(SMALL, SMALL.trials()) for each in some]


def test_a_trial_that_kills_its_workers_fails_and_the_others_are_made() -> None:
    deadly = {Trial(1, 2, 7), Trial(0, 0, 12)}
    found = worked(Fragile(SMALL, deadly.__contains__, WorkerDied()))
    assert Counter(trial for trial, _ in found) == Counter(SMALL.trials())
    failed = {trial: result for trial, result in found if result.status == "failed"}
    assert failed.keys() == deadly
    assert all(result.reason.startswith(f"{MAX_DEATHS} times a worker process ended") for result in failed.values())


def test_workers_that_never_begin_end_the_bench() -> None:
    with pytest.raises(NoWorkerStarts, match="before it was ready"):
        worked(Fragile(SMALL, lambda trial: True, WorkerNeverStarted()))


@pytest.mark.sweep
def test_a_killed_worker_costs_nothing_but_time() -> None:
    found: Finished = []
    killed = set[int]()
    for some in execute(SMALL, SMALL.trials(), 2, "processes"):
        found += some
        children = {child.pid for child in multiprocessing.active_children()} - killed
        if len(killed) < 3 and found and children:
            killed.add(min(pid for pid in children if pid is not None))
            os.kill(max(killed), signal.SIGKILL)
    assert killed
    assert Counter(trial for trial, _ in found) == Counter(SMALL.trials())
    assert all(result.status != "failed" for _, result in found)
    assert not multiprocessing.active_children()


def test_a_solver_that_raises_is_a_failed_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = registry.solver("hill-climb")

    def broken(state: Any, params: Any, n: int, *rest: Any) -> Any:
        raise ZeroDivisionError("nothing\ncan be divided")

    monkeypatch.setattr(type(solver), "advance", lambda self, *given: broken(*given))
    found = dict(each for some in execute(SMALL, SMALL.trials(), 1, "here") for each in some)
    assert len(found) == SMALL.size
    for trial, result in found.items():
        if (trial.contender, trial.problem) == (1, 2):
            assert (result.status, result.reason) == ("failed", "ZeroDivisionError: nothing can be divided")
        elif trial.contender == 0:
            assert result.status in ("solved", "gave_up")


class Pausing:
    """Pauses after a number of results for a number of checks; then resumes or stops."""

    def __init__(self, looks: int, then_stop: bool) -> None:
        self.results = 0
        self.looks, self.then_stop = looks, then_stop

    def paused(self) -> bool:
        if self.results >= 5 and self.looks:
            self.looks -= 1
            return True
        return False

    def stopped(self) -> bool:
        return self.then_stop and not self.looks


def counted(some: Iterator[Finished], control: Pausing) -> Counter[Trial]:
    found = Counter[Trial]()
    for finished in some:
        found.update(trial for trial, _ in finished)
        control.results = found.total()
    return found


@pytest.mark.parametrize("how", ["here", "threads"])
@pytest.mark.parametrize("then_stop", [False, True])
def test_after_a_pause_it_continues_or_ends(how: Any, then_stop: bool) -> None:
    control = Pausing(10, then_stop)
    found = counted(execute(SMALL, SMALL.trials(), 2, how, control), control)
    assert set(found.values()) == {1}
    assert control.looks == 0
    if not then_stop:
        assert found.total() == SMALL.size
    else:
        assert 5 <= found.total() <= SMALL.size
