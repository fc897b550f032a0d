"""Inside tmux: it plays, follows a pane that changes its size, lives through detaching, and quits."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from tests.patience import PATIENCE
from tests.terminal.session import ROOT

TMUX = shutil.which("tmux")
pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")


class Tmux:
    """A separate tmux server with one window."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "tmux")
        own = {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("TMUX", "COLUMNS", "LINES", "NO_COLOR")}
        self.environment |= own | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}

    def run(self, *arguments: str) -> str:
        done = subprocess.run([str(TMUX), "-S", self.socket, "-f", "/dev/null", *arguments], env=self.environment,
                              cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.stdout

    def begin(self, *arguments: str) -> None:
        command = shlex.join([sys.executable, "-m", "tui", *arguments]) + "; echo left with $?; exec cat"
        self.run("new-session", "-d", "-x", "120", "-y", "36", command)

    def until(self, found: Callable[[str], object]) -> str:
        """Look until it is true of the screen; the screen."""
        end = time.monotonic() + PATIENCE
        while not found(text := self.run("capture-pane", "-p")):
            assert time.monotonic() < end, text
        return text

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path)
    yield server
    server.run("kill-server")


@pytest.mark.sweep
def test_it_lives_in_tmux(tmux: Tmux) -> None:
    tmux.begin("easy:1", "--solver", "backtrack", "--speed", "5")
    tmux.until(lambda text: "READY" in text)
    tmux.press("Space")
    tmux.until(lambda text: "RUNNING" in text)
    tmux.run("resize-window", "-x", "80", "-y", "24")
    tmux.until(lambda text: "RUNNING" in text and max(map(len, text.splitlines())) <= 80)
    watcher = pexpect.spawn(str(TMUX), ["-S", tmux.socket, "attach"], env=tmux.environment, dimensions=(40, 130))
    watcher.expect("RUNNING", timeout=PATIENCE)
    tmux.run("detach-client")
    watcher.expect(pexpect.EOF, timeout=PATIENCE)
    watcher.close()
    tmux.press("Space")
    tmux.until(lambda text: "PAUSED" in text)
    tmux.press("q")
    text = tmux.until(lambda text: "left with" in text)
    assert "left with 0" in text
    assert "PAUSED" not in text
