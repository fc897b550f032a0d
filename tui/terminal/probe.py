"""Whether the terminal draws `─` and its like two columns wide, as some do in Chinese, Japanese and Korean locales."""

from __future__ import annotations

import contextlib
import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping

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
