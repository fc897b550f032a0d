"""Behind a real sshd, over lines as slow as they come: no key is lost, and in the end the screen is the same."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.screen import ENDLESS
from tests.terminal import sshd
from tests.terminal.session import PROGRAM, Session
from tests.terminal.sshd import Sshd
from tests.terminal.throttle import DSL, MEGABIT, MODEM, Rate
from tui.terminal.driver import ANSWER_SECONDS
from tui.terminal.pacing import QUESTION

pytestmark = pytest.mark.sweep

WHY = sshd.missing()
WANTED = bool(os.environ.get("SUDOKU_TUI_TEST_SSHD"))
"""Whether sshd is required: then a missing program is a failure, not a reason to skip."""
needs_sshd = pytest.mark.skipif(WHY is not None and not WANTED, reason=str(WHY))

RUN = ("hard:1", "--solver", "backtrack", "--speed", "20", "-p", "max_steps=200")
STEPS = ("right",) * 9 + ("left",) * 4 + ("l", "l", "j") + ("right",) * 3
"""Typed in one breath: to step 8, and from the cell in the middle (the first key picks it) one right and one down."""
LATE = 0.4 * ANSWER_SECONDS
"""Seconds after which the answers of a line that is far come."""
Serve = Callable[..., Sshd]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """`serve("hard:1")`: an sshd with this as its only command."""
    begun: list[Sshd] = []

    def begin(*arguments: str) -> Sshd:
        begun.append(Sshd(tmp_path, *arguments))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def over(server: Sshd, rate: Rate) -> Session:
    session = server.connect(rate)
    session.until(lambda text: "READY" in text or server.refusal)
    assert "READY" in session.text, server.refusal
    return session


def played(session: Session) -> list[str]:
    """Play a run, pause it, run it to its end, and seek to a step; returns the screen."""
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    session.press("space")
    session.until("PAUSED")
    session.press("!")
    session.until("200 · recorded")
    session.press("home")
    session.until(" 0 · recorded")
    session.press(*STEPS)
    session.until(lambda text: " 8 · recorded" in text and ">·<" in text)
    session.press("?")
    session.until(lambda text: " 8 · recorded" not in text)
    session.press("esc")
    session.until(" 8 · recorded")
    return list(session.screen.display)


@pytest.fixture
def fast(open_session: Callable[..., Session]) -> list[str]:
    """The screen on a local terminal."""
    return played(open_session(*RUN))


@needs_sshd
@pytest.mark.parametrize("rate", [
    pytest.param(MODEM, id="56k"), pytest.param(DSL, id="256k"),
    pytest.param(MEGABIT, id="1M")])
def test_keys_do_what_they_do_on_a_fast_line(serve: Serve, fast: list[str], rate: Rate) -> None:
    session = over(serve(*RUN), rate)
    assert played(session) == fast
    assert QUESTION.encode() in session.output
    session.press("q")
    assert session.ended() == 0


@needs_sshd
def test_of_keys_typed_while_it_plays_none_is_lost(serve: Serve) -> None:
    """Each of them changes the pace, or it back; the last pauses."""
    session = over(serve(*ENDLESS, "--speed", "100", "--play"), MODEM)
    session.until("RUNNING")
    session.press(*("+",) * 3, *("-",) * 2, "l", "l", "l", "j", "space")
    session.until(lambda text: "PAUSED" in text and "×200/s" in text and ">" in text)
    session.press("home")
    session.until(" 0 · recorded")
    session.press("q")
    assert session.ended() == 0


def test_a_terminal_that_never_answers_is_drawn_on_all_the_same(open_session: Callable[..., Session]) -> None:
    session = open_session(*RUN, SSH_CONNECTION="10.0.0.2 50000 10.0.0.1 22")
    played(session)
    assert QUESTION.encode() in session.output


def test_within_tmux_nothing_is_asked(open_session: Callable[..., Session]) -> None:
    session = open_session(*RUN, SSH_CONNECTION="10.0.0.2 50000 10.0.0.1 22", TMUX="/tmp/tmux-0/default,1,0")
    played(session)
    assert QUESTION.encode() not in session.output


def test_late_answers_do_not_reach_the_next_program(open_session: Callable[..., Session]) -> None:
    """A shell that follows on the terminal would read them as keys."""
    program = shlex.join(PROGRAM)
    session = open_session("-c", f'{program} "$@"; echo left; exec cat -v', "sh", *RUN, command=("sh",),
                           SSH_CONNECTION="10.0.0.2 50000 10.0.0.1 22")
    owed: list[str] = []
    session.screen.write_process_input = owed.append
    session.until("READY")
    assert owed
    session.press("q")
    pressed = time.monotonic()
    while session.read() and "left" not in session.text:
        if owed and time.monotonic() - pressed > LATE:
            session.child.send(owed.pop())
    assert not owed or time.monotonic() - pressed > 0.9 * ANSWER_SECONDS, "it has not waited for them"
    session.press("the end\n")
    assert "^[" not in session.until("the end")
