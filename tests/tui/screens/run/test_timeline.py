"""The timeline of the Laboratory, by keys and mouse."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace
from textual import events

from engine import registry, text
from engine.puzzles import packs
from engine.view import Channel
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import END, PLATEAU, Small, SmallParams
from tui.playback import commands
from tui.playback.snapshot import History
from tui.playback.window import LEAST_SPAN, Window
from tui.screens.run.screen import RunScreen
from tui.widgets.pane import Pane
from tui.widgets.timeline.axis import LABELS
from tui.widgets.timeline.pane import TimePane


class Straight(Small):
    """A solver with a linear temperature axis while it cools fast."""

    name = "straight"

    def channels_for(self, params: SmallParams) -> tuple[Channel, ...]:
        return tuple(replace(each, scale="linear") if params.alpha < 0.5 else each for each in self.channels)


def mouse(pane: Pane, x: int, kind: type[events.MouseEvent] = events.MouseMove, button: int = 0) -> events.MouseEvent:
    """The mouse at a column of a pane's axis, as the screen hands it on to the pane."""
    left = pane.region.x + LABELS + x
    event = kind(pane, LABELS + x, 0, 0, 0, button, False, False, False, left, pane.region.y)
    event._set_forwarded()
    return event


async def sweep(on: RunDriver, pane: Pane, columns: Iterable[int]) -> None:
    """Move the mouse over a pane with the button held down, as fast as it comes."""
    for x in columns:
        pane.post_message(mouse(pane, x, button=1))
    await on.pilot.pause()


async def zoom_in(on: RunDriver) -> None:
    """Four times: to windows of 128 steps of a run of 1 200."""
    await on.press(*"zzzz")
    await on.until(lambda: on.run_screen.snapshot.window.span == 128)


async def test_the_heading_announces_that_the_axis_has_doubled() -> None:
    async with open_run((120, 36)) as on:
        await on.go(1000)
        assert "axis ×2" not in on.shown(on.run_screen.timeline.heading)
        await on.go(1030)
        assert "Timeline  axis ×2" in on.shown(on.run_screen.timeline.heading)


async def test_the_legend_names_uphill_moves_of_every_solver_that_jumps_to_them() -> None:
    for name, jumps in (("tabu", True), ("hill-climb", False)):
        async with open_run((120, 36), registry.solver(name)) as on:
            assert ("▲ uphill" in on.shown(on.run_screen.timeline.heading)) is jumps


async def test_the_legend_names_dead_ends_only_where_the_lane_can_have_them() -> None:
    async with open_run((100, 30), registry.solver("backtrack"), packs.find("hard:1").puzzle) as on:
        heading = on.run_screen.timeline.heading
        await on.go(2002)
        await on.until(lambda: "RETRACTED" in on.said)
        assert "dead end" not in on.shown(heading)
        await on.press("z")
        await on.until(lambda: "┴ dead end" in on.shown(heading))


async def test_the_legend_leaves_out_uphill_moves_at_the_end_of_a_run_whose_lane_has_none() -> None:
    async with open_run(solver=registry.solver("anneal"), puzzle=packs.find("easy:1").puzzle) as on:
        await on.press("exclamation_mark")
        await on.until(lambda: on.run_screen.snapshot.state == "SOLVED")
        lane, heading = on.run_screen.timeline.events, on.run_screen.timeline.heading
        assert "▲" not in on.shown(lane)
        await on.until(lambda: "uphill" not in on.shown(heading))
        await on.press("left")
        await on.until(lambda: "▲ uphill" in on.shown(heading))


async def test_the_legend_names_the_mark_at_the_playhead_where_others_of_its_kind_are_not_shown() -> None:
    async with open_run((120, 36)) as on:
        await on.go(98 * PLATEAU)
        assert "↧" in on.shown(on.run_screen.timeline.events)
        assert "↧ plateau" in on.shown(on.run_screen.timeline.heading)
        await on.go(98 * PLATEAU + 1)
        assert "↧" not in on.shown(on.run_screen.timeline.events)
        assert "plateau" not in on.shown(on.run_screen.timeline.heading)


async def test_a_pencilled_board_leaves_three_rows_of_chart_and_says_what_it_draws() -> None:
    async with open_run((120, 36), registry.solver("backtrack")) as on:
        await on.go(5)
        timeline = on.run_screen.timeline
        assert not timeline.heading.display
        assert timeline.chart.size.height == 3
        assert "⠉ empty cells" in on.shown(timeline.transport)
        await on.press("c")
        await on.until(lambda: timeline.heading.display)
        assert "empty cells" not in on.shown(timeline.transport)


