"""Cut off in every way there is: the process is gone, the terminal is its old self, and the next start goes on where it
stood."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.run.run_file import RunFile
from tests.patience import PATIENCE
from tests.terminal import sshd
from tests.terminal.session import PROGRAM, Session
from tests.terminal.sshd import Sshd
from tests.terminal.test_stopping import came_back, stopped
from tests.terminal.throttle import DSL
from tui.storage import run_files, sessions

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]
RUN = ("hard:1", "--solver", "backtrack", "--speed", "200")
MODES = ("1000", "1003", "1006", "1015", "2004", "1004", "2026")
"""The requested modes of a terminal: mouse, bracketed paste, focus, synchronized output."""
TICKS_OF_IDLING = 50
"""Half a second of work, far more than a paused program needs while another process starts and stops."""
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to see what a process does")
needs_sshd = pytest.mark.skipif(sshd.missing() is not None and not os.environ.get("SUDOKU_TUI_TEST_SSHD"),
                                reason=str(sshd.missing()))


def kept(folder: Path) -> list[RunFile]:
    """The sessions of an account on disk."""
    return [sessions.read(path).run for path in sorted((folder / "sudoku-tui" / "sessions").glob("*.session"))]


def until_kept(folder: Path, session: Session, holds: Callable[[RunFile], object]) -> RunFile:
    """Read until the files on disk satisfy a condition."""
    end = time.monotonic() + PATIENCE
    while not (found := [each for each in kept(folder) if holds(each)]):
        session.read()
        assert time.monotonic() < end, f"not kept: {kept(folder)}\n{session.text}"
    return found[0]


def wait_until_gone(pid: int, session: Session | None = None) -> None:
    """Wait until a process has ended."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        if state == "Z":
            return
        if session is not None:
            session.read()
        assert time.monotonic() < end, f"{pid} is still there"


def ticks(pid: int) -> int:
    """The processor time of a process, in ticks."""
    parts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(parts[11]) + int(parts[12])


def is_sane(output: bytes) -> None:
    """The terminal has had back, after the last time that it was taken, all that was asked of it."""
    assert output.rfind(b"\x1b[?1049l") > output.rfind(b"\x1b[?1049h"), "the alternate screen"
    assert output.rfind(b"\x1b[?25h") > output.rfind(b"\x1b[?25l"), "the cursor"
    for mode in MODES:
        assert output.rfind(f"\x1b[?{mode}l".encode()) >= output.rfind(f"\x1b[?{mode}h".encode()), mode
    assert output.rfind(b"\x1b[<u") >= output.rfind(b"\x1b[>1u"), "the keys"


def stood(open_session: Open, folder: Path, *arguments: str) -> tuple[Session, RunFile]:
    """A run that was played, paused, rewound, with a breakpoint; and that it is on disk."""
    session = open_session(*(arguments or RUN))
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    session.until(lambda _text: any(each.steps > 50 for each in kept(folder)))
    session.press("space")
    session.until("PAUSED")
    session.press("left", "left", "left")
    file = until_kept(folder, session, lambda run: run.playhead == run.steps - 3)
    return session, file


def assert_resumes(open_session: Open, file: RunFile, *arguments: str) -> Session:
    """Assert that the next start resumes the run at its playhead."""
    session = open_session(*arguments)
    if not arguments:
        session.until("INTERRUPTED")
        session.press("c")
    grouped = f"{file.playhead:,} of {file.steps:,}".replace(",", " ")
    session.until(lambda text: "RESUMED" in text and grouped in text)
    return session


