"""Breaking off a step that takes long: a call into a foreign engine, which looks at nothing meanwhile.

A solver makes such a call inside `interruptible`, with what stops the engine:

    with interruptible(context.interrupt):
        answer = solver.check(assumptions)

Whoever runs the solver does so inside `Breaker.watching`, and may call `break_off` from another thread. The step then
raises Interrupted and is not made: nothing of it may have reached the state before the call came back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

GRACE = 0.03
"""Seconds that a call may go on after it was asked to end: most come back by themselves."""
AGAIN = 0.01
"""Seconds between two attempts to stop it: one that comes before the engine has begun is lost on it."""

_here = threading.local()


class Interrupted(Exception):
    """A step was broken off: it was not made, and the state is what it was."""


class Breaker:
    """Breaks off what goes on in another thread."""

    def __init__(self, grace: float = GRACE) -> None:
        self._grace = grace
        self._changed = threading.Condition()
        self._asked: float | None = None
        """When it was asked to break off."""
        self._stop: Callable[[], None] | None = None
        """What stops the call that goes on."""
        self._thread: threading.Thread | None = None

    def break_off(self) -> None:
        """Break off the call that goes on, or else the next one, until `clear`. From any thread; returns at once."""
        with self._changed:
            if self._asked is None:
                self._asked = time.monotonic()
            if self._stop is not None:
                self._hurry()

    def clear(self) -> None:
        """Nothing is to be broken off any more."""
        with self._changed:
            self._asked = None
            self._changed.notify_all()

    @property
    def asked(self) -> bool:
        """Whether something is to be broken off, and has had its time to come back by itself."""
        since = self._asked
        return since is not None and time.monotonic() - since >= self._grace

    @contextmanager
    def watching(self) -> Iterator[None]:
        """What this thread does meanwhile can be broken off."""
        before = getattr(_here, "breaker", None)
        _here.breaker = self
        try:
            yield
        finally:
            _here.breaker = before

    def _hurry(self) -> None:
        """Have a thread stop the call, again and again until it has come back."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._insist, name="breaker", daemon=True)
            self._thread.start()

    def _insist(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stop is None or self._asked is None, self._grace)
            while self._stop is not None and self._asked is not None:
                self._stop()
                self._changed.wait(AGAIN)
            self._thread = None

    def _enter(self, stop: Callable[[], None]) -> None:
        with self._changed:
            self._stop = stop
            if self._asked is not None:
                self._hurry()

    def _leave(self) -> None:
        with self._changed:
            self._stop = None
            self._changed.notify_all()


class Call:
    """A call that may be broken off."""

    def __init__(self) -> None:
        self.stopped = False
        """Whether the engine was told to stop: an answer that is none is then no answer of the engine's."""


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[Call]:
    """For the length of a long call `stop`, which is called from another thread, makes it come back early. Raises
    Interrupted once it has. Where nobody watches, the call just takes its time."""
    breaker: Breaker | None = getattr(_here, "breaker", None)
    call = Call()
    if breaker is None:
        yield call
        return

    def stop_it() -> None:
        call.stopped = True
        stop()

    breaker._enter(stop_it)
    try:
        yield call
    finally:
        breaker._leave()
    if call.stopped:
        raise Interrupted


def asked() -> bool:
    """Whether what this thread does is to be broken off."""
    breaker: Breaker | None = getattr(_here, "breaker", None)
    return breaker is not None and breaker.asked


def give_way() -> None:
    """Raises Interrupted if this step is to be broken off: for long computations of one's own, every few ms."""
    if asked():
        raise Interrupted
