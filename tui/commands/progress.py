"""A progress bar on stderr, drawn when stderr is a terminal and at most a few times a second."""

from __future__ import annotations

import os
import sys
import time

INTERVAL = 0.2
TRACK = 24


class Progress:
    """One line that rewrites itself. Off a terminal every call does nothing."""

    def __init__(self, enabled: bool | None = None) -> None:
        self.enabled = _is_terminal() if enabled is None else enabled
        self._drawn = 0.0
        self._visible = False

    @property
    def due(self) -> bool:
        """Whether it is time to draw again."""
        return self.enabled and time.monotonic() - self._drawn >= INTERVAL

    def draw(self, share: float | None, text: str) -> None:
        """Show how much is done (0..1; None: not known) and a text, cut to the width of the terminal."""
        if not self.enabled:
            return
        line = text if share is None else f"{bar(share)} {text}"
        self._put("\r\x1b[K" + line[: _width() - 1])
        self._drawn, self._visible = time.monotonic(), True

    def clear(self) -> None:
        """Take the line away, so that something else can be written."""
        if self._visible:
            self._put("\r\x1b[K")
            self._visible = False

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self.enabled = self._visible = False


def bar(share: float) -> str:
    """`[######..................]  25 %`."""
    inside = min(1.0, max(0.0, share))
    filled = int(inside * TRACK)
    return f"[{'#' * filled}{'.' * (TRACK - filled)}] {int(inside * 100):3} %"


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _width() -> int:
    try:
        return max(20, os.get_terminal_size(sys.stderr.fileno()).columns)
    except (OSError, ValueError):
        return 80
