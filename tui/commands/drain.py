"""Running a solver to its end or to a limit: the one way in which the command line solves.

The solver is advanced in chunks of a few milliseconds; between two of them the limits are looked at. A limit cuts a
run, it never changes it: whatever the chunks, the steps are those of the recipe.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from engine.cursor import Cursor
from engine.events import Restarted, Status
from engine.run import Run
from engine.solver import NEVER, Advanced, Outcome, Stop
from engine.text import count
from tui.i18n import _

SHORT, LONG = 0.010, 0.040
"""Seconds that a chunk should take."""
LASTING = 0.1
"""Seconds after which a run is no longer a short one."""
MAX_CHUNK = 2**22


@dataclass(frozen=True, slots=True)
class Limits:
    """What cuts a run short; None: nothing does."""

    steps: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """How a run ended, or where it was cut."""

    status: Status
    grid: tuple[int, ...]
    """The solution, or the best grid of the whole run."""
    energy: int
    steps: int
    restarts: int
    seconds: float
    reason: str


class Path(Protocol):
    """Something that goes forward step by step."""

    @property
    def step(self) -> int: ...

    @property
    def state(self) -> Any: ...

    def forward(self, n: int, stop: Stop) -> Advanced:
        """Up to n steps forward."""


class Walk(Path, Protocol):
    """A path whose end can be seen, and which may be walked again from where it stands now."""

    @property
    def outcome(self) -> Outcome | None: ...

    def twin(self) -> Path | None:
        """The same path from here, independent of this one; None if it cannot be walked twice."""


class CursorWalk(Cursor):
    """A walk that keeps nothing but the state."""

    @property
    def outcome(self) -> Outcome | None:
        return self.solver.outcome(self.state)

    def twin(self) -> Path | None:
        return None if self.solver.recorded else self.copy()


class RunWalk:
    """A walk through a run that is to be saved."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def step(self) -> int:
        return self.run.playhead

    @property
    def state(self) -> Any:
        return self.run.state

    @property
    def outcome(self) -> Outcome | None:
        return self.run.outcome

    def forward(self, n: int, stop: Stop) -> Advanced:
        return self.run.advance(n, stop)

    def twin(self) -> Path | None:
        return None


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


class _Drain:
    """One run being drained: what is known of it between two chunks.

    Halting at every grid that is better than any before costs more than a short run does. So a run goes without at
    first; one that lasts, or is cut, is made good by walking its beginning again.
    """

    def __init__(self, walk: Walk, limits: Limits) -> None:
        self.walk = walk
        self.limits = limits
        self.restarts = 0
        self.elapsed = 0.0
        self.best: tuple[int, ...] = walk.state.grid
        self.energy = int(walk.state.energy)
        self._behind = walk.twin()
        self._began = time.perf_counter()

    def chunk(self, pace: Pace) -> bool:
        """A few milliseconds of the run. False when nothing moved."""
        room = sys.maxsize if self.limits.steps is None else self.limits.steps - self.walk.step
        before = time.perf_counter()
        if self._behind is None:
            result = self._to_record(self.walk, min(pace.chunk, room))
        else:
            result = self.walk.forward(min(pace.chunk, room), NEVER)
        now = time.perf_counter()
        pace.took(now - before, result.steps)
        self.elapsed = now - self._began
        self.restarts += sum(isinstance(event, Restarted) for event in result.rare)
        if self.elapsed > LASTING and self.walk.outcome is None:
            self.catch_up()
        return result.steps > 0

    def _to_record(self, path: Path, n: int) -> Advanced:
        """Up to n steps, halting at a grid that is better than any before."""
        result = path.forward(n, Stop(energy=self.energy - 1) if self.energy else NEVER)
        if path.state.energy < self.energy:
            self.best, self.energy = path.state.grid, int(path.state.energy)
        return result

    def catch_up(self) -> None:
        """Find the best grid of the steps that were made without looking for it."""
        while self._behind is not None and self._behind.step < self.walk.step:
            self._to_record(self._behind, self.walk.step - self._behind.step)
        self._behind = None

    def finish(self, outcome: Outcome) -> Finish:
        return Finish(outcome.status, outcome.grid, outcome.energy, self.walk.step, outcome.restarts, self.elapsed,
                      outcome.reason)

    def cut(self, status: Status, reason: str) -> Finish:
        self.catch_up()
        return Finish(status, self.best, self.energy, self.walk.step, self.restarts, self.elapsed, reason)


def drain(walk: Walk, limits: Limits, pace: Pace, cancelled: Callable[[], bool],
          watch: Callable[[Walk, float], None]) -> Finish:
    """Go to the end of the run or to a limit. `watch` is told of the walk and the seconds between two chunks."""
    running = _Drain(walk, limits)
    while (outcome := walk.outcome) is None:
        reason = _cut(walk.step, running.elapsed, limits)
        if cancelled():
            return running.cut("unknown", _("interrupted"))
        if reason:
            return running.cut("gave_up", reason)
        if not running.chunk(pace) and walk.outcome is None:
            return running.cut("unknown", _("the solver stopped without a verdict"))
        watch(walk, running.elapsed)
    return running.finish(outcome)


def _cut(step: int, elapsed: float, limits: Limits) -> str:
    """Why the run is cut here, or nothing."""
    if limits.steps is not None and step >= limits.steps:
        return _("the limit of {steps} steps is reached").format(steps=count(limits.steps))
    if limits.seconds is not None and elapsed >= limits.seconds:
        return _("the time limit of {seconds:g} s is reached").format(seconds=limits.seconds)
    return ""
