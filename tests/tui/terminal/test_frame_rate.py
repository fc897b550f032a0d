"""The rate of frames follows the bytes that they cost."""

from __future__ import annotations

import pytest

from tui.terminal.frame_rate import FAST, LEAST_FPS, LOCAL, SLOW, ByteMeter, Governor, LineCapacity


def settled(cost: float, capacity: LineCapacity = FAST, fixed: float | None = None) -> tuple[Governor, float]:
    """A governor after a minute of frames of a given size, and the bytes per second of the second half."""
    meter = ByteMeter(capacity=lambda: capacity)
    governor, now, sent, halfway = Governor(meter, fixed), 100.0, 0.0, 0.0
    governor.note(now)
    while now < 160.0:
        now += 1 / governor.fps
        sent += cost
        meter.sent = int(sent)
        governor.note(now)
        if now < 130.0:
            halfway = sent
    return governor, (sent - halfway) / 30.0


@pytest.mark.parametrize("cost", [900, 1200, 1800, 2400])
@pytest.mark.parametrize("capacity", [FAST, SLOW])
def test_dear_frames_become_fewer_until_they_keep_within_the_budget(cost: float, capacity: LineCapacity) -> None:
    governor, rate = settled(cost, capacity)
    assert LEAST_FPS <= governor.fps <= capacity.fps
    assert 0.6 * capacity.budget < rate <= capacity.budget


def test_it_begins_slowly_and_cheap_frames_come_at_the_full_rate() -> None:
    assert Governor(ByteMeter()).fps == FAST.first
    assert settled(300)[0].fps == FAST.fps
    assert settled(300, SLOW)[0].fps == SLOW.fps == FAST.fps / 2


def test_a_rate_that_was_chosen_stays_whatever_it_costs() -> None:
    assert settled(5000, fixed=20.0)[0].fps == 20.0


def test_a_slow_line_is_recognised_at_once_and_a_recovered_one_too() -> None:
    capacity = FAST
    meter = ByteMeter(capacity=lambda: capacity)
    governor = Governor(meter, fixed=7.0)
    assert not governor.note(100.0)
    capacity = SLOW
    assert governor.note(101.0)
    assert (governor.fps, governor.capacity) == (7.0, SLOW)
    assert not governor.note(102.0)
    capacity = FAST
    assert governor.note(103.0)


def test_a_pause_says_nothing_about_the_cost() -> None:
    meter = ByteMeter()
    governor = Governor(meter)
    governor.note(100.0)
    meter.sent = 10**9
    assert not governor.note(200.0)
    assert governor.fps == FAST.first


def test_a_terminal_of_this_machine_gets_at_least_fifteen_frames_a_second() -> None:
    governor, _rate = settled(6000, LOCAL)
    assert LOCAL.first >= 15
    assert governor.fps >= 15
