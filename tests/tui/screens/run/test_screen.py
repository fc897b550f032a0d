"""The Laboratory: cursor, tabs, looks, help and mouse."""

from __future__ import annotations

import re
import threading

import pytest
from msgspec.structs import replace

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.view import Gauge, Sentence
from tests.patience import PATIENCE
from tests.tui.run_driver import open_run
from tests.tui.small import REHEAT
from tui import messages
from tui.playback.commands import Command, Halt
from tui.playback.snapshot import RunState
from tui.screens import hints
from tui.screens.dialogs.help import Help
from tui.screens.run import presenter
from tui.screens.run.screen import RunScreen
from tui.widgets.pane import Pane
from tui.widgets.panels.panel import panel_rows
from tui.widgets.rows import Space, plain


async def test_the_cell_cursor() -> None:
    async with open_run() as on:
        await on.press("h")
        assert on.run_screen.cursor == 40
        assert "r5c5" in on.shown(on.run_screen.cell)
        await on.press("h", "j", "l", "l", "k")
        assert on.run_screen.cursor == 41
        assert ">" in on.shown(on.run_screen.board)
        await on.press("k", "k", "k", "k", "k")
        assert on.run_screen.cursor == 8 * 9 + 5
        await on.press("escape")
        assert on.run_screen.cursor is None
        assert ">" not in on.shown(on.run_screen.board)
        await on.press("escape")
        await on.until(lambda: "n opens a new run" in on.said)
        assert on.app.screen is on.run_screen


async def test_tabs_at_80x24() -> None:
    async with open_run((80, 24)) as on:
        await on.go(30)
        shown = [on.run_screen.gauges, on.run_screen.program, on.run_screen.log_pane, on.run_screen.parameters]
        for tab, pane in enumerate(shown, 1):
            await on.press(str(tab))
            await on.until(lambda tab=tab: on.run_screen.tab == tab)  # type: ignore[misc]
            assert [each.display for each in shown] == [each is pane for each in shown]
        await on.press("tab")
        assert on.run_screen.tab == 1
        await on.press("shift+tab")
        assert on.run_screen.tab == 4
        await on.pilot.click(on.run_screen.tabs, offset=(13, 0))
        assert on.run_screen.tab == 2
        await on.until(lambda: "T ← α·T" in on.shown(on.run_screen.program))
        assert "Program" not in on.shown(on.run_screen.program)


async def test_light_and_ascii() -> None:
    async with open_run() as on:
        await on.go(100)
        assert on.app.look.palette.name == "dark"
        await on.press("L")
        assert on.app.look.palette.name == "light"
        await on.press("A")
        await on.until(lambda: on.app.look.glyphs.ascii)
        for pane in on.run_screen.panes.values():
            assert on.shown(pane).isascii(), pane
        await on.press("L", "A")
        assert on.app.look.palette.name == "dark"
        assert not on.app.look.glyphs.ascii


@pytest.mark.parametrize("name", ["z3", "swarm-velocity", "ga-ordered", "norvig", "belief"])
async def test_all_panes_of_a_solver_are_ascii(name: str) -> None:
    async with open_run((120, 36), registry.solver(name)) as on:
        await on.press("A", "right")
        await on.until(lambda: on.run_screen.snapshot.playhead == 1)
        for pane in on.run_screen.panes.values():
            assert on.shown(pane).isascii(), pane


async def test_the_help_names_every_key_and_closes() -> None:
    async with open_run((80, 24)) as on:
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.query_one(Pane)._shown)
        page = on.shown(on.app.screen.query_one(Pane))
        for _page in range(2):
            await on.press("space")
            page += on.shown(on.app.screen.query_one(Pane))
        for words in ("run or pause", "one plateau", "T down, up", "quit", "save the run", "reheat or restart"):
            assert words in page
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, RunScreen))


