"""Windows of every size, with the real bytes: nothing is left of another size, and an exported size is not heeded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.terminal.emulators import Xterm
from tests.terminal.session import Session, cells

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]
SIZES = ((100, 30), (120, 36), (300, 100), (80, 24), (200, 60), (60, 20), (80, 24))


def test_a_window_that_grows_and_shrinks_while_it_plays(open_session: Open) -> None:
    session = open_session("hard:1", "--solver", "backtrack", "--speed", "5", emulator=Xterm, COLUMNS="33", LINES="7")
    session.answer()
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    for columns, rows in SIZES:
        session.resize(columns, rows)
        session.until(lambda text, rows=rows: "q quit" in text.split("\n")[rows - 1])
    session.resize(40, 12)
    session.until("needs 44")
    session.resize(120, 36)
    session.until("Program")
    session.press("space")
    session.until("PAUSED")
    for columns, rows in SIZES:
        session.resize(columns, rows)
        session.until(lambda text, rows=rows: "q quit" in text.split("\n")[rows - 1])
        start = len(session.output)
        session.press("\x0c")
        session.until(lambda _text, start=start: cells(session.since(start)) == cells(session.screen))
    session.press("q")
    assert session.ended() == 0
