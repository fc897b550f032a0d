"""The automata in a real terminal: asked, broken off, left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.terminal.session import Session

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]


def test_asked_broken_off_and_left(open_session: Open) -> None:
    session = open_session("automata", "--size", "25", "--unit", "box 3", columns=120, rows=36)
    session.until("the automaton of box 3")
    session.press("V", "V", "V", "e", "5")
    session.until("cancels")
    session.press(" ")
    session.until("cancelled")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output


def test_left_while_a_question_is_asked(open_session: Open) -> None:
    session = open_session("automata", "--size", "25", columns=120, rows=36)
    session.until("READY")
    session.press("e", "5")
    session.until("ASKING")
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output
