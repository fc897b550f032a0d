"""Whatever is done to it, it draws on, answers, ends when asked to, and leaves the terminal as it was."""

from __future__ import annotations

import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.mash import PASTED, Masher, mashed, unharmed
from tests.terminal.session import Session

ACTS = 60


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A run that plays, in a folder of its own."""
    places = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(tmp_path))
    begun = Session("hard:1", "--seed", "7", "--play", columns=120, rows=36, **places)
    begun.until("RUNNING")
    yield begun
    begun.child.close(force=True)


def end_well(masher: Masher) -> None:
    left_open = os.dup(masher.session.child.child_fd)
    status = masher.leave()
    modes = termios.tcgetattr(left_open)
    os.close(left_open)
    unharmed(masher.session, status, modes)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_keys_mashed_at_random(seed: int, session: Session) -> None:
    assert mashed(session, seed, lambda done: done >= ACTS) == ACTS


@pytest.mark.parametrize("act", ["clicks", "drag", "wheel"])
def test_a_storm_of_the_mouse(act: str, session: Session) -> None:
    masher = Masher(session, 5)
    for _ in range(25):
        getattr(masher, act)()
    end_well(masher)


def test_resizing_while_it_plays(session: Session) -> None:
    masher = Masher(session, 6)
    for columns, rows in ((1, 1), (300, 100), (20, 5), (1, 100), (300, 1), (44, 17), (43, 17), (80, 24), (120, 36)) * 3:
        session.child.setwinsize(rows, columns)
        masher.listen(0.05)
    for _ in range(20):
        masher.resize()
    end_well(masher)


@pytest.mark.parametrize("before", [b"", b"g"], ids=["the laboratory", "a question"])
def test_a_hundred_thousand_characters_pasted(before: bytes, session: Session) -> None:
    masher = Masher(session, 8)
    masher.pour(before)
    masher.paste(PASTED)
    end_well(masher)


def test_a_flood_of_keys_is_taken_in(session: Session) -> None:
    masher = Masher(session, 9)
    masher.pour(b"hjkl +-[]" * 400)
    end_well(masher)
