"""The panes of the timeline, drawn from plain values."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.events import Cooled, NewBest, Reheated, Restarted, SwapJudged
from engine.text import count as text_count
from engine.view import Channel, ListPanel, StackPanel
from tui.config.speed import FLAT_OUT
from tui.look.glyphs import ASCII, UNICODE, Glyphs
from tui.look.theme import DARK, MONO, Look
from tui.playback.snapshot import History
from tui.widgets.panels.panel import panel_rows
from tui.widgets.plot import Plot, dots, star_row
from tui.widgets.rows import Row, Space, plain, roles
from tui.widgets.tabs import tabs_row
from tui.widgets.timeline.axis import LABELS, Axis, EnergyScale
from tui.widgets.timeline.chart import Chart, Curves, Trace, chart_rows, star_ticks, trace
from tui.widgets.timeline.heading import Heading, curves, legend
from tui.widgets.timeline.lanes import (
    MARKS,
    LaneEvents,
    bars,
    bars_row,
    event_mark,
    events_row,
    mark_of,
    without_present,
)
from tui.widgets.timeline.pane import TimePosition
from tui.widgets.timeline.transport import Transport, button_at, scrubber_row, transport_row

CHANNELS = (Channel("E", "E", "energy"), Channel("best", "best", "best"), Channel("T", "T", "temperature", "log"),
            Channel("acc", "accept", "share"))
BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def text(line: Row) -> str:
    return plain([line])[0]


def history(*samples: tuple[float, ...], every: int = 1, marks: dict[str, tuple[int, ...]] | None = None) -> History:
    return History(np.arange(len(samples), dtype=np.int64) * every, np.array(samples), marks or {})


# Dots


@pytest.mark.parametrize("braille", [True, False])
@given(st.integers(2, 120), st.integers(1, 12), st.integers(0, 10**6))
def test_plotext_puts_every_dot_where_it_was_asked_to(braille: bool, width: int, height: int, seed: int) -> None:
    draw = random.Random(seed)
    points = [(draw.randrange(2 * width), draw.randrange(4 * height)) for _ in range(draw.randrange(1, 60))]
    points.append((0, 0))
    expected = [[0] * width for _ in range(height)]
    for x, y in points:
        row = y // 4 if braille else star_row(y, height)
        expected[row][x // 2] |= BRAILLE[y % 4][x % 2]
    drawn = dots([x for x, _ in points], [y for _, y in points], width, height, braille)
    full = [["*" if not braille else chr(0x2800 + bits) for bits in line] for line in expected]
    assert drawn == ["".join(c if bits else " " for c, bits in zip(line, bits_of, strict=True))
                     for line, bits_of in zip(full, expected, strict=True)]


@pytest.mark.sweep
@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 4), st.booleans(), st.integers(0, 80)), max_size=4),
       st.integers(0, 10**6))
def test_an_earlier_drawing_leaves_nothing_behind(sizes: list[tuple[int, int, bool, int]], seed: int) -> None:
    dice, plot = np.random.default_rng(seed), Plot()
    for width, height, braille, many in sizes:
        for _again in range(3):
            places = np.unique(dice.integers(0, 8 * width * height, many))
            x, y = np.divmod(places, 4 * height)
            drawn = dots(x.tolist(), y.tolist(), width, height, braille)
            assert plot.draw(places, width, height, braille) == drawn
            several = np.unique(np.append(places, dice.integers(0, 8 * width * height, 2)))
            assert plot.draw(several, width, height, braille) == Plot().draw(several, width, height, braille)


def test_no_points_are_blank_lines() -> None:
    assert dots([], [], 5, 2, True) == ["     ", "     "]


# Chart


def drawn(samples: History, playhead: int, recorded: int, width: int = 26, height: int = 7,
          mono: bool = False, ascii: bool = False) -> list[Row]:
    glyphs = ASCII if ascii else UNICODE
    frame, space = TimePosition(playhead, recorded), Space(width, height, glyphs)
    return list(chart_rows(trace(Curves(samples), CHANNELS, frame.axis(width), space), frame, space, mono))


def test_the_chart_has_its_axes_at_both_sides() -> None:
    lines = [text(line) for line in drawn(history((60, 60, 1.0, 0.5), (0, 0, 0.1, 0.5)), 1, 1)]
    assert [line[:LABELS] for line in lines] == ["  60 ", "     ", "     ", "  30 ", "     ", "     ", "   0 "]
    assert [line[-LABELS:].strip() for line in lines] == ["1", "", "", "0.3", "", "", "0.1"]


def test_the_scale_of_e_is_kept_while_the_window_is_as_wide() -> None:
    chart = Chart(CHANNELS)
    chart.ready = True

    def top(energy: float, recorded: int) -> float:
        chart.position, chart._curves = TimePosition(recorded, recorded), Curves(history(*[(energy, 1, 1.0, 0.5)] * 8))
        traced = chart._trace(Space(26, 7))
        assert traced is not None
        return traced.top

    assert [top(18.0, 7), top(9.0, 7), top(9.0, 700)] == [20.0, 20.0, 10.0]


def test_the_best_is_a_line_at_its_own_value_and_the_temperature_dots() -> None:
    samples = history(*[(20.0, 20.0, 1.0, 0.5)] * 4, *[(40.0, 20.0, 0.1, 0.5)] * 4)
    lines = drawn(samples, 7, 7)
    joined = [text(line) for line in lines]
    best_row = next(y for y, line in enumerate(lines) if any(role == "data" for _, role in line))
    found = [(c, r) for c, r in roles(lines[best_row])[LABELS:-LABELS] if c != " "]
    assert found == [*[("⠤", "strong")] * 8, *[("⠤", "data")] * 7], "at first E and its best are in the same dots"
    assert joined[0].count("°") + joined[6].count("°") >= 12


@pytest.mark.parametrize("worst", [20.0, 38.0, 40.0, 51.0, 56.0, 60.0])
def test_the_worst_is_a_line_of_dots_at_its_own_value(worst: float) -> None:
    channels, nan = (*CHANNELS, Channel("worst", "worst", "worst")), float("nan")
    samples = history(*[(38.0, 20.0, nan, nan, worst)] * 4, (38.0, 20.0, nan, nan, 60.0))
    frame, space = TimePosition(4, 4), Space(26, 7)
    lines = chart_rows(trace(Curves(samples), channels, frame.axis(26), space), frame, space)
    characters = [ord(text(line)[LABELS]) - 0x2800 for line in lines]
    drawn = {4 * y + line for y, bits in enumerate(characters) if bits > 0
             for line, dot in enumerate((0x01, 0x02, 0x04, 0x40)) if bits & dot}
    assert drawn == set(EnergyScale(60.0, 7).dots(np.array([38.0, 20.0, worst])).tolist())


@pytest.mark.parametrize(("ascii", "row", "shared", "apart"), [(False, 3, "⠭", "⠤"), (True, 3, "+", "-")])
def test_where_e_and_the_best_share_a_character_both_are_seen(ascii: bool, row: int, shared: str, apart: str) -> None:
    samples = history(*[(33.0, 28.0, 1.0, 0.5)] * 8, *[(60.0, 28.0, 1.0, 0.5)] * 8)
    found = roles(drawn(samples, 15, 15, ascii=ascii)[row])[LABELS:-LABELS]
    assert found == [*[(shared, "strong")] * 8, *[(apart, "data")] * 8]


@pytest.mark.parametrize("height", [3, 4, 7, 10])
@pytest.mark.parametrize("best", [0, 1, 2, 5, 11, 30])
def test_a_line_of_the_best_on_the_floor_means_solved(best: int, height: int) -> None:
    lines = drawn(history(*[(60.0, float(best), 1.0, 0.5)] * 8), 7, 7, height=height)
    dots = [(y, line) for y, row in enumerate(lines) for c, role in roles(row) if role == "data"
            for line, pair in enumerate((0x09, 0x12, 0x24, 0xC0)) if ord(c) & pair == pair]
    assert len(set(dots)) == 1
    y, line = dots[0]
    assert 4 * y + line == pytest.approx((4 * height - 1) * (1 - best / 60), abs=0.5 if best > 5 else 1)
    assert ((y, line) == (height - 1, 3)) == (best == 0)


@pytest.mark.parametrize("height", [3, 4, 5, 7, 9, 10, 13])
def test_labels_are_in_evenly_spaced_rows_that_are_the_same_on_both_sides(height: int) -> None:
    lines = [text(line) for line in drawn(history((60, 60, 1.0, 0.5), (0, 0, 0.1, 0.5)), 1, 1, height=height)]
    left = [y for y, line in enumerate(lines) if line[:LABELS].strip()]
    assert left == [y for y, line in enumerate(lines) if line[-LABELS:].strip()]
    assert len({b - a for a, b in pairwise(left)}) == 1
    assert (left[0], left[-1], len(left) > 2) == (0, height - 1, True)


def test_four_rows_are_labelled_by_thirds() -> None:
    lines = [text(line) for line in drawn(history((52, 52, 1.0, 0.5), (0, 0, 0.1, 0.5)), 1, 1, height=4)]
    assert [line[:LABELS].strip() for line in lines] == ["60", "40", "20", "0"]


def test_the_part_ahead_recedes_and_is_hidden_without_colours() -> None:
    samples = history(*[(20.0, 20.0, 1.0, 0.5)] * 16)
    for mono in (False, True):
        lines = drawn(samples, 8, 15, mono=mono)
        ahead = [(c, r) for line in lines for c, r in roles(line)[LABELS + 9 : -LABELS] if c != " "]
        assert all(role == "future" for _, role in ahead)
        assert bool(ahead) is not mono


def test_the_playhead_fills_blank_cells_only() -> None:
    samples = history((20.0, 20.0, 0.2, 0.5), *[(10.0, 4.0, 0.8, 0.5)] * 15)
    lines = drawn(samples, 8, 15)
    column = [roles(line)[LABELS + 8] for line in lines]
    assert column.count(("│", "ink")) == 4
    assert [c for c, _ in column if c != "│"] == ["°", "⠤", "⠤"]


def test_a_temperature_with_a_lane_is_no_curve() -> None:
    samples = history(*[(20.0, 20.0, 1.0, 0.5)] * 8)
    position, space = TimePosition(7, 7), Space(26, 7, UNICODE)
    traced = trace(Curves(samples), CHANNELS, position.axis(26), space, with_temperature=False)
    lines = [text(line) for line in chart_rows(traced, position, space)]
    assert not any("°" in line for line in lines)
    assert not any(line[-LABELS:].strip() for line in lines)


def test_temperature_0_has_its_own_mark_on_the_floor() -> None:
    samples = history((9, 9, 1.0, 0), (9, 9, 0.1, 0), (9, 9, 0.0, 0), (9, 9, 0.0, 0))
    lines = [text(line) for line in drawn(samples, 3, 3)]
    assert "_" in lines[-1]


def test_the_chart_in_ascii() -> None:
    lines = [text(line) for line in drawn(history(*[(20.0, 12.0, 1.0, 0.5)] * 8), 3, 7, ascii=True)]
    assert all(line.isascii() for line in lines)
    assert "*" in "".join(lines)
    assert "-" in "".join(lines)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_glyph_of_the_legend_has_one_meaning(glyphs: Glyphs) -> None:
    channels = (*CHANNELS, Channel("worst", "worst", "worst"))
    marks = [mark for mark, _word, _role in curves(channels, glyphs, rival=True, with_temperature=True)]
    of_searches = {"contradiction", "unsat", "backjump"}
    one_mark = {"sweep", "reheat"}
    marks += [mark_of(kind, glyphs) for kind in MARKS if kind not in of_searches | one_mark]
    marks.append(mark_of("reheat", glyphs))
    assert len(set(marks)) == len(marks), sorted(marks)


def test_an_empty_history_is_an_empty_chart_with_a_playhead() -> None:
    made = trace(Curves(History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))), CHANNELS, Axis(10, 1), Space(20, 3))
    assert isinstance(made, Trace)
    lines = chart_rows(made, TimePosition(0, 0), Space(20, 3))
    assert [text(line)[LABELS] for line in lines] == ["│", "│", "│"]


# Lanes


def test_a_lane_of_shares_and_one_of_depths() -> None:
    share = bars(history((0.0,), (0.05,), (0.5,), (1.0,)), 0, True, Axis(4, 4))
    assert share.eighths == [0, 1, 4, 8]
    depth = bars(history((0.0,), (5.0,), (10.0,), (2.0,)), 0, False, Axis(4, 4))
    assert depth.eighths == [0, 4, 8, 2]


def test_a_lane_stops_where_nothing_is_recorded_and_has_its_value_at_the_right() -> None:
    lane = bars(history((float("nan"),), (0.25,), (0.25,)), 0, True, TimePosition(2, 2).axis(20))
    line = bars_row(lane, CHANNELS[3], TimePosition(2, 2), Space(20), 0.25)
    assert text(line) == " acc      ▂▂▂▂▂  25%"
    later = bars(history((0.25,), (0.25,), (0.25,)), 0, True, TimePosition(2, 3).axis(20))
    assert text(bars_row(later, CHANNELS[3], TimePosition(2, 3), Space(20), 0.25)).rstrip() == " acc ▂▂▂▂▂▂      25%"
    assert text(bars_row(lane, CHANNELS[3], TimePosition(2, 2), Space(20), 1.0)).endswith(" 100%")


@pytest.mark.parametrize(("value", "written"), [
    (0.0, "0%"), (0.002, "0.2%"), (0.088, "8.8%"), (0.0996, "10%"), (0.31, "31%")])
def test_a_share_beside_a_lane_has_two_digits_as_its_gauge_has_more(value: float, written: str) -> None:
    lane = bars(history((1.0,)), 0, True, TimePosition(0, 0).axis(20))
    assert text(bars_row(lane, CHANNELS[3], TimePosition(0, 0), Space(20), value)).split()[-1] == written


@pytest.mark.parametrize(("value", "written"), [
    (4_143, "4143"), (15_145, "15k"), (289_335, "289k"), (999_600, "1.0M"), (2_912_000, "2.9M"), (7e12, "7.0T")])
def test_a_large_count_beside_a_lane_keeps_two_digits(value: float, written: str) -> None:
    depth = Channel("work", "work", "depth")
    lane = bars(history((1.0,)), 0, False, TimePosition(0, 0).axis(20))
    assert text(bars_row(lane, depth, TimePosition(0, 0), Space(20), value)).split()[-1] == written


def test_the_event_of_the_present_step_is_drawn_once() -> None:
    """Four steps a column: the index of a long run may have step 36 as 35, a column before."""
    where, sign = TimePosition(36, 64), mark_of("restart", UNICODE)
    for marks, drawn in (((8, 35), 2), ((8, 36), 2), ((8, 31, 35), 3), ((8,), 2), ((8, 35, 40), 3)):
        events = LaneEvents({"restart": marks}, (Restarted(36, "restart", 2, 0, 9, 9),))
        assert text(events_row(without_present(events, where, 26), sign, where, Space(26))).count(sign) == drawn, marks


def test_now_wins_over_a_reheat_and_a_reheat_over_a_best() -> None:
    marks = {"best": (0, 5, 9), "reheat": (5,), "restart": (12,)}
    frame, space = TimePosition(9, 16), Space(26)
    line = roles(events_row(marks, "▲", frame, space))[LABELS : -LABELS]
    assert [(x, c, r) for x, (c, r) in enumerate(line) if c != " "] == [
        (0, "◆", "data"), (5, "↻", "text"), (9, "▲", "ink"), (12, "↩", "text")]


def test_a_change_by_hand_after_the_step_is_marked_over_the_step() -> None:
    frame = TimePosition(200, 200)
    for hand, mark in (((), "▲"), ((200,), "◇")):
        line = text(events_row({"hand": hand}, "▲", frame, Space(80)))
        assert line[LABELS + frame.axis(80).column(200)] == mark


def test_the_mark_of_a_step_is_that_of_its_rarest_event() -> None:
    up = SwapJudged(1, "a", (0, 1), (1, 2), 1, 5, True, 1.0, 0.5, 0.25)
    down = SwapJudged(1, "a", (0, 1), (1, 2), -1, 3, True, 1.0)
    cooled = Cooled(1, "a", 1.0, 0.9, 1, 1, 2)
    assert event_mark((up,), UNICODE) == "▲"
    assert event_mark((up, cooled), UNICODE) == "↧"
    assert event_mark((down, NewBest(1, "a", 3, 4)), UNICODE) == "◆"
    assert event_mark((down, NewBest(1, "a", 3, 4), Reheated(1, "a", 0.1, 0.5, 0.5, 1, 1, 0)), ASCII) == "R"
    assert event_mark((down,), UNICODE) is None


# Scrubber and transport


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(12, 200))
def test_the_scrubber_tells_played_recorded_and_unrecorded_steps_apart(a: int, b: int, width: int) -> None:
    playhead, recorded = sorted((a, b))
    frame = TimePosition(playhead, recorded)
    line = text(scrubber_row(frame, Space(width)))
    track = line[LABELS : -LABELS]
    axis = frame.axis(width)
    assert len(line) == width
    assert track.index("●") == axis.column(playhead)
    assert track == ("━" * axis.column(playhead) + "●"
                     + "─" * (axis.column(recorded) - axis.column(playhead))
                     + "·" * (axis.width - 1 - axis.column(recorded)))


@pytest.mark.parametrize("width", [80, 100, 116, 200])
def test_the_largest_step_keeps_a_blank_before_it(width: int) -> None:
    for step in (10**9, 999_999_999):
        line = text(transport_row(Transport(TimePosition(step, 10**9)), Space(width)))
        assert re.search(rf"\s{text_count(step)}(\s|$)", line), line


def test_the_transport_row() -> None:
    shown = Transport(TimePosition(410_496, 652_000), 1000.0)
    line = text(transport_row(shown, Space(116)))
    for piece in ("◀◀  ◀  ‖  ▶  ▶▶", "step", "410 496 · recorded 652 000", "speed ×1 000/s"):
        assert piece in line
    narrow = text(transport_row(shown, Space(78)))
    assert "step 410 496 · recorded 652 000" in narrow
    assert "1 048 576" not in line + narrow, "the end of the axis is not the length of the run"
    assert narrow.rstrip().endswith("×1 000/s")
    assert "flat out" in text(transport_row(Transport(TimePosition(), FLAT_OUT), Space(78)))


def test_without_a_heading_the_transport_row_has_the_legend_of_the_curves() -> None:
    entries = tuple(curves(CHANNELS, UNICODE, False, False))
    for position in (TimePosition(7, 7), TimePosition(999_999, 999_999)):
        line = text(transport_row(Transport(position, 1000.0, legend=entries), Space(116)))
        assert line.index("⠉ E  ⣀ best  ⣉ both") == 55
        assert line.split()[-2:] == ["×1 000/s", "1:1"] or line.split()[-3:] == ["×1", "000/s", "1:1"]
        assert f"step {text_count(position.playhead):>7} · recorded" in line
    assert "best" not in text(transport_row(Transport(legend=entries), Space(78)))


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_board_of_candidates_leaves_room_for_the_whole_legend(glyphs: Glyphs) -> None:
    """In ASCII two curves in one place have a character that only the legend explains."""
    for solver in (registry.solver(name) for name in registry.names() if name != "cp-sat"):
        if "candidates" in solver.gives:
            entries = curves(solver.channels, glyphs, False, False)
            shown = Transport(TimePosition(2_048, 2_048), 20.0, legend=tuple(entries))
            line = text(transport_row(shown, Space(116, glyphs=glyphs)))
            assert all(f"{mark} {word}" in line for mark, word, _role in entries), solver.name


@pytest.mark.parametrize(("recorded", "has_doubled"), [
    (32, False), (33, False), (64, False), (65, True), (72, True), (73, False), (1024, False), (1025, True),
    (1152, True), (1153, False)])
def test_a_doubling_of_the_axis_is_announced_until_an_eighth_of_its_new_half(recorded: int, has_doubled: bool) -> None:
    assert TimePosition(recorded, recorded).has_doubled is has_doubled


def test_numbers_that_grow_move_nothing_in_the_transport_row() -> None:
    lines = [text(transport_row(Transport(TimePosition(n, n), 1000.0), Space(116))) for n in (0, 999, 123_456, 10**9)]
    for word in ("step", " · ", "recorded", "speed"):
        assert len({line.index(word) for line in lines}) == 1


def test_every_button_is_found_under_its_glyph() -> None:
    for glyphs in (UNICODE, ASCII):
        line = text(transport_row(Transport(), Space(78, 1, glyphs)))
        found = [button_at(x, glyphs) for x, c in enumerate(line[:22]) if c != " "]
        assert found == ["far_back", "far_back", "back", "toggle", "forward", "far_forward", "far_forward"]
    assert button_at(0, UNICODE) is None
    assert button_at(60, UNICODE) is None


# Heading, tabs, panels


def test_without_colours_the_legend_says_which_of_two_curves_is_above() -> None:
    heading = Heading(CHANNELS, {})
    heading.show({"best"})
    for palette, words in ((DARK, "⠉ E  ⣀ best  ⣉ both"), (MONO, "⠉ E above  ⣀ best below  ⣉ both")):
        heading.set_look(Look(palette))
        assert words in text(heading.draw(Space(116))[0])


def test_the_legend_names_what_the_run_can_show() -> None:
    words = "".join(word for word, _ in legend(CHANNELS, {"best", "reheat", "uphill"}, UNICODE, lanes=("lane",)))
    assert words == "⠉ E  ⣀ best  ⣉ both  ° T (log scale, right axis)  ◆ new best  ↻ reheat  ▲ uphill  acc accept"
    bare = "".join(word for word, _ in legend(CHANNELS, {"best"}, UNICODE, lanes=()))
    assert bare.endswith("◆ new best"), "a lane without room has no entry"
    assert "T log scale" in "".join(word for word, _ in legend(CHANNELS, {"best"}, UNICODE, lanes=("temperature",)))
    assert "┆ epoch" in "".join(word for word, _ in legend(CHANNELS, {"generation"}, UNICODE, {"generation": "epoch"}))
    bare = "".join(word for word, _ in legend((Channel("E", "empty", "energy"),), (), ASCII))
    assert bare == "* empty"


def test_the_legend_names_uphill_moves_of_a_run_without_a_temperature() -> None:
    cold = (Channel("E", "E", "energy"),)
    assert "▲ uphill" in "".join(word for word, _ in legend(cold, {"uphill"}, UNICODE))
    assert "uphill" not in "".join(word for word, _ in legend(cold, {"best"}, UNICODE))


def test_a_legend_without_room_keeps_its_first_entries() -> None:
    kinds = {"best", "reheat", "solved", "uphill"}
    whole = "".join(word for word, _ in legend(CHANNELS, kinds, UNICODE))
    spare = [whole.replace("  ■ solved", ""), whole.replace("  ■ solved  ▲ uphill", "")]
    for room in range(len(whole)):
        words = "".join(word for word, _ in legend(CHANNELS, kinds, UNICODE, {}, room))
        assert len(words) <= room
        if room >= len(spare[-1]):
            assert words == next(each for each in spare if len(each) <= room), "the words of all lanes are kept"
        else:
            assert words in ("", whole[:len(words)])
            assert not words or whole[len(words):].startswith("  ")


def test_the_legend_spells_out_the_labels_of_the_lanes() -> None:
    lanes = (Channel("E", "E", "energy"), Channel("acc", "accepted", "share"), Channel("div", "diversity", "share"))
    assert "".join(word for word, _ in legend(lanes, (), UNICODE)) == "⠉ E  acc accepted  div diversity"
    assert "acc" not in "".join(word for word, _ in legend(lanes[:1], (), UNICODE))
    assert "dep depth" in "".join(word for word, _ in legend((Channel("d", "depth", "depth"),), (), UNICODE))
    whole = legend((Channel("b", "bans", "share"),), (), UNICODE)
    assert "bans" not in "".join(word for word, _ in whole), "a lane that is labelled by the whole word"


def test_the_label_of_a_lane_does_not_touch_its_bars() -> None:
    history = History(np.array([0, 1]), np.array([[1.0], [1.0]]))
    for label in ("share", "depth", "diversity", "bans"):
        channel = Channel("s", label, "share")
        lane = bars(history, 0, True, TimePosition(1, 1).axis(60))
        drawn = text(bars_row(lane, channel, TimePosition(1, 1), Space(60), 1.0))
        assert drawn[LABELS - 1] == " ", drawn


def test_tabs() -> None:
    line = tabs_row(("Gauges", "Code", "Log", "Setup"), 2, Space(34))
    assert text(line) == " 1 Gauges ▶2 Code  3 Log  4 Setup "
    assert [word for word, role in line if role == "selected"] == ["▶2 Code "]
    narrow = tabs_row(("Gauges", "Code", "Log", "Setup"), 1, Space(30, 1, ASCII))
    assert text(narrow) == ">1 Gauges 2 Code 3 Log 4 Setup"


@pytest.mark.parametrize("title", ["Population", "Exact cover", "Counted by Z3", "Not shown by Z3"])
@pytest.mark.parametrize("chosen", [1, 2, 3, 4])
def test_titles_are_whole_and_apart(title: str, chosen: int) -> None:
    line = text(tabs_row(("Gauges", "Code", "Log", title), chosen, Space(37)))
    assert f"▶{chosen} {('Gauges', 'Code', 'Log', title)[chosen - 1]}" in line
    if len(title) <= 11:
        assert f"4 {title}" in line
        assert "Log▶" not in line
    assert not line.endswith(title[:-1])


def test_a_stack_shows_its_deepest_choice_first_and_how_many_are_not_shown() -> None:
    frames = tuple((cell, 3, (1, 2), (4,)) for cell in range(10))
    lines = plain(panel_rows(StackPanel("Stack", frames), 9, Space(30, 4)))
    assert lines[0].split() == ["Stack", "tried", "[now]", "left"]
    assert lines[1].split() == ["▶10", "r2c1", "1", "2", "[3]", "4"]
    assert lines[2].split() == ["9", "r1c9", "1", "2", "[3]", "4"]
    assert lines[3].split() == ["…", "8", "more"]


def test_a_stack_with_room_titles_its_columns_and_names_forced_choices() -> None:
    frames = ((0, 9, (), ()), (1, 0, (4,), (5,)))
    drawn = panel_rows(StackPanel("Stack", frames), 9, Space(44, 17))
    lines = plain(drawn)
    assert lines[1].split() == ["depth", "cell", "value", "choices"]
    assert lines[2].split() == ["▶", "2", "r1c2", "·", "4", "[·]", "5"]
    assert lines[3].split() == ["1", "r1c1", "9", "[9]", "forced"]
    assert [role for _text, role in drawn[2]] == ["now"], "the newest choice has the ground of the present"
    columns = [[line.index(word) for line, word in zip(lines[2:4], words, strict=True)]
               for words in (("r1c2", "r1c1"), ("·", "9"))]
    assert all(len(set(places)) == 1 for places in columns)


def test_a_list_and_no_panel() -> None:
    assert [line.strip() for line in plain(panel_rows(ListPanel("Tabu", ("a ↔ b", "c")), 9, Space(10, 4, ASCII)))] == [
        "Tabu", "a <> b", "c", ""]
    assert plain(panel_rows(None, 9, Space(5, 2))) == ["     ", "     "]


@pytest.mark.parametrize(("dot", "row"), [(15, 3), (14, 2), (12, 2), (8, 2), (7, 1), (3, 1), (2, 0), (0, 0)])
def test_without_braille_only_zero_is_on_the_floor(dot: int, row: int) -> None:
    assert star_row(dot, 4) == row


@pytest.mark.parametrize(("top", "height", "label"), [(60, 4, "1-30"), (30, 4, "1-15"), (600, 4, "<301"), (60, 7, None),
                                                      (600_000, 4, "200k")])
def test_without_braille_the_row_above_zero_has_all_energies_that_it_stands_for(top: int, height: int,
                                                                               label: str | None) -> None:
    scale = EnergyScale(top, height)
    assert star_ticks(scale).get(height - 2) == label
    rows = {energy: star_row(dot, height) for energy, dot in enumerate(scale.whole_dots(np.arange(top + 1.0)))
            if dot is not None}
    held = [energy for energy, row in rows.items() if row == height - 2]
    assert held == list(range(1, held[-1] + 1))
    if label is not None and top < 1000:
        assert label in (f"1-{held[-1]}", f"<{held[-1] + 1}")


@pytest.mark.parametrize("height", [3, 4, 7, 10])
@pytest.mark.parametrize("energy", [3.0, 16.0, 29.0, 43.7, 52.0, 60.0])
def test_without_braille_e_and_the_best_are_in_the_row_whose_label_is_nearest(height: int, energy: float) -> None:
    for place, role in ((0, "text"), (1, "data")):
        sample = [60.0, 0.0, 1.0, 0.5]
        sample[place] = energy
        lines = drawn(history(tuple(sample), *[(60.0, 0.0, 1.0, 0.5)] * 15), 0, 15, height=height, ascii=True)
        found = [y for y, line in enumerate(lines) if roles(line)[LABELS][1] in (role, "strong")]
        label = [60 * (1 - y / (height - 1)) for y in range(height - 1)]  # the last row is that of 0
        assert found
        assert abs(label[found[0]] - energy) <= min(abs(each - energy) for each in label) + 60 / (4 * height - 1)
