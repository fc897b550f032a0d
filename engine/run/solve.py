"""Running a solver to its end or to a limit: the one way in which the command line and the bench solve.

The solver is advanced in chunks of a few milliseconds; between two of them the limits are looked at. A limit cuts a
run, it never changes it: whatever the chunks, the steps are those of the recipe.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from engine.events import Restarted, Status
from engine.interrupt import Breaker, Interrupted
from engine.run.cursor import Cursor
from engine.run.run import Run
from engine.solver import NEVER, Advanced, AnySolver, Outcome, Stop
from engine.text import count

SHORT, LONG = 0.010, 0.040
"""Seconds that a chunk should take."""
LOOK = 0.02
"""Seconds between two looks at a step that takes long."""
MAX_CHUNK = 2**22


class Limits(Struct, frozen=True):
    """What cuts a run short; None: nothing does."""

    steps: int | None = None
    seconds: float | None = None
    evaluations: int | None = None
    """Ends the run after the first step by which so many candidates have been weighed."""


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
    cut: bool = False
    """A limit, or somebody, ended it, not the solver."""


class Walk(Protocol):
    """Something that goes forward step by step to an end."""

    @property
    def solver(self) -> AnySolver: ...

    @property
    def step(self) -> int: ...

    @property
    def state(self) -> Any: ...

    @property
    def params(self) -> Any: ...

    @property
    def outcome(self) -> Outcome | None: ...

    def forward(self, n: int) -> Advanced:
        """Up to n steps forward."""

    def best(self) -> tuple[tuple[int, ...], int]:
        """The best grid so far and its energy."""


class StoppingWalk(Walk, Protocol):
    """A walk that can be told where to halt."""

    def forward(self, n: int, stop: Stop = NEVER) -> Advanced:
        """Up to n steps forward, halting where the stop says."""


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
    def params(self) -> Any:
        return self.run.params

    @property
    def outcome(self) -> Outcome | None:
        return self.run.outcome

    def forward(self, n: int, stop: Stop = NEVER) -> Advanced:
        return self.run.advance(n, stop)

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
          watch: Callable[[Walk, float], None], milestones: Sequence[int] = ()) -> Finish:
    """Go to the end of the run or to a limit. `watch` is told of the walk and the seconds between two chunks; a chunk
    ends at each of the `milestones`, steps in ascending order."""
    began = now = time.perf_counter()
    restarts, cut = 0, None

    def over() -> bool:
        return cancelled() or _cut(walk, time.perf_counter() - began, limits) is not None

    forward = Patient(walk, over).forward if walk.solver.interruptible else walk.forward
    while (outcome := walk.outcome) is None:
        cut = _cut(walk, now - began, limits) if not cancelled() else ("unknown", "interrupted")
        if cut is not None:
            break
        result = forward(_room(walk, limits, pace.chunk, milestones))
        before, now = now, time.perf_counter()
        pace.took(now - before, result.steps)
        restarts += sum(isinstance(event, Restarted) for event in result.rare)
        watch(walk, now - began)
        if not result.steps and walk.outcome is None and not over():
            cut = "unknown", "the solver stopped without a verdict"
            break
    if outcome is None:
        assert cut is not None
        return Finish(cut[0], *walk.best(), walk.step, restarts, now - began, cut[1], cut=True)
    return Finish(outcome.status, outcome.grid, outcome.energy, walk.step, outcome.restarts, now - began,
                  outcome.reason)


def _room(walk: Walk, limits: Limits, most: int, milestones: Sequence[int]) -> int:
    """How many steps can be made at once without passing a limit or a milestone."""
    if limits.steps is not None:
        most = min(most, limits.steps - walk.step)
    if limits.evaluations is not None:
        left = limits.evaluations - walk.solver.evaluations(walk.state, walk.params)
        most = min(most, max(1, left // max(1, walk.solver.most_evaluations(walk.state, walk.params))))
    ahead = bisect_right(milestones, walk.step)
    return min(most, milestones[ahead] - walk.step) if ahead < len(milestones) else most


def _cut(walk: Walk, elapsed: float, limits: Limits) -> tuple[Status, str] | None:
    """What ends the run here, if a limit does."""
    if limits.steps is not None and walk.step >= limits.steps:
        return "gave_up", f"the limit of {count(limits.steps)} steps is reached"
    if limits.evaluations is not None and walk.solver.evaluations(walk.state, walk.params) >= limits.evaluations:
        return "gave_up", f"the limit of {count(limits.evaluations)} evaluations is reached"
    if limits.seconds is not None and elapsed >= limits.seconds:
        return "gave_up", f"the time limit of {limits.seconds:g} s is reached"
    return None
