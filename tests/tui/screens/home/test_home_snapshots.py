"""Pictures of Home and of the editor. `pytest --snapshot-update` retakes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from textual.pilot import Pilot

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from engine.teaching.progress import Answered, with_answers
from tui.app import SudokuApp
from tui.config import paths
from tui.requests import AppRequest, HomeRequest
from tui.storage.progress import encoded
from tui.terminal.capabilities import Capabilities

Compare = Callable[..., bool]
SIZES = [(80, 24), (120, 36), (200, 60)]
IDS = ["80x24", "120x36", "200x60"]


LISTED = ("anneal", "anneal-reheat", "anneal-reheat-adaptive", "anneal-linear", "anneal-lewis", "anneal-propagate",
          "hill-climb", "backtrack")


@pytest.fixture(autouse=True)
def few_solvers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only these solvers, so that the pictures do not change with every new one."""
    monkeypatch.setattr(registry, "BUILT_IN", {name: registry.BUILT_IN[name] for name in LISTED})
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()


def home(name: str, theme: Any = "dark", ascii: bool = False) -> SudokuApp:
    wish = HomeRequest(packs.find(name), "anneal", None, 7)
    return SudokuApp(AppRequest(wish, theme=theme, ascii=ascii), Capabilities("truecolor", True), guarded=False)


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("name", ["hard:3", "16x16:5", "diagonal:4", "4x4:3", "traps:4"])
def test_home(name: str, size: tuple[int, int], snap_compare: Compare) -> None:
    assert snap_compare(home(name), terminal_size=size)


def test_home_light(snap_compare: Compare) -> None:
    assert snap_compare(home("extreme:2", "light"), terminal_size=(120, 36))


def test_home_ascii(snap_compare: Compare) -> None:
    assert snap_compare(home("diagonal:2", ascii=True), terminal_size=(80, 24))


def test_only_the_list_in_a_small_window(snap_compare: Compare) -> None:
    assert snap_compare(home("medium:2"), terminal_size=(60, 20))


def test_filter_and_message(snap_compare: Compare) -> None:
    assert snap_compare(home("easy:1"), terminal_size=(80, 24),
                        press=["slash", *"traps quarrel", "tab", "enter"])


@pytest.mark.parametrize("size", [(64, 20), (80, 24)], ids=["64x20", "80x24"])
def test_progress(size: tuple[int, int], snap_compare: Compare) -> None:
    day = date(2026, 3, 1)
    counts = [("anneal", "accept", 31, 24), ("anneal", "energy-change", 12, 9), ("anneal", "probability", 7, 2),
              ("anneal-reheat-adaptive", "next-temperature", 2, 1), ("backtrack", "dead-end", 14, 14),
              ("backtrack", "next-cell", 14, 11), ("hill-climb", "better-neighbour", 1, 0)]
    progress = with_answers({}, [Answered(solver, kind, number < right, day) for solver, kind, asked, right in counts
                                 for number in range(asked)])
    paths.progress().mkdir(parents=True)
    (paths.progress() / "own.jsonl").write_bytes(encoded(progress, ""))
    assert snap_compare(home("easy:1"), terminal_size=size, press=["H", "down"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_editor(theme: str, size: tuple[int, int], snap_compare: Compare) -> None:
    app = home("hard:1", theme)

    async def before(pilot: Pilot[Any]) -> None:
        record = packs.find("hard:1")
        givens = list(record.puzzle.givens)
        givens[1] = 8
        edited = PuzzleRecord(puzzle=Puzzle(tuple(givens)), name=record.name)
        app.open_editor(edited, HomeRequest(record, "anneal", None, 7))
        await pilot.pause()
        await pilot.press("up", "left", "5")

    assert snap_compare(app, terminal_size=size, run_before=before)