@pytest.mark.sweep
async def test_the_footer_drops_keys_but_never_help_and_quit() -> None:
    for width in (60, 80, 120):
        async with open_run((width, 36)) as on:
            line = on.shown(on.run_screen.footer)
            assert line.rstrip().endswith("? help   q quit")
            assert line.startswith(" space run")


async def test_a_click_on_the_timeline_seeks_and_dragging_follows() -> None:
    async with open_run() as on:
        await on.go(1000)
        def last_step(column: int) -> int:
            reading = on.run_screen.timeline._reading(column)
            assert reading is not None
            assert axis.column(reading.step) == column
            return reading.step

        axis = on.run_screen.timeline.scrubber.position.axis(on.run_screen.timeline.scrubber.size.width)
        await on.pilot.click(on.run_screen.timeline.scrubber, offset=(5 + 30, 0))
        await on.at(last_step(30))
        await on.pilot.click(on.run_screen.timeline.chart, offset=(5 + 50, 3))
        await on.at(last_step(50))
        await on.pilot.mouse_down(on.run_screen.timeline.scrubber, offset=(5 + 10, 0))
        await on.pilot.hover(on.run_screen.timeline.scrubber, offset=(5 + 20, 0))
        await on.pilot.mouse_up(on.run_screen.timeline.scrubber, offset=(5 + 20, 0))
        await on.at(last_step(20))
        await on.pilot.click(on.run_screen.timeline.scrubber, offset=(5 + axis.width - 1, 0))
        await on.at(1000)


@pytest.mark.sweep
async def test_buttons_and_cells_can_be_clicked() -> None:
    async with open_run() as on:
        row = on.shown(on.run_screen.timeline.transport)
        await on.pilot.click(on.run_screen.timeline.transport, offset=(row.index("▶▶"), 0))
        await on.at(1000)
        await on.pilot.click(on.run_screen.timeline.transport, offset=(row.index("◀ "), 0))
        await on.at(0)
        await on.pilot.click(on.run_screen.timeline.transport, offset=(row.index("▶"), 0))
        await on.at(1)
        await on.pilot.click(on.run_screen.board, offset=(4, 1))
        assert on.run_screen.cursor == 0


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("depth", ["16", "mono", "256"])
async def test_every_colour_depth(depth: str) -> None:
    async with open_run(depth=depth) as on:
        await on.go(REHEAT + 5)
        assert on.app.look.palette.native is (depth != "256")
        assert "[" in on.shown(on.run_screen.board)


async def test_parts_that_belong_together_come_from_one_snapshot() -> None:
    async with open_run() as on:
        await on.go(41)
        before = on.run_screen.snapshot
        await on.go(REHEAT + 5)
        now = on.run_screen.snapshot
        old = replace(now, state="RUNNING", readout=before.readout, charted=(41, 41))
        assert presenter.chance(before) != presenter.chance(now)
        on.run_screen.show(old)
        assert on.run_screen.chance.chance == presenter.chance(now)
        assert on.run_screen.timeline.scrubber.position == on.run_screen.timeline.chart.position
        on.run_screen.show(replace(old, state="PAUSED"))
        assert on.run_screen.timeline.scrubber.position.playhead == REHEAT + 5


async def test_the_numbers_of_the_lanes_are_of_the_step_on_the_screen_even_if_the_charts_wait() -> None:
    async with open_run((120, 36)) as on:
        await on.go(41)
        timeline, lanes = on.run_screen.timeline, (on.run_screen.timeline.temperature, on.run_screen.timeline.lane)
        old = [on.shown(lane) for lane in lanes]
        running = replace(on.run_screen.snapshot, state="RUNNING", sample=(9.0, 4.0, 0.123, 0.57))
        timeline.show_text(running)
        assert [".123" in on.shown(timeline.temperature), "57%" in on.shown(timeline.lane)] == [True, True]
        assert [text.strip()[4:-5] for text in old][1] in on.shown(timeline.lane), "the bars stay as they are"


