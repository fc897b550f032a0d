"""The explanations of panes: by a digit in the help, and by a click on a heading."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import registry
from engine.events.population import name_of
from engine.puzzles import packs
from engine.run.run import Run
from engine.techniques.order import TECHNIQUES
from engine.view import population_in
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import PUZZLE, REHEAT
from tui.look.glyphs import ASCII
from tui.messages import playing
from tui.playback.commands import Intervene
from tui.screens.dialogs.help import Help, PaneHelp
from tui.screens.run import presenter
from tui.screens.run.pane_help import OF_INDIVIDUAL, Explanation, Moment, Term, meaning, pages
from tui.screens.run.pane_help import explained as explained_panes
from tui.screens.run.parameter_form import ParameterForm
from tui.widgets.chance import Chance, chance_rows
from tui.widgets.panels.population import Selection, population_rows
from tui.widgets.rows import Space, plain


async def page(on: RunDriver) -> str:
    await on.until(lambda: isinstance(on.app.screen, PaneHelp) and on.app.screen.text._shown)
    screen = on.app.screen
    assert isinstance(screen, PaneHelp)
    return on.shown(screen.text)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_a_digit_in_the_help_explains_a_pane_with_its_values(size: tuple[int, int]) -> None:
    async with open_run(size) as on:
        await on.go(REHEAT)
        gauges = {gauge.label: gauge.text for gauge in on.run_screen.snapshot.view.gauges}
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.text._shown)
        assert isinstance(on.app.screen, Help)
        assert "3 Gauges" in on.shown(on.app.screen.text)
        await on.press("3")
        words = (await page(on)).split()
        assert gauges["E"] in words
        assert gauges["T"] in words
        assert "temperature:" in words
        await on.press("2")
        await on.until(lambda: "in conflict" in on.shown(on.app.screen.text))  # type: ignore[attr-defined]
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, Help))


def explained(on: RunDriver, pane: int) -> str:
    pages = on.run_screen.help_panes()[pane][1](Space(100, 30))
    return " ".join(" ".join(line for rows in pages for line in plain(rows)).split())


async def test_the_page_on_chance_has_the_numbers_of_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Chance(4e-9, 0.9996, 2)
    monkeypatch.setattr(presenter, "chance", lambda snapshot: chance)
    async with open_run() as on:
        await on.go(REHEAT)
        page = explained(on, 3)
        assert "p < 1e-06 " in page
        assert "u 0.9996 " in page
    bar = plain(chance_rows(chance, Space(40, 4)))
    assert "u = 0.9996" in bar[1]
    assert bar[3].startswith("p < 1e-06")


def test_a_value_is_set_apart_from_the_meaning_after_it() -> None:
    shown = Explanation("Program", "The algorithm.", [Term("line 1", "naked single", "while singles: fill")])
    (page,) = pages(shown, 1, Space(78, 20))
    assert "line 1              naked single  while singles: fill" in "\n".join(plain(page))


async def test_the_verdict_is_explained_with_its_reason_and_the_board_with_the_marks_that_it_has() -> None:
    async with open_run((80, 24), registry.solver("human")) as on:
        await on.go(1)
        because = on.run_screen.snapshot.readout.because
        assert because is not None
        assert because.text in explained(on, 0)
        view = on.run_screen.snapshot.view
        assert view.units
        unit = on.run_screen.puzzle.geometry.units[view.units[0]].name
        assert f"They are in a unit that this step is about: {unit}" in explained(on, 1)
    async with open_run((80, 24), registry.solver("dlx")) as on:
        await on.go(1)
        assert "the surer it is, or the more urgent" in explained(on, 1)


async def hint(on: RunDriver) -> None:
    """The next press of the key for a hint."""
    before = on.run_screen.snapshot.notice
    await on.press("f2")
    await on.until(lambda: (notice := on.run_screen.snapshot.notice) is not None and notice != before
                   and notice.badge != "SEARCHING")


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_the_pages_of_a_hint_describe_its_board_and_its_sentence(size: tuple[int, int]) -> None:
    puzzle = packs.find("easy:1").puzzle
    async with open_run(size, registry.solver("anneal"), puzzle) as on:
        await on.go(300)
        because = on.run_screen.snapshot.readout.because
        assert because is not None
        assert because.text in explained(on, 0)
        for pressed in range(2):
            await hint(on)
            assert "HINT" in explained(on, 0)
            assert "why" not in explained(on, 0).split()
            assert because.text not in explained(on, 0)
            board, drawn = explained(on, 1), on.shown(on.run_screen.board)
            assert "The board of the hint, which is not that of this step." in board
            assert "in conflict" not in board
            assert "!" not in drawn.splitlines()[5]
            assert ("[ ]" in board, "cells that the hint fills" in board) == (pressed == 1, pressed == 1)
            assert ("[" in drawn or "⎡" in drawn) == (pressed == 1)
            assert ("cells with :" in board) == (":" in drawn)
            assert ("∘" in board) == ("∘" in drawn)
        assert "They are in a unit that the hint is about" in board
        assert "highlighted " not in board.replace("highlighted.", "")
        help_now = " ".join(on.run_screen.help_now())
        assert "The board and the verdict line show a hint; esc closes it." in help_now
        assert "highlighted" not in help_now
        await on.press("escape")
        await on.until(lambda: on.run_screen.snapshot.notice is None)
        assert "The grid after this step." in explained(on, 1)
        assert because.text in explained(on, 0)


async def test_the_pages_of_an_opened_individual_have_no_reason_of_the_step() -> None:
    async with open_run((200, 60), registry.solver("ga-ordered")) as on:
        await on.go(5)
        because = on.run_screen.snapshot.readout.because
        assert because is not None
        await on.press("a")
        await on.until(lambda: on.run_screen.snapshot.opened is not None)
        who = name_of(on.run_screen.snapshot.opened or 0)
        assert f"INDIVIDUAL {who} of" in explained(on, 0)
        assert because.text not in explained(on, 0)
        assert f"The grid of individual {who}, which was opened" in explained(on, 1)
        assert any(f"The board shows {who}, which was opened; esc returns" in each
                   for each in on.run_screen.help_now())
        await hint(on)
        assert "The board of the hint" in explained(on, 1)
        assert "HINT" in explained(on, 0)


@pytest.mark.parametrize("name", ["ga-ordered", "ga-memetic", "swarm", "swarm-anneal", "swarm-velocity"])
def test_only_gauges_of_an_individual_differ_between_individuals(name: str) -> None:
    run = Run.start(name, PUZZLE, seed=1)
    run.advance(2)
    shown = [run.solver.view_of(run.state, run.params, run.events, place).gauges for place in range(6)]
    differing = {gauges[place].label for gauges in shown for place in range(len(gauges))
                 if gauges[place] != shown[0][place]}
    assert "E" in differing
    assert differing <= {*OF_INDIVIDUAL}


async def test_the_gauges_page_says_which_numbers_are_of_an_opened_individual() -> None:
    async with open_run((200, 60), registry.solver("swarm-velocity")) as on:
        await on.go(3)
        on.run_screen.population.open(5)
        await on.until(lambda: on.run_screen.snapshot.opened == 5)
        assert "Of particle #6, which was opened: E, own, r₁, r₂. The others are of the whole population." in explained(
            on, [title for title, _pages in on.run_screen.help_panes()].index("Gauges"))
    async with open_run((80, 24)) as on:
        await on.go(3)
        assert "whole population" not in explained(on, 2)


async def test_a_child_without_a_second_parent_is_not_given_one() -> None:
    async with open_run((80, 24), registry.solver("ga-memetic"), packs.find("easy:1").puzzle) as on:
        numbers = set()
        for step in range(1, 12):
            await on.go(step)
            population = population_in(on.run_screen.snapshot.view.panel)
            assert population is not None
            numbers.add(len(population.parents))
            titles = [title for title, _pages in on.run_screen.help_panes()]
            for told in (explained(on, titles.index("Population")), " ".join(on.run_screen.help_now())):
                assert ("A is its parent" in told) == (len(population.parents) == 1)
                assert ("A and B are its parents" in told) == (len(population.parents) == 2)
        assert {1, 2} <= numbers


async def test_the_help_of_a_population_tells_what_is_on_the_board_in_place_of_the_one_of_the_step() -> None:
    async with open_run((120, 36), registry.solver("swarm-velocity"), packs.find("easy:1").puzzle) as on:
        await on.go(201)

        def told() -> str:
            titles = [title for title, _pages in on.run_screen.help_panes()]
            return explained(on, titles.index(on.run_screen.snapshot.view.panel.title))

        assert "is on the board: that of the step or, above 30 steps a second, the best." in told()
        await on.press("a")
        await on.until(lambda: "pBest" in on.said)
        assert "is that of the step; the board shows pBest in its place." in told()
        await on.press("escape")
        on.run_screen.population.open(5)
        await on.until(lambda: on.run_screen.snapshot.opened == 5)
        assert "is on the board: the one that you opened." in told()


@pytest.mark.parametrize(("name", "size", "mark"), [
    ("ga-ordered", (200, 60), "["), ("ga-ordered", (80, 24), "["), ("swarm", (120, 36), "[]")])
async def test_the_mark_of_the_individual_on_the_board_is_described_as_drawn(
        name: str, size: tuple[int, int], mark: str) -> None:
    async with open_run(size, registry.solver(name), packs.find("easy:1").puzzle) as on:
        await on.go(1)
        titles = [title for title, _pages in on.run_screen.help_panes()]
        assert f" {mark} is on the board: that of the step" in explained(on, titles.index("Population"))
        drawn = on.shown(on.run_screen.panel)
        assert mark in drawn
        assert ("[]" in drawn) == (mark == "[]")
        assert mark == "[]" or all("[] is" not in each for each in on.run_screen.help_now())


async def test_the_pages_of_another_grid_of_a_particle_are_about_that_grid() -> None:
    async with open_run((200, 60), registry.solver("swarm-velocity")) as on:
        await on.go(3)
        because = on.run_screen.snapshot.readout.because
        assert because is not None
        await on.press("a")
        await on.until(lambda: on.run_screen.population.related is not None)
        assert "OTHER GRID" in explained(on, 0)
        assert because.text not in explained(on, 0)
        assert "The grid pBest, in place of that of particle #" in explained(on, 1)
        assert any("The board shows the grid pBest" in each for each in on.run_screen.help_now())


@pytest.mark.sweep
async def test_a_click_on_a_heading_explains_its_pane() -> None:
    async with open_run((120, 36)) as on:
        await on.go(REHEAT)
        for pane, word in ((on.run_screen.gauges, "Gauges"), (on.run_screen.program, "pseudo-code"),
                           (on.run_screen.timeline.heading, "playhead")):
            await on.pilot.click(pane, offset=(1, 0))
            assert word in await page(on)
            await on.press("escape")
            await on.until(lambda: on.app.screen is on.run_screen)
        await on.pilot.click(on.run_screen.gauges, offset=(1, 1))
        assert on.app.screen is on.run_screen


@pytest.mark.parametrize(("name", "titles"), [
    ("backtrack", ["Stack"]), ("dlx", ["Choices left", "Stack"]), ("mac", ["Stack", "Queue"]),
    ("swarm-velocity", ["Population", "Velocity"])])
async def test_a_click_on_the_title_of_each_part_of_a_panel_explains_the_panel(name: str, titles: list[str]) -> None:
    async with open_run((200, 60), registry.solver(name)) as on:
        await on.go(3)
        panel = on.run_screen.panel
        for title in titles:
            y = next(y for y, line in enumerate(on.shown(panel).splitlines()) if line.startswith(title))
            await on.pilot.click(panel, offset=(1, y))
            await on.until(lambda: isinstance(on.app.screen, PaneHelp))
            await on.press("escape")
            await on.until(lambda: on.app.screen is on.run_screen)


async def test_a_click_on_setup_opens_the_form_of_the_parameters() -> None:
    async with open_run((120, 36)) as on:
        await on.pilot.click(on.run_screen.parameters, offset=(1, 0))
        await on.until(lambda: isinstance(on.app.screen, ParameterForm))



@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("name", registry.names())
def test_every_gauge_and_curve_of_a_solver_has_a_meaning(name: str) -> None:
    solver = registry.solver(name)
    if solver.missing():
        pytest.skip(f"{name} is not installed")
    labels = {channel.label for channel in solver.channels}
    for preset in solver.presets:
        run = Run.start(name, PUZZLE, solver.make_params(preset), seed=1)
        for _step in range(3):
            labels |= {gauge.label for gauge in run.view().gauges}
            run.advance(1)
    assert [label for label in sorted(labels) if not meaning(solver, label).endswith(".")] == []


async def test_the_summary_of_a_fast_run_is_explained_number_by_number() -> None:
    async with open_run((120, 36)) as on:
        await on.go(5)
        snapshot, solver = on.run_screen.snapshot, on.run_screen.solver
    summary = playing(1_000, [("E", "4"), ("accepted", "30.0 %")], (1, 1_000), [("E", "2…9")])
    fast = replace(snapshot, readout=replace(snapshot.readout, summary=summary))
    verdict = explained_panes(Moment(fast, solver, PUZZLE, summary, (), None, kind="summary"))["verdict"]
    assert "too fast for single steps to be read" in verdict.about
    meanings = {term.name: term.meaning for term in verdict.terms}
    assert meanings["best"] == "The lowest E so far."


@pytest.mark.parametrize(("name", "said"), [
    ("dlx", "1 of 2: the first of the two choices"), ("belief", "strongest: the value with the largest belief"),
    ("swarm-velocity", "as before: kept of the last velocity"), ("ac3", "the next one first"),
    ("tabu", "for how many more steps")])
async def test_the_columns_of_tables_and_the_order_of_lists_are_explained(name: str, said: str) -> None:
    async with open_run((80, 24), registry.solver(name)) as on:
        await on.go(1)
        panel = on.run_screen.snapshot.view.panel
        assert panel is not None
        titles = [title for title, _pages in on.run_screen.help_panes()]
        assert said in explained(on, titles.index(panel.title))


@pytest.mark.parametrize("name", ["backtrack", "dlx"])
async def test_the_timeline_of_a_dead_end_has_the_numbers_of_the_gauges(name: str) -> None:
    async with open_run((120, 36), registry.solver(name)) as on:
        await on.press("d")
        await on.until(lambda: any("contradiction" in event.kinds for event in on.run_screen.snapshot.events))
        gauges = {gauge.label: gauge.text for gauge in on.run_screen.snapshot.view.gauges}
        titles = [title for title, _pages in on.run_screen.help_panes()]
        assert f"depth {gauges['depth']} " in explained(on, titles.index("Timeline"))


@pytest.mark.parametrize(("name", "change", "energy"), [("anneal", "alpha", "E"), ("ga-rows", "cross_rate", "mean E")])
async def test_the_curve_of_another_branch_is_explained_where_it_is_drawn(name: str, change: str, energy: str) -> None:
    async with open_run(solver=registry.solver(name)) as on:
        await on.go(300)
        await on.go(100)
        timeline = [title for title, _pages in on.run_screen.help_panes()].index("Timeline")
        assert "of another branch" not in explained(on, timeline)
        on.run_screen.worker.send(Intervene(change, 0.5))
        await on.until(lambda: on.run_screen.snapshot.rival is not None)
        assert f"○ {energy} of another branch, where it is not that of this one." in explained(on, timeline)
        pages = on.run_screen.help_panes()[timeline][1](Space(100, 30, ASCII))
        assert any(line.strip().startswith(f"{ASCII.rival} ") for rows in pages for line in plain(rows))


async def test_the_page_on_the_board_names_the_key_of_the_help() -> None:
    async with open_run() as on:
        assert "? lists the marks of all solvers." in explained(on, 1)
        on.run_screen.table = on.run_screen.table.remapped({"help": ("f8",)})
        assert "f8 lists the marks of all solvers." in explained(on, 1)


async def test_the_scales_of_a_temperature_and_of_the_axis_are_explained() -> None:
    async with open_run((120, 36)) as on:
        await on.go(5)
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.text._shown)
        titles = [title for title, _pages in on.run_screen.help_panes()]
        await on.press(str(titles.index("Gauges") + 1))
        said = " ".join((await page(on)).split())
        assert "The bar is a log scale from T_min to T₀" in said
        await on.press(str(titles.index("Timeline") + 1))
        said = " ".join((await page(on)).split())
        assert "the axis doubles (×2)" in said
        assert "is a log scale between the two numbers at its right" in said
        assert "Without room for a lane ° is its curve, behind that of E" in said
        assert "its upper dots are E, its lower ones best; in ASCII it is a +" in said


@pytest.mark.parametrize(("name", "words"), [
    ("human", [technique.name for technique in TECHNIQUES]), ("swarm", ["organism", "worker", "explorer", "merge"]),
    ("swarm-velocity", ["particle", "pBest", "gBest"]), ("ga-memetic", ["better child"])])
async def test_a_panel_explains_the_words_of_its_solver(name: str, words: list[str]) -> None:
    async with open_run((120, 36), registry.solver(name)) as on:
        await on.go(2)
        panel = on.run_screen.snapshot.view.panel
        assert panel is not None
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.text._shown)
        titles = [title for title, _pages in on.run_screen.help_panes()]
        digit = titles.index(panel.title)
        await on.press(str(digit + 1))
        assert panel.title in await page(on)
        pages = on.run_screen.help_panes()[digit][1](Space(100, 30))
        said = " ".join(line for rows in pages for line in plain(rows))
        for word in words:
            assert f"{word} " in said
            assert " ".join(meaning(registry.solver(name), word).split()[:4]) in said


def test_every_technique_has_a_meaning() -> None:
    solver = registry.solver("human")
    for technique in TECHNIQUES:
        assert meaning(solver, technique.name).count(".") == 1, technique.name


@pytest.mark.parametrize(("name", "word"), [("swarm", "organism"), ("swarm-velocity", "particle"),
                                            ("ga-rows", "individual")])
def test_a_population_is_counted_by_one_noun(name: str, word: str) -> None:
    run = Run.start(name, PUZZLE, seed=1)
    run.advance(1)
    panel = population_in(run.view().panel)
    assert panel is not None
    assert panel.word == word
    size = f"{panel.size - panel.born} + {panel.born}" if panel.born else f"{panel.size}"
    assert f"{size} {word}s" in "\n".join(plain(population_rows(panel, Selection(), 4, Space(65, 18))))


@pytest.mark.parametrize("name", ["backtrack", "dlx", "z3-inside"])
async def test_panels_are_explained(name: str) -> None:
    async with open_run((120, 36), registry.solver(name)) as on:
        await on.go(5)
        await on.press("question_mark")
        await on.until(lambda: isinstance(on.app.screen, Help) and on.app.screen.text._shown)
        titles = [title for title, _pages in on.run_screen.help_panes()]
        assert titles[-1] == "Timeline"
        assert "Chance" not in titles
        panel = on.run_screen.snapshot.view.panel
        assert panel is not None
        assert panel.title in titles
        await on.press(str(titles.index(panel.title) + 1))
        assert panel.title in await page(on)


async def test_the_pages_of_a_dead_end_say_that_the_panes_show_it_before_it_is_left() -> None:
    async with open_run((80, 24), registry.solver("dlx")) as on:
        run = Run.start("dlx", PUZZLE)
        dead = run.find("contradiction", 1, limit=10_000)
        assert dead is not None
        for step, when in ((dead - 1, "after this step"), (dead, "at this step, before the search leaves it")):
            await on.go(step)
            assert f"The grid {when}." in explained(on, 1)
            assert f"The numbers of the state {when};" in explained(on, 2)
            assert ("the curves go on with the next one" in explained(on, -1)) is (step == dead)


async def test_the_page_of_the_gauges_says_when_a_limit_that_was_set_by_hand_is_in_them() -> None:
    async with open_run(solver=registry.solver("anneal-reheat")) as on:
        await on.go(500)
        assert "by hand" not in explained(on, 2)
        await on.press("colon", *"stagnation=80", "enter")
        await on.until(lambda: on.run_screen.snapshot.params.stagnation == 80)
        assert "set by hand after this step is in Setup now, and in a gauge from the next step on" in explained(on, 2)
        stuck = {gauge.label: gauge.text for gauge in on.run_screen.snapshot.view.gauges}["stuck"]
        await on.press("right")
        await on.at(501)
        assert "by hand" not in explained(on, 2)
        later = {gauge.label: gauge.text for gauge in on.run_screen.snapshot.view.gauges}["stuck"]
        assert (stuck.partition("/")[2], later.partition("/")[2]) == ("50", "80")


@pytest.mark.parametrize(("size", "letters"), [((120, 36), True), ((200, 60), False)])
async def test_letters_on_a_large_board_are_explained_where_it_has_them(size: tuple[int, int], letters: bool) -> None:
    async with open_run(size, registry.solver("backtrack"), packs.find("16x16:1").puzzle) as on:
        assert ("A to G The values 10 to 16" in explained(on, 1)) is letters


async def test_a_candidate_that_is_alone_in_the_middle_of_its_cell_is_explained() -> None:
    async with open_run((120, 36), registry.solver("backtrack"), packs.find("hard:3").puzzle) as on:
        assert "·3·" not in on.shown(on.run_screen.board)
        assert "·3·" not in explained(on, 1)
        await on.go(19_940)
        assert "·3·" in on.shown(on.run_screen.board)
        assert "·3· 1 The only candidate of its cell" in explained(on, 1)


async def test_coloured_candidates_are_counted_where_the_board_draws_them() -> None:
    async with open_run((200, 60), registry.solver("mac"), packs.find("hard:1").puzzle) as on:
        await on.go(20)
        view = on.run_screen.snapshot.view
        assert view.pencils["support"], "the value of the cell that was decided, which is drawn as a value"
        assert "bold digits" not in explained(on, 1)
        assert "bars" not in explained(on, 1), "no dead end has made a unit urgent yet"


async def test_every_empty_cell_that_no_value_fits_is_counted_at_a_dead_end() -> None:
    async with open_run((120, 36), registry.solver("backtrack"), packs.find("hard:3").puzzle) as on:
        await on.go(19_940)
        view = on.run_screen.snapshot.view
        assert view.candidates is not None
        barren = sum(not value and not left for value, left in zip(view.grid, view.candidates, strict=True))
        assert barren == 2
        for _pencilled in range(2):
            assert "∅! 2 Empty cells that no value fits into." in explained(on, 1)
            assert on.shown(on.run_screen.board).count("∅!") == 2
            await on.press("c")


async def test_the_end_of_a_run_that_gives_up_says_which_grid_each_pane_is_of() -> None:
    async with open_run((120, 36)) as on:
        await on.go(5)
        snapshot, solver = replace(on.run_screen.snapshot, returns=True), on.run_screen.solver
    panes = explained_panes(Moment(snapshot, solver, PUZZLE, None, (), None))
    assert panes["gauges"].about.startswith("E is that of the best grid, which the run returns")
    assert panes["heading"].about.endswith("board and gauges show the best one, which is returned.")
    async with open_run((120, 36), registry.solver("backtrack-mrv")) as on:
        await on.go(5)
        snapshot, solver = replace(on.run_screen.snapshot, returns=True), on.run_screen.solver
    panes = explained_panes(Moment(snapshot, solver, PUZZLE, None, (), None))
    assert panes["gauges"].about.startswith("The numbers of the last state; the board has the best grid")
    assert panes["heading"].about.endswith("the board shows the best one, which is returned.")
    assert panes["board"].about.startswith("The best grid, which the run returned at its end. ?")
    contradicted = replace(snapshot, view=replace(snapshot.view, marks={"core": (1,)}))
    panes = explained_panes(Moment(contradicted, solver, PUZZLE, None, (), None))
    assert "The cells of a contradiction are marked where it has the values of the last state." in panes["board"].about


async def test_on_a_puzzle_with_diagonals_conflicts_and_e_name_them() -> None:
    async with open_run((120, 36), registry.solver("anneal"), packs.find("diagonal:1").puzzle) as on:
        assert "more than once in a row, a column, a box or a diagonal." in explained(on, 1)
        assert "or all (extended), and diagonals" in explained(on, 2)


async def test_the_children_of_a_generation_are_told_from_the_population() -> None:
    async with open_run((120, 36), registry.solver("ga-ordered")) as on:
        await on.go(1)
        titles = [title for title, _pages in on.run_screen.help_panes()]
        said = explained(on, titles.index("Population"))
        assert "1 of them is a child of this generation, which joins the population at its end." in said
        await on.go(3)
        said = explained(on, titles.index("Population"))
        assert "3 of them are children of this generation, which join the population at its end." in said
        assert "without the children of this generation" in explained(on, titles.index("Gauges"))


async def test_the_choices_of_a_stack_are_counted_as_the_depth_counts_them() -> None:
    async with open_run((120, 36), registry.solver("backtrack"), packs.find("hard:3").puzzle) as on:
        await on.press("d")
        await on.until(lambda: "DEAD END" in on.said)
        await on.press("right")
        await on.until(lambda: "RETRACTED" in on.said or "ASSIGNED" in on.said)
        depth = next(gauge.text for gauge in on.run_screen.snapshot.view.gauges if gauge.label == "depth")
        titles = [title for title, _pages in on.run_screen.help_panes()]
        assert f" {depth} The open choices of the search" in explained(on, titles.index("Stack"))
