"""Capabilities of the terminal: colours, glyphs, escape sequences, mouse.

They come from the environment, the terminfo database and, in East Asian locales, from the terminal itself. `detect`
and `prepare` are called before Textual is imported, which reads the environment once:

    able = capabilities.detect()
    capabilities.prepare(able)
    from tui.app import SudokuApp
"""

from __future__ import annotations

import codecs
import contextlib
import locale
import os
import re
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from tui import WEB_DRIVER
from tui.i18n import _

if TYPE_CHECKING:
    from tui.look import ThemeName
    from tui.look.theme import Depth, Look

BLIND = ("", "dumb", "unknown")
"""Values of TERM of terminals without cursor control."""
_UNCOLOURED = ("vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "xterm-mono", "ansi-mono")
CONSOLES = ("linux", "cons25")
"""Consoles of eight background colours: a bright background shows as the dark one."""
_FEW = ("ansi", "cygwin", "xterm", "screen", "rxvt", "eterm", "vt525")
"""Terminals of 16 colours, unless COLORTERM says more (SSH does not forward it)."""
_MANY = ("alacritty", "kitty", "foot", "wezterm", "ghostty", "contour", "rio", "iterm", "vte", "konsole", "gnome",
         "tmux", "st", "mintty")
"""Terminals with 256 colours, as the first part of TERM or after `xterm-`."""
_LIBRARY_NAMES = {"truecolor": "truecolor", "256": "256", "16": "standard", "8": "standard",
                  "mono": "standard"}

PLAIN_TERMINALS = (*CONSOLES, *_UNCOLOURED)
"""Consoles whose fonts have 256 or 512 glyphs: no braille, no blocks in eighths, whatever the locale."""

_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""Values of LC_CTYPE that Python sets."""
MODERN_SEQUENCES = re.compile(r"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""Sequences that a terminal must ignore if it does not know them: kitty keyboards, mode queries, pointer shapes. Older
consoles and terminals that emulate the VT100 print the end of them."""
WAIT = 1.0
"""Seconds to wait for an answer of the terminal; a slow line takes half a second."""
_ANSWER = re.compile(rb"\x1b\[\d+;(\d+)R")
_EAST_ASIAN = ("zh", "ja", "ko")


class Capabilities(Struct, frozen=True):
    """The capabilities of the terminal."""

    depth: Depth
    unicode: bool

    @property
    def native(self) -> bool:
        """Whether to use the terminal's own colours; the parameter `ansi_color` of a Textual App."""
        return self.depth in ("16", "8", "mono")

    def look(self, theme: ThemeName = "dark", ascii: bool = False) -> Look:
        """Styles and glyphs for this terminal; `ascii` forces plain glyphs."""
        from tui.look.glyphs import ASCII, UNICODE
        from tui.look.theme import Look, palette

        return Look(palette(self.depth, theme), UNICODE if self.unicode and not ascii else ASCII)


# The environment


def given(environ: Mapping[str, str] | None = None, own_mode: bool | None = None) -> Mapping[str, str]:
    """The environment before Python changed it. In the locale C, or one that is not installed, Python sets LC_CTYPE to
    UTF-8 (PEP 538) and uses its UTF-8 mode; the terminal does not change."""
    environ = os.environ if environ is None else environ
    own_mode = bool(sys.flags.utf8_mode) if own_mode is None else own_mode
    if not own_mode or "PYTHONUTF8" in environ or environ.get("LC_CTYPE") not in _COERCED:
        return environ
    return {name: value for name, value in environ.items() if name != "LC_CTYPE"}


def in_browser(environ: Mapping[str, str]) -> bool:
    """Whether standard input and output are pipes to a web server that passes them on to a browser."""
    return environ.get("TEXTUAL_DRIVER") == WEB_DRIVER


def depth(environ: Mapping[str, str]) -> Depth:
    """The number of colours. NO_COLOR means none, whatever its value."""
    term = environ.get("TERM", "").strip().lower()
    if "NO_COLOR" in environ or term in BLIND or term in _UNCOLOURED or term.endswith("-m"):
        return "mono"
    full = environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit")
    if full or term.endswith(("-direct", "-truecolor", "-24bit")):
        return "truecolor"
    if "256" in term:
        return "256"
    if term in CONSOLES:
        return "8"
    if term.endswith(("-16color", "-8color", "-color")) or term in _FEW:
        return "16"
    return "256" if term.removeprefix("xterm-").split("-")[0] in _MANY else "16"


def unicode_locale(environ: Mapping[str, str]) -> bool:
    """Whether the locale's encoding is UTF-8. An unset locale counts as ASCII, as C does."""
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "")
    _language, dot, encoding = name.partition(".")
    if not dot:
        encoding = locale.locale_alias.get(name.lower(), "").partition(".")[2] if name else ""
    try:
        return codecs.lookup(encoding.partition("@")[0]).name == "utf-8"
    except LookupError:
        return False


def mouse(environ: Mapping[str, str]) -> bool:
    """Whether to request mouse events. With the mouse on, screen (4.9) holds back a pressed escape until the next key;
    the key matters more. tmux may call itself screen, and does not."""
    within_screen = "STY" in environ or environ.get("TERM", "").strip().lower().startswith("screen")
    return "TMUX" in environ or not within_screen


