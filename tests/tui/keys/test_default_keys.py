"""The key tables: footer hints and their conditions, and the user's keys."""

from __future__ import annotations

import re
import unicodedata

import pytest
from textual.keys import _character_to_key

from engine.errors import BadInput
from engine.puzzles import packs
from engine.view import Sentence
from tests.tui.app_driver import running_app
from tests.tui.run_driver import open_run
from tui.config.settings import Config
from tui.keys.default_keys import RUN_KEYS, TABLES
from tui.keys.footer_hints import RUN_HINTS, FooterHint
from tui.keys.keymap import KeyTable, check, display_key, parse_key
from tui.look.glyphs import ASCII, UNICODE
from tui.requests import AutomataRequest
from tui.screens.automata.screen import Automata
from tui.widgets.footer import KeyHint, keys_row, placed
from tui.widgets.rows import Space, plain

TABLE = KeyTable(RUN_KEYS)


def hints(*available: str) -> list[str]:
    return [f"{keys} {word}" for keys, word, _action in TABLE.hints(RUN_HINTS, frozenset(available))]


@pytest.mark.parametrize("keys", TABLES.values(), ids=TABLES)
def test_every_action_has_a_name_and_every_key_one_action(keys):
    table = KeyTable(keys)
    assert len(table.named) == len(keys)
    assert table.remapped({}).keys == table.keys
    held = [each for key in keys for each in key.keys.split(",")]
    assert len(held) == len(set(held))


def test_names_of_hints_exist():
    assert {name for hint in RUN_HINTS for name in hint.names} <= TABLE.named.keys()


def test_a_hint_names_conditions_and_their_absence():
    hint = FooterHint("x", ("run",), "still !ended")
    assert hint.holds(frozenset({"still"}))
    assert not hint.holds(frozenset({"still", "ended"}))
    assert not hint.holds(frozenset())


def test_hints_are_what_is_possible():
    assert hints("run", "still", "first", "knob")[:2] == ["space run", "→ step"]
    assert hints("run", "still", "best")[:3] == ["space run", "← → step", "b best"]
    assert hints("run", "running")[0] == "space pause"
    assert hints("run", "searching") == ["esc cancel"]
    at_the_end = hints("run", "still", "ended", "best", "knob")
    assert at_the_end[:3] == ["← back", "home start", "B last best"]
    assert not any("space" in each or "[ ]" in each for each in at_the_end)
    assert not any("[ ]" in each for each in hints("run", "still"))
    assert "hjkl cell" in hints("run", "still")


def test_another_key_has_its_name_everywhere():
    table = TABLE.remapped({"run": ("f5",), "forward": ("ctrl+f",), "leave": ("]",), "knob-up": ("}",)})
    lines = {line.names[0]: (line.shown, line.does) for line in table.lines()}
    assert lines["run"] == ("f5", "run or pause")
    assert lines["back"] == ("← ctrl+f", "one step")
    assert lines["knob-down"] == ("[ }", "{knob} down, up")
    assert lines["far-back"] == (", ;", "1 000 steps (shift+← →)")
    template = "{key_run} {key_leave} {step}"
    told = table.resolve_keys(Sentence("", template, {"key_run": "", "key_leave": "", "step": "9"}))
    assert told.text == "f5 ] 9"


def test_further_keys_are_not_named_where_others_were_chosen():
    table = TABLE.remapped({"far-back": ("ctrl+b",)})
    assert [(line.shown, line.does) for line in table.lines() if "far-back" in line.names] == [
        ("ctrl+b shift+→", "1 000 steps")]


def test_ctrl_c_always_quits():
    assert TABLE.remapped({"quit": ("i",)}).named["quit"].keys == "i,ctrl+c"
    for key in ("ctrl+c", "ctrl+q"):
        with pytest.raises(BadInput, match=f'run = "{re.escape(key)}": that always quits'):
            TABLE.remapped({"run": (key,)})


@pytest.mark.parametrize(("changes", "said"), [
    ({"run": ("g",)}, 'run = "g": that is the key of go-to, expected one that is free'),
    ({"run": ("i",), "save": ("i",)}, 'save = "i": that is the key of run'),
    ({"jump": ("x",)}, "jump: no action of that name, expected one that `sudoku-tui config` lists"),
    ({"far-bak": ("x",)}, "far-bak: no action of that name (did you mean far-back?)"),
    ({"run": ("hyper+x",)}, "run = 'hyper+x': expected a key"),
    ({"run": ("ctrl+i",)}, "run = 'ctrl+i': terminals send tab for it, expected another key"),
    ({"run": ("ctrl+m",)}, "run = 'ctrl+m': terminals send enter for it, expected another key"),
    ({"run": ("",)}, "run = '': expected a key"),
    ({"run": ("two words",)}, "run = 'two words': expected a key"),
    ({"run": ("\x1b",)}, "expected a key"),
])
def test_what_cannot_be_is_one_sentence(changes, said):
    with pytest.raises(BadInput) as caught:
        check(changes)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_may_be_exchanged():
    changes = {"run": ("g",), "go-to": ("space",)}
    check(changes)
    assert KeyTable(RUN_KEYS).remapped(changes).shown("run", "go-to") == "g space"


@pytest.mark.parametrize(("typed", "name", "written"), [
    ("x", "x", "x"), ("X", "X", "X"), ("[", "left_square_bracket", "["), ("left_square_bracket",) * 2 + ("[",),
    ("esc", "escape", "esc"), ("ctrl+s", "ctrl+s", "ctrl+s"), ("←", "left", "←"), ("f5", "f5", "f5"),
    ("shift+left", "shift+left", "shift+←"), ("+", "plus", "+"), ("-", "minus", "−"), (" ", "space", "space"),
])
def test_keys_are_written_as_people_write_them(typed, name, written):
    assert parse_key(typed, "run") == name
    assert display_key(name) == written


