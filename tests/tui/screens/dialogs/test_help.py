"""The help pages."""

from __future__ import annotations

import pytest

from engine import registry
from tests.tui.run_driver import RunDriver, open_run
from tests.tui.small import END, SMALL
from tui.keys.default_keys import RUN_KEYS
from tui.keys.keymap import KeyTable
from tui.look.glyphs import ASCII
from tui.screens.dialogs.help import Topic, help_pages
from tui.screens.dialogs.pager import Pager
from tui.screens.run.presenter import placeholders
from tui.widgets.rows import Space, plain

TOPIC = Topic("Laboratory", ["It stands."], [("space", "run")], KeyTable(RUN_KEYS), placeholders(SMALL),
              ["About", "A text."])


def read(topic: Topic, space: Space) -> str:
    return "\n".join(line for page in help_pages(topic, space) for line in plain(page))


async def shown(on: RunDriver) -> str:
    await on.until(lambda: isinstance(on.app.screen, Pager) and on.app.screen.text._shown)
    return on.shown(on.app.screen.text)


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


def test_keys_wider_than_their_column_cut_no_words() -> None:
    table = KeyTable(RUN_KEYS).remapped({"choice-up": ("ctrl+shift+f11",), "choice-down": ("ctrl+shift+f12",)})
    text = read(Topic("Laboratory", (), (), table, placeholders(SMALL)), Space(80, 60))
    shown = table.shown("choice-up", "choice-down")
    after = text[text.index(shown) + len(shown):]
    assert "open" in after.splitlines()[0]
    assert " ".join(after.split()).startswith("open ")
    assert all(word in after for word in ("choice,", "individual"))


def test_the_help_in_ascii_is_ascii():
    assert read(TOPIC, Space(80, 22, ASCII)).isascii()


async def test_the_help_begins_with_the_present_state():
    async with open_run(size=(80, 24)) as on:
        await on.press("right", "h", "3")
        await on.at(1)
        await on.press("question_mark")
        text = await shown(on)
        assert "The run is paused at step 1 of 1 recorded." in text
        assert "The cell cursor is on the board: h j k l move it, esc removes it." in text
        assert "The open tab is Log: the last steps, newest first." in text
        assert "1 / 4" in text
        await on.press("space")
        assert "2 / 4" in on.shown(on.app.screen.text)
        await on.press("backspace", "pagedown", "end")
        assert "4 / 4" in on.shown(on.app.screen.text)
        await on.press("space")
        assert "4 / 4" in on.shown(on.app.screen.text)
        await on.press("escape")
        await on.until(lambda: on.app.screen is on.run_screen)
        await on.press("exclamation_mark")
        await on.at(END)
        await on.press("question_mark")
        assert "the puzzle is solved" in await shown(on)
        await on.press("q")
        await on.until(lambda: on.app.screen is on.run_screen)


@pytest.mark.parametrize(("name", "absent", "present"), [
    ("ac3", {"u U", "b B", "r R", "m M", "[ ]", "↑ ↓", "a s"}, {"d D", "c x", "pgup pgdn"}),
    ("anneal-reheat", {"m M", "d D", "a s", "c x", "pgup pgdn", "↑ ↓", "enter"}, {"u U", "b B", "r R", "[ ]", "< >"}),
    ("backtrack", {"u U", "b B", "r R", "m M", "[ ]", "a s"}, {"d D", "c x", "↑ ↓", "enter"}),
    ("ga-ordered", {"u U", "d D"}, {"b B", "m M", "a s", "↑ ↓", "enter", "< >", "c x"}),
])
async def test_the_help_omits_keys_that_do_nothing_here(name: str, absent: set[str], present: set[str]) -> None:
    async with open_run((80, 24), registry.solver(name)) as on:
        await on.until(lambda: on.run_screen.snapshot.recipe is not None)
        screen = on.run_screen
        topic = Topic("", (), (), screen.table, screen.placeholders(), idle=screen.idle_actions())
        keys = {line[:11].strip() for line in read(topic, Space(70, 400)).splitlines()}
        assert present <= keys
        assert not absent & keys
        titles = {command.title for command in screen.commands()}
        assert ("next dead end" in titles) == ("d D" in present)