# Width of line glyphs


def _is_east_asian(environ: Mapping[str, str]) -> bool:
    """Whether the locale is one in which terminals may draw ambiguous characters wide."""
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "")
    return name[:2].lower() in _EAST_ASIAN


def ambiguous_is_wide(reads: int = 0, writes: int = 2, wait: float = WAIT) -> bool:
    """Query the terminal: write one such character, and read the cursor position. No answer counts as narrow."""
    try:
        before = termios.tcgetattr(reads)
    except termios.error:
        return False
    try:
        tty.setcbreak(reads, termios.TCSANOW)
        os.write(writes, "\r─\x1b[6n".encode())
        column = _column(reads, wait)
        os.write(writes, b"\r\x1b[K")
    except OSError:
        return False
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(reads, termios.TCSANOW, before)
    return column == 3


def _column(reads: int, wait: float) -> int | None:
    """The column of the terminal's answer, from 1."""
    taken, end = b"", time.monotonic() + wait
    while (left := end - time.monotonic()) > 0 and select.select([reads], [], [], left)[0]:
        taken += os.read(reads, 64)
        found = _ANSWER.search(taken)
        if found:
            return int(found.group(1))
    return None


# Start


def detect(
    environ: Mapping[str, str] | None = None, wide: Callable[[], bool] = ambiguous_is_wide
) -> Capabilities:
    """Capabilities from the environment. In an East Asian locale the terminal itself is queried for the width of line
    glyphs."""
    environ = given() if environ is None else environ
    drawn = environ.get("TERM", "").strip().lower() not in PLAIN_TERMINALS
    narrow = drawn and unicode_locale(environ) and not (_is_east_asian(environ) and wide())
    return Capabilities(depth(environ), narrow)


class Stream(Protocol):
    """The part of a text stream that is used here."""

    def isatty(self) -> bool: ...


def refusal(environ: Mapping[str, str], streams: Mapping[str, Stream] | None = None) -> str | None:
    """The reason, as a clause, why no screen can be drawn here, or None. Keys come from stdin, the screen is drawn on
    stderr, and its size is read from stdout. For a browser there are pipes."""
    if in_browser(environ):
        return None
    ends = streams or {_("standard input"): sys.stdin, _("standard output"): sys.stdout,
                       _("standard error"): sys.stderr}
    for name, stream in ends.items():
        if not stream.isatty():
            return _("{stream} is no terminal").format(stream=name)
    term = environ.get("TERM", "")
    if term.lower() not in BLIND:
        return None
    return _("the terminal (TERM={term}) cannot show a screen").format(term=term or '""')


def prepare(caps: Capabilities, environ: MutableMapping[str, str] | None = None) -> None:
    """Set the environment so that Textual sees the terminal correctly. Call before Textual is imported.

    Removes exported COLUMNS and LINES, which would hide resizes (for a browser they are the initial size). The screen
    is drawn on stderr in the encoding of the locale, whatever PYTHONIOENCODING says for pipes. Textual would fail for a
    driver or a number of colours that it does not know.
    """
    environ = os.environ if environ is None else environ
    for name in () if in_browser(environ) else ("COLUMNS", "LINES", "TEXTUAL_DRIVER"):
        environ.pop(name, None)
    if environ.get("TEXTUAL_COLOR_SYSTEM") not in (*_LIBRARY_NAMES.values(), "auto"):
        environ.pop("TEXTUAL_COLOR_SYSTEM", None)
    if caps.unicode and sys.__stderr__ is not None:
        sys.__stderr__.reconfigure(encoding="utf-8")
    environ.setdefault("TEXTUAL_COLOR_SYSTEM", _LIBRARY_NAMES[caps.depth])
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    if caps.depth == "mono":
        environ["NO_COLOR"] = "1"


# Escape sequences


class Terminfo(NamedTuple):
    """The capabilities of a terminal in its terminfo entry."""

    erases: bool = False
    """It can erase a number of characters."""
    in_colour: bool = False
    """Erased cells take the current background colour."""
    turns_off: bool = True
    """It can turn off one attribute alone. A VT100 turns off all or none; on the Linux console bright colours are bold,
    which persists."""


@lru_cache(1)
def terminfo() -> Terminfo:
    """The capabilities of this terminal in the terminfo database."""
    term = os.environ.get("TERM", "").strip()
    try:
        import curses

        curses.setupterm(term, fd=2)  # the screen is drawn on stderr
        turns_off = term not in CONSOLES and b"24" in (curses.tigetstr("rmul") or b"24")
        return Terminfo(bool(curses.tigetstr("ech")), curses.tigetflag("bce") == 1, turns_off)
    except Exception:  # without a database of terminals, or a module to read it, blanks are written out
        return Terminfo(turns_off=term not in PLAIN_TERMINALS)


@lru_cache(1)
def takes_modern_sequences() -> bool:
    """Whether the sequences of `MODERN_SEQUENCES` do no harm here."""
    return os.environ.get("TERM", "").strip().lower() not in PLAIN_TERMINALS
