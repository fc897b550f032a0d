"""The program on a pseudo-terminal, watched without an emulator: its bytes as they come, and what it takes.

What is measured must not be the measuring: output is searched for marks, never drawn.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pexpect

from tests.bench.fixtures import UNSOLVABLE
from tests.patience import PATIENCE
from tests.terminal.ending import end

ROOT = Path(__file__).parents[2]
ENDLESS = (UNSOLVABLE, "--solver", "anneal", "--seed", "3", "-p", "max_steps=1000000000000")
"""A run of annealing that never ends."""
READY, RUNNING, PAUSED = b"READY", "▶ R".encode(), "‖ ".encode()
"""Marks to search for. Letters already on the screen are not written again, so the end of a word may be missing."""
FRAME = b"\x1b[1;1H"
"""The end of a frame: the cursor goes home."""
OTHERWISE = ("COLUMNS", "LINES", "NO_COLOR", "PYTHONDONTWRITEBYTECODE", "SSH_CONNECTION", "SSH_TTY")
"""Variables that would have another program measured: an installed one has its bytecode beside it."""
OVER_SSH = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}
ASKED = re.compile(rb"\x1b\[(\d+);(\d+)H\x1b\[6n")
"""A request for the cursor position, after moving the cursor there."""
TICK = os.sysconf("SC_CLK_TCK")


class Watched:
    """`sudoku-tui` on its own terminal."""

    def __init__(self, *arguments: str, columns: int = 120, rows: int = 36,
                 command: Sequence[str] = (sys.executable, "-m", "tui"),
                 environment: Mapping[str, str] = MappingProxyType({})) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in OTHERWISE}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        self._home = tempfile.TemporaryDirectory()
        kept |= {f"XDG_{name}_HOME": self._home.name for name in ("CONFIG", "DATA", "STATE")}
        kept |= environment
        self.begun = time.perf_counter()
        self.child: Any = pexpect.spawn(command[0], [*command[1:], *arguments], env=kept, cwd=str(ROOT),
                                        dimensions=(rows, columns))
        self.fd: int = self.child.child_fd
        self.sent = 0
        """Bytes that have come from it so far."""

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_error: object) -> None:
        end(self.child)
        self._home.cleanup()

    def read(self, seconds: float) -> bytes:
        """The output of up to `seconds`, returned as soon as there is any."""
        if not select.select([self.fd], [], [], max(seconds, 0.0))[0]:
            return b""
        data = os.read(self.fd, 65536)
        self.sent += len(data)
        return data

    def until(self, found: Callable[[bytes], object]) -> float:
        """Read until it is true of what has come since the call; when that was."""
        seen, until = b"", time.perf_counter() + PATIENCE
        while time.perf_counter() < until:
            seen += self.read(0.2)
            if found(seen):
                return time.perf_counter()
        raise TimeoutError(f"it never came; the last of what did: {seen[-300:]!r}")

    def take(self, seconds: float, each: Callable[[bytes], object] = lambda data: None) -> int:
        """Read for `seconds`; returns the number of bytes."""
        before, until = self.sent, time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            data = self.read(left)
            if data:
                each(data)
        return self.sent - before

    def press(self, keys: str) -> float:
        """Type; when that was."""
        os.write(self.fd, keys.encode())
        return time.perf_counter()

    def effect(self, keys: str, mark: bytes) -> float:
        """Seconds from typing until a mark appears in the output."""
        pressed = self.press(keys)
        return self.until(lambda seen: mark in seen) - pressed

    def processor(self) -> float:
        """Seconds of processor time that it has had, in all its threads."""
        if not os.path.exists(f"/proc/{self.child.pid}/stat"):
            return self._asked()
        text = Path(f"/proc/{self.child.pid}/stat").read_text(encoding="utf-8")
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def _asked(self) -> float:
        """The same where there is no /proc."""
        said = subprocess.run(["ps", "-o", "time=", "-p", str(self.child.pid)], capture_output=True, text=True,
                              check=True).stdout
        return sum(float(part) * 60**power for power, part in enumerate(reversed(said.strip().split(":"))))

    def drawing_time(self) -> float | None:
        """Seconds of processor time of its first thread, which draws; None where the system does not say."""
        path = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/schedstat")
        if not path.exists():
            return None
        return int(path.read_text(encoding="ascii").split()[0]) / 1e9


class Connected(Watched):
    """The program at the other end of a line, in a terminal that answers as it reads."""

    _asked = b""

    def read(self, seconds: float) -> bytes:
        data = super().read(seconds)
        self._asked = self._asked[-16:] + data
        while found := ASKED.search(self._asked):
            self._asked = self._asked[found.end():]
            os.write(self.fd, b"\x1b[%s;%sR" % found.groups())
        return data