async def test_the_legend_of_the_chart_has_the_glyphs_that_it_is_drawn_with() -> None:
    async with open_run((120, 36), registry.solver("backtrack")) as on:
        await on.go(5)
        transport = on.run_screen.timeline.transport
        await on.press("A")
        await on.until(lambda: "* empty cells" in on.shown(transport))
        await on.press("A")
        await on.until(lambda: "⠉ empty cells" in on.shown(transport))


async def test_a_lane_without_room_is_not_in_the_legend() -> None:
    puzzle = packs.find("16x16:1").puzzle
    for size, named in (((120, 36), False), ((200, 60), True)):
        async with open_run(size, registry.solver("ga-ordered"), puzzle) as on:
            await on.go(3)
            timeline = on.run_screen.timeline
            assert ("diversity" in on.shown(timeline.heading)) is bool(timeline.lane.display) is named


@pytest.mark.sweep
async def test_z_zooms_about_the_playhead_and_out_again() -> None:
    async with open_run() as on:
        await on.go(1200)
        assert "zoom 1:1" in on.shown(on.run_screen.timeline.transport)
        await on.press("z", "z", "z")
        await on.until(lambda: on.run_screen.snapshot.window.span == 256)
        window = on.run_screen.snapshot.window
        assert window.holds(1200)
        assert "zoom 1:8" in on.shown(on.run_screen.timeline.transport)
        assert f"{window.low // 1000} " in on.shown(on.run_screen.timeline.heading)
        assert on.step == 1200
        await on.press(*"z" * 9)
        await on.until(lambda: on.run_screen.snapshot.window.span == LEAST_SPAN)
        await on.press(*"Z" * 12)
        await on.until(lambda: on.run_screen.snapshot.window == Window(0, 2048))
        assert "zoom 1:1" in on.shown(on.run_screen.timeline.transport)
        assert on.shown(on.run_screen.timeline.heading).startswith("Timeline   ")


async def test_every_pane_shows_the_same_window() -> None:
    async with open_run() as on:
        await on.go(1200)
        await on.press("z", "z", "z", "z")
        await on.until(lambda: on.run_screen.snapshot.window.span == 128)
        run_screen, timeline = on.run_screen, on.run_screen.timeline
        panes = (timeline.chart, timeline.lane, timeline.events, timeline.scrubber)
        assert {pane.position.window for pane in panes} == {run_screen.snapshot.window}
        columns = {pane.position.axis(pane.size.width).column(1200) for pane in panes}
        assert len(columns) == 1
        x = columns.pop()
        assert on.shown(run_screen.timeline.scrubber)[LABELS + x] == "●"
        await on.until(lambda: "▲" in on.shown(run_screen.timeline.events))  # the window is sampled bit by bit
        assert "│" in [line[LABELS + x] for line in on.shown(run_screen.timeline.chart).splitlines()]


async def test_the_window_follows_the_playhead_by_half_its_width() -> None:
    async with open_run() as on:
        await on.go(1200)
        await zoom_in(on)
        first = on.run_screen.snapshot.window
        await on.go(first.high)
        assert on.run_screen.snapshot.window == first
        await on.press("right")
        await on.at(first.high + 1)
        assert on.run_screen.snapshot.window == Window(first.low + 64, 128)
        await on.press("home")
        await on.at(0)
        assert on.run_screen.snapshot.window == Window(0, 128)


async def test_a_click_seeks_within_the_window() -> None:
    async with open_run() as on:
        await on.go(1200)
        await zoom_in(on)
        run_screen, window = on.run_screen, on.run_screen.snapshot.window
        await on.pilot.click(run_screen.timeline.scrubber, offset=(LABELS + 20, 0))
        expected = run_screen.timeline.scrubber.position.axis(run_screen.timeline.scrubber.size.width).first_step(20)
        await on.at(expected)
        assert window.low < expected < window.high


@pytest.mark.sweep
async def test_the_wheel_zooms_over_every_pane_of_the_timeline() -> None:
    async with open_run() as on:
        await on.go(1200)
        span = 2048
        timeline = on.run_screen.timeline
        for pane in (timeline.chart, timeline.lane, timeline.events, timeline.scrubber):
            pane.post_message(mouse(pane, 30, events.MouseScrollUp))
            span //= 2
            await on.until(lambda span=span: on.run_screen.snapshot.window.span == span)  # type: ignore[misc]
        on.run_screen.timeline.chart.post_message(mouse(on.run_screen.timeline.chart, 30, events.MouseScrollDown))
        await on.until(lambda: on.run_screen.snapshot.window.span == 2 * span)


