"""Moving the playhead: playing at a speed in either direction, and going to a step. Each turn is one slice of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.interrupt import Interrupted
from engine.run.run import Run
from engine.solver import Stop
from tui.config import speed as speeds
from tui.playback.snapshot import RunState
from tui.playback.snapshots import Clock

SLICE = 0.004
"""Seconds of solving between two looks at the inbox."""
MAX_CHUNK = 2**20
BEHIND = 0.25
"""Seconds that playing may fall behind its speed before it gives up catching up."""

AWAY = 6.0
"""Seconds behind after which nobody can have been there: the program was stopped, or the machine asleep."""

Movement = Literal["waiting", "moving", "arrived", "halted"]
"""`waiting`: no step was due; `moving`: there were some; `arrived`: it stands still; `halted`: at a breakpoint."""


@dataclass(slots=True)
class Playing:
    """Playing: when it began, and how many steps were made since."""

    direction: int
    since: float
    made: float = 0.0
    flat_out: bool = False
    """On to the end at any speed, whatever the speed that was chosen."""


class BrokenOff(NamedTuple):
    """A step that was not made."""

    run: Run
    step: int


class Playhead:
    """Knows where the playhead is going, and takes a run there."""

    def __init__(self, clock: Clock, speed: float) -> None:
        self.speed = speed
        self.playing: Playing | None = None
        self.goal: int | None = None
        self.stops: tuple[Stop, ...] = ()
        """Where playing halts."""
        self.broken_off: BrokenOff | None = None
        """The step that was broken off when Interrupted was raised last; none if that was made before."""
        self._clock = clock
        self._before_flat_out = speeds.DEFAULT if speed == speeds.FLAT_OUT else speed
        self._chunk = 64.0

    @property
    def state(self) -> RunState:
        if self.playing is not None:
            return "RUNNING" if self.playing.direction > 0 else "REWINDING"
        return "PAUSED" if self.goal is None else "RUNNING"

    @property
    def at_rest(self) -> bool:
        return self.playing is None and self.goal is None

    def stop(self) -> None:
        """Stand still."""
        self.playing = self.goal = None

    def play(self, direction: int, flat_out: bool = False) -> None:
        """Begin to play."""
        self.goal = None
        self.playing = Playing(direction, self._clock(), flat_out=flat_out)

    def wanted(self, due: float) -> float | None:
        """Seconds until the next turn is wanted, a snapshot being due in so many; None while it stands still."""
        if self.goal is not None:
            return 0.0
        if self.playing is None:
            return None
        if self._owed(self.playing) >= 1:
            return 0.0
        return max((1 - self._owed(self.playing)) / self.speed, due, 0.0)

    # Speed

    def set_speed(self, speed: float) -> None:
        """Play at this speed from now on."""
        if speed != speeds.FLAT_OUT:
            self._before_flat_out = speed
        self.speed = speed
        if self.playing is not None:
            self.play(self.playing.direction)

    def flat_out(self, run: Run) -> None:
        """Run flat out, or go back to the speed before."""
        if self.speed == speeds.FLAT_OUT:
            self.set_speed(self._before_flat_out)
            return
        self.set_speed(speeds.FLAT_OUT)
        if self.playing is None and not run.at_end:
            self.play(1)

    # Going on

    def go_on(self, run: Run) -> Movement:
        """One slice of the way. Raises Interrupted where a step is broken off."""
        self.broken_off = None
        if self.goal is not None:
            return self._travel(run, self.goal)
        if self.playing is not None:
            return self._play(run, self.playing)
        return "waiting"

    def _travel(self, run: Run, goal: int) -> Movement:
        """A slice of the way to a step; breakpoints are passed."""
        if goal <= run.recorded:
            run.seek(goal)
        else:
            if run.playhead < run.recorded:
                run.seek(run.recorded)
            self._advance(run, goal - run.playhead, ())
        if run.playhead == goal or (run.at_end and goal >= run.recorded):
            self.goal = None
            return "arrived"
        return "moving"

    def _play(self, run: Run, playing: Playing) -> Movement:
        """The steps that the clock asks for, as many of them as fit in a slice."""
        self._forget_absence(playing)
        steps, halted = int(min(self._owed(playing), self._chunk)), False
        if steps >= 1:
            steps, halted = (self._forwards if playing.direction > 0 else self._backwards)(run, steps)
            playing.made += steps
            if self._owed(playing) > self.speed * BEHIND:
                playing.since, playing.made = self._clock(), 0.0
        if halted or (run.at_end if playing.direction > 0 else run.playhead == 0):
            self.playing = None
            return "halted" if halted else "arrived"
        return "moving" if steps >= 1 else "waiting"

    def _forget_absence(self, playing: Playing) -> None:
        """What should have been played while nobody was there is not made up for."""
        if self.speed * AWAY < self._owed(playing) < math.inf:
            playing.since, playing.made = self._clock(), 0.0

    def _forwards(self, run: Run, steps: int) -> tuple[int, bool]:
        return self._advance(run, steps, self.stops)

    def _backwards(self, run: Run, steps: int) -> tuple[int, bool]:
        goal = max(run.playhead - steps, 0)
        hit = run.last_stop(max(goal - 1, 0), *self.stops) if self.stops else None
        made = run.playhead - (goal if hit is None else hit)
        run.seek(run.playhead - made)
        return made, hit is not None

    def _owed(self, playing: Playing) -> float:
        """Steps that should have been made by now."""
        if self.speed == speeds.FLAT_OUT or playing.flat_out:
            return math.inf
        return (self._clock() - playing.since) * self.speed - playing.made + 1e-6

    def _advance(self, run: Run, n: int, stops: tuple[Stop, ...]) -> tuple[int, bool]:
        """Up to n steps forwards, but no more than a slice holds; learns from it how many those are. How many were
        made, and whether a stop was hit."""
        asked = 1 if run.solver.interruptible else max(1, min(n, int(self._chunk)))
        began = self._clock()
        try:
            result = run.advance(asked, *stops)
        except Interrupted:
            again = run.playhead < run.recorded
            self.broken_off = None if again else BrokenOff(run, run.playhead + 1)
            raise
        took = self._clock() - began
        if result.steps == asked:
            fits = self._chunk * 2 if took <= 0 else asked * SLICE / took
            self._chunk = min(max(fits, self._chunk / 2, 1.0), self._chunk * 2, float(MAX_CHUNK))
        hit = result.reason == "stop"
        return result.steps, hit or (result.reason == "done" and any(run.hits(stop, run.playhead) for stop in stops))
