"""The player under commands to zoom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.events import Event
from tests.tui.playback.playing import Desk
from tests.tui.small import END, Small, SmallParams, SmallState
from tui.playback import commands
from tui.playback.window import Window, total_for


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_zooming_shows_the_window_about_the_playhead_more_closely(desk: Desk) -> None:
    desk.send(commands.Step(END))
    desk.send(commands.Seek(700))
    snapshot = desk.send(commands.Zoom(3))
    assert snapshot.window == Window(512, 256)
    assert snapshot.zoomed is not None
    assert snapshot.zoomed.steps.tolist() == list(range(snapshot.window.low, snapshot.window.high + 1))
    assert desk.send(commands.Seek(701)).zoomed is snapshot.zoomed
    assert desk.send(commands.Zoom(-3)).window == Window(0, total_for(END))


def test_while_running_the_window_follows_once_a_second_and_at_once_when_it_is_zoomed(desk: Desk) -> None:
    desk.send(commands.Step(1000))
    desk.send(commands.Zoom(4))
    desk.send(commands.Speed(100), commands.Toggle())
    begun = len(desk.snapshots)
    for _ in range(60):
        desk.pass_time(0.05)
    shown = desk.snapshots[begun:]
    assert len(shown) > 10
    changes = [after for before, after in pairwise(shown) if before.zoomed is not after.zoomed]
    assert len(changes) <= 4
    before = desk.last.window
    assert desk.send(commands.Zoom(-1)).window.span == 2 * before.span
    assert desk.last.state == "RUNNING"


class Readout(Small):
    """It takes its time: the clock of the desk moves on with each step."""

    desk: Desk

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple[Event, ...]]:
        for events in super().steps(state, params):
            self.desk.now += 0.001
            yield events


def test_a_closer_look_that_takes_long_goes_on_while_nothing_else_is_to_be_done() -> None:
    solver = Readout()
    desk = Desk(solver=solver)
    solver.desk = desk
    desk.send(commands.Step(END))
    desk.send(commands.Seek(700))
    desk.inbox.put(commands.Zoom(1))
    assert desk.player.turn() == 0.0
    assert desk.player.builder.unfinished
    rough = desk.last.zoomed
    done = desk.send()
    assert not desk.player.builder.unfinished
    assert rough is not None
    assert done.zoomed is not None
    assert "uphill" not in rough.marks
    assert len(done.zoomed.marks["uphill"]) > 100
    assert desk.player.turn() is None
