"""Home: keys and mouse."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from textual import events

from engine import registry
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from engine.run.recipe import Recipe
from engine.solver import Outcome
from engine.view import Sentence
from tests.engine.strangers.toy_recorded import ToyRecorded
from tests.tui.app_driver import RUN, running_app
from tests.tui.small import PUZZLE
from tui import messages
from tui.keys.footer_hints import HOME_HINTS
from tui.requests import HomeRequest, NewRun
from tui.screens.dialogs.help import Help
from tui.screens.dialogs.prompt import PromptDialog
from tui.screens.editor import Editor
from tui.screens.home.puzzle_list import FilterKeys, PuzzleListView, list_lines, list_rows
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen
from tui.storage import library
from tui.storage.run_files import SavedRun
from tui.storage.sessions import ResumableSession
from tui.widgets.rows import Space, plain

WISH = HomeRequest(solver="small", seed=7)


def players() -> int:
    return sum(thread.name == "player" and thread.is_alive() for thread in threading.enumerate())


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_all_puzzles_are_listed_with_level_and_givens(size: tuple[int, int]) -> None:
    async with running_app(size=size) as on:
        count = sum(len(packs.pack(name)) for name in packs.pack_names())
        assert f"{count} puzzles" in on.shown(on.home.header)
        assert {entry.name for entry in on.home.list.shown.entries} == set(packs.by_name())
        for _entry in range(40):
            entry = on.home.selection.entry
            assert entry is not None
            line = next(line for line in on.shown(on.home.list).splitlines() if line.startswith("▶"))
            assert entry.name[:15] in line
            assert line.rstrip().endswith(str(entry.givens))
            await on.pilot.press("down")
        await on.pilot.press("end")
        assert on.home.selection.entry == library.pack_entries()[-1]


@pytest.mark.sweep
async def test_the_card_shows_the_facts() -> None:
    async with running_app(HomeRequest(packs.find("easy:1")), (200, 60)) as on:
        card = on.shown(on.home.card)
        for said in ("first-steps", "easy:1", "9 × 9", "32 of 81", "1, it is unique", "course sheet", "none yet",
                     "111 neighbours", "112 neighbours", "7.8 · 10²¹ grids"):
            assert said in card
    async with running_app(HomeRequest(packs.find("traps:2")), (80, 24)) as on:
        assert "2 solutions or more" in on.shown(on.home.card)


async def test_the_filter_matches_name_pack_level_and_size_while_typing() -> None:
    async with running_app() as on:
        await on.press("slash", *"16x16")
        large = packs.pack("16x16")
        assert f" {len(large)} puzzles" in on.shown(on.home.header)
        await on.press("space", *"extreme")
        assert f" {sum(record.level == 'extreme' for record in large)} puzzles" in on.shown(on.home.header)
        assert "leviathan" in on.shown(on.home.list)
        await on.press(*["backspace"] * 20, *"diagonal")
        assert f" {len(packs.pack('diagonal'))} puzzles" in on.shown(on.home.header)
        await on.press("ctrl+u", *"no such puzzle q")
        assert "no matches" in on.shown(on.home.list)
        assert "enter" not in on.shown(on.home.footer)
        await on.press("enter", "down", "end", "pageup")
        await on.press("escape")
        assert f" {len(packs.by_name())} puzzles" in on.shown(on.home.header)
        await on.press("slash", *"coff", "tab", "e")
        await on.at(Editor)
        assert "coffee" in on.shown(on.editor.header)


async def test_the_filter_lists_first_what_has_the_word_as_name_group_or_level() -> None:
    async with running_app() as on:
        await on.press("slash", *"hard")
        entries = on.home.selection.list.entries
        rated = ["hard" in (each.group, each.record.level) for each in entries]
        assert rated == sorted(rated, reverse=True)
        assert rated.count(True) > 0
        await on.press("ctrl+u", *"easy")
        assert on.home.selection.list.entries[0].record.level == "easy"


async def test_every_heading_counts_the_entries_below_it_up_to_the_next() -> None:
    async with running_app() as on:
        await on.press("slash", *"hard")
        entries = on.home.selection.list.entries
        lines = list_lines(entries)
        groups = [line[0] for line in lines if not isinstance(line, int)]
        assert len(groups) > len(set(groups)), "a group of which a part is listed first"
        heads = [place for place, line in enumerate(lines) if not isinstance(line, int)]
        for head, after in zip(heads, [*heads[1:], len(lines)], strict=True):
            assert lines[head] == (entries[lines[head + 1]].group, after - head - 1)  # type: ignore[call-overload]


async def test_a_puzzle_is_found_by_the_argument_of_the_commands() -> None:
    async with running_app() as on:
        await on.press("slash", *"hard:1", "escape")
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.name == "steep-climb"
        assert "Puzzles   hard:1 " in on.shown(on.home.header)


async def test_the_filter_selects_what_fits_best_while_typing() -> None:
    """An easy puzzle called upper-orchard matches "diag hard" too, and is not what is meant."""
    async with running_app() as on:
        await on.press("slash", *"diag", "space", *"hard")
        entry = on.home.selection.entry
        assert entry is not None
        assert (entry.record.level, entry.puzzle.variant) == ("hard", "diagonal")
        assert on.home.selection.list.selected == 0


async def test_esc_clears_the_filter_and_keeps_the_selection() -> None:
    async with running_app() as on:
        await on.press("slash", *"windmill", "escape")
        entry = on.home.selection.entry
        assert entry is not None
        assert entry.name == "windmill"
        assert "▶ windmill" in on.shown(on.home.list)
        assert "NOT AVAILABLE" not in on.said
        await on.press("escape")
        assert "NOT AVAILABLE no run to go back to" in on.said


async def test_the_footer_offers_no_key_that_is_a_letter_of_the_filter() -> None:
    async with running_app() as on:
        assert {"?", "q"} <= set(on.shown(on.home.footer).split())
        await on.press("slash", *"windmill")
        await on.until(lambda: on.home.selection.list.typing)
        keys = set(on.shown(on.home.footer).split())
        assert not {"?", "q", "d", "e", "o", "s"} & keys
        assert "enter" in keys
        offered = {word for _key, word, _action in on.home.table.hints(
            HOME_HINTS, frozenset({"some", "saved", "typing", "filtered"}))}
        assert offered == {"resume", "puzzle", "show all"}
        await on.press("tab")
        await on.until(lambda: {"?", "q"} <= set(on.shown(on.home.footer).split()))


async def test_moving_through_the_list() -> None:
    async with running_app() as on:
        chosen = on.home.selection
        await on.press("down", "down", "up")
        assert chosen.list.selected == 1
        await on.press("pagedown")
        assert chosen.list.selected == 1 + on.home.list.page
        await on.press("end")
        assert chosen.list.selected == len(chosen.list.entries) - 1
        await on.press("home", "tab")
        assert chosen.entry is not None
        assert (chosen.entry.group, chosen.entry.number) == ("medium", 1)
        await on.press("down", "shift+tab")
        assert chosen.entry.group == "medium"
        await on.press("shift+tab")
        assert chosen.list.selected == 0


async def test_the_mouse_scrolls_selects_and_opens() -> None:
    async with running_app(WISH) as on:
        home = on.home
        before = on.shown(home.list)
        await on.pilot._post_mouse_events([events.MouseScrollDown], home.list, (5, 5))
        await on.until(lambda: on.shown(home.list) != before)
        assert home.selection.list.selected == 0
        await on.pilot._post_mouse_events([events.MouseScrollUp], home.list, (5, 5))
        await on.until(lambda: on.shown(home.list) == before)
        await on.pilot.click(home.list, offset=(5, 5))
        assert home.selection.list.selected == 2
        await on.pilot.click(home.list, offset=(5, 2))
        assert home.selection.list.selected == 2
        await on.pilot.click(home.solvers, offset=(5, 2))
        await on.pilot.click(home.list, offset=(1, 1))
        assert home.selection.list.typing
        await on.press("escape")
        await on.pilot.click(home.list, offset=(5, 4), times=2)
        await on.at(RunScreen)
        assert on.run_screen.pending.puzzle_name == "sunday"


async def test_solvers_are_selected_by_arrows_and_numbers() -> None:
    async with running_app() as on:
        chosen = on.home.selection
        names = [each.name for each in chosen.solvers]
        assert set(names) == set(registry.names())
        await on.press("right")
        assert chosen.solver_index == 1
        assert registry.solver(names[1]).summary[:30] in on.shown(on.home.summary).replace("\n", " ")
        await on.press("left", "left")
        assert chosen.solver_index == 0
        for number in range(1, 9):
            await on.press(str(number))
            assert chosen.solver_index == number - 1
            assert f" {number} " in on.shown(on.home.solvers)
        for _press in names:
            await on.press("right")
        assert chosen.solver_index == len(names) - 1
        assert "▶" in on.shown(on.home.solvers)


async def test_the_title_of_a_solver_is_whole_in_the_smallest_window_with_the_list() -> None:
    async with running_app(size=(80, 24)) as on:
        for each in on.home.selection.solvers:
            assert each.title in on.shown(on.home.solvers)
            await on.press("right")


async def test_preset_and_seed_are_those_of_the_run() -> None:
    async with running_app() as on:
        await on.press("p")
        assert "preset easy" in on.shown(on.home.summary)
        await on.press("p")
        assert "preset medium" in on.shown(on.home.summary)
        await on.press("plus", "plus", "minus")
        assert "seed 1" in on.shown(on.home.summary)
        await on.press("s")
        await on.until(lambda: isinstance(on.app.screen, PromptDialog))
        await on.press(*"4 2x", "enter")
        assert "REFUSED" in on.said
        assert "seed 4 2x: expected a whole number from 0 to" in on.said
        await on.press("s", *"99999999999999999999", "enter")
        await on.until(lambda: "seed 99999999999999999999: expected a whole number from 0 to" in on.said)
        await on.press("s", *"42", "enter", "enter")
        await on.at(RunScreen)
        pending = on.run_screen.pending
        assert (pending.seed, pending.solver.name) == (42, "anneal")
        assert pending.params == registry.solver("anneal").make_params("medium")


async def test_from_home_to_the_laboratory_and_back_and_quit() -> None:
    async with running_app(WISH) as on:
        await on.press("down", "enter")
        await on.at(RunScreen)
        first = on.run_screen
        await on.until(lambda: not first.snapshot.busy)
        await on.press("space")
        await on.until(lambda: first.snapshot.state == "RUNNING")
        await on.press("escape")
        await on.until(lambda: first.snapshot.state == "PAUSED")
        await on.press("n")
        await on.at(Home)
        chosen = on.home.selection
        assert chosen.entry is not None
        assert (chosen.entry.name, chosen.solver.name, chosen.seed) == ("sunday", "small", 7)
        assert "esc back" in on.shown(on.home.footer)
        await on.press("escape")
        assert on.app.screen is first
        await on.press("n", "plus", "enter")
        await on.at(RunScreen)
        assert on.run_screen is not first
        assert on.run_screen.pending.seed == 8
        await on.until(lambda: players() == 1)
        await on.press("q")
        await on.until(lambda: not on.app.is_running)


async def test_home_lists_the_run_that_was_just_left_as_it_is() -> None:
    async with running_app(RUN) as on:
        await on.at(RunScreen)
        for steps in (2, 3):
            await on.until(lambda: not on.run_screen.snapshot.busy)
            await on.press(*["right"] * (steps - on.run_screen.snapshot.playhead))
            await on.until(lambda steps=steps: on.run_screen.snapshot.playhead == steps)
            await on.press("n")
            await on.at(Home)
            await on.until(lambda steps=steps: f"begun, {steps} steps" in on.text)
            await on.press("escape")
            await on.at(RunScreen)


@pytest.mark.sweep
async def test_opening_many_runs_leaves_one_player() -> None:
    async with running_app(RUN) as on:
        for _time in range(6):
            await on.at(RunScreen)
            await on.press("n")
            await on.at(Home)
            await on.press("enter")
        await on.at(RunScreen)
        await on.until(lambda: players() == 1)
        assert len(on.app.screen_stack) == 1


async def test_custom_parameters_are_kept() -> None:
    params = registry.solver("anneal").make_params(None, {"alpha": 0.5})
    async with running_app(HomeRequest(solver="anneal", params=params)) as on:
        assert "preset custom" in on.shown(on.home.summary)
        assert on.home.selection.params == params
        await on.press("p")
        assert "preset strong" in on.shown(on.home.summary)
        await on.press("p", "p", "p")
        assert on.home.selection.params == params


async def test_a_puzzle_with_conflicts_is_refused() -> None:
    async with running_app(HomeRequest(packs.find("traps:4"))) as on:
        await on.press("enter")
        assert "the givens contradict each other: 3 appears 2 times in row 1: r1c1 r1c3" in on.said
        assert "!" in on.shown(on.home.board)
        await on.press("up")
        assert "REFUSED" not in on.said


@pytest.mark.sweep
async def test_help_and_look() -> None:
    async with running_app(size=(120, 36)) as on:
        await on.press("question_mark")
        await on.at(Help)
        assert "filter by name" in on.text
        await on.press("escape")
        await on.at(Home)
        dark = on.app.look
        await on.press("L")
        assert on.app.look.palette is not dark.palette
        await on.press("A")
        assert on.text.isascii()
        await on.press("C", "C")


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("size", "mode"), [((80, 24), "full"), ((79, 24), "list"), ((80, 23), "list"),
                                            ((36, 8), "list"), ((35, 8), "none"), ((20, 5), "none"), ((1, 1), "none"),
                                            ((300, 90), "full")])
async def test_every_size(size: tuple[int, int], mode: str) -> None:
    shown = mode != "none", mode == "full"
    async with running_app() as on:
        for pack in packs.pack_names():
            on.home.selection.select_puzzle(packs.pack(pack)[0].puzzle)
            on.home.show()
            await on.pilot.resize_terminal(*size)
            await on.until(lambda: on.home.too_small.display is (mode == "none"))
            await on.until(lambda: ("list" in on.home.regions, "solvers" in on.home.regions) == shown)
            await on.press("down")
        assert on.home.too_small.display is (mode == "none")
        if mode == "list":
            await on.press("home", "enter")
            await on.at(RunScreen)


@pytest.mark.parametrize("name", ["4x4:1", "16x16:1", "diagonal:1"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_previews_of_every_size_show_all_givens(name: str, size: tuple[int, int]) -> None:
    record = packs.find(name)
    async with running_app(HomeRequest(record), size) as on:
        shown = on.home.board if on.home.board.display else on.home.dense
        assert shown.display
        line = record.puzzle.line
        text = "".join(on.shown(shown).split("\n")[1:] if shown is on.home.board else on.shown(shown))
        if shown is on.home.dense:
            text = "".join(symbol for symbol in text if symbol.isalnum())
            assert text == line.replace(".", "")
        if "diagonal" in name and size[1] < 60:
            assert "╲" in text


async def test_going_back_twice_at_once_goes_back_once() -> None:
    async with running_app() as on:
        on.app.open_run(NewRun(packs.find("easy:1").puzzle, "", "backtrack"))
        await on.until(lambda: on.app.screen is on.app.run_screen)
        on.app.open_home(HomeRequest())
        on.app.back()
        on.app.back()
        assert on.app.screen is on.app.run_screen


class Absent(ToyRecorded):
    name = "toy-absent"
    title = "Toy absent"
    extra = ("no_such_package", "some")


async def test_a_solver_that_is_not_installed_is_marked_and_refused() -> None:
    with registry.lent(Absent()):
        async with running_app(size=(120, 36)) as on:
            place = [each.name for each in on.home.selection.solvers].index("toy-absent")
            assert on.said == ""
            on.home.select_solver(place)
            await on.pilot.pause()
            assert "pip install 'sudoku-tui[some]'" in on.said
            line = next(line for line in on.shown(on.home.solvers).splitlines() if "Toy absent" in line)
            assert line.rstrip().endswith("not installed")
            await on.press("enter")
            assert "pip install 'sudoku-tui[some]'" in on.said
            assert isinstance(on.app.screen, Home)
            on.home.select_solver(place - 1)
            await on.press("up")
            assert "pip install" not in on.said


async def test_each_solver_keeps_the_preset_and_parameters_chosen_for_it() -> None:
    async with running_app() as on:
        selection = on.home.selection
        names = [each.name for each in selection.solvers]
        selection.select_solver(names.index("anneal"))
        selection.next_preset(1)
        chosen = selection.setup
        assert chosen.preset != next(iter(selection.solver.presets))
        await on.press("right", "right", "left", "left")
        assert on.home.selection.setup == chosen
        selection.select_solver(names.index("tabu"))
        assert selection.setup.preset == next(iter(selection.solver.presets))


async def test_a_cut_preview_names_the_key_that_shows_the_rest() -> None:
    huge = PuzzleRecord(puzzle=Puzzle((7,) + (0,) * 624, 5), name="huge")
    async with running_app(size=(80, 24)) as on:
        on.app.library.add(library.OpenedFile("huge.txt", (huge,)))
        on.home.reload()
        on.home.selection.select_puzzle(huge.puzzle)
        on.home.show()
        await on.pilot.pause()
        *rows, last = on.shown(on.home.dense).splitlines()
        assert last.split() == ["…", str(25 - len(rows)), "more", "rows:", "enter,", "or", "taller", "window"]
        await on.pilot.resize_terminal(200, 60)
        await on.until(lambda: "more rows" not in on.text and "solvers" in on.home.regions)


def test_runs_and_puzzles_have_their_own_columns() -> None:
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "hard 1", 12345, 0, None, 0.0)
    runs, puzzles = library.run_entries([run, run]), library.pack_entries()[:2]
    assert library.count_text(()) == "0 puzzles"
    assert library.count_text(runs) == "2 runs"
    assert library.count_text(runs[:1]) == "1 run"
    assert library.count_text((*runs, *puzzles[:1])) == "1 puzzle"
    assert library.count_text((*runs, *puzzles)) == "2 puzzles"
    for width in (36, 42, 56):
        lines = plain(list_rows(PuzzleListView((*runs, *puzzles)), 0, Space(width, 12)))
        first = lines.index(next(line for line in lines if line.startswith("your runs 2")))
        heading, entry = lines[first], lines[first + 1]
        assert heading.rstrip().endswith("steps")
        assert len(heading.rstrip()) == len(entry.rstrip()) == width
        assert heading.index("state") == entry.index("begun")
        assert [line.replace("size", "").split() for line in lines if line.startswith("easy")] == [
            ["easy", "2", "level", "givens"]]


def test_puzzles_below_runs_name_their_columns_again_once() -> None:
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "first-steps", 12345, 0, None, 0.0)
    runs, puzzles = library.run_entries([run] * 20), library.pack_entries()
    draft = replace(puzzles[0], kind="draft", group="your drafts")
    other = next(each for each in puzzles if each.group != puzzles[0].group)
    for width in (36, 42, 56):
        for first, head in ((0, ["Puzzle"]), (15, ["Puzzle", "state", "steps"])):
            shown = PuzzleListView((*runs, draft, puzzles[0], other))
            lines = [line.replace("size", "").split() for line in plain(list_rows(shown, first, Space(width, 40)))]
            assert lines[0] == head
            assert ["your", "drafts", "1", "level", "givens"] in lines
            assert [puzzles[0].group, "1"] in lines
            assert [other.group, "1"] in lines
    shown = PuzzleListView((draft, *puzzles[:1], *runs))
    lines = [line.split() for line in plain(list_rows(shown, 0, Space(36, 40)))]
    assert lines[0] == ["Puzzle", "level", "givens"]
    assert ["your", "drafts", "1"] in lines


def test_the_keys_of_the_filter_are_those_of_the_key_table() -> None:
    keys = FilterKeys("f4", "ctrl+x")
    assert "f4 type to filter" in plain(list_rows(PuzzleListView(), 0, Space(60, 12), keys))[1]
    assert "ctrl+x shows all" in plain(list_rows(PuzzleListView(filter="easy"), 0, Space(60, 12), keys))[1]


def test_runs_whose_heading_is_scrolled_away_keep_their_columns() -> None:
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "first-steps", 23, 0, None, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    entries = library.session_entries([ResumableSession(saved, run)] * 20, 0.0) + library.pack_entries()
    for width in (36, 42, 56):
        def heading(first: int, width: int = width) -> str:
            return plain(list_rows(PuzzleListView(entries), first, Space(width, 12)))[0].rstrip()
        assert heading(0) == "Puzzle"
        assert heading(5).endswith("steps")
        assert "age" in heading(5)
        assert len(heading(5)) == len(heading(30)) == width
        assert heading(30).endswith("givens")


def test_interrupted_runs_show_their_age_in_the_list() -> None:
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "first-steps", 23, 0, None, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    left = [ResumableSession(saved, replace(run, modified=-60.0 * minutes)) for minutes in (0, 5, 200, 4000)]
    entries = library.session_entries(left, 0.0)
    for width in (36, 42, 56):
        lines = plain(list_rows(PuzzleListView(entries), 0, Space(width, 12)))[2:7]
        assert all(age in line for age, line in zip(("age", "0 min", "5 min", "3 h", "2 days"), lines, strict=True))
        assert len({line.index(age) for age, line in zip(("age", "0 min"), lines, strict=False)}) == 1


def test_a_run_that_had_ended_was_closed_and_not_interrupted() -> None:
    solved = Outcome("solved", PUZZLE.givens, 0, "")
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "first-steps", 23, 0, solved, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    [entry] = library.session_entries([ResumableSession(saved, run)], 0.0)
    assert (entry.group, entry.run) == ("closed", run)
    said = messages.interrupted_session("easy 1, small,", 23, "a moment ago", 0, ended=True)
    assert (said.badge, said.text) == ("CLOSED", "c reopens easy 1, small, step 23, a moment ago")


def test_interrupted_and_closed_runs_have_one_heading_each_the_newest_first() -> None:
    solved = Outcome("solved", PUZZLE.givens, 0, "")
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "", 23, 0, None, 0.0)
    saved: Any = SimpleNamespace(ended="unexpected")
    left = [ResumableSession(saved, replace(run, puzzle_name=name, outcome=outcome, modified=-60.0 * age))
            for age, (name, outcome) in enumerate((("newest", None), ("closed one", solved), ("older", None)))]
    entries = library.session_entries(left, 0.0)
    assert [(each.group, each.name) for each in entries] == [
        ("interrupted", "newest"), ("interrupted", "older"), ("closed", "closed one")]
    lines = plain(list_rows(PuzzleListView(entries), 0, Space(42, 12)))[2:7]
    assert [line.split()[0] for line in lines] == ["interrupted", "▶", "older", "closed", "closed"]


async def test_a_long_message_does_not_cover_the_heading_of_the_list() -> None:
    async with running_app(size=(80, 24)) as on:
        before = on.home.list.region
        on.home.announce(Sentence("CONFIG", "{text}", {"text": "a message that takes two rows " * 4}))
        await on.until(lambda: on.home.message.region.height == 2)
        await on.until(lambda: on.home.list.region.y == on.home.message.region.bottom)
        assert on.home.board.region.y == on.home.message.region.bottom
        await on.press("down")
        await on.until(lambda: on.home.list.region == before)


async def test_ctrl_c_at_home_names_no_key_of_a_run() -> None:
    async with running_app() as on:
        await on.press("ctrl+c")
        await on.until(lambda: "q quits, and so does ctrl+c again" in on.said)
        assert "pauses" not in on.said


def test_a_run_of_one_step_is_described_in_the_singular() -> None:
    run = SavedRun(Path("a.json"), Recipe(PUZZLE, "small", {}, 7), "first-steps", 1, 0, None, 0.0)
    assert library.run_text(run).endswith(", begun, 1 step")
    assert library.run_text(replace(run, steps=2)).endswith(", begun, 2 steps")
