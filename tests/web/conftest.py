"""The server as a program, and a browser, which end with their tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.terminal.session import OTHERWISE, ROOT
from tests.web.browser import Browser, found

EXPECTED = "SUDOKU_TUI_TEST_BROWSER"
"""Set where there is a browser: from there on a test that is skipped for want of it has failed."""


class Served:
    """`sudoku-tui serve` on a free port, with its own data directory."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in OTHERWISE}
        kept |= {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        kept |= {f"XDG_{name}_HOME": str(folder) for name in ("CONFIG", "DATA", "STATE")}
        self.process = subprocess.Popen([sys.executable, "-m", "tui", "serve", "--port", "0", *arguments], env=kept,
                                        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, start_new_session=True)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        told = re.search(r"(http://\S+/)(\?token=\S+)?", self.said)
        assert told, self.said
        self.address, self.token = told[1], told[2] or ""

    def tabs(self) -> list[int]:
        """The processes of its tabs."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in path.read_text().split()]

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.end()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`serve("hard:1")`: begins the server, with that for every tab."""
    pytest.importorskip("textual_serve", reason="the extra web is not installed")
    begun: list[Served] = []

    def begin(*arguments: str) -> Served:
        begun.append(Served(tmp_path, *arguments))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    pytest.importorskip("textual_serve", reason="the extra web is not installed")
    program = found()
    if program is None:
        assert EXPECTED not in os.environ, "there was a browser before"
        pytest.skip("no browser is installed (Debian: chromium)")
    opened = Browser(program, tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()