@pytest.mark.parametrize("typed", ["😀", "é", "e\u0301", "«", "§", "ctrl+ß"])
def test_a_key_beyond_ascii_is_written_as_it_is_on_the_keyboard(typed):
    *modifiers, character = unicodedata.normalize("NFC", typed).split("+")
    key = parse_key(typed, "run")
    assert key == "+".join([*modifiers, _character_to_key(character)])
    assert display_key(key) == unicodedata.normalize("NFC", typed)


HINTS = [KeyHint("space", "run", "play(1)"), KeyHint("← →", "step", "step(1)"), KeyHint("hjkl", "cell", "x")]


def test_hints_drop_from_the_right_and_help_and_quit_stay():
    wide = plain([keys_row(HINTS, Space(60))])[0]
    assert wide.startswith(" space run  ← → step  hjkl cell ")
    assert wide.endswith("  ? help   q quit ")
    narrow = plain([keys_row(HINTS, Space(40))])[0]
    assert "hjkl" not in narrow
    assert narrow.endswith("  ? help   q quit ")
    assert len(narrow) == 40
    assert "<- -> step" in plain([keys_row([KeyHint("<- ->", "step")], Space(40, 1, ASCII))])[0]


def test_a_long_hint_is_shortened_before_those_after_it_are_dropped():
    hints = [KeyHint("enter", "resume first-steps, anneal-reheat-adaptive", "begin", "resume"), *HINTS]
    assert "enter resume  space run  " in plain([keys_row(hints, Space(60))])[0]
    assert "enter resume first-steps, anneal-reheat-adaptive   space run" in plain([keys_row(hints, Space(120))])[0]


def test_what_is_placed_is_where_it_is_drawn():
    drawn = plain([keys_row(HINTS, Space(60))])[0]
    for each in placed(HINTS, Space(60, 1, UNICODE)):
        assert drawn[each.x:each.x + each.width] == f"{each.hint.key} {each.hint.does}"


async def test_a_click_on_a_hint_runs_its_action():
    async with open_run() as on:
        row = on.shown(on.run_screen.footer)
        await on.pilot.click(type(on.run_screen.footer), offset=(row.index("step"), 0))
        await on.at(1)
        assert "T" in on.shown(on.run_screen.footer)
        await on.pilot.click(type(on.run_screen.footer), offset=(row.index("? help"), 0))
        await on.until(lambda: on.app.screen is not on.run_screen)


@pytest.mark.parametrize("name", TABLES)
def test_every_command_of_the_palette_has_its_own_description(name: str) -> None:
    found: dict[str, list[str]] = {}
    for key in KeyTable(TABLES[name]).commands():
        found.setdefault(key.does, []).append(key.action)
    assert all(len(set(actions)) == 1 for actions in found.values()), found


async def test_the_last_row_follows_the_run():
    async with open_run(size=(200, 60)) as on:
        assert "→ step" in on.shown(on.run_screen.footer)
        assert "← → step" not in on.shown(on.run_screen.footer)
        await on.press("exclamation_mark")
        await on.until(lambda: on.run_screen.snapshot.state == "SOLVED")
        await on.until(lambda: "← back" in on.shown(on.run_screen.footer))
        assert "space run" not in on.shown(on.run_screen.footer)
        assert "B last best" in on.shown(on.run_screen.footer)


async def test_keys_of_the_configuration_are_in_force_and_shown():
    async with open_run(config=Config(keys={"forward": ("f6",), "run": ("f5",)})) as on:
        assert "f5 run  " in on.shown(on.run_screen.footer)
        assert "f5 runs and pauses   f6 makes one step" in on.said
        await on.press("f6")
        await on.at(1)
        await on.press("right", "f6")
        await on.at(2)
        await on.press("exclamation_mark")
        await on.until(lambda: on.run_screen.snapshot.state == "SOLVED")
        await on.press("f5")
        await on.until(lambda: "END OF RUN" in on.said)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_mistake_in_the_configuration_is_reported_and_the_program_works(size):
    where = "~/.config/sudoku-tui/config.toml, line 1"
    mistake = f"{where}: theme = pink: expected one of dark, light, high-contrast, high-contrast-light"
    async with open_run(size=size, config=Config(mistake=mistake)) as on:
        await on.until(lambda: "CONFIG" in on.said)
        assert f"{where}:" in on.said
        assert "theme = pink: expected one of dark" in " ".join(on.said.split())
        await on.press("question_mark")
        await on.until(lambda: on.app.screen is not on.run_screen and on.app.screen.text._shown)
        assert mistake in " ".join(on.shown(on.app.screen.text).split())
        await on.press("escape")
        await on.until(lambda: on.app.screen is on.run_screen)
        await on.press("right")
        await on.at(1)


async def test_sentences_and_lists_name_the_keys_of_the_configuration() -> None:
    keys = {"answer": ("f7",), "tab-1": ("f8",), "filter": ("f",)}
    async with open_run((80, 24), config=Config(keys=keys)) as on:
        await on.press("1")
        await on.until(lambda: "there are 4 tabs: f8 2 3 4 open them" in on.said)
    async with running_app(config=Config(keys=keys)) as home:
        assert "f type to filter" in home.text
    async with running_app(AutomataRequest(packs.find("hard:1")), (120, 36), config=Config(keys=keys)) as asked:
        await asked.at(Automata)
        assert "f7 shows an answer on the board" in asked.text
