"""A zoomed window of the time axis: samples and exact marks, found by re-executing that part of the run.

The history of a whole run holds some hundreds of samples, and rare events to within a bin. For a window, the player's
thread re-executes the steps from the nearest checkpoint: it takes a sample every few steps and notes the exact steps
of rare events, and of frequent ones where the window is narrow enough to show them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import zip_longest

import numpy as np
from msgspec.structs import replace

from engine.breakpoints import NEVER, Stop
from engine.events import Event
from engine.run.cursor import Cursor
from engine.run.recipe import Recipe
from engine.run.run import Run
from engine.solver import AnySolver
from tui.playback.snapshot import FREQUENT, MARKED, History
from tui.playback.window import LEAST_SPAN, Window, total_for, within

POINTS = 512
"""Samples of a window, at most one more."""
DETAIL_SPAN = 4096
"""Steps of the widest window in which every event is looked at; in a wider one a column is more than 20 steps."""
MOST_PERIODS = 96
"""Ends of periods (plateaus) that can be distinguished in one row of a screen."""
CHUNK = 512
"""Steps between two looks at the clock while every event is looked at."""
CACHED_WINDOWS = 16
LOOK_SECONDS = 0.025
"""Time that one call may take."""
WINDOW_SECONDS = 2.0
"""Time to spend on one window in all; the rest of it is shown from the history of the whole run."""


class WindowSamples:
    """The samples and marks of one window, filled from the left as far as the run is recorded."""

    def __init__(self, run: Run, window: Window, samples_only: bool = False) -> None:
        """The window begins in the recorded part. `samples_only`: its frequent events are not needed."""
        self.window = window
        self.spent = 0.0
        """Seconds spent on it, counted by the caller."""
        self._detailed = window.span <= DETAIL_SPAN and not samples_only
        self._run = run
        self._stride = max(1, window.span // POINTS)
        self._sampler: Cursor | None = None
        self._reader: Cursor | None = None
        self._read = window.low - 1
        """The last step whose frequent events are noted."""
        self._steps: list[int] = []
        self._values: list[tuple[float, ...]] = []
        self._latest: tuple[int, tuple[float, ...]] | None = None
        """(step, sample) at the recorded end, between two points of the grid."""
        self._marks: dict[str, list[int]] = {}
        known = (*MARKED, *FREQUENT) if self._detailed else MARKED
        self._period = "" if run.solver.period_kind in known else run.solver.period_kind
        self._history: History | None = None
        self._history_key: tuple[object, ...] = ()
        self._filler: History | None = None
        """The history that fills the rest of `_history`."""

    def copied(self, run: Run, last: int) -> WindowSamples:
        """The same window of a run whose steps are the same up to `last`, filled up to there."""
        made = WindowSamples(run, self.window)
        sampled, read = (min(step, last, run.recorded) for step in (self._sampled, self._read))
        if sampled < self.window.low:
            return made
        made._sampler, made._period = run.cursor_at(sampled), self._period
        kept = bisect_right(self._steps, sampled)
        made._steps, made._values = self._steps[:kept], self._values[:kept]
        if sampled % self._stride:
            made._sample(made._sampler)
        if self._detailed and read >= self.window.low:
            made._reader, made._read = run.cursor_at(read), read
        for kind, steps in self._marks.items():
            found = steps[:bisect_right(steps, made._read if kind in FREQUENT else sampled)]
            if found or not steps:
                made._marks[kind] = found
        return made

    @property
    def _end(self) -> int:
        """The last step that can be filled by now."""
        return min(self.window.high, self._run.recorded)

    @property
    def complete(self) -> bool:
        """Whether the recorded part of the window is filled."""
        read = self._read >= self._end or not self._detailed
        return read and self._sampler is not None and self._sampler.step >= self._end

    def fill(self, late: Callable[[], bool]) -> None:
        """Continue to the end of the recorded part, or until it is `late`."""
        if self._sampler is None:
            self._sampler = self._first_sample(self._run.cursor_at(max(self.window.low - 1, 0)))
        while self._sampler.step < self._end and not late():
            self._next_sample(self._sampler)
        if self._detailed:
            self._read_events(late)

    # Samples, rare events, periods

    def _first_sample(self, cursor: Cursor) -> Cursor:
        """Sample the first step of the window; it is made here, so that its events are noted."""
        if cursor.step < self.window.low:
            self._advance(cursor, self.window.low)
        self._sample(cursor)
        return cursor

    def _next_sample(self, cursor: Cursor) -> None:
        """Take one more sample, or go a chunk towards it."""
        grid = cursor.step - cursor.step % self._stride + self._stride
        goal = min(grid, self._end, cursor.step + self._run.chunk)
        self._advance(cursor, goal)
        if goal in (grid, self._end):
            self._sample(cursor)

    def _advance(self, cursor: Cursor, goal: int) -> None:
        """Go to a step, noting rare events and ends of periods. The end of the run is always noted."""
        while cursor.step < goal:
            result = cursor.advance(goal - cursor.step, Stop(frozenset({self._period})) if self._period else NEVER)
            self._note(result.rare, MARKED)
            if result.reason == "stop":
                self._note_period(cursor.step)

    def _sample(self, cursor: Cursor) -> None:
        sample = self._run.solver.sample(cursor.state, cursor.params)
        if cursor.step % self._stride:
            self._latest = cursor.step, sample
        else:
            self._steps.append(cursor.step)
            self._values.append(sample)
            self._latest = None

    def _note(self, events: tuple[Event, ...], kinds: tuple[str, ...]) -> None:
        for event in events:
            for kind in event.kinds:
                if kind in kinds:
                    self._marks.setdefault(kind, []).append(event.step)

    def _note_period(self, step: int) -> None:
        """Note the end of a period; too many to distinguish are dropped, and no longer looked for."""
        found = self._marks.setdefault(self._period, [])
        found.append(step)
        if len(found) > MOST_PERIODS:
            found.clear()  # the kind stays, as one that the run has
            self._period = ""

    def _read_events(self, late: Callable[[], bool]) -> None:
        """Note the frequent events."""
        if self._reader is None:
            self._reader = self._run.cursor_at(max(self.window.low - 1, 0))
        while self._read < self._end and not late():
            goal = min(self._end, self._reader.step + CHUNK)
            for events in self._reader.events(goal - self._reader.step):
                self._note(events, FREQUENT)
            self._read = goal

    # The result

    def history(self, whole: History) -> History:
        """The history of the window; `whole`, that of the run, fills the part that is not done yet. The same object as
        long as neither has changed."""
        key = self._sampled, self._read
        filler = whole if self._sampled < self._end else None
        if self._history is None or key != self._history_key or filler is not self._filler:
            self._history, self._history_key, self._filler = self._merged(whole), key, filler
        return self._history

    @property
    def _sampled(self) -> int:
        return -1 if self._sampler is None else self._sampler.step

    def _merged(self, whole: History) -> History:
        steps, values = list(self._steps), list(self._values)
        if self._latest is not None:
            steps.append(self._latest[0])
            values.append(self._latest[1])
        kept, places = within(self.window, whole.steps)
        later = places > self._sampled
        marks = {kind: tuple(exact) for kind, exact in self._marks.items()}
        for kind, found in whole.marks.items():
            rest = tuple(step for step in found if self._sampled < step <= self.window.high)
            if rest:
                marks[kind] = marks.get(kind, ()) + rest
        samples = np.array(values).reshape(len(steps), len(self._run.solver.channels))
        return History(np.concatenate([np.array(steps, dtype=np.int64), places[later]]),
                       np.concatenate([samples, whole.values[kept][later]]), marks)


class ZoomWindow:
    """A window of the chosen width that follows the playhead, with a cache of samples."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.window = Window()
        self._span: int | None = None
        self._clock = clock
        self._cache: OrderedDict[Window, WindowSamples] = OrderedDict()
        self._cache_key: tuple[Run, AnySolver, Recipe] | None = None
        self._rival: WindowSamples | None = None
        self._rival_key: tuple[object, ...] = ()

    def zoom(self, direction: int, recorded: int) -> bool:
        """Zoom in by `direction` powers of two, or (negative) out, between `LEAST_SPAN` steps and the whole run.
        Returns False at either end."""
        total = total_for(recorded)
        before = min(self._span or total, total)
        span = max(before >> direction, min(before, LEAST_SPAN)) if direction > 0 else before << -direction
        self._span = None if span >= total else span
        return min(span, total) != before

    @property
    def span(self) -> int | None:
        """The chosen width in steps; None: the whole run."""
        return self._span

    @span.setter
    def span(self, steps: int | None) -> None:
        self._span = None if steps is None else max(steps, LEAST_SPAN)

    def look(self, run: Run, whole: History) -> History | None:
        """Move the window to the playhead. Returns its history in detail, as far as `LOOK_SECONDS` allow; None if
        `whole`, that of the run, has all the detail there is to show."""
        total = total_for(run.recorded)
        self.window = self.window.following(run.playhead, self._span or total, total)
        if self.window.span == total > DETAIL_SPAN:
            return None
        samples = self._samples(run)
        self._fill(samples, LOOK_SECONDS)
        return samples.history(whole)

    def beside(self, rival: Run, whole: History) -> History:
        """The history of another run in the same window; `whole` is that of all of it."""
        window = self.window
        if total_for(rival.recorded) <= window.span or window.low > rival.recorded:
            self._rival = None
            return whole
        key = (rival, rival.recorded, window)
        if self._rival is None or key != self._rival_key:
            self._rival, self._rival_key = WindowSamples(rival, window, samples_only=True), key
        self._fill(self._rival, LOOK_SECONDS)
        return self._rival.history(whole)

    def _samples(self, run: Run) -> WindowSamples:
        key = (run, run.solver, run.recipe)
        if self._cache_key != key:
            shown, shared = self._cache.get(self.window), _shared_steps(self._cache_key, run)
            self._cache_key = key
            self._cache.clear()
            if shown is not None and shared > 0:  # the part before a change by hand stays on the screen
                self._cache[self.window] = shown.copied(run, shared)
        samples = self._cache.pop(self.window, None) or WindowSamples(run, self.window)
        self._cache[self.window] = samples
        while len(self._cache) > CACHED_WINDOWS:
            self._cache.popitem(last=False)
        return samples

    @property
    def unfinished(self) -> bool:
        """Whether one of the two runs is incomplete in the window and there is time left for it."""
        return any(self._incomplete())

    def _incomplete(self) -> Iterator[WindowSamples]:
        for samples in (self._cache.get(self.window), self._rival):
            if samples is not None and not samples.complete and samples.spent < WINDOW_SECONDS:
                yield samples

    def study(self, seconds: float) -> None:
        """Spend this many seconds on the window, if it is `unfinished`."""
        samples = next(self._incomplete(), None)
        if samples is not None:
            self._fill(samples, seconds)

    def _fill(self, samples: WindowSamples, seconds: float) -> None:
        began, before = self._clock(), samples.spent
        if samples.complete or before >= WINDOW_SECONDS:
            return
        samples.spent = WINDOW_SECONDS  # should the solver raise, the window is not tried again
        samples.fill(lambda: self._clock() - began > seconds)
        samples.spent = before + self._clock() - began


def _shared_steps(before: tuple[Run, AnySolver, Recipe] | None, run: Run) -> int:
    """The last step that surely is the same in a run and in the one before it; 0 or less if there is none. The step of
    a change is left out: it may have been the end of the run before."""
    if before is None or before[1] is not run.solver:
        return 0
    old, new = before[2], run.recipe
    if replace(old, interventions=()) != replace(new, interventions=()):
        return 0
    for pair in zip_longest(old.interventions, new.interventions):
        if pair[0] != pair[1]:
            return min(change.step for change in pair if change is not None) - 1
    return run.recorded - 1
