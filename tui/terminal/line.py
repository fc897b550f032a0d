"""Whether there is a line between the program and its terminal that may be slow, and whether it can be asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from tui.config.settings import Pacing
from tui.terminal.pacer import CEILING, Pacer

QUESTION = "\x1b[6n"
OF_A_LINE = ("SSH_CONNECTION", "SSH_TTY", "TMUX", "STY")
"""The variables that tell of a line, and of what is in between."""
ROW = 2
"""Where the cursor stands when it is asked for: an answer from the first row would be a key, shift+f3."""


def remote(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is at the other end of an SSH connection."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def answers_itself(environ: Mapping[str, str]) -> bool:
    """Whether there is a tmux or screen in between, which answers at once and knows nothing of the line behind it."""
    term = environ.get("TERM", "").lower()
    return bool(environ.get("TMUX") or environ.get("STY")) or term.startswith(("tmux", "screen"))


def pacer_for(environ: Mapping[str, str], pacing: Pacing = "auto", ceiling: float = CEILING,
              clock: Callable[[], float] = time.monotonic) -> Pacer:
    """What paces the frames to this terminal."""
    if pacing == "off" or (pacing == "auto" and not remote(environ)):
        return Pacer(clock, "none", ceiling)
    return Pacer(clock, "mute" if answers_itself(environ) else "asked", ceiling)


def question(mark: int) -> str:
    """What asks the terminal where the cursor is, having put it where the mark says."""
    return f"\x1b[{ROW};{mark + 1}H{QUESTION}"


def mark_of(x: int, y: int) -> int | None:
    """The mark that an answer tells of, as column and row counted from 0; None: it is no answer to us."""
    return x if y == ROW - 1 else None
