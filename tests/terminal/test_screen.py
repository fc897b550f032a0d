"""Inside screen: it draws what the program draws, keys arrive at once, and the terminal is given back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal.session import PROGRAM, Session

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]
RUN = ("easy:1", "--solver", "backtrack", "--speed", "5")
needs_screen = pytest.mark.skipif(shutil.which("screen") is None, reason="screen is not installed")


@pytest.fixture
def folder() -> Iterator[Path]:
    """For sockets, whose paths must be short."""
    with tempfile.TemporaryDirectory(prefix="lab") as made:
        yield Path(made)


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    """Called at the end, whatever happened."""
    with ExitStack() as stack:
        yield stack


def shell() -> str:
    """The program between two lines of a shell; a key press ends it."""
    return f"echo stood before; {shlex.join((*PROGRAM, *RUN))}; echo left with $?; read _"


def played(session: Session) -> None:
    """It plays, is paused, shows a page of help and comes back; nothing is printed that should have been obeyed."""
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    session.press("space")
    session.until("PAUSED")
    session.press("?")
    session.until("esc closes")
    session.press("esc")
    session.until(lambda text: "esc closes" not in text)
    for stray in ("25u", "2026", "2048", "22;default"):
        assert stray not in session.text


@needs_screen
def test_it_lives_in_screen(folder: Path, open_session: Open, ends: ExitStack) -> None:
    (folder / "rc").write_text("term screen-256color\nstartup_message off\nvbell off\n")
    (folder / "sockets").mkdir(mode=0o700)
    sockets = str(folder / "sockets")
    session = open_session("-c", str(folder / "rc"), "-S", "lab", "-U", "sh", "-c", shell(), command=("screen",),
                           columns=100, rows=30, SCREENDIR=sockets, COLORTERM="")
    ends.callback(subprocess.run, ["screen", "-S", "lab", "-X", "quit"], env={**os.environ, "SCREENDIR": sockets},
                  capture_output=True, check=False)
    played(session)
    assert "│" in session.text
    assert b"38;5;" in session.output
    session.press("q")
    text = session.until("left with 0")
    assert "PAUSED" not in text
    session.press("\r")
    assert session.ended() == 0
