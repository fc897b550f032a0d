"""Two ways to call the program: in this process, which is fast, and as a separate process, which is real."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SLOW = "16x16:6"
"""A puzzle that plain backtracking does not finish in any test's time."""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Result]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """`cli("solve", "hard:1", stdin=b"...")`: exit code, stdout and stderr of a call in this process."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        from tui.cli import main

        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capfd.readouterr()
        code = main(arguments)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return call


def environment(**changes: str) -> dict[str, str]:
    """This environment with a plain terminal, and the changes."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "SUDOKU_TUI_DEBUG")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "TERM": "xterm-256color", **changes}


def command(*arguments: str) -> list[str]:
    """The command line of the program as a separate process."""
    return [sys.executable, "-W", "error", "-m", "tui", *arguments]


@pytest.fixture
def program(tmp_path: Path) -> Call:
    """`program("solve", "hard:1")`: run the program as a separate process in an empty directory."""

    def call(*arguments: str, stdin: bytes = b"", **changes: str) -> Result:
        done = subprocess.run(command(*arguments), input=stdin, capture_output=True, cwd=tmp_path, timeout=PATIENCE,
                              env=environment(**changes), check=False)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
