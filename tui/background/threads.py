"""Doing something when something else takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

_left: list[threading.Thread] = []
"""Threads that went on when they were to end."""


def is_busy() -> bool:
    """Whether a thread goes on although its counter was stopped: it compiles, which nothing can interrupt."""
    _left[:] = [each for each in _left if each.is_alive()]
    return bool(_left)


def follow(thread: threading.Thread) -> None:
    """Know of another thread that may compile when the program is left."""
    _left.append(thread)


class Waiting:
    """While entered for longer than so many seconds, `act` is called once, from a thread of its own; never after."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._act = act
        self._lock = threading.Lock()
        self._over = False
        self._timer = threading.Timer(seconds, self._late)
        self._timer.daemon = True

    def _late(self) -> None:
        with self._lock:
            if not self._over:
                self._act()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        with self._lock:
            self._over = True
        self._timer.cancel()
