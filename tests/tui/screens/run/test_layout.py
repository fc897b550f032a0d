"""The layouts of the Laboratory."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.geometry import Region

from tui.screens.run.layout import POPULATION_TAB, Needs, plan


def test_120x36_is_laid_out_as_specified() -> None:
    made = plan(120, 36, Needs())
    assert made.mode == "panes"
    assert made.regions == {
        "header": Region(0, 0, 120, 1), "verdict": Region(2, 2, 116, 2), "board": Region(2, 4, 46, 18),
        "cell": Region(2, 22, 46, 1),
        "chance": Region(52, 4, 28, 4), "gauges": Region(52, 9, 28, 6), "parameters": Region(52, 16, 28, 6),
        "program": Region(84, 4, 34, 13), "log": Region(84, 18, 34, 4),
        "heading": Region(2, 23, 116, 1), "chart": Region(2, 24, 116, 7), "lane": Region(2, 31, 116, 1),
        "events": Region(2, 32, 116, 1), "scrubber": Region(2, 33, 116, 1), "transport": Region(2, 34, 116, 1),
        "footer": Region(0, 35, 120, 1),
    }


def test_80x24_is_laid_out_as_specified() -> None:
    made = plan(80, 24, Needs())
    assert made.mode == "tabs"
    assert made.regions == {
        "header": Region(0, 0, 80, 1), "verdict": Region(1, 1, 78, 2), "board": Region(1, 3, 40, 12),
        "cell": Region(1, 15, 43, 1), "tabs": Region(43, 3, 37, 1), "gauges": Region(45, 5, 34, 5),
        "chance": Region(45, 11, 34, 3),
        "chart": Region(1, 16, 78, 4), "events": Region(1, 20, 78, 1), "scrubber": Region(1, 21, 78, 1),
        "transport": Region(1, 22, 78, 1), "footer": Region(0, 23, 80, 1),
    }


@pytest.mark.parametrize(("tab", "pane"), [(2, "program"), (3, "log"), (4, "parameters")])
def test_a_tab_opens_its_pane(tab: int, pane: str) -> None:
    regions = plan(80, 24, Needs(program=11), tab).regions
    assert regions[pane] == Region(45, 5, 34, 11)  # type: ignore[index]
    assert "gauges" not in regions


def test_a_long_program_begins_right_under_its_tab() -> None:
    assert plan(80, 24, Needs(program=12), 2).regions["program"] == Region(45, 4, 34, 12)


def test_a_panel_takes_the_place_of_the_parameters() -> None:
    assert plan(80, 24, Needs(panel=True), 4).regions["panel"] == Region(45, 5, 34, 11)
    first = plan(80, 24, Needs(panel=True, chance=False, parameters=2), 1).regions
    assert first["parameters"] == Region(45, 11, 34, 5)
    roomy = plan(120, 36, Needs(panel=True, chance=False, parameters=2)).regions
    assert roomy["panel"].bottom == 22
    assert {"gauges", "parameters", "panel"} <= roomy.keys()


def test_a_panel_beside_a_tiny_board_has_rows_of_the_chart() -> None:
    tiny = Needs(small=(20, 6), panel=True)
    made = plan(80, 24, tiny, 4).regions
    assert made["panel"].height == 10
    assert made["chart"].height >= 3
    assert made["panel"].bottom <= made["chart"].y
    assert plan(80, 24, replace(tiny, panel=False), 3).regions["log"].height == 9


def test_panes_are_dropped_in_the_specified_order() -> None:
    shown = [set(plan(120, rows, Needs()).regions) for rows in (36, 35, 34)]
    assert shown[0] - shown[1] == {"lane"}
    assert shown[1] - shown[2] == {"heading"}
    long_program = plan(120, 36, Needs(program=15)).regions
    assert "log" not in long_program
    assert "chance" not in plan(80, 24, Needs(gauges=8)).regions


def test_a_16x16_board_replaces_the_chart_but_not_the_scrubber() -> None:
    made = plan(80, 24, Needs(small=(70, 20), medium=())).regions
    assert made["board"].height == 20
    assert "scrubber" in made
    assert "chart" not in made


def test_the_least_chart_takes_the_row_of_the_cell() -> None:
    needs = Needs(small=(70, 20), medium=())
    assert {rows: ("chart" in made, "cell" in made) for rows in (29, 30, 31)
            if (made := plan(100, rows, needs).regions)} == {29: (False, True), 30: (True, False), 31: (True, True)}


def test_small_terminals() -> None:
    assert plan(43, 30, Needs()).mode == "none"
    assert plan(100, 16, Needs()).mode == "none"
    assert plan(79, 24, Needs()).regions.keys() == {"header", "verdict", "board", "scrubber", "footer"}
    assert plan(44, 17, Needs()).regions["board"] == Region(1, 3, 40, 12)


needs = st.builds(
    Needs, small=st.sampled_from([(40, 12), (22, 6), (70, 20), (107, 30)]),
    medium=st.sampled_from([(), ((46, 18),), ((23, 8),), ((94, 32), (78, 32), (86, 20), (70, 20))]),
    large=st.sampled_from([((74, 36), (46, 18)), ((142, 50), (117, 50), (132, 30), (107, 30))]),
    pencil=st.sampled_from([None, (69, 27), (32, 12)]), gauges=st.integers(0, 12), program=st.integers(1, 30),
    parameters=st.integers(0, 10), chance=st.booleans(), lane=st.booleans(), panel=st.booleans(),
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


def test_200x60_is_laid_out_as_specified() -> None:
    made = plan(200, 60, Needs(parameters=11))
    assert made.mode == "wide"
    assert made.regions == {
        "header": Region(0, 0, 200, 1), "verdict": Region(3, 2, 194, 4), "board": Region(3, 6, 74, 36),
        "cell": Region(3, 42, 74, 1),
        "chance": Region(86, 6, 46, 6), "gauges": Region(86, 13, 46, 10), "parameters": Region(86, 24, 46, 18),
        "program": Region(141, 6, 56, 13), "log": Region(141, 20, 56, 15),
        "heading": Region(3, 43, 194, 1), "chart": Region(3, 44, 194, 10), "lane": Region(3, 54, 194, 1),
        "events": Region(3, 55, 194, 1), "scrubber": Region(3, 56, 194, 1), "transport": Region(3, 57, 194, 1),
        "footer": Region(0, 59, 200, 1),
    }


def test_the_large_board_is_used_from_200x54_on() -> None:
    assert plan(200, 54, Needs()).regions["board"] == Region(3, 6, 74, 36)
    assert plan(200, 54, Needs()).regions["chart"].height >= 3
    assert plan(199, 60, Needs()).regions["board"] == Region(2, 4, 46, 18)
    assert plan(200, 53, Needs()).regions["board"] == Region(2, 4, 46, 18)


def test_a_search_at_120x36_has_its_stack_beside_the_pencil_marks() -> None:
    made = plan(120, 36, Needs(pencil=(69, 27), panel=True, chance=False, program=8, picked=True))
    assert made.mode == "search"
    assert made.regions == {
        "header": Region(0, 0, 120, 1), "verdict": Region(2, 1, 116, 1), "board": Region(2, 3, 69, 27),
        "panel": Region(74, 3, 44, 17), "program": Region(74, 21, 44, 9), "cell": Region(2, 2, 116, 1),
        "chart": Region(2, 30, 116, 3), "scrubber": Region(2, 33, 116, 1), "transport": Region(2, 34, 116, 1),
        "footer": Region(0, 35, 120, 1),
    }
    regions = plan(120, 36, Needs(pencil=(69, 27), panel=True, chance=False, program=8)).regions
    assert regions["verdict"] == Region(2, 1, 116, 2), "where no cell is picked there is the reason"
    assert {**regions, "verdict": Region(2, 1, 116, 1), "cell": Region(2, 2, 116, 1)} == made.regions
    short = plan(120, 36, Needs(pencil=(32, 12), panel=True, chance=False, program=10)).regions
    assert (short["panel"].height, short["program"].height) == (12, 11), "a panel comes before the chart"
    assert plan(120, 35, Needs(pencil=(69, 27), panel=True)).regions["board"] == Region(2, 4, 46, 18)
    taller = plan(120, 48, Needs(pencil=(69, 27), panel=True)).regions
    assert {"chart", "heading", "lane", "cell"} <= taller.keys()
    assert taller["verdict"].y == 2


@pytest.mark.parametrize("height", range(36, 44))
def test_a_search_keeps_a_chart_of_three_rows(height: int) -> None:
    for needs in (Needs(pencil=(69, 27), panel=True, chance=False, program=10), Needs(pencil=(69, 27), program=8)):
        regions = plan(120, height, needs).regions
        assert regions["chart"].height >= 3
        assert "transport" in regions


def test_a_population_keeps_its_gauges_and_the_program_line() -> None:
    regions = plan(120, 36, Needs(panel=True, population=True, chance=False), POPULATION_TAB).regions
    panel, gauges, program = (regions[name] for name in ("panel", "gauges", "program"))
    assert (gauges.height, program.height) == (1, 1)
    assert (panel.bottom, gauges.bottom, program.bottom) == (gauges.y, program.y, regions["board"].bottom)


def test_candidates_without_a_panel_leave_room_for_gauges_and_log() -> None:
    made = plan(120, 36, Needs(pencil=(69, 27), program=8)).regions
    assert {"gauges", "program", "log"} <= made.keys()


def test_16x16_and_25x25_take_the_roomiest_board_that_leaves_the_panes() -> None:
    sixteen = Needs((70, 20), ((94, 32), (78, 32), (86, 20), (70, 20)), ((94, 32), (78, 32), (86, 20), (70, 20)))
    assert plan(200, 60, sixteen).regions["board"].size == (94, 32)
    assert plan(160, 50, sixteen).regions["board"].size == (78, 32)
    assert plan(160, 40, sixteen).regions["board"].size == (86, 20)
    assert plan(120, 36, sixteen).regions["board"].size == (70, 20)
    boards = ((142, 50), (117, 50), (132, 30), (107, 30))
    huge = plan(200, 60, Needs((107, 30), boards, boards)).regions
    assert huge["board"].size == (107, 30)
    assert {"program", "gauges", "log", "chart"} <= huge.keys()


@given(st.integers(17, 90), needs)
def test_more_rows_never_hide_a_part_of_the_timeline(height: int, wanted: Needs) -> None:
    parts = {"chart", "lane", "events", "transport", "heading"}
    before, after = (set(plan(100, rows, wanted).regions) & parts for rows in (height, height + 1))
    assert before <= after
