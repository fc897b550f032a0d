"""Axes: round ticks inside, and places that go with the values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bench.report.svg import Scale, cut_short, logarithmic, tick_label


def test_places() -> None:
    assert [Scale(0, 10, 100, 200)(value) for value in (0, 5, 10, 99, -3)] == [100, 150, 200, 200, 100]
    assert Scale(1, 100, 0, 50, True)(10) == pytest.approx(25)
    assert Scale(3, 3, 7, 9)(3) == Scale(3, 3, 7, 9, True)(3) == 7


def test_ticks() -> None:
    assert Scale(0, 1, 0, 1).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert Scale(1, 10**6, 0, 1, True).ticks() == [10.0**power for power in range(7)]
    assert Scale(30, 700, 0, 1, True).ticks() == [50, 100, 200, 500]


@given(st.floats(1e-6, 1e9), st.floats(1.0001, 1e9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_ticks_are_few_inside_and_rising(low: float, factor: float, log: bool) -> None:
    scale = Scale(low, low * factor, 0, 1, log)
    ticks = scale.ticks()
    assert len(ticks) <= 12
    assert ticks == sorted(set(ticks))
    assert all(low * 0.99 <= tick <= scale.high * 1.01 for tick in ticks)


def test_a_logarithmic_axis_covers_positive_values() -> None:
    scale = logarithmic([0, 5, 50], 0, 1)
    assert (scale.low, scale.high, scale(0)) == (5, 50, 0)
    assert [(each.low, each.high) for each in (logarithmic([], 0, 1), logarithmic([30, 20], 0, 1))] == [
        (0.1, 1), (3, 30)]


def test_labels() -> None:
    assert [tick_label(value, "steps") for value in (5, 500, 2000, 10_000, 3e6, 2e9)] == [
        "5", "500", "2 k", "10 k", "3 M", "2 G"]
    assert [tick_label(value, "seconds") for value in (20, 0.5, 0.001, 2e-6)] == ["20 s", "500 ms", "1 ms", "2 µs"]
    assert tick_label(0.35, None) == "0.35"
    assert [cut_short(label, 5) for label in ("abcde", "abcdef", "a\nb")] == ["abcde", "abcd…", "a b"]
