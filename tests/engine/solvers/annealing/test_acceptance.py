"""Acceptance rules: the Metropolis probability as a threshold, and the table of thresholds."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from engine.solvers.annealing.acceptance import CERTAIN, SCALE, metropolis_table, metropolis_threshold

CLOSE = Decimal(2) ** -51


def test_these_thresholds_are_part_of_every_trajectory():
    """Changing any of them changes runs that were saved: the solvers' trajectory version must then be raised."""
    thresholds = [metropolis_threshold(delta, 0.32) for delta in range(1, 9)]
    assert thresholds == [188707692, 8291237, 364291, 16005, 703, 30, 1, 0]


@pytest.mark.parametrize("T", [1e-3, 0.05, 0.25, 0.32, 0.4, 1.0, 2.5, 40.0])
def test_threshold_is_the_probability_rounded_down(T):
    with localcontext(prec=50):
        for delta in range(1, 17):
            exact = (-Decimal(delta) / Decimal(T)).exp() * 2**32
            assert abs(metropolis_threshold(delta, T) - exact) <= 1 + exact * CLOSE * delta
            assert metropolis_threshold(delta, T) <= exact * (1 + CLOSE * delta * 2)


def test_threshold_where_nothing_is_left_to_chance():
    for T in (0.0, 1e-320, 0.3, 1e300):
        assert metropolis_threshold(0, T) == metropolis_threshold(-3, T) == CERTAIN == SCALE
    assert metropolis_threshold(1, 0.0) == metropolis_threshold(1, 1e-320) == metropolis_threshold(16, 1e-3) == 0


@pytest.mark.parametrize("size", [9, 13, 32, 33])
@pytest.mark.parametrize("T", [0.0, 1e-3, 0.32, 1.0, 7.0])
def test_table_holds_the_threshold_of_every_delta(size, T):
    table = np.full(size, 99, np.uint64)
    metropolis_table(table, T)
    assert [int(entry) for entry in table] == [int(metropolis_threshold(i - size // 2, T)) for i in range(size)]
