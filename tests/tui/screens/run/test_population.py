"""A population in the Laboratory: selecting, opening, parents and sorting, by keys and mouse."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import registry
from engine.puzzle import Puzzle
from engine.view import population_in
from tests.engine.strangers.toy_population import SOLVER
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import PUZZLE
from tui.screens.run.population import next_stop

SIZES = [(80, 24), (120, 36), (200, 60)]


def population(size=(120, 36), **request):
    return open_run(size, SOLVER, PUZZLE, **request)


async def child(on: RunDriver) -> None:
    """To the first child that was kept: the toy's third."""
    for _step in range(40):
        await on.press("right")
        await on.until(lambda: not on.run_screen.snapshot.busy)
        if "CHILD KEPT" in on.said:
            return
    raise AssertionError("no child was kept")


def current(on: RunDriver) -> int | None:
    shown = population_in(on.run_screen.snapshot.view.panel)
    assert shown is not None
    return shown.current


async def test_a_solver_that_is_still_prepared_is_not_said_to_have_no_population() -> None:
    async with population() as on:
        browser = on.run_screen.population
        browser.snapshot = replace(browser.snapshot, state="PREPARING", view=replace(browser.snapshot.view, panel=None))
        browser.toggle_sort()
        await on.until(lambda: "the run was still being prepared" in on.said)


@pytest.mark.parametrize("size", SIZES)
async def test_a_child_its_parents_and_its_cells_are_seen(size):
    async with population(size) as on:
        await child(on)
        panel, board = on.shown(on.run_screen.panel), on.shown(on.run_screen.board)
        assert "[]" in panel
        assert "A" in panel
        assert "individuals by E" in panel
        assert "A" in board or "B" in board
        assert f"board #{current(on) + 1}" in on.shown(on.run_screen.cell)
        assert "tab pick one" in on.shown(on.run_screen.footer)


@pytest.mark.parametrize("size", SIZES)
async def test_an_individual_is_selected_and_opened_until_esc(size):
    async with population(size) as on:
        await child(on)
        of_the_step, said = on.run_screen.snapshot.view.grid, on.said
        await on.press("tab")
        await on.until(lambda: on.run_screen.population.focused)
        await on.press("h" if current(on) else "l", "enter")
        await on.until(lambda: on.run_screen.snapshot.opened is not None)
        opened = on.run_screen.snapshot.opened
        assert opened == on.run_screen.population.picked == current(on)
        assert f"#{opened + 1} of 12" in on.said
        assert "enter close" in on.shown(on.run_screen.footer)
        assert "INDIVIDUAL" in on.said
        assert on.run_screen.snapshot.view.grid != of_the_step
        assert on.run_screen.cursor is None, "the keys were not the cell cursor's"
        await on.press("l" if opened < 11 else "h")
        await on.until(lambda: on.run_screen.snapshot.opened not in (None, opened))
        await on.press("escape")
        await on.until(lambda: on.run_screen.snapshot.opened is None)
        assert (on.run_screen.snapshot.view.grid, on.said) == (of_the_step, said)
        await on.press("escape", "l")
        assert on.run_screen.cursor is not None


async def test_the_next_step_closes_the_opened_individual():
    async with population() as on:
        await child(on)
        await on.press("tab", "enter")
        await on.until(lambda: on.run_screen.snapshot.opened is not None)
        step = on.step
        await on.press("right")
        await on.at(step + 1)
        assert on.run_screen.snapshot.opened is None
        await on.press("left")
        await on.at(step)
        assert on.run_screen.snapshot.opened is None


async def test_a_cycles_through_the_parents():
    async with population() as on:
        await child(on)
        of_the_step, start = on.run_screen.snapshot.view, current(on)
        parents = population_in(of_the_step.panel).parents
        assert len(set(parents)) == 2
        for letter, parent in zip("AB", parents, strict=True):
            await on.press("a")
            await on.until(lambda parent=parent: current(on) == parent)
            assert f"parent {letter} of #{start + 1}" in on.said
        await on.press("a")
        await on.until(lambda: on.run_screen.snapshot.opened is None)
        assert on.run_screen.snapshot.view == of_the_step


@pytest.mark.sweep
async def test_x_names_the_parent_of_a_cell():
    async with population() as on:
        await child(on)
        view = on.run_screen.snapshot.view
        free = [cell for cell, given in enumerate(PUZZLE.givens) if not given]
        who = population_in(view.panel).parents
        told = {"parent_a": f"from parent A #{who[0] + 1}", "parent_b": f"from parent B #{who[1] + 1}",
                "moved": "from neither parent: mutated"}
        for role, said in told.items():
            on.run_screen.cursor = next(cell for cell in free if cell in view.marks[role])
            assert on.run_screen.conditions()["causes"]
            await on.press("x")
            await on.until(lambda said=said: said in on.said)


async def test_with_the_keys_among_the_individuals_no_key_is_said_to_move_the_cell_cursor():
    async with population(SIZES[0]) as on:
        await child(on)
        await on.press("j")
        assert any("The cell cursor is on the board" in said for said in on.run_screen.help_now())
        on.run_screen.cursor = None
        await on.press("tab", "x")
        await on.until(lambda: "leave the individuals with esc first, then select a cell" in " ".join(on.said.split()))
        on.run_screen.cursor = 40
        assert not any("The cell cursor is on the board" in said for said in on.run_screen.help_now())


