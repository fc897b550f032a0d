"""Messages of the verdict line that depend on the solver."""

from __future__ import annotations

import pytest

from engine import registry
from engine.run.recipe import Change
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


@pytest.mark.parametrize(("solver", "name", "before", "after", "text"), [
    ("anneal", "T", 0.6056, 0.66616, "T 0.606 → 0.666"), ("anneal", "alpha", 0.999, 0.9999, "α 0.999 → 0.9999"),
    ("anneal", "alpha", 0.9995, 0.99, "α 0.9995 → 0.99"), ("swarm", "workers", 0.9, 0.9996, "workers 0.9 → 0.9996"),
])
def test_a_parameter_is_shown_as_it_was_typed_and_a_temperature_in_short(
        solver: str, name: str, before: float, after: float, text: str) -> None:
    assert messages.changed(registry.solver(solver), Change(5, name, before, after)) == text