async def test_until_its_first_step_a_run_is_ready_whether_it_plays_or_not() -> None:
    async with open_run() as on:
        for state in ("PAUSED", "RUNNING", "REWINDING"):
            on.run_screen.show(replace(on.run_screen.snapshot, state=state))
            assert "READY" in on.said, state


@pytest.mark.parametrize(("name", "line", "why"), [
    ("ga-ordered", "", "the first population holds a solution"),
    ("hill-climb", "123434122143432.", "the first grid is a solution")])
async def test_a_run_that_is_over_at_its_start_says_why(name: str, line: str, why: str) -> None:
    puzzle = Puzzle.from_line(line) if line else packs.find("4x4:1").puzzle
    async with open_run(solver=registry.solver(name), puzzle=puzzle) as on:
        assert on.run_screen.snapshot.state == "SOLVED"
        said = f"SOLVED {why}: the run has no steps"
        assert "← back" not in on.shown(on.run_screen.footer)
        assert " ".join(on.said.split()).startswith(said)
        for key in ("right", "space", "end", "home"):
            await on.press(key)
            await on.pilot.pause()
            await on.until(lambda: " ".join(on.said.split()).startswith(said))


async def test_e_and_best_have_bars_that_share_a_scale() -> None:
    async with open_run() as on:
        await on.press("shift+right")
        await on.at(1000)
        snapshot = on.run_screen.snapshot
        bare = replace(snapshot.readout, gauges=(Gauge("E", "10"), Gauge("best", "4", role="best"), Gauge("nodes",
                       "7")))
        shown = presenter.gauges(replace(snapshot, readout=bare), on.run_screen.pending.solver.channels)
        assert snapshot.history.values[:, 0].max() == 40
        assert [gauge.share for gauge in shown] == [10 / 40, 4 / 40, None]


async def test_a_hint_names_its_technique_first_and_what_follows_at_the_second_press() -> None:
    async with open_run() as on:
        recorded = on.run_screen.snapshot.recorded
        await on.press("f2")
        await on.until(lambda: "f2 shows what follows" in on.said)
        assert on.run_screen.snapshot.recorded == recorded
        hint = on.run_screen.hinter.hint
        assert hint is not None
        assert hint.finding.technique in on.said
        assert on.run_screen.board.position.grid == hint.grid
        await on.press("f2")
        await on.until(lambda: "HINT" in on.said and "what follows" not in on.said)
        assert on.run_screen.hinter.hint is hint
        assert all(on.run_screen.board.position.grid[cell] == value for cell, value in hint.finding.placed)
        await on.press("f2")
        await on.until(lambda: on.run_screen.hinter.hint is not hint and "f2 shows what follows" in on.said)
        await on.press("right")
        await on.until(lambda: "HINT" not in on.said)


async def test_a_hint_says_that_it_is_about_the_givens_where_the_grid_has_wrong_values() -> None:
    async with open_run() as on:
        await on.go(3)
        grid = on.run_screen.snapshot.view.grid
        assert all(grid)
        await on.press("f2")
        await on.until(lambda: "from the givens alone" in on.said)
        assert on.run_screen.board.position.grid == on.run_screen.puzzle.givens
        await on.press("f2")
        await on.until(lambda: "from the givens alone" in on.said and "what follows" not in on.said)


async def test_a_hint_names_the_key_that_returns_to_the_step() -> None:
    async with open_run() as on:
        await on.go(3)
        grid, said = on.run_screen.snapshot.view.grid, on.said
        for _press in range(2):
            await on.press("f2")
            await on.until(lambda: "esc closes the hint" in on.said)
        assert on.run_screen.board.position.grid != grid
        await on.press("escape")
        await on.until(lambda: on.said == said)
        assert on.run_screen.board.position.grid == grid


