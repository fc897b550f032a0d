"""How a laboratory ends when it is not its learner who ends it: hung up, terminated, or its terminal gone.

Without this, Textual reads from a terminal that has vanished as fast as it can, for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

SIGNALS = (signal.SIGHUP, signal.SIGTERM)
GRACE = 3.0
"""Seconds that leaving may take once the terminal is gone; then the process ends."""
HUNG_UP = select.POLLHUP | select.POLLERR | select.POLLNVAL


@dataclass(slots=True)
class Guard:
    """Watches the signals and the terminal. `stop` before the loop closes."""

    leave: Callable[[], None]
    """Called once, in the loop: ends the application."""
    fd: int
    grace: float = GRACE
    code: int = 0
    """128 + the number of the signal that ended it, or 129 for a vanished terminal; 0 while nothing has."""
    _loop: asyncio.AbstractEventLoop | None = None
    _wake: int = -1
    _stopped: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin to watch. Must be called in the running loop of the main thread."""
        self._loop = asyncio.get_running_loop()
        for each in SIGNALS:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                self._loop.add_signal_handler(each, self._end, 128 + each)
        ours, self._wake = os.pipe()
        threading.Thread(target=self._watch, args=(ours,), name="terminal-watch", daemon=True).start()

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()
        if self._wake >= 0:
            os.close(self._wake)
            self._wake = -1
        if self._loop is not None and not self._loop.is_closed():
            for each in SIGNALS:
                self._loop.remove_signal_handler(each)

    def _end(self, code: int) -> None:
        if not self.code:
            self.code = code
            self.leave()

    def _watch(self, ours: int) -> None:
        """Sleep until the terminal hangs up, which costs nothing until then; end the process if leaving hangs."""
        poll = select.poll()
        poll.register(self.fd, 0)
        poll.register(ours, 0)
        found = dict(poll.poll())
        os.close(ours)
        if self._stopped.is_set() or not found.get(self.fd, 0) & HUNG_UP or self._loop is None:
            return
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._end, 128 + signal.SIGHUP)
        if not self._stopped.wait(self.grace):
            os._exit(128 + signal.SIGHUP)
