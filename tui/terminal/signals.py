"""End the application cleanly on SIGHUP, SIGINT or SIGTERM, or when its terminal vanishes.

Textual alone would read from a vanished terminal in a busy loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
GRACE = 1.8
"""Seconds for leaving after the terminal is gone or a signal arrived; then the process ends. The session is on disk by
then."""
HUNG_UP = select.POLLHUP | select.POLLERR | select.POLLNVAL


@dataclass(slots=True)
class SignalGuard:
    """Watches signals and terminal. Call `stop` before the loop closes."""

    leave: Callable[[], None]
    """Called once, in the loop: ends the application."""
    fd: int
    grace: float = GRACE
    urgent: Callable[[], None] = lambda: None
    """Called first, from another thread, for work that must not wait for the loop."""
    code: int = 0
    """128 + the number of the signal that ended it (130: SIGINT), or 129 for a vanished terminal; 0 otherwise."""
    _loop: asyncio.AbstractEventLoop | None = None
    _wake: int = -1
    _woke: int = -1
    """The previous wake-up descriptor of signals."""
    _before: dict[int, Any] = field(default_factory=dict)

    def start(self) -> None:
        """Start watching. Must be called in the running loop of the main thread."""
        self._loop = asyncio.get_running_loop()
        ours, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        threading.Thread(target=self._watch, args=(ours,), name="terminal-watch", daemon=True).start()
        self.take_signals()

    def take_signals(self) -> None:
        """Handle the signals from here on. To be called again after a driver has taken them."""
        with contextlib.suppress(ValueError):  # not in the main thread
            woke = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
            self._woke = self._woke if woke == self._wake else woke
            for each in SIGNALS:
                before = signal.signal(each, self._signalled)
                self._before.setdefault(each, before)

    def stop(self) -> None:
        """Stop watching. After a signal has ended the application, others must not disturb the end of the process."""
        if self._before:
            signal.set_wakeup_fd(self._woke)
        for each, before in self._before.items():
            signal.signal(each, signal.SIG_IGN if self.code else before)
        self._before.clear()
        if self._wake >= 0:
            os.close(self._wake)
            self._wake = -1

    def _signalled(self, _number: int, _frame: FrameType | None) -> None:
        """A handler that does nothing: the watching thread is woken through the descriptor. The loop may be blocked on
        a terminal that reads no more, or about to sleep, and then no Python function runs."""

    def _watch(self, ours: int) -> None:
        """Sleep until the terminal hangs up or a signal arrives; end the process if leaving hangs."""
        poll = select.poll()
        poll.register(self.fd, 0)
        poll.register(ours, select.POLLIN)
        number = 0
        while not number:
            found = dict(poll.poll())
            received = os.read(ours, 64) if ours in found else b""
            hung = signal.SIGHUP if found.get(self.fd, 0) & HUNG_UP else 0
            number = next((each for each in received if each in SIGNALS), hung)
            if ours in found and not received and not number:
                os.close(ours)
                return
            if received and not number:
                self._rouse()
        if self._loop is None:
            return
        self.code = 128 + number
        self.urgent()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.leave)
        time.sleep(self.grace)
        os._exit(self.code)

    def _rouse(self) -> None:
        """Wake the loop, so that Python's handlers of other signals (stop, continue, resize) run even if the signal
        arrived just before the loop went to sleep."""
        with contextlib.suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(int)
