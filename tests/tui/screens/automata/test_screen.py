"""The automata screen with Z3: keys and answers."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from tests.tui.app_driver import RUN, AppDriver, running_app
from tui.requests import AutomataRequest
from tui.screens.automata.screen import Automata
from tui.screens.automata.state import QuestionRecord
from tui.screens.dialogs.help import Help
from tui.screens.dialogs.pager import Pager
from tui.screens.dialogs.prompt import PromptDialog
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen
from tui.storage.puzzle_files import empty_puzzle

HARD = AutomataRequest(packs.find("hard:1"))


def screen(on: AppDriver) -> Automata:
    assert isinstance(on.app.screen, Automata)
    return on.app.screen


async def answered(on: AppDriver, number: int) -> QuestionRecord:
    """The newest question, once there are `number` and all are answered."""
    shown = screen(on)
    await on.until(lambda: not shown.worker.busy and len(shown.state.questions) >= number)
    assert shown.state.current is not None
    return shown.state.current


async def ask(on: AppDriver, typed: str) -> None:
    await on.press("slash")
    await on.press(*("space" if letter == " " else "equals_sign" if letter == "=" else "full_stop" if letter == "."
                     else letter for letter in typed), "enter")
    await on.at(Automata)


@pytest.mark.parametrize(("name", "last"), [("4x4:1", 4), ("hard:1", 9), ("16x16:1", 9)])
async def test_the_keys_of_digits_are_those_of_the_board(name: str, last: int) -> None:
    async with running_app(AutomataRequest(packs.find(name)), (120, 36)) as on:
        await on.at(Automata)
        assert f"1 to {last} try" in on.text


@pytest.mark.parametrize(("size", "said"), [((44, 17), "no room for the other panes"), ((120, 36), "all panes")])
async def test_tab_says_where_there_are_no_tabs(size: tuple[int, int], said: str) -> None:
    async with running_app(HARD, size) as on:
        await on.at(Automata)
        await on.press("tab")
        assert said in " ".join(on.text.split())
        await on.press("slash")
        await on.at(PromptDialog)
        hint = on.app.screen.query_one(Input).placeholder
        assert hint.startswith("r1c6 = 2, row 3 = a word")
        assert len(f" Ask {hint}") < size[0]


async def test_the_deduced_values_of_an_explanation_are_marked_on_the_board() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        await ask(on, "r1c3=2")
        asked = (await answered(on, 1)).finding.query
        await on.press("x")
        assert "deduced values in ( )" in " ".join(on.shown(shown.verdict).split())
        deduced = [cell for cell, value in enumerate(shown.state.grid) if value and not asked.cells[cell]]
        assert on.shown(shown.board).count("(") == len([cell for cell in deduced if cell != asked.cell]) > 0


async def test_an_explanation_without_deduction_does_not_speak_of_deduced_values() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        await ask(on, "r4c5=2")
        await answered(on, 1)
        board = on.shown(shown.board)
        await on.press("x")
        assert "row 4 has 2 at r4c2 and r4c5" in " ".join(on.shown(shown.verdict).split())
        assert "see the board" not in on.shown(shown.verdict)
        assert "deduced" not in on.shown(shown.header)
        assert on.shown(shown.board) == board


async def test_an_earlier_answer_has_its_own_encoding_in_the_header_and_as_text() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        await on.press("v", "w")
        first = (await answered(on, 1)).finding.query.encoding
        await on.press("e", "w")
        second = (await answered(on, 2)).finding.query.encoding
        assert first != second
        await on.press("left")
        await on.until(lambda: first in on.shown(screen(on).header) and second not in on.shown(screen(on).header))
        await on.press("t")
        await on.at(Pager)
        await on.until(lambda: f"in SMT-LIB, {first}" in on.shown(on.app.screen.text))


async def test_the_header_names_what_the_formula_is_of() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        assert "whole board" in on.shown(shown.header)
        await on.press("w")
        await answered(on, 1)
        assert shown.state.scope == "board"
        assert shown.state.selected_unit.name in on.shown(shown.header)
        await on.press("s")
        await answered(on, 2)
        assert "whole board" in on.shown(shown.header)


async def test_an_answer_without_a_core_says_how_it_was_found() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        for number, (question, why) in enumerate((
                ("second", "Z3 forbids each solution that it finds and asks for another"),
                ("solution", "a solution needs no explanation; enter shows it"),
                ("", "the automaton accepts any word of different values")), 1):
            await (ask(on, question) if question else on.press("w"))
            await answered(on, number)
            await on.press("x")
            assert why in " ".join(on.shown(shown.verdict).split())


async def test_a_digit_is_tried_and_set() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        assert not shown.worker.loaded
        shown.state.move_cursor(5)
        await on.press("2")
        entry = await answered(on, 1)
        assert entry.finding.result == "unsat"
        said = on.shown(shown.verdict)
        assert "UNSAT" in said
        assert "r1c6 = 2: box 5 has no place left for 2" in said
        assert "▶!asked      r1c6 = 2" in on.shown(shown.formula)
        assert on.shown(shown.board).count("!") >= 2
        assert "can be 2" in on.shown(shown.strip)
        assert "f core only" in on.shown(shown.footer)
        await on.press("f")
        assert "cells" not in on.shown(shown.formula)
        assert "f show all" in on.shown(shown.footer)
        await on.press("m")
        await on.until(lambda: "minimal" in on.shown(shown.verdict))
        await on.press("x")
        assert "WHY" in on.shown(shown.verdict)
        await on.press("p")
        assert "r1c6 = 2   ctrl+z undoes it" in on.shown(shown.verdict)
        assert shown.state.cells[5] == 2
        await on.press("u")
        assert (await answered(on, 2)).finding.result == "unsat"
        await on.press("backspace", "u")
        assert (await answered(on, 3)).finding.result == "sat"
        await on.press("enter")
        assert 0 not in shown.state.grid
        await on.press("escape")
        assert 0 in shown.state.grid


async def test_words_of_one_automaton() -> None:
    async with running_app(AutomataRequest(PuzzleRecord(puzzle=empty_puzzle(2)), unit="column 2"), (80, 24)) as on:
        await on.at(Automata)
        shown = screen(on)
        for word, said in (("1234", "ACCEPTED"), ("1231", "1 is already at r1c2"), ("125", "a word of 3 values"),
                           ("1235", "5 is not in 1 to 4")):
            number = len(shown.state.questions) + 1
            await ask(on, word)
            await answered(on, number)
            assert said in " ".join(on.text.split())
        assert shown.state.selected_unit.name == "column 2"
        await on.press("w")
        first = (await answered(on, 5)).finding.word
        await on.press("w")
        assert (await answered(on, 6)).finding.word not in ((), first)
        await on.press("left", "left")
        assert shown.state.current is not None
        assert shown.state.current.number == 4


async def test_the_formula_of_an_automaton_in_another_encoding() -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        await on.press("v", "e")
        assert "distinct(r4c1, r4c2" in on.shown(shown.formula)
        await on.press("t")
        await on.at(Pager)
        assert "(distinct r4c1 r4c2" in on.text
        await on.press("escape", "E")
        assert "[r4c1=9] + [r4c2=9] + … + [r4c9=9] = 1" in on.shown(shown.formula)


@pytest.mark.sweep
async def test_a_question_is_cancelled() -> None:
    async with running_app(AutomataRequest(PuzzleRecord(puzzle=empty_puzzle(5))), (120, 36)) as on:
        await on.at(Automata)
        shown = screen(on)
        await on.press("e", "7")
        await on.until(lambda: shown.worker.loaded)
        assert "ASKING" in on.text
        await on.press("space")
        entry = await answered(on, 1)
        assert (entry.finding.result, entry.finding.because) == ("unknown", "cancelled")
        assert "UNKNOWN" in on.shown(shown.verdict)
        await on.press("V", "V", "V", "w")
        assert (await answered(on, 2)).finding.result == "sat"


@pytest.mark.parametrize(("typed", "said"), [
    ("r0c1 = 2", "row 0: expected 1 to 9"), ("r1c1 = 10", "value 10: expected 1 to 9"),
    ("diagonal 1", "this board has no diagonals"), ("nonsense!", "expected r1c6 = 2"),
    ("1.", "a word of 2 values: expected 9"), ("row 10", "row 10: expected row 1 to 9"),
])
async def test_bad_input_is_refused_in_one_sentence(typed: str, said: str) -> None:
    async with running_app(HARD, (120, 36)) as on:
        await on.at(Automata)
        await ask(on, typed)
        assert "REFUSED" in on.text
        assert said in " ".join(on.text.split())
        assert not screen(on).worker.busy


async def test_keys_without_effect_give_a_reason() -> None:
    async with running_app(AutomataRequest(packs.find("4x4:1")), (80, 24)) as on:
        await on.at(Automata)
        for key, said in (("m", "no core"), ("f", "no core"), ("x", "no question to explain"),
                          ("enter", "nothing has been asked yet"), ("p", "try a digit"),
                          ("ctrl+z", "nothing to undo"), ("ctrl+y", "nothing to redo"), ("left", "no earlier"),
                          ("right", "no later"), ("space", "no question to cancel"), ("9", "expected 1 to 4")):
            await on.press(key)
            assert said in " ".join(on.text.split()), key


@pytest.mark.sweep
async def test_the_grid_of_a_run_is_asked_about() -> None:
    async with running_app(RUN, (120, 36)) as on:
        await on.at(RunScreen)
        await on.until(lambda: not on.run_screen.snapshot.busy)
        grid = on.run_screen.snapshot.view.grid
        await on.press("slash")
        await on.at(Automata)
        assert screen(on).state.cells == grid
        await on.press("question_mark")
        await on.at(Help)
        await on.press("escape", "escape")
        await on.at(RunScreen)
        assert on.run_screen.snapshot.view.grid == grid


async def test_from_home_and_back() -> None:
    async with running_app(size=(80, 24)) as on:
        await on.at(Home)
        home = on.home
        await on.press("down", "a")
        await on.at(Automata)
        assert home.selection.entry is not None
        assert screen(on).state.puzzle == home.selection.entry.puzzle
        await on.press("escape")
        await on.at(Home)
        assert on.home is home


async def test_esc_leads_to_home_from_the_first_screen() -> None:
    async with running_app(HARD) as on:
        await on.at(Automata)
        await on.press("escape")
        await on.at(Home)
        assert not on.app.has_run


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (44, 17), (40, 12), (300, 90)])
async def test_every_size_shows_verdict_and_board_or_the_size_needed(size: tuple[int, int]) -> None:
    async with running_app(AutomataRequest(PuzzleRecord(puzzle=Puzzle((1, 1, *[0] * 14), 2))), size) as on:
        await on.at(Automata)
        await on.press("u")
        await answered(on, 1)
        if size == (40, 12):
            assert screen(on).too_small.display
        else:
            assert "NO" in on.shown(screen(on).verdict)
            assert on.shown(screen(on).board).count("!") == 2


async def test_a_question_can_be_typed_in_any_window() -> None:
    async with running_app(HARD, (8, 3)) as on:
        await on.at(Automata)
        await on.press("slash", *"unique", "enter")
        assert (await answered(on, 1)).finding.query.topic == "unique"


@pytest.mark.sweep
async def test_solutions_are_counted() -> None:
    async with running_app(AutomataRequest(PuzzleRecord(puzzle=empty_puzzle(2))), (120, 36)) as on:
        await on.at(Automata)
        await on.press("n")
        entry = await answered(on, 1)
        assert (entry.finding.count, entry.finding.exact) == (10, False)
        assert "how many solutions? at least 10" in on.shown(screen(on).verdict)
        await ask(on, "count 300")
        entry = await answered(on, 2)
        assert "how many solutions? exactly 288 solutions" in on.shown(screen(on).verdict)
        assert "288" in on.shown(screen(on).questions)
