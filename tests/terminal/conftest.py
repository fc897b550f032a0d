"""Programs on pseudo-terminals, which end with their test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminal.session import Session


@pytest.fixture
def open_session(tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """`open_session("hard:1", columns=120)`: begins the program, with data in the test's own folder."""
    sessions: list[Session] = []

    def begin(*arguments: str, **options: object) -> Session:
        options.setdefault("XDG_DATA_HOME", str(tmp_path))
        sessions.append(Session(*arguments, **options))  # type: ignore[arg-type]
        return sessions[-1]

    yield begin
    for each in sessions:
        each.kill()
