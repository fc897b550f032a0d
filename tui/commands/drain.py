"""Running a solver to its end or to a limit: the one way in which the command line solves.

The solver is advanced in chunks of a few milliseconds; between two of them the limits are looked at. A limit cuts a
run, it never changes it: whatever the chunks, the steps are those of the recipe.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from engine.cursor import Cursor
from engine.events import Restarted, Status
from engine.interrupt import Breaker, Interrupted
from engine.run import Run
from engine.solver import Advanced, AnySolver, Outcome
from engine.text import count
from tui.i18n import _

SHORT, LONG = 0.010, 0.040
"""Seconds that a chunk should take."""
LOOK = 0.02
"""Seconds between two looks at a step that takes long."""
MAX_CHUNK = 2**22


class Limits(Struct, frozen=True):
    """What cuts a run short; None: nothing does."""

    steps: int | None = None
    seconds: float | None = None


class Finish(Struct, frozen=True):
    """How a run ended, or where it was cut."""

    status: Status
    grid: tuple[int, ...]
    """The solution, or the best grid of the whole run."""
    energy: int
    steps: int
    restarts: int
    seconds: float
    reason: str


class Walk(Protocol):
    """Something that goes forward step by step to an end."""

    @property
    def solver(self) -> AnySolver: ...

    @property
    def step(self) -> int: ...

    @property
    def state(self) -> Any: ...

    @property
    def outcome(self) -> Outcome | None: ...

    def forward(self, n: int) -> Advanced:
        """Up to n steps forward."""

    def best(self) -> tuple[tuple[int, ...], int]:
        """The best grid so far and its energy."""


class CursorWalk(Cursor):
    """A walk that keeps nothing but the state."""

    @property
    def outcome(self) -> Outcome | None:
        return self.solver.outcome(self.state)

    def best(self) -> tuple[tuple[int, ...], int]:
        return self.solver.best(self.state)


class RunWalk:
    """A walk through a run that is to be saved."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def solver(self) -> AnySolver:
        return self.run.solver

    @property
    def step(self) -> int:
        return self.run.playhead

    @property
    def state(self) -> Any:
        return self.run.state

    @property
    def outcome(self) -> Outcome | None:
        return self.run.outcome

    def forward(self, n: int) -> Advanced:
        return self.run.advance(n)

    def best(self) -> tuple[tuple[int, ...], int]:
        return self.run.solver.best(self.run.state)


class Pace:
    """How many steps take a few milliseconds; kept from one run to the next."""

    def __init__(self) -> None:
        self.chunk = 16

    def took(self, elapsed: float, steps: int) -> None:
        """Learn from a chunk."""
        if elapsed > LONG:
            self.chunk = max(1, self.chunk // 2)
        elif elapsed < SHORT and steps >= self.chunk:
            self.chunk = min(MAX_CHUNK, self.chunk * 2)


class Patient:
    """Goes forward in a thread, so that a step which takes long can be broken off by a limit, or by ctrl-C."""

    def __init__(self, walk: Walk, over: Callable[[], bool]) -> None:
        """`over` says whether to break off."""
        self._walk, self._over = walk, over
        self._breaker = Breaker()
        self._result: Advanced | BaseException = Advanced(0, "steps", ())

    def forward(self, n: int) -> Advanced:
        """Up to n steps forward; none where the first was broken off."""
        thread = threading.Thread(target=self._make, args=(n,), name="solver", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(LOOK)
            if self._over():
                self._breaker.break_off()
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result

    def _make(self, n: int) -> None:
        try:
            with self._breaker.watching():
                self._result = self._walk.forward(n)
        except Interrupted:
            self._result = Advanced(0, "steps", ())
        except BaseException as error:  # raised where it is waited for
            self._result = error


def drain(walk: Walk, limits: Limits, pace: Pace, cancelled: Callable[[], bool],
          watch: Callable[[Walk, float], None]) -> Finish:
    """Go to the end of the run or to a limit. `watch` is told of the walk and the seconds between two chunks."""
    began = now = time.perf_counter()
    restarts, cut = 0, None

    def over() -> bool:
        return cancelled() or _cut(walk.step, time.perf_counter() - began, limits) is not None

    forward = Patient(walk, over).forward if walk.solver.interruptible else walk.forward
    while (outcome := walk.outcome) is None:
        cut = _cut(walk.step, now - began, limits) if not cancelled() else ("unknown", _("interrupted"))
        if cut is not None:
            break
        n = pace.chunk if limits.steps is None else min(pace.chunk, limits.steps - walk.step)
        result = forward(n)
        before, now = now, time.perf_counter()
        pace.took(now - before, result.steps)
        restarts += sum(isinstance(event, Restarted) for event in result.rare)
        watch(walk, now - began)
        if not result.steps and walk.outcome is None and not over():
            cut = "unknown", _("the solver stopped without a verdict")
            break
    if outcome is None:
        assert cut is not None
        return Finish(cut[0], *walk.best(), walk.step, restarts, now - began, cut[1])
    return Finish(outcome.status, outcome.grid, outcome.energy, walk.step, outcome.restarts, now - began,
                  outcome.reason)


def _cut(step: int, elapsed: float, limits: Limits) -> tuple[Status, str] | None:
    """What ends the run here, if a limit does."""
    if limits.steps is not None and step >= limits.steps:
        return "gave_up", _("the limit of {steps} steps is reached").format(steps=count(limits.steps))
    if limits.seconds is not None and elapsed >= limits.seconds:
        return "gave_up", _("the time limit of {seconds:g} s is reached").format(seconds=limits.seconds)
    return None
