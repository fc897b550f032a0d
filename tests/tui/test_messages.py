"""Messages of the verdict line that depend on the solver."""

from __future__ import annotations

import pytest

from engine import registry
from tui import messages


@pytest.mark.parametrize(("solver", "badge", "text"), [
    ("z3", "LOADING", "loading Z3   keys work"),
    ("z3-inside", "LOADING", "loading Z3   keys work"),
    ("cp-sat", "LOADING", "loading OR-Tools   keys work"),
    ("anneal", "PREPARING", "preparing the solver (slow only once)   keys work"),
])
def test_the_engine_that_is_loaded_is_named(solver: str, badge: str, text: str) -> None:
    sentence = messages.preparing(registry.solver(solver))
    assert (sentence.badge, sentence.text) == (badge, text)