async def test_a_hint_is_not_shown_after_the_run_has_left_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    found = threading.Event()

    def late(puzzle: Puzzle, cells: tuple[int, ...]) -> bool:
        assert found.wait(PATIENCE)
        return True

    monkeypatch.setattr(hints, "completes", late)
    async with open_run(solver=registry.solver("backtrack")) as on:
        screen, sent = on.run_screen, list[Command]()
        await on.press("f2")
        await on.go(3)
        monkeypatch.setattr(screen.worker, "send", sent.append)
        found.set()
        await on.until(lambda: screen.hinter.hint is not None and not screen.hinter.is_alive)
        await on.pilot.pause()
        assert not sent
        monkeypatch.undo()
        await on.press("f2")
        await on.until(lambda: "f2 shows what follows" in on.said)


@pytest.mark.parametrize(("state", "halts"), [("OPENING", 0), ("RUNNING", 1)])
async def test_the_editor_pauses_a_run_but_not_its_opening(
        state: RunState, halts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_run(solver=registry.solver("anneal")) as on:
        screen, sent = on.run_screen, list[Command]()
        monkeypatch.setattr(screen.worker, "send", sent.append)
        screen.snapshot = replace(screen.snapshot, state=state)
        await on.press("e")
        await on.until(lambda: on.app.screen is not screen)
        assert len(sent) == halts


@pytest.mark.parametrize(("state", "notice", "sent"), [
    ("OPENING", messages.replaying("a.run", 1000, 3000), True), ("PREPARING", messages.replaying("easy", 1, 3), True),
    ("PREPARING", messages.preparing(registry.solver("anneal")), False)])
async def test_esc_cancels_a_replay_but_not_the_preparation_of_a_solver(
        state: RunState, notice: Sentence, sent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_run(solver=registry.solver("anneal")) as on:
        screen, commands_sent = on.run_screen, list[Command]()
        monkeypatch.setattr(screen.worker, "send", commands_sent.append)
        screen.snapshot = replace(screen.snapshot, state=state, notice=notice)
        await on.press("escape")
        assert any(isinstance(each, Halt) for each in commands_sent) == sent


async def test_a_hint_pauses_the_run_and_is_about_the_step_where_it_stops() -> None:
    async with open_run(solver=registry.solver("anneal")) as on:
        await on.press("space")
        await on.until(lambda: on.run_screen.snapshot.playhead > 2)
        await on.press("f2")
        await on.until(lambda: "f2 shows what follows" in on.said)
        assert on.run_screen.snapshot.state == "PAUSED"


async def test_a_test_before_the_knob_was_turned_has_its_own_temperature() -> None:
    async with open_run((120, 36)) as on:
        await on.go(5)
        shown = on.run_screen.chance.chance
        assert shown is not None
        assert shown.temperature is None
        await on.press("right_square_bracket")
        await on.until(lambda: "1.100" in on.shown(on.run_screen.gauges))
        assert "at T = 1.00" in on.shown(on.run_screen.chance)
        await on.press("right")
        await on.at(6)
        assert "at T" not in on.shown(on.run_screen.chance)
        await on.press("left")
        await on.at(5)
        assert "at T = 1.00" in on.shown(on.run_screen.chance)


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("name", ["mac", "norvig", "dlx", "z3", "belief"])
async def test_pgdn_turns_the_lists_of_a_panel_by_pages_and_shows_each_line(size, name):
    """The queue of `mac` has 635 rows, and a key went on by two of them."""
    async with open_run(size, registry.solver(name)) as on:
        await on.go(12)
        pane = on.run_screen.panel
        if on.run_screen.tabs.display:
            await on.press(str(len(on.run_screen.tabs.titles)))
        panel = on.run_screen.snapshot.view.panel
        whole = {" ".join(line.split())
                 for line in plain(panel_rows(panel, 9, Space(pane.outer_size.width, 10**5, pane.glyphs)))
                 if re.search(r"r\dc", line)}
        seen: set[str] = set()
        pages = 0
        while "nothing more" not in on.said:
            seen |= {" ".join(line.split()) for line in on.shown(pane).splitlines()}
            await on.press("pagedown")
            pages += 1
            assert pages < 200
        assert not whole - seen
        if pane.outer_size.height > 16 and len(whole) > 100:
            assert pages < len(whole) / 5
