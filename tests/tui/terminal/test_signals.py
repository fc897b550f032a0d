"""Hang-up, SIGTERM or a vanished terminal: the process saves and ends."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CHILD = """
import asyncio, os, queue, sys
from tui.terminal.signals import SignalGuard

fd, saved, manner = int(sys.argv[1]), sys.argv[2], sys.argv[3]

async def main():
    over = asyncio.Event()

    def leave():
        with open(saved, "w") as file:
            file.write("saved")
        if manner == "leaves":
            over.set()

    guard = SignalGuard(leave, fd, 0.2)
    guard.start()
    print("ready", flush=True)
    if manner == "stands":
        queue.Queue().get()
    await over.wait()
    guard.stop()
    return guard.code

sys.exit(asyncio.run(main()))
"""


@pytest.fixture
def run(tmp_path):
    """Starts the child with a new terminal; returns the process, our end of the terminal, and the saved file."""
    master, slave = pty.openpty()
    started = []

    def start(manner: str = "leaves"):
        saved = tmp_path / "saved"
        arguments = [sys.executable, "-c", CHILD, str(slave), str(saved), manner]
        child = subprocess.Popen(arguments, cwd=ROOT, pass_fds=[slave], stdout=subprocess.PIPE)
        os.close(slave)
        assert child.stdout.readline() == b"ready\n"
        started.append(child)
        return child, saved

    yield start, lambda: os.close(master)
    for child in started:
        child.kill()
        child.wait()
        child.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_ends(run, number):
    start, hang_up = run
    child, saved = start()
    child.send_signal(number)
    assert child.wait(30) == 128 + number
    assert saved.read_text() == "saved"
    hang_up()


def test_a_vanished_terminal_saves_and_ends(run):
    start, hang_up = run
    child, saved = start()
    hang_up()
    assert child.wait(30) == 129
    assert saved.read_text() == "saved"


def test_leaving_that_hangs_ends_all_the_same(run):
    start, hang_up = run
    child, saved = start("hangs")
    hang_up()
    assert child.wait(30) == 129
    assert saved.read_text() == "saved"


def test_a_terminal_that_reads_no_more_does_not_keep_it_alive(run):
    """The loop never handles it: it is blocked in a write."""
    start, hang_up = run
    child, _saved = start("stands")
    child.send_signal(signal.SIGTERM)
    assert child.wait(30) == 128 + signal.SIGTERM
    hang_up()


ASLEEP = """
import asyncio, os, signal, threading
from pathlib import Path
from tui.terminal.signals import SignalGuard

def hang_up_once_it_sleeps():
    stat = Path(f"/proc/self/task/{os.getpid()}/stat")
    asleep = 0
    while asleep < 1000:
        asleep = asleep + 1 if stat.read_text().rpartition(")")[2].split()[0] == "S" else 0
    os.kill(os.getpid(), signal.SIGHUP)
    threading.Event().wait()

async def main():
    left, (ours, theirs) = asyncio.Event(), os.openpty()
    guard = SignalGuard(left.set, ours)
    guard.start()
    threading.Thread(target=hang_up_once_it_sleeps, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    await left.wait()
    print("left", guard.code, flush=True)
    guard.stop()
    os._exit(0)

asyncio.run(main())
"""
"""The signal reaches another thread, as it may, while the one of the loop is asleep and stays so."""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see which thread sleeps")
def test_a_signal_that_does_not_wake_the_loop_is_heard_all_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", ASLEEP], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("left 129\n", "")
