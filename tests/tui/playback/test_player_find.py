"""Searches of the player, and their cancellation."""

from __future__ import annotations

import functools

import pytest

from engine.run.run import Run
from engine.text import count
from tests.tui.playback.player_driver import PlayerDriver
from tests.tui.small import END, PLATEAU, PUZZLE, RESTART, SMALL
from tui.playback import commands


@pytest.fixture
def driver() -> PlayerDriver:
    return PlayerDriver()


@functools.cache
def truth() -> tuple[frozenset[str], ...]:
    """The kinds of events of every step, by going to each."""
    run = Run.start(SMALL, PUZZLE, None, 7)
    run.advance(END)
    happened = []
    for step in range(END + 1):
        run.seek(step)
        happened.append(frozenset(kind for event in run.events for kind in event.kinds))
    return tuple(happened)


def test_a_search_says_where_it_came_to_the_end_of_a_run_that_is_not_recorded(driver: PlayerDriver) -> None:
    snapshot = driver.send(commands.Find(("sweep",), 1, "sweep"))
    assert snapshot.notice is not None
    assert snapshot.recorded == 0
    assert snapshot.notice.text == f"no sweep up to the end of the run at step {count(END)}"


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("kinds", [("uphill",), ("best",), ("reheat", "restart"), ("cooled",), ("solved",)])
@pytest.mark.parametrize("playhead", [0, 1, 499, 500, 501, 1500, 1999, END])
@pytest.mark.parametrize("recorded", ["fresh", "whole"])
def test_find_goes_where_a_scan_of_the_run_says(kinds: tuple[str, ...], playhead: int, recorded: str,
                                               driver: PlayerDriver) -> None:
    where = [step for step, happened in enumerate(truth()) if not happened.isdisjoint(kinds)]
    for direction in (1, -1):
        if recorded == "whole":
            driver.send(commands.Seek(END))
        driver.send(commands.Seek(playhead))
        after = min((step for step in where if step > playhead), default=None)
        before = max((step for step in where if step < playhead), default=None)
        wanted = after if direction > 0 else before
        snapshot = driver.send(commands.Find(kinds, direction, "it"))
        assert snapshot.playhead == (playhead if wanted is None else wanted)
        assert (snapshot.notice is not None and snapshot.notice.badge == "NOT FOUND") == (wanted is None)


def test_periods_are_the_solvers_own(driver: PlayerDriver) -> None:
    assert driver.send(commands.Period(1)).playhead == PLATEAU
    assert driver.send(commands.Period(1)).playhead == 2 * PLATEAU
    assert driver.send(commands.Step(5), commands.Period(-1)).playhead == 2 * PLATEAU


def test_of_keys_typed_together_each_has_its_effect(driver: PlayerDriver) -> None:
    assert driver.send(commands.Period(1), commands.Period(1)).playhead == 2 * PLATEAU
    assert driver.send(commands.Period(-1), commands.Step(3)).playhead == PLATEAU + 3


def test_a_long_search_gives_way_to_a_command_and_stays_where_it_was(driver: PlayerDriver) -> None:
    driver.send(commands.Step(10))
    driver.tick = commands.PATIENCE
    driver.inbox.put(commands.Find(("gave_up",), 1, "end"))
    driver.inbox.put(commands.Halt())
    snapshot = driver.send()
    assert snapshot.playhead == 10
    assert any(each.notice is not None and each.notice.badge == "CANCELLED" for each in driver.snapshots)


def test_a_search_says_how_far_it_is() -> None:
    driver = PlayerDriver()
    driver.inbox.put(commands.Find(("gave_up", "unknown"), 1, "end of it"))
    driver.now += 1
    driver.send()
    searching = [each for each in driver.snapshots if each.state == "SEARCHING"]
    assert searching
    assert searching[0].notice is not None
    assert "end of it" in searching[0].notice.text
    assert searching[0].playhead == 0


def test_a_search_says_how_far_what_it_found_is_recorded(driver: PlayerDriver) -> None:
    driver.tick = 1.0
    snapshot = driver.send(commands.Find(("solved",), 1, "end of it"))
    assert (snapshot.playhead, snapshot.state) == (END, "SOLVED")
    recording = [each for each in driver.snapshots if each.notice is not None and "recorded" in each.notice.text]
    assert len(recording) > 1
    for each in recording:
        assert (each.state, each.playhead) == ("SEARCHING", 0)
        assert each.notice is not None
        assert each.notice.text.startswith(f"end of it found at step {count(END)}   recorded ")


def test_a_search_right_after_a_step_is_shown_too() -> None:
    driver = PlayerDriver()
    driver.send()
    driver.snapshots.clear()
    driver.inbox.put(commands.Step(1))
    driver.inbox.put(commands.Find(("gave_up", "unknown"), 1, "end of it"))
    driver.send()
    assert [each.state for each in driver.snapshots].count("SEARCHING") == 1, "the clock stands still"


def test_a_search_that_is_broken_off_does_not_go_to_the_wrong_place(driver: PlayerDriver) -> None:
    driver.send(commands.Seek(END), commands.Seek(RESTART + 100))
    asked = iter(range(1000))
    found = driver.run.find(("reheat", "restart"), -1, cancelled=lambda: next(asked) > 2)
    assert found is None
    assert driver.run.playhead == RESTART + 100
