"""Doing something when something else takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType


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
