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


@pytest.mark.parametrize(("number", "opening", "on", "solved", "differing"), [
    (1, "1 step", "1 step on", "solved 1 step on", "1 cell differs"),
    (2, "2 steps", "2 steps on", "solved 2 steps on", "2 cells differ"),
])
def test_one_thing_is_counted_in_the_singular(
        number: int, opening: str, on: str, solved: str, differing: str) -> None:
    assert messages.opening("a", number).text == f"replaying and verifying a   {opening}"
    assert messages.compared("a", 0, number, 4, 5, False).text == f"a after step 0   {on}: E = 4, the solver's 5"
    assert messages.compared("a", 0, number, 0, 5, True).text == (
        f"a after step 0   {solved}; the solver's E then is 5")
    assert messages.other_grid("pBest", 4, number).text.split("   ")[2] == differing
