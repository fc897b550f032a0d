"""A line with a limited byte rate and a delay between two sockets, like a modem. It sleeps, because the delay is what
it simulates; no test waits for it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

PIECE = 256
"""Bytes that go over the line in one go."""
BUFFERED = 0.5
"""Seconds of bytes that the line takes before it is their turn; more of them wait in the sockets."""


@dataclass(frozen=True)
class Rate:
    """The properties of a line."""

    bits: float
    """Bits a second, each way."""
    round_trip: float = 0.15
    """Seconds there and back."""

    @property
    def seconds_a_byte(self) -> float:
        return 8 / self.bits


MODEM, DSL, MEGABIT = Rate(56_000), Rate(256_000), Rate(1_000_000)


class Way:
    """One direction: what comes out of one socket goes into the other, later."""

    def __init__(self, source: socket.socket, goal: socket.socket, rate: Rate) -> None:
        self._source, self._goal, self._rate = source, goal, rate
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._comes = threading.Condition()
        self.carried = 0
        """Bytes that have arrived."""
        self.threads = [threading.Thread(target=self._guarded, args=(work,), daemon=True)
                        for work in (self._take, self._deliver)]

    def _guarded(self, work: Callable[[], None]) -> None:
        with contextlib.suppress(OSError):  # either end may be gone
            work()

    def _take(self) -> None:
        free = time.monotonic()
        while True:
            try:
                data = self._source.recv(PIECE)
            except OSError:
                data = b""
            now = time.monotonic()
            free = max(now, free) + len(data) * self._rate.seconds_a_byte
            with self._comes:
                self._under_way.append((free + self._rate.round_trip / 2, data))
                self._comes.notify()
            if not data:
                return
            time.sleep(max(0.0, free - now - BUFFERED))

    def _deliver(self) -> None:
        data = b"."
        while data:
            with self._comes:
                while not self._under_way:
                    self._comes.wait()
                due, data = self._under_way.popleft()
            time.sleep(max(0.0, due - time.monotonic()))
            if data:
                self._goal.sendall(data)
                self.carried += len(data)
        self._goal.shutdown(socket.SHUT_WR)


class Throttled:
    """Both directions between two sockets."""

    def __init__(self, near: socket.socket, far: socket.socket, rate: Rate) -> None:
        self._sockets = near, far
        self.there, self.back = Way(near, far, rate), Way(far, near, rate)
        for thread in (*self.there.threads, *self.back.threads):
            thread.start()

    def cut(self) -> None:
        """The line is gone."""
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
