"""Statistics of trials in which a limit censors, and never enters a mean.

A trial that a limit ended would have taken longer: its time is censored. A trial that its solver ended without a
solution never finds one: it remains among those at risk to the end of the axis, as in a cumulative incidence (Fine and
Gray 1999). So does a trial that was cut off by a limit on another measure: the seconds until a million steps were made
measure the speed of steps, not the distance to a solution, and such censoring is not independent, as the Kaplan-Meier
estimate requires. The share of a run-time distribution at a time is therefore the share of all trials solved by then
within the limit (Hoos and Stützle 1998).

SciPy is imported at the first computation. All intervals have a confidence of 95 %.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.bench.columns import Columns, Measure
from engine.bench.experiment import LimitKind

LEVEL: Final = 0.95
"""Of every interval."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


# Success


class Rate(Struct, frozen=True):
    """The number of solved trials among n, with the Wilson interval of the share (Wilson 1927)."""

    solved: int
    n: int
    low: float
    high: float
    """Shares from 0 to 1; 0 and 1 where there is no trial."""

    @property
    def share(self) -> float | None:
        """None where there is no trial."""
        return self.solved / self.n if self.n else None


def success(solved: int, n: int) -> Rate:
    """The rate of `solved` out of `n` trials."""
    if not n:
        return Rate(0, 0, 0.0, 1.0)
    from scipy.stats import binomtest

    interval = binomtest(solved, n).proportion_ci(LEVEL, "wilson")
    return Rate(solved, n, float(interval.low), float(interval.high))


# Run times


@dataclass(frozen=True, slots=True)
class Sample:
    """Trials of which none was refused."""

    times: Floats
    """The measure of each trial until it was solved, given up or cut off; infinite if something else cut it off."""
    solved: Bools
    censored: Bools
    """Cut off by a limit. Neither solved nor censored: its solver ended it without a solution."""

    @classmethod
    def of(cls, columns: Columns, measure: Measure, limited: LimitKind) -> Sample:
        """The trials that were not refused. `limited`: what trials are cut off by."""
        ran = columns if not columns.refused.any() else columns.only(~columns.refused)
        times, censored = ran.of(measure), ran.censored & ~ran.solved
        if measure != limited:
            times[censored] = np.inf
        return cls(times, ran.solved, censored)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def never(self) -> Bools:
        """Ended by the solver without a solution."""
        return ~self.solved & ~self.censored


@dataclass(frozen=True, slots=True)
class Distribution:
    """A run-time distribution: the share of the trials that is solved by a time, a step function (Kaplan and Meier
    1958) with a pointwise interval (from Greenwood's variance on the log-log scale; where all are solved, the lower
    limit is also that of Clopper and Pearson)."""

    times: Floats
    """The times at which the curve steps or a trial is censored, ascending."""
    share: Floats
    """From this time on, until the next."""
    low: Floats
    high: Floats
    censored: NDArray[np.int64]
    """Trials that are censored at this time."""
    before: float
    """The upper limit before the first time, where the share is 0 (Clopper and Pearson 1934)."""


class Quantile(Struct, frozen=True):
    """The time by which a share of the trials is solved, with an interval (Brookmeyer & Crowley 1982). None if no trial
    was observed for long enough, or if too many are never solved; the lower limit also if there are too few trials to
    rule out an earlier time."""

    value: float | None
    low: float | None
    high: float | None


class Spread(Struct, frozen=True):
    """Statistics of the solved trials alone: no estimate of the run time where others were not solved."""

    n: int
    median: float
    lower: float
    """First quartile."""
    upper: float
    """Third quartile."""
    mean: float
    deviation: float | None
    """Standard deviation (n - 1); None for a single trial."""


class RunTimes(Struct, frozen=True):
    """The distribution of the times to a solution."""

    n: int
    solved: int
    censored: int
    """Cut off by a limit."""
    never: int
    """Ended by their solver without a solution."""
    median: Quantile
    lower: Quantile
    """First quartile: by when a quarter is solved."""
    upper: Quantile
    watched: float | None
    """The shortest time of a censored trial, to which all were watched: unobserved times are longer. None if no trial
    is censored by this measure."""
    among_solved: Spread | None
    """None: none is solved."""


