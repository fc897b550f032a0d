"""Frames are sent as fast as a line carries them, and no faster."""

from __future__ import annotations

from collections import deque

import pytest

from tui.terminal.frame_rate import FAST, LOCAL, SLOW, UNKNOWN
from tui.terminal.pacing import BLIND_FPS, BURST, CEILING, MARKS, MOST, SILENCE, Line, Pacer

STEP = 0.005


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal:
    """A terminal behind a line of a given rate, and a program that always has more to draw."""

    def __init__(self, speed: float, round_trip: float = 0.15, size: int = 700, line: Line = "asked") -> None:
        self.clock = Clock()
        self.pacer = Pacer(self.clock, line)
        self.speed, self.round_trip, self.size = speed, round_trip, size
        self.free = 0.0
        self.answers: deque[tuple[float, int]] = deque()
        self.lags: list[float] = []
        """Seconds that each frame took to the terminal."""
        self.answering = True

    def draw(self, seconds: float, fps: float = 1000.0) -> int:
        """Draw a number of times per second, as far as that is allowed; returns the number of frames sent."""
        end, due, before = self.clock.now + seconds, self.clock.now, len(self.lags)
        while self.clock.now < end:
            self.clock.now += STEP
            while self.answers and self.answers[0][0] <= self.clock.now:
                assert self.pacer.answered(self.answers.popleft()[1])
            if self.clock.now >= due and self.pacer.may_send():
                self._send(self.size)
                due = max(due + 1 / fps, self.clock.now)
        return len(self.lags) - before

    def _send(self, size: int) -> None:
        now = self.clock.now
        self.free = max(now, self.free) + size / self.speed
        self.lags.append(self.free - now)
        mark = self.pacer.sent(size)
        if mark is not None and self.answering:
            self.answers.append((self.free + self.round_trip, mark))


def test_a_fast_line_comes_to_its_ceiling() -> None:
    terminal = Terminal(125_000, 0.02)
    terminal.draw(5)
    assert terminal.draw(10) == pytest.approx(10 * CEILING, rel=0.02)
    assert terminal.pacer.capacity is FAST


def test_many_frames_are_in_flight_on_a_long_line() -> None:
    terminal = Terminal(125_000, 0.3)
    terminal.draw(20)
    assert terminal.draw(10) >= 0.9 * 10 * CEILING
    assert 9 <= terminal.pacer.window <= MOST


def test_a_slow_line_is_used_and_never_has_much_waiting() -> None:
    terminal = Terminal(7_000)
    terminal.draw(5)
    frames = terminal.draw(30)
    assert frames * terminal.size >= 0.75 * 30 * terminal.speed
    assert max(terminal.lags) <= 0.45
    assert terminal.pacer.capacity is SLOW


def test_without_it_seconds_of_frames_would_wait() -> None:
    terminal = Terminal(7_000, line="none")
    terminal.draw(10)
    assert max(terminal.lags) > 5


def test_a_line_of_which_little_is_asked_is_tried_no_further() -> None:
    """Frames that were few would say nothing about many."""
    terminal = Terminal(7_000)
    terminal.draw(30, fps=5.0)
    assert terminal.pacer.window < 4


def test_a_large_frame_alone_makes_no_line_slow() -> None:
    terminal = Terminal(32_000)
    terminal.draw(5, fps=10)
    terminal.size = 12_000
    terminal.draw(0.5, fps=1)
    terminal.size = 700
    terminal.draw(5, fps=10)
    assert terminal.pacer.capacity is FAST


def test_a_slow_line_is_tried_again_after_some_time() -> None:
    terminal = Terminal(7_000)
    terminal.draw(10)
    assert terminal.pacer.capacity is SLOW
    terminal.speed = 125_000
    terminal.draw(60, fps=10)
    assert terminal.pacer.capacity is FAST
    assert terminal.draw(5) == pytest.approx(5 * CEILING, rel=0.2)


@pytest.mark.parametrize("line", ["asked", "mute"])
def test_where_nothing_answers_frames_come_at_a_fixed_rate_from_the_start(line: Line) -> None:
    terminal = Terminal(1e9, line=line)
    terminal.answering = False
    assert terminal.draw(2) <= 2 * BLIND_FPS + 2
    assert terminal.draw(20) == pytest.approx(20 * BLIND_FPS, abs=1)
    assert terminal.pacer.capacity is UNKNOWN


def test_a_multiplexer_is_never_queried() -> None:
    pacer = Pacer(Clock(), "mute")
    assert pacer.sent(100) is None
    assert Pacer(Clock(), "none").sent(100) is None


def test_a_silent_terminal_is_queried_now_and_then() -> None:
    clock = Clock()
    pacer = Pacer(clock)
    asked = 0
    for _ in range(60 * 5):
        clock.now += 0.2
        asked += pacer.sent(100) is not None
    assert 15 < asked < 40


def test_a_stalled_line_is_not_filled() -> None:
    terminal = Terminal(125_000)
    terminal.draw(5)
    terminal.answering = False
    assert terminal.draw(60) <= MOST + 60 / SILENCE + 1
    terminal.answering = True
    terminal.draw(SILENCE)
    assert terminal.draw(5) >= 50


def test_after_a_minute_asleep_nothing_is_made_up_for_and_the_line_is_as_good_as_before() -> None:
    terminal = Terminal(125_000, 0.02)
    terminal.draw(5)
    terminal.free = terminal.clock.now + 60
    assert terminal.draw(60) <= 60 / SILENCE + MOST
    terminal.draw(1)
    assert terminal.pacer.capacity is FAST
    assert terminal.draw(10) == pytest.approx(10 * CEILING, rel=0.02)


def test_after_a_rest_a_few_frames_may_follow_one_another_at_once() -> None:
    clock = Clock()
    pacer = Pacer(clock, "none")
    sent = 0
    while pacer.may_send():
        pacer.sent(100)
        sent += 1
    assert sent == BURST
    clock.now += pacer.wait()
    assert pacer.may_send()
    assert pacer.capacity is LOCAL


def test_an_answer_counts_for_all_that_was_asked_before() -> None:
    clock = Clock()
    pacer = Pacer(clock)
    first, second = pacer.sent(100), pacer.sent(100)
    assert first is not None
    assert second is not None
    clock.now += 0.1
    assert pacer.answered(second)
    assert not pacer.answered(first)
    assert not pacer.answered(second)
    assert pacer.may_send()


def test_what_was_lost_is_not_waited_for() -> None:
    terminal = Terminal(125_000)
    terminal.draw(2)
    terminal.answering = False
    terminal.draw(1)
    assert not terminal.pacer.may_send()
    terminal.answers.clear()
    terminal.pacer.lost()
    assert terminal.pacer.may_send()


def test_questions_can_be_told_apart_however_many_there_are() -> None:
    clock = Clock()
    pacer = Pacer(clock)
    marks = []
    for _ in range(MARKS + 5):
        clock.now += 0.01
        marks.append(pacer.sent(10))
    assert marks == [*range(MARKS), *range(5)]
    assert pacer.answered(7)
    assert not pacer.answered(5)
    assert pacer.answered(3)
