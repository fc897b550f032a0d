"""What the terminal can be told, beyond what every one of them understands."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import NamedTuple

from tui.terminal.capabilities import CONSOLES, PLAIN_TERMINALS

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