async def test_a_founder_has_no_parents():
    async with population(SIZES[0]) as on:
        await on.press("a")
        await on.until(lambda: "parents" in on.said)
        assert "NOT AVAILABLE" in on.said
        assert not any("parents" in said for said in on.run_screen.help_now())
        await child(on)
        assert any("A and B are its parents" in said for said in on.run_screen.help_now())


async def test_a_click_opens():
    async with population() as on:
        shown = population_in(on.run_screen.snapshot.view.panel)
        arrangement = on.run_screen.panel.arrangement()
        cell = arrangement.order.index(5) // arrangement.fold
        assert shown.size == 12
        place = (arrangement.label + cell * arrangement.pitch, arrangement.top)
        await on.pilot.click(on.run_screen.panel, offset=place)
        await on.until(lambda: on.run_screen.snapshot.opened == 5)
        await on.pilot.click(on.run_screen.panel, offset=(0, 0))
        assert on.run_screen.snapshot.opened == 5


async def test_s_sorts_by_energy_or_index():
    async with population() as on:
        assert "sorted by E" in on.shown(on.run_screen.panel)
        await on.press("s")
        assert "by index   s by E" in on.shown(on.run_screen.panel)
        await on.press("s")
        assert "sorted by E   s by index" in on.shown(on.run_screen.panel)


async def test_tab_leads_from_the_population_to_the_program_and_back():
    async with population() as on:
        assert on.run_screen.panel.display
        assert on.run_screen.program.size.height == 1, "its current line"
        await on.press("tab", "tab")
        await on.until(lambda: on.run_screen.program.size.height > 1)
        assert on.run_screen.gauges.display
        assert not on.run_screen.panel.display
        await on.press("enter")
        await on.until(lambda: "hidden" in on.said)
        await on.press("shift+tab", "shift+tab")
        assert on.run_screen.panel.display
        assert not on.run_screen.population.focused


async def test_an_annealed_child_is_reported():
    async with open_run((120, 36), registry.solver("ga-memetic"), PUZZLE) as on:
        await on.press("right")
        await on.until(lambda: "brought E from" in on.said)
        assert "CHILD KEPT" in on.said or "NEW BEST" in on.said
        assert "[ ] changed" in on.shown(on.run_screen.cell)


async def test_r_finds_restarts_of_solvers_without_reheats():
    async with open_run((120, 36), registry.solver("ga-cells"), PUZZLE) as on:
        assert "r restart" in on.shown(on.run_screen.footer)
        assert "reheat" not in on.shown(on.run_screen.footer)


def test_the_stops_of_tab():
    assert [next_stop("tabs", (4, True), way) for way in (1, -1)] == [(1, False), (4, False)]
    assert next_stop("wide", (4, True), 1) == (4, False)
    assert next_stop("panes", (2, False), 1) == (4, False)


async def test_at_full_speed_the_board_shows_the_best():
    async with population(play=True, speed="1000") as on:
        await on.until(lambda: on.step > 20)
        snapshot = on.run_screen.snapshot
        assert snapshot.state == "RUNNING"
        shown = population_in(snapshot.view.panel)
        assert shown.energies[shown.current] == min(shown.energies)
        assert snapshot.opened is None


async def test_a_hidden_population_names_the_key_that_shows_it():
    async with population(SIZES[0]) as on:
        await child(on)
        await on.press("1")
        await on.until(lambda: "4 population" in on.shown(on.run_screen.footer))
        assert "pick one" not in on.shown(on.run_screen.footer)
        await on.press("enter")
        await on.until(lambda: "4 shows it" in on.said)
        assert "s sort" not in on.shown(on.run_screen.footer)
        await on.press("right", "s")
        await on.until(lambda: "4 shows it" in on.said)
        await on.press("4")
        await on.until(lambda: "tab pick one" in on.shown(on.run_screen.footer))
        await on.until(lambda: "is hidden" not in on.said)


@pytest.mark.parametrize(("size", "leads_to"), zip(SIZES[1:], ["gauges", "board"], strict=True))
async def test_the_key_that_picks_names_what_it_leads_to_next(size, leads_to):
    async with population(size) as on:
        await child(on)
        await on.press("tab")
        await on.until(lambda: f"tab {leads_to}" in on.shown(on.run_screen.footer))
        await on.press("tab")
        await on.until(lambda: not on.run_screen.population.focused)
        assert on.run_screen.gauges.display
        assert on.run_screen.panel.display == (leads_to == "board")


async def test_a_window_without_room_for_a_population_reports_it():
    async with population((60, 20)) as on:
        await child(on)
        assert "pick one" not in on.shown(on.run_screen.footer)
        for key in ("enter", "tab"):
            await on.press(key)
            await on.until(lambda: "has no room" in on.said)
            await on.press("escape")


async def test_solvers_without_a_population_report_it():
    async with open_run() as on:
        for key in ("a", "s"):
            await on.press(key)
            await on.until(lambda: "no population" in on.said)
        assert "pick one" not in on.shown(on.run_screen.footer)


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("name", [name for name in registry.names()
                                  if registry.solver(name).has_individuals])
async def test_every_population_can_be_browsed(name):
    puzzle = Puzzle.from_line("1...............")
    async with open_run((80, 24), registry.solver(name), puzzle) as on:
        await on.press("tab")
        await on.until(lambda: on.run_screen.population.focused)
        await on.press("l", "enter")
        await on.until(lambda: on.run_screen.snapshot.opened is not None)
        assert {"swarm-velocity": "PARTICLE"}.get(name, "ORGANISM" if "swarm" in name else "INDIVIDUAL") in on.said
