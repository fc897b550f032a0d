"""The timeline on a pseudo-terminal: zoomed with keys, wheel and mouse while the run is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.session import Session
from tests.terminal.test_laboratory import playhead

pytestmark = pytest.mark.sweep

SCRUBBER = 21
"""Its row at 80 x 24, counted from 1."""


def mouse(button: int, x: int, y: int = SCRUBBER, end: str = "M") -> str:
    """Mouse reports: 35 moves, 0 presses, 32 drags, 64 and 65 are the wheel."""
    return f"\x1b[<{button};{x};{y}{end}"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session("hard:1", "--solver", "anneal", "--seed", "7", XDG_DATA_HOME=str(tmp_path))
    yield made
    made.kill()


def zoom(screen: str) -> int:
    """The zoom in the transport row; 1 where none is named."""
    found = re.search(r"1:(\d+)([kM]?)  ×|1:(\d+)([kM]?)  flat", screen)
    if not found:
        return 1
    figures, unit = found.group(1) or found.group(3), found.group(2) or found.group(4)
    return int(figures) * {"": 1, "k": 1024, "M": 1024**2}[unit or ""]


def test_it_zooms_while_it_plays_and_while_it_runs_flat_out(session: Session) -> None:
    session.until("READY")
    session.press("space")
    session.until(lambda text: playhead(text) > 300)
    session.press("z")
    session.until(lambda text: zoom(text) >= 2)
    session.until("RUNNING")
    session.press("!")
    session.until(lambda text: zoom(text) >= 64)
    assert "RUNNING" in session.text
    session.press(*"Z" * 40)
    session.until(lambda text: zoom(text) == 1)
    session.press("z")
    session.until(lambda text: zoom(text) >= 2)
    session.press("space")
    session.until(lambda text: "RUNNING" not in text)
    session.press("g", *"40000", "\r")
    session.until(lambda text: playhead(text) == 40_000)
    session.press("left")
    session.until(lambda text: playhead(text) == 39_999)
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output


def test_the_wheel_zooms_a_drag_seeks_and_a_point_is_read(session: Session) -> None:
    session.until("READY")
    session.press("g", *"40000", "\r")
    session.until(lambda text: playhead(text) == 40_000)
    session.child.send(mouse(35, 20))
    session.until(lambda text: re.search(r"E \d+  best \d+  T [\d.]+  acc ", text))
    session.child.send(mouse(35, 50, 5))
    session.until(lambda text: playhead(text) == 40_000)
    session.child.send(mouse(64, 20) * 3)
    session.until(lambda text: zoom(text) == 8)
    session.child.send(mouse(65, 20) * 3)
    session.child.send(mouse(35, 50, 5))
    session.until(lambda text: zoom(text) == 1 and playhead(text) == 40_000)
    session.child.send(mouse(0, 20) + "".join(mouse(32, 20 + k % 20) for k in range(200)) + mouse(32, 30))
    session.child.send(mouse(0, 30, end="m") + mouse(35, 50, 5))
    column = 30 - 1 - 6
    session.until(lambda text: playhead(text) * 68 // 65536 == column)
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output
