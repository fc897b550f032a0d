"""What the terminal can do, read from the environment before Textual is imported.

    caps = capabilities.detect()
    capabilities.prepare(caps)          # before the first import of Textual
    app = Laboratory(look=caps.look("dark"), ansi_color=caps.native)
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
    from tui.look.theme import Depth, Look, ThemeName


# Whether the terminal draws `─` and its like two columns wide, as some do in Chinese, Japanese and Korean locales.


WAIT = 1.0
"""Seconds to wait for the answer. Over a slow line it takes half of one."""
_ANSWER = re.compile(rb"\x1b\[\d+;(\d+)R")
_LANGUAGES = ("zh", "ja", "ko")


def worth_asking(environ: Mapping[str, str]) -> bool:
    """Only in these locales are terminals set up that way; elsewhere the start need not wait for an answer."""
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "")
    return name[:2].lower() in _LANGUAGES


def ambiguous_is_wide(reads: int = 0, writes: int = 2, wait: float = WAIT) -> bool:
    """Ask the terminal: write one such character, and see where the cursor stands. No answer counts as narrow."""
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
    """The column of the terminal's answer, counted from 1."""
    taken, end = b"", time.monotonic() + wait
    while (left := end - time.monotonic()) > 0 and select.select([reads], [], [], left)[0]:
        taken += os.read(reads, 64)
        found = _ANSWER.search(taken)
        if found:
            return int(found.group(1))
    return None


BLIND = ("", "dumb", "unknown")
"""Values of TERM with which no screen can be drawn."""
_UNCOLOURED = ("vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "xterm-mono", "ansi-mono")
CONSOLES = ("linux", "cons25")
"""Consoles of eight grounds: a bright one is shown as the dark one beside it."""
_FEW = ("ansi", "cygwin", "xterm", "screen", "rxvt", "eterm", "vt525")
"""Terminals of 16 colours where nothing says more (over SSH, COLORTERM does not travel)."""
_MANY = ("alacritty", "kitty", "foot", "wezterm", "ghostty", "contour", "rio", "iterm", "vte", "konsole", "gnome",
         "tmux", "st", "mintty")
"""Terminals known for 256 colours, as the first part of TERM or after `xterm-`."""
_LIBRARY_NAMES = {"truecolor": "truecolor", "256": "256", "16": "standard", "8": "standard",
                  "mono": "standard"}

PLAIN_TERMINALS = (*CONSOLES, *_UNCOLOURED)
"""Consoles whose fonts have 256 or 512 glyphs: no braille, no blocks in eighths, whatever the locale says."""


_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


def in_browser(environ: Mapping[str, str]) -> bool:
    """Whether the other end of standard input and output is no terminal but a server that passes on to a browser."""
    return environ.get("TEXTUAL_DRIVER") == WEB_DRIVER


class Stream(Protocol):
    """As much of a text stream as is asked here."""

    def isatty(self) -> bool: ...


class Capabilities(Struct, frozen=True):
    """What the terminal can do."""

    depth: Depth
    unicode: bool

    @property
    def native(self) -> bool:
        """Whether the terminal's own colours are used; what the parameter `ansi_color` of a Textual App is for."""
        return self.depth in ("16", "8", "mono")

    def look(self, theme: ThemeName = "dark", ascii: bool = False) -> Look:
        """The styles and glyphs for this terminal; `ascii` asks for plain glyphs where Unicode would do."""
        from tui.look.glyphs import ASCII, UNICODE
        from tui.look.theme import Look, palette

        return Look(palette(self.depth, theme), UNICODE if self.unicode and not ascii else ASCII)


def detect(
    environ: Mapping[str, str] | None = None, wide: Callable[[], bool] = ambiguous_is_wide
) -> Capabilities:
    """What the environment says about the terminal; in an East Asian locale the terminal itself is asked whether it
    draws line glyphs `wide`, and then they are done without."""
    environ = given() if environ is None else environ
    drawn = environ.get("TERM", "").strip().lower() not in PLAIN_TERMINALS
    narrow = drawn and unicode_locale(environ) and not (worth_asking(environ) and wide())
    return Capabilities(depth(environ), narrow)


def depth(environ: Mapping[str, str]) -> Depth:
    """How many colours there are. NO_COLOR with any text (even none, as Textual reads it) means none."""
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


def given(environ: Mapping[str, str] | None = None, own_mode: bool | None = None) -> Mapping[str, str]:
    """The environment as it was before Python changed it. Where the locale is C, or one that is not installed, Python
    sets LC_CTYPE to UTF-8 for itself (PEP 538) and takes to its mode for that; the terminal is no other for it."""
    environ = os.environ if environ is None else environ
    own_mode = bool(sys.flags.utf8_mode) if own_mode is None else own_mode
    if not own_mode or "PYTHONUTF8" in environ or environ.get("LC_CTYPE") not in _COERCED:
        return environ
    return {name: value for name, value in environ.items() if name != "LC_CTYPE"}


def unicode_locale(environ: Mapping[str, str]) -> bool:
    """Whether the locale's encoding is UTF-8. A locale that is not set at all counts as plain ASCII, as in C."""
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "")
    _language, dot, encoding = name.partition(".")
    if not dot:
        encoding = locale.locale_alias.get(name.lower(), "").partition(".")[2] if name else ""
    try:
        return codecs.lookup(encoding.partition("@")[0]).name == "utf-8"
    except LookupError:
        return False


