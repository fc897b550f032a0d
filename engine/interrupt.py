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

    def __init__(self, by: Breaker | None = None) -> None:
        """`by`: who broke it off, where it is known."""
        super().__init__()
        self.by = by


class Breaker:
    """Breaks off what goes on in another thread."""

    def __init__(self, grace: float = GRACE, patience: float = 0.0) -> None:
        """A call is broken off so many seconds (`grace`) after it was asked for; a step as soon as it has lasted for
        `patience`. Unless one does not want to wait."""
        self._grace, self._patience = grace, patience
        self._changed = threading.Condition()
        self._asked: float | None = None
        """When it was asked to break off."""
        self._at_once = False
        self._began: float | None = None
        """When the step began that is under way."""
        self._stop: Callable[[], None] | None = None
        """What stops the call that goes on."""
        self._thread: threading.Thread | None = None

    def break_off(self, at_once: bool = False) -> None:
        """Break off the call that goes on, or else the next one, until `clear`; without grace or patience if
        `at_once`. From any thread; returns at once."""
        with self._changed:
            if self._asked is None:
                self._asked = time.monotonic()
            if at_once and not self._at_once:
                self._at_once = True
                self._changed.notify_all()
            if self._stop is not None:
                self._hurry()

    def clear(self) -> None:
        """Nothing is to be broken off any more."""
        if self._asked is None:
            return
        with self._changed:
            self._asked, self._at_once = None, False
            self._changed.notify_all()

    @property
    def asked(self) -> bool:
        """Whether something is to be broken off, and has had its time to come back by itself."""
        left = self._left()
        return left is not None and left <= 0

    def _left(self) -> float | None:
        """Seconds until something is broken off; None if nobody has asked for it."""
        asked, began = self._asked, self._began
        if asked is None:
            return None
        if self._at_once:
            return 0.0
        due = asked + self._grace if began is None else max(asked, began + self._patience)
        return due - time.monotonic()

    @contextmanager
    def step(self) -> Iterator[None]:
        """A step is under way: it has `patience` from now on."""
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
        """What this thread does meanwhile can be broken off, by those who watched before too. From `end` on, a time of
        `time.monotonic`, computations give way by themselves."""
        before = _watchers()
        _here.watchers = (*before, (self, end))
        try:
            yield
        finally:
            _here.watchers = before

    def _hurry(self) -> None:
        """Have a thread stop the call, again and again until it has come back."""
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
    """Who watches this thread, and until when: the outermost first."""
    found: tuple[tuple[Breaker, float | None], ...] = getattr(_here, "watchers", ())
    return found


class Call:
    """A call that may be broken off."""

    def __init__(self) -> None:
        self.by: Breaker | None = None
        """Who told the engine to stop: an answer that is none is then no answer of the engine's."""

    @property
    def stopped(self) -> bool:
        return self.by is not None


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[Call]:
    """For the length of a long call `stop`, which is called from another thread, makes it come back early. Raises
    Interrupted once it has. Where nobody watches, the call just takes its time."""
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
    """Whether what this thread does is to be broken off."""
    return _by() is not None


def give_way() -> None:
    """Raises Interrupted if this step is to be broken off: for long computations of one's own, every few ms."""
    by = _by()
    if by is not None:
        raise Interrupted(by)


def _by() -> Breaker | None:
    """Who wants what this thread does to be broken off: the outermost of them."""
    for breaker, end in _watchers():
        if breaker.asked or (end is not None and time.monotonic() >= end):
            return breaker
    return None
