"""What part of a run the timeline shows, and how closely: the player's side of zooming."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from engine.run import Run
from tui.closeup import TOLD_SPAN, CloseUp
from tui.moment import History
from tui.timeline import LEAST_SPAN, Window, total_for

KEPT = 16
"""Windows that are remembered."""
GLANCE = 0.025
"""Seconds that one look may take."""
STUDY = 2.0
"""Seconds that may be spent on one window in all; what was not seen by then is shown roughly."""


class Lens:
    """Follows the playhead with a window of the width that was chosen, and remembers what was seen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.window = Window()
        self._span: int | None = None
        """The width that was chosen; None: all that there is."""
        self._clock = clock
        self._of: tuple[object, ...] = ()
        self._seen: OrderedDict[Window, CloseUp] = OrderedDict()
        self._rival: CloseUp | None = None
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
        close = self._close_up(run)
        self._fill(close, GLANCE)
        return close.history(whole)

    def beside(self, rival: Run, whole: History) -> History:
        """What another run has in the same window, whose own history is `whole`."""
        window = self.window
        if total_for(rival.recorded) <= window.span or window.low > rival.recorded:
            return whole
        of = (rival, rival.recorded, window)
        if self._rival is None or of != self._rival_of:
            self._rival, self._rival_of = CloseUp(rival, window, samples_only=True), of
            self._fill(self._rival, GLANCE)
        return self._rival.history(whole)

    def _close_up(self, run: Run) -> CloseUp:
        of = (run, run.solver, run.recipe.interventions)
        if self._of != of:
            self._of = of
            self._seen.clear()
        close = self._seen.pop(self.window, None) or CloseUp(run, self.window)
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

    def _fill(self, close: CloseUp, seconds: float) -> None:
        began, before = self._clock(), close.spent
        if close.complete or before >= STUDY:
            return
        close.spent = STUDY  # should the solver break, it is not asked again
        close.fill(lambda: self._clock() - began > seconds)
        close.spent = before + self._clock() - began
