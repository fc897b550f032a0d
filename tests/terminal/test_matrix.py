"""Every terminal of a lab, from home to a run that plays and is paused, with the real bytes: each shows the same, in no
more than the colours, glyphs and sequences that it has, and is its old self afterwards."""

from __future__ import annotations

import re
import termios
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import pyte
import pytest

from engine import registry
from engine.puzzles import packs
from engine.run.run import Run
from tests.patience import eventually
from tests.terminal.emulators import VT100, Console, Wide, Xterm, inks
from tests.terminal.session import PROGRAM, Session, cells

pytestmark = pytest.mark.sweep

Open = Callable[..., Session]
BEFORE = "what stood there before"
COMMAND = ("/bin/sh", "-c", f'echo "{BEFORE}"; exec "$@"', "sh", *PROGRAM)
STEP = 40
MODES = (1000, 1003, 1004, 1006, 1015, 2004, 2026)
"""The requested modes of a terminal: mouse, focus, bracketed paste, synchronized output."""
FEW = {*range(30, 38), *range(40, 48), *range(90, 98), 39, 49}
ATTRIBUTES = {0, 1, 4, 7, 22, 24, 27}


class Terminal(NamedTuple):
    environment: Mapping[str, str]
    depth: str
    ascii: bool = False
    emulator: type[pyte.Screen] = Xterm


def term(name: str, **more: str) -> dict[str, str]:
    """A terminal far away: COLORTERM is lost on the way."""
    return {"TERM": name, "COLORTERM": "", **more}


TERMINALS = {
    "xterm-256color": Terminal({}, "truecolor"),
    "colorterm-lost": Terminal(term("xterm-256color"), "256"),
    "tmux-256color": Terminal(term("tmux-256color"), "256"),
    "screen-256color": Terminal(term("screen-256color"), "256"),
    "screen": Terminal(term("screen"), "16"),
    "xterm-16color": Terminal(term("xterm-16color"), "16"),
    "unheard-of": Terminal(term("unheard-of"), "16"),
    "linux": Terminal(term("linux"), "8", True, Console),
    "vt100": Terminal(term("vt100"), "mono", True, VT100),
    "no-color": Terminal({"NO_COLOR": "1"}, "mono"),
    "no-utf-8": Terminal({"LC_ALL": "C"}, "truecolor", True),
    "posix-16": Terminal(term("xterm", LC_ALL="", LANG="POSIX"), "16", True),
    "wide": Terminal({"LC_ALL": "", "LANG": "ja_JP.UTF-8"}, "truecolor", True, Wide),
}


SHOWN: dict[tuple[bool, bool], list[str]] = {}
"""The picture on the first terminal with these glyphs: without colours, charts use other glyphs instead of hues."""


@cache
def digits() -> str:
    """The board after the given number of steps, by the engine alone."""
    run = Run.start(registry.solver("anneal"), packs.find("warm-up").puzzle, seed=7)
    run.advance(STEP)
    return "".join(str(value) for value in run.view().grid)


def board(text: str) -> str:
    """The digits of a board of 9 x 9 at the left of the screen."""
    rows = [line[:43] for line in text.splitlines() if re.match(r" [1-9] ", line)]
    return "".join(re.sub(r"[^1-9]", "", line[3:]) for line in rows)


def told(output: bytes) -> list[list[int]]:
    """The SGR sequences of the output."""
    return [[int(part or 0) for part in found.split(b";")] for found in re.findall(rb"\x1b\[([0-9;]*)m", output)]


def in_its_colours(output: bytes, depth: str) -> None:
    """No more colours than there are."""
    kinds = {tuple(each[at : at + 2]) for each in told(output) for at, code in enumerate(each) if code in (38, 48)}
    if depth == "truecolor":
        assert (38, 2) in kinds
        return
    assert {kind for _code, kind in kinds} == ({5} if depth == "256" else set())
    if depth in ("16", "8", "mono"):
        allowed = ATTRIBUTES | {"16": FEW | set(range(100, 108)), "8": FEW, "mono": set()}[depth]
        assert {code for each in told(output) for code in each} <= allowed


def begin(open_session: Open, which: Terminal) -> Session:
    session = open_session("--seed", "7", command=COMMAND, emulator=which.emulator, **which.environment)
    session.answer()
    return session


def whole(text: str) -> bool:
    """Whether the last row is complete: the last read may end anywhere."""
    return text.endswith("? help   q quit")


def drawn(text: str) -> bool:
    """Whether the timeline is up to date, too."""
    lane, scrubber = text.splitlines()[-4:-2]
    return whole(text) and len(re.findall("[◆n]", lane)) == 6 and re.search("[━=]{9}[●O][·.]", scrubber) is not None


def still(text: str) -> list[str]:
    """The screen above the chart, and its last two rows."""
    lines = text.splitlines()
    return [*lines[:15], *lines[-2:]]


def visit(session: Session) -> list[str]:
    """Home; a run at a step; the same after it has played. What stood on the screen at home and at the step."""
    shown = [session.until(lambda text: "Open a puzzle with" in text and whole(text))]
    session.press("/", *"warm-up")
    session.until("1 puzzle")
    shown.append(session.text)
    session.press("\r")
    session.until("READY")
    session.press("g", *str(STEP), "\r")
    session.until(lambda text: f" {STEP} " in text.splitlines()[-2] and drawn(text))
    shown.append(session.text)
    session.press("space")
    session.until("RUNNING")
    session.press("space")
    session.until("PAUSED")
    return shown


@pytest.mark.parametrize("name", TERMINALS)
def test_a_terminal(name: str, open_session: Open) -> None:
    which = TERMINALS[name]
    session = begin(open_session, which)
    home, _chosen, paused = visit(session)
    assert board(paused) == digits()
    assert re.search(r"E +\d+ (→|->) \d+", paused)
    for shown in (home, paused):
        assert shown.isascii() is which.ascii
        assert not re.search(r"\d\$p|\d+u\b|;default|\[[\d?]+[;a-zA-Z]", shown), shown
    assert not termios.tcgetattr(session.child.child_fd)[3] & termios.ECHO
    shown = still(paused)
    assert shown == SHOWN.setdefault((which.ascii, which.depth == "mono"), shown)
    start = len(session.output)
    session.press("\x0c")
    session.until(lambda _text: cells(session.since(start)) == cells(session.screen))
    if which.emulator in (VT100, Console):
        exact = pyte.Screen(80, 24)
        pyte.ByteStream(exact).feed(session.output)
        assert inks(exact) == inks(session.screen)
    session.press("q")
    session.until(lambda _text: b"\x1b[?1049l" in session.output)
    eventually(lambda: termios.tcgetattr(session.child.child_fd) == session.before, lambda: "its modes are not back")
    assert session.ended() == 0
    assert session.text.strip() == (BEFORE if which.emulator in (Xterm, Wide) else "")
    assert not session.screen.cursor.hidden
    for mode in MODES:
        assert session.output.rfind(b"\x1b[?%dl" % mode) >= session.output.rfind(b"\x1b[?%dh" % mode), mode
    in_its_colours(session.output, which.depth)
    if which.ascii:
        probed = b"\r\xe2\x94\x80\x1b[6n" if which.emulator is Wide else b""
        assert session.output.replace(probed, b"").isascii()
