"""Where the panes of the laboratory stand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Region

from tui.screens.plan import Needs, plan


def test_120x36_is_laid_out_as_specified() -> None:
    made = plan(120, 36, Needs())
    assert made.mode == "panes"
    assert made.regions == {
        "header": Region(0, 0, 120, 1), "verdict": Region(2, 2, 116, 1), "board": Region(2, 4, 46, 18),
        "cell": Region(2, 22, 46, 1),
        "chance": Region(52, 4, 28, 4), "gauges": Region(52, 9, 28, 6), "setup": Region(52, 16, 28, 6),
        "program": Region(84, 4, 34, 13), "log": Region(84, 18, 34, 4),
        "heading": Region(2, 23, 116, 1), "chart": Region(2, 24, 116, 7), "lane": Region(2, 31, 116, 1),
        "events": Region(2, 32, 116, 1), "scrubber": Region(2, 33, 116, 1), "transport": Region(2, 34, 116, 1),
        "keys": Region(0, 35, 120, 1),
    }


def test_80x24_is_laid_out_as_specified() -> None:
    made = plan(80, 24, Needs())
    assert made.mode == "tabs"
    assert made.regions == {
        "header": Region(0, 0, 80, 1), "verdict": Region(1, 1, 78, 2), "board": Region(1, 3, 40, 12),
        "cell": Region(1, 15, 40, 1), "tabs": Region(45, 3, 34, 1), "gauges": Region(45, 5, 34, 5),
        "chance": Region(45, 11, 34, 3),
        "chart": Region(1, 16, 78, 4), "events": Region(1, 20, 78, 1), "scrubber": Region(1, 21, 78, 1),
        "transport": Region(1, 22, 78, 1), "keys": Region(0, 23, 80, 1),
    }


@pytest.mark.parametrize(("tab", "pane"), [(2, "program"), (3, "log"), (4, "setup")])
def test_a_tab_opens_its_pane(tab: int, pane: str) -> None:
    regions = plan(80, 24, Needs(program=11), tab).regions
    assert regions[pane] == Region(45, 5, 34, 11)  # type: ignore[index]
    assert "gauges" not in regions


def test_a_long_program_begins_right_under_its_tab() -> None:
    assert plan(80, 24, Needs(program=12), 2).regions["program"] == Region(45, 4, 34, 12)


def test_a_panel_takes_the_place_of_the_setup() -> None:
    assert plan(80, 24, Needs(panel=True), 4).regions["panel"] == Region(45, 5, 34, 11)
    roomy = plan(120, 36, Needs(panel=True, chance=False, setup=2)).regions
    assert roomy["panel"].bottom == 22
    assert {"gauges", "setup", "panel"} <= roomy.keys()


def test_rows_are_given_up_in_the_order_of_the_specification() -> None:
    shown = [set(plan(120, rows, Needs()).regions) for rows in (36, 35, 34)]
    assert shown[0] - shown[1] == {"lane"}
    assert shown[1] - shown[2] == {"heading"}
    long_program = plan(120, 36, Needs(program=15)).regions
    assert "log" not in long_program
    assert "chance" not in plan(80, 24, Needs(gauges=8)).regions


def test_a_16x16_board_drives_the_chart_away_but_not_the_scrubber() -> None:
    made = plan(80, 24, Needs(small=(70, 20), medium=None)).regions
    assert made["board"].height == 20
    assert "scrubber" in made
    assert "chart" not in made


def test_small_terminals() -> None:
    assert plan(43, 30, Needs()).mode == "none"
    assert plan(100, 16, Needs()).mode == "none"
    assert plan(79, 24, Needs()).regions.keys() == {"header", "verdict", "board", "scrubber", "keys"}
    assert plan(44, 17, Needs()).regions["board"] == Region(1, 3, 40, 12)


needs = st.builds(
    Needs, small=st.sampled_from([(40, 12), (22, 6), (67, 20), (105, 30)]),
    medium=st.sampled_from([None, (46, 18), (22, 8)]), gauges=st.integers(0, 12), program=st.integers(1, 30),
    setup=st.integers(0, 10), chance=st.booleans(), lane=st.booleans(), panel=st.booleans(),
)


@given(st.integers(44, 260), st.integers(17, 90), needs, st.integers(1, 4))
def test_panes_never_overlap_and_never_leave_the_screen(width: int, height: int, wanted: Needs, tab: int) -> None:
    regions = plan(width, height, wanted, tab).regions
    assert {"verdict", "board", "scrubber"} <= regions.keys()
    screen = Region(0, 0, width, height)
    for name, region in regions.items():
        assert region.area > 0, name
        assert screen.contains_region(region), name
    for (one, a), (other, b) in combinations(regions.items(), 2):
        assert not a.intersection(b), (one, other)


@given(st.integers(17, 90), needs)
def test_more_rows_never_hide_a_part_of_the_timeline(height: int, wanted: Needs) -> None:
    parts = {"chart", "lane", "events", "transport", "heading"}
    before, after = (set(plan(100, rows, wanted).regions) & parts for rows in (height, height + 1))
    assert before <= after
