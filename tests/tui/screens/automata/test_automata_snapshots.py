"""Pictures of the automata screen, with fixed answers. `pytest --snapshot-update` retakes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual.pilot import Pilot

from engine.automata.explanation import explain_contradiction
from engine.automata.questions import Counters, Finding, Query
from engine.puzzle import Puzzle
from engine.puzzles import packs
from tests.tui.until import until
from tui.app import SudokuApp
from tui.requests import AppRequest, AutomataRequest
from tui.screens.automata import screen as automata
from tui.screens.automata.worker import QuestionWorker
from tui.terminal.capabilities import Capabilities

Compare = Callable[..., bool]
SIZES = [(80, 24), (120, 36), (200, 60)]
IDS = ["80x24", "120x36", "200x60"]
CORE = ((3, 13, 19, 25), ((5, 2), (28, 2), (40, 8), (49, 1), (66, 2)))


class Written:
    """Answers as Z3 gives them, the same with every version of it."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    def put(self, query: Query) -> Finding:
        counters = Counters(37, 9120, 12, 18.4)
        if query.topic == "word":
            return Finding(query, "unsat", "1 is already at r1c1", word=query.word, blame=(0, 4), counters=counters)
        if query.topic == "unique":
            return Finding(query, "sat", counters=counters)
        values = [0] * 81
        for cell, value in CORE[1]:
            values[cell] = value
        told = explain_contradiction(self.puzzle, values)
        assert told is not None
        return Finding(query, "unsat", told.because, *CORE, explanation=told, counters=counters)


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automata, "QuestionWorker", partial(QuestionWorker, answers=Written, clock=lambda: 0.0))


def app_of(wish: AutomataRequest, **look: Any) -> SudokuApp:
    return SudokuApp(AppRequest(wish, **look), Capabilities("truecolor", True), guarded=False)


def asked(app: SudokuApp, *keys: str, cell: int = 5) -> Callable[[Pilot[Any]], Any]:
    async def before(pilot: Pilot[Any]) -> None:
        screen = app.screen
        assert isinstance(screen, automata.Automata)
        screen.state.move_cursor(cell)
        await pilot.press(*keys)
        await until(pilot, lambda: not screen.worker.busy and screen.state.current is not None)

    return before


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_a_core(size: tuple[int, int], snap_compare: Compare) -> None:
    app = app_of(AutomataRequest(packs.find("hard:1")))
    assert snap_compare(app, terminal_size=size, run_before=asked(app, "u", "2"))


def test_a_core_in_ascii(snap_compare: Compare) -> None:
    app = app_of(AutomataRequest(packs.find("hard:1")), ascii=True)
    assert snap_compare(app, terminal_size=(120, 36), run_before=asked(app, "2"))


@pytest.mark.parametrize("size", SIZES[:2], ids=IDS[:2])
def test_a_word(size: tuple[int, int], snap_compare: Compare) -> None:
    app = app_of(AutomataRequest(packs.find("easy:1"), unit="box 2"), theme="light")
    assert snap_compare(app, terminal_size=size, run_before=asked(app, "slash", *"123415678", "enter"))


def test_one_automaton_of_a_large_board(snap_compare: Compare) -> None:
    app = app_of(AutomataRequest(packs.find("16x16:1"), unit="row 3"))
    assert snap_compare(app, terminal_size=(120, 36))


def test_a_small_window(snap_compare: Compare) -> None:
    app = app_of(AutomataRequest(packs.find("hard:1")))
    assert snap_compare(app, terminal_size=(60, 20), run_before=asked(app, "2"))