def distribution(sample: Sample) -> Distribution:
    """The run-time distribution of at least one trial."""
    from scipy.stats import ecdf

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the interval where the share is 0 or 1: mended below
        found = ecdf(_right_censored(sample, _horizon(sample))).sf
        interval = found.confidence_interval(LEVEL, method="log-log")
    seen = found.quantiles < _horizon(sample)
    left = found.probabilities[seen]
    low, high = interval.low.probabilities[seen], interval.high.probabilities[seen]
    whole, none = left >= 1, left <= 0
    low, high = np.where(whole, 1.0, np.where(none, 0.0, low)), np.where(whole, 1.0, high)
    if none.any():
        first = int(np.argmax(none))
        high[none] = min(high[first - 1] if first else 1.0, 1 - _at_least(sample))
    times = found.quantiles[seen]
    cut, number = np.unique(sample.times[_watched(sample)], return_counts=True)
    counts = np.zeros(len(times), np.int64)
    counts[np.searchsorted(times, cut)] = number
    return Distribution(times, 1 - left, 1 - high, 1 - low, counts, _at_most(sample))


def _at_least(sample: Sample) -> float:
    """The lower limit of a share that was observed to be 1 (Clopper and Pearson 1934), of the trials that were not
    solved when the last of the others was cut off: Greenwood's variance is 0 there, and has no limit."""
    left = int((sample.times > sample.times[_watched(sample)].max(initial=-1.0)).sum())
    return _limit_of_all(left)


def _at_most(sample: Sample) -> float:
    """The upper limit of a share that was observed to be 0, of the trials that were watched until the first was solved.
    """
    first = sample.times[sample.solved].min(initial=np.inf)
    return 1 - _limit_of_all(int((sample.never | (sample.times >= first)).sum()))


def _limit_of_all(n: int) -> float:
    """The lower limit of a share of n trials that was observed to be 1 (Clopper and Pearson 1934)."""
    return float(((1 - LEVEL) / 2) ** (1 / n)) if n else 0.0


def _watched(sample: Sample) -> Bools:
    """Cut off at a known time."""
    return sample.censored & np.isfinite(sample.times)


def _horizon(sample: Sample) -> float:
    """A time after all others."""
    finite = sample.times[np.isfinite(sample.times)]
    return float(2 * finite.max(initial=0.0) + 1)


def _right_censored(sample: Sample, horizon: float) -> Any:
    from scipy.stats import CensoredData

    return CensoredData.right_censored(np.where(sample.never, horizon, np.minimum(sample.times, horizon)),
                                       ~sample.solved)


def quantile(found: Distribution, share: float) -> Quantile:
    """The first time by which at least this share is solved; in the middle of the times between which it is just this
    share, so that it is the usual median where nothing is censored."""
    enough = 1e-12
    place = int(np.searchsorted(found.share, share - enough))
    value = _at(found.times, place)
    if value is not None and abs(found.share[place] - share) < enough:
        after = _at(found.times, int(np.searchsorted(found.share, share + enough)))
        value = value if after is None else (value + after) / 2
    low = None if found.before >= share else _at(found.times, int(np.searchsorted(found.high, share - enough)))
    return Quantile(value, low, _at(found.times, int(np.searchsorted(found.low, share - enough))))


def _at(times: Floats, place: int) -> float | None:
    return float(times[place]) if place < len(times) else None


def run_times(sample: Sample) -> RunTimes:
    """The distribution of the run times of these trials."""
    nothing = Quantile(None, None, None)
    if not len(sample):
        return RunTimes(0, 0, 0, 0, nothing, nothing, nothing, None, None)
    found = distribution(sample)
    cut = sample.times[_watched(sample)]
    watched = float(cut.min()) if len(cut) else None
    return RunTimes(len(sample), int(sample.solved.sum()), int(sample.censored.sum()), int(sample.never.sum()),
                    quantile(found, 0.5), quantile(found, 0.25), quantile(found, 0.75), watched,
                    spread(sample.times[sample.solved]))


def spread(values: Floats) -> Spread | None:
    """Median, quartiles, mean and deviation; None of nothing. Where all trials are solved, median and quartiles are
    those of `quantile`."""
    if not len(values):
        return None
    lower, median, upper = (float(each) for each in np.quantile(
        values, (0.25, 0.5, 0.75), method="averaged_inverted_cdf"))
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    return Spread(len(values), median, lower, upper, float(values.mean()), deviation)


# One against another


