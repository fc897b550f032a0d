"""Curves of an experiment's results, thinned to what a chart can show: run-time distributions and convergence."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.bench import statistics
from engine.bench.columns import Columns, Measure
from engine.bench.experiment import Experiment, Trial
from engine.bench.statistics import Distribution, Floats, Sample
from engine.bench.trial import MILESTONES

MOST: Final = 300
"""Approximate number of steps of a curve: more than a chart has columns."""
QUARTILES: Final = (0.25, 0.5, 0.75)
_AT_ONCE: Final = 2048
"""Convergence curves sampled at a time."""
_APART: Final = 2**42
"""More than any milestone."""


class StepCurve(Struct, frozen=True):
    """A run-time distribution as a step function: from x[i] on, until x[i + 1], this share is solved."""

    contender: int
    label: str
    n: int
    """Trials, without the refused."""
    x: tuple[float, ...]
    """Ascending, from the first time at which one is solved."""
    share: tuple[float, ...]
    low: tuple[float, ...]
    """The interval of each share, as `high`."""
    high: tuple[float, ...]
    marks: tuple[tuple[float, float], ...]
    """(time, share) where trials were cut off by a limit."""
    end: float
    """The last observed time, at which the curve ends."""


class Convergence(Struct, frozen=True):
    """Best E so far against steps or evaluations, over the trials of a contender. A trial that has ended keeps its last
    value."""

    contender: int
    label: str
    n: int
    x: tuple[int, ...]
    """Places of the 1-2-5 grid; in steps only those at which trials were sampled: fewer for a solver with very fast
    steps."""
    lower: tuple[float, ...]
    """First quartile."""
    median: tuple[float, ...]
    upper: tuple[float, ...]
    """Third quartile."""


# Run-time distributions


def run_time_curves(experiment: Experiment, results: Columns, measure: Measure, group: str | None = None,
                    most: int = MOST) -> tuple[StepCurve, ...]:
    """A curve for each contender with results; of the puzzles of one group, or of all."""
    wanted = np.array([group in (None, problem.group) for problem in experiment.problems])[results.problem]
    ran = results.only(wanted & ~results.refused)
    mine = ((contender, ran.only(ran.contender == contender)) for contender in range(len(experiment.contenders)))
    return tuple(_run_time_curve(experiment, contender, some, measure, most) for contender, some in mine if len(some))


def _run_time_curve(experiment: Experiment, contender: int, ran: Columns, measure: Measure, most: int) -> StepCurve:
    found = statistics.distribution(Sample.of(ran, measure, experiment.limit[0]))
    rises = np.flatnonzero(np.diff(found.share, prepend=0.0) > 0)
    steps, cut = (places[_thinned(found.times[places], most)] for places in (rises, np.flatnonzero(found.censored)))
    x, share, low, high = (tuple(each[steps].tolist()) for each in (found.times, found.share, found.low, found.high))
    label = experiment.contenders[contender].label
    return StepCurve(contender, label, len(ran), x, share, low, high, _points(found, cut),
                     float(ran.of(measure).max()))


def _points(found: Distribution, places: NDArray[np.intp]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(found.times[places].tolist(), found.share[places].tolist(), strict=True))


def _thinned(times: Floats, most: int) -> NDArray[np.intp]:
    """Places of about `most` of the times, evenly spread over a logarithmic axis, the first and the last included."""
    if len(times) <= most:
        return np.arange(len(times))
    positive = times[times > 0]
    grid = np.geomspace(positive[0], positive[-1], most)
    return np.unique(np.append(np.searchsorted(times, grid, "right") - 1, [0, len(times) - 1]).clip(0))


# Convergence


def convergence(experiment: Experiment, curves: Iterable[tuple[Trial, Sequence[Sequence[int]]]],
                against: Literal["steps", "evaluations"] = "steps") -> tuple[Convergence, ...]:
    """A curve for each contender with results. `curves`: from `Store.curves`."""
    read: dict[int, list[NDArray[np.int32]]] = {}
    longest: dict[int, int] = {}
    seen: dict[int, NDArray[np.int64]] = {}
    column = 0 if against == "steps" else 1
    for some in _batches(curves, lambda curve: len(curve) > 0):
        values, at, ends = _read_off([curve for _, curve in some], column)
        owner = np.array([trial.contender for trial, _ in some])
        for contender in np.unique(owner).tolist():
            mine = owner == contender
            read.setdefault(contender, []).append(values[mine])
            longest[contender] = max(longest.get(contender, 1), int(ends[mine].max()))
            seen[contender] = seen.get(contender, 0) + _looked_at(at[mine], ends[mine])
    everywhere = np.ones(len(MILESTONES), bool)
    return tuple(_convergence(contender, experiment.contenders[contender].label, np.concatenate(read[contender]),
                              longest[contender], seen[contender] >= 0 if against == "steps" else everywhere)
                 for contender in sorted(read))


def _batches(curves: Iterable[tuple[Trial, Sequence[Sequence[int]]]], worth: Callable[[Sequence[Sequence[int]]], bool],
             ) -> Iterator[list[tuple[Trial, Sequence[Sequence[int]]]]]:
    wanted = (each for each in curves if worth(each[1]))
    while some := list(itertools.islice(wanted, _AT_ONCE)):
        yield some


def _looked_at(at: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each milestone, the trials sampled there less those that passed it unsampled."""
    there = at == np.array(MILESTONES)
    by = ~there & (ends[:, None] > np.array(MILESTONES))
    more: NDArray[np.int64] = there.sum(axis=0) - by.sum(axis=0)
    return more


def _read_off(curves: Sequence[Sequence[Sequence[int]]],
              column: int) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """The best E of each curve (rows) at each milestone, the index of the point that gives it, and the end of each
    curve."""
    flat = itertools.chain.from_iterable
    points = np.fromiter(flat(flat(curves)), np.int64).reshape(-1, 3)
    lengths = np.array([len(curve) for curve in curves])
    last = np.cumsum(lengths) - 1
    owner = np.arange(len(curves))
    at = np.minimum(points[:, column], _APART - 1) + np.repeat(owner, lengths) * _APART
    wanted = np.array(MILESTONES)[None, :] + owner[:, None] * _APART
    places = np.maximum(np.searchsorted(at, wanted, "right") - 1, (last - lengths + 1)[:, None])
    return points[places, 2].astype(np.int32), points[places, column], points[last, column]


def _convergence(contender: int, label: str, values: NDArray[np.int32], longest: int,
                 seen: NDArray[np.bool_]) -> Convergence:
    """`longest`: the end of the longest curve; nothing changes after the next milestone. `seen`: the milestones to
    show, besides the first and the last."""
    last = min(bisect_left(MILESTONES, longest), len(MILESTONES) - 1)
    shown = [place for place in range(last + 1) if seen[place] or place in (0, last)]
    lower, median, upper = (tuple(each.tolist()) for each in np.quantile(values[:, shown], QUARTILES, axis=0))
    return Convergence(contender, label, len(values), tuple(MILESTONES[place] for place in shown), lower, median, upper)
