"""Statistics against textbooks, against hand-made cases, and against what must hold of all."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
import scipy  # its parts are loaded when they are used
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bench import statistics
from engine.bench.columns import gather
from engine.bench.statistics import Quantile, Sample
from tests.engine.bench import made

GEHAN = ("6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+",
         "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23")
"""Weeks of remission of 42 patients with leukaemia (Freireich 1963, in Gehan 1965)."""


def sample(written: str) -> Sample:
    """`5` solved after 5, `5+` cut off after 5, `5!` given up after 5."""
    times = written.split()
    solved, cut = ([each.endswith(ends) for each in times] for ends in (tuple("0123456789"), "+"))
    return Sample(np.array([float(each.rstrip("+!")) for each in times]), np.array(solved, bool), np.array(cut, bool))


@pytest.mark.parametrize(("solved", "n", "low", "high"), [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)])
def test_wilson_as_in_newcombe_1998(solved: int, n: int, low: float, high: float) -> None:
    rate = statistics.success(solved, n)
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
    assert rate.share == solved / n


def test_of_no_trial_nothing_is_known() -> None:
    assert statistics.success(0, 0) == statistics.Rate(0, 0, 0.0, 1.0)
    assert statistics.success(0, 0).share is None
    assert statistics.run_times(sample("")).median == Quantile(None, None, None)


def test_kaplan_meier_by_hand() -> None:
    found = statistics.distribution(sample("1 2 2+ 3 4+ 5"))
    left = [5 / 6, 5 / 6 * 4 / 5, 4 / 6 * 2 / 3, 4 / 6 * 2 / 3, 0.0]
    assert found.times.tolist() == [1, 2, 3, 4, 5]
    assert found.share == pytest.approx([1 - each for each in left])
    assert found.censored.tolist() == [0, 1, 0, 1, 0]


def test_medians_and_their_intervals_as_published() -> None:
    treated, control = (statistics.run_times(sample(each)) for each in GEHAN)
    assert treated.median == Quantile(23, 13, None)
    assert control.median == Quantile(8, 4, 11)
    assert (treated.solved, treated.censored, treated.watched) == (9, 12, 6)


def test_log_rank_as_published() -> None:
    assert statistics.log_rank(*map(sample, GEHAN)) == pytest.approx(4.17e-5, rel=0.001)  # chi-square 16.79


def test_where_more_than_half_are_cut_off_there_is_no_median() -> None:
    found = statistics.run_times(sample("1 2 9+ 9+ 9+"))
    assert found.median.value is None
    assert found.median.high is None
    assert found.watched == 9
    assert found.lower.value == 2
    assert found.among_solved is not None
    assert (found.among_solved.n, found.among_solved.mean) == (2, 1.5)


def test_who_gives_up_early_never_solves() -> None:
    found = statistics.run_times(sample("0.1! 0.1! 0.1! 5 6"))
    assert (found.median.value, found.never, found.solved) == (None, 3, 2)
    assert statistics.distribution(sample("0.1! 0.1! 0.1! 5 6")).share.tolist() == pytest.approx([0.2, 0.4])


def test_trials_cut_off_by_steps_are_not_censored_at_their_seconds() -> None:
    """Two of five solved, the others cut off sooner by the clock than these: half are not solved at any time."""
    whole = made.experiment([made.contender()], runs=5, groups=("a", "b"))
    columns = gather(made.results(whole, *[made.cut(seconds=0.1)] * 3, made.solved(900, 0.2), made.solved(950, 0.3)))
    seconds = statistics.run_times(Sample.of(columns, "seconds", "steps"))
    assert (seconds.median.value, seconds.censored, seconds.watched) == (None, 3, None)
    assert seconds.lower.value == 0.3
    assert statistics.run_times(Sample.of(columns, "steps", "steps")).watched == 1000


def test_a_trial_that_is_solved_as_its_limit_ends_it_is_solved() -> None:
    whole = made.experiment([made.contender()], runs=1)
    at_the_limit = msgspec.structs.replace(made.solved(1000, 0.5), censored=True)
    sample = Sample.of(gather(made.results(whole, at_the_limit, made.cut())), "seconds", "steps")
    assert (sample.solved.tolist(), sample.censored.tolist()) == ([True, False], [False, True])
    assert sample.times.tolist() == [0.5, np.inf]


TIMES = st.lists(st.integers(1, 30).map(float), min_size=1, max_size=30)


@given(TIMES)
@settings(max_examples=40, deadline=None)
def test_where_all_are_solved_the_median_is_the_usual_one(times: list[float]) -> None:
    all_solved = Sample(np.array(times), np.ones(len(times), bool), np.zeros(len(times), bool))
    found = statistics.run_times(all_solved)
    assert found.median.value == np.median(times)
    assert (found.median.low is None) is (len(times) < 6)
    assert found.median.low is None or found.median.low <= found.median.value
    assert found.median.high is None or found.median.value <= found.median.high


@pytest.mark.parametrize(("times", "high"), [
    ("7 " * 18, 7), ("7 " * 6, 7), ("7 " * 5, None), ("1 2 3 4 5 6", 6), ("1 2 3 4 5", None),
    ("1+ " + "7 " * 18, 7), ("1+ " * 20 + "7 " * 5, None), ("7 " * 18 + "8!", 7)])
def test_the_upper_limit_of_a_median_is_observed_where_six_trials_are_solved(times: str, high: float | None) -> None:
    """The median of six values is at most the largest, with a confidence of 1 - 2⁻⁶; of five, with too little."""
    assert statistics.run_times(sample(times)).median.high == high


@pytest.mark.parametrize(("times", "low"), [
    ("7", None), ("1 2 3 4 5", None), ("1 2 3 4 5 6", 1), ("1+ " * 20 + "7 " * 5, None), ("1+ " * 20 + "7 " * 6, 7),
    ("7 8 9 1! 1! 1!", 7)])
def test_the_lower_limit_of_a_median_takes_six_trials_that_were_watched(times: str, low: float | None) -> None:
    """The median of six values is at least the smallest, with a confidence of 1 - 2⁻⁶."""
    assert statistics.run_times(sample(times)).median.low == low


KINDS = st.lists(st.tuples(st.integers(1, 20).map(float), st.sampled_from("s+!")), min_size=1, max_size=25)


def mixed(trials: list[tuple[float, str]]) -> Sample:
    return sample(" ".join(f"{time}{kind.strip('s')}" for time, kind in trials))


@given(KINDS)
@settings(max_examples=40, deadline=None)
def test_a_distribution_rises_inside_its_interval(trials: list[tuple[float, str]]) -> None:
    found = statistics.distribution(mixed(trials))
    assert (np.diff(found.share) >= -1e-12).all()
    assert (found.low <= found.share + 1e-12).all()
    assert (found.share <= found.high + 1e-12).all()
    assert ((found.low >= 0) & (found.high <= 1)).all()


@given(KINDS)
@settings(max_examples=40, deadline=None)
def test_cut_off_at_one_limit_the_share_is_the_share_of_all(trials: list[tuple[float, str]]) -> None:
    limited = mixed([(20.0 if kind == "+" else time, kind) for time, kind in trials])
    found = statistics.distribution(limited)
    counted = [(limited.times[limited.solved] <= time).mean() * limited.solved.mean() if limited.solved.any() else 0.0
               for time in found.times]
    assert found.share == pytest.approx(counted)


# One against another


def test_paired_difference_as_in_newcombe_1998() -> None:
    """36 pairs solved by both, 12 by the first alone, 2 by the second alone."""
    first = Sample(np.ones(50), np.repeat([True, True, False], [36, 12, 2]), np.zeros(50, bool))
    second = Sample(np.ones(50), np.repeat([True, False, True], [36, 12, 2]), np.zeros(50, bool))
    duel = statistics.paired(first, second)
    assert duel.difference == pytest.approx(0.2)
    assert (round(duel.low, 4), round(duel.high, 4)) == (0.0569, 0.3404)
    assert duel.p_solved == pytest.approx(2 * sum((1, 14, 91)) / 2**14)  # at most 2 of 14
    assert (duel.wins, duel.losses, duel.ties) == (12, 2, 36)


def test_pairs_that_hardly_go_together_have_the_interval_of_unpaired_trials() -> None:
    """2 of 6 pairs solved by both, 2 by neither, 1 by each alone: within the correction for continuity."""
    first, second = (Sample(np.ones(6), np.array(solved, bool), np.zeros(6, bool))
                     for solved in ([1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0]))
    paired, unpaired = statistics.paired(first, second), statistics.unpaired(first, second)
    assert (paired.low, paired.high) == pytest.approx((unpaired.low, unpaired.high))


def test_unpaired_difference_as_in_newcombe_1998() -> None:
    first, second = (Sample(np.arange(n) + 1.0, np.arange(n) < solved, np.zeros(n, bool))
                     for solved, n in ((56, 70), (48, 80)))
    duel = statistics.unpaired(first, second)
    assert (round(duel.low, 4), round(duel.high, 4)) == (0.0524, 0.3339)


def test_who_solves_first_wins() -> None:
    duel = statistics.paired(sample("1 2 9+ 3 5! 9+ 4"), sample("2 1 3  9+ 4 9+ 4"))
    assert (duel.pairs, duel.wins, duel.losses, duel.ties) == (7, 2, 3, 2)
    assert duel.superiority == pytest.approx(3 / 7)
    assert duel.delta == pytest.approx(2 * 3 / 7 - 1)
    assert duel.p == 1.0


def test_who_was_not_watched_for_long_enough_has_not_lost() -> None:
    assert statistics.paired(sample("5"), sample("3+")).wins == 0
    assert statistics.paired(sample("5"), sample("5+")).wins == 1


@pytest.mark.sweep
@given(KINDS, KINDS)
@settings(max_examples=40, deadline=None)
def test_each_against_each_is_counted_rightly(first: list[tuple[float, str]], second: list[tuple[float, str]]) -> None:
    one, other = mixed(first), mixed(second)
    everybody = [(statistics.paired(mixed([a]), mixed([b]))) for a in first for b in second]
    duel, back = statistics.unpaired(one, other), statistics.unpaired(other, one)
    assert (duel.wins, duel.losses) == (sum(each.wins for each in everybody), sum(each.losses for each in everybody))
    assert (duel.wins, duel.losses) == (back.losses, back.wins)
    assert duel.p == pytest.approx(back.p)


@given(TIMES, TIMES)
@settings(max_examples=25, deadline=None)
def test_superiority_is_mann_whitney_where_all_are_solved(first: list[float], second: list[float]) -> None:
    one, other = mixed([(time, "s") for time in first]), mixed([(time, "s") for time in second])
    greater = scipy.stats.mannwhitneyu(other.times, one.times).statistic
    assert statistics.unpaired(one, other).superiority == pytest.approx(greater / len(first) / len(second))


def test_without_solved_trials_nothing_differs() -> None:
    duel = statistics.paired(sample("9+ 9+ 3!"), sample("9+ 2! 9+"))
    assert (duel.p, duel.p_solved, duel.p_log_rank, duel.superiority) == (1, 1, 1, 0.5)
    assert statistics.log_rank(sample(""), sample("1")) == 1


def test_holm_by_hand() -> None:
    assert statistics.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert statistics.holm([]) == ()
    assert statistics.holm([0.9, 0.8]) == (1.0, 1.0)


def test_a_spread_has_no_deviation_of_one() -> None:
    found = statistics.spread(np.array([2.0]))
    assert found is not None
    assert (found.mean, found.median, found.deviation) == (2, 2, None)
    assert statistics.spread(np.array([])) is None


@given(st.lists(st.floats(0.001, 1000.0), min_size=1, max_size=40))
def test_where_all_are_solved_the_solved_alone_have_the_quartiles_of_all(times: list[float]) -> None:
    values = np.array(times)
    sample = Sample(values, np.ones(len(values), bool), np.zeros(len(values), bool))
    took, alone = statistics.run_times(sample), statistics.spread(values)
    assert alone is not None
    assert (alone.lower, alone.median, alone.upper) == pytest.approx(
        (took.lower.value, took.median.value, took.upper.value))
