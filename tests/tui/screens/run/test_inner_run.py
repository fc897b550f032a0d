"""The search inside a step as a run of its own in front of its outer run, and the grids that guide a particle."""

from __future__ import annotations

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.view import Sections, TablePanel
from tests.tui.run_driver import RunDriver, open_run

HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


def memetic(size: tuple[int, int] = (120, 36)):
    return open_run(size, registry.solver("ga-memetic"), HARD)


async def enter(on: RunDriver) -> None:
    """Go to the second child, and inside its step."""
    await on.go(2)
    outer = on.run_screen
    assert "look inside" in on.shown(outer.footer)
    outer.population.wants_focus = True
    outer.show_footer()
    assert "enter look inside" in on.shown(outer.footer)
    assert "enter open" not in on.shown(outer.footer)
    await on.press("enter")
    await on.until(lambda: on.run_screen is not outer and not on.run_screen.snapshot.busy)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_enter_opens_the_annealing_of_a_child_and_ctrl_z_returns_to_its_step(size):
    async with memetic(size) as on:
        await enter(on)
        inner = on.run_screen
        assert inner.solver.title == "Annealing of #52"
        assert "INSIDE A STEP" in on.said
        assert "step 2 of Memetic algorithm" in on.said
        assert "back to its step" in on.shown(inner.footer)
        await on.press("right", "right")
        await on.at(2)
        assert "↔" in on.said
        await on.press("left")
        await on.at(1)
        await on.press("ctrl+z")
        await on.until(lambda: on.run_screen is not inner)
        await on.at(2)
        assert on.run_screen.solver.name == "ga-memetic"
        await on.press("right")
        await on.at(3)


@pytest.mark.sweep
async def test_its_end_is_the_child_on_the_board_of_the_outer_run():
    async with memetic() as on:
        await on.go(2)
        child, outer = on.run_screen.snapshot.view.grid, on.run_screen
        await on.press("enter")
        await on.until(lambda: on.run_screen is not outer and not on.run_screen.snapshot.busy)
        await on.press("right")
        await on.at(1)
        await on.press("end")
        await on.until(lambda: on.run_screen.snapshot.outcome is not None and not on.run_screen.snapshot.busy)
        assert on.run_screen.snapshot.outcome.grid == child


async def test_esc_does_not_leave_it_and_its_changes_are_undone_first():
    async with memetic() as on:
        await enter(on)
        inner = on.run_screen
        await on.press("escape")
        await on.until(lambda: "ctrl+z returns" in on.said)
        assert on.run_screen is inner
        await on.press("right", "right_square_bracket")
        await on.until(lambda: inner.snapshot.recipe.interventions)
        assert "undo" in on.shown(inner.footer)
        for key in ("escape", "ctrl+s", "y"):
            await on.press(key)
            await on.until(lambda: "ctrl+z undoes the changes, then returns to" in " ".join(on.said.split()))
            await on.press("escape")
        await on.press("ctrl+z")
        await on.until(lambda: not inner.snapshot.recipe.interventions)
        assert on.run_screen is inner
        await on.press("ctrl+z")
        await on.until(lambda: on.run_screen is not inner)


async def test_what_needs_a_recipe_says_that_it_belongs_to_a_step():
    async with memetic() as on:
        await enter(on)
        inner = on.run_screen
        for key in ("ctrl+s", "y"):
            await on.press(key)
            await on.until(lambda: "inside a step of another" in on.said)
            await on.press("right")
            await on.until(lambda: "↔" in on.said)
        assert inner.home_request().solver == "ga-memetic"


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_best_grids_of_a_particle_are_put_on_the_board(size):
    async with open_run(size, registry.solver("swarm-velocity"), HARD) as on:
        await on.go(250)
        screen = on.run_screen
        own, best = screen.snapshot.view.related
        of_the_step = screen.board.position.grid
        assert "best grids" in on.shown(screen.footer)
        for title, related in (("pBest", own), ("gBest", best)):
            await on.press("a")
            await on.until(lambda title=title: title in on.said)
            assert screen.board.position.grid == related.grid
            assert f"E = {related.energy}" in on.said
            assert f"on the board: {title}   E = {related.energy}" in on.shown(screen.panel)
            assert f"board {title}   E = {related.energy}" in on.shown(screen.cell)
        await on.press("a")
        await on.until(lambda: "OTHER GRID" not in on.said)
        assert screen.board.position.grid == of_the_step
        assert "on the board" not in on.shown(screen.panel)
        await on.press("a", "escape")
        await on.until(lambda: "OTHER GRID" not in on.said)
        await on.press("a", "right")
        await on.at(251)
        assert "OTHER GRID" not in on.said


async def test_the_best_grids_of_a_particle_take_the_place_of_a_hint_and_of_a_message():
    async with open_run((80, 24), registry.solver("swarm-velocity"), HARD) as on:
        await on.go(250)
        screen = on.run_screen
        own = screen.snapshot.view.related[0]
        for key, said in (("f2", "HINT"), ("m", "NOT AVAILABLE")):
            await on.press(key)
            await on.until(lambda said=said: said in on.said)
            await on.press("a")
            await on.until(lambda: "OTHER GRID" in on.said)
            assert screen.board.position.grid == own.grid
            await on.press("escape")
            await on.until(lambda: "OTHER GRID" not in on.said)
            assert "HINT" not in on.said


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_panel_scrolls_to_the_last_swap_of_the_velocity(size):
    async with open_run(size, registry.solver("swarm-velocity"), HARD) as on:
        await on.go(3)
        screen = on.run_screen
        panel = screen.snapshot.view.panel
        assert isinstance(panel, Sections)
        table = panel.parts[1]
        assert isinstance(table, TablePanel)
        assert "r₁ 0." in on.shown(screen.panel)
        assert "r₂ 0." in on.shown(screen.panel)
        assert "pgdn" in on.shown(screen.panel)
        seen = set()
        for _ in range(len(table.rows)):
            seen |= {swap for swap, _origin in table.rows if swap in on.shown(screen.panel)}
            await on.press("pagedown")
        assert seen == {swap for swap, _origin in table.rows}
        await on.until(lambda: "nothing more" in on.said)
        await on.press(*["pageup"] * len(table.rows))
        assert table.rows[0][0] in on.shown(screen.panel)
