"""The explanations of the marks that are on the board."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run.run import Run
from engine.view import PencilRole, View
from tests.engine.solvers.annealing.boards import EASY, HARD
from tests.tui.run_driver import RunDriver, open_run
from tui.keys.default_keys import RUN_KEYS
from tui.keys.keymap import KeyTable
from tui.look.glyphs import ASCII, UNICODE, Glyphs
from tui.screens.dialogs.help import Topic, help_pages
from tui.screens.run.explain import explanation
from tui.screens.run.presenter import placeholders
from tui.widgets.board.board import Position, cells_of
from tui.widgets.board.cell import FLAGS, NO_HEAT, Cell, cell_lines, compact_line
from tui.widgets.board.cell_line import mark_legend
from tui.widgets.board.layout import fitting
from tui.widgets.board.mark_help import MARKS, marks_on, sample
from tui.widgets.board.overlays import hints_of, origin_of
from tui.widgets.rows import Space, plain

REACH = UNICODE.mark("reach")
FEW: dict[str, Any] = {"size": 7, "workers": 0.7, "luck": 0.05, "patience": 25, "epochs": 40, "attempts": 3}


def started(name: str, puzzle: Puzzle = EASY, **values: object) -> Run:
    return Run.start(name, puzzle, registry.solver(name).make_params(None, values), seed=1)


def marked_with(run: Run, role: str) -> View:
    """The first view of a run with this mark."""
    while not run.view().marks.get(role):  # type: ignore[call-overload]
        assert run.outcome is None
        run.advance(1)
    return run.view()


def explained(name: str, view: View, puzzle: Puzzle = EASY) -> dict[str, tuple[str, str]]:
    return {sign: (number, words) for sign, number, words in marks_on(view, registry.solver(name), puzzle)}


def test_every_free_cell_of_a_child_is_counted_by_its_origin() -> None:
    run, seen = started("ga-rows", crossover="order", mutation="swap"), set()
    for _birth in range(40):
        found = explained("ga-rows", marked_with(run, "parent_a"))
        cells = [int(number.replace(" ", "")) for sign, (number, _words) in found.items()]
        assert sum(cells) == len(EASY.free_cells)
        seen |= {*found}
        run.advance(1)
    assert {"A", "B", "no letter"} <= seen
    assert found["A"][1].startswith("From parent A, #")


def test_a_cell_without_a_letter_is_from_neither_parent() -> None:
    run = started("ga-rows", crossover="order", mutation="swap")
    view = marked_with(run, "parent_a")
    marked = {cell for role in ("parent_a", "parent_b", "moved") for cell in view.marks[role]}
    bare = next(cell for cell in EASY.free_cells if cell not in marked)
    assert explanation(EASY, view, bare).fields["origin"] == "from neither parent: placed by the crossover"


def test_a_letter_for_a_whole_row_or_box_is_explained() -> None:
    rows = explained("ga-ordered", marked_with(started("ga-ordered"), "parent_b"))
    assert rows["B"][1].endswith("The letter at the number of a row is for all its free cells.")
    boxes = explained("swarm", marked_with(started("swarm", **FEW), "parent_b"))
    assert boxes["B"][1].endswith("The letter at the first free cell of a box is for all its free cells.")


def test_marks_mean_what_the_solver_says() -> None:
    arc = explained("ac3", marked_with(started("ac3"), "partner"))
    assert "other end of this step's arc" in arc["( )"][1]
    swap = explained("anneal", marked_with(started("anneal"), "reach"))
    assert "could have been swapped" in swap[REACH][1]


def test_the_marks_of_a_rejected_swap_do_not_say_that_a_cell_moved() -> None:
    run = started("anneal", HARD)
    while not any("rejected" in event.kinds for event in run.events) or not run.view().marks["partner"]:
        run.advance(1)
    words = explained("anneal", run.view(), HARD)
    assert {"[ ]", "( )", REACH} <= set(words)
    assert not any("moved" in meaning for _number, meaning in words.values())


def test_a_mark_that_another_one_hides_is_not_counted() -> None:
    run = started("tabu")
    view = marked_with(run, "tabu")
    while not set(view.marks["tabu"]).intersection(view.marks.get("partner", ())):
        run.advance(1)
        view = run.view()
    sign, layout = UNICODE.mark("tabu"), fitting(3, 80, 12)
    drawn = [cell_lines(cell, layout, UNICODE)[0] for cell in cells_of(Position(EASY, view.grid, view.marks))]
    number, words = explained("tabu", view)[sign]
    assert number == str(sum(line[0][0] == sign for line in drawn))
    more = re.search(r"(\d+) more with a ban", words)
    bans = next(gauge for gauge in view.gauges if gauge.label == "bans")
    assert more is not None
    assert bans.share is not None
    assert int(number) + int(more[1]) == round(bans.share * len(EASY.free_cells))


def test_the_cells_of_a_pattern_are_told_from_the_others_of_its_unit() -> None:
    puzzle = packs.find("extreme:5").puzzle
    run = started("human", puzzle)
    run.advance(7)
    view = run.view()
    assert "Naked pair  4 and 7 in row 8" in str(view.panel)
    pair = set(view.marks["reach"])
    drawn = [cell_lines(cell, fitting(3, 80, 12), UNICODE)[0][0][0]
             for cell in cells_of(Position(puzzle, view.grid, view.marks, hints=hints_of(view)))]
    assert {cell for cell, mark in enumerate(drawn) if mark == REACH} == pair
    assert explained("human", view, puzzle)[REACH][0] == str(len(pair)) == "2"
    assert ":" in drawn, "the other cells of row 8"


@pytest.mark.parametrize("name", ["backtrack-mrv", "norvig", "mac"])
def test_the_cells_of_a_dead_end_are_counted_and_explained(name: str) -> None:
    view = marked_with(started(name, HARD), "core")
    number, words = explained(name, view, HARD)["contradiction"]
    assert number == str(len(view.marks["core"]))
    assert "dead end" in words
    assert words.endswith("Marked with ! and underlined.")


def test_the_marks_of_another_grid_of_a_particle_are_explained() -> None:
    run = started("swarm-velocity")
    while not any(each.marks["reach"] for each in run.view().related):
        run.advance(1)
    related = next(each for each in run.view().related if each.marks["reach"])
    found = explained("swarm-velocity", replace(run.view(), grid=related.grid, marks=related.marks))
    assert "differs" in found[REACH][1]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_mark_that_a_board_can_draw_is_in_the_list(glyphs: Glyphs) -> None:
    topic = Topic("Laboratory", [], [], KeyTable(RUN_KEYS), placeholders(registry.solver("anneal")))
    heights = str.maketrans(dict.fromkeys(glyphs.heats[1:], glyphs.heats[6]))
    listed = "\n".join(line for page in help_pages(topic, Space(200, 60, glyphs)) for line in plain(page))
    samples = {"".join(text for text, _role in sample(name, glyphs)).translate(heights).strip() for name in MARKS}
    flags = [1 << bit for bit in range(12)]
    assert max(flags) == max(FLAGS.values())
    for flag in flags:
        line = compact_line(Cell(7, flag, heat=5 if flag == FLAGS["tabu"] else NO_HEAT), "7", glyphs)
        drawn = "".join(text for text, _role in line).strip().translate(heights)
        assert drawn.replace("B", "A").replace(glyphs.rising, glyphs.falling) in samples, flag
    assert f"7{glyphs.heats[6]}" in samples
    assert {*get_args(PencilRole)} <= {*MARKS}
    for name, mark in MARKS.items():
        assert "".join(text for text, _role in sample(name, glyphs)).strip() in listed
        assert mark.brief.split()[0] in listed


async def test_the_bar_of_a_ban_is_not_explained_as_certainty() -> None:
    async with open_run((120, 36), registry.solver("tabu"), EASY) as on:
        for step in (1, 4):
            await on.go(step)
            said = board_page(on)
            assert "the surer it is" not in said, step
        assert "the longer the ban" in said


def board_page(on: RunDriver) -> str:
    pages = on.run_screen.help_panes()[1][1](Space(100, 40))
    return " ".join(" ".join(line for rows in pages for line in plain(rows)).split())


async def test_the_board_page_explains_the_grid_that_the_board_shows() -> None:
    solver = registry.solver("swarm-velocity")
    async with open_run((120, 36), solver) as on:
        await on.go(3)
        while not (on.run_screen.population.related and on.run_screen.population.view.marks["reach"]):
            await on.press("a")
            await on.pilot.pause()
            if not on.run_screen.population.related:
                await on.press("right")
                await on.pilot.pause()
        said = board_page(on)
        assert solver.mark_words["reach"] in said


def test_parents_have_small_letters_on_a_board_whose_values_may_be_letters() -> None:
    large = packs.find("16x16:1").puzzle
    run = started("ga-cells", large, size=20)
    view = marked_with(run, "parent_a")
    drawn = {line[0][0] for cell in cells_of(Position(large, view.grid, view.marks), origin_of(large, view.marks))
             for line in cell_lines(cell, fitting(4, 80, 20), UNICODE)}
    assert {"a", "b"} <= drawn
    assert not {"A", "B"} & drawn
    found = explained("ga-cells", view, large)
    assert found["a"][1].startswith("From parent A, #")
    assert ("a ", "strong") in [piece[0] for piece in mark_legend(view, large.n)]
