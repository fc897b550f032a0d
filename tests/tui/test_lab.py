"""The laboratory under its keys and the mouse, with a small solver in the player's thread."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from engine import registry, runfile
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.view import Gauge
from tests.patience import PATIENCE, until
from tests.tui.small import END, PLATEAU, PUZZLE, REHEAT, SMALL, SOLUTION, Small, SmallParams, SmallState
from tui.application import SudokuApp
from tui.opening import opening
from tui.request import LabRequest, NewRun
from tui.screens import showing
from tui.screens.help import Help
from tui.screens.lab import Lab
from tui.screens.prompt import Prompt
from tui.terminal.capabilities import Capabilities
from tui.widgets.pane import Pane
from tui.widgets.rows import plain


class Bench:
    """A laboratory under test."""

    def __init__(self, app: SudokuApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def lab(self) -> Lab:
        return self.app.lab

    @property
    def step(self) -> int:
        return self.lab.moment.playhead

    async def until(self, what: Callable[[], object]) -> None:
        await until(self.pilot, what, lambda: f"still {self.lab.moment.state} at {self.step}: {self.said}")

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def at(self, step: int) -> None:
        await self.until(lambda: self.step == step and not self.lab.moment.busy)

    async def go(self, step: int) -> None:
        """To a step, by the prompt."""
        await self.press("g")
        await self.until(lambda: isinstance(self.app.screen, Prompt))
        await self.press(*str(step), "enter")
        await self.at(step)

    def shown(self, pane: Pane) -> str:
        return "\n".join(plain(pane._shown))

    @property
    def said(self) -> str:
        return self.shown(self.lab.verdict)


@asynccontextmanager
async def bench(size: tuple[int, int] = (120, 36), solver: AnySolver = SMALL, puzzle: Puzzle = PUZZLE,
                depth: str = "truecolor", **request: object) -> AsyncIterator[Bench]:
    with registry.lent(solver):
        asked = LabRequest(NewRun(puzzle, "hard 1", solver.name, {}, 7), **request)  # type: ignore[arg-type]
        app = SudokuApp(asked, Capabilities(depth, True), guarded=False)  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            on = Bench(app, pilot)
            await on.until(lambda: not on.lab.moment.busy or request.get("play"))
            yield on


async def test_it_opens_paused_and_says_how_to_begin() -> None:
    async with bench() as on:
        assert (on.step, on.lab.moment.state) == (0, "PAUSED")
        assert "READY" in on.said
        assert "PAUSED" in on.shown(on.lab.header)
        assert "Small annealing · hard 1 · seed 7" in on.shown(on.lab.header)
        assert "cool" not in on.shown(on.lab.program)
        assert "T ← α·T" in on.shown(on.lab.program)


async def test_it_opens_playing_when_asked_to() -> None:
    async with bench(play=True, speed="max") as on:
        await on.until(lambda: on.lab.moment.state == "SOLVED")
        assert on.step == END
        assert "SOLVED" in on.said
        assert "SOLVED" in on.shown(on.lab.header)
        assert on.lab.moment.view.grid == SOLUTION
        assert "!" not in on.shown(on.lab.board)


async def test_arrows_step_both_ways() -> None:
    async with bench() as on:
        await on.press("right", "right", "right")
        await on.at(3)
        assert "NEW BEST" in on.said
        assert "E 34 → 31" in on.said
        await on.press("left")
        await on.at(2)
        assert "/ 4" in on.shown(on.lab.transport)
        assert "recorded 3" in on.shown(on.lab.transport)


@pytest.mark.parametrize(("forward", "back"), [("shift+right", "shift+left"), ("semicolon", "comma")])
async def test_a_thousand_steps(forward: str, back: str) -> None:
    async with bench() as on:
        await on.press(forward)
        await on.at(1000)
        await on.press("right", back)
        await on.at(1)


async def test_plateaus_home_and_end() -> None:
    async with bench() as on:
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
    async with bench(speed="1000") as on:
        await on.press("space")
        await on.until(lambda: on.step > 20)
        assert "RUNNING" in on.shown(on.lab.header)
        await on.press("space")
        await on.until(lambda: on.lab.moment.state == "PAUSED")
        await on.press("backspace")
        await on.at(0)
        assert on.lab.moment.recorded > 20


async def test_find_keys() -> None:
    async with bench() as on:
        await on.press("u")
        await on.until(lambda: on.step > 0)
        first = on.step
        assert "ACCEPTED UPHILL" in on.said
        assert "▲" in on.shown(on.lab.events_lane)
        await on.press("u", "U")
        await on.at(first)
        await on.press("r")
        await on.at(REHEAT)
        assert "REHEAT" in on.said
        assert "↻ reheat" in on.shown(on.lab.heading)
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


async def test_go_to_a_step() -> None:
    async with bench() as on:
        await on.go(777)
        await on.press("g", *"-77", "enter")
        await on.at(700)
        await on.press("g", *"1.5x", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        assert "1.5x" in on.said
        await on.press("g", "5", "escape")
        await on.until(lambda: isinstance(on.app.screen, Lab))
        assert on.step == 700


async def test_what_is_refused_while_it_runs_can_be_read() -> None:
    async with bench(speed="10") as on:
        await on.press("space", "colon", *"T=hot", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        seen = on.lab.moment.playhead
        await on.until(lambda: on.lab.moment.playhead > seen)
        assert "T = hot: expected a number" in on.said


async def test_while_it_is_made_ready_it_says_for_how_long() -> None:
    may_begin = threading.Event()

    class Slow(Small):
        def init(self, puzzle: Puzzle, params: SmallParams, seed: int) -> SmallState:
            may_begin.wait(PATIENCE)
            return super().init(puzzle, params, seed)

    now = 100.0
    slow = Slow()
    with registry.lent(slow):
        asked = opening(LabRequest(NewRun(PUZZLE, "hard 1", "small", {}, 7)))
    lab = Lab(asked, clock=lambda: now)
    app = SudokuApp(LabRequest(NewRun(PUZZLE, "hard 1", "anneal", {}, 7)), Capabilities("256", True), guarded=False)
    app._lab = lab
    async with app.run_test(size=(120, 36)) as pilot:
        on = Bench(app, pilot)
        try:
            now += 7.2
            await on.until(lambda: "7 s" in on.said)
            assert "COMPILING" in on.said
        finally:
            may_begin.set()
        await on.until(lambda: "READY" in on.said)


async def test_speed_keys() -> None:
    async with bench() as on:
        await on.press("plus")
        await on.until(lambda: "×2 000/s" in on.shown(on.lab.transport))
        await on.press("minus", "minus")
        await on.until(lambda: "×500/s" in on.shown(on.lab.transport))
        assert on.lab.moment.state == "PAUSED"
        await on.press("exclamation_mark")
        await on.at(END)
        assert "flat out" in on.shown(on.lab.transport)
        await on.press("exclamation_mark")
        await on.until(lambda: "×500/s" in on.shown(on.lab.transport))


async def test_the_temperature_is_a_knob() -> None:
    async with bench() as on:
        await on.press("right", "right_square_bracket")
        await on.until(lambda: "BY HAND" in on.said)
        assert "1.00 → 1.10" in on.said
        assert "1.100" in on.shown(on.lab.gauges)
        await on.go(50)
        await on.press("left", "left_square_bracket")
        await on.until(lambda: "NEW BRANCH" in on.said)
        assert "after step 49" in on.said
        assert on.lab.moment.recorded == 49


async def test_a_parameter_is_set_by_name_or_symbol() -> None:
    async with bench() as on:
        await on.press("colon", *"α=0.5", "enter")
        await on.until(lambda: "α 0.5" in on.shown(on.lab.setup))
        await on.press("colon", *"alpha = 2", "enter")
        await on.until(lambda: "REFUSED" in on.said)
        assert "alpha = 2" in on.said
        await on.press("colon", *"beta = 2", "enter")
        await on.until(lambda: "beta" in on.said)
        await on.press("colon", *"T=0.7", "enter")
        await on.until(lambda: "0.700" in on.shown(on.lab.gauges))


async def test_the_cell_cursor() -> None:
    async with bench() as on:
        await on.press("h")
        assert on.lab.cursor == 40
        assert "r5c5" in on.shown(on.lab.cell)
        await on.press("h", "j", "l", "l", "k")
        assert on.lab.cursor == 41
        assert ">" in on.shown(on.lab.board)
        await on.press("k", "k", "k", "k", "k")
        assert on.lab.cursor == 8 * 9 + 5
        await on.press("escape")
        assert on.lab.cursor is None
        assert ">" not in on.shown(on.lab.board)


async def test_tabs_at_80x24() -> None:
    async with bench((80, 24)) as on:
        await on.go(30)
        shown = [on.lab.gauges, on.lab.program, on.lab.log_pane, on.lab.setup]
        for tab, pane in enumerate(shown, 1):
            await on.press(str(tab))
            await on.until(lambda tab=tab: on.lab.tab == tab)  # type: ignore[misc]
            assert [each.display for each in shown] == [each is pane for each in shown]
        await on.press("tab")
        assert on.lab.tab == 1
        await on.press("shift+tab")
        assert on.lab.tab == 4
        await on.pilot.click(on.lab.tabs, offset=(13, 0))
        assert on.lab.tab == 2
        await on.until(lambda: "T ← α·T" in on.shown(on.lab.program))
        assert "Program" not in on.shown(on.lab.program)


async def test_light_and_ascii() -> None:
    async with bench() as on:
        await on.go(100)
        assert on.app.look.palette.name == "dark"
        await on.press("L")
        assert on.app.look.palette.name == "light"
        await on.press("A")
        await on.until(lambda: on.app.look.glyphs.ascii)
        for pane in on.lab.panes.values():
            assert on.shown(pane).isascii(), pane
        await on.press("L", "A")
        assert on.app.look.palette.name == "dark"
        assert not on.app.look.glyphs.ascii


async def test_the_help_names_every_key_and_closes() -> None:
    async with bench((80, 24)) as on:
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.query_one(Pane)._shown)
        page = on.shown(on.app.screen.query_one(Pane))
        for _page in range(2):
            await on.press("space")
            page += on.shown(on.app.screen.query_one(Pane))
        for words in ("run or pause", "one plateau", "T down, up", "quit", "save the run", "reheat or restart"):
            assert words in page
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, Lab))


async def test_the_footer_drops_keys_but_never_help_and_quit() -> None:
    for width in (60, 80, 120):
        async with bench((width, 36)) as on:
            line = on.shown(on.lab.keys)
            assert line.rstrip().endswith("? help   q quit")
            assert line.startswith(" space run")


async def test_saving_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with bench() as on:
        await on.go(30)
        await on.press("ctrl+s")
        await on.until(lambda: "SAVED" in on.said)
        await on.press("ctrl+s")
        saved = tmp_path / "sudoku-tui" / "runs"
        await on.until(lambda: len(list(saved.glob("*.run"))) == 2)
        names = sorted(path.name for path in saved.iterdir())
        assert names == ["small-hard-1-seed-7-1.run", "small-hard-1-seed-7-2.run"]
        assert runfile.load(saved / names[0])[0].recorded == 30


async def test_a_run_file_is_opened_where_it_was(tmp_path: Path) -> None:
    from engine.run import Run

    run = Run.start(SMALL, PUZZLE, None, 7)
    run.advance(90)
    run.seek(40)
    runfile.save(run, tmp_path / "kept.run")
    with registry.lent(SMALL):
        app = SudokuApp(LabRequest(tmp_path / "kept.run"), Capabilities("truecolor", True), guarded=False)
        async with app.run_test(size=(120, 36)) as pilot:
            on = Bench(app, pilot)
            await on.at(40)
            assert on.lab.moment.recorded == 90
            assert "OPENED" in on.said


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
async def test_quit(key: str) -> None:
    async with bench() as on:
        await on.press(key)
        await on.until(lambda: not on.app.is_running)
        assert on.app.code == 0


# The mouse


async def test_a_click_on_the_timeline_seeks_and_dragging_follows() -> None:
    async with bench() as on:
        await on.go(1000)
        axis = on.lab.scrubber.frame.axis(on.lab.scrubber.size.width)
        await on.pilot.click(on.lab.scrubber, offset=(5 + 30, 0))
        await on.at(axis.first_step(30))
        await on.pilot.click(on.lab.chart, offset=(5 + 50, 3))
        await on.at(axis.first_step(50))
        await on.pilot.mouse_down(on.lab.scrubber, offset=(5 + 10, 0))
        await on.pilot.hover(on.lab.scrubber, offset=(5 + 20, 0))
        await on.pilot.mouse_up(on.lab.scrubber, offset=(5 + 20, 0))
        await on.at(axis.first_step(20))
        await on.pilot.click(on.lab.scrubber, offset=(5 + axis.width - 1, 0))
        await on.at(1000)


async def test_buttons_and_cells_can_be_clicked() -> None:
    async with bench() as on:
        row = on.shown(on.lab.transport)
        await on.pilot.click(on.lab.transport, offset=(row.index("▶▶"), 0))
        await on.at(1000)
        await on.pilot.click(on.lab.transport, offset=(row.index("◀ "), 0))
        await on.at(0)
        await on.pilot.click(on.lab.transport, offset=(row.index("▶"), 0))
        await on.at(1)
        await on.pilot.click(on.lab.board, offset=(4, 1))
        assert on.lab.cursor == 0


# Other solvers and colours


@pytest.mark.parametrize("depth", ["16", "mono", "256"])
async def test_every_colour_depth(depth: str) -> None:
    async with bench(depth=depth) as on:
        await on.go(REHEAT + 5)
        assert on.app.look.palette.native is (depth != "256")
        assert "[" in on.shown(on.lab.board)


class Unwilling(Small):
    """Takes no puzzle."""

    def init(self, puzzle: Puzzle, params: object, seed: int) -> object:  # type: ignore[override]
        from engine.errors import PuzzleError

        raise PuzzleError("no two free cells share a row: nothing can be swapped")


async def test_a_puzzle_that_the_solver_refuses_is_one_sentence_on_the_screen() -> None:
    async with bench(solver=Unwilling()) as on:
        assert on.lab.moment.state == "FAILED"
        assert "nothing can be swapped" in on.said
        await on.press("right", "space", "u")
        assert on.lab.moment.state == "FAILED"
        await on.press("q")


async def test_at_the_start_the_verdict_line_says_what_to_do() -> None:
    async with bench() as on:
        await on.press("right")
        await on.at(1)
        assert "READY" not in on.said
        await on.press("left")
        await on.at(0)
        assert "READY" in on.said


async def test_e_and_best_have_bars_that_share_a_scale() -> None:
    async with bench() as on:
        await on.press("shift+right")
        await on.at(1000)
        moment = on.lab.moment
        bare = replace(moment.slow, gauges=(Gauge("E", "10"), Gauge("best", "4", role="best"), Gauge("nodes", "7")))
        shown = showing.gauges(replace(moment, slow=bare), on.lab.opening.solver.channels)
        assert moment.history.values[:, 0].max() == 40
        assert [gauge.share for gauge in shown] == [10 / 40, 4 / 40, None]
