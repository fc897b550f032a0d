"""Takes moments of a run, each part of them no more often than the eye can follow while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from engine.run import Run
from engine.view import Sentence
from tui.moment import ENDED, MARKED, History, LogStep, Moment, RunState, most_telling

LOG_STEPS = 16
FPS = 10.0
TEXT_RATE = 4.0
"""Changes per second of log and program line while running."""
CHART_RATE = 1.0

Clock = Callable[[], float]


class Camera:
    """Builds the moments of one run after another."""

    def __init__(self, clock: Clock, opening: Moment) -> None:
        self.fps = FPS
        self.charts = True
        self._clock = clock
        self._frame = self._text = self._chart = -math.inf
        self._last = opening
        self._history_of: tuple[object, ...] = ()

    def due(self) -> float:
        """Seconds until the next moment is wanted while running; 0 or less when it is."""
        return self._frame + 1 / self.fps - self._clock()

    def take(self, run: Run, state: RunState, speed: float, notice: Sentence | None = None) -> Moment:
        """The moment at the playhead. While it is running, log, program line and charts may be those of before."""
        now = self._clock()
        running = state in ("RUNNING", "REWINDING")
        if state == "PAUSED" and run.at_end and run.outcome is not None:
            state = ENDED[run.outcome.status]
        moment = Moment(
            run.playhead, run.recorded, state, run.view(), run.params, speed, self._history(run, now, running),
            run.events, run.sentences(), outcome=run.outcome, notice=notice,
        )
        self._frame = now
        self._last = self._with_text(moment, run, now, running)
        return self._last

    def again(self, run: Run, state: RunState, notice: Sentence) -> Moment:
        """The last moment once more, with how far the run has come; the playhead stays where it was seen last."""
        self._frame = now = self._clock()
        history = self._history(run, now, running=True)
        self._last = replace(self._last, recorded=run.recorded, state=state, notice=notice, history=history)
        return self._last

    def failed(self, notice: Sentence) -> Moment:
        """The last moment once more, when there is no run to go on with."""
        self._last = replace(self._last, state="FAILED", notice=notice)
        return self._last

    def _with_text(self, moment: Moment, run: Run, now: float, running: bool) -> Moment:
        """With log and program line: fresh ones, or those of the last moment."""
        slow = moment.speed <= TEXT_RATE
        if running and not slow and now - self._text < 1 / TEXT_RATE:
            return replace(moment, log=self._last.log, line=self._last.line, live=self._last.live)
        self._text = now
        place = most_telling(moment.events) if slow or not running else None
        line = None if place is None else moment.events[place].line
        return replace(moment, log=_log(run), line=line, live=moment.view.live)

    def _history(self, run: Run, now: float, running: bool) -> History:
        """Samples and marks; the same object as long as nothing was recorded, or it is too early to look again."""
        of = (id(run), run.recorded, len(run.recipe.interventions))
        early = running and (now - self._chart < 1 / CHART_RATE or not self.charts)
        if self._history_of == of or (early and self._history_of[:1] == of[:1]):
            return self._last.history
        self._chart, self._history_of = now, of
        steps, values = run.series.arrays()
        marks = {kind: tuple(run.index.steps(kind, 0, run.recorded)) for kind in MARKED if kind in run.index}
        return History(steps, values, marks)


def _log(run: Run) -> tuple[LogStep, ...]:
    """The steps up to the playhead, the newest first; the playhead comes back to where it was."""
    end = run.playhead
    first = max(1, end - LOG_STEPS + 1)
    told = [] if end == 0 else [_told(run)]
    if end > first:
        run.seek(first)
        told = [_told(run)]
        while run.playhead < end:
            run.advance(1)
            told.append(_told(run))
    return tuple(reversed(told))


def _told(run: Run) -> LogStep:
    return LogStep(run.playhead, run.events, run.sentences())
