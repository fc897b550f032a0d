"""The samples of a window equal those found by stepping through the run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import registry
from engine.run.run import Run
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, RESTART, SMALL, Small
from tui.playback.snapshot import FREQUENT, MARKED, History
from tui.playback.window import Window
from tui.playback.zoom import DETAIL_SPAN, MOST_PERIODS, POINTS, WindowSamples

NOTHING = History(np.zeros(0, dtype=np.int64), np.zeros((0, 4)))


def small_run(steps: int = END) -> Run:
    run = Run.start(SMALL, PUZZLE, seed=7)
    run.advance(steps)
    return run


def annealing(steps: int, **values: object) -> Run:
    solver = registry.solver("anneal-reheat")
    params = solver.make_params(None, {"moves": 50, "alpha": 0.8, "stagnation": 3, "T_min": 0.2} | values)
    run = Run.start(solver, PUZZLE, params, 7)
    run.advance(steps)
    return run


def stepped(run: Run, window: Window) -> tuple[dict[int, tuple[float, ...]], dict[str, tuple[int, ...]]]:
    """Samples by step and marks of a window, step by step; of the last step of all no end of a period."""
    samples: dict[int, tuple[float, ...]] = {}
    marks: dict[str, list[int]] = {}
    wanted = (*MARKED, *FREQUENT, run.solver.period_kind)
    for step in range(window.low, min(window.high, run.recorded) + 1):
        run.seek(step)
        samples[step] = run.solver.sample(run.state, run.params)
        kinds = {kind for event in run.events for kind in event.kinds if kind in wanted}
        for kind in kinds - ({"cooled"} if run.at_end else set()):
            marks.setdefault(kind, []).append(step)
    return samples, {kind: tuple(steps) for kind, steps in marks.items()}


def never() -> bool:
    return False


def assert_same(history: History, run: Run, window: Window) -> None:
    samples, marks = stepped(run, window)
    expected = np.array([samples[int(step)] for step in history.steps])
    np.testing.assert_array_equal(history.values, expected)
    assert history.marks == marks
    stride = max(1, window.span // POINTS)
    end = min(window.high, run.recorded)
    assert history.steps.tolist() == sorted({*range(window.low, end + 1, stride), end})


@pytest.mark.parametrize(("steps", "window"), [
    (END, Window(0, 64)), (END, Window(480, 64)), (END, Window(1024, 1024)), (1900, Window(0, 2048)),
    (END, Window(1984, 64))])
def test_it_says_what_stepping_says(steps: int, window: Window) -> None:
    run = small_run(steps)
    close = WindowSamples(run, window)
    close.fill(never)
    assert close.complete
    assert_same(close.history(NOTHING), run, window)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("window", [Window(0, 4096), Window(2048, 1024), Window(2000, 64)])
def test_it_says_what_stepping_says_where_a_kernel_makes_the_steps(window: Window) -> None:
    run = annealing(3000)
    close = WindowSamples(run, window)
    close.fill(never)
    history = close.history(NOTHING)
    assert_same(history, run, window)
    assert len(history.marks["uphill"]) > 3


def test_what_was_changed_by_hand_is_seen() -> None:
    run = annealing(700)
    assert run.intervene("T", 2.0) is run
    run.advance(300)
    run = run.intervene("alpha", 0.5)
    run.advance(24)
    close = WindowSamples(run, Window(0, 1024))
    close.fill(never)
    history = close.history(NOTHING)
    assert_same(history, run, Window(0, 1024))
    assert max(history.values[345:355, 2]) == 2.0


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 40), max_size=20), st.integers(0, 3), st.booleans())
@pytest.mark.sweep
def test_filled_in_pieces_and_while_the_run_grows_it_is_the_same(pieces: list[int], page: int, told: bool) -> None:
    """However often it gets late, and however the run grows meanwhile."""
    window = Window(256 * page, 512)
    run = small_run(window.low + 10)
    close = WindowSamples(run, window, samples_only=not told)
    for piece in pieces:
        looks = iter([False] * (piece // 4))
        close.fill(lambda looks=looks: next(looks, True))  # type: ignore[misc]
        run.seek(run.recorded)
        run.advance(piece)
    close.fill(never)
    assert close.complete
    whole = WindowSamples(run, window, samples_only=not told)
    whole.fill(never)
    once, grown = whole.history(NOTHING), close.history(NOTHING)
    assert grown.marks == once.marks
    kept = np.isin(grown.steps, once.steps)
    assert kept[-1]
    np.testing.assert_array_equal(grown.steps[kept], once.steps)
    np.testing.assert_array_equal(grown.values[kept], once.values)


def test_what_was_not_looked_at_in_time_is_as_rough_as_the_run_has_it() -> None:
    run = small_run()
    steps, values = run.series.arrays()
    whole = History(steps, values, {"reheat": (REHEAT, 2 * REHEAT, RESTART), "best": (1,)})
    close = WindowSamples(run, Window(0, 2048))
    looks = iter([False] * 160)
    close.fill(lambda: next(looks, True))
    assert not close.complete
    reached = 4 * 160
    history = close.history(whole)
    assert np.all(np.diff(history.steps) > 0)
    assert set(range(0, reached + 1, 4)) <= set(history.steps.tolist())
    assert set(steps[steps > reached].tolist()) <= set(history.steps.tolist())
    assert history.marks["reheat"] == (REHEAT, 2 * REHEAT, RESTART)
    assert "restart" not in history.marks


def test_a_history_is_the_same_object_as_long_as_nothing_is_added() -> None:
    run = small_run(300)
    close = WindowSamples(run, Window(256, 256))
    close.fill(never)
    first = close.history(NOTHING)
    assert close.history(History(np.arange(3), np.zeros((3, 4)))) is first
    run.advance(1)
    close.fill(never)
    assert close.history(NOTHING) is not first


def test_plateaus_too_many_to_be_told_apart_are_left_out() -> None:
    few = small_run(PLATEAU * MOST_PERIODS)
    close = WindowSamples(few, Window(0, 2048))
    close.fill(never)
    assert len(close.history(NOTHING).marks["cooled"]) == MOST_PERIODS
    more = small_run(PLATEAU * (MOST_PERIODS + 1))
    close = WindowSamples(more, Window(0, 2048))
    close.fill(never)
    assert close.history(NOTHING).marks["cooled"] == (), "there are some"


@pytest.mark.sweep
def test_frequent_events_are_looked_for_in_narrow_windows_only() -> None:
    run = annealing(2 * DETAIL_SPAN, T_min=0.01, alpha=0.99)
    for span, told in ((DETAIL_SPAN, True), (2 * DETAIL_SPAN, False)):
        close = WindowSamples(run, Window(0, span))
        close.fill(never)
        assert close.complete
        assert ("uphill" in close.history(NOTHING).marks) is told


def test_a_search_whose_periods_are_frequent_has_each_mark_once() -> None:
    run = Run.start("backtrack", PUZZLE)
    run.advance(600)
    close = WindowSamples(run, Window(0, 1024))
    close.fill(never)
    assert_same(close.history(History(NOTHING.steps, np.zeros((0, len(run.solver.channels))))), run, Window(0, 1024))


def test_a_solver_of_another_kind_is_looked_at_too() -> None:
    class Bare(Small):
        period_kind = ""

    run = Run.start(Bare(), PUZZLE)
    run.advance(100)
    close = WindowSamples(run, Window(64, 64))
    close.fill(never)
    assert "cooled" not in close.history(NOTHING).marks
    assert close.history(NOTHING).steps.tolist() == list(range(64, 101))


def test_a_history_of_the_run_that_has_grown_fills_the_rest() -> None:
    run = small_run(657)
    samples = WindowSamples(run, Window(0, 1024))
    steps, values = run.series.arrays()
    before = samples.history(History(steps[:607], values[:607]))
    after = samples.history(History(steps, values))
    assert (len(before.steps), len(after.steps)) == (607, 658)


@settings(max_examples=40, deadline=None)
@given(recorded=st.integers(2, 900), low=st.sampled_from(range(0, 513, 64)), span=st.sampled_from([64, 256, 512]),
       at=st.floats(0, 1), more=st.integers(1, 400))
def test_a_copy_for_a_branch_is_completed_to_what_a_new_look_finds(recorded: int, low: int, span: int, at: float,
                                                                   more: int) -> None:
    run, window = annealing(recorded), Window(low, span)
    assume(low <= run.recorded)
    samples = WindowSamples(run, window)
    samples.fill(never)
    step = int(at * run.recorded)
    run.seek(step)
    branch = run.intervene("T", 0.7)
    branch.advance(more)
    assume(low <= branch.recorded)
    copy = samples.copied(branch, step - 1)
    copy.fill(never)
    assert_same(copy.history(NOTHING), branch, window)
