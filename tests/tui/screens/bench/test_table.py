"""The table of the bench, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bench.statistics import Rate, success
from tests.tui.experiments import MAP, TINY, invented_results
from tui.look.glyphs import ASCII, UNICODE
from tui.screens.bench.results import Results
from tui.screens.bench.state import Filter, table_rows
from tui.screens.bench.table import GAP, TableView, bar, cells, fit_columns, headings, legend_spans, short_labels
from tui.widgets.rows import Row, Space, columns, plain


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return invented_results(tmp_path_factory.mktemp("map"), MAP)


def shown_of(digest: Results, shown: Filter | None = None, **chosen: object) -> TableView:
    lines = tuple(table_rows(digest.comparison, shown or Filter()))
    return TableView(lines, measure=digest.comparison.measure, **chosen)  # type: ignore[arg-type]


def drawn_table(shown: TableView, width: int, glyphs=UNICODE) -> list[Row]:
    """The headings and the rows of the table on the screen."""
    widths = fit_columns(shown, width)
    rows = [cells(index, shown, widths, glyphs) for index in range(len(shown.rows))]
    lines = [headings(shown, widths, glyphs), *rows]
    return [tuple(span for cell in line for span in cell) for line in lines]


def drawn_bar(rate: Rate, glyphs=UNICODE) -> str:
    return "".join(text for text, _role in bar(rate, 21, glyphs))


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


def test_long_names_lose_their_common_beginning():
    swept = ["anneal T0=0.25 alpha=0.9", "anneal T0=0.25 alpha=0.99"]
    assert short_labels(swept, 30) == {each: each for each in swept}
    assert list(short_labels(swept, 20).values()) == ["alpha=0.9", "alpha=0.99"]
    assert short_labels(["anneal easy", "anneal"], 4) == {"anneal easy": "easy", "anneal": "anneal"}
    assert short_labels(["the only name"], 4) == {"the only name": "the only name"}


def test_the_heading_that_is_sorted_by_is_marked(found):
    for by, reverse, said in (("solver", False, "solver↓"), ("solved", False, "solved↓"), ("time", True, "time↑")):
        head = drawn_table(shown_of(found, sort=by, reverse=reverse), 116)[0]
        assert [text.strip() for text, role in head if role == "strong"] == [said]


def test_columns_keep_their_places_while_results_come_in(tmp_path: Path):
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


def test_the_legend_names_the_measure(found):
    legend = "".join(text for text, _role in legend_spans("steps", 3, Space(150)))
    assert legend.startswith("  … 3 more rows   ● share solved")
    assert "steps: median of all runs, 95 %;" in legend
    assert "steps: median of all runs;" in plain([legend_spans("steps", 0, Space(150), interval=False)])[0]


def test_rows_of_one_solver_are_told_apart_in_a_narrow_window(found):
    for width in (44, 58, 78):
        widths = fit_columns(shown_of(found), width)
        assert {"label", "group", "share", "axis"} <= widths.keys()
        assert sum(each + GAP for each in widths.values()) <= width


def test_one_row_out_of_view_is_a_row():
    assert "1 more row " in plain([legend_spans("seconds", 1, Space(60))])[0]
    assert "2 more rows " in plain([legend_spans("seconds", 2, Space(60))])[0]
