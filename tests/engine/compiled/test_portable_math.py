"""Exponential and logarithm: accurate, and the same on every machine."""

import math
import random
from decimal import Decimal, localcontext

import pytest

from engine.compiled.portable_math import exp_negative, natural_log

CLOSE = Decimal(2) ** -51


@pytest.mark.parametrize("span", [1e-9, 0.4, 1.0, 5.0, 40.0, 700.0])
def test_exponential_against_decimal(span):
    rng = random.Random(int(span * 1000))
    with localcontext(prec=50):
        for _ in range(1500):
            x = rng.random() * span
            exact = (-Decimal(x)).exp()
            assert abs(Decimal(exp_negative(x)) - exact) < exact * CLOSE


def test_exponential_at_its_ends():
    assert exp_negative(0.0) == 1.0
    assert exp_negative(5e-324) == 1.0
    assert exp_negative(744.0) == pytest.approx(math.exp(-744.0), rel=0.1)
    assert exp_negative(746.0) == 0.0
    assert exp_negative(math.inf) == 0.0


def test_logarithm_against_decimal():
    rng = random.Random(7)
    with localcontext(prec=50):
        for k in range(6000):
            x = 1 + rng.uniform(-0.5, 0.5) if k % 2 else math.exp(rng.uniform(-40, 40))
            exact = Decimal(x).ln()
            assert abs(Decimal(natural_log(x)) - exact) < max(Decimal(1), abs(exact)) * CLOSE
    assert natural_log(1.0) == 0.0


def test_compiled_and_plain_forms_agree_to_the_bit():
    """No multiplication and addition may be fused, and no library function called, by the compiler."""
    rng = random.Random(11)
    for _ in range(3000):
        x, y = rng.random() * rng.choice([1, 30, 700]), math.exp(rng.uniform(-40, 40))
        assert exp_negative(x) == exp_negative.py_func(x)
        assert natural_log(y) == natural_log.py_func(y)


def test_these_bits_are_part_of_every_trajectory():
    """Changing any of them changes runs that were saved: the solvers' trajectory version must then be raised."""
    assert exp_negative(1.0).hex() == "0x1.78b56362cef38p-2"
    assert natural_log(10.0).hex() == "0x1.26bb1bbb55516p+1"
