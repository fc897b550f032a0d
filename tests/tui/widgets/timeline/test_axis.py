"""The arithmetic of the timeline."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui.playback.window import total_for
from tui.widgets.timeline.axis import (
    LABELS,
    Axis,
    EnergyScale,
    TemperatureScale,
    labelled_height,
    last_per_column,
    nice_top,
    round_out,
    short,
)

widths = st.integers(1, 300)
steps = st.integers(0, 2**50)


@pytest.mark.parametrize(("recorded", "total"), [(0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (652_000, 2**20)])
def test_the_axis_ends_at_the_next_power_of_two(recorded: int, total: int) -> None:
    assert total_for(recorded) == total


@given(steps)
def test_the_axis_holds_every_recorded_step_and_is_at_most_twice_as_long(recorded: int) -> None:
    total = total_for(recorded)
    assert recorded <= total
    assert total.bit_count() == 1
    assert total < 2 * max(recorded, 1)


@given(widths, st.integers(0, 50), st.data())
def test_a_column_follows_the_rule(width: int, power: int, data: st.DataObject) -> None:
    total = 2**power
    step = data.draw(st.integers(0, total))
    assert Axis(width, total).column(step) == min(width - 1, step * width // total)


@given(widths, st.integers(0, 62), st.lists(st.integers(0, 2**62), max_size=20))
def test_many_columns_at_once_are_the_same_as_one_by_one(width: int, power: int, drawn: list[int]) -> None:
    axis = Axis(width, 2**power)
    inside = [step % (axis.total + 1) for step in drawn]
    assert axis.columns(np.array(inside, dtype=np.int64)).tolist() == [axis.column(step) for step in inside]


@given(widths, st.integers(0, 40), st.data())
def test_the_step_of_a_column_is_the_first_that_falls_in_it(width: int, power: int, data: st.DataObject) -> None:
    axis = Axis(width, 2**power)
    column = data.draw(st.integers(0, width - 1))
    step = axis.first_step(column)
    assert 0 <= step <= axis.total
    assert axis.column(step) <= column
    assert step == 0 or axis.column(step - 1) < max(axis.column(step), 1)
    if axis.total >= width:
        assert axis.column(step) == column


def test_last_per_column_carries_a_value_over_empty_columns_and_stops_at_the_last_sample() -> None:
    axis = Axis(8, 8)
    values, used = last_per_column(axis, np.array([0, 3, 5]), np.array([7.0, 4.0, 2.0]))
    assert used == 6
    np.testing.assert_array_equal(values, [7, 7, 7, 4, 4, 2, np.nan, np.nan])


def test_of_several_samples_in_a_column_the_last_is_kept() -> None:
    values, used = last_per_column(Axis(2, 8), np.array([0, 1, 2, 3, 4]), np.array([9.0, 8.0, 7.0, 6.0, 5.0]))
    assert (values.tolist(), used) == ([6.0, 5.0], 2)


def test_no_samples_fill_no_column() -> None:
    values, used = last_per_column(Axis(3, 8), np.array([], dtype=np.int64), np.array([]))
    assert used == 0
    assert np.isnan(values).all()


@given(st.floats(0, 1e9))
def test_a_nice_top_is_not_below_the_value_and_not_far_above(value: float) -> None:
    top = nice_top(value)
    assert top >= value
    assert top <= max(2 * value, 2)


@given(st.floats(1e-9, 1e9))
def test_rounding_out_encloses_the_value_in_one_two_five(value: float) -> None:
    low, high = round_out(value, False), round_out(value, True)
    assert low <= value * (1 + 1e-9)
    assert high >= value * (1 - 1e-9)
    assert high / low <= 2.5 * (1 + 1e-9)
    assert f"{low:e}"[0] in "125"
    assert f"{high:e}"[0] in "125"


@given(st.floats(0.5, 500), st.integers(1, 20), st.data())
def test_the_best_is_never_drawn_above_an_energy_that_is_not_below_it(top: float, height: int,
                                                                     data: st.DataObject) -> None:
    scale = EnergyScale(nice_top(top), height)
    best = data.draw(st.floats(0, scale.top))
    energy = data.draw(st.floats(best, scale.top))
    drawn, lower = scale.whole_dots(np.array([energy, best]))
    assert drawn is not None
    assert lower is not None
    assert drawn <= lower < 4 * height


def test_the_ends_of_the_energy_scale() -> None:
    scale = EnergyScale(60, 7)
    assert scale.dots(np.array([60.0, 0.0, 90.0])).tolist() == [0, 27, 0]
    assert scale.ticks == {0: "60", 3: "30", 6: "0"}
    assert EnergyScale.over(np.array([np.nan, 52.0, 3.0]), 7).top == 60
    assert EnergyScale.over(np.array([np.nan]), 7).top == 10


def test_geometric_cooling_is_a_straight_line_on_the_log_scale() -> None:
    scale = TemperatureScale(0.01, 100.0, 41)
    assert [scale.row(10.0**k) for k in (2, 1, 0, -1, -2)] == [0, 10, 20, 30, 40]


def test_the_temperature_scale_is_found_from_the_run() -> None:
    log = TemperatureScale.over(np.array([2.2, 0.32, 0.0, np.nan]), 7, log=True)
    assert log == TemperatureScale(0.2, 5.0, 7)
    assert log.row(0.0) == 6
    assert log.ticks == {0: "5", 3: "1", 6: "0.2"}
    linear = TemperatureScale.over(np.array([1.0, 0.05, 0.0]), 5, log=False)
    assert linear == TemperatureScale(0.0, 1.0, 5)
    assert [linear.row(t) for t in (1.0, 0.5, 0.0)] == [0, 2, 4]
    assert TemperatureScale.over(np.array([np.nan]), 5, log=True) is None


def test_one_temperature_still_makes_an_axis() -> None:
    scale = TemperatureScale.over(np.array([1.0, 1.0]), 7, log=True)
    assert scale is not None
    assert scale.low < scale.high
    assert scale.row(1.0) == 0


@example([0.001, 0.002], 7, True)
@example([1.0, 500001.0], 6, True)
@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=5), st.integers(1, 20), st.booleans())
def test_a_temperature_is_in_the_row_of_its_label(values: list[float], height: int, log: bool) -> None:
    scale = TemperatureScale.over(np.array(values), height, log)
    assert scale is not None
    assert all(scale.row(float(label)) == row for row, label in scale.ticks.items() if label)
    assert len(scale.ticks) >= min(height, 2)


@pytest.mark.parametrize("T", [0.32, 1.0, 0.45, 2.5])
@pytest.mark.parametrize("height", [4, 5, 7])
def test_a_constant_temperature_is_drawn_beside_its_own_label(T: float, height: int) -> None:
    scale = TemperatureScale.over(np.array([T, np.nan, T]), height, log=True)
    assert scale is not None
    assert scale.ticks[scale.row(T)] == f"{T:g}"


@pytest.mark.parametrize(("values", "ticks"), [
    ([0.45, 0.273], ["0.5", "0.37", "0.27", "0.2"]), ([1.0, 0.001], ["1", "0.1", "0.01", "1e-3"]),
    ([1.0, 0.32], ["1", "0.6", "0.3", "0.2"])])
def test_labels_of_a_short_axis_of_temperatures(values: list[float], ticks: list[str]) -> None:
    scale = TemperatureScale.over(np.array(values), 4, log=True)
    assert scale is not None
    assert [scale.ticks[row] for row in range(4)] == ticks


@pytest.mark.parametrize(("low", "high", "middle"), [
    (0.5, 1.0, "0.7"), (1.0, 2.0, "1.4"), (0.1, 5.0, "0.7"), (0.2, 5.0, "1"), (0.01, 1.0, "0.1"), (0.0, 5.0, "2.5")])
def test_the_middle_of_the_temperatures_is_a_round_number_in_the_middle_row(low: float, high: float,
                                                                           middle: str) -> None:
    assert TemperatureScale(low, high, 7).ticks[3] == middle


@given(st.floats(1e-9, 1e9))
def test_tick_labels_fit_and_leave_a_blank(value: float) -> None:
    assert 0 < len(short(value)) < LABELS
    assert float(short(value)) == pytest.approx(value, rel=0.5)


@pytest.mark.parametrize(("value", "label"), [(3.0, "3"), (1.5, "1.5"), (0.5, "0.5"), (0.01, "0.01"),
                                             (1e-4, "1e-4"), (250, "250"), (2e5, "2e5")])
def test_tick_labels(value: float, label: str) -> None:
    assert short(value) == label


@pytest.mark.parametrize("top", [900.0, 1_000.0, 3_000.0, 9_000.0])
@pytest.mark.parametrize("height", [1, 3, 5, 7, 11])
def test_labels_of_thousands_are_whole_numbers(top: float, height: int) -> None:
    scale = EnergyScale(top, height)
    for row, label in scale.ticks.items():
        assert len(label) < LABELS
        assert label.isdigit()
        assert abs(int(label) - top * (1 - row / max(height - 1, 1))) <= 0.5


@pytest.mark.parametrize("height", range(3, 40))
def test_a_chart_has_labels_between_its_ends_at_even_distances(height: int) -> None:
    drawn = labelled_height(height)
    assert height - 1 <= drawn <= height
    labelled = sorted(EnergyScale(60.0, drawn).ticks)
    assert len(labelled) > 2
    assert len({below - above for above, below in pairwise(labelled)}) == 1
