"""Interrupting a long step: a call into a foreign engine that cannot poll.

A solver makes such a call inside `interruptible`, with a function that stops the engine:

    with interruptible(context.interrupt):
        answer = solver.check(assumptions)

The caller runs the solver inside `Breaker.watching` and may call `break_off` from another thread. The step then raises
Interrupted and is not made: it must not have changed the state before the call returned.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

GRACE = 0.03
"""Seconds that a call may continue after a request to end; most calls return within them."""
AGAIN = 0.01
"""Seconds between two attempts to stop a call: an engine ignores one made before it has started."""

_here = threading.local()


class Interrupted(Exception):
    """A step was interrupted: it was not made, and the state is unchanged."""

    def __init__(self, by: Breaker | None = None) -> None:
        """`by`: the breaker that interrupted it, if known."""
        super().__init__()
        self.by = by


class Breaker:
    """Interrupts the steps of another thread."""

    def __init__(self, grace: float = GRACE, patience: float = 0.0) -> None:
        """grace: seconds a running call may go on after a request. patience: minimum age of a step before it is
        interrupted. `at_once` overrides both."""
        self._grace, self._patience = grace, patience
        self._changed = threading.Condition()
        self._asked: float | None = None
        """Time of the request."""
        self._at_once = False
        self._began: float | None = None
        """Start of the running step."""
        self._stop: Callable[[], None] | None = None
        """The function that stops the running call."""
        self._thread: threading.Thread | None = None

    def break_off(self, at_once: bool = False) -> None:
        """Request an interrupt of the running call, or else of the next, until `clear`; `at_once` without grace or
        patience. Returns at once; any thread may call it."""
        with self._changed:
            if self._asked is None:
                self._asked = time.monotonic()
            if at_once and not self._at_once:
                self._at_once = True
                self._changed.notify_all()
            if self._stop is not None:
                self._hurry()

    def clear(self) -> None:
        """Withdraw the request."""
        if self._asked is None:
            return
        with self._changed:
            self._asked, self._at_once = None, False
            self._changed.notify_all()

    @property
    def asked(self) -> bool:
        """True if there is a request whose grace or patience is over."""
        left = self._left()
        return left is not None and left <= 0

    def _left(self) -> float | None:
        """Seconds until the interrupt; None without a request."""
        asked, began = self._asked, self._began
        if asked is None:
            return None
        if self._at_once:
            return 0.0
        due = asked + self._grace if began is None else max(asked, began + self._patience)
        return due - time.monotonic()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Mark a running step, which has `patience` from now on."""
        self._began = time.monotonic()
        try:
            yield
        finally:
            self._began = None

    @property
    def in_step(self) -> bool:
        return self._began is not None

    @contextmanager
    def watching(self, end: float | None = None) -> Iterator[None]:
        """Let this breaker, and those of enclosing blocks, interrupt this thread in the block. After `end`, a time of
        `time.monotonic`, computations are interrupted without a request."""
        before = _watchers()
        _here.watchers = (*before, (self, end))
        try:
            yield
        finally:
            _here.watchers = before

    def _hurry(self) -> None:
        """Start a thread that stops the call, repeatedly until it returns."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._insist, name="breaker", daemon=True)
            self._thread.start()

    def _insist(self) -> None:
        with self._changed:
            while self._stop is not None and (left := self._left()) is not None:
                if left <= 0:
                    self._stop()
                self._changed.wait(left if left > 0 else AGAIN)
            self._thread = None

    def _enter(self, stop: Callable[[], None]) -> None:
        with self._changed:
            self._stop = stop
            if self._asked is not None:
                self._hurry()

    def _leave(self) -> None:
        with self._changed:
            self._stop = None
            if self._thread is not None:
                self._changed.notify_all()


def _watchers() -> tuple[tuple[Breaker, float | None], ...]:
    """The breakers of this thread with their end times, the outermost first."""
    found: tuple[tuple[Breaker, float | None], ...] = getattr(_here, "watchers", ())
    return found


class Call:
    """A call that may be interrupted."""

    def __init__(self) -> None:
        self.by: Breaker | None = None
        """The breaker that stopped the engine; its answer is then void."""

    @property
    def stopped(self) -> bool:
        return self.by is not None


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[Call]:
    """Let breakers end a long call early with `stop`, which they call from another thread. Raises Interrupted at the
    end of the block if one did. Without a breaker the call is not interrupted."""
    watchers, call = _watchers(), Call()

    def stopper(breaker: Breaker) -> Callable[[], None]:
        def stop_it() -> None:
            call.by = call.by or breaker
            stop()

        return stop_it

    for breaker, _end in watchers:
        breaker._enter(stopper(breaker))
    try:
        yield call
    finally:
        for breaker, _end in watchers:
            breaker._leave()
    if call.by is not None:
        raise Interrupted(call.by)


def asked() -> bool:
    """True if this thread should be interrupted."""
    return _by() is not None


def give_way() -> None:
    """Raise Interrupted if this thread should be interrupted. Long computations call it every few milliseconds."""
    by = _by()
    if by is not None:
        raise Interrupted(by)


def _by() -> Breaker | None:
    """The outermost breaker that interrupts this thread; None if none does."""
    for breaker, end in _watchers():
        if breaker.asked or (end is not None and time.monotonic() >= end):
            return breaker
    return None
