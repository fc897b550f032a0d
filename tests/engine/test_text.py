"""Numbers are written one way: groups of three, a real minus, three significant digits."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import text


@pytest.mark.parametrize(("value", "written"), [
    (0, "0"), (999, "999"), (1000, "1 000"), (410496, "410 496"), (10**9, "1 000 000 000"), (-1234567, "−1 234 567"),
])
def test_count(value: int, written: str) -> None:
    assert text.count(value) == written


@pytest.mark.parametrize(("value", "written"), [(0, "0"), (2, "+2"), (-1, "−1"), (-12, "−12")])
def test_signed(value: int, written: str) -> None:
    assert text.signed(value) == written


@pytest.mark.parametrize(("value", "written"), [
    (None, "–"), (math.nan, "–"), (math.inf, "inf"), (-math.inf, "−inf"), (0.0, "0"), (0, "0"), (1, "1.00"),
    (0.545, "0.545"), (12.3, "12.3"), (0.00102, "0.00102"), (0.32, "0.320"), (100, "100"), (999.4, "999"),
    (12345, "12345"), (-0.5, "−0.500"), (1.25e-5, "0.0000125"), (9.99e-7, "9.99e−07"), (1.2e-9, "1.20e−09"),
    (1e6, "1.00e+06"), (123456789, "1.23e+08"), (-1e-9, "−1.00e−09"),
    # rounding up to the next power of ten keeps three digits
    (9.999, "10.0"), (0.9996, "1.00"), (99.96, "100"), (0.09996, "0.100"), (0.0009999, "0.00100"),
    (999999.7, "1.00e+06"), (9.9999e-7, "0.00000100"), (1e-6, "0.00000100"),
])
def test_significant(value: float | None, written: str) -> None:
    assert text.significant(value) == written


def digits_of(written: str) -> str:
    """The significant digits of a written number."""
    return written.replace(".", "").lstrip("−0") or "0"


@given(st.floats(1e-6, 999_000), st.integers(3, 9))
def test_significant_rounds_to_its_digits(value: float, digits: int) -> None:
    written = text.significant(value, digits)
    assert abs(Decimal(written) - Decimal(value)) <= Decimal(value) / 2 / 10 ** (digits - 1)
    assert len(digits_of(written)) >= digits
    assert len(digits_of(written)) == digits or Decimal(written) == int(Decimal(written))


@pytest.mark.parametrize(("first", "second", "written"), [
    (0.025, 0.01, ("0.0250", "0.0100")), (0.54591, 0.54536, ("0.546", "0.545")),
    (0.54541, 0.54536, ("0.54541", "0.54536")), (0.5, 0.5, ("0.500", "0.500")),
    (0.25, 0.25 + 2**-40, ("0.250000000", "0.250000000")),
])
def test_apart(first: float, second: float, written: tuple[str, str]) -> None:
    assert text.apart(first, second) == written


@given(st.floats(0.001, 1), st.floats(0.001, 1))
def test_numbers_that_differ_in_nine_digits_are_written_differently(first: float, second: float) -> None:
    one, other = text.apart(first, second)
    if abs(first - second) > 1e-8:
        assert one != other
        assert (Decimal(one) < Decimal(other)) == (first < second)


@pytest.mark.parametrize(("value", "written"), [(None, "–"), (0.061, "6.1 %"), (1, "100.0 %"), (0.0, "0.0 %"),
                                                (math.nan, "–")])
def test_share(value: float | None, written: str) -> None:
    assert text.share(value) == written


def test_a_chance_below_a_millionth_is_not_called_zero() -> None:
    assert text.chance(0.0, 0.439) == ("<", "1e-06", "0.439")
    assert text.chance(0.1353, 0.86) == ("=", "0.135", "0.860")
    assert text.chance(0.50001, 0.50002) == ("=", "0.50001", "0.50002")
    assert text.chance(0.1353, 0.9996) == ("=", "0.1353", "0.9996")  # u is below 1
    assert text.chance(0.0, 0.9996) == ("<", "1e-06", "0.9996")
    assert text.chance(1.0, 0.5) == ("=", "1.00", "0.500")
