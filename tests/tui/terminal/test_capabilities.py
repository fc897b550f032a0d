"""Capabilities from the environment, and the environment for Textual."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tui.terminal import capabilities
from tui.terminal.capabilities import Capabilities, depth, detect, given, prepare, refusal, unicode_locale


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, "truecolor"),
        ({"TERM": "xterm-direct"}, "truecolor"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "tmux-256color"}, "256"),
        ({"TERM": "xterm-kitty"}, "256"),
        ({"TERM": "alacritty"}, "256"),
        ({"TERM": "foot"}, "256"),
        ({"TERM": "xterm-16color"}, "16"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "linux"}, "8"),
        ({"TERM": "something-else"}, "16"),
        ({"TERM": "vt100"}, "mono"),
        ({"TERM": "xterm-mono"}, "mono"),
        ({"TERM": "dumb"}, "mono"),
        ({}, "mono"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}, "mono"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "mono"),
    ],
)
def test_depth(environ, expected):
    assert depth(environ) == expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "de_DE.utf8@euro"}, True),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, False),
        ({"LANG": "fr_FR.ISO8859-1"}, False),
        ({"LANG": "en_US"}, False),
        ({"LANG": "ja_JP.eucJP"}, False),
        ({"LANG": "en_US.nonsense"}, False),
        ({"LC_ALL": "", "LANG": "en_US.UTF-8"}, True),
        ({}, False),
    ],
)
def test_unicode_locale(environ, expected):
    assert unicode_locale(environ) is expected


@pytest.mark.parametrize(("environ", "own_mode", "unicode"), [
    ({"LANG": "POSIX", "LC_CTYPE": "C.UTF-8"}, True, False),
    ({"LC_CTYPE": "C.UTF-8"}, True, False),
    ({"LC_CTYPE": "C.UTF-8"}, False, True),
    ({"LC_CTYPE": "C.UTF-8", "PYTHONUTF8": "1"}, True, True),
    ({"LANG": "ja_JP.UTF-8", "LC_CTYPE": "C.UTF-8"}, True, True),
    ({"LC_CTYPE": "de_DE.UTF-8"}, True, True),
])
def test_what_python_made_of_the_locale_is_not_what_the_terminal_is(environ, own_mode, unicode):
    assert unicode_locale(given(environ, own_mode)) is unicode


def test_the_look_of_a_terminal():
    caps = Capabilities("256", True)
    assert caps.look().palette.name == "dark-256"
    assert caps.look("light", ascii=True).glyphs.ascii
    assert not caps.look().glyphs.ascii
    assert Capabilities("mono", False).look().glyphs.ascii
    native = {each: Capabilities(each, True).native for each in ("truecolor", "256", "16", "8", "mono")}
    assert native == {"truecolor": False, "256": False, "16": True, "8": True, "mono": True}


def test_only_east_asian_terminals_are_asked_for_their_widths():
    asked = []

    def wide() -> bool:
        asked.append(1)
        return True

    assert detect({"TERM": "xterm", "LANG": "en_US.UTF-8"}, wide).unicode
    assert not asked
    assert not detect({"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, wide).unicode
    assert asked
    assert detect({"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, lambda: False).unicode


@pytest.mark.parametrize(("answer", "wide"), [(b"\x1b[1;2R", False), (b"\x1b[12;3R", True), (b"", False)])
def test_the_terminal_says_how_wide_it_draws(answer, wide):
    master, slave = pty.openpty()

    def terminal() -> None:
        os.read(master, 64)
        os.write(master, answer)

    replying = threading.Thread(target=terminal)
    replying.start()
    try:
        assert capabilities.ambiguous_is_wide(slave, slave, 0.05 if not answer else 5.0) is wide
    finally:
        replying.join()
        os.close(master)
        os.close(slave)


def test_what_is_no_terminal_is_not_asked():
    reads, writes = os.pipe()
    try:
        assert not capabilities.ambiguous_is_wide(reads, writes)
    finally:
        os.close(reads)
        os.close(writes)


def test_prepare_takes_sizes_out_and_names_the_colours():
    environ = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm-kitty"}
    prepare(Capabilities("256", True), environ)
    assert environ == {"TERM": "xterm-kitty", "TEXTUAL_COLOR_SYSTEM": "256", "TEXTUAL_ANIMATIONS": "none"}
    prepare(Capabilities("mono", True), environ)
    assert environ["NO_COLOR"] == "1"


def test_prepare_ignores_bad_settings_of_textual():
    environ = {"TEXTUAL_DRIVER": "nope:Nope", "TEXTUAL_COLOR_SYSTEM": "banana"}
    prepare(Capabilities("16", True), environ)
    assert environ == {"TEXTUAL_COLOR_SYSTEM": "standard", "TEXTUAL_ANIMATIONS": "none"}


def test_prepare_keeps_good_settings_of_textual():
    environ = {"TEXTUAL_COLOR_SYSTEM": "256"}
    prepare(Capabilities("truecolor", True), environ)
    assert environ["TEXTUAL_COLOR_SYSTEM"] == "256"


@pytest.mark.parametrize(("environ", "wanted"), [
    ({"TERM": "xterm-256color"}, True), ({"TERM": "screen-256color"}, False), ({"TERM": "xterm", "STY": "1.a"}, False),
    ({"TERM": "screen", "TMUX": "/tmp/tmux"}, True),
])
def test_within_screen_the_mouse_is_not_asked_for(environ, wanted):
    assert capabilities.mouse(environ) is wanted


class End:
    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def test_refusal():
    here, gone = End(True), End(False)
    assert refusal({"TERM": "xterm"}, {"standard input": here}) is None
    assert refusal({"TERM": "xterm"}, {"standard input": here, "standard error": gone}) == (
        "standard error is no terminal")
    assert "dumb" in str(refusal({"TERM": "dumb"}, {"standard input": here}))


def test_capabilities_load_neither_textual_nor_rich():
    code = ("import sys, tui.terminal.capabilities; "
            "print([name for name in ('textual', 'rich', 'numba', 'plotext', 'numpy') if name in sys.modules])")
    root = Path(capabilities.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"


def test_a_console_font_has_few_glyphs():
    assert not detect({"TERM": "linux", "LANG": "en_US.UTF-8"}, lambda: False).unicode
    assert detect({"TERM": "xterm-256color", "LANG": "C.UTF-8"}, lambda: False).unicode
