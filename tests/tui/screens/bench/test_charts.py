"""The charts of the bench, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.bench.curves import Convergence, StepCurve
from tests.tui.experiments import MAP, invented_results
from tui.look.glyphs import ASCII, UNICODE
from tui.screens.bench.charts import (
    ChartView,
    Scale,
    chart_rows,
    chart_view_rows,
    convergence_chart,
    heat_of,
    map_rows,
    sample,
    styles,
    tick_text,
    tick_values,
    times_chart,
)
from tui.screens.bench.results import Results
from tui.widgets.rows import Space, columns, plain, roles

FAST = StepCurve(0, "fast", 4, (1.0, 10.0), (0.5, 1.0), (0.2, 0.5), (0.8, 1.0), (), 10.0)
SLOW = StepCurve(1, "slow", 4, (100.0,), (0.25,), (0.1,), (0.6,), ((1000.0, 0.25),), 1000.0)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return invented_results(tmp_path_factory.mktemp("map"), MAP)


def test_names_that_are_too_long_for_the_legend_lose_the_words_that_all_begin_with():
    swept = tuple(replace(FAST, contender=place, label=f"anneal easy alpha={alpha} T0=0.5")
                  for place, alpha in enumerate((0.9, 0.99)))
    lines = plain(chart_rows(times_chart(swept, 0, "steps"), Space(57, 13)))
    assert lines[-1].strip() == "⠤⠤ alpha=0.9 T0=0.5  ─ alpha=0.99 T0=0.5"


@pytest.mark.parametrize("selected", range(6))
@pytest.mark.parametrize("width", range(24, 90, 3))
def test_the_legend_always_tells_how_many_curves_are_left_out(width: int, selected: int) -> None:
    names = ("anneal", "anneal easy", "tabu", "ga-rows", "swarm conservative", "backtrack-mrv")
    chart = times_chart([replace(FAST, contender=place, label=name) for place, name in enumerate(names)], selected,
                        "steps")
    legend = plain(chart_rows(chart, Space(width, 13)))[-1]
    assert columns(legend) <= width
    left = re.search(r"and (\d+) more|\+(\d+)", legend)
    assert left is not None, legend
    assert int(left[1] or left[2]) == len(names) - len(re.findall("(⠤⠤|[─·¯○]) ", legend)), legend


def test_the_map_marks_its_best_cell(found):
    (heat,) = found.maps
    drawn = map_rows(heat, Space(66, 13))
    assert plain(drawn)[0].startswith("Solved %, alpha by T0")
    y, x = heat.best
    now = [text.strip() for line in drawn for text, role in line if role == "now"]
    assert now == [f"[{heat.cells[y][x].rate.share * 100:.0f}]"]


def test_the_values_of_a_narrow_map_are_whole_at_the_cost_of_columns(found):
    """Cut to six letters, 0.99995 and 0.999995 are 0.9999."""
    heat = replace(found.maps[0], xs=(0.9995, 0.99995, 0.999995))
    narrow = plain(map_rows(heat, Space(32, 13)))
    assert narrow[1].split()[-2:] == ["0.9995", "0.99995"]
    assert "3 x 2 values" in " ".join(narrow)


def test_the_map_before_any_trial(tmp_path: Path):
    (heat,) = invented_results(tmp_path, MAP, 0).maps
    assert heat.best is None
    assert not [role for line in map_rows(heat, Space(66, 13)) for _text, role in line if role == "now"]


@pytest.mark.parametrize(("share", "role"), [(None, "muted"), (0.0, "heat_0"), (0.39, "heat_1"), (1.0, "heat_4")])
def test_the_ground_shows_the_share(share, role):
    assert heat_of(share) == role


def test_without_grounds_a_bar_shows_the_share(found):
    drawn = map_rows(found.maps[0], Space(66, 13), plain=True)
    assert not any(role.startswith("heat") for line in drawn for _text, role in line)
    assert any(each in "".join(plain(drawn)) for each in "▂▃▄▅▆▇")


def test_a_run_time_distribution_is_drawn_where_it_is_known():
    lines = plain(chart_rows(times_chart((FAST, SLOW), 1, "steps"), Space(45, 13)))
    assert lines[0].split() == ["Runs", "to", "a", "solution", "%", "solved", "by", "steps"]
    assert lines[-1].strip() == "⠤⠤ slow  ─ fast"
    assert lines[-2].split() == ["1", "10", "100", "1000"]
    assert lines[1].startswith(" 100 ")
    assert lines[1].count("─") == 1, "all are solved by the end of its curve, and there it ends"


def test_the_selected_curve_hides_the_others():
    same = StepCurve(1, "same", 4, FAST.x, FAST.share, FAST.low, FAST.high, (), FAST.end)
    drawn = chart_rows(times_chart((FAST, same), 1, "steps"), Space(45, 13))
    used = [role for line in drawn[1:-2] for _character, role in roles(line)]
    assert used.count("strong") >= 40
    assert used.count("data") <= 1


def test_convergence_goes_down_from_the_top_of_its_axis():
    curve = Convergence(0, "one", 3, (1, 10, 100), (40.0, 20.0, 0.0), (44.0, 22.0, 0.0), (50.0, 30.0, 5.0))
    lines = plain(chart_rows(convergence_chart((curve,), 0), Space(45, 13)))
    assert lines[1].startswith("  60 ")
    assert lines[-2].split() == ["1", "10", "100"]


def test_without_results_there_is_no_curve():
    for chart, said in ((times_chart((), -1, "seconds"), "no run has reached a solution"),
                        (convergence_chart((), -1), "no results yet")):
        assert plain(chart_rows(chart, Space(45, 13)))[1].strip() == said


def test_the_axis_is_labelled_at_powers_of_ten():
    assert tick_values(Scale(0.0003, 2.9, True)) == pytest.approx([0.001, 0.01, 0.1, 1.0])
    assert [tick_text(value, "s") for value in (1e-4, 1e-3, 0.1, 1.0)] == ["100 µs", "1 ms", "100 ms", "1 s"]
    assert tick_text(0.25, "share") == "25 %"


def test_a_linear_axis_is_labelled_at_round_values():
    assert tick_values(Scale(0.05, 1.0)) == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert tick_values(Scale(0.3, 0.3)) == pytest.approx([0.3])


@pytest.mark.parametrize("ends", [(0.0123, 0.0123), (0.0123, 0.0141), (0.09, 1.3)])
def test_an_axis_of_times_has_round_labels_however_few_runs_there_are(ends):
    curve = StepCurve(0, "one", 2, ends, (0.5, 1.0), (0.0, 0.0), (1.0, 1.0), (), ends[1])
    found = tick_values(times_chart((curve,), 0, "seconds").x)
    assert len(found) >= 2
    assert all(f"{value:e}"[0] in "125" and float(f"{value:.0e}") == pytest.approx(value) for value in found)


def test_a_solver_has_the_same_mark_in_both_charts_whichever_is_best_there():
    x = (1.0, 10.0)
    times = [StepCurve(k, f"s{k}", 2, x, (0.0, share), (0.0, 0.0), (1.0, 1.0), (), 10.0)
             for k, share in enumerate((0.2, 0.9, 0.5))]
    falls = [Convergence(k, f"s{k}", 2, (1, 10), (9.0, end), (9.0, end), (9.0, end))
             for k, end in enumerate((5.0, 3.0, 0.0))]
    first, second = times_chart(times, -1, "seconds"), convergence_chart(falls, -1)
    assert first.best != second.best
    assert styles(first, UNICODE) == styles(second, UNICODE)


def test_convergence_is_interpolated_on_its_axis():
    curve = Convergence(0, "one", 3, (1, 100), (40.0, 0.0), (40.0, 0.0), (40.0, 0.0))
    chart = convergence_chart((curve,), 0)
    assert sample(chart.curves[0], np.array([10.0]), np.array([10.0]), chart.x.log) == pytest.approx([20.0])


@given(st.integers(1, 200), st.integers(1, 40), st.sampled_from([UNICODE, ASCII]),
       st.sampled_from(["map", "times", "convergence"]), st.integers(-1, 6))
@settings(max_examples=15)
def test_any_chart_fits_any_space(found, width, height, glyphs, picture, chosen):
    drawn = plain(chart_view_rows(ChartView(picture, found, chosen, found.maps[0]), Space(width, height, glyphs)))
    assert [columns(text) for text in drawn] == [width] * height
    assert not glyphs.ascii or all(text.isascii() for text in drawn)


def test_every_drawn_curve_is_named_and_the_best_is_drawn():
    found = [Convergence(index, f"solver number {index}", 3, (1, 100), (40.0, left), (40.0, left), (40.0, left))
             for index, left in enumerate((9.0, 8.0, 7.0, 6.0, 5.0, 0.0, 4.0))]
    chart = convergence_chart(found, 1)
    for width in (45, 60, 100):
        lines = plain(chart_rows(chart, Space(width, 13)))
        marks = [mark for mark in "─·╌○" if any(mark in line for line in lines[1:-2])]
        named = [mark for mark in "─·╌○" if mark in lines[-1]]
        assert marks == named or (width == 45 and set(marks) < set(named)), "in 45 columns one is hidden"
        best, words = styles(chart, UNICODE)[chart.best][0], "" if width == 45 else "solver number "
        assert best in marks
        assert lines[-1].strip().startswith(f"⠤⠤ {words}1 ")
        assert f"{best} {words}5" in lines[-1], "the one that solves, also where names are short"
