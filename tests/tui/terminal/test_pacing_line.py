"""The terminals that are queried, and the answers that count."""

from __future__ import annotations

import pytest

from tui.terminal.frame_rate import LOCAL, UNKNOWN
from tui.terminal.pacing import QUESTION, mark_of, pacer_for, question

SSH = {"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.1 22", "TERM": "xterm-256color"}


@pytest.mark.parametrize(("environ", "pacing", "asked", "capacity"), [
    ({"TERM": "xterm-256color"}, "auto", False, LOCAL),
    (SSH, "auto", True, UNKNOWN),
    ({"SSH_TTY": "/dev/pts/3"}, "auto", True, UNKNOWN),
    (SSH, "off", False, LOCAL),
    ({"TERM": "xterm"}, "on", True, UNKNOWN),
    (SSH | {"TMUX": "/tmp/tmux-1000/default,1,0"}, "auto", False, UNKNOWN),
    (SSH | {"STY": "123.pts-1.host"}, "auto", False, UNKNOWN),
    (SSH | {"TERM": "screen-256color"}, "auto", False, UNKNOWN),
    ({"TERM": "tmux-256color"}, "auto", False, LOCAL),
])
def test_a_terminal_is_asked_over_ssh_unless_another_would_answer_for_it(environ, pacing, asked, capacity) -> None:
    pacer = pacer_for(environ, pacing, clock=lambda: 1.0)
    assert (pacer.sent(100) is not None) == asked
    assert pacer.capacity is capacity


def test_the_answer_tells_the_question_and_is_no_key() -> None:
    for mark in (0, 1, 59):
        place, asks = question(mark).split("H")
        row, column = map(int, place.removeprefix("\x1b[").split(";"))
        assert "\x1b" + asks.removeprefix("\x1b") == QUESTION
        assert row > 1  # from the first row the answer would be shift+f3
        assert mark_of(column - 1, row - 1) == mark
    assert mark_of(1, 0) is None
