"""Texts for results, shared by all tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine import registry, text
from engine.bench.columns import STATUSES, Measure
from engine.bench.experiment import Experiment
from engine.bench.statistics import Quantile, Rate, RunTimes
from engine.bench.tables import Cell, Comparison

RARE = 0.001
"""A p below this is written as that."""


def amount(value: float | None, measure: Measure) -> str:
    """Steps and evaluations whole in groups of three, seconds as a duration."""
    if value is None:
        return text.NONE
    return duration(value) if measure == "seconds" else text.count(round(value))


def duration(seconds: float) -> str:
    """`391 µs`, `12.4 ms`, `1.24 s`, `5 400 s`."""
    if seconds >= 999.5:
        return f"{text.count(round(seconds))} s"
    power = next((power for power in (0, 1, 2) if seconds * 1000**power >= 0.9995), 2)
    return f"{text.significant(seconds * 1000**power)} {('s', 'ms', 'µs')[power]}"


def share(value: float | None) -> str:
    """`87.0 %`."""
    return text.share(value)


def interval(rate: Rate) -> str:
    """The Wilson interval, `81.6 – 91.0 %`."""
    return f"{rate.low * 100:.1f} – {rate.high * 100:.1f} %" if rate.n else text.NONE


def solved_of(rate: Rate) -> str:
    """`174 / 200`."""
    return f"{text.count(rate.solved)} / {text.count(rate.n)}"


def median(took: RunTimes, measure: Measure) -> str:
    """`1.24 s (1.10 s – 1.41 s)`; `> 10.0 s` where too many are cut off to see it, or `> limit` where something else
    cut them off; `never` where too many gave up."""
    return timed(took, took.median, measure, 0.5)


def timed(took: RunTimes, found: Quantile, measure: Measure, wanted: float) -> str:
    """A quantile with its interval, of which an end may not have been seen: `1.24 s (1.10 s – …)`."""
    value = quantile(took, found, measure, wanted)
    if found.value is None:
        return value
    low, high = (amount(each, measure) if each is not None else "…" for each in (found.low, found.high))
    return f"{value} ({low} – {high})"


def quantile(took: RunTimes, found: Quantile, measure: Measure, wanted: float) -> str:
    """A quantile alone."""
    if not took.n:
        return text.NONE
    if found.value is not None:
        return amount(found.value, measure)
    if took.solved + took.censored < wanted * took.n:
        return "never"
    return "> limit" if took.watched is None else f"> {amount(took.watched, measure)}"


def quartiles(took: RunTimes, measure: Measure) -> str:
    """`0.71 s … 2.20 s`."""
    ends = quantile(took, took.lower, measure, 0.25), quantile(took, took.upper, measure, 0.75)
    return ends[0] if ends[0] == ends[1] else " … ".join(ends)


def unsolved(cell: Cell) -> str:
    """The outcomes of unsolved trials: `12 cut off, 3 gave up`."""
    no_solution, failed = (cell.statuses[STATUSES.index(status)] for status in ("no_solution", "failed"))
    counts = {"cut off": cell.steps.censored, "gave up": cell.steps.never - no_solution - failed,
              "no solution": no_solution, "refused": cell.refused, "failed": failed}
    return ", ".join(f"{text.count(n)} {word}" for word, n in counts.items() if n) or text.NONE


def probability(p: float) -> str:
    """`0.031`, `< 0.001`."""
    return f"< {RARE:g}" if p < RARE else f"{p:.3f}"


def points(value: float | None) -> str:
    """A difference of shares: `+26.5`; no difference is `+0.0`."""
    if value is None or math.isnan(value):
        return text.NONE
    return f"{round(value * 100, 1) + 0.0:+.1f}".replace("-", text.MINUS)


def limit(experiment: Experiment) -> str:
    """`limit 1 000 000 steps a trial`."""
    kind, most = experiment.limit
    if kind == "none":
        return "no limit"
    return f"limit {most:g} s a trial" if kind == "seconds" else f"limit {amount(most, kind)} {kind} a trial"


def factors(experiment: Experiment) -> str:
    """`7 solvers × 40 puzzles × 5 seeds`."""
    return factors_of(((len(experiment.contenders), "solver"), (len(experiment.problems), "puzzle"),
                       (experiment.runs, "seed")))


def factors_of(counts: Iterable[tuple[int, str]]) -> str:
    """A product of counts and what they count: `7 solvers × 1 puzzle`."""
    return " × ".join(f"{text.count(n)} {word}{'s' * (n != 1)}" for n, word in counts)


def size(experiment: Experiment, made: int) -> str:
    """The factors and their product, `… = 1 400 trials`, and how many are missing."""
    missing = experiment.size - made
    tail = f", of which {text.count(missing)} {'is' if missing == 1 else 'are'} not made yet" if missing else ""
    return f"{factors(experiment)} = {text.count(experiment.size)} trial{'s' * (experiment.size != 1)}{tail}"


def repeats(found: Comparison) -> str:
    """A note on the contenders whose repeats are not independent; empty if there are none."""
    if not found.alike:
        return ""
    labels = ", ".join(found.labels[each] for each in found.alike)
    return (f"The same steps, evaluations and E with every seed: {labels}. Such repeats are not independent trials: "
            "the intervals that count them are too narrow, and the p values too small.")


def notes(experiments: Iterable[Experiment]) -> tuple[str, ...]:
    """Notes on reading the tables, one or two sentences each."""
    parts = tuple(experiments)
    kinds = {each.repeatable for each in parts}
    labels = dict.fromkeys(each.label for part in parts for each in part.contenders
                           if registry.solver(each.solver).recorded)
    but = f" Not those of {', '.join(labels)}: another program makes their steps." if labels else ""
    return _NOTES + ((_REPEATABLE + but,) if True in kinds else ()) + ((SECONDS,) if False in kinds else ())


_NOTES = (
    "Solved: a grid that obeys every rule and every given, checked again after the run. The interval of a share is "
    "Wilson's, 95 %.",
    "A trial cut off by the limit is censored: it would have taken longer, by an unknown time. It enters no mean. "
    "Medians and quartiles are those of the run-time distribution of all trials (Kaplan–Meier): the time by which half "
    "of them are solved within the limit. In brackets the interval of 95 %, “…” where there are too few trials for a "
    "limit of it to be observed. “> x”: too many trials are cut off to observe the median, which is longer than "
    "x. “never”: too many trials ended without a solution for a median to exist.",
    "The solved trials alone have a median, quartiles, a mean and a standard deviation of their own; the number of "
    "unsolved ones is beside them.",
    "Refused: the solver does not take the puzzle. Refused trials are in no share and no time.",
    "Steps of different solvers are not comparable; evaluations are the moves, values or grids weighed, not the random "
    "grids that a population begins with. Errors left: values repeated in a unit (diagonals are units, too), and empty "
    "cells, median of the trials that were not solved.",
    "Contenders are compared trial for trial on the same puzzles and seeds: who solves first within the limit wins, "
    "neither or both at once is a tie. Tests: sign test (time), exact McNemar (solved), log-rank (whole "
    "distributions), each corrected for all pairs after Holm. Superiority is the probability that the first is "
    "faster, ties half. All trials count as independent: the tests hold for these puzzles, not for all puzzles.",
)
OPEN = "“…” in brackets: there are too few trials, or too few solved, for this limit of the interval (95 %)."
SECONDS = ("The limit is in seconds: on another machine, or a busier one, other trials are cut off. These results are "
           "not comparable between machines.")
_REPEATABLE = ("With a limit in steps or evaluations, or without one, every trial can be repeated from its row, step "
               "for step, on any machine; only the seconds belong to this machine.")
