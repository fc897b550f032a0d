"""Follows docs/tour.md key by key on a real terminal: every row must show the text that it promises."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import documents
from tests.terminal.session import Session

pytestmark = pytest.mark.sweep

CODE = re.compile(r"`([^`]+)`")
KEYS = {"→": "right", "←": "left", "↓": "\x1b[B", "enter": "\r", "tab": "\t", "f2": "\x1bOQ"}
HOMES = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
BREATHS = 20
"""Reads before a screen counts as settled: a run that plays never falls silent."""


class Step(NamedTuple):
    """A row of the tour."""

    keys: list[str]
    promised: list[str]
    """Texts on the screen after the keys."""


def tour(text: str) -> list[tuple[list[str], list[Step]]]:
    """The sessions of the tour: the arguments of the program and the rows of the table."""
    sessions: list[tuple[list[str], list[Step]]] = []
    for line in text.splitlines():
        if line.startswith("    sudoku-tui"):
            sessions.append((line.split()[1:], []))
        elif line.startswith("| `"):
            keys, promised, _teaches = line.strip("|").split(" |", 2)
            sessions[-1][1].append(Step(CODE.findall(keys), CODE.findall(promised)))
    return sessions


def all_shown(promised: Iterable[str], screen: str) -> bool:
    return all(each in screen for each in promised)


def settled(session: Session) -> str:
    """Return the screen once no more output arrives."""
    for _breath in range(BREATHS):
        before = len(session.output)
        session.read()
        if len(session.output) == before:
            break
    return session.text


def follow(session: Session, steps: list[Step]) -> None:
    """Press the keys row by row. The promised text must appear after the keys, and not before."""
    for keys, promised in steps:
        assert not promised or not all_shown(promised, settled(session)), f"{keys} would change nothing"
        session.press(*(KEYS.get(key, key) for key in keys))
        session.until(lambda screen, promised=promised: all_shown(promised, screen))  # type: ignore[misc]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 36)])
def test_every_row_keeps_its_promise(columns: int, rows: int, tmp_path: Path) -> None:
    sessions = tour(documents.TOUR.read_text(encoding="utf-8"))
    assert [len(steps) for _arguments, steps in sessions if len(steps) < 4] == []
    for arguments, steps in sessions:
        session = Session(*arguments, columns=columns, rows=rows, **dict.fromkeys(HOMES, str(tmp_path)))
        try:
            session.until("READY" if arguments else "your runs")
            follow(session, steps)
            assert session.ended() == 0
            assert b"Traceback" not in session.output
        finally:
            session.kill()
