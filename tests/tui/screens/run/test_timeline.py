"""The timeline of the Laboratory, by keys and mouse."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace
from textual import events

from engine.view import Channel
from tests.tui.laboratory import Bench, bench
from tests.tui.small import END, Small, SmallParams
from tui.playback import commands
from tui.playback.snapshot import History
from tui.playback.window import LEAST_SPAN, Window
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


async def sweep(on: Bench, pane: Pane, columns: Iterable[int]) -> None:
    """Move the mouse over a pane with the button held down, as fast as it comes."""
    for x in columns:
        pane.post_message(mouse(pane, x, button=1))
    await on.pilot.pause()


async def zoom_in(on: Bench) -> None:
    """Four times: to windows of 128 steps of a run of 1 200."""
    await on.press(*"zzzz")
    await on.until(lambda: on.lab.snapshot.window.span == 128)


async def test_z_zooms_about_the_playhead_and_out_again() -> None:
    async with bench() as on:
        await on.go(1200)
        assert "zoom 1:1" in on.shown(on.lab.timeline.transport)
        await on.press("z", "z", "z")
        await on.until(lambda: on.lab.snapshot.window.span == 256)
        window = on.lab.snapshot.window
        assert window.holds(1200)
        assert "zoom 1:8" in on.shown(on.lab.timeline.transport)
        assert f"{window.low // 1000} " in on.shown(on.lab.timeline.heading)
        assert on.step == 1200
        await on.press(*"z" * 9)
        await on.until(lambda: on.lab.snapshot.window.span == LEAST_SPAN)
        await on.press(*"Z" * 12)
        await on.until(lambda: on.lab.snapshot.window == Window(0, 2048))
        assert "zoom 1:1" in on.shown(on.lab.timeline.transport)
        assert on.shown(on.lab.timeline.heading).startswith("Timeline   ")


async def test_every_pane_shows_the_same_window() -> None:
    async with bench() as on:
        await on.go(1200)
        await on.press("z", "z", "z", "z")
        await on.until(lambda: on.lab.snapshot.window.span == 128)
        lab = on.lab
        panes = (lab.timeline.chart, lab.timeline.lane, lab.timeline.events, lab.timeline.scrubber)
        assert {pane.position.window for pane in panes} == {lab.snapshot.window}
        columns = {pane.position.axis(pane.size.width).column(1200) for pane in panes}
        assert len(columns) == 1
        x = columns.pop()
        assert on.shown(lab.timeline.scrubber)[LABELS + x] == "●"
        assert "▲" in on.shown(lab.timeline.events)
        assert "│" in [line[LABELS + x] for line in on.shown(lab.timeline.chart).splitlines()]


async def test_the_window_follows_the_playhead_by_half_its_width() -> None:
    async with bench() as on:
        await on.go(1200)
        await zoom_in(on)
        first = on.lab.snapshot.window
        await on.go(first.high)
        assert on.lab.snapshot.window == first
        await on.press("right")
        await on.at(first.high + 1)
        assert on.lab.snapshot.window == Window(first.low + 64, 128)
        await on.press("home")
        await on.at(0)
        assert on.lab.snapshot.window == Window(0, 128)


async def test_a_click_seeks_within_the_window() -> None:
    async with bench() as on:
        await on.go(1200)
        await zoom_in(on)
        lab, window = on.lab, on.lab.snapshot.window
        await on.pilot.click(lab.timeline.scrubber, offset=(LABELS + 20, 0))
        expected = lab.timeline.scrubber.position.axis(lab.timeline.scrubber.size.width).first_step(20)
        await on.at(expected)
        assert window.low < expected < window.high


async def test_the_wheel_zooms_over_every_pane_of_the_timeline() -> None:
    async with bench() as on:
        await on.go(1200)
        span = 2048
        for pane in (on.lab.timeline.chart, on.lab.timeline.lane, on.lab.timeline.events, on.lab.timeline.scrubber):
            pane.post_message(mouse(pane, 30, events.MouseScrollUp))
            span //= 2
            await on.until(lambda span=span: on.lab.snapshot.window.span == span)  # type: ignore[misc]
        on.lab.timeline.chart.post_message(mouse(on.lab.timeline.chart, 30, events.MouseScrollDown))
        await on.until(lambda: on.lab.snapshot.window.span == 2 * span)


async def test_the_values_under_the_pointer_are_shown_until_it_leaves() -> None:
    async with bench() as on:
        await on.go(1200)
        lab = on.lab
        assert await on.pilot.hover(lab.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: "E " in on.shown(lab.timeline.heading)[:40])
        shown = on.shown(lab.timeline.heading)
        step = 4 * ((11 * 2048 // 106) // 4)
        assert shown.startswith(f"Timeline  {step}  E ")
        for word in (" best ", " T ", " acc "):
            assert word in shown
        await on.pilot.hover(lab.timeline.lane, offset=(LABELS + 12, 0))
        await on.until(lambda: on.shown(lab.timeline.heading) != shown)
        await on.pilot.hover(lab.timeline.chart, offset=(LABELS + 100, 2))
        await on.until(lambda: on.shown(lab.timeline.heading).startswith("Timeline   "))
        await on.pilot.hover(lab.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: on.shown(lab.timeline.heading) == shown)
        await on.pilot.hover(lab.board, offset=(3, 3))
        await on.until(lambda: on.shown(lab.timeline.heading).startswith("Timeline   "))


async def test_without_a_heading_the_transport_row_has_the_values() -> None:
    async with bench(size=(80, 24)) as on:
        await on.go(1200)
        lab = on.lab
        assert "heading" not in lab.plan.regions
        before = on.shown(lab.timeline.transport)
        await on.pilot.hover(lab.timeline.scrubber, offset=(LABELS + 10, 0))
        await on.until(lambda: " best " in on.shown(lab.timeline.transport))
        await on.pilot.hover(lab.board, offset=(3, 3))
        await on.until(lambda: on.shown(lab.timeline.transport) == before)


async def test_the_values_under_the_pointer_follow_the_window() -> None:
    async with bench() as on:
        await on.go(1200)
        await on.pilot.hover(on.lab.timeline.chart, offset=(LABELS + 10, 2))
        await on.until(lambda: " best " in on.shown(on.lab.timeline.heading))
        before = on.shown(on.lab.timeline.heading)
        await on.press("z", "z", "z")
        await on.until(lambda: on.lab.snapshot.window.span == 256)
        assert " best " in on.shown(on.lab.timeline.heading)
        assert on.shown(on.lab.timeline.heading) != before


async def test_dragging_seeks_all_the_way_and_no_step_twice() -> None:
    async with bench() as on:
        await on.go(1200)
        lab, sent = on.lab, []
        send = lab.timeline.send
        lab.timeline.send = lambda command: (sent.append(command), send(command))
        lab.timeline.scrubber.post_message(mouse(lab.timeline.scrubber, 5, events.MouseDown, 1))
        await sweep(on, lab.timeline.scrubber, [x for x in range(5, 50) for _ in range(20)])
        axis = lab.timeline.scrubber.position.axis(lab.timeline.scrubber.size.width)
        await on.at(axis.first_step(49))
        sought = [command.step for command in sent if isinstance(command, commands.Seek)]
        assert sought[0] == axis.first_step(5)
        assert sought == sorted(set(sought))
        lab.timeline.scrubber.post_message(mouse(lab.timeline.scrubber, 49, events.MouseUp, 1))
        await sweep(on, lab.timeline.scrubber, range(10, 20))
        await on.press("right")
        await on.at(axis.first_step(49) + 1)


async def test_dragging_beyond_the_edges_stays_at_them() -> None:
    async with bench() as on:
        await on.go(1200)
        await zoom_in(on)
        lab, window = on.lab, on.lab.snapshot.window
        lab.timeline.chart.post_message(mouse(lab.timeline.chart, 5, events.MouseDown, 1))
        await sweep(on, lab.timeline.chart, [-50, -3])
        await on.at(window.low)
        await sweep(on, lab.timeline.chart, [500, 9000])
        await on.at(min(lab.timeline.chart.position.axis(lab.timeline.chart.size.width).first_step(10**6), 1200))
        lab.timeline.chart.post_message(mouse(lab.timeline.chart, 5, events.MouseUp, 1))
        await on.pilot.pause()
        assert lab.snapshot.window == window


async def test_a_trembling_mouse_posts_nothing_twice() -> None:
    async with bench() as on:
        await on.go(1200)
        said: list[object] = []
        pane = on.lab.timeline.chart
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


async def test_another_branch_is_drawn_behind_and_named() -> None:
    async with bench() as on:
        await on.go(1200)
        rival = History(np.array([0, 1500]), np.array([(35.0, 35.0, 1.0, 0.5)] * 2))
        on.lab.show(replace(on.lab.snapshot, rival=rival))
        assert on.shown(on.lab.timeline.chart).count("○") > 60
        assert "○ the other branch" in on.shown(on.lab.timeline.heading)
        on.lab.show(replace(on.lab.snapshot, rival=None))
        assert "○" not in on.shown(on.lab.timeline.chart) + on.shown(on.lab.timeline.heading)


async def test_the_end_is_marked_in_the_event_lane() -> None:
    async with bench(size=(200, 60)) as on:
        await on.go(END)
        await on.press("home")
        await on.at(0)
        assert on.shown(on.lab.timeline.events).count("■") == 1
        assert "■ solved" in on.shown(on.lab.timeline.heading)


async def test_the_temperature_axis_is_as_the_solver_declares() -> None:
    async with bench(solver=Straight()) as on:
        await on.go(1200)
        assert "T, log, right" in on.shown(on.lab.timeline.heading)
        before = on.shown(on.lab.timeline.chart)
        on.lab.worker.send(commands.Intervene("alpha", 0.4))
        await on.until(lambda: "T, right" in on.shown(on.lab.timeline.heading))
        ticks = [line[-LABELS:].strip() for line in on.shown(on.lab.timeline.chart).splitlines()]
        assert (ticks[0], ticks[-1]) == ("1", "0")
        assert on.shown(on.lab.timeline.chart) != before


async def test_zooming_while_it_runs_takes_effect_at_once_and_keeps_it_running() -> None:
    async with bench(speed="50", play=True) as on:
        await on.until(lambda: on.step > 130)
        await on.press("z")
        await on.until(lambda: on.lab.snapshot.window.span < on.lab.snapshot.total)
        assert on.lab.snapshot.state == "RUNNING"
        assert on.lab.snapshot.window.span >= LEAST_SPAN


@pytest.mark.parametrize("size", [(44, 17), (60, 20), (80, 24), (300, 90)])
async def test_it_can_be_zoomed_at_every_size(size: tuple[int, int]) -> None:
    async with bench(size=size) as on:
        await on.press("z", "Z", "z")
        await on.go(700)
        await on.press(*"zzzzz")
        await on.until(lambda: on.lab.snapshot.window.span == LEAST_SPAN)
        assert on.shown(on.lab.timeline.scrubber).count("●") == 1
