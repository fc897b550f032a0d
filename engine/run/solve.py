"""Solving: run to the end or to a limit, for the command line and the bench.

The solver advances in chunks of a few milliseconds; the limits are checked between two chunks. A limit cuts a run short
and never changes it: with chunks of any size, the steps are those of the recipe.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from engine.events import Restarted, Status
from engine.interrupt import Breaker, Interrupted
from engine.params import Params
from engine.solver import Advanced, AnySolver, Outcome
from engine.state import State
from engine.text import count

SHORT, LONG = 0.010, 0.040
"""Range of the duration of a chunk, in seconds."""
POLL = 0.02
"""Seconds between two checks of the limits during a long step."""
MAX_CHUNK = 2**22


class Limits(Struct, frozen=True):
    """The limits of a run; None is no limit."""

    steps: int | None = None
    seconds: float | None = None
    evaluations: int | None = None
    """Ends the run after the first step by which this many candidates have been weighed."""


class Finish(Struct, frozen=True):
    """The end of a run: its own, or by a limit."""

    status: Status
    grid: tuple[int, ...]
    """The solution, or the best grid of the whole run."""
    energy: int
    steps: int
    restarts: int
    seconds: float
    reason: str
    cut: bool = False
    """Ended by a limit or the user, not by the solver."""


class Walk(Protocol):
    """A run to be solved, of which only the position counts: a Cursor, a Run, or a wrapper of one."""

    @property
    def solver(self) -> AnySolver: ...

    @property
    def state(self) -> State: ...

    @property
    def params(self) -> Params: ...

    @property
    def outcome(self) -> Outcome | None: ...

    def advance(self, n: int, /) -> Advanced:
        """Make up to n steps."""

    def best(self) -> tuple[tuple[int, ...], int]:
        """The best grid so far and its energy."""


class Pace:
    """The number of steps that take a few milliseconds; kept from one run to the next."""

    def __init__(self) -> None:
        self.chunk = 16

    def adapt(self, elapsed: float, steps: int) -> None:
        """Adapt the chunk to one of `steps` steps that took `elapsed` seconds."""
        if elapsed > LONG:
            self.chunk = max(1, self.chunk // 2)
        elif elapsed < SHORT and steps >= self.chunk:
            self.chunk = min(MAX_CHUNK, self.chunk * 2)


class ThreadedWalk:
    """Advances a walk in a thread, so that a limit or ctrl-C can interrupt a long step."""

    def __init__(self, walk: Walk, over: Callable[[], bool]) -> None:
        """`over` is polled; once it is true, the step is interrupted."""
        self._walk, self._over = walk, over
        self._breaker = Breaker()
        self._result: Advanced | BaseException = Advanced(0, "steps", ())

    def advance(self, n: int) -> Advanced:
        """Make up to n steps; none if the first is interrupted."""
        thread = threading.Thread(target=self._make, args=(n,), name="solver", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(POLL)
            if self._over():
                self._breaker.break_off()
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result

    def _make(self, n: int) -> None:
        try:
            with self._breaker.watching():
                self._result = self._walk.advance(n)
        except Interrupted:
            self._result = Advanced(0, "steps", ())
        except BaseException as error:  # raised again in `advance`
            self._result = error


def solve(walk: Walk, limits: Limits, pace: Pace, cancelled: Callable[[], bool],
          watch: Callable[[Walk, float], None], milestones: Sequence[int] = ()) -> Finish:
    """Advance to the end of the run or to a limit. After each chunk `watch` is called with the walk and the seconds so
    far; a chunk ends at each of the `milestones`, steps in ascending order."""
    began = now = time.perf_counter()
    restarts, cut = 0, None

    def over() -> bool:
        return cancelled() or _limit_reached(walk, time.perf_counter() - began, limits) is not None

    advance = ThreadedWalk(walk, over).advance if walk.solver.interruptible else walk.advance
    while (outcome := walk.outcome) is None:
        cut = _limit_reached(walk, now - began, limits) if not cancelled() else ("unknown", "interrupted")
        if cut is not None:
            break
        result = advance(_next_chunk(walk, limits, pace.chunk, milestones))
        before, now = now, time.perf_counter()
        pace.adapt(now - before, result.steps)
        restarts += sum(isinstance(event, Restarted) for event in result.rare)
        watch(walk, now - began)
        if not result.steps and walk.outcome is None and not over():
            cut = "unknown", "the solver stopped without an outcome"
            break
    if outcome is None:
        assert cut is not None
        return Finish(cut[0], *walk.best(), walk.state.step, restarts, now - began, cut[1], cut=True)
    return Finish(outcome.status, outcome.grid, outcome.energy, walk.state.step, outcome.restarts, now - began,
                  outcome.reason)


def _next_chunk(walk: Walk, limits: Limits, most: int, milestones: Sequence[int]) -> int:
    """The steps to make next, at most `most`, without passing a limit or a milestone."""
    if limits.steps is not None:
        most = min(most, limits.steps - walk.state.step)
    if limits.evaluations is not None:
        left = limits.evaluations - walk.solver.evaluations(walk.state, walk.params)
        most = min(most, max(1, left // max(1, walk.solver.most_evaluations(walk.state, walk.params))))
    ahead = bisect_right(milestones, walk.state.step)
    return min(most, milestones[ahead] - walk.state.step) if ahead < len(milestones) else most


def _limit_reached(walk: Walk, elapsed: float, limits: Limits) -> tuple[Status, str] | None:
    """The status and reason of a run that has reached a limit; None if it has not."""
    if limits.steps is not None and walk.state.step >= limits.steps:
        return "gave_up", f"the step limit of {count(limits.steps)} is reached"
    if limits.evaluations is not None and walk.solver.evaluations(walk.state, walk.params) >= limits.evaluations:
        return "gave_up", f"the evaluation limit of {count(limits.evaluations)} is reached"
    if limits.seconds is not None and elapsed >= limits.seconds:
        return "gave_up", f"the time limit of {limits.seconds:g} s is reached"
    return None