@pytest.mark.parametrize("how", [
    signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_run_ended_by_a_signal_is_offered_at_the_next_start(how: signal.Signals, open_session: Open,
                                                         tmp_path: Path) -> None:
    session, file = stood(open_session, tmp_path)
    os.kill(session.child.pid, how)
    assert session.ended() == 128 + how
    if how is not signal.SIGKILL:
        is_sane(session.output)
    again = assert_resumes(open_session, file)
    again.press("q")
    assert again.ended() == 0
    runs = [(each.steps, each.playhead) for each in run_files.recent(tmp_path / "sudoku-tui" / "autosave")]
    assert runs == [(file.steps, file.playhead)], "quitting saves it as a run, though nothing has changed since"


def test_continue_resumes_at_once(open_session: Open, tmp_path: Path) -> None:
    session, file = stood(open_session, tmp_path)
    os.kill(session.child.pid, signal.SIGKILL)
    session.ended()
    again = assert_resumes(open_session, file, "--continue")
    again.press("right")
    again.until(f"{file.playhead + 1} · recorded")
    again.press("q")
    assert again.ended() == 0
    once_more = open_session("-c")
    once_more.until("RESUMED")
    once_more.until(f"step {file.playhead + 1} of {file.steps}")


def test_continue_without_a_session_is_one_sentence(open_session: Open) -> None:
    session = open_session("-c")
    assert session.ended() == 2
    assert b"no interrupted session to resume" in session.output
    assert b"\x1b[?1049h" not in session.output


def test_two_users_of_one_account_resume_different_sessions(open_session: Open, tmp_path: Path) -> None:
    first, file = stood(open_session, tmp_path)
    second = open_session()
    second.until("Puzzle")
    assert "INTERRUPTED" not in second.text
    os.kill(first.child.pid, signal.SIGKILL)
    first.ended()
    third = open_session()
    third.until("INTERRUPTED")
    assert_resumes(open_session, file)
    third.press("c")
    third.until("already open elsewhere")


def test_a_terminal_that_is_closed_ends_it(open_session: Open, tmp_path: Path) -> None:
    session, file = stood(open_session, tmp_path)
    session.child.ptyproc.fileobj.close()
    wait_until_gone(session.child.pid)
    session.child.wait()
    session.child.ptyproc.closed = session.child.closed = True
    assert_resumes(open_session, file)


@needs_proc
def test_in_a_shell_it_is_stopped_and_brought_back(open_session: Open, tmp_path: Path) -> None:
    """While it is stopped the shell has its terminal as it was; then the screen is whole again."""
    (tmp_path / "inputrc").write_text("set enable-bracketed-paste off\n")  # or the shell would ask for it itself
    session = open_session("--norc", "-i", command=("bash",), PS1="$ ", INPUTRC=str(tmp_path / "inputrc"),
                           TARGET=shlex.join([*PROGRAM, *RUN]))
    session.until("$")
    before = termios.tcgetattr(session.child.child_fd)
    session.press("eval $TARGET\n")
    session.until("READY")
    session.press("right", "right", "right")
    session.until(lambda text: "3 · recorded" in text and "⠒⠒" in text and "━●·" in text)  # the charts come last
    pid = foreground(session)
    whole = taken(session)
    for time_ in (1, 2):
        os.kill(pid, signal.SIGTSTP)
        session.until(lambda _text, times=time_: session.output.count(b"Stopped") >= times)
        is_sane(session.output)
        used = ticks(pid)
        session.press(f"stty -a; echo done{time_}$((1+1))\n")
        session.until(f"done{time_}2")
        said = session.output[session.output.rfind(b"Stopped"):]
        assert {b"icanon", b"echo", b"isig", b"ixon", b"opost"} <= set(said.split())
        assert ticks(pid) == used
        session.press("fg\n")
        session.until(lambda _text: taken(session) == whole)
    session.press("right")
    session.until("4 · recorded")
    used = ticks(pid)
    shell(session)
    assert ticks(pid) - used < TICKS_OF_IDLING
    session.press("q")
    session.until(lambda _text: foreground(session) != pid)
    session.press("echo left$((1+1))\n")
    session.until("left2")
    session.until(lambda _text: termios.tcgetattr(session.child.child_fd) == before)  # the prompt comes after the echo
    is_sane(session.output)


def taken(session: Session) -> list[str]:
    """The content of the alternate screen, which is empty when it is entered; the emulator has none."""
    return list(session.since(session.output.rfind(b"\x1b[?1049h")).display)


def foreground(session: Session) -> int:
    """The program in front on a terminal."""
    return os.tcgetpgrp(session.child.child_fd)


def shell(session: Session) -> None:
    """Something else that takes a while: another process is begun and ends."""
    session.read()
    subprocess.run([sys.executable, "-c", "import json"], check=True)


@needs_proc
def test_playing_continues_after_a_stop_without_catching_up(open_session: Open, tmp_path: Path) -> None:
    """It was due a thousand steps more meanwhile; of those it makes none."""
    session = open_session(*RUN[:-1], "1000", "--play")
    session.until("RUNNING")
    os.kill(session.child.pid, signal.SIGSTOP)
    stopped(session)
    used = ticks(session.child.pid)
    for _ in range(20):
        shell(session)
    assert ticks(session.child.pid) == used
    os.kill(session.child.pid, signal.SIGCONT)
    came_back(session, 2)
    session.press("space")
    session.until("PAUSED")
    session.press("q")
    assert session.ended() == 0
    is_sane(session.output)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Sshd]]:
    begun: list[Sshd] = []

    def begin(*arguments: str) -> Sshd:
        begun.append(Sshd(tmp_path, *arguments))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def process_of(folder: Path) -> int:
    """The program that has the lock of the only session that goes on."""
    for path in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (path / "cmdline").read_bytes().split(b"\0") if path.name.isdigit() else []
            if b"tui" in words and b"-m" in words and (path / "cwd").resolve() == folder:
                return int(path.name)
    raise AssertionError("the program is not there")


@needs_proc
@needs_sshd
@pytest.mark.parametrize("who", ["client", "sshd", "line"])
def test_the_next_connection_resumes_a_lost_one(
        who: str, serve: Callable[..., Sshd], tmp_path: Path) -> None:
    """The learner's ssh is killed, or the process of sshd that holds the terminal, or the line is cut."""
    server = serve("--solver", "backtrack")
    folder = tmp_path.resolve()
    session = server.connect(DSL)
    session.until("Puzzle")
    session.press("\r")
    session.until("READY")
    session.press(*("right",) * 7, "left", "left")
    file = until_kept(folder, session, lambda run: (run.steps, run.playhead) == (7, 5))
    pid = process_of(folder)
    if who == "client":
        os.kill(session.child.pid, signal.SIGKILL)
    elif who == "sshd":
        os.kill(int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]),
                signal.SIGKILL)
    else:
        server.lines[-1].cut()
    wait_until_gone(pid, session)
    again = server.connect(DSL)
    again.until("INTERRUPTED")
    again.press("c")
    again.until(f"step {file.playhead} of {file.steps}")
    again.press("q")
    assert again.ended() == 0
    is_sane(again.output)