async def test_the_values_under_the_pointer_are_shown_until_it_leaves() -> None:
    async with open_run() as on:
        await on.go(1200)
        run_screen = on.run_screen
        assert await on.pilot.hover(run_screen.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: "E " in on.shown(run_screen.timeline.heading)[:40])
        shown = on.shown(run_screen.timeline.heading)
        step = 4 * ((11 * 2048 // 106) // 4)
        assert shown.startswith(f"Timeline  {step}  E ")
        for word in (" best ", " T ", " acc "):
            assert word in shown
        await on.pilot.hover(run_screen.timeline.lane, offset=(LABELS + 12, 0))
        await on.until(lambda: on.shown(run_screen.timeline.heading) != shown)
        await on.pilot.hover(run_screen.timeline.chart, offset=(LABELS + 100, 2))
        await on.until(lambda: on.shown(run_screen.timeline.heading).startswith("Timeline   "))
        await on.pilot.hover(run_screen.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: on.shown(run_screen.timeline.heading) == shown)
        await on.pilot.hover(run_screen.board, offset=(3, 3))
        await on.until(lambda: on.shown(run_screen.timeline.heading).startswith("Timeline   "))


async def test_without_a_heading_the_transport_row_has_the_values() -> None:
    async with open_run(size=(80, 24)) as on:
        await on.go(1200)
        run_screen = on.run_screen
        assert "heading" not in run_screen.plan.regions
        before = on.shown(run_screen.timeline.transport)
        await on.pilot.hover(run_screen.timeline.scrubber, offset=(LABELS + 10, 0))
        await on.until(lambda: " best " in on.shown(run_screen.timeline.transport))
        await on.pilot.hover(run_screen.board, offset=(3, 3))
        await on.until(lambda: on.shown(run_screen.timeline.transport) == before)
        await on.pilot.hover(run_screen.timeline.scrubber, offset=(LABELS + 10, 0))
        await on.until(lambda: " at " in on.shown(run_screen.timeline.transport))
        await on.press("left")
        await on.at(1199)
        assert "1 199 · recorded 1 200" in on.shown(run_screen.timeline.transport), "the pointer rests where it is"


async def test_the_values_under_the_pointer_follow_the_window() -> None:
    async with open_run() as on:
        await on.go(1200)
        await on.pilot.hover(on.run_screen.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: " best " in on.shown(on.run_screen.timeline.heading))
        before = on.shown(on.run_screen.timeline.heading)
        await on.press("z", "z", "z")
        await on.until(lambda: on.run_screen.snapshot.window.span == 256)
        assert " best " in on.shown(on.run_screen.timeline.heading)
        assert on.shown(on.run_screen.timeline.heading) != before


def step_under(screen: RunScreen, column: int) -> int:
    """The step whose values the heading shows for a column of the axis."""
    reading = screen.timeline._reading(column)
    assert reading is not None
    return reading.step


async def test_a_click_goes_to_the_step_whose_values_the_heading_shows_there() -> None:
    """The axis has several steps a column, and a window of it fewer than one."""
    async with open_run() as on:
        await on.go(1200)
        for closer in (False, True):
            if closer:
                await zoom_in(on)
            scrubber, axis = on.run_screen.timeline.scrubber, on.run_screen.timeline._axis
            for column in (0, 1, 30, 45):
                await on.pilot.hover(scrubber, offset=(LABELS + column, 0))
                await on.until(lambda wanted=column: on.run_screen.timeline.pointed == wanted)
                shown = step_under(on.run_screen, column)
                await on.pilot.click(scrubber, offset=(LABELS + column, 0))
                await on.at(shown)
                assert text.count(shown) in on.shown(on.run_screen.timeline.heading)
                assert closer or column == axis.column(shown)


async def test_dragging_seeks_all_the_way_and_no_step_twice() -> None:
    async with open_run() as on:
        await on.go(1200)
        run_screen, sent = on.run_screen, []
        send = run_screen.timeline.send
        run_screen.timeline.send = lambda command: (sent.append(command), send(command))
        run_screen.timeline.scrubber.post_message(mouse(run_screen.timeline.scrubber, 5, events.MouseDown, 1))
        await sweep(on, run_screen.timeline.scrubber, [x for x in range(5, 50) for _ in range(20)])
        column = run_screen.timeline._axis.column

        def sought() -> list[int]:
            return [command.step for command in sent if isinstance(command, commands.Seek)]

        await on.until(lambda: sought() and column(sought()[-1]) == 49)
        last = sought()[-1]
        await on.at(last)
        assert column(sought()[0]) == 5
        assert sought() == sorted(set(sought()))
        run_screen.timeline.scrubber.post_message(mouse(run_screen.timeline.scrubber, 49, events.MouseUp, 1))
        await sweep(on, run_screen.timeline.scrubber, range(10, 20))
        await on.press("right")
        await on.at(last + 1)


async def test_dragging_beyond_the_edges_stays_at_them() -> None:
    async with open_run() as on:
        await on.go(1200)
        await zoom_in(on)
        run_screen, window = on.run_screen, on.run_screen.snapshot.window
        run_screen.timeline.chart.post_message(mouse(run_screen.timeline.chart, 5, events.MouseDown, 1))
        await sweep(on, run_screen.timeline.chart, [-50, -3])
        await on.at(window.low)
        await sweep(on, run_screen.timeline.chart, [500, 9000])
        await on.at(1200)
        run_screen.timeline.chart.post_message(mouse(run_screen.timeline.chart, 5, events.MouseUp, 1))
        await on.pilot.pause()
        assert run_screen.snapshot.window == window


async def test_a_trembling_mouse_posts_nothing_twice() -> None:
    async with open_run() as on:
        await on.go(1200)
        said: list[object] = []
        pane = on.run_screen.timeline.chart
        post = pane.post_message

        def heard(message: object) -> bool:
            if isinstance(message, TimePane.Pointed):
                said.append(message.column)
            return post(message)  # type: ignore[arg-type]

        pane.post_message = heard  # type: ignore[assignment, method-assign]
        for _ in range(200):
            post(mouse(pane, 7))
        for x in (8, 8, 8, 7):
            post(mouse(pane, x))
        await on.pilot.pause()
        await on.until(lambda: said == [7, 8, 7])
        await on.pilot.pause()
        assert said == [7, 8, 7]


@pytest.mark.sweep
async def test_another_branch_is_drawn_behind_and_named() -> None:
    async with open_run() as on:
        await on.go(1200)
        rival = History(np.array([0, 1500]), np.array([(35.0, 35.0, 1.0, 0.5)] * 2))
        on.run_screen.show(replace(on.run_screen.snapshot, rival=rival))
        assert on.shown(on.run_screen.timeline.chart).count("○") > 60
        assert "○ the other branch" in on.shown(on.run_screen.timeline.heading)
        on.run_screen.show(replace(on.run_screen.snapshot, rival_number=1))
        assert "○ branch 1" in on.shown(on.run_screen.timeline.heading)
        on.run_screen.show(replace(on.run_screen.snapshot, rival=None))
        assert "○" not in on.shown(on.run_screen.timeline.chart) + on.shown(on.run_screen.timeline.heading)


async def test_the_end_is_marked_in_the_event_lane() -> None:
    async with open_run(size=(200, 60)) as on:
        await on.go(END)
        await on.press("home")
        await on.at(0)
        assert on.shown(on.run_screen.timeline.events).count("■") == 1
        assert "■ solved" in on.shown(on.run_screen.timeline.heading)


async def test_the_scale_of_the_temperature_is_as_the_solver_declares() -> None:
    async with open_run(solver=Straight()) as on:
        await on.go(1200)
        timeline = on.run_screen.timeline
        before = on.shown(timeline.temperature)
        assert "T log scale" in on.shown(timeline.heading)
        on.run_screen.worker.send(commands.Intervene("alpha", 0.4))
        await on.until(lambda: "log" not in on.shown(timeline.heading))
        assert on.shown(timeline.temperature) != before


@pytest.mark.sweep
async def test_zooming_while_it_runs_takes_effect_at_once_and_keeps_it_running() -> None:
    async with open_run(speed="50", play=True) as on:
        await on.until(lambda: on.step > 130)
        await on.press("z")
        await on.until(lambda: on.run_screen.snapshot.window.span < on.run_screen.snapshot.total)
        assert on.run_screen.snapshot.state == "RUNNING"
        assert on.run_screen.snapshot.window.span >= LEAST_SPAN


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(44, 17), (60, 20), (80, 24), (300, 90)])
async def test_it_can_be_zoomed_at_every_size(size: tuple[int, int]) -> None:
    async with open_run(size=size) as on:
        await on.press("z", "Z", "z")
        await on.go(700)
        await on.press(*"zzzzz")
        await on.until(lambda: on.run_screen.snapshot.window.span == LEAST_SPAN)
        assert on.shown(on.run_screen.timeline.scrubber).count("●") == 1
