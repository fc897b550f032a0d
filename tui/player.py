"""Plays a run: obeys orders, keeps the speed, hands over moments. No widgets, no threads, an injected clock.

`Player.turn` does a few milliseconds of work and says when it wants its next turn. What calls it, and from which
thread, is somebody else's business (`tui.worker`); the run is touched by nobody but the player.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from engine import runfile
from engine.errors import BadInput
from engine.run import Run
from engine.view import Sentence
from tui import notices
from tui import speed as speeds
from tui.camera import Camera, Clock
from tui.i18n import _
from tui.moment import Moment, RunState
from tui.orders import (
    Change,
    Faster,
    Find,
    FlatOut,
    Halt,
    Inbox,
    Order,
    Pace,
    Period,
    Save,
    Seek,
    Speed,
    Step,
    Tell,
    ToEnd,
    Toggle,
    Turn,
    Zoom,
)

SLICE = 0.004
"""Seconds of solving between two looks at the inbox."""
MAX_CHUNK = 2**20
BEHIND = 0.25
"""Seconds that playing may fall behind its speed before it gives up catching up."""
FIND_LIMIT = 100_000_000
"""How many steps a search runs on past the playhead."""
SMALLEST = 0.01
"""What a knob that stands at zero is turned up to."""
NOTICE_SECONDS = 2.0
"""How long a notice stays while the run goes on."""

Opener = Callable[[], tuple[Run, Sentence | None]]
"""Makes the run, which may take seconds (compiling, replaying), and may have something to say about it.
Raises BadInput."""


@dataclass(slots=True)
class Playing:
    """Playing at a speed: when it began, and how many steps were made since."""

    direction: int
    since: float
    made: float = 0.0


class Player:
    """One run on the player's table, and those it branched off from."""

    def __init__(self, inbox: Inbox, publish: Callable[[Moment], None], clock: Clock, opening: Moment) -> None:
        """`opening` is what the screen shows until the run is there; its speed is the one to play at."""
        self.inbox = inbox
        self.run: Run | None = None
        self.others: list[Run] = []
        """Runs that a branch was made from, in the order of branching."""
        self.camera = Camera(clock, opening)
        self.speed = opening.speed
        self._before_flat_out = speeds.DEFAULT if self.speed == speeds.FLAT_OUT else self.speed
        self._publish = publish
        self._clock = clock
        self._playing: Playing | None = None
        self._goal: int | None = None
        self._chunk = 64.0
        self._notice: Sentence | None = None
        self._notice_since = 0.0

    # Turns

    def open(self, opener: Opener) -> None:
        """Make the run and show it. If that fails the opening moment stays, with the reason."""
        try:
            self.run, notice = opener()
        except BadInput as error:
            self._publish(self.camera.failed(notices.refused(error)))
        except Exception as error:  # a solver may be anybody's: the screen must survive it
            self._publish(self.camera.failed(notices.broken(error)))
        else:
            self._say(notice)
            self._show()

    def turn(self) -> float | None:
        """Obey what has come in, then play on for one slice. Returns the seconds until the next turn is wanted;
        None: not before an order comes."""
        while (order := self.inbox.take()) is not None:
            self._obey(order)
        if self.run is None or self.inbox.closed:
            return None
        if self._goal is not None or self._playing is not None:
            self._guarded(self._go_on)
        elif self.camera.unfinished:
            self._guarded(self._study)
        return self._wait()

    @property
    def state(self) -> RunState:
        if self._playing is not None:
            return "RUNNING" if self._playing.direction > 0 else "REWINDING"
        return "PAUSED" if self._goal is None else "RUNNING"

    def _wait(self) -> float | None:
        if self._goal is not None:
            return 0.0
        if self._playing is None:
            return 0.0 if self.camera.unfinished else None
        if self._owed() >= 1:
            return 0.0
        missing = (1 - self._owed()) / self.speed
        return max(missing, self.camera.due(), 0.0)

    def _guarded(self, action: Callable[[], None]) -> None:
        """Whatever goes wrong becomes one sentence, and the run stands still."""
        try:
            action()
        except BadInput as error:
            self._stop()
            self._say(notices.refused(error))
            self._show()
        except Exception as error:  # a solver may be anybody's: the screen must survive it
            self._stop()
            self._publish(self.camera.again(self._the_run, "PAUSED", notices.broken(error)))

    # Going on

    def _go_on(self) -> None:
        if self._goal is not None:
            self._travel(self._goal)
        elif self._playing is not None:
            self._play(self._playing)

    def _travel(self, goal: int) -> None:
        """A slice of the way to a step."""
        run = self._the_run
        if goal <= run.recorded:
            run.seek(goal)
        else:
            if run.playhead < run.recorded:
                run.seek(run.recorded)
            self._advance(goal - run.playhead)
        if run.playhead == goal or (run.at_end and goal >= run.recorded):
            self._goal = None
            self._show()
        elif self.camera.due() <= 0:
            self._show()

    def _play(self, playing: Playing) -> None:
        """The steps that the clock asks for, as many of them as fit in a slice."""
        run = self._the_run
        owed = self._owed()
        steps = int(min(owed, self._chunk))
        if steps >= 1:
            if playing.direction > 0:
                steps = self._advance(steps)
            else:
                steps = min(steps, run.playhead)
                run.seek(run.playhead - steps)
            playing.made += steps
            if self._owed() > self.speed * BEHIND:
                playing.since, playing.made = self._clock(), 0.0
        if run.at_end if playing.direction > 0 else run.playhead == 0:
            self._playing = None
            self._show()
        elif steps >= 1 and self.camera.due() <= 0:
            self._show()

    def _owed(self) -> float:
        """Steps that should have been made by now."""
        if self._playing is None:
            return 0.0
        if self.speed == speeds.FLAT_OUT:
            return math.inf
        return (self._clock() - self._playing.since) * self.speed - self._playing.made + 1e-6

    def _advance(self, n: int) -> int:
        """Up to n steps forwards, but no more than a slice holds; learns from it how many those are."""
        run = self._the_run
        asked = max(1, min(n, int(self._chunk)))
        began = self._clock()
        made = run.advance(asked).steps
        took = self._clock() - began
        if made == asked:
            fits = self._chunk * 2 if took <= 0 else asked * SLICE / took
            self._chunk = min(max(fits, self._chunk / 2, 1.0), self._chunk * 2, float(MAX_CHUNK))
        return made

    def _study(self) -> None:
        """A slice of a closer look at what the timeline shows, while nothing else is to be done."""
        self.camera.study(SLICE)
        if not self.camera.unfinished:
            self._show()

    # Orders

    def _obey(self, order: Order) -> None:
        if isinstance(order, Pace):
            self.camera.fps, self.camera.charts = max(order.fps, 0.5), order.charts
            return
        if self.run is not None:
            self._notice = None
            self._guarded(lambda: self._dispatch(order))

    def _dispatch(self, order: Order) -> None:
        match order:
            case Toggle(direction):
                self._toggle(direction)
            case Halt():
                self._stop()
            case Step(steps):
                start = self._the_run.playhead if self._goal is None else self._goal
                self._stop()
                self._goal = max(0, start + steps)
            case Seek(step):
                self._stop()
                self._goal = max(0, step)
            case ToEnd():
                self._stop()
                self._the_run.seek(self._the_run.recorded)
            case Period(direction):
                self._period(direction)
            case Find(kinds, direction, word):
                self._find(kinds, direction, word)
            case _:
                self._set(order)
        if self._goal is not None:
            self._travel(self._goal)
        else:
            self._show()

    def _set(self, order: Order) -> None:
        """The orders that leave the playhead where it is."""
        match order:
            case Speed(speed):
                self._set_speed(speed)
            case Faster(direction):
                self._set_speed(speeds.faster(self.speed) if direction > 0 else speeds.slower(self.speed))
            case FlatOut():
                self._flat_out()
            case Zoom(direction):
                self.camera.zoom(direction, self._the_run)
            case Turn(direction):
                self._turn_knob(direction)
            case Change(name, value):
                self._change(name, value)
            case Save(folder, name):
                self._save(folder, name)
            case Tell(notice):
                self._say(notice)

    def _stop(self) -> None:
        self._playing = self._goal = None

    def _toggle(self, direction: int) -> None:
        was = self._playing
        moving = self._goal is not None
        self._stop()
        if moving or (was is not None and was.direction == direction):
            return
        if direction > 0 and self._the_run.at_end:
            self._say(notices.over())
            return
        self._playing = Playing(direction, self._clock())

    def _set_speed(self, speed: float) -> None:
        if speed != speeds.FLAT_OUT:
            self._before_flat_out = speed
        self.speed = speed
        if self._playing is not None:
            self._playing = Playing(self._playing.direction, self._clock())

    def _flat_out(self) -> None:
        if self.speed != speeds.FLAT_OUT:
            self._set_speed(speeds.FLAT_OUT)
            if self._playing is None and not self._the_run.at_end:
                self._stop()
                self._playing = Playing(1, self._clock())
        else:
            self._set_speed(self._before_flat_out)

    def _save(self, folder: Path, name: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = next(path for number in count(1) if not (path := folder / f"{name}-{number}.run").exists())
        except OSError as error:
            raise BadInput(_("cannot save in {folder}: {why}").format(
                folder=folder, why=error.strerror or error)) from None
        runfile.save(self._the_run, path)
        self._say(notices.saved(str(path)))

    # Finding

    def _period(self, direction: int) -> None:
        solver = self._the_run.solver
        if not solver.period_kind:
            self._say(notices.no_period())
            return
        self._find((solver.period_kind,), direction, solver.period_word)

    def _find(self, kinds: tuple[str, ...], direction: int, word: str) -> None:
        run = self._the_run
        self._stop()
        broken_off = False

        def cancelled() -> bool:
            nonlocal broken_off
            broken_off = broken_off or self.inbox.interrupts()
            return broken_off

        def progress(step: int) -> None:
            if self.camera.due() <= 0:
                self._publish(self.camera.again(run, "SEARCHING", notices.searching(word, step)))

        found = run.find(kinds, direction, limit=FIND_LIMIT, cancelled=cancelled, progress=progress)
        if found is not None:
            run.seek(found)
        elif broken_off:
            self._say(notices.broken_off(word))
        else:
            self._say(notices.not_found(run, word, direction, FIND_LIMIT))

    # Intervening

    def _turn_knob(self, direction: int) -> None:
        run = self._the_run
        if not run.solver.knobs:
            self._say(notices.no_knob())
            return
        knob = run.solver.knobs[0]
        now = self._reading(knob.name)
        value = now * knob.ratio**direction
        if value <= 0 < direction:
            value = SMALLEST
        self._intervene(knob.name, knob.symbol, now, min(max(value, knob.minimum), knob.maximum))

    def _reading(self, name: str) -> float:
        """Where a knob stands: the channel of its name, else the first temperature."""
        run = self._the_run
        values = run.solver.sample(run.state, run.params)
        channels = run.solver.channels
        named = [value for channel, value in zip(channels, values, strict=True) if channel.key == name]
        warm = [value for channel, value in zip(channels, values, strict=True) if channel.role == "temperature"]
        return next((value for value in (*named, *warm) if math.isfinite(value)), 0.0)

    def _change(self, name: str, value: float | int | str | bool) -> None:
        before = getattr(self._the_run.params, name, None)
        self._intervene(name, name, before, value)

    def _intervene(self, name: str, symbol: str, before: object, after: float | int | str | bool) -> None:
        run = self._the_run
        changed = run.intervene(name, after)
        branched = changed is not run
        if branched:
            self.others.append(run)
            self.run = changed
        branch = len(self.others) + 1 if branched else None
        self._say(notices.intervened(symbol, before, after, run.playhead, branch))

    # Showing

    @property
    def _the_run(self) -> Run:
        assert self.run is not None
        return self.run

    def _say(self, notice: Sentence | None) -> None:
        self._notice, self._notice_since = notice, self._clock()

    def _show(self) -> None:
        """Hand over the moment at the playhead."""
        if self._playing is not None and self._clock() - self._notice_since > NOTICE_SECONDS:
            self._notice = None
        self._publish(self.camera.take(self._the_run, self.state, self.speed, self._notice))
