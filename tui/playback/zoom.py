"""A window of a run, looked at more closely than the run's own history: samples and marks by re-executing it.

The history of a whole run holds some hundreds of samples and the rough places of rare events. Here a part of the run
is gone over once more, from the nearest checkpoint, in the player's thread: samples every few steps, the exact places
of events, and the frequent kinds too where the window is narrow enough to show them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from engine.events import Event
from engine.run.cursor import Cursor
from engine.run.run import Run
from engine.solver import NEVER, Stop
from tui.playback.snapshot import FREQUENT, MARKED, History
from tui.playback.window import LEAST_SPAN, Window, total_for, within

POINTS = 512
"""Samples of a window, at most one more."""
TOLD_SPAN = 4096
"""Steps of the widest window whose every event is looked at: with more, no column of a screen has 20 steps or less."""
MOST_PERIODS = 96
"""Ends of periods (plateaus) that can be told apart in one row of a screen."""
CHUNK = 512
"""Steps between two looks at the clock while every event is looked at."""


class WindowSamples:
    """The samples and marks of one window, filled from the left as far as the run is recorded."""

    def __init__(self, run: Run, window: Window, samples_only: bool = False) -> None:
        """The window begins in the recorded part. `samples_only`: its frequent events are of no interest."""
        self.window = window
        self.spent = 0.0
        """Seconds that were spent on it, for those who want to know."""
        self._telling = window.span <= TOLD_SPAN and not samples_only
        self._run = run
        self._stride = max(1, window.span // POINTS)
        self._cursor: Cursor | None = None
        self._teller: Cursor | None = None
        self._told = window.low - 1
        self._steps: list[int] = []
        self._values: list[tuple[float, ...]] = []
        self._latest: tuple[int, tuple[float, ...]] | None = None
        self._marks: dict[str, list[int]] = {}
        known = (*MARKED, *FREQUENT) if self._telling else MARKED
        self._period = "" if run.solver.period_kind in known else run.solver.period_kind
        self._history: History | None = None
        self._history_of: tuple[object, ...] = ()

    @property
    def _end(self) -> int:
        """Where it can be filled to by now."""
        return min(self.window.high, self._run.recorded)

    @property
    def complete(self) -> bool:
        """Whether there is nothing more to look at for now."""
        told = self._told >= self._end or not self._telling
        return told and self._cursor is not None and self._cursor.step >= self._end

    def fill(self, late: Callable[[], bool]) -> None:
        """Look on up to the end of what is recorded, unless it gets late before."""
        if self._cursor is None:
            self._cursor = self._begin(self._run.cursor_at(max(self.window.low - 1, 0)))
        while self._cursor.step < self._end and not late():
            self._sample(self._cursor)
        if self._telling:
            self._tell(late)

    # Samples, rare events, periods

    def _begin(self, cursor: Cursor) -> Cursor:
        """The first sample; the step of it is made, so that its events are seen."""
        if cursor.step < self.window.low:
            self._go_on(cursor, self.window.low)
        self._keep(cursor)
        return cursor

    def _sample(self, cursor: Cursor) -> None:
        """One sample more, or some of the way to it where that is far."""
        grid = cursor.step - cursor.step % self._stride + self._stride
        goal = min(grid, self._end, cursor.step + self._run.chunk)
        self._go_on(cursor, goal)
        if goal in (grid, self._end):
            self._keep(cursor)

    def _go_on(self, cursor: Cursor, goal: int) -> None:
        """To a step, noting what happens on the way. Where the run ends there is the mark of its end, whatever else."""
        while cursor.step < goal:
            result = cursor.advance(goal - cursor.step, Stop(frozenset({self._period})) if self._period else NEVER)
            self._note(result.rare)
            if result.reason == "stop":
                self._note_period(cursor.step)

    def _keep(self, cursor: Cursor) -> None:
        sample = self._run.solver.sample(cursor.state, cursor.params)
        if cursor.step % self._stride:
            self._latest = cursor.step, sample
        else:
            self._steps.append(cursor.step)
            self._values.append(sample)
            self._latest = None

    def _note(self, events: tuple[Event, ...]) -> None:
        for event in events:
            for kind in event.kinds:
                if kind in MARKED:
                    self._marks.setdefault(kind, []).append(event.step)

    def _note_period(self, step: int) -> None:
        """Periods too many to be told apart are no longer looked for."""
        found = self._marks.setdefault(self._period, [])
        found.append(step)
        if len(found) > MOST_PERIODS:
            del self._marks[self._period]
            self._period = ""

    # Every event

    def _tell(self, late: Callable[[], bool]) -> None:
        if self._teller is None:
            self._teller = self._run.cursor_at(max(self.window.low - 1, 0))
        while self._told < self._end and not late():
            goal = min(self._end, self._teller.step + CHUNK)
            for events in self._teller.events(goal - self._teller.step):
                self._note_frequent(events)
            self._told = goal

    def _note_frequent(self, events: tuple[Event, ...]) -> None:
        for event in events:
            for kind in event.kinds:
                if kind in FREQUENT:
                    self._marks.setdefault(kind, []).append(event.step)

    # What is shown

    def history(self, whole: History) -> History:
        """What was found, with the history of the whole run for what has not been looked at yet. The same object as
        long as neither has changed."""
        of = self._reached, self._told, whole if self._reached < self._end else None
        if self._history is None or of != self._history_of:
            self._history, self._history_of = self._made(whole), of
        return self._history

    @property
    def _reached(self) -> int:
        return -1 if self._cursor is None else self._cursor.step

    def _made(self, whole: History) -> History:
        steps, values = list(self._steps), list(self._values)
        if self._latest is not None:
            steps.append(self._latest[0])
            values.append(self._latest[1])
        kept, places = within(self.window, whole.steps)
        later = places > self._reached
        marks = {kind: tuple(exact) for kind, exact in self._marks.items()}
        for kind, found in whole.marks.items():
            rest = tuple(step for step in found if self._reached < step <= self.window.high)
            if rest:
                marks[kind] = marks.get(kind, ()) + rest
        seen = np.array(values).reshape(len(steps), len(self._run.solver.channels))
        return History(np.concatenate([np.array(steps, dtype=np.int64), places[later]]),
                       np.concatenate([seen, whole.values[kept][later]]), marks)


# What part of a run the timeline shows, and how closely: the player's side of zooming.


KEPT = 16
"""Windows that are remembered."""
GLANCE = 0.025
"""Seconds that one look may take."""
STUDY = 2.0
"""Seconds that may be spent on one window in all; what was not seen by then is shown roughly."""


class ZoomWindow:
    """Follows the playhead with a window of the width that was chosen, and remembers what was seen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.window = Window()
        self._span: int | None = None
        """The width that was chosen; None: all that there is."""
        self._clock = clock
        self._of: tuple[object, ...] = ()
        self._seen: OrderedDict[Window, WindowSamples] = OrderedDict()
        self._rival: WindowSamples | None = None
        self._rival_of: tuple[object, ...] = ()

    def zoom(self, direction: int, recorded: int) -> None:
        """So many times twice as close (negative: half as close), between the whole run and `LEAST_SPAN` steps."""
        total = total_for(recorded)
        span = min(self._span or total, total)
        span = max(span >> direction, min(span, LEAST_SPAN)) if direction > 0 else span << -direction
        self._span = None if span >= total else span

    @property
    def span(self) -> int | None:
        """The width that was chosen, in steps; None: all that there is."""
        return self._span

    @span.setter
    def span(self, steps: int | None) -> None:
        self._span = None if steps is None else max(steps, LEAST_SPAN)

    def look(self, run: Run, whole: History) -> History | None:
        """The history of the window about the playhead; None where that of the whole run says all that there is to
        show. For what takes too long to be looked at, it is that of the whole run."""
        total = total_for(run.recorded)
        self.window = self.window.following(run.playhead, self._span or total, total)
        if self.window.span == total > TOLD_SPAN:
            return None
        close = self._samples(run)
        self._fill(close, GLANCE)
        return close.history(whole)

    def beside(self, rival: Run, whole: History) -> History:
        """What another run has in the same window, whose own history is `whole`."""
        window = self.window
        if total_for(rival.recorded) <= window.span or window.low > rival.recorded:
            return whole
        of = (rival, rival.recorded, window)
        if self._rival is None or of != self._rival_of:
            self._rival, self._rival_of = WindowSamples(rival, window, samples_only=True), of
            self._fill(self._rival, GLANCE)
        return self._rival.history(whole)

    def _samples(self, run: Run) -> WindowSamples:
        of = (run, run.solver, run.recipe.interventions)
        if self._of != of:
            self._of = of
            self._seen.clear()
        close = self._seen.pop(self.window, None) or WindowSamples(run, self.window)
        self._seen[self.window] = close
        while len(self._seen) > KEPT:
            self._seen.popitem(last=False)
        return close

    @property
    def unfinished(self) -> bool:
        """Whether there is more to be seen in the window, and time left for it."""
        close = self._seen.get(self.window)
        return close is not None and not close.complete and close.spent < STUDY

    def study(self, seconds: float) -> None:
        """Look on for so long."""
        self._fill(self._seen[self.window], seconds)

    def _fill(self, close: WindowSamples, seconds: float) -> None:
        began, before = self._clock(), close.spent
        if close.complete or before >= STUDY:
            return
        close.spent = STUDY  # should the solver break, it is not asked again
        close.fill(lambda: self._clock() - began > seconds)
        close.spent = before + self._clock() - began
