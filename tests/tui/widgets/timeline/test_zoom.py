"""The zoomed timeline: its window, its curves and marks, the values under the pointer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import registry
from engine.events import Cooled, Done, Restarted, SwapJudged
from engine.puzzles import packs
from engine.run.run import Run
from engine.text import NONE
from tests.tui.widgets.timeline.test_panes import CHANNELS, history, text
from tui.config.speed import FLAT_OUT
from tui.look.glyphs import ASCII, UNICODE
from tui.playback import commands
from tui.playback.branches import Branches
from tui.playback.snapshot import History
from tui.playback.window import Window, within
from tui.widgets.rows import Row, Space, roles
from tui.widgets.timeline.axis import LABELS, Axis, EnergyScale, last_per_column
from tui.widgets.timeline.chart import Curves, chart_rows, trace
from tui.widgets.timeline.heading import RIVAL, Reading, legend, read_column, reading_spans
from tui.widgets.timeline.lanes import bars, bars_row, event_mark, events_row
from tui.widgets.timeline.pane import TimePosition
from tui.widgets.timeline.transport import Transport, scrubber_row, transport_row, zoom_text

powers = st.integers(6, 40)

# Windows


@given(powers, st.integers(0, 20), st.data())
def test_a_window_holds_the_playhead_and_stays_until_it_leaves(power: int, times: int, data: st.DataObject) -> None:
    total, span = 2**power, 2 ** max(power - times, 6)
    window = Window()
    for step in data.draw(st.lists(st.integers(0, total), min_size=1, max_size=8)):
        before, window = window, window.following(step, span, total)
        assert window.span == min(span, total)
        assert 0 <= window.low < window.high <= total
        assert window.low % max(window.span // 2, 1) == 0
        assert window.holds(step)
        assert window == before or not before.holds(step) or before.span != span


@given(st.integers(7, 40), st.integers(1, 20), st.data(), st.sampled_from([-1, 1]))
def test_half_of_the_window_stays_visible_when_the_playhead_leaves(power: int, times: int, data: st.DataObject,
                                                                         direction: int) -> None:
    total, span = 2**power, 2 ** max(power - times, 6)
    window = Window().following(data.draw(st.integers(0, total)), span, total)
    step = window.high + 1 if direction > 0 else window.low - 1
    assume(0 <= step <= total)
    assert window.following(step, span, total).low - window.low == direction * span // 2


def test_all_is_shown_where_the_run_is_shorter_than_the_window() -> None:
    assert Window(512, 256).following(3, 64, 4) == Window(0, 4)
    assert Window(512, 256).following(3, 256, 256) == Window(0, 256)


@given(st.integers(1, 300), st.integers(0, 40), st.integers(0, 2**40), st.data())
def test_an_axis_that_begins_later_is_the_same_axis_moved(width: int, power: int, low: int,
                                                          data: st.DataObject) -> None:
    whole, moved = Axis(width, 2**power), Axis(width, 2**power, low)
    steps = data.draw(st.lists(st.integers(0, 2**power), min_size=1, max_size=10))
    assert [moved.column(low + step) for step in steps] == [whole.column(step) for step in steps]
    assert moved.columns(np.array(steps) + low).tolist() == whole.columns(np.array(steps)).tolist()
    for column in (0, width // 2, width - 1):
        assert moved.first_step(column) == low + whole.first_step(column)
    assert moved.holds(low)
    assert moved.holds(low + 2**power)
    assert not moved.holds(low + 2**power + 1)
    assert not moved.holds(low - 1)


@given(st.lists(st.integers(0, 600), min_size=1, max_size=40, unique=True), st.integers(0, 500), st.integers(4, 8))
def test_a_window_begins_with_the_value_that_is_in_force_there(drawn: list[int], low: int, power: int) -> None:
    steps = np.array(sorted({0, *drawn}), dtype=np.int64)
    values = steps.astype(np.float64)
    window = Window(low, 2**power)
    kept, places = within(window, steps)
    axis = Axis(2**power, 2**power, low)
    shown, used = last_per_column(axis, places, values[kept])
    for column in range(min(used, axis.width - 1)):  # the last column holds two steps
        assert shown[column] == max(step for step in steps.tolist() if step <= low + column)
    assert places.min() >= low
    assert places.max() <= max(window.high, low)


def test_a_scale_that_fits_is_kept() -> None:
    assert EnergyScale.over(np.array([9.0]), 7, held=20.0).top == 20.0
    assert EnergyScale.over(np.array([9.0]), 7, held=30.0).top == 10.0
    assert EnergyScale.over(np.array([25.0]), 7, held=20.0).top == 30.0


# Event lane


def lane(marks: dict[str, tuple[int, ...]], frame: TimePosition, width: int, now: str | None = None,
         ascii: bool = False) -> list[tuple[int, str, str]]:
    line = roles(events_row(marks, now, frame, Space(width, 1, ASCII if ascii else UNICODE)))[LABELS:-LABELS]
    return [(x, c, role) for x, (c, role) in enumerate(line) if c != " "]


def test_uphill_moves_have_marks_where_a_column_is_twenty_steps_or_less() -> None:
    marks = {"uphill": (100, 1000, 1990)}
    columns = 102
    near = TimePosition(1000, 2000, Window(0, 2040))
    assert near.axis(columns + 2 * LABELS).steps_per_column == 20
    assert lane(marks, near, columns + 2 * LABELS) == [(5, "▲", "muted"), (50, "▲", "muted"), (99, "▲", "future")]
    assert lane(marks, near, columns - 1 + 2 * LABELS) == []


def test_only_what_lies_in_the_window_is_marked() -> None:
    marks = {"best": (10, 1030, 3000), "reheat": (1020, 1100), "uphill": (900, 1040)}
    assert lane(marks, TimePosition(1040, 4000, Window(1024, 64)), 64 + 2 * LABELS) == [
        (6, "◆", "data"), (16, "▲", "muted")]


def test_plateaus_are_marked_if_their_marks_do_not_touch() -> None:
    marks = {"cooled": tuple(range(100, 1000, 100))}
    apart = lane(marks, TimePosition(1024, 1024), 30 + 2 * LABELS)
    assert [x for x, _, _ in apart] == [step * 30 // 1024 for step in range(100, 1000, 100)]
    assert {c for _, c, _ in apart} == {"↧"}
    assert lane(marks, TimePosition(1024, 1024), 20 + 2 * LABELS - 4) == []


def test_of_several_events_in_a_column_the_rarest_is_seen() -> None:
    order = ["uphill", "cooled", "best", "reheat", "solved"]
    seen = []
    for k in range(1, len(order) + 1):
        marks = dict.fromkeys(order[:k], (8,))
        ((_, glyph, _),) = lane(marks, TimePosition(12, 16), 16 + 2 * LABELS)
        seen.append(glyph)
    assert seen == ["▲", "↧", "◆", "↻", "■"]
    marks = dict.fromkeys(order, (8,))
    assert lane(marks, TimePosition(8, 16), 16 + 2 * LABELS, now="▲") == [(8, "▲", "ink")]


@pytest.mark.parametrize(("kind", "glyph", "plain"), [
    ("restart", "↩", "<"), ("sweep", "↻", "R"), ("gave_up", "□", "G"), ("no_solution", "∄", "N"),
    ("solved", "■", "#"), ("generation", "┆", "g")])
def test_ends_and_restarts_are_marked(kind: str, glyph: str, plain: str) -> None:
    for ascii, wanted in ((False, glyph), (True, plain)):
        ((x, drawn, _),) = lane({kind: (5,)}, TimePosition(8, 8), 8 + 2 * LABELS, ascii=ascii)
        assert (x, drawn) == (5, wanted)


def test_the_mark_of_the_playhead_is_that_of_its_rarest_event() -> None:
    up = SwapJudged(1, "a", (0, 1), (1, 2), 1, 5, True, 1.0, 0.5, 0.25)
    assert event_mark((up, Cooled(1, "a", 1.0, 0.9, 1, 1, 2), Restarted(1, "a", 2, 3, 40, 5)), UNICODE) == "↩"
    assert event_mark((up, Done(1, "a", "gave_up", 4, "spent")), UNICODE) == "□"
    assert event_mark((up, Done(1, "a", "solved", 0, "E = 0")), ASCII) == "#"


def test_the_legend_names_the_marks_that_are_there() -> None:
    kinds = {"best", "restart", "cooled", "solved", "uphill", RIVAL}
    words = "".join(word for word, _ in legend(CHANNELS, kinds, UNICODE, lanes=("lane",)))
    assert words == ("⠉ E  ○ the other branch  ⣀ best  ⣉ both  ° T (log scale, right axis)  ◆ new best  "
                     "↩ restart  ↧ plateau  ■ solved  ▲ uphill  acc accept")


# Chart


def chart(curves: Curves, frame: TimePosition, width: int = 26, ascii: bool = False) -> list[Row]:
    space = Space(width, 7, ASCII if ascii else UNICODE)
    return list(chart_rows(trace(curves, CHANNELS, frame.axis(width), space), frame, space))


def flat(energy: float, steps: int, low: int = 0) -> History:
    return History(np.arange(low, low + steps, dtype=np.int64), np.array([(energy, 4.0, 0.5, 0.5)] * steps))


def test_another_run_is_drawn_with_its_own_mark() -> None:
    for ascii, mark, own in ((False, "○", "⠤⠒⠉⣀"), (True, "@", "*")):
        lines = chart(Curves(flat(20, 8), rival=flat(10, 16)), TimePosition(7, 15), ascii=ascii)
        row = next(y for y, line in enumerate(lines) if mark in text(line))
        marks = [(x - LABELS, role) for x, (c, role) in enumerate(roles(lines[row])) if c == mark]
        assert [x for x, _ in marks] == list(range(16))
        assert [role for x, role in marks if x <= 7] == ["muted"] * 8
        assert [role for x, role in marks if x > 7] == ["future"] * 8
        assert sum(c in own for line in lines for c in text(line)[LABELS : LABELS + 8]) >= 7
        assert text(lines[0]).startswith("  20 ")


def test_where_both_runs_are_the_same_the_own_curve_is_seen() -> None:
    lines = chart(Curves(flat(20, 16), rival=flat(20, 16)), TimePosition(7, 15))
    assert "○" not in "".join(map(text, lines))


def test_another_branch_is_a_line_from_where_it_leaves_also_over_the_own_curve() -> None:
    noisy = np.array([(20.0 - 15 * (k % 2), 4.0, 0.5, 0.5) for k in range(64)])
    own = History(np.arange(64, dtype=np.int64), noisy)
    other = History(np.arange(0, 64, 2, dtype=np.int64),  # sampled more coarsely, as a longer run is
                    np.array([noisy[k] if k < 32 else (10.0, 4.0, 0.5, 0.5) for k in range(0, 64, 2)]))
    lines = chart(Curves(own, rival=other), TimePosition(63, 63), width=64 + 2 * LABELS)
    row = next(text(line) for line in lines if "○" in text(line))
    marked = {x - LABELS for x, character in enumerate(row) if character == "○"}
    assert {x for x in range(32, 63) if x % 3} <= marked <= set(range(32, 63)), "two of three columns at least"


def test_where_the_curves_of_two_branches_meet_both_can_be_followed() -> None:
    lines = chart(Curves(flat(20, 16), rival=flat(19.5, 16)), TimePosition(7, 15))
    row = next(text(line) for line in lines if "○" in text(line))[LABELS : LABELS + 16]
    assert [x for x, character in enumerate(row) if character == "○"] == [0, 1, 2, 4, 5, 8, 10, 11, 13, 14]
    assert " " not in row
    assert row[7] != "○", "E at the playhead is never hidden"


@pytest.mark.parametrize("ascii", [False, True])
def test_a_branch_in_the_row_of_the_best_is_seen_and_so_is_the_best(ascii: bool) -> None:
    lines = chart(Curves(flat(20, 16), rival=flat(4, 16)), TimePosition(7, 15), ascii=ascii)
    mark, best = ("@", "-") if ascii else ("○", "⠤")
    row = next(text(line) for line in lines if mark in text(line))[LABELS : LABELS + 16]
    assert row.replace(mark, "o").replace(best, "-") == "ooo-oo--o-oo-oo-"


@pytest.fixture(scope="module")
def annealed() -> tuple[Run, Run]:
    """A run, and a branch of it that is cooled by hand and soon has a lower E than the run."""
    solver = registry.solver("anneal")
    run = Run.start(solver, packs.find("easy:1").puzzle, solver.make_params("easy", {}), seed=0)
    run.advance(50_000)
    run.seek(30_000)
    table = Branches(run)
    for temperature in (0.5, 0.4):
        table.intervene("T", temperature)
    table.current.advance(13_000)
    return run, table.current


@pytest.mark.parametrize("size", [(66, 5), (80, 7), (120, 10), (200, 18)])
@pytest.mark.parametrize(("low", "span"), [(0, 65536), (24576, 16384), (32768, 8192), (36864, 4096), (40960, 2048)])
def test_another_branch_is_seen_where_it_is_not_in_the_row_of_the_run(
        annealed: tuple[Run, Run], size: tuple[int, int], low: int, span: int) -> None:
    runs, space, window = annealed, Space(*size, UNICODE), Window(low, span)
    frame = TimePosition(43_000, 50_000, window)
    shown, rival = (History(places, values[kept]) for steps, values in (run.series.arrays() for run in runs)
                    for kept, places in [within(window, steps)])
    traced = trace(Curves(shown, rival=rival), runs[0].solver.channels_for(runs[0].params), frame.axis(size[0]), space)
    lines = [text(line)[LABELS:-LABELS] for line in chart_rows(traced, frame, space)]
    found = 0
    for x, row in enumerate(traced.rival):
        if row is not None and x != frame.axis(size[0]).column(43_000) and traced.energy[row][x] == " ":
            found += 1
            assert "○" in lines[row][max(x - 1, 0) : x + 1], x
    assert found >= 3


def test_a_higher_other_run_fits_and_one_without_samples_is_not_drawn() -> None:
    lines = chart(Curves(flat(20, 16), rival=flat(50, 16)), TimePosition(7, 15))
    assert text(lines[0]).startswith("  60 ")
    empty = History(np.zeros(0, dtype=np.int64), np.zeros((0, 4)))
    now = TimePosition(7, 15)
    assert chart(Curves(flat(20, 16), rival=empty), now) == chart(Curves(flat(20, 16)), now)


def test_of_another_run_only_what_lies_in_the_window_is_drawn() -> None:
    frame = TimePosition(70, 80, Window(64, 16))
    lines = chart(Curves(flat(20, 17, 64), rival=flat(10, 73)), frame)
    joined = "".join(text(line)[LABELS:-LABELS] for line in lines)
    assert joined.count("○") == 9


def test_the_axis_of_the_temperature_is_that_of_the_whole_run() -> None:
    whole = history((20, 20, 5.0, 0), (20, 20, 0.05, 0), every=64)
    window = flat(20, 17, 64)
    drawn = chart(Curves(window, whole), TimePosition(70, 80, Window(64, 16)))
    ticks = [text(line)[-LABELS:].strip() for line in drawn]
    assert (ticks[0], ticks[-1]) == ("5", "0.05")
    colder = history((20, 20, 0.04, 0), every=64)
    lines = chart(Curves(colder, whole), TimePosition(0, 80, Window(0, 16)))
    assert text(lines[-1])[-LABELS:].strip() == "0.05"
    assert "°" in text(lines[-1])
    none = history((20, 20, float("nan"), 0), every=64)
    assert text(chart(Curves(window, none), TimePosition(70, 80, Window(64, 16)))[0])[-LABELS:].strip() == "0.5"


# Lane, scrubber, transport


def test_a_lane_without_a_value_has_a_dash() -> None:
    made = bars(history((float("nan"),) * 4), 3, True, TimePosition(0, 0).axis(20))
    for ascii, missing in ((False, NONE), (True, "-")):
        line = bars_row(made, CHANNELS[3], TimePosition(0, 0), Space(20, 1, ASCII if ascii else UNICODE),
                        float("nan"))
        assert text(line).split() == ["acc", missing]


@given(st.integers(0, 2000), st.integers(0, 2000), st.integers(12, 120))
def test_the_scrubber_of_a_window_shows_its_part_of_the_run(a: int, b: int, width: int) -> None:
    playhead, recorded = sorted((a, b))
    frame = TimePosition(playhead, recorded, Window(512, 512))
    axis = frame.axis(width)
    track = text(scrubber_row(frame, Space(width)))[LABELS:-LABELS]
    assert track.count("●") == 1
    assert track.index("●") == axis.column(playhead)
    assert track.count("·") == axis.width - 1 - axis.column(recorded)
    assert track.count("━") == axis.column(playhead)


def test_the_transport_row_has_the_zoom() -> None:
    near = Transport(TimePosition(700_000, 1_000_000, Window(2**19, 2**14)), 1000.0)
    assert text(transport_row(near, Space(116))).rstrip().endswith("zoom 1:64")
    assert "1:64  ×1 000/s" in text(transport_row(near, Space(78)))
    whole = Transport(TimePosition(700_000, 1_000_000), 1000.0)
    assert text(transport_row(whole, Space(116))).rstrip().endswith("zoom 1:1")
    assert "1:1" not in text(transport_row(whole, Space(78)))


def test_the_zoom_takes_few_columns() -> None:
    assert [zoom_text(2**k) for k in (0, 9, 10, 19, 20, 33)] == ["1:1", "1:512", "1:1k", "1:512k", "1:1M", "1:8G"]
    frame = TimePosition(9_999_999_999, 9_999_999_999, Window(0, 64))
    for width in (78, 116):
        line = text(transport_row(Transport(frame, 1e6), Space(width)))
        assert "9 999 999 999" in line
        assert "recorded 9 999 999 999 " in line
        assert ("1:256M" in line) == (width == 116)
        assert "×1 000 000/s" in line


def test_a_narrow_transport_row_has_speed_zoom_and_breakpoints_before_the_label_of_the_step() -> None:
    frame = TimePosition(999_998, 999_999, Window(0, 2**17))

    def line_of(speed: float) -> str:
        return text(transport_row(Transport(frame, speed, breakpoints=3), Space(78)))

    line = line_of(1e6)
    assert line.rstrip().endswith("  999 998 · recorded 999 999  1:8  bp 3  ×1 000 000/s")
    assert "  999 998 · recorded 999 999      1:8  bp 3  flat out" in line_of(FLAT_OUT)
    frame = TimePosition(98, 99, Window(0, 2**17))
    assert "  breakpoints 3  flat out" in line_of(FLAT_OUT)


# Reading


def test_the_values_of_a_column_are_those_drawn() -> None:
    told = history((20, 20, 1.0, float("nan")), (18, 18, 0.5, 0.25), (19, 18, 0.25, 0.125), every=10)
    axis = Axis(16, 32)
    assert read_column(told, CHANNELS, axis, 0) == Reading(
        0, (("E", "20"), ("best", "20"), ("T", "1.00"), ("acc", NONE)))
    assert read_column(told, CHANNELS, axis, 4) == read_column(told, CHANNELS, axis, 0)
    last = read_column(told, CHANNELS, axis, 10)
    assert last == Reading(20, (("E", "19"), ("best", "18"), ("T", "0.250"), ("acc", "12.5 %")))
    assert read_column(told, CHANNELS, axis, 11) is None
    assert read_column(History(np.zeros(0, dtype=np.int64), np.zeros((0, 4))), CHANNELS, axis, 0) is None


@given(st.integers(1, 200), st.integers(0, 12), st.integers(0, 200), st.lists(st.integers(0, 4096), max_size=30))
def test_a_reading_is_never_of_a_later_column(width: int, power: int, column: int, drawn: list[int]) -> None:
    steps = np.array(sorted({step for step in drawn if step <= 2**power}), dtype=np.int64)
    told, axis = History(steps, np.zeros((len(steps), 4))), Axis(width, 2**power)
    read = read_column(told, CHANNELS, axis, column)
    places = [axis.column(int(step)) for step in steps]
    assert (read is not None) == (bool(places) and places[0] <= column <= places[-1])
    if read is not None:
        assert axis.column(read.step) <= column
        assert not any(axis.column(read.step) < axis.column(int(step)) <= column for step in steps)


def test_a_reading_as_text() -> None:
    read = Reading(410_496, (("E", "8"), ("T", "0.545"), ("acc", NONE)))
    assert "".join(part for part, _ in reading_spans(read, UNICODE)) == f"410 496  E 8  T 0.545  acc {NONE}"
    line = text(transport_row(Transport(TimePosition(5, 9), 1.0, read), Space(78, 1, ASCII)))
    assert line.rstrip() == "     <<  <  P  >  >>    at 410 496  E 8  T 0.545  acc -"


# Orders, channels


def test_turns_of_the_wheel_merge_into_one_command() -> None:
    inbox = commands.Inbox()
    for direction in (1, 1, 1, -1, -1, 1):
        inbox.put(commands.Zoom(direction))
    taken = [inbox.take() for _ in range(4)]
    assert taken == [commands.Zoom(3), commands.Zoom(-2), commands.Zoom(1), None]


@pytest.mark.parametrize(("solver", "values", "scale"), [
    ("anneal", {}, "log"), ("anneal", {"schedule": "linear"}, "linear"), ("anneal-linear", {}, "linear"),
    ("anneal-linear", {"schedule": "exponential"}, "log")])
def test_a_schedule_in_equal_steps_has_a_linear_axis(solver: str, values: dict[str, object], scale: str) -> None:
    found = registry.solver(solver)
    channels = found.channels_for(found.make_params(None, values))
    assert [each.scale for each in channels if each.role == "temperature"] == [scale]
    assert [(each.key, each.label, each.role) for each in channels] == [
        (each.key, each.label, each.role) for each in found.channels]
