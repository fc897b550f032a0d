"""Texts for results."""

from __future__ import annotations

import pytest

from engine.bench import tables
from engine.bench.columns import gather
from engine.bench.report import words
from engine.bench.statistics import Rate
from engine.bench.trial import Result
from tests.engine.bench import made

WHOLE = made.experiment([made.contender()], runs=8, groups=("a", "a"))


def cell(*results: Result) -> tables.Cell:
    return tables.comparison(WHOLE, gather(made.results(WHOLE, *results))).cell(0)


def steps(*results: Result) -> str:
    return words.median(cell(*results).steps, "steps")


@pytest.mark.parametrize(("seconds", "written"), [
    (0, "0 µs"), (0.0000012, "1.20 µs"), (0.000391, "391 µs"), (0.0009997, "1.00 ms"), (0.0124, "12.4 ms"),
    (1.239, "1.24 s"), (83.04, "83.0 s"), (5400.2, "5 400 s")])
def test_durations(seconds: float, written: str) -> None:
    assert words.duration(seconds) == written


def test_a_median_and_its_interval() -> None:
    assert steps(*map(made.solved, (10, 20, 30, 40, 50, 60, 7000, 8000))) == "45 (10 – 7 000)"
    assert steps(made.solved(10), made.solved(20), made.cut(), made.cut()) == "20 (… – …)"


def test_a_median_that_was_not_seen() -> None:
    assert steps(made.solved(10), made.cut(), made.cut()) == "> 1 000"
    assert words.median(cell(made.solved(10), made.cut(), made.cut()).seconds, "seconds") == "> limit"
    assert steps(made.solved(10), made.gave_up(), made.gave_up()) == "never"
    assert steps(made.solved(10), made.gave_up(), made.gave_up(), made.cut()) == "> 1 000"
    assert steps(made.REFUSED) == steps() == "–"


def test_equal_quartiles_are_written_once() -> None:
    assert words.quartiles(cell(made.solved(10), made.solved(20), made.solved(30), made.solved(40)).steps,
                           "steps") == "15 … 35"
    assert words.quartiles(cell(made.cut()).steps, "steps") == "> 1 000"


def test_the_outcomes_of_unsolved_trials() -> None:
    no_solution = Result("no_solution", False, 0, 0, 5, 5, 0, 0.1, 0.1, "none", "", ())
    assert words.unsolved(cell(made.cut(), made.cut(), made.gave_up(), made.solved(1), made.REFUSED, no_solution)) == (
        "2 cut off, 1 gave up, 1 no solution, 1 refused")
    assert words.unsolved(cell(made.solved(1))) == "–"


def test_shares_and_p() -> None:
    assert words.interval(Rate(1, 2, 0.123, 0.456)) == "12.3 – 45.6 %"
    assert words.interval(Rate(0, 0, 0.0, 1.0)) == words.share(None) == "–"
    assert [words.probability(p) for p in (0.0004, 0.001, 0.0314, 1)] == ["< 0.001", "0.001", "0.031", "1.000"]
    assert [words.points(value) for value in (0.265, -0.05, 0, -0.0, -1e-9, None)] == [
        "+26.5", "−5.0", "+0.0", "+0.0", "+0.0", "–"]
