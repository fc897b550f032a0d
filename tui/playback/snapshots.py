"""Builds snapshots of runs: each part no more often than the eye can follow, or the line carries, while a run plays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from engine.params import Value
from engine.run.run import Run
from engine.view import MOST_SHOWN, Sentence, View, population_in
from tui.playback.commands import Pace
from tui.playback.snapshot import (
    ENDED,
    MARKED,
    BranchSummary,
    History,
    LogStep,
    Readout,
    RunState,
    Snapshot,
    rarest,
)
from tui.playback.window import Window, total_for
from tui.playback.zoom import ZoomWindow

LOG_STEPS = 16
CACHED_LOG_STEPS = 64
"""Steps before and after the playhead whose log is cached."""
FPS = 10.0
TEXT_RATE = 2.0
"""Refreshes per second, while running, of the parts that are read: log, program line, gauges."""
CHART_RATE = 1.0
FOLLOWED = 20.0
"""Steps per second up to which the board shows the individual of each step. Beyond, that would be a flicker, and the
board shows the best individual, which seldom changes."""
MOST_BY_HAND = 1000
"""Interventions that are marked, the last ones."""

Clock = Callable[[], float]


class Charts(NamedTuple):
    """The chart fields of a snapshot, under the same names."""

    history: History
    charted: tuple[int, int]
    window: Window
    zoomed: History | None


class SnapshotBuilder:
    """Builds the snapshots of a session, and remembers the last one."""

    def __init__(self, clock: Clock, first: Snapshot) -> None:
        self.fps, self.text = FPS, TEXT_RATE
        self.charts = True
        """Whether charts are refreshed while running."""
        self.rival: Run | None = None
        """The branch that the shown one is compared with; it must not advance meanwhile."""
        self.branches: tuple[BranchSummary, ...] = ()
        self.opened: tuple[Run, int, int] | None = None
        """(run, step, individual) that the user has opened on the board, until the next step."""
        self._clock = clock
        self._built = self._text_refreshed = self._charts_refreshed = -math.inf
        self._last = first
        self._run: Run | None = None
        """The run of the last snapshot."""
        self._zoom = ZoomWindow(clock)
        self._zoom.span = first.span
        self._zoom_changed = False
        self._log = LogCache()
        self._history_key: tuple[object, ...] = ()
        self._rival_history: tuple[Run, History] | None = None

    def pace(self, wanted: Pace) -> None:
        """Build snapshots, and refresh text and charts, this often while running."""
        self.fps, self.text, self.charts = max(wanted.fps, 0.5), wanted.text, wanted.charts

    def due(self) -> float:
        """Seconds until the next snapshot while running; 0 or less if it is due."""
        return self._built + 1 / self.fps - self._clock()

    def take(self, run: Run, state: RunState, speed: float, notice: Sentence | None = None) -> Snapshot:
        """The snapshot at the playhead. While running, readout and charts may be those of the last one."""
        now = self._clock()
        running = state in ("RUNNING", "REWINDING")
        if state == "PAUSED" and run.at_end and run.outcome is not None:
            state = ENDED[run.outcome.status]
        opened, events = self._opened(run), run.events
        fast = running and speed > self.text
        early = fast and now - self._text_refreshed < 1 / self.text
        if early and opened is None and self._is_another_generation(run):
            view = self._last.view
        else:
            place = opened if opened is not None or not running or speed <= FOLLOWED else _best(run)
            view = run.view() if place is None else run.solver.view_of(run.state, run.params, events, place)
        charts = self._charts(run, now, fast)
        readout = self._last.readout if early else self._readout(run, now, fast, view)
        self._built, self._run = now, run
        self._last = Snapshot(run.playhead, run.recorded, state, view, run.params, speed, events=events,
                              sentences=run.sentences(), readout=readout, rival=self._rival(), outcome=run.outcome,
                              notice=notice, recipe=run.recipe, knobs=_knobs(run),
                              breakpoints=tuple(run.breakpoints), branches=self.branches,
                              individuals=run.solver.individuals(run.state), opened=opened, **charts._asdict())
        return self._last

    def _is_another_generation(self, run: Run) -> bool:
        """Whether every individual on the screen has been replaced since the last snapshot. Board and panel, which
        cost most of a frame and cannot be followed then, are refreshed with the text."""
        shown = min(run.solver.individuals(run.state), MOST_SHOWN)
        return 0 < shown < abs(run.playhead - self._last.playhead) and run is self._run

    def _opened(self, run: Run) -> int | None:
        if self.opened is None or self.opened[:2] != (run, run.playhead):
            self.opened = None
            return None
        place = self.opened[2]
        return place if 0 <= place < run.solver.individuals(run.state) else None

    def again(self, run: Run, state: RunState, notice: Sentence) -> Snapshot:
        """The last snapshot with what has been recorded since; the playhead stays."""
        self._built = now = self._clock()
        charts = self._charts(run, now, fast=True)
        charts = charts._replace(charted=(self._last.playhead, charts.charted[1]))
        self._last = replace(self._last, recorded=run.recorded, state=state, notice=notice, **charts._asdict())
        return self._last

    def loading(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, while the run is being loaded."""
        self._built = self._clock()
        self._last = replace(self._last, notice=notice)
        return self._last

    def waiting(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, during a slow step. Changes nothing; safe to call from any thread."""
        return replace(self._last, state="RUNNING", notice=notice)

    def failed(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, when the run could not be loaded."""
        self._last = replace(self._last, state="FAILED", notice=notice)
        return self._last

    def _readout(self, run: Run, now: float, fast: bool, view: View) -> Readout:
        """`fast`: steps are too fast for the program line to be read."""
        self._text_refreshed = now
        place = None if fast else rarest(run.events)
        line = None if place is None else run.events[place].line
        return Readout(self._log.read(run), line, view.live, view.gauges)

    # Charts

    def zoom(self, direction: int, run: Run) -> None:
        """Zoom the charts in by `direction` powers of two, or (negative) out, from the next snapshot on."""
        self._zoom.zoom(direction, run.recorded)
        self._zoom_changed = True

    @property
    def span(self) -> int | None:
        """The chosen width of the charts in steps; None: the whole run."""
        return self._zoom.span

    @property
    def unfinished(self) -> bool:
        """Whether the zoomed charts are still incomplete."""
        return self._zoom.unfinished

    def study(self, seconds: float) -> None:
        """Spend this many seconds on completing the zoomed charts."""
        self._zoom.study(seconds)

    def _charts(self, run: Run, now: float, fast: bool) -> Charts:
        """The charts, or those of the last snapshot if it is too early to refresh them. A history is the same object
        as long as nothing was recorded."""
        last = self._last
        key = (id(run), run.recorded, len(run.recipe.interventions))
        grown = total_for(run.recorded) != total_for(last.charted[1])
        early = fast and (now - self._charts_refreshed < 1 / CHART_RATE or not self.charts)
        if early and not grown and not self._zoom_changed and self._history_key[:1] == key[:1]:
            return Charts(last.history, last.charted, last.window, last.zoomed)
        self._charts_refreshed, self._zoom_changed = now, False
        history = last.history if self._history_key == key else _history(run)
        self._history_key = key
        zoomed = self._zoom.look(run, history)
        return Charts(history, (run.playhead, run.recorded), self._zoom.window, zoomed)

    def _rival(self) -> History | None:
        """The history of the rival branch; the same object as long as it is the same run."""
        if self.rival is None:
            self._rival_history = None
            return None
        if self._rival_history is None or self._rival_history[0] is not self.rival:
            self._rival_history = self.rival, _history(self.rival)
        return self._zoom.beside(*self._rival_history)


def _best(run: Run) -> int | None:
    """The first of the best individuals; None if there are none, or their energies are not known one by one."""
    if not run.solver.individuals(run.state):
        return None
    shown = population_in(run.view().panel)
    return None if shown is None or shown.each > 1 else shown.energies.index(min(shown.energies))


def _knobs(run: Run) -> tuple[Value | None, ...]:
    return tuple(run.solver.reading(run.state, run.params, knob.name) for knob in run.solver.knobs)


def _history(run: Run) -> History:
    """The history of a whole run."""
    steps, values = run.series.arrays()
    marks = {kind: tuple(run.index.steps(kind, 0, run.recorded)) for kind in MARKED if kind in run.index}
    by_hand = dict.fromkeys(each.step for each in run.recipe.interventions[-MOST_BY_HAND:])
    return History(steps, values, {**marks, "hand": tuple(by_hand)} if by_hand else marks)


class LogCache:
    """The log of the last steps of a run, cached because steps may be slow to re-execute."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._steps: dict[int, LogStep] = {}

    def read(self, run: Run) -> tuple[LogStep, ...]:
        """The last `LOG_STEPS` steps up to the playhead, newest first. The playhead ends where it began."""
        key = (run, run.solver, run.recipe.interventions)
        end = run.playhead
        first = max(1, end - LOG_STEPS + 1)
        if self._key != key:
            self._key, self._steps = key, {}
        self._steps = {step: entry for step, entry in self._steps.items() if abs(step - end) <= CACHED_LOG_STEPS}
        if end:
            self._steps[end] = _log_step(run)
        missing = next((step for step in range(first, end) if step not in self._steps), end)
        if missing < end:
            run.seek(missing)
            self._steps[missing] = _log_step(run)
        while run.playhead < end:
            run.advance(1)
            self._steps[run.playhead] = _log_step(run)
        return tuple(self._steps[step] for step in range(end, first - 1, -1)) if end else ()


def _log_step(run: Run) -> LogStep:
    return LogStep(run.playhead, run.events, run.sentences(), run.changes(run.playhead))
