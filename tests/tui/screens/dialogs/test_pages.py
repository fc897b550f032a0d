"""Help, palette of commands, recipe and picture, under their keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Input

from engine.errors import BadInput
from engine.puzzles import packs
from engine.run import recipe
from tests.tui.laboratory import Bench, bench
from tests.tui.small import END, SMALL
from tests.tui.until import shown as on_screen
from tui.config import paths
from tui.config.settings import Appearance
from tui.keys.bindings import RUN_KEYS
from tui.keys.keymap import KeyTable
from tui.look import screenshot
from tui.look.glyphs import ASCII
from tui.screens.dialogs.command_palette import Command, CommandPalette, matching
from tui.screens.dialogs.help import Topic, help_pages
from tui.screens.dialogs.pager import Pager, flow, recipe_pages
from tui.screens.dialogs.prompt import MAX_INPUT
from tui.screens.run.presenter import placeholders
from tui.widgets.rows import Space, plain, row
from tui.widgets.text import broken

TOPIC = Topic("Laboratory", ["It stands."], [("space", "run")], KeyTable(RUN_KEYS), placeholders(SMALL),
              ["About", "A text."])


def read(topic: Topic, space: Space) -> str:
    return "\n".join(line for page in help_pages(topic, space) for line in plain(page))


@pytest.mark.parametrize(("width", "height", "pages"), [(80, 22, 4), (120, 34, 2), (200, 58, 1), (44, 15, 9)])
def test_the_help_fits_every_size(width, height, pages):
    found = help_pages(TOPIC, Space(width, height))
    assert len(found) <= pages
    assert all(len(page) <= height for page in found)
    assert all(len(line) == width for page in found for line in plain(page))
    text = read(TOPIC, Space(width, height))
    for line in TOPIC.table.lines():
        assert line.shown in text
        assert all(word in text for word in line.does.format_map(TOPIC.words).split())
    assert plain(found[0])[:3] == [f"  {'Laboratory':<{width - 2}}", f"  {'It stands.':<{width - 2}}",
                                   f"  {'space run':<{width - 2}}"]
    assert "[7]" in text
    assert "A text." in text


def test_the_help_in_ascii_is_ascii():
    assert read(TOPIC, Space(80, 22, ASCII)).isascii()


def test_blocks_are_kept_together_and_a_long_one_is_cut():
    blocks = [[row((), 5)] * rows for rows in (3, 4, 20)]
    pages = flow(blocks, Space(20, 8), 5)
    assert [len(page) for page in pages] == [8, 8]
    assert flow([], Space(20, 8), 5) == [[]]


def test_words_are_wrapped_and_long_ones_cut():
    assert broken("a bc def", 4) == ["a bc", "def"]
    assert broken("abcdefgh i", 3) == ["abc", "def", "gh", "i"]
    assert broken("", 3) == [""]


async def shown(on: Bench) -> str:
    await on.until(lambda: isinstance(on.app.screen, Pager) and on.app.screen.text._shown)
    return on.shown(on.app.screen.text)


async def test_the_help_begins_with_what_is_now():
    async with bench(size=(80, 24)) as on:
        await on.press("right", "h", "3")
        await on.at(1)
        await on.press("question_mark")
        text = await shown(on)
        assert "The run is paused at step 1; 1 are recorded." in text
        assert "The cell cursor is on the board: h j k l move it, esc removes it." in text
        assert "The open tab is Log: the last steps, newest first." in text
        assert "1 / 4" in text
        await on.press("space")
        assert "2 / 4" in on.shown(on.app.screen.text)
        await on.press("backspace", "pagedown", "end")
        assert "4 / 4" in on.shown(on.app.screen.text)
        await on.press("space")
        await on.until(lambda: on.app.screen is on.lab)
        await on.press("exclamation_mark")
        await on.at(END)
        await on.press("question_mark")
        assert "the puzzle is solved" in await shown(on)
        await on.press("q")
        await on.until(lambda: on.app.screen is on.lab)


async def test_commands_are_found_and_done():
    async with bench() as on:
        await on.press("colon")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.input.has_focus)
        await on.press(*"high-contrast")
        await on.until(lambda: on.app.screen.found[0].title == "theme high-contrast")
        await on.press("enter")
        await on.until(lambda: on.app.look.palette.name == "high-contrast")
        assert on.app.screen is on.lab
        await on.press("ctrl+p")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.input.has_focus)
        await on.press(*"forward", "down", "up", "enter")
        await on.at(1)
        await on.press("colon", "escape")
        await on.until(lambda: on.app.screen is on.lab)


async def test_a_command_is_clicked():
    async with bench() as on:
        await on.press("colon")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and on.app.screen.list.option_count)
        place = next(place for place, each in enumerate(on.app.screen.found) if each.title == "forward")
        await on.pilot.click(type(on.app.screen.list), offset=(5, place))
        await on.at(1)


async def test_a_parameter_is_set_from_the_palette():
    async with bench() as on:
        await on.press("colon", *"set alpha", "enter")
        await on.until(lambda: type(on.app.screen).__name__ == "PromptDialog")
        await on.press(*"0.5", "enter")
        await on.until(lambda: on.lab.snapshot.params.alpha == 0.5)
        assert "α 0.5" in on.shown(on.lab.parameters)


async def test_no_matches_is_said():
    async with bench() as on:
        await on.press("colon", *"qqqq")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and "no matches" in on_screen(on.app))
        await on.press("enter")
        await on.until(lambda: on.app.screen is on.lab)


def test_the_best_match_is_first():
    commands = [Command(title, "does", print) for title in ("next best", "best", "beast of burden")]
    assert matching(commands, "best")[0].title == "best"
    assert matching(commands, " ") == commands
    assert matching(commands, "zzz") == []


async def test_the_run_as_one_line_is_copied_and_shown():
    async with bench() as on:
        await on.press("right", "right_square_bracket", "right")
        await on.at(2)
        await on.press("y")
        text = await shown(on)
        line = recipe.line(on.lab.snapshot.recipe, 2)
        assert on.app.clipboard == line
        assert line.endswith("?solver=small&seed=7&at=1:temperature=1.1&step=2")
        assert line in text.replace(" ", "").replace("\n", "")


def test_a_recipe_is_whole_at_any_width():
    line = "x" * 700
    for width in (44, 80, 200):
        pages = recipe_pages(line, Space(width, 10))
        assert sum(text.count("x") for page in pages for text in plain(page)) >= 700
        assert all(len(page) <= 10 for page in pages)


def test_a_recipe_is_one_row_where_it_fits_so_that_it_can_be_picked_up_with_the_mouse():
    line = "x" * 190
    assert any(line in text for page in recipe_pages(line, Space(200, 10)) for text in plain(page))


async def test_a_picture_is_saved_under_a_name_that_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "pictures", lambda: tmp_path / "pictures")
    async with bench() as on:
        for _again in range(2):
            await on.press("P")
            await on.until(lambda: "SAVED" in on.said)
            await on.press("right", "left")
            await on.at(0)
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["sudoku-tui-Small-annealing-hard-1-seed-7-step-0-2.svg",
                     "sudoku-tui-Small-annealing-hard-1-seed-7-step-0.svg"]
    drawn = (tmp_path / "pictures" / names[1]).read_text()
    assert drawn.startswith("<svg")
    assert "sudoku-tui" in drawn
    assert "#121212" in drawn


def test_where_no_picture_can_be_saved_that_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"cannot save a picture in .*file"):
        screenshot.save("<svg/>", tmp_path / "file", "x")


async def test_a_look_that_is_chosen_is_kept_and_two_keys_reach_all():
    kept: list[Appearance] = []
    async with bench() as on:
        on.app._keep = kept.append
        await on.press("C", "L", "A")
        await on.until(lambda: len(kept) == 3)
        assert kept == [Appearance("high-contrast"), Appearance("high-contrast-light"),
                        Appearance("high-contrast-light", True)]
        assert on.app.look.palette.name == "high-contrast-light"
        assert on.shown(on.lab.board).isascii()


async def test_a_shipped_puzzle_is_opened_from_the_palette():
    async with bench() as on:
        before = on.app.lab
        await on.press("colon", *"open easy:2", "enter")
        await on.until(lambda: on.app.lab is not before and not on.app.lab.snapshot.busy)
        assert on.app.lab.pending.puzzle == packs.find("easy:2").puzzle
        assert (on.app.lab.pending.solver, on.app.lab.pending.seed) == (SMALL, 7)


@pytest.mark.parametrize("width", range(7))
@pytest.mark.parametrize("height", [-1, 0, 1, 30])
def test_pages_end_in_a_window_that_holds_nothing(width, height):
    space = Space(width, height)
    for pages in (help_pages(TOPIC, space), recipe_pages("1234?seed=1", space)):
        assert pages
        assert all(len(line) == width for page in pages for line in plain(page))
    assert broken("ab c", 0) == ["a", "b", "c"]


@pytest.mark.parametrize("opening", ["question_mark", "colon", "g", "o", "p", "y"])
async def test_ctrl_c_ends_it_in_front_of_any_screen(opening):
    async with bench() as on:
        await on.press(opening)
        await on.until(lambda: on.app.screen is not on.lab)
        await on.press("ctrl+c")
        await on.until(lambda: not on.app.is_running)
        assert on.app.code == 0


@pytest.mark.parametrize("opening", ["colon", "g"])
async def test_what_is_typed_into_a_question_has_an_end(opening):
    async with bench() as on:
        await on.press(opening)
        await on.until(lambda: on.app.screen is not on.lab)
        line = on.app.screen.query_one(Input)
        await on.until(lambda: line.has_focus)
        line.value = "x" * (MAX_INPUT - 1)
        line.action_end()
        await on.press("y", "y")
        assert line.value == "x" * (MAX_INPUT - 1) + "y"


async def test_a_defect_is_left_for_the_command_line_to_say():
    defect = RuntimeError("a defect")
    apps = []

    async def defective() -> None:
        async with bench() as on:
            apps.append(on.app)
            on.app._handle_exception(defect)
            await on.until(lambda: not on.app.is_running)

    with pytest.raises(RuntimeError):
        await defective()
    assert apps[0].defect is defect
    assert not apps[0]._exit_renderables


async def test_a_click_on_a_command_that_is_gone_does_nothing():
    async with bench() as on:
        await on.press("colon", *"qqqq")
        await on.until(lambda: isinstance(on.app.screen, CommandPalette) and "no matches" in on_screen(on.app))
        palette = on.app.screen
        palette._clicked(palette.list.OptionSelected(palette.list, palette.list.options[0], 0))
        await on.pilot.click(type(palette.list), offset=(5, 0))
        assert on.app.screen is palette


def test_in_a_picture_every_word_has_its_own_place() -> None:
    text = '<text class="r1" x="10" y="20" textLength="80" clip-path="url(#a)">&#160;ab&#160;&#160;c&lt;&#160;</text>'
    pieces = re.findall(r'x="([^"]*)".*?textLength="([^"]*)".*?>([^<]*)</text>', screenshot.parted(text))
    assert pieces == [("20", "20", "ab"), ("60", "20", "c&lt;")]
