"""The base class of threads that work for a screen, and a call when a block takes longer than a timeout."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar

from engine.errors import BadInput

_started: list[threading.Thread] = []


def is_busy() -> bool:
    """Whether a background thread still runs; after its screen is gone it compiles, which nothing can interrupt."""
    _started[:] = [each for each in _started if each.is_alive()]
    return bool(_started)


def follow(thread: threading.Thread) -> None:
    """Have `is_busy` consider this thread too."""
    _started.append(thread)


def one_line(error: Exception) -> str:
    """The message of bad input; an internal error with its class, on one line."""
    return str(error) if isinstance(error, BadInput) else f"{type(error).__name__}: {' '.join(str(error).split())}"


class BackgroundThread(ABC):
    """A daemon thread that works for a screen.

    A subclass implements `run`, which checks `ended` between two slices of its work, and `failed`. Both sides share
    what they exchange under `changed`; `stop` notifies it. These are daemon threads and not Textual's `@work`, whose
    executor is joined at exit: a kernel that is being compiled cannot be interrupted.
    """

    name: ClassVar[str]
    patience: ClassVar[float] = 0.5
    """Seconds that `stop` waits for the thread."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.ended = False
        self._thread: threading.Thread | None = None

    @property
    def is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start the thread unless it runs."""
        if not self.is_alive:
            self._thread = threading.Thread(target=self._guarded, name=self.name, daemon=True)
            follow(self._thread)
            self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end, and wait up to `patience` seconds."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()
        if self._thread is not None:
            self._thread.join(self.patience)

    @abstractmethod
    def run(self) -> None:
        """The work, in the thread. Returns soon after `ended` is set."""

    @abstractmethod
    def failed(self, why: str) -> None:
        """Report, in the thread, that `run` raised: the screen must not wait for an answer for ever."""

    def _guarded(self) -> None:
        try:
            self.run()
        except Exception as error:
            self.failed(one_line(error))


class Waiting:
    """Context manager that calls `act` once, from a timer's thread, if its block takes longer than `seconds`."""

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
