"""The configuration file: what it may say, and the one sentence for what it may not."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadInput
from engine.params import describe
from tui.app import chosen_appearance
from tui.config import config_file, paths, settings
from tui.config.config_file import load, parse, read, template
from tui.config.settings import Appearance, Config, Settings
from tui.keys.default_keys import TABLES
from tui.requests import AppRequest


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def mistake(folder: Path, text: str) -> str:
    with pytest.raises(BadInput) as caught:
        read(written(folder, text))
    assert "\n" not in str(caught.value)
    assert load(folder / "config.toml") == Config(mistake=str(caught.value))
    return str(caught.value).removeprefix(config_file.display_path(folder / "config.toml"))


def test_no_file_is_the_defaults(tmp_path):
    assert read(tmp_path / "nowhere" / "config.toml") == Config()
    assert read(written(tmp_path, "")) == Config()


def test_what_is_given_is_taken():
    config = parse('theme = "light"\nascii = true\nspeed = 5000\nfps = 20\nsolver = "backtrack"\nautosave = false\n'
                   '[keys]\nrun = "f5"\nquit = ["f9", "ctrl+x"]\n')
    assert config.settings == Settings(theme="light", ascii=True, speed="5000", fps=20, solver="backtrack",
                                       autosave=False)
    assert config.given == {"theme", "ascii", "speed", "fps", "solver", "autosave"}
    assert config.keys == {"run": ("f5",), "quit": ("f9", "ctrl+x")}
    assert parse('speed = "max"').settings.speed == "max"


def test_a_solver_that_cannot_run_here_is_a_mistake(tmp_path, monkeypatch):
    monkeypatch.setattr(registry.solver("cp-sat"), "extra", ("a_package_that_is_not_there", "ortools"))
    assert mistake(tmp_path, 'fps = 20\nsolver = "cp-sat"').startswith(
        ", line 2: solver: cp-sat takes the package a_package_that_is_not_there, which is not installed: pip install ")


@pytest.mark.parametrize(("text", "said"), [
    ('\ntheme = "pink"', ", line 2: theme = pink: expected one of dark, light, high-contrast, high-contrast-light"),
    ("fps = 99", ", line 1: fps = 99: expected a whole number from 0 to 60"),
    ('fps = "20"', ", line 1: fps = 20: expected a whole number from 0 to 60"),
    ("ascii = 1", ", line 1: ascii = 1: expected true or false"),
    ('speed = "quick"', ", line 1: speed = quick: expected steps per second"),
    ("speed = true", ", line 1: speed = True: expected a text"),
    ("colour = 1", ", line 1: colour: no setting of that name, expected one of theme, ascii, speed, accelerate, fps"),
    ("theme", ": line 1, column 6: Expected '=' after a key in a key/value pair, expected lines as"),
    ('theme = "dark"\ntheme = "dark"', ": line 2, column 15: Cannot overwrite a value"),
    ('solver = "magic"', ", line 1: solver: no solver 'magic'"),
    ('preset = "magic"', ", line 1: preset: anneal has no preset 'magic'"),
    ("keys = 3", ", line 1: keys: expected a table of actions and keys"),
    ("[keys]\nrun = 3", ", line 2: run: expected a key or a list of keys"),
    ("[keys]\nrun = []", ", line 2: run: expected a key or a list of keys"),
    ("[keys]\nfly = 'x'", ", line 2: fly: no action of that name"),
    ("run = 'g'\n[keys]\nrun = 'g'", ", line 1: run: no setting of that name"),
    ("[keys]\nleave = 'x'\nrun = 'g'", ", line 3: run = \"g\": that is the key of go-to"),
    ("[keys]\nrun = 'supper+g'", ", line 2: run = 'supper+g': expected a key"),
    ("x = " + "[" * 5000, ": the values are nested too deeply"),
    ("x = " + "9" * 5000, ": a number is too long"),
])
def test_a_mistake_is_one_sentence_with_its_place(tmp_path, text, said):
    assert mistake(tmp_path, text).startswith(said)


def test_what_is_no_text_is_said(tmp_path):
    path = tmp_path / "config.toml"
    path.write_bytes(b"theme = \"\xff\"")
    assert "byte 10: expected text in UTF-8" in load(path).mistake
    path.write_bytes(b"#" * (config_file.LARGEST + 1))
    assert "too large" in load(path).mistake
    path.unlink()
    path.mkdir()
    assert "is no file" in load(path).mistake
    path.rmdir()
    os.mkfifo(path)
    assert "is no file" in load(path).mistake


@given(st.text(max_size=60))
def test_nonsense_is_refused_and_nothing_else_happens(text):
    with contextlib.suppress(BadInput):
        assert parse(text).given <= {each.name for each in describe(Settings)}


def test_the_template_is_every_setting_at_its_default():
    lines = template().splitlines()
    bare = "\n".join(line.removeprefix("# ") for line in lines if " = " in line or line == "[keys]")
    config = parse(bare)
    assert config.settings == Settings()
    assert config.given == {each.name for each in describe(Settings)}
    assert config.keys.keys() == {key.action_name for keys in TABLES.values() for key in keys}
    assert parse(template()) == Config()
    assert template().isascii()


def test_what_was_chosen_on_the_screen_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "appearance_file", lambda: tmp_path / "state" / "look.json")
    assert settings.load_appearance() is None
    settings.save_appearance(Appearance("high-contrast", True))
    assert settings.load_appearance() == Appearance("high-contrast", True)
    assert [each.name for each in (tmp_path / "state").iterdir()] == ["look.json"]
    (tmp_path / "state" / "look.json").write_bytes(b"{\"theme\": \"pink\"}")
    assert settings.load_appearance() is None


def test_where_nothing_can_be_kept_nothing_happens(tmp_path, monkeypatch):
    (tmp_path / "state").write_text("a file, no folder")
    monkeypatch.setattr(paths, "appearance_file", lambda: tmp_path / "state" / "look.json")
    settings.save_appearance(Appearance("light"))
    assert settings.load_appearance() is None


def test_the_command_line_counts_for_more_than_the_file_and_the_file_for_more_than_the_last_time():
    def appearance(last: Appearance | None, config: Config, **asked: object) -> Appearance:
        return chosen_appearance(AppRequest(Path("x"), config=config, **asked), last)

    light = parse('theme = "light"')
    assert appearance(None, Config()) == Appearance()
    assert appearance(Appearance("high-contrast", True), Config()) == Appearance("high-contrast", True)
    assert appearance(Appearance("high-contrast", True), light) == Appearance("light", True)
    assert appearance(Appearance("dark", True), light, theme="dark", ascii=False) == Appearance("dark", False)


def test_a_name_of_thousands_of_parts_holds_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "light"\n' + ".".join("a" * 30_000) + " = 1\n")
    assert load(path).mistake.endswith("line 2 is too long, expected at most 6 000 characters")
