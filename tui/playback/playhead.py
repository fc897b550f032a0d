"""The playhead: plays a run at a speed in either direction, or takes it to a step, one slice at a time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.breakpoints import Stop
from engine.events import Event
from engine.interrupt import Interrupted
from engine.run.run import Run
from tui.config import speed as speeds
from tui.playback.snapshot import RunState
from tui.playback.snapshots import LOG_STEPS, Clock

SLICE = 0.004
"""Seconds of solving between two looks at the inbox."""
MAX_CHUNK = 2**20
BEHIND = 0.25
"""Seconds that playing may fall behind its speed, apart from those that it waits; more is not caught up with."""
RARE_EVENTS = 64
"""Rare events that are kept."""
FIRST_SPEED, DOUBLING = 2.0, 2.0
"""Steps per second at which an accelerating run begins, and the seconds in which its speed doubles."""
AWAY = 6.0
"""Seconds behind after which the process must have been stopped, or the machine asleep."""

Movement = Literal["waiting", "moving", "arrived", "halted"]
"""`waiting`: no step was due; `moving`: steps were made; `arrived`: at the goal or an end of the run; `halted`: at a
breakpoint."""


@dataclass(slots=True)
class Playing:
    """Playing in a direction since some time."""

    direction: int
    since: float
    made: float = 0.0
    """Steps made since then."""
    flat_out: bool = False
    """As fast as possible, whatever the chosen speed."""
    ramp: float = math.inf
    """Seconds of acceleration before `since`; infinite at the full speed from the start."""


def speed_after(seconds: float, speed: float) -> float:
    """Steps per second after that time of acceleration towards a speed."""
    return speed if seconds >= _ramp_seconds(speed) else FIRST_SPEED * 2 ** (seconds / DOUBLING)


def steps_after(seconds: float, speed: float) -> float:
    """The steps made in that time of acceleration towards a speed: the integral of `speed_after`."""
    ramp = min(seconds, _ramp_seconds(speed))
    return FIRST_SPEED * DOUBLING / math.log(2) * (2 ** (ramp / DOUBLING) - 1) + speed * (seconds - ramp)


def _ramp_seconds(speed: float) -> float:
    return DOUBLING * math.log2(speed / FIRST_SPEED) if speed > FIRST_SPEED else 0.0


class CancelledStep(NamedTuple):
    """A step that was interrupted before it was made."""

    run: Run
    step: int


class Playhead:
    """Moves the playhead of a run: while `playing` at the speed, else to a `goal`."""

    def __init__(self, clock: Clock, speed: float, accelerates: bool = False) -> None:
        """`accelerates`: begin with 2 steps a second and double it every 2 s up to `speed`, until a speed is chosen."""
        self.speed = speed
        self._ramp = 0.0 if accelerates else math.inf
        """Seconds of acceleration so far."""
        self.playing: Playing | None = None
        self.goal: int | None = None
        self.stops: tuple[Stop, ...] = ()
        """Breakpoints at which playing halts."""
        self._rare: deque[Event] = deque(maxlen=RARE_EVENTS)
        self._rare_of: Run | None = None
        self._rare_from = self._rare_until = 0
        """The steps at which the kept events are the last ones."""
        self.cancelled: CancelledStep | None = None
        """The step that the last Interrupted cancelled; None if that step was recorded before."""
        self._clock = clock
        self._before_flat_out = speeds.DEFAULT if speed == speeds.FLAT_OUT else speed
        self._chunk = 64.0
        self._waited = 0.0
        """Seconds of the last wait for a step or a snapshot, in which steps became due."""

    @property
    def state(self) -> RunState:
        if self.playing is not None:
            return "RUNNING" if self.playing.direction > 0 else "REWINDING"
        return "PAUSED" if self.goal is None else "RUNNING"

    @property
    def at_rest(self) -> bool:
        return self.playing is None and self.goal is None

    def stop(self) -> None:
        self._leave_ramp()
        self.playing = self.goal = None

    def play(self, direction: int, flat_out: bool = False) -> None:
        self._leave_ramp()
        self.goal = None
        self.playing = Playing(direction, self._clock(), flat_out=flat_out, ramp=self._ramp)

    def _leave_ramp(self) -> None:
        """Note how far the acceleration has come."""
        if self.playing is not None:
            self._ramp = self.playing.ramp + self._clock() - self.playing.since

    @property
    def current_speed(self) -> float:
        """Steps per second at this moment."""
        if self.playing is None:
            return self.speed
        return speed_after(self.playing.ramp + self._clock() - self.playing.since, self.speed)

    @property
    def shown_speed(self) -> float:
        """Steps per second as the transport shows them: the way to a step and to the end is taken flat out."""
        on_the_way = self.goal is not None or (self.playing is not None and self.playing.flat_out)
        return speeds.FLAT_OUT if on_the_way else self.current_speed

    def wanted(self, due: float) -> float | None:
        """Seconds until the next turn, when a snapshot is due in `due` seconds; None at rest."""
        if self.goal is not None:
            return 0.0
        if self.playing is None:
            return None
        if self._owed(self.playing) >= 1:
            return 0.0
        self._waited = max((1 - self._owed(self.playing)) / self.current_speed, due, 0.0)
        return self._waited

    # Speed

    def set_speed(self, speed: float) -> None:
        """Play at this speed from now on."""
        if speed != speeds.FLAT_OUT:
            self._before_flat_out = speed
        self.speed = speed
        self._ramp = math.inf
        if self.playing is not None:
            self.playing.ramp = math.inf
            self.play(self.playing.direction)

    def flat_out(self, run: Run) -> None:
        """Run flat out; where that is so already, or nothing can be run, go back to the speed before."""
        if self.speed == speeds.FLAT_OUT and (self.playing is not None or run.at_end):
            self.set_speed(self._before_flat_out)
            return
        self.set_speed(speeds.FLAT_OUT)
        if self.playing is None and not run.at_end:
            self.play(1)

    # Moving

    def move(self, run: Run) -> Movement:
        """Move for one slice. Raises Interrupted if a step is cancelled."""
        self.cancelled = None
        if self.goal is not None:
            return self._travel(run, self.goal)
        if self.playing is not None:
            return self._play(run, self.playing)
        return "waiting"

    def _travel(self, run: Run, goal: int) -> Movement:
        """Go towards a step for one slice; breakpoints are ignored."""
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
        """Make the steps that are due by the clock, as many as fit in one slice."""
        self._skip_absence(playing)
        steps, halted = int(min(self._owed(playing), self._chunk)), False
        if steps >= 1:
            steps, halted = (self._forwards if playing.direction > 0 else self._backwards)(run, steps)
            playing.made += steps
            if self._owed(playing) > self.speed * (BEHIND + self._waited):
                self._forget_owed(playing)
        if halted or (run.at_end if playing.direction > 0 else run.playhead == 0):
            self.playing = None
            return "halted" if halted else "arrived"
        return "moving" if steps >= 1 else "waiting"

    def _skip_absence(self, playing: Playing) -> None:
        """Drop the steps that became due while the process was stopped."""
        if self.speed * AWAY < self._owed(playing) < math.inf:
            self._forget_owed(playing)

    def _forget_owed(self, playing: Playing) -> None:
        """Count the due steps from now on."""
        now = self._clock()
        playing.ramp, playing.since, playing.made = playing.ramp + now - playing.since, now, 0.0

    def _forwards(self, run: Run, steps: int) -> tuple[int, bool]:
        return self._advance(run, steps, self.stops)

    def _backwards(self, run: Run, steps: int) -> tuple[int, bool]:
        goal = max(run.playhead - steps, 0)
        hit = run.last_stop(max(goal - 1, 0), *self.stops) if self.stops else None
        made = run.playhead - (goal if hit is None else hit)
        run.seek(run.playhead - made)
        return made, hit is not None

    def _owed(self, playing: Playing) -> float:
        """Steps that are due by now."""
        if self.speed == speeds.FLAT_OUT or playing.flat_out:
            return math.inf
        elapsed = self._clock() - playing.since
        due = (elapsed * self.speed if math.isinf(playing.ramp) else
               steps_after(playing.ramp + elapsed, self.speed) - steps_after(playing.ramp, self.speed))
        return due - playing.made + 1e-6

    def _note_rare(self, run: Run, before: int, events: Sequence[Event]) -> None:
        """Keep the rare events of the steps from `before` to the playhead, if the kept ones reach up to there."""
        if run is self._rare_of and before <= self._rare_until < run.playhead:
            self._rare.extend(event for event in events if event.step > self._rare_until)
            self._rare_until = run.playhead
            if len(self._rare) == RARE_EVENTS:
                self._rare_from = self._rare[LOG_STEPS - 1].step

    def rare_events(self, run: Run) -> Sequence[Event]:
        """The last rare events of the run up to its playhead, in order of their steps, and maybe some after it."""
        if run is not self._rare_of or not self._rare_from <= run.playhead <= self._rare_until:
            found = run.rare_events(2 * LOG_STEPS)[-RARE_EVENTS:]
            self._rare_of, self._rare_until = run, run.playhead
            self._rare_from = found[LOG_STEPS - 1].step if len(found) >= 2 * LOG_STEPS else 0
            self._rare.clear()
            self._rare.extend(found)
        return self._rare

    def _advance(self, run: Run, n: int, stops: tuple[Stop, ...]) -> tuple[int, bool]:
        """Make up to n steps forwards, no more than fit in a slice, and adapt the number that does. Returns the steps
        made and whether a stop was hit."""
        asked = 1 if run.solver.interruptible else max(1, min(n, int(self._chunk)))
        before, began = run.playhead, self._clock()
        try:
            result = run.advance(asked, *stops)
        except Interrupted:
            again = run.playhead < run.recorded
            self.cancelled = None if again else CancelledStep(run, run.playhead + 1)
            raise
        took = self._clock() - began
        self._note_rare(run, before, result.rare)
        if result.steps == asked:
            fits = self._chunk * 2 if took <= 0 else asked * SLICE / took
            self._chunk = min(max(fits, self._chunk / 2, 1.0), self._chunk * 2, float(MAX_CHUNK))
        hit = result.reason == "stop"
        return result.steps, hit or (result.reason == "done" and any(run.hits(stop, run.playhead) for stop in stops))
