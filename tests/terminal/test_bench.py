"""The bench in a real terminal: run, left while it runs, resumed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.session import Session

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]

TOML = """
name = "small"
runs = {runs}
max_steps = 20000
puzzles = [{{ sources = ["4x4:1", "4x4:2"] }}]
solvers = [{{ solver = "backtrack" }}, {{ solver = "hill-climb" }}]
"""


def opened(open_session: Open, folder: Path, runs: int) -> Session:
    file = folder / "small.toml"
    file.write_text(TOML.format(runs=runs))
    return open_session("bench", str(file), "--screen", "--out", str(folder), columns=120, rows=36)


def test_run_by_processes_and_looked_at_again(open_session: Open, tmp_path: Path) -> None:
    session = opened(open_session, tmp_path, 2)
    session.until("DONE 8 / 8")
    session.until("2/2")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output
    again = opened(open_session, tmp_path, 3)
    again.until("DONE 12 / 12")
    again.press("q")
    assert again.ended() == 0


def test_left_while_it_runs(open_session: Open, tmp_path: Path) -> None:
    session = opened(open_session, tmp_path, 20_000)
    session.until("RUNNING")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output
    assert (tmp_path / "results.sqlite").exists()
