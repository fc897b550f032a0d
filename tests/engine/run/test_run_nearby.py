"""States near the playhead: steps back in a row re-execute little, whatever the checkpoints are worth; memory is
bounded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine import state as states
from engine.events import Event
from engine.run import checkpoints
from engine.run.checkpoints import Nearby
from engine.run.run import Run
from tests.engine.run.test_checkpoints import Herd, cursor
from tests.engine.walk import PUZZLE, TRUTH, Walk, WalkParams, WalkState


class Counted(Walk):
    """The walk, with the steps counted that it makes."""

    checkpoint_stride = 4
    made = 0

    def steps(self, state: WalkState, params: WalkParams) -> Iterator[tuple[Event, ...]]:
        for events in super().steps(state, params):
            self.made += 1
            yield events


def far_run(monkeypatch: pytest.MonkeyPatch, walk: Counted, steps: int = 5000) -> Run:
    """A run whose checkpoints are as far apart as those of a very large state."""
    monkeypatch.setattr(checkpoints, "MOST", 2)
    run = Run.start(walk, PUZZLE, walk.make_params(), 7)
    run.advance(steps)
    return run


def check(run: Run) -> None:
    digest, events = TRUTH[run.playhead]
    assert states.digest(run.state) == digest
    assert run.events == events


def test_steps_back_in_a_row_re_execute_little(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Counted()
    run = far_run(monkeypatch, walk)
    run.seek(4000)
    walk.made = 0
    for _ in range(300):
        assert run.step_back()
    assert run.playhead == 3700
    check(run)
    assert walk.made < 300 * 16 * Counted.checkpoint_stride


def test_the_first_step_back_from_the_end_is_not_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.run.run.RECENT_STRIDES", 16)
    walk = Counted()
    run = far_run(monkeypatch, walk)
    walk.made = 0
    run.step_back()
    check(run)
    assert walk.made <= 16 * Counted.checkpoint_stride


def test_states_after_an_intervention_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Counted()
    run = far_run(monkeypatch, walk)
    run.seek(3001)
    run.seek(3000)
    branch = run.intervene("bias", 0.25)
    branch.advance(500)
    straight = Run.start(walk, PUZZLE, walk.make_params(), 7, branch.recipe.interventions)
    straight.advance(3500)
    for step in (3300, 3299, 3001, 3000, 2999):
        branch.seek(step)
        straight.seek(step)
        assert states.digest(branch.state) == states.digest(straight.state)
    run.seek(2990)
    check(run)


def test_an_intervention_at_the_end_replaces_the_state_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.run.run.RECENT_STRIDES", 2)
    walk = Counted()
    run = far_run(monkeypatch, walk, 4096)
    assert run.intervene("bias", 0.25) is run
    run.advance(300)
    after = states.digest(run.state)
    run.seek(4097)
    run.seek(run.recorded)
    assert states.digest(run.state) == after


def test_they_stay_few_and_small() -> None:
    nearby, at = Nearby(4), cursor()
    for step, size in ((8, 10), (12, 10), (16, 10), (20, 10), (24, 10), (28, 10**8), (32, 10**8)):
        at.state.step = step
        assert isinstance(at.state, Herd)
        at.state.members = np.zeros(size, np.uint8)
        nearby.keep(at)
    assert nearby.before(33, 0) is not None
    found = nearby.before(31, 0)
    assert found is not None
    assert found[0].step == 28
    assert nearby.before(27, 0) is None
    assert nearby.before(33, 32) is None
    assert nearby.nbytes < 3 * 10**8


def test_a_step_that_is_near_leaves_no_marks() -> None:
    nearby = Nearby(10)
    assert nearby.marks(0, 15) == []
    assert nearby.marks(0, 99) == [80]
    assert nearby.marks(0, 5003) == [2440, 4840, 4990]
    assert nearby.marks(4900, 5003) == [4990]


def test_copies_come_back() -> None:
    nearby, at = Nearby(4), cursor()
    at.state.step = 8
    nearby.keep(at)
    found = nearby.before(9, 0)
    assert found is not None
    again = nearby.before(9, 0)
    assert again is not None
    assert found[0] is not again[0]
    assert isinstance(found[0], Herd)
    assert found[0].members is not again[0].members  # type: ignore[attr-defined]