def mouse(environ: Mapping[str, str]) -> bool:
    """Whether the mouse may be asked for. screen (4.9) keeps an escape that was pressed to itself until the next key
    once it has been: the key matters more. tmux may call itself screen, and does not."""
    within_screen = "STY" in environ or environ.get("TERM", "").strip().lower().startswith("screen")
    return "TMUX" in environ or not within_screen


def refusal(environ: Mapping[str, str], streams: Mapping[str, Stream] | None = None) -> str | None:
    """Why no screen can be drawn here, as a clause, or None. Keys come from stdin, the screen is drawn on stderr, and
    its size is asked of stdout. For a browser there are pipes."""
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
    """Set the environment so that Textual sees the terminal as it is. Call it before Textual is imported.

    Exported COLUMNS and LINES are taken out, for with them a resize is not noticed (in a browser they are its size to
    begin with). The screen is drawn on stderr,
    which speaks what the locale says, whatever PYTHONIOENCODING wants for pipes.
    """
    environ = os.environ if environ is None else environ
    for name in () if in_browser(environ) else ("COLUMNS", "LINES"):
        environ.pop(name, None)
    if caps.unicode and sys.__stderr__ is not None:
        sys.__stderr__.reconfigure(encoding="utf-8")
    environ.setdefault("TEXTUAL_COLOR_SYSTEM", _LIBRARY_NAMES[caps.depth])
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    if caps.depth == "mono":
        environ["NO_COLOR"] = "1"


# What the terminal can be told, beyond what every one of them understands.


BEYOND = re.compile(r"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""Sequences that a terminal must know to pass over: keyboards of kitty, questions for modes, the shape of the pointer.
Elder consoles and those who follow the VT100 print the end of them."""


class Able(NamedTuple):
    """What a terminal can do."""

    erases: bool = False
    """It erases a number of characters."""
    in_colour: bool = False
    """What was erased is in the ground that is set."""
    turns_off: bool = True
    """It turns off one attribute and leaves the others. A VT100 turns off all or none; on the Linux console bright ink
    is bold, and stays so for the next ink."""


@lru_cache(1)
def here() -> Able:
    """What this terminal can do, as the database of terminals has it."""
    term = os.environ.get("TERM", "").strip()
    try:
        import curses

        curses.setupterm(term, fd=2)  # the screen is drawn on stderr
        off = curses.tigetstr("rmul") or b"24"
        return Able(bool(curses.tigetstr("ech")), curses.tigetflag("bce") == 1, term not in CONSOLES and b"24" in off)
    except Exception:  # without a database of terminals, or a module to read it, blanks are written out
        return Able(turns_off=term not in PLAIN_TERMINALS)


@lru_cache(1)
def knows_beyond() -> bool:
    """Whether what is `BEYOND` does no harm here."""
    return os.environ.get("TERM", "").strip().lower() not in PLAIN_TERMINALS
