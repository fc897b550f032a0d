"""Curves: steps where trials were solved, and the best E on the grid of 1, 2, 5."""

from __future__ import annotations

import numpy as np
import pytest

from engine.bench import curves
from engine.bench.columns import gather
from engine.bench.trial import MILESTONES
from tests.engine.bench import made

WHOLE = made.experiment([made.contender(), made.contender("other", "backtrack")], runs=2)
RESULTS = gather(made.results(WHOLE, made.solved(7), made.REFUSED, made.cut(), made.REFUSED, made.solved(9),
                              made.REFUSED, made.gave_up(5)))


def test_a_run_time_curve_steps_where_a_trial_is_solved() -> None:
    curve, = curves.run_time_curves(WHOLE, RESULTS, "steps")
    assert (curve.contender, curve.label, curve.n, curve.end) == (0, "slow", 4, 1000)
    assert curve.x == (7, 9)
    assert curve.share == pytest.approx((0.25, 0.5))
    assert curve.marks == ((1000, pytest.approx(0.5)),)
    assert all(low <= share <= high for low, share, high in zip(curve.low, curve.share, curve.high, strict=True))


def test_a_curve_of_one_group() -> None:
    curve, = curves.run_time_curves(WHOLE, RESULTS, "steps", "hard")
    assert (curve.n, curve.x, curve.share) == (2, (), ())


def test_trials_cut_off_by_steps_have_no_mark_on_the_time_axis() -> None:
    curve, = curves.run_time_curves(WHOLE, RESULTS, "seconds")
    assert (curve.marks, curve.end) == ((), 0.5)
    assert curve.share == pytest.approx((0.5,))


def test_a_long_curve_is_thinned_and_goes_through_the_same_points() -> None:
    many = made.experiment([made.contender()], runs=1000, groups=("a", "a"))
    results = gather([(trial, made.solved(1 + trial.seed)) for trial in many.trials()])
    curve, = curves.run_time_curves(many, results, "steps", most=50)
    assert 30 <= len(curve.x) <= 52
    assert (curve.x[0], curve.x[-1], curve.share[-1]) == (1, 1000, 1)
    assert curve.share == pytest.approx([x / 1000 for x in curve.x])
    assert np.diff(np.log(curve.x))[20:].max() < 0.2


def convergence(*paths: list[list[int]], against: str = "steps") -> curves.Convergence:
    many = made.experiment([made.contender()], runs=len(paths))
    found, = curves.convergence(many, zip(many.trials(), paths, strict=False), against)  # type: ignore[arg-type]
    return found


def test_convergence_is_read_off_on_the_grid_and_kept_after_the_end() -> None:
    found = convergence([[0, 1, 9], [1, 3, 8], [2, 5, 4], [3, 7, 0]], [[0, 1, 9], [1, 2, 9], [2, 3, 6], [5, 6, 5],
                                                                      [10, 11, 5], [14, 15, 2]])
    assert found.x == (1, 2, 5, 10, 20)
    assert found.median == (8.5, 5, 2.5, 2.5, 1)
    assert (found.lower[0], found.upper[0], found.n) == (8.25, 8.75, 2)


def test_convergence_against_evaluations_takes_the_last_known_best() -> None:
    found = convergence([[0, 4, 9], [1, 8, 7], [2, 12, 3]], against="evaluations")
    assert found.x == (1, 2, 5, 10, 20)
    assert found.median == (9, 9, 9, 7, 3)


def test_trials_without_a_curve_are_not_in_it() -> None:
    assert convergence([[0, 0, 5]], []).n == 1
    assert curves.convergence(WHOLE, []) == ()


def test_a_batch_is_read_off_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [[[0, 0, 50 + seed], *([step, step, 50 - step % 7 - seed] for step in MILESTONES[:seed % 9])]
             for seed in range(40)]
    whole = convergence(*paths)
    monkeypatch.setattr(curves, "_AT_ONCE", 3)
    assert convergence(*paths) == whole


def test_steps_beyond_the_grid_do_not_reach_into_the_next_curve() -> None:
    found = convergence([[0, 0, 9], [2**50, 2**50, 1]], [[0, 0, 4]])
    assert (found.x, found.median) == ((MILESTONES[0], MILESTONES[-1]), (6.5, 6.5))


def test_where_no_trial_was_looked_at_nothing_is_shown() -> None:
    """Neither the last value known, which would be a stair that is none."""
    found = convergence([[0, 0, 40], [20, 20, 12], [50, 50, 6], [60, 60, 0]], [[0, 0, 30], [20, 20, 10], [27, 27, 0]])
    assert found.x == (1, 20, 50, 100)
    assert found.median == (35, 11, 3, 0)
