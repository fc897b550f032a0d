"""The snapshot builder on a population: a board too fast to follow is refreshed as often as text."""

from __future__ import annotations

import pytest

from engine import registry
from engine.run.run import Run
from tests.engine.strangers.toy_population import SOLVER, ToyParams
from tests.tui.small import PUZZLE
from tui.playback.loading import pending_run
from tui.playback.snapshot import RunState, Snapshot
from tui.playback.snapshots import TEXT_RATE, SnapshotBuilder
from tui.requests import AppRequest, NewRun

FLAT_OUT = float("inf")
SIZE = 12
FRAME = 0.1


class Watched:
    """A run, and a snapshot builder whose clock advances by a frame at each look."""

    def __init__(self) -> None:
        self.now = 100.0
        with registry.lent(SOLVER):
            snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", SOLVER.name, {"size": SIZE}, 7), "max")).snapshot
            self.run = Run.start(SOLVER.name, PUZZLE, ToyParams(size=SIZE), seed=7)
        self.builder = SnapshotBuilder(lambda: self.now, snapshot)

    def look(self, steps: int, state: RunState = "RUNNING") -> Snapshot:
        self.now += FRAME
        self.run.advance(steps)
        return self.builder.take(self.run, state, FLAT_OUT)


@pytest.fixture
def watched() -> Watched:
    found = Watched()
    found.look(1)
    return found


def test_a_population_that_turns_over_between_two_looks_changes_with_the_text(watched: Watched) -> None:
    shown = [watched.look(2 * SIZE) for _frame in range(20)]
    views = {id(snapshot.view) for snapshot in shown}
    assert len(views) <= 1 + 20 * FRAME * TEXT_RATE
    assert len({snapshot.playhead for snapshot in shown}) == 20
    assert len({id(snapshot.events) for snapshot in shown}) == 20  # the verdict goes on


def test_it_is_the_step_of_the_playhead_once_it_pauses_or_somebody_is_opened(watched: Watched) -> None:
    watched.look(2 * SIZE)
    assert watched.look(2 * SIZE, "PAUSED").view == watched.run.view()
    watched.look(2 * SIZE)
    watched.run.advance(2 * SIZE)
    watched.builder.opened = watched.run, watched.run.playhead, 3
    assert watched.look(0).view.grid == tuple(watched.run.state.genes[3].tolist())


def test_one_that_can_be_followed_changes_at_each_look(watched: Watched) -> None:
    shown = [watched.look(SIZE) for _frame in range(4)]
    assert len({id(snapshot.view) for snapshot in shown}) == 4


def test_another_run_is_not_shown_with_the_board_of_the_one_before(watched: Watched) -> None:
    before = watched.look(2 * SIZE)
    with registry.lent(SOLVER):
        watched.run = Run.start(SOLVER.name, PUZZLE, ToyParams(size=SIZE), seed=8)
    after = watched.look(before.playhead + 2 * SIZE)
    assert after.view.grid != before.view.grid
