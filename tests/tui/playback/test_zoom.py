"""The window of the timeline, and its cache of samples."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.events import Event
from engine.run.run import Run
from tests.tui.small import PUZZLE, SMALL, Small, SmallParams, SmallState
from tui.playback.snapshots import _history
from tui.playback.window import LEAST_SPAN, Window, total_for
from tui.playback.zoom import CACHED_WINDOWS, DETAIL_SPAN, LOOK_SECONDS, WINDOW_SECONDS, ZoomWindow


class Clock:
    """A clock that advances by `tick` at each reading."""

    def __init__(self, tick: float = 0.0) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def long_run(steps: int, solver: Small = SMALL) -> Run:
    run = Run.start(solver, PUZZLE, SmallParams(length=10**6), 7)
    run.advance(steps)
    return run


def look(zoom: ZoomWindow, run: Run) -> Window:
    zoom.look(run, _history(run))
    return zoom.window


def test_without_zoom_all_is_shown_and_only_a_short_run_is_looked_at_closely() -> None:
    zoom = ZoomWindow(Clock())
    run = long_run(100)
    assert zoom.look(run, _history(run)) is not None
    assert zoom.window == Window(0, 128)
    run = long_run(DETAIL_SPAN + 1)
    assert zoom.look(run, _history(run)) is None
    assert zoom.window == Window(0, 2 * DETAIL_SPAN)


def test_each_turn_halves_the_window_down_to_the_narrowest_and_back() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(1000)
    spans = []
    for _ in range(6):
        zoom.zoom(1, run.recorded)
        spans.append(look(zoom, run).span)
    assert spans == [512, 256, 128, LEAST_SPAN, LEAST_SPAN, LEAST_SPAN]
    zoom.zoom(-2, run.recorded)
    assert look(zoom, run).span == 4 * LEAST_SPAN
    zoom.zoom(-100, run.recorded)
    assert look(zoom, run) == Window(0, 1024)
    zoom.zoom(3, run.recorded)
    assert look(zoom, run).span == 128


def test_a_run_too_short_to_be_zoomed_is_shown_whole() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(3)
    for direction in (1, 5, -1, -7):
        zoom.zoom(direction, run.recorded)
        assert look(zoom, run) == Window(0, 4)


def test_the_width_stays_while_the_run_grows_and_the_window_follows() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(1000)
    zoom.zoom(2, run.recorded)
    for _ in range(20):
        run.advance(100)
        window = look(zoom, run)
        assert window.span == 256
        assert window.holds(run.playhead)
        assert window.high <= total_for(run.recorded)


def test_a_window_is_kept_until_the_playhead_leaves_it() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(1000)
    run.seek(500)
    zoom.zoom(3, run.recorded)
    first = look(zoom, run)
    for step in (first.low, first.high, 500):
        run.seek(step)
        assert look(zoom, run) is first
    run.seek(first.high + 1)
    assert look(zoom, run) == Window(first.low + first.span // 2, first.span)


def test_a_page_that_was_seen_is_not_looked_at_again_unless_it_is_long_ago() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(4000)
    zoom.zoom(6, run.recorded)
    run.seek(10)
    whole = _history(run)
    first = zoom.look(run, whole)
    run.seek(3000)
    zoom.look(run, whole)
    run.seek(10)
    assert zoom.look(run, whole) is first
    for step in range(100, 100 + 100 * CACHED_WINDOWS, 100):
        run.seek(step)
        zoom.look(run, whole)
    run.seek(10)
    assert zoom.look(run, whole) is not first


def test_a_branch_is_looked_at_afresh() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(1000)
    zoom.zoom(2, run.recorded)
    run.seek(600)
    before = zoom.look(run, _history(run))
    branch = run.intervene("temperature", 5.0)
    branch.advance(100)
    branch.seek(600)
    after = zoom.look(branch, _history(branch))
    assert before is not None
    assert after is not None
    assert before.values[:, 2].max() < 5.0
    assert after.values[:, 2].max() == 5.0


def test_the_part_before_a_change_stays_while_the_rest_is_looked_at() -> None:
    clock = Clock()
    zoom, run = ZoomWindow(clock), long_run(1000)
    run.seek(600)
    before = zoom.look(run, _history(run))
    assert before is not None
    branch = run.intervene("temperature", 5.0)
    branch.advance(10)
    clock.tick = LOOK_SECONDS * 2  # each look is late at once
    after = zoom.look(branch, _history(branch))
    assert after is not None
    back = zoom.look(run, _history(run))
    assert back is not None
    known, kept, again = ([step for step in each.marks["uphill"] if step < 600] for each in (before, after, back))
    assert known
    assert known == kept == again


def test_what_takes_long_is_looked_at_piece_by_piece_and_not_for_ever() -> None:
    clock = Clock()
    zoom, run = ZoomWindow(clock), long_run(4000)
    whole = _history(run)
    clock.tick = LOOK_SECONDS / 4
    rough = zoom.look(run, whole)
    assert zoom.unfinished
    assert rough is not None
    looks = 0
    while zoom.unfinished:
        zoom.study(LOOK_SECONDS)
        looks += 1
    assert 0 < looks <= 2 * WINDOW_SECONDS / LOOK_SECONDS
    spent = clock.now
    zoom.look(run, whole)
    assert clock.now - spent <= 3 * clock.tick


def test_a_short_look_is_enough_for_a_short_run() -> None:
    zoom, run = ZoomWindow(Clock(1e-6)), long_run(500)
    close = zoom.look(run, _history(run))
    assert not zoom.unfinished
    assert close is not None
    assert len(close.steps) == 501


class Broken(Small):
    """It makes each step once; asked for one again, it breaks."""

    made = 0

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple[Event, ...]]:
        for events in super().steps(state, params):
            if state.step <= self.made:
                raise ZeroDivisionError("made before")
            type(self).made = state.step
            yield events


def test_a_solver_that_breaks_when_it_is_looked_at_again_is_not_asked_twice() -> None:
    solver = Broken()
    run = long_run(1000, solver)
    zoom = ZoomWindow(Clock())
    zoom.zoom(2, run.recorded)
    whole = _history(run)
    with pytest.raises(ZeroDivisionError):
        zoom.look(run, whole)
    assert not zoom.unfinished
    rough = zoom.look(run, whole)
    assert rough is not None
    assert set(rough.steps[1:].tolist()) <= set(whole.steps.tolist())
    assert rough.steps[-1] == 1000


def test_another_run_is_looked_at_in_the_same_window() -> None:
    zoom, run = ZoomWindow(Clock()), long_run(4000)
    run.seek(3000)
    branch = run.intervene("temperature", 5.0)
    branch.advance(900)
    whole = _history(run)
    zoom.zoom(5, branch.recorded)
    look(zoom, branch)
    beside = zoom.beside(run, whole)
    assert beside.steps.tolist() == list(range(zoom.window.low, zoom.window.high + 1))
    assert zoom.beside(run, whole) is beside
    assert "uphill" not in beside.marks


def test_another_run_that_takes_long_is_looked_at_until_it_is_complete() -> None:
    """Else a long branch has hardly a sample in the first thousands of steps."""
    clock = Clock()
    zoom, run, other = ZoomWindow(clock), long_run(4000), long_run(100_000)
    look(zoom, run)
    whole = _history(other)
    clock.tick = LOOK_SECONDS / 64
    rough = zoom.beside(other, whole)
    assert zoom.unfinished
    while zoom.unfinished:
        zoom.study(LOOK_SECONDS)
    assert len(zoom.beside(other, whole).steps) == 513 > len(rough.steps)


def test_another_run_is_as_it_is_where_all_is_shown_or_where_it_has_ended() -> None:
    zoom, run, other = ZoomWindow(Clock()), long_run(4000), long_run(500)
    whole = _history(other)
    look(zoom, run)
    assert zoom.beside(other, whole) is whole
    zoom.zoom(4, run.recorded)
    look(zoom, run)
    assert zoom.beside(other, whole) is whole
