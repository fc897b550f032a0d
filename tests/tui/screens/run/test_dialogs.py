"""The dialogs of the Laboratory, by keys and mouse: breakpoints, parameters, branches."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import events

from engine import registry
from engine.breakpoints import Breakpoint, Stop
from engine.errors import BadInput
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import REHEAT
from tests.tui.until import shown as on_screen
from tui.look.glyphs import UNICODE
from tui.screens.dialogs.command_palette import CommandPalette
from tui.screens.dialogs.list_dialog import TOP, ListDialog
from tui.screens.dialogs.pager import Pager
from tui.screens.run.dialogs import BranchList, BreakpointList
from tui.screens.run.parameter_form import ParameterForm, fields, parse_change


@asynccontextmanager
async def dialog(key: str, kind: type[ListDialog], *before: str,
                 size: tuple[int, int] = (120, 36)) -> AsyncIterator[RunDriver]:
    async with open_run(size=size) as on:
        for each in before:
            await on.press(each)
            await on.until(lambda: not on.run_screen.snapshot.busy)
        await on.press(key)
        await on.until(lambda: isinstance(on.app.screen, kind))
        yield on


def shown(on: RunDriver) -> str:
    assert isinstance(on.app.screen, ListDialog)
    return on_screen(on.app)


def stops(on: RunDriver) -> list[tuple[Stop, bool]]:
    return [(each.stop, each.on) for each in on.run_screen.snapshot.breakpoints]


async def test_a_kind_is_switched_on_and_off_and_deleted() -> None:
    best = Stop(frozenset({"best"}))
    async with dialog("full_stop", BreakpointList) as on:
        place = shown(on).split("\n").index(next(line for line in shown(on).split("\n") if "new best" in line)) - TOP
        await on.press(*["down"] * place, "space")
        await on.until(lambda: stops(on) == [(best, True)])
        await on.press("enter")
        await on.until(lambda: stops(on) == [(best, False)])
        await on.press("delete")
        await on.until(lambda: stops(on) == [])
        await on.press("escape")
        await on.until(lambda: on.app.screen is on.run_screen)


async def test_a_typed_breakpoint_is_added_or_refused() -> None:
    async with dialog("full_stop", BreakpointList) as on:
        await on.press(*"E <= 5", "enter")
        await on.until(lambda: stops(on) == [(Stop(energy=5), True)])
        await on.press(*"r3c5", "enter")
        await on.until(lambda: (Stop(cell=22), True) in stops(on))
        await on.press(*"r3c4", "enter")
        await on.until(lambda: "r3c4 is a given and never changes: expected a free cell" in shown(on))
        await on.press("escape", *"r0c4", "enter")
        await on.until(lambda: "r0c4: expected E <= 5, a cell from r1c1 to r9c9" in shown(on))
        assert "new sweep, local minimum" in " ".join(shown(on).split()), "the sentence is wrapped, not cut"
        await on.press("escape", "escape")
        await on.until(lambda: on.app.screen is on.run_screen)
        assert "2 breakpoints" in on.shown(on.run_screen.parameters)


async def test_a_pasted_breakpoint_or_value_is_taken_as_if_it_were_typed() -> None:
    async with dialog("full_stop", BreakpointList) as on:
        on.app.post_message(events.Paste("E <= 5\n"))
        await on.until(lambda: "E <= 5_" in shown(on))
        await on.press("enter")
        await on.until(lambda: stops(on) == [(Stop(energy=5), True)])
        on.app.post_message(events.Paste(".5"))  # the point closes the list, as the key does
        await on.until(lambda: on.app.screen is on.run_screen)
    async with dialog("p", ParameterForm) as on:
        on.app.post_message(events.Paste("alpha = 0.5"))
        await on.until(lambda: "0.5_" in shown(on))
        await on.press("enter", "escape")
        await on.until(lambda: "α 0.5" in on.shown(on.run_screen.parameters))


async def test_a_question_mark_explains_the_breakpoints_and_is_not_typed() -> None:
    async with dialog("full_stop", BreakpointList) as on:
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Pager))
        text = " ".join(on.shown(on.app.screen.text).split())  # type: ignore[attr-defined]
        assert "halts after a step that meets one of those that are on" in text
        assert "E <= 5: E falls to 5 or below" in text
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, BreakpointList))


async def test_the_example_of_a_cell_is_one_that_can_be_added() -> None:
    async with dialog("full_stop", BreakpointList) as on:
        cell = re.search(r"type E <= 5 or (r\dc\d), then enter", shown(on))
        assert cell
        assert "E <= 5 halts where E falls to 5 or below" in " ".join(shown(on).split())
        await on.press(*cell[1], "enter")
        await on.until(lambda: stops(on) == [(Stop(cell=on.run_screen.puzzle.free_cells[0]), True)])


async def test_the_cell_under_the_cursor_is_listed_and_halts_playing() -> None:
    async with dialog("full_stop", BreakpointList, "h", "h") as on:
        assert "step at r5c4" in shown(on)
        await on.press(*"reheat", "enter", "escape", "exclamation_mark")
        await on.at(REHEAT)
        assert "BREAKPOINT" in on.said
        assert "reheat" in on.said


async def test_a_breakpoint_is_typed_on_while_another_row_is_highlighted() -> None:
    async with dialog("full_stop", BreakpointList) as on:
        await on.press(*"E <= 4", "down", "enter")
        await on.until(lambda: stops(on) == [(Stop(energy=4), True)])


async def test_a_given_under_the_cursor_is_not_listed() -> None:
    async with dialog("full_stop", BreakpointList, "h") as on:
        assert "r5c5" not in shown(on)


async def test_a_click_switches_a_breakpoint_on() -> None:
    async with dialog("full_stop", BreakpointList, size=(80, 24)) as on:
        await on.pilot.click(offset=(10, TOP))
        await on.until(lambda: len(stops(on)) == 1)
        await on.press("full_stop")
        await on.until(lambda: on.app.screen is on.run_screen)
        assert "breakpoints 1" in on.shown(on.run_screen.timeline.transport)


async def test_the_form_lists_all_parameters_and_sets_one() -> None:
    async with dialog("p", ParameterForm, "right", "right") as on:
        text = shown(on)
        assert "α  alpha" in text
        assert "a number above 0 and below 1" in text
        assert "fixed during a run" in text
        await on.press("down", *"1.5")
        assert "alpha = 1.5: expected a number above 0 and below 1" in shown(on)
        await on.press("enter")
        assert isinstance(on.app.screen, ParameterForm)
        await on.press(*["backspace"] * 3, *"0.5", "enter")
        await on.until(lambda: "BY HAND" in on.said)
        assert "α 0.9 → 0.5   after step 2" in on.said
        assert "◇ α 0.9 → 0.5 by hand" in on.shown(on.run_screen.log_pane)


def test_the_form_says_why_a_parameter_has_no_effect() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params()
    form = ParameterForm(fields(solver, params, ()), params)
    lines = {each.name: "".join(text for text, _role in row)
             for each, row in zip(fields(solver, params, ()), form.listed(110, UNICODE), strict=True)}
    assert "no effect unless schedule = linear" in lines["levels"]
    assert "no effect" not in lines["alpha"]


def test_a_narrow_form_shortens_what_is_expected_and_cuts_no_number() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params()
    rows = fields(solver, params, ())
    lines = {each.name: "".join(text for text, _role in row).rstrip()
             for each, row in zip(rows, ParameterForm(rows, params).listed(76, UNICODE), strict=True)}
    assert lines["moves"].endswith("from 1 to 1 000 000 000")
    assert lines["levels"].endswith("only if schedule = linear")
    assert lines["schedule"].endswith("one of exponential, linear …")


@pytest.mark.parametrize("name", registry.names())
def test_a_narrow_form_explains_every_parameter_in_full(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params()
    rows = fields(solver, params, ())
    form, heights = ParameterForm(rows, params), set()
    for place, each in enumerate(rows):
        form._first_index = place
        lines = ["".join(text for text, _role in row) for row in form.below(76, UNICODE)]
        effect = f" No effect unless {each.unless}." if each.unless else ""
        assert " ".join(lines).rstrip().endswith(f"Expected {each.expected}.{effect}")
        heights.add(len(lines))
    assert len(heights) == 1


async def test_the_form_takes_name_and_value_and_refuses_fixed_parameters() -> None:
    async with dialog("p", ParameterForm, "right") as on:
        await on.press(*"T=0.7")
        assert "0.7_" in shown(on)
        await on.press("escape", *"length=5")
        assert "length cannot change during a run" in shown(on)
        await on.press("up", "down")
        assert "length cannot change during a run" not in shown(on)
        await on.press("right")
        await on.until(lambda: "length cannot change during a run" in shown(on))
        await on.press("up", *"T=99")
        assert "temperature = 99: expected a number from 0.01 to 10" in shown(on)
        await on.press("escape", "escape")
        await on.until(lambda: on.app.screen is on.run_screen)
        assert on.run_screen.snapshot.recipe is not None
        assert on.run_screen.snapshot.recipe.interventions == ()


async def test_ctrl_z_undoes_a_knob_and_ctrl_y_redoes_it() -> None:
    async with open_run() as on:
        def turned() -> int:
            assert on.run_screen.snapshot.recipe is not None
            return len(on.run_screen.snapshot.recipe.interventions)

        await on.press("right", "right_square_bracket")
        await on.until(lambda: "BY HAND" in on.said)
        assert turned() == 1
        await on.press("ctrl+z")
        await on.until(lambda: "UNDONE" in on.said)
        assert turned() == 0
        await on.press("ctrl+y")
        await on.until(lambda: "REDONE" in on.said)
        assert turned() == 1


async def test_branches_are_listed_and_one_is_shown() -> None:
    async with open_run() as on:
        await on.go(300)
        await on.go(100)
        await on.press("right_square_bracket")
        await on.until(lambda: "NEW BRANCH" in on.said)
        await on.press("w")
        await on.until(lambda: isinstance(on.app.screen, BranchList))
        lines = shown(on).split("\n")
        assert "300" in lines[TOP]
        assert "after step 100   T 0.590 → 0.650" in lines[TOP + 1]
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Pager))
        await on.press("escape", "up", "enter")
        await on.until(lambda: on.run_screen.snapshot.recorded == 300)
        assert on.step == 100
        await on.press("v")
        await on.until(lambda: on.run_screen.snapshot.recorded == 100)
        assert "ctrl+z undo" in on.shown(on.run_screen.footer)
        assert "v branch" in on.shown(on.run_screen.footer)
        assert "BRANCH" in on.said


async def test_all_changes_of_a_branch_can_be_read_in_a_small_window() -> None:
    """Two changes have no room in the row of their branch."""
    async with open_run(size=(80, 24), solver=registry.solver("anneal")) as on:
        await on.go(300)
        await on.go(100)
        for change in ("schedule = logarithmic", "max_steps = 2000"):
            await on.press("colon", *change, "enter")
            await on.until(lambda change=change: change.rpartition(" ")[2].replace("2000", "2 000") in on.said)
        await on.press("w")
        await on.until(lambda: isinstance(on.app.screen, BranchList))
        words = " ".join(shown(on).split())
        assert "logarithmic" in words
        assert "→ 2 000" in words


def test_branches_inside_a_step_are_not_said_to_be_saved() -> None:
    assert "saved as a run of its own" in BranchList(()).about[0]
    assert "last until you leave the step" in BranchList((), inside=True).about[0]
    assert BranchList((), inside=True).about[1:] == BranchList(()).about[1:]


async def test_the_list_of_branches_and_the_form_are_about_the_step_where_the_run_pauses() -> None:
    async with open_run(solver=registry.solver("anneal")) as on:
        await on.press("space")
        await on.until(lambda: on.step > 2)
        await on.press("w")
        await on.until(lambda: isinstance(on.app.screen, BranchList))
        assert on.run_screen.snapshot.state == "PAUSED"
        assert f" {on.step} " in shown(on).split("\n")[TOP]
        await on.press("escape", "space")
        await on.until(lambda: on.run_screen.snapshot.state == "RUNNING")
        await on.press("p")
        await on.until(lambda: isinstance(on.app.screen, ParameterForm))
        assert on.run_screen.snapshot.state == "PAUSED"


@pytest.mark.sweep
async def test_a_breakpoint_list_that_is_long_scrolls() -> None:
    async with dialog("full_stop", BreakpointList, size=(80, 24)) as on:
        for step in range(30):
            await on.press(*f"E<={step}", "enter")
        await on.until(lambda: len(stops(on)) == 30)
        await on.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
        assert "giving up" in shown(on)
        assert Breakpoint(Stop(energy=0)) in on.run_screen.snapshot.breakpoints


@pytest.mark.sweep
@pytest.mark.parametrize("key", ["full_stop", "p", "w"])
async def test_keys_at_random_leave_a_dialog_and_the_laboratory_whole(key: str) -> None:
    dice = random.Random(key)
    keys = [*"E<=5r3c4 T0.7=-", "up", "down", "left", "right", "pageup", "pagedown", "enter", "delete", "backspace",
            "escape", "home", "end", "tab", "f5"]
    async with open_run(size=(60, 20)) as on:
        await on.press("right", "right_square_bracket", key)
        for _ in range(60):
            await on.press(dice.choice(keys))
        for _ in range(8):
            if on.app.screen is not on.run_screen:
                await on.press("escape")
        assert on.app.screen is on.run_screen
        await on.press("home")
        await on.at(0)


async def test_under_a_dialog_that_lets_it_through_nothing_is_painted_past_the_dialog() -> None:
    async with open_run() as on:
        assert on.run_screen._direct_place(on.run_screen.board) is not None
        await on.press("colon")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette))
        assert on.run_screen.is_current
        assert on.run_screen._direct_place(on.run_screen.board) is None


def test_a_refused_change_names_all_that_can_be_changed_and_an_example_that_can() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params()
    with pytest.raises(BadInput, match=r"no parameter foo: expected one of .*alpha.*, T, move$"):
        parse_change("foo = 3", solver, params)
    for name in ("anneal", "backtrack"):
        solver = registry.solver(name)
        with pytest.raises(BadInput, match="expected NAME = VALUE") as refused:
            parse_change("foo", solver, solver.make_params())
        example = str(refused.value).partition(", as ")[2]
        assert parse_change(example, solver, solver.make_params())[0] in type(solver.make_params()).__struct_fields__
