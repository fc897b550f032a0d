"""The rate of frames follows the bytes that they cost."""

from __future__ import annotations

import pytest

from tui.pacing import BUDGET, FIRST_FPS, LEAST_FPS, Governor


def settled(cost: float, seconds: int = 60) -> tuple[Governor, float]:
    """A governor after frames of so many bytes, and the bytes a second of the second half."""
    governor, now, sent, halfway = Governor(10.0), 100.0, 0.0, 0.0
    governor.note(now, 0)
    while now < 100.0 + seconds:
        now += 1 / governor.fps
        sent += cost
        governor.note(now, int(sent))
        if now < 100.0 + seconds / 2:
            halfway = sent
    return governor, (sent - halfway) / (seconds / 2)


@pytest.mark.parametrize("cost", [900, 1200, 1800, 2400])
def test_dear_frames_become_fewer_until_they_keep_within_the_budget(cost: float) -> None:
    governor, rate = settled(cost)
    assert LEAST_FPS <= governor.fps < 10
    assert 0.6 * BUDGET < rate <= BUDGET


def test_it_begins_slowly_and_cheap_frames_come_at_the_full_rate() -> None:
    assert Governor(10.0).fps == FIRST_FPS
    assert Governor(2.0).fps == 2.0
    assert settled(300)[0].fps == 10.0


def test_a_pause_says_nothing_about_the_cost() -> None:
    governor = Governor(10.0)
    governor.note(100.0, 0)
    assert not governor.note(200.0, 10**9)
    assert governor.fps == FIRST_FPS
