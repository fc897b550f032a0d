"""The panes of the bench, row by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bench.curves import Convergence, StepCurve
from engine.bench.statistics import Rate, success
from tests.tui.experiments import MAP, TINY, invented_results
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
    tick_text,
    tick_values,
    times_chart,
)
from tui.screens.bench.layout import SMALLEST, plan
from tui.screens.bench.results import Results
from tui.screens.bench.state import BenchState, Filter, table_rows
from tui.screens.bench.table import GAP, TableView, bar, cells, fit_columns, headings, legend_spans, short_labels
from tui.screens.bench.text import selected_lines
from tui.widgets.rows import Row, Space, columns, plain, roles, rows


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return invented_results(tmp_path_factory.mktemp("map"), MAP)


def shown_of(digest: Results, shown: Filter | None = None, **chosen: object) -> TableView:
    lines = tuple(table_rows(digest.comparison, shown or Filter()))
    return TableView(lines, measure=digest.comparison.measure, **chosen)  # type: ignore[arg-type]


def drawn_table(shown: TableView, width: int, glyphs=UNICODE) -> list[Row]:
    """The headings and the rows of the table as it is drawn."""
    widths = fit_columns(shown, width)
    rows = [cells(index, shown, widths, glyphs) for index in range(len(shown.rows))]
    lines = [headings(shown, widths, glyphs), *rows]
    return [tuple(span for cell in line for span in cell) for line in lines]


def drawn_bar(rate: Rate, glyphs=UNICODE) -> str:
    return "".join(text for text, _role in bar(rate, 21, glyphs))


# The table


def test_the_bar_is_the_share_with_its_interval():
    assert drawn_bar(Rate(1, 2, 0.25, 0.75)).startswith("━━━━━├────●────┤")
    assert drawn_bar(Rate(9, 9, 0.7, 1.0)) == "━━━━━━━━━━━━━━├─────●"
    assert drawn_bar(success(0, 0)) == "· · · · · · · · · · ·"
    assert drawn_bar(Rate(1, 2, 0.25, 0.75), ASCII).startswith("=====|----O----|")


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 90))
@settings(max_examples=30)
def test_a_bar_has_its_width_and_one_estimate(solved, others, width):
    rate = success(solved, solved + others)
    text = "".join(character for character, _role in bar(rate, width, UNICODE))
    assert len(text) == width
    if rate.share is not None and width >= 2:
        assert text.index("●") == round(rate.share * (width - 1))
        assert "━" not in text[text.index("●"):]


def test_a_table_at_its_full_width(found):
    lines = plain(drawn_table(shown_of(found, Filter("together"), selected=6), 116))
    assert " ".join(lines[0].split()) == "solver puzzles solved 0 % 25 50 75 100 % time"
    assert lines[7].startswith("▶ backtrack-mrv")
    assert lines[7].split()[2:6] == ["all", "12/12", "100.0", "%"]


def test_names_that_do_not_fit_lose_what_all_of_them_begin_with():
    swept = ["anneal T0=0.25 alpha=0.9", "anneal T0=0.25 alpha=0.99"]
    assert short_labels(swept, 30) == {each: each for each in swept}
    assert list(short_labels(swept, 20).values()) == ["alpha=0.9", "alpha=0.99"]
    assert short_labels(["anneal easy", "anneal"], 4) == {"anneal easy": "easy", "anneal": "anneal"}
    assert short_labels(["a name of its own"], 4) == {"a name of its own": "a name of its own"}


def test_headings_say_what_rows_are_sorted_by(found):
    for by, reverse, said in (("solver", False, "solver▼"), ("solved", False, "solved▼"), ("time", True, "time▲")):
        head = drawn_table(shown_of(found, sort=by, reverse=reverse), 116)[0]
        assert [text.strip() for text, role in head if role == "strong"] == [said]


def test_nothing_moves_while_results_come_in(tmp_path: Path):
    placed = []
    for made in (0, 3, None):
        folder = tmp_path / str(made)
        folder.mkdir()
        placed.append(fit_columns(shown_of(invented_results(folder, TINY, made)), 116))
    assert placed.count(placed[0]) == len(placed)


@given(st.integers(1, 220), st.sampled_from([UNICODE, ASCII]), st.integers(0, 13),
       st.sampled_from([Filter(), Filter("together"), Filter("group", "easy"), Filter("solver", "backtrack-mrv")]))
@settings(max_examples=25)
def test_every_row_of_a_table_has_the_width_of_its_columns(found, width, glyphs, selected, filter):
    shown = shown_of(found, filter, selected=selected)
    drawn = plain(drawn_table(shown, width, glyphs))
    wide = GAP + sum(each + GAP for each in fit_columns(shown, width).values())
    assert [columns(text) for text in drawn] == [wide] * (1 + len(shown.rows))
    assert not glyphs.ascii or all(text.isascii() for text in drawn)


@pytest.mark.parametrize("width", [78, 116, 194])
def test_no_column_is_beyond_the_edge(found, width):
    widths = fit_columns(shown_of(found), width)
    assert GAP + sum(each + GAP for each in widths.values()) <= width + GAP
    assert widths.keys() >= {"label", "share", "axis", "time"}


# The map


def test_the_map_marks_its_best_cell(found):
    (heat,) = found.maps
    drawn = map_rows(heat, Space(66, 13))
    assert plain(drawn)[0].startswith("Solved %, alpha by T0")
    y, x = heat.best
    now = [text.strip() for line in drawn for text, role in line if role == "now"]
    assert now == [f"[{heat.cells[y][x].rate.share * 100:.0f}]"]


def test_the_map_before_any_trial(tmp_path: Path):
    (heat,) = invented_results(tmp_path, MAP, 0).maps
    assert heat.best is None
    assert not [role for line in map_rows(heat, Space(66, 13)) for _text, role in line if role == "now"]


@pytest.mark.parametrize(("share", "role"), [(None, "muted"), (0.0, "heat_0"), (0.39, "heat_1"), (1.0, "heat_4")])
def test_the_ground_tells_the_share(share, role):
    assert heat_of(share) == role


def test_without_grounds_a_bar_tells_the_share(found):
    drawn = map_rows(found.maps[0], Space(66, 13), plain=True)
    assert not any(role.startswith("heat") for line in drawn for _text, role in line)
    assert any(each in "".join(plain(drawn)) for each in "▂▃▄▅▆▇")


# Curves


FAST = StepCurve(0, "fast", 4, (1.0, 10.0), (0.5, 1.0), (0.2, 0.5), (0.8, 1.0), (), 10.0)
SLOW = StepCurve(1, "slow", 4, (100.0,), (0.25,), (0.1,), (0.6,), ((1000.0, 0.25),), 1000.0)


def test_a_run_time_distribution_is_drawn_where_it_is_known():
    lines = plain(chart_rows(times_chart((FAST, SLOW), 1, "steps"), Space(45, 13)))
    assert lines[0].split() == ["Runs", "to", "a", "solution", "%", "solved", "by", "steps"]
    assert lines[-1].strip() == "⠤⠤ slow  ─ fast"
    assert lines[-2].split() == ["1", "10", "100", "1000"]
    assert lines[1].startswith(" 100 ")
    assert lines[1].count("─") == 1, "all are solved by the end of its curve, and there it ends"


def test_the_chosen_curve_wins_over_the_others():
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
    for chart in (times_chart((), -1, "seconds"), convergence_chart((), -1)):
        assert plain(chart_rows(chart, Space(45, 13)))[1].strip() == "no results yet"


def test_the_axis_is_labelled_at_powers_of_ten():
    assert tick_values(Scale(0.0003, 2.9, True)) == pytest.approx([0.001, 0.01, 0.1, 1.0])
    assert [tick_text(value, "s") for value in (1e-4, 1e-3, 0.1, 1.0)] == ["100 µs", "1 ms", "100 ms", "1 s"]
    assert tick_text(0.25, "share") == "25 %"


def test_a_linear_axis_is_labelled_at_round_values():
    assert tick_values(Scale(0.05, 1.0)) == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert tick_values(Scale(0.3, 0.3)) == pytest.approx([0.3] * 5)


def test_convergence_goes_straight_between_what_was_seen_on_its_axis():
    curve = Convergence(0, "one", 3, (1, 100), (40.0, 0.0), (40.0, 0.0), (40.0, 0.0))
    chart = convergence_chart((curve,), 0)
    assert sample(chart.curves[0], np.array([10.0]), np.array([10.0]), chart.x.log) == pytest.approx([20.0])


def test_a_legend_says_what_the_column_shows(found):
    legend = "".join(text for text, _role in legend_spans("steps", 3, Space(150)))
    assert legend.startswith("  … 3 more rows   ● share solved")
    assert "steps: median of all runs" in legend


@given(st.integers(1, 200), st.integers(1, 40), st.sampled_from([UNICODE, ASCII]),
       st.sampled_from(["map", "times", "convergence"]), st.integers(-1, 6))
@settings(max_examples=15)
def test_any_chart_fits_any_space(found, width, height, glyphs, picture, chosen):
    drawn = plain(chart_view_rows(ChartView(picture, found, chosen, found.maps[0]), Space(width, height, glyphs)))
    assert [columns(text) for text in drawn] == [width] * height
    assert not glyphs.ascii or all(text.isascii() for text in drawn)


# What is told of the chosen row, and where the panes stand


def test_the_chosen_row_in_words(found):
    state = BenchState([MAP])
    state.accept(found)
    state.set_filter(Filter("together"))
    state.move(1000)
    lines = plain(rows(selected_lines(state, Space(116)), Space(116, 4)))
    assert lines[0].split() == ["Selected", "backtrack-mrv,", "all"]
    assert lines[1].startswith("solved 12 / 12   interval 75.8 – 100.0 %   time ")
    assert "against cold" in " ".join(lines)


@given(st.integers(1, 260), st.integers(1, 90), st.integers(0, 60))
@settings(max_examples=60)
def test_no_two_panes_overlap_and_none_is_outside(width, height, lines):
    placed = plan(width, height, lines)
    assert (placed.mode == "none") == (width < SMALLEST[0] or height < SMALLEST[1])
    regions = list(placed.regions.values())
    for place, one in enumerate(regions):
        assert min(one.width, one.height) > 0
        assert min(one.x, one.y) >= 0
        assert (one.right <= width, one.bottom <= height) == (True, True)
        assert not any(one.overlaps(other) for other in regions[place + 1:])


def test_the_places_of_the_specification():
    regions = plan(120, 36).regions
    assert [tuple(regions[name].offset) for name in ("table", "left", "right", "selected")] == [
        (2, 4), (2, 16), (72, 16), (2, 30)]
    assert regions["left"].width == 66
