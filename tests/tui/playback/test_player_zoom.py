"""The player under commands to zoom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.events import Event
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import END, Small, SmallParams, SmallState
from tui.playback import commands
from tui.playback.window import Window, total_for


@pytest.fixture
def driver() -> PlayerDriver:
    return PlayerDriver()


def test_zooming_shows_the_window_about_the_playhead_more_closely(driver: PlayerDriver) -> None:
    driver.send(commands.Step(END))
    driver.send(commands.Seek(700))
    snapshot = driver.send(commands.Zoom(3))
    assert snapshot.window == Window(512, 256)
    assert snapshot.zoomed is not None
    assert snapshot.zoomed.steps.tolist() == list(range(snapshot.window.low, snapshot.window.high + 1))
    assert driver.send(commands.Seek(701)).zoomed is snapshot.zoomed
    assert driver.send(commands.Zoom(-3)).window == Window(0, total_for(END))


def test_while_running_the_window_follows_once_a_second_and_at_once_when_it_is_zoomed(driver: PlayerDriver) -> None:
    driver.send(commands.Step(1000))
    driver.send(commands.Zoom(4))
    driver.send(commands.Speed(100), commands.Toggle())
    begun = len(driver.snapshots)
    for _ in range(60):
        driver.pass_time(0.05)
    shown = driver.snapshots[begun:]
    assert len(shown) > 10
    changes = [after for before, after in pairwise(shown) if before.zoomed is not after.zoomed]
    assert len(changes) <= 4
    before = driver.last.window
    assert driver.send(commands.Zoom(-1)).window.span == 2 * before.span
    assert driver.last.state == "RUNNING"


class Readout(Small):
    """It takes its time: the clock of the driver moves on with each step."""

    driver: PlayerDriver

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple[Event, ...]]:
        for events in super().steps(state, params):
            self.driver.now += 0.001
            yield events


def test_a_slow_zoom_continues_while_the_player_is_idle() -> None:
    solver = Readout()
    driver = PlayerDriver(solver=solver)
    solver.driver = driver
    driver.send(commands.Step(END))
    driver.send(commands.Seek(700))
    driver.inbox.put(commands.Zoom(1))
    assert driver.player.turn() == 0.0
    assert driver.player.builder.unfinished
    rough = driver.last.zoomed
    done = driver.send()
    assert not driver.player.builder.unfinished
    assert rough is not None
    assert done.zoomed is not None
    assert "uphill" not in rough.marks
    assert len(done.zoomed.marks["uphill"]) > 100
    assert driver.player.turn() is None


def test_a_key_says_where_the_zoom_ends_and_a_wheel_does_not() -> None:
    driver = PlayerDriver()
    driver.send(commands.Step(40))
    for direction, words in ((1, "the timeline cannot show fewer steps"), (-1, "the timeline shows the whole run")):
        said = driver.send(commands.Zoom(direction)).notice
        assert said is not None
        assert words in said.text
        assert driver.send(commands.Zoom(direction, quiet=True)).notice is None
    driver.send(commands.Seek(700))
    closer = driver.send(commands.Zoom(1))
    assert (closer.notice, closer.window.span) == (None, 512)
    assert driver.send(commands.Zoom(9)).window.span == 64