class Duel(Struct, frozen=True):
    """Two contenders compared. Paired: trial for trial of the same puzzle and seed."""

    paired: bool
    pairs: int
    """Pairs of trials; where they are not paired, of each trial of the one with each of the other."""
    wins: int
    """The first was faster: it solved sooner, or solved where the other, watched as long or to its limit, did not."""
    losses: int
    p: float
    """p of the exact sign test of wins and losses; of the log-rank test where not paired."""
    difference: float | None
    """Share solved by the first less that by the second, and its interval (Newcombe 1998: paired by his method 10,
    otherwise by method 10 of independent shares). None where one has no trial."""
    low: float
    high: float
    p_solved: float
    """p of the difference: exact McNemar test; Fisher's where not paired."""
    p_log_rank: float
    """p of the log-rank test of the whole run-time distributions, without pairs (Mantel 1966)."""

    @property
    def ties(self) -> int:
        return self.pairs - self.wins - self.losses

    @property
    def superiority(self) -> float | None:
        """The probability that the first is faster, a tie counting half: 0.5 is no effect."""
        return (self.wins + self.ties / 2) / self.pairs if self.pairs else None

    @property
    def delta(self) -> float | None:
        """Cliff's delta, from -1 to 1: 0 is no effect."""
        return (self.wins - self.losses) / self.pairs if self.pairs else None


def paired(first: Sample, second: Sample) -> Duel:
    """Compare samples of the same length, whose trials belong together place by place."""
    wins, losses = int(_wins(first, second).sum()), int(_wins(second, first).sum())
    only = int((first.solved & ~second.solved).sum()), int((second.solved & ~first.solved).sum())
    low, high = _paired_difference(first.solved, second.solved) if len(first) else (-1.0, 1.0)
    difference = (only[0] - only[1]) / len(first) if len(first) else None
    return Duel(True, len(first), wins, losses, _sign(wins, losses), difference, low, high, _sign(*only),
                log_rank(first, second))


def _wins(one: Sample, other: Sample) -> Bools:
    """Pairs in which one is known to have solved before the other."""
    sooner = np.where(other.solved, one.times < other.times, other.never | (other.times >= one.times))
    return one.solved & sooner


def _sign(wins: int, losses: int) -> float:
    """The exact two-sided sign test, which is the exact McNemar test too."""
    if not wins + losses:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses).pvalue)


def unpaired(first: Sample, second: Sample) -> Duel:
    """Compare samples that have no trials in common; each trial of the one is set against each of the other (Gehan
    1965)."""
    from scipy.stats import fisher_exact

    wins, losses = _beaten(first, second), _beaten(second, first)
    counts = [(int(each.solved.sum()), len(each)) for each in (first, second)]
    p_solved = float(fisher_exact([[solved, n - solved] for solved, n in counts]).pvalue)
    rates = [success(*each) for each in counts]
    difference, low, high = _difference(rates[0], rates[1], 0.0)
    p = log_rank(first, second)
    return Duel(False, len(first) * len(second), wins, losses, p, difference, low, high, p_solved, p)


def _beaten(one: Sample, other: Sample) -> int:
    """Pairs of one with other in which one is known to have solved before."""
    solved = one.times[one.solved]
    later = np.searchsorted(np.sort(other.times[other.solved]), solved, "right")
    cut = np.searchsorted(np.sort(other.times[other.censored]), solved, "left")
    known = int(other.solved.sum()) - later + int(other.censored.sum()) - cut + int(other.never.sum())
    return int(known.sum())


def _paired_difference(first: Bools, second: Bools) -> tuple[float, float]:
    """The interval of the difference of shares of the same trials (Newcombe 1998, paired data, method 10)."""
    n = len(first)
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    margins = (both + only_first, only_second + neither, both + only_second, only_first + neither)
    together: float = both * neither - only_first * only_second
    if together >= 0:
        together = max(0.0, together - n / 2)
    phi = together / math.sqrt(math.prod(margins)) if all(margins) else 0.0
    return _difference(success(margins[0], n), success(margins[2], n), phi)[1:]


def _difference(first: Rate, second: Rate, phi: float) -> tuple[float | None, float, float]:
    """Difference and interval from two Wilson intervals, the shares going together by `phi`."""
    if first.share is None or second.share is None:
        return None, -1.0, 1.0
    difference = first.share - second.share
    below = _norm(first.share - first.low, second.high - second.share, phi)
    above = _norm(first.high - first.share, second.share - second.low, phi)
    return difference, difference - below, difference + above


def _norm(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def log_rank(first: Sample, second: Sample) -> float:
    """The p of the log-rank test; 1 without data."""
    if not (len(first) and len(second)) or not (first.solved.any() or second.solved.any()):
        return 1.0
    from scipy.stats import logrank

    horizon = max(_horizon(first), _horizon(second))
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # nothing varies: p is no number
        p = float(logrank(_right_censored(first, horizon), _right_censored(second, horizon)).pvalue)
    return 1.0 if math.isnan(p) else p


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """The p-values of several tests, corrected by Holm's method (Holm 1979), in their order."""
    adjusted, worst = [0.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        worst = max(worst, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = worst
    return tuple(adjusted)
