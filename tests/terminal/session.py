"""A program on a real pseudo-terminal, and what a terminal would show of it."""

from __future__ import annotations

import os
import re
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pyte

from tests.patience import PATIENCE, eventually
from tests.terminal.ending import end

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "tui")
OTHERWISE = ("COLUMNS", "LINES", "NO_COLOR", "SSH_CONNECTION", "SSH_TTY", "TMUX", "STY")
"""Environment variables that would make it another terminal."""
UNKNOWN = re.compile(
    rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[[0-9;]*\$[a-z]|\x1b[P_^].*?\x1b\\|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)",
    re.DOTALL)
"""Sequences that pyte takes for text."""
KEYS = {"left": "\x1b[D", "right": "\x1b[C", "home": "\x1b[H", "end": "\x1b[F", "space": " ", "esc": "\x1b"}


def cells(screen: pyte.Screen) -> list[object]:
    """Every cell with its colours; of a blank only the visible attributes."""
    found = [screen.buffer[y][x] for y in range(screen.lines) for x in range(screen.columns)]
    return [cell._replace(fg="", bold=False) if cell.data == " " and not (cell.reverse or cell.underscore) else cell
            for cell in found]


class Session:
    """`sudoku-tui` in its own terminal."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24, command: Sequence[str] = PROGRAM,
                 emulator: type[pyte.Screen] = pyte.Screen, **environment: str) -> None:
        self.screen = emulator(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        kept = {name: value for name, value in os.environ.items() if name not in OTHERWISE}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
                 "PYTHONPATH": str(ROOT)} | environment
        self.child: Any = pexpect.spawn(command[0], [*command[1:], *arguments], env=kept,
                                        cwd=environment.get("XDG_DATA_HOME", str(ROOT)),
                                        dimensions=(rows, columns), timeout=PATIENCE)
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = 0.0
        self.before = termios.tcgetattr(self.child.child_fd)

    def answer(self, when: Callable[[], object] = lambda: True) -> None:
        """From now on say where the cursor is when asked, as terminals do, while that is wanted."""
        def say(data: str) -> None:
            if when():
                self.child.send(data)

        self.screen.write_process_input = say

    def _known(self, data: bytes) -> bytes:
        """The output without sequences that the emulator, unlike a real terminal, prints as text."""
        passes_over = getattr(self.screen, "passes_over", UNKNOWN)
        return data if passes_over is None else passes_over.sub(b"", data)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def since(self, start: int) -> pyte.Screen:
        """The screen that the output from there on draws on an empty terminal."""
        screen = type(self.screen)(self.screen.columns, self.screen.lines)
        pyte.ByteStream(screen).feed(self._known(self.output[start:]))
        return screen

    def resize(self, columns: int, rows: int) -> None:
        """Another size; what the terminal does then with what stood there is up to it."""
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.child.send(KEYS.get(key, key))

    def read(self) -> bool:
        """Take in what there is. False at the end of the output."""
        try:
            data = self.child.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.output += data
        self._stream.feed(self._known(data))
        return True

    def until(self, what: str | Callable[[str], object]) -> str:
        """Read until a text is on the screen, or a condition on it holds; returns the screen. Fails after a timeout."""
        found = (lambda text: what in text) if isinstance(what, str) else what
        until = time.monotonic() + PATIENCE
        while not found(self.text):
            alive = self.read()
            assert alive or found(self.text), f"it ended before {what!r} was shown:\n{self.text}"
            assert time.monotonic() < until, f"{what!r} was never shown:\n{self.text}"
        return self.text

    def kill(self) -> None:
        """End it at once, if it has not ended."""
        end(self.child)

    def ended(self) -> int:
        """Read to the end; the exit status, or 128 + the signal that ended it."""
        until = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < until, f"it does not end:\n{self.text}"
        # the program still restores the terminal: closing it now would send a hang-up
        eventually(lambda: not self.child.isalive(), lambda: f"it does not end, though it draws no more:\n{self.text}")
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else 128 + self.child.signalstatus)
