"""A kiosk on a real terminal: a whole session of dialogs, runs, pictures and puzzles writes nothing outside."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from engine.compiled.cache import SHARED_VARIABLE
from tests.cli.conftest import EASY
from tests.terminal.session import Session
from tests.terminal.sshd import Sshd
from tests.terminal.test_ssh import needs_sshd
from tests.terminal.throttle import MEGABIT
from tui import PROGRAM

pytestmark = pytest.mark.sweep

WATCHED = """
import os, sys
told = os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
changes = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "sqlite3.connect")
def watch(event, args):
    writes = event == "open" and args[2] and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (event in changes or writes) and not isinstance(args[0], int):
        os.write(told, f"{event} {os.path.realpath(args[0])}\\n".encode())
    elif event.startswith(("subprocess", "os.exec", "os.fork", "os.posix_spawn", "os.system", "socket.connect")):
        os.write(told, f"{event} {args!r}\\n".encode())
sys.addaudithook(watch)
from tui.cli import main
sys.exit(main())
"""
"""The program under an audit hook that records every file opened for writing and every program started."""

WANTED = "sh -c 'id; echo 0wned; cat /etc/passwd'"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "room"
    made.mkdir()
    (made / "puzzle-of-mine.sdm").write_text(EASY)
    (made / "away").symlink_to("/etc")
    return made


def typed(session: Session, key: str, path: str, question: str) -> None:
    """A path into a dialog."""
    session.press(key)
    session.until(question)
    session.press("\x05", "\x15", path)
    session.until(path[-12:])


def test_a_whole_session_writes_nothing_outside(open_session: Callable[..., Session], room: Path) -> None:
    told = room.parent / "told"
    home = room.parent / "home"
    home.mkdir()
    session = open_session("--kiosk", str(room), command=(sys.executable, "-c", WATCHED), columns=200, rows=36,
                           WATCHED=str(told), HOME=str(home), XDG_DATA_HOME=str(home),
                           **{SHARED_VARIABLE: str(platformdirs.user_cache_path(PROGRAM) / "numba")})
    session.until("first-steps")
    for path in ("/etc/passwd", "../told", "away/passwd", "/proc/self/fd/0"):
        typed(session, "o", path, "Open")
        session.press("\r")
        session.until(f"{path}: this is a kiosk: files are in {room}")
    typed(session, "o", "/etc/pass", "Open")
    session.press("\t", "w")
    session.until("/etc/passw")
    session.press("esc")
    session.until(lambda text: "Open /etc" not in text)
    typed(session, "o", "puzzle-of", "Open")
    session.press("\t")
    session.until("puzzle-of-mine.sdm")
    session.press("\r")
    session.until("puzzle-of-mine.sdm")
    session.press("e")
    session.until("Editor")
    typed(session, "\x13", "../stolen.sdk", "Save as")
    session.press("\r")
    session.until(f"../stolen.sdk: this is a kiosk: files are in {room}")
    typed(session, "\x13", "~/saved.sdk", "Save as")
    session.press("\r")
    session.until(lambda text: "SAVED" in text and f"{room}/saved.sdk" in text)
    session.press("\r")
    session.until("READY")
    session.press("right", "right")
    session.until("recorded 2")
    session.press("\x13")
    session.until(lambda text: f"{room}/{PROGRAM}/runs" in text.replace("\n", ""))
    session.press("P")
    session.until(lambda text: f"{room}/{PROGRAM}/pictures" in text.replace("\n", ""))
    session.press("t", "\x1a", "q")
    assert session.ended() == 0
    assert (room / "saved.sdk").is_file()
    assert list((room / PROGRAM / "runs").iterdir())
    assert list((room / PROGRAM / "pictures").glob("*.svg"))
    assert not list(home.iterdir())
    _all_within(room, told)


def _all_within(room: Path, told: Path) -> None:
    lines = told.read_text().splitlines()
    assert any(str(room) in line for line in lines)
    outside = [line for line in lines if str(room) not in line
               and line.partition(" ")[2] not in ("/dev/null", "/dev/tty")]
    assert not outside


@needs_sshd
def test_a_command_of_the_clients_is_not_run(room: Path) -> None:
    """With ForceCommand sshd passes the command in a variable, which the program ignores."""
    server = Sshd(room.parent, "--kiosk", str(room))
    try:
        with server.accepting(MEGABIT):
            session = Session(columns=120, rows=36, command=[*server.client(), WANTED])
        session.answer()
        session.until("first-steps")
        typed(session, "o", "../id", "Open")
        session.press("\r")
        session.until("../id: this is a kiosk")
        session.press("q")
        assert session.ended() == 0
        assert b"0wned" not in session.output
        assert b"uid=" not in session.output
        assert b"root:" not in session.output
    finally:
        server.close()
