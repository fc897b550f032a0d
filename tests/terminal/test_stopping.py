"""Stopped and continued from outside: it goes on where it was, and its terminal is restored at the end."""

from __future__ import annotations

import os
import signal
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.terminal.session import Session

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]


def stopped(session: Session) -> None:
    """Wait until the process has stopped, reading its output."""
    status, end = Path(f"/proc/{session.child.pid}/status"), time.monotonic() + PATIENCE
    while "State:\tT" not in status.read_text(encoding="utf-8"):
        session.read()
        assert time.monotonic() < end, "it does not stop"


def came_back(session: Session, times: int) -> None:
    """Wait until the alternate screen was entered the given number of times."""
    session.until(lambda _text: session.output.count(b"\x1b[?1049h") >= times)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to see whether a process has stopped")
@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGTSTP])
def test_it_continues_after_being_stopped_twice(how: signal.Signals, open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    for time_ in (1, 2):
        os.kill(session.child.pid, how)
        stopped(session)
        os.kill(session.child.pid, signal.SIGCONT)
        came_back(session, 1 + time_)
        session.press("right")
        session.until(f"{time_} · recorded")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output


def test_the_terminal_is_its_old_self_after_being_continued_unasked(open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    for time_ in (2, 3):
        os.kill(session.child.pid, signal.SIGCONT)
        came_back(session, time_)
    os.kill(session.child.pid, signal.SIGCONT)
    os.kill(session.child.pid, signal.SIGCONT)
    session.press("right")
    session.until("1 · recorded")
    left = os.dup(session.child.child_fd)
    session.press("q")
    session.until(lambda _text: session.output.rfind(b"\x1b[?1049l") > session.output.rfind(b"\x1b[?1049h"))
    assert termios.tcgetattr(left)[3] == session.before[3]
    assert session.ended() == 0
    os.close(left)


def test_the_terminal_is_its_old_self_after_two_interrupts(open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    os.kill(session.child.pid, signal.SIGINT)
    os.kill(session.child.pid, signal.SIGINT)
    session.until(lambda _text: session.output.rfind(b"\x1b[?1049l") > session.output.rfind(b"\x1b[?1049h"))
    assert session.ended() == 130
    assert b"Traceback" not in session.output


def test_bytes_that_are_no_text_are_only_bytes(open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    os.write(session.child.child_fd, b"\xff\xfe\xc3(\x80\x00\xf0\x9f\x1b[\xff~\xed\xa0\x80")
    session.press("right")
    session.until("1 · recorded")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output
