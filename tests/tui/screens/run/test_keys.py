"""The keys of the Laboratory: playing, finding, changing, saving, leaving."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run import run_file
from tests.patience import PATIENCE
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, SMALL, SOLUTION, Small, SmallParams, SmallState
from tui.app import SudokuApp
from tui.playback.loading import pending_run
from tui.requests import AppRequest, NewRun
from tui.screens.dialogs.pager import Pager
from tui.screens.hands_on import HandsOnScreen
from tui.screens.run import presenter
from tui.screens.run.dialogs import BranchList, BreakpointList
from tui.screens.run.parameter_form import ParameterForm
from tui.screens.run.screen import RunScreen
from tui.terminal.capabilities import Capabilities


async def test_it_opens_paused_with_a_hint_to_start() -> None:
    async with open_run() as on:
        assert (on.step, on.run_screen.snapshot.state) == (0, "PAUSED")
        assert "READY" in on.said
        assert "PAUSED" in on.shown(on.run_screen.header)
        assert "Small annealing · hard 1 · seed 7" in on.shown(on.run_screen.header)
        assert "cool" not in on.shown(on.run_screen.program)
        assert "T ← α·T" in on.shown(on.run_screen.program)


async def test_it_opens_playing_when_asked_to() -> None:
    async with open_run(play=True, speed="max") as on:
        await on.until(lambda: on.run_screen.snapshot.state == "SOLVED")
        assert on.step == END
        assert "SOLVED" in on.said
        assert "SOLVED" in on.shown(on.run_screen.header)
        assert on.run_screen.snapshot.view.grid == SOLUTION
        assert "!" not in on.shown(on.run_screen.board)


async def test_arrows_step_both_ways() -> None:
    async with open_run() as on:
        await on.press("right", "right", "right")
        await on.at(3)
        assert "NEW BEST" in on.said
        assert "E 34 → 31" in on.said
        await on.press("left")
        await on.at(2)
        assert "2 · recorded 3" in on.shown(on.run_screen.timeline.transport)
        assert "recorded 3" in on.shown(on.run_screen.timeline.transport)


@pytest.mark.parametrize(("forward", "back"), [("shift+right", "shift+left"), ("semicolon", "comma")])
async def test_a_thousand_steps(forward: str, back: str) -> None:
    async with open_run() as on:
        await on.press(forward)
        await on.at(1000)
        await on.press("right", back)
        await on.at(1)


async def test_plateaus_home_and_end() -> None:
    async with open_run() as on:
        await on.press("greater_than_sign", "greater_than_sign")
        await on.at(2 * PLATEAU)
        assert "COOLED" in on.said
        await on.press("less_than_sign")
        await on.at(PLATEAU)
        await on.press("home")
        await on.at(0)
        await on.press("end")
        await on.at(2 * PLATEAU)


async def test_space_runs_and_pauses_and_backspace_runs_backwards() -> None:
    async with open_run(speed="1000") as on:
        await on.press("space")
        await on.until(lambda: on.step > 20)
        assert "RUNNING" in on.shown(on.run_screen.header)
        await on.press("space")
        await on.until(lambda: on.run_screen.snapshot.state == "PAUSED")
        await on.press("backspace")
        await on.at(0)
        assert on.run_screen.snapshot.recorded > 20
        await on.press("backspace")
        await on.until(lambda: "START OF RUN" in on.said)


async def test_find_keys() -> None:
    async with open_run() as on:
        await on.press("u")
        await on.until(lambda: on.step > 0)
        first = on.step
        assert "ACCEPTED UPHILL" in on.said
        assert "▲" in on.shown(on.run_screen.timeline.events)
        await on.press("u", "U")
        await on.at(first)
        await on.press("r")
        await on.at(REHEAT)
        assert "REHEAT" in on.said
        assert "↻ reheat" in on.shown(on.run_screen.timeline.heading)
        await on.press("R")
        await on.until(lambda: "NOT FOUND" in on.said)
        assert on.step == REHEAT
        await on.press("b")
        await on.until(lambda: on.step > REHEAT)
        assert "NEW BEST" in on.said
        later = on.step
        await on.press("B")
        await on.until(lambda: on.step < later)
        assert "NEW BEST" in on.said


async def test_keys_go_to_dead_ends_where_a_search_has_them() -> None:
    puzzle = Puzzle.from_line("12....3.........")
    async with open_run(solver=registry.solver("backtrack"), puzzle=puzzle) as on:
        assert "d dead end" in on.shown(on.run_screen.footer)
        await on.press("d")
        await on.at(2)
        assert "DEAD END" in on.said
        await on.press("right")
        await on.at(3)
        assert "D last dead end" in on.shown(on.run_screen.footer)
        await on.press("D")
        await on.at(2)
    async with open_run() as on:
        assert "dead end" not in on.shown(on.run_screen.footer)
        await on.press("d")
        await on.until(lambda: "dead end" in on.said)
        assert on.step == 0


async def test_at_the_end_no_key_is_offered_for_events_that_the_run_has_not_had() -> None:
    async with open_run(solver=registry.solver("ac3")) as on:
        assert "d dead end" in on.shown(on.run_screen.footer)
        await on.press("plus", "plus", "plus", "plus", "space")
        await on.until(lambda: on.run_screen.snapshot.state in ("GAVE UP", "SOLVED"))
        await on.until(lambda: "dead end" not in on.shown(on.run_screen.footer))


async def test_the_key_of_a_merge_is_called_so() -> None:
    for name, word, other in (("swarm", "m merge", "m better"), ("ga-rows", "m better", "m merge")):
        async with open_run(solver=registry.solver(name)) as on:
            assert word in on.shown(on.run_screen.footer)
            assert other not in on.shown(on.run_screen.footer)


async def test_a_step_brings_its_reason_back_where_the_line_of_a_cell_had_its_place() -> None:
    async with open_run((120, 36), registry.solver("norvig")) as on:
        await on.go(3)
        screen = on.run_screen
        because = screen.snapshot.readout.because
        assert because is not None
        assert because.text in on.shown(screen.verdict)
        await on.press("l")
        await on.until(lambda: because.text not in on.shown(screen.verdict))
        assert "r5c5" in on.shown(screen.cell)
        await on.press("right")
        await on.at(4)
        because = screen.snapshot.readout.because
        assert because is not None
        assert because.text in on.shown(screen.verdict)
        assert screen.cursor is not None


async def test_go_to_a_step() -> None:
    async with open_run() as on:
        await on.go(777)
        await on.press("g", *"-77", "enter")
        await on.at(700)
        await on.press("g", *"1.5x", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        assert "1.5x" in on.said
        await on.press("g", "5", "escape")
        await on.until(lambda: isinstance(on.app.screen, RunScreen))
        assert on.step == 700


@pytest.mark.sweep
async def test_a_refusal_while_running_stays_readable() -> None:
    async with open_run(speed="10") as on:
        await on.press("space", "colon", *"T=hot", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        seen = on.run_screen.snapshot.playhead
        await on.until(lambda: on.run_screen.snapshot.playhead > seen)
        assert "T = hot: expected a number" in on.said


@asynccontextmanager
async def loading_run(clock: Callable[[], float] = time.monotonic, size: tuple[int, int] = (120, 36),
                      given: frozenset[str] = frozenset()) -> AsyncIterator[tuple[RunDriver, threading.Event]]:
    """A run of a solver that is being loaded until the event is set. `given`: the parts that its views have."""
    may_begin = threading.Event()

    class Slow(Small):
        gives = given

        def init(self, puzzle: Puzzle, params: SmallParams, seed: int) -> SmallState:
            may_begin.wait(PATIENCE)
            return super().init(puzzle, params, seed)

    slow = Slow()
    with registry.lent(slow):
        asked = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "small", {}, 7)))
    app = SudokuApp(AppRequest(NewRun(PUZZLE, "hard 1", "anneal", {}, 7)), Capabilities("256", True), guarded=False)
    app._run = RunScreen(asked, clock=clock)
    async with app.run_test(size=size) as pilot:
        try:
            yield RunDriver(app, pilot), may_begin
        finally:
            may_begin.set()


async def test_while_loading_it_counts_seconds() -> None:
    now = 100.0
    async with loading_run(lambda: now) as (on, may_begin):
        now += 7.2
        await on.until(lambda: "7 s" in on.said)
        assert "PREPARING" in on.said
        run_screen = on.app.screen
        await on.press("H")
        await on.until(lambda: isinstance(on.app.screen, HandsOnScreen) and "7 s" in on.shown(on.app.screen.verdict))
        await on.press("escape", "p")
        assert on.app.screen is run_screen
        may_begin.set()
        await on.until(lambda: isinstance(on.app.screen, ParameterForm))  # the key was kept
        await on.press("escape")
        await on.until(lambda: "READY" in on.said)


@pytest.mark.parametrize(("key", "kind"), [("full_stop", BreakpointList), ("w", BranchList)])
async def test_a_list_that_is_asked_for_while_the_run_is_prepared_opens_then(key: str, kind: type[Screen[Any]]) -> None:
    async with loading_run() as (on, may_begin):
        await on.until(lambda: "PREPARING" in on.said)
        await on.press(key)
        may_begin.set()
        await on.until(lambda: isinstance(on.app.screen, kind))


async def test_what_was_asked_for_does_not_open_over_another_screen() -> None:
    async with loading_run() as (on, may_begin):
        await on.until(lambda: "PREPARING" in on.said)
        run_screen = on.app.screen
        await on.press("p", "H")
        await on.until(lambda: isinstance(on.app.screen, HandsOnScreen))
        may_begin.set()
        await on.until(lambda: not run_screen.snapshot.busy and run_screen._when_at_rest is None)
        assert isinstance(on.app.screen, HandsOnScreen)
        await on.press("escape")
        await on.until(lambda: on.app.screen is run_screen)


async def test_a_tab_without_its_panel_is_not_called_the_setup() -> None:
    async with loading_run(size=(80, 24), given=frozenset({"panel"})) as (on, _may_begin):
        await on.until(lambda: "PREPARING" in on.said)
        await on.press("4")
        assert on.app.screen.tabs.titles[-1] == "Panel"
        assert any("The open tab is Panel: the data of the solver." in said for said in on.app.screen.help_now())


async def test_a_help_that_was_opened_while_loading_shows_the_loaded_run() -> None:
    """It went on to say that the run is being prepared, and the page of the gauges stayed empty."""
    def text() -> str:
        return on.shown(on.app.screen.text) if isinstance(on.app.screen, Pager) else ""

    async with loading_run() as (on, may_begin):
        await on.until(lambda: "PREPARING" in on.said)
        await on.press("question_mark")
        await on.until(lambda: "being prepared" in text())
        await on.press("3")
        await on.until(lambda: "Gauges" in text())
        assert "best" not in text()
        may_begin.set()
        await on.until(lambda: "best" in text())
        await on.press("escape")
        await on.until(lambda: "paused at step 0" in text())
        await on.press("3")
        await on.until(lambda: "best" in text())


@pytest.mark.parametrize("key", ["left_square_bracket", "right_square_bracket"])
async def test_a_temperature_that_is_not_there_yet_is_neither_offered_nor_given_a_number(key: str) -> None:
    async with open_run((120, 36), registry.solver("anneal-lewis"), packs.find("easy:1").puzzle) as on:
        await on.press(key)
        await on.until(lambda: "T cannot be set yet: the search itself has not begun" in on.said)
        assert "[ ] T" not in on.shown(on.run_screen.footer)


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_candidates_refer_to_a_line_about_a_cell_only_where_there_is_one(size: tuple[int, int]) -> None:
    large = packs.find("16x16:1").puzzle
    for name, said, rest in (("norvig", "candidates need a window", "are listed"),
                             ("anneal", "keeps no candidates", "what the givens allow")):
        for puzzle, has in ((large, False), (packs.find("easy:1").puzzle, True)):
            async with open_run(size, registry.solver(name), puzzle) as on:
                if name == "norvig" and has:
                    continue  # a window of this size has room for them
                await on.press("c")
                await on.until(lambda said=said: said in on.said)
                assert (rest in on.said) == has


async def test_speed_keys() -> None:
    async with open_run() as on:
        await on.press("plus")
        await on.until(lambda: "×2 000/s" in on.shown(on.run_screen.timeline.transport))
        await on.press("minus", "minus")
        await on.until(lambda: "×500/s" in on.shown(on.run_screen.timeline.transport))
        assert on.run_screen.snapshot.state == "PAUSED"
        await on.press("exclamation_mark")
        await on.at(END)
        assert "flat out" in on.shown(on.run_screen.timeline.transport)
        await on.press("exclamation_mark")
        await on.until(lambda: "×500/s" in on.shown(on.run_screen.timeline.transport))


@pytest.mark.sweep
async def test_the_temperature_is_a_knob() -> None:
    async with open_run() as on:
        await on.press("right", "right_square_bracket")
        await on.until(lambda: "BY HAND" in on.said)
        assert "1.00 → 1.10" in on.said
        assert "1.100" in on.shown(on.run_screen.gauges)
        await on.go(50)
        await on.press("left", "left_square_bracket")
        await on.until(lambda: "NEW BRANCH" in on.said)
        assert "after step 49" in on.said
        assert on.run_screen.snapshot.recorded == 49


@pytest.mark.sweep
async def test_a_parameter_is_set_by_name_or_symbol() -> None:
    async with open_run() as on:
        await on.press("colon", *"α=0.5", "enter")
        await on.until(lambda: "α 0.5" in on.shown(on.run_screen.parameters))
        await on.press("colon", *"alpha = 2", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        assert "alpha = 2" in on.said
        await on.press("colon", *"set alpha 0.25", "enter")
        await on.until(lambda: "α 0.25" in on.shown(on.run_screen.parameters))
        await on.press("colon", *"alpha 0.75", "enter")
        await on.until(lambda: "α 0.75" in on.shown(on.run_screen.parameters))
        await on.press("colon", *"beta = 2", "enter")
        await on.until(lambda: "beta" in on.said)
        await on.press("colon", *"T=0.7", "enter")
        await on.until(lambda: "0.700" in on.shown(on.run_screen.gauges))


async def test_saving_reports_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with open_run() as on:
        await on.go(30)
        await on.press("ctrl+s")
        await on.until(lambda: "SAVED" in on.said)
        await on.press("ctrl+s")
        saved = tmp_path / "sudoku-tui" / "runs"
        await on.until(lambda: len(list(saved.glob("*.run"))) == 2)
        names = sorted(path.name for path in saved.iterdir())
        assert names == ["small-hard-1-seed-7-1.run", "small-hard-1-seed-7-2.run"]
        assert run_file.load(saved / names[0])[0].recorded == 30


async def test_a_run_file_opens_at_its_playhead(tmp_path: Path) -> None:
    from engine.run.run import Run

    run = Run.start(SMALL, PUZZLE, None, 7)
    run.advance(90)
    run.seek(40)
    run_file.save(run, tmp_path / "kept.run")
    with registry.lent(SMALL):
        app = SudokuApp(AppRequest(tmp_path / "kept.run"), Capabilities("truecolor", True), guarded=False)
        async with app.run_test(size=(120, 36)) as pilot:
            on = RunDriver(app, pilot)
            await on.at(40)
            assert on.run_screen.snapshot.recorded == 90
            assert "OPENED" in on.said


async def test_ctrl_c_says_how_to_quit_and_quits_if_pressed_again() -> None:
    async with open_run() as on:
        for _times in range(2):
            await on.press("ctrl+c")
            await on.until(lambda: "q quits, and so does ctrl+c again   space runs and pauses" in on.said)
            await on.press("right")
            await on.until(lambda: "q quits" not in on.said)
        assert on.app.is_running


@pytest.mark.parametrize(("name", "word"), [
    ("swarm", "merge"), ("swarm-velocity", ""), ("ga-memetic", "better child"), ("anneal", "")])
def test_a_search_for_the_next_improvement_names_what_the_solver_has(name: str, word: str) -> None:
    assert presenter.improvement(registry.solver(name)) == word


async def test_what_a_solver_never_does_is_not_searched_for() -> None:
    async with open_run(solver=registry.solver("anneal")) as on:
        await on.press("m")
        await on.until(lambda: "no better child or merge is ever reported in this run" in on.said)
        await on.press("d")
        await on.until(lambda: "no dead end is ever reported in this run" in on.said)


@pytest.mark.parametrize(("name", "word", "shown"), [
    ("backtrack-mrv", "dead end", False), ("dlx", "dead end", False), ("norvig", "guess", False),
    ("backtrack", "dead end", True)])
async def test_the_footer_of_an_ended_run_names_no_period_that_it_does_not_have(
        name: str, word: str, shown: bool) -> None:
    puzzle = packs.find("hard:3" if shown else "easy:1").puzzle
    async with open_run((120, 36), registry.solver(name), puzzle) as on:
        await on.press("exclamation_mark")
        await on.until(lambda: on.run_screen.snapshot.state == "SOLVED")
        await on.until(lambda: (word in on.shown(on.run_screen.footer)) is shown)


@pytest.mark.parametrize(("size", "key", "words"), [
    ((80, 24), "7", "there are 4 tabs: 1 2 3 4 open them"), ((120, 36), "5", "this window shows all panes at once"),
    ((120, 36), "2", "this window shows all panes at once"),
    ((200, 60), "9", "this window shows all panes at once")])
async def test_a_digit_that_opens_no_tab_says_so(size: tuple[int, int], key: str, words: str) -> None:
    async with open_run(size) as on:
        await on.press(key)
        await on.until(lambda: words in on.said)


async def test_the_message_about_panes_ends_when_they_have_room() -> None:
    """It went on to say that there is no room beside the very panes."""
    async with open_run((120, 36), registry.solver("norvig")) as on:
        await on.go(4)
        await on.press("1")
        await on.until(lambda: "no room for Gauges" in on.said)
        await on.press("c")
        await on.until(lambda: on.run_screen.gauges.display and "no room" not in on.said)
        await on.press("c", "1")
        await on.until(lambda: "no room for Gauges" in on.said)
        await on.pilot.resize_terminal(80, 24)
        await on.until(lambda: "no room" not in on.said)


@pytest.mark.parametrize(("name", "words"), [
    ("norvig", "no room for Gauges, Setup, Log; without candidates (c) there is more"),
    ("anneal-propagate", "this window has no room for Log; a larger one has")])
async def test_a_digit_names_the_panes_that_have_no_room(name: str, words: str) -> None:
    async with open_run((120, 36), registry.solver(name)) as on:
        await on.go(3)
        await on.press("3")
        await on.until(lambda: words in on.said)


@pytest.mark.parametrize("key", ["0", "5", "9"])
async def test_beside_a_population_a_digit_without_a_view_names_those_that_have_one(key: str) -> None:
    async with open_run((120, 36), registry.solver("swarm")) as on:
        await on.press(key)
        await on.until(lambda: "1 shows the other panes, 4 the population" in on.said)


@pytest.mark.parametrize(("size", "puzzle"), [((80, 24), Puzzle((0,) * 256, 4)), ((60, 20), PUZZLE)])
@pytest.mark.parametrize("key", ["2", "9", "tab"])
async def test_a_window_without_room_for_tabs_says_so(size: tuple[int, int], puzzle: Puzzle, key: str) -> None:
    async with open_run(size, registry.solver("backtrack"), puzzle) as on:
        await on.press(key)
        await on.until(lambda: "this window has no room" in on.said)


async def test_enter_without_a_choice_says_so() -> None:
    async with open_run() as on:
        await on.press("enter")
        await on.until(lambda: "this solver makes no choices" in on.said)


async def test_a_solver_that_nothing_can_change_offers_no_branches() -> None:
    async with open_run((80, 24), registry.solver("ac3")) as on:
        await on.go(2)
        assert {"undo", "redo", "next-branch", "branches"} <= on.run_screen.idle_actions()
        await on.press("v")
        await on.until(lambda: "nothing can be changed during a run" in " ".join(on.said.split()))


@pytest.mark.parametrize("keys", [["q"], ["ctrl+q"], ["ctrl+c", "ctrl+c"]])
async def test_quit(keys: list[str]) -> None:
    async with open_run() as on:
        await on.press(*keys)
        await on.until(lambda: not on.app.is_running)
        assert on.app.code == 0


class Unwilling(Small):
    """Takes no puzzle."""

    def init(self, puzzle: Puzzle, params: object, seed: int) -> object:  # type: ignore[override]
        from engine.errors import PuzzleError

        raise PuzzleError("no two free cells share a row: nothing can be swapped")


async def test_a_refused_puzzle_is_one_sentence_on_the_screen() -> None:
    async with open_run(solver=Unwilling()) as on:
        assert on.run_screen.snapshot.state == "FAILED"
        assert "nothing can be swapped" in on.said
        await on.press("right", "space", "u", "H")
        assert on.run_screen.snapshot.state == "FAILED"
        assert on.app.screen is on.run_screen
        await on.press("q")


async def test_at_the_start_the_verdict_line_names_keys() -> None:
    async with open_run() as on:
        await on.press("right")
        await on.at(1)
        assert "READY" not in on.said
        await on.press("left")
        await on.at(0)
        assert "READY" in on.said


@pytest.mark.parametrize(("name", "preset", "word"), [
    ("anneal-linear", "default", "sweep"), ("anneal-lewis", "default", "reheat that changes T"),
    ("anneal-reheat", None, "restart or reheat that changes T"), ("hill-climb", "restarts", "restart"),
    ("hill-climb", "default", ""), ("tabu", None, "restart")])
def test_a_search_for_the_next_turning_point_names_what_the_solver_can_do(name: str, preset: str | None,
                                                                          word: str) -> None:
    solver = registry.solver(name)
    assert presenter.turning_point(solver, solver.make_params(preset)) == word
