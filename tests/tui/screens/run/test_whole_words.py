"""No pane cuts a text in the middle of a word at 80x24: what does not fit ends in whole words and an ellipsis."""

from __future__ import annotations

import pytest

from engine import registry
from tests.tui.run_driver import RunDriver, open_run
from tui.widgets import rows

COMMON = ("anneal-reheat", "backtrack", "dlx", "ga-memetic", "swarm", "human")
"""Solvers of different panes; the sweep tries all."""


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that a row cut inside a word, up to the cut."""
    found: list[str] = []
    resize = rows.set_cell_size

    def watched(text: str, width: int) -> str:
        if 0 < width < len(text) and (text[width - 1] + text[width]).isalpha():
            found.append(f"{text[:width]}|{text[width:]}")
        return resize(text, width)

    monkeypatch.setattr(rows, "set_cell_size", watched)
    return found


async def walk(on: RunDriver) -> None:
    """Some steps, and each tab."""
    for key in ("right", "right", "greater_than_sign", "1", "2", "3", "4", "right", "h"):
        await on.press(key)
        await on.until(lambda: not on.run_screen.snapshot.busy)
        await on.pilot.pause()


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("name", [
    name if name in COMMON else pytest.param(name, marks=pytest.mark.sweep) for name in registry.names()])
async def test_no_word_is_cut(name: str, cuts: list[str]) -> None:
    solver = registry.solver(name)
    if why := solver.missing():
        pytest.skip(why)
    async with open_run((80, 24), solver) as on:
        await walk(on)
    assert cuts == []


def test_a_cut_would_be_noticed(cuts: list[str]) -> None:
    rows.row((("whole words", "text"),), 8)
    assert cuts == ["whole wo|rds"]
