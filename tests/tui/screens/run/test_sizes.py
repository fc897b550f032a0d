"""The Laboratory at every size, with other boards and solvers."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from textual.geometry import Region, Size

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from tests.tui.run_driver import open_run
from tui.screens.run import presenter


async def test_a_resized_pane_never_shows_lines_of_the_old_width() -> None:
    async with open_run() as on:
        await on.press("l")
        shown = on.run_screen.cell
        width, height = shown.outer_size
        shown._size_updated(Size(width + 9, height), Size(width + 9, height), Size(width + 9, height))
        (line,) = shown.render_lines(Region(0, 0, width + 9, 1))
        assert sum(segment.cell_length for segment in line) == width + 9


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("size", "mode"), [
    ((120, 36), "panes"), ((200, 60), "wide"), ((100, 30), "tabs"), ((80, 24), "tabs"), ((60, 20), "bare"),
    ((40, 12), "none")])
async def test_resizing_while_it_shows_a_run(size: tuple[int, int], mode: str) -> None:
    async with open_run() as on:
        await on.go(40)
        await on.pilot.resize_terminal(*size)
        await on.until(lambda: on.run_screen.plan.mode == mode)
        for name, pane in on.run_screen.panes.items():
            region = next((each for other, each in on.run_screen.plan.regions.items() if other == name), None)
            assert pane.display is (region is not None), name
            if region is not None:
                assert pane.region == region, name
        assert on.run_screen.too_small.display is (mode == "none")
        await on.pilot.resize_terminal(120, 36)
        await on.until(lambda: on.run_screen.plan.mode == "panes")


async def test_a_solver_of_another_family_brings_its_own_panes() -> None:
    async with open_run(solver=registry.solver("backtrack")) as on:
        await on.go(200)
        assert "Stack" in on.shown(on.run_screen.panel)
        assert not on.run_screen.chance.display
        assert on.run_screen.timeline.chart.size.height >= 3
        assert on.run_screen.plan.mode == "search"
        assert not on.run_screen.gauges.display
        assert "nodes" in on.shown(on.run_screen.program)
        await on.press("greater_than_sign")
        await on.until(lambda: on.step > 200)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("box", [2, 4])
async def test_other_board_sizes(box: int) -> None:
    empty = Puzzle((1,) + (0,) * (box**4 - 1), box)
    for size in ((120, 36), (80, 24)):
        async with open_run(size, registry.solver("backtrack"), empty) as on:
            await on.go(5)
            assert on.run_screen.board.display
            assert on.run_screen.timeline.scrubber.display
            shown = on.shown(on.run_screen.board)
            assert shown.count("·") >= box**4 - 10 or on.run_screen.plan.mode == "search"
            assert "2" in shown


async def test_candidates_are_pencilled_in_until_the_key_hides_them() -> None:
    async with open_run(solver=registry.solver("backtrack")) as on:
        await on.go(200)
        assert on.run_screen.plan.mode == "search"
        assert "∅!" in on.shown(on.run_screen.board)
        await on.press("c")
        await on.until(lambda: on.run_screen.plan.mode == "panes")
        assert on.run_screen.timeline.chart.display
        assert "·" in on.shown(on.run_screen.board)
        await on.press("c")
        await on.until(lambda: on.run_screen.plan.mode == "search")
        assert on.run_screen.board.size == (69, 27)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_nothing_moves_when_singles_end_and_annealing_begins(size: tuple[int, int]) -> None:
    async with open_run(size, registry.solver("anneal-propagate")) as on:
        for press in ((), ("c",)):
            await on.go(0)
            assert on.run_screen.snapshot.view.candidates is not None
            await on.press(*press)
            arranged = on.run_screen.plan
            await on.go(200)
            assert on.run_screen.snapshot.view.candidates is None
            assert on.run_screen.plan == arranged


async def test_candidates_can_be_hidden_in_any_phase() -> None:
    async with open_run(solver=registry.solver("anneal-propagate")) as on:
        await on.press("c")
        await on.until(lambda: on.run_screen.plan.mode == "search")
        await on.go(200)
        await on.press("c")
        await on.until(lambda: on.run_screen.plan.mode == "panes")
        assert on.run_screen.chance.display
        await on.press("c")
        await on.until(lambda: "no candidates at this step" in on.said)


async def test_without_candidates_the_key_reports_it() -> None:
    async with open_run() as on:
        await on.press("c")
        await on.until(lambda: "no candidates" in on.said)
        assert on.run_screen.plan.mode == "panes"


async def test_without_room_for_candidates_the_key_reports_it() -> None:
    async with open_run((80, 24), registry.solver("backtrack")) as on:
        assert "marks" not in on.shown(on.run_screen.footer)
        await on.press("c")
        await on.until(lambda: "120 x 36" in on.said)
        await on.pilot.resize_terminal(120, 36)
        await on.until(lambda: on.run_screen.plan.mode == "search")


@pytest.mark.sweep
async def test_a_board_too_large_for_its_pane_follows_the_cursor_or_else_the_last_move() -> None:
    huge = Puzzle((0,) * 625, 5)
    async with open_run((60, 20), registry.solver("anneal"), huge) as on:
        for step in range(1, 6):
            await on.press("right")
            await on.at(step)
            assert "[" in on.shown(on.run_screen.board)
        assert re.search(r"rows \d+–\d+, columns \d+–\d+ of 25\b", on.shown(on.run_screen.board))
        await on.press("l")
        assert ">" in on.shown(on.run_screen.board)
        await on.pilot.resize_terminal(80, 24)
        await on.until(lambda: "hjkl shows the rest" in on.shown(on.run_screen.board))
        await on.pilot.resize_terminal(200, 60)
        await on.until(lambda: "of 25" not in on.shown(on.run_screen.board))


@pytest.mark.parametrize(("speed", "readable"), [("1", True), ("10", False)])
async def test_flickering_marks_are_shown_where_each_step_can_be_read(speed: str, readable: bool) -> None:
    async with open_run(solver=registry.solver("anneal"), speed=speed) as on:
        await on.press("right")
        await on.at(1)
        assert {"reach", "moved"} <= on.run_screen.board.position.marks.keys()
        await on.press("space")
        await on.until(lambda: on.run_screen.snapshot.state == "RUNNING" and on.step > 1)
        marks = on.run_screen.board.position.marks
        assert "moved" in marks
        assert ("reach" in marks) is readable
        assert readable or "partner" not in marks


@pytest.mark.parametrize("size", [(80, 24), (80, 30), (100, 30)], ids=str)
@pytest.mark.parametrize("name", ["anneal-reheat", "anneal-lewis"])
async def test_all_gauges_have_room_beside_a_small_board(name: str, size: tuple[int, int]) -> None:
    async with open_run(size, registry.solver(name), packs.find("4x4:3").puzzle) as on:
        await on.go(20)
        shown = on.shown(on.run_screen.gauges)
        assert [each.label for each in on.run_screen.snapshot.readout.gauges if each.label not in shown] == []


async def test_struck_candidates_and_units_are_shown_where_each_step_can_be_read() -> None:
    puzzle = packs.find("hard:1").puzzle
    async with open_run(solver=registry.solver("human"), puzzle=puzzle) as on:
        await on.go(4)
        paused = on.run_screen.snapshot
        seen = {tempo: presenter.position(puzzle, replace(paused, state="RUNNING", tempo=tempo), None, True)
                for tempo in ("slow", "watch")}
        assert seen["slow"] == replace(on.run_screen.board.position, focus=())
        assert seen["slow"].hints != seen["watch"].hints


@pytest.mark.parametrize(("speed", "readable"), [("1", True), ("10", False)])
async def test_parents_are_in_the_legend_while_their_letters_are_on_the_board(speed: str, readable: bool) -> None:
    async with open_run((80, 24), registry.solver("ga-ordered"), speed=speed) as on:
        await on.press("right")
        await on.at(1)
        assert "A #" in on.shown(on.run_screen.cell)
        await on.press("space")
        await on.until(lambda: on.run_screen.snapshot.state == "RUNNING" and on.step > 1)
        assert ("A #" in on.shown(on.run_screen.cell)) is readable


async def test_a_panel_has_its_own_tab() -> None:
    async with open_run((80, 24), registry.solver("backtrack")) as on:
        await on.go(200)
        assert "4 Stack" in on.shown(on.run_screen.tabs)
        assert "max_steps" in on.shown(on.run_screen.parameters)
        await on.press("4")
        await on.until(lambda: "[" in on.shown(on.run_screen.panel))
        assert not on.run_screen.parameters.display


async def test_the_header_has_the_step_if_no_transport_row_has() -> None:
    async with open_run((44, 17)) as on:
        await on.go(1234)
        assert "step 1 234" in on.shown(on.run_screen.header)
        await on.pilot.resize_terminal(80, 24)
        await on.until(lambda: "1 234" not in on.shown(on.run_screen.header))


async def test_the_step_in_the_header_is_named_beside_a_long_title() -> None:
    async with open_run((80, 24), registry.solver("backtrack-mrv"), Puzzle((0,) * 256, 4)) as on:
        await on.press("right")
        await on.until(lambda: "step 1 " in on.shown(on.run_screen.header))
        assert "Backtracking, fewest first · hard 1" in on.shown(on.run_screen.header)
