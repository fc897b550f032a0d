"""Finding things in a run: the next or previous event of a kind, and where playing backwards halts.

What is rare stands in the run's index. What is frequent is found by executing windows of the run again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from engine.cursor import Cursor
from engine.events import Event, rare_kinds
from engine.series import EventIndex
from engine.solver import Advanced, Stop

FIND_WINDOW, FIND_WIDEST = 1024, 2**18
CHOOSING = frozenset({"assigned", "decided"})
"""Kinds of events that make a choice."""


class Searchable:
    """A run as far as finding goes."""

    recorded: int
    index: EventIndex
    _cursor: Cursor

    @property
    def playhead(self) -> int:
        return self._cursor.step

    @property
    def chunk(self) -> int:
        """Steps that take some ms at most: whoever may be cancelled makes no more of them at once."""
        raise TypeError("a run has chunks")

    def advance(self, n: int = 1, *stops: Stop) -> Advanced:
        """Go forward from the playhead."""
        raise TypeError("a run advances")

    def seek(self, step: int) -> None:
        """Set the playhead to a step."""
        raise TypeError("a run seeks")

    def _cursor_at(self, step: int) -> Cursor:
        """A cursor of its own at a recorded step."""
        raise TypeError("a run has cursors")

    def find(self, what: str | Collection[str], direction: int, *, limit: int | None = None,
             cancelled: Callable[[], bool] = lambda: False,
             progress: Callable[[int], None] = lambda step: None) -> int | None:
        """The step of the next (+1) or previous (-1) event of a kind, or of one of several, or None. The playhead stays
        where it is.

        Forwards the search goes on past the recorded end, at most `limit` steps from the playhead (None: up to the
        recorded end); only what it finds is recorded. `cancelled` is asked every few milliseconds, `progress` told
        the step; a search that was cancelled has found nothing.
        """
        kinds = frozenset((what,) if isinstance(what, str) else what)
        if direction > 0:
            return self._find_next(kinds, limit, cancelled, progress)
        before = [self._find_previous(kind, cancelled, progress) for kind in sorted(kinds)]
        return None if cancelled() else max((step for step in before if step is not None), default=None)

    def last_stop(self, low: int, *stops: Stop, before: int | None = None,
                  cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """The last step after `low` and before another (None: the playhead) at which one of some stops halts: where
        playing backwards halts. None if there is none, or when cancelled."""
        high, window = (self.playhead if before is None else before) - 1, FIND_WINDOW
        while stops and high > low and not cancelled():
            start = max(low, high - window)
            hits = [self._last_hit(stop, start, high, cancelled) for stop in stops]
            found = max((step for step in hits if step is not None), default=None)
            if found is not None:
                return found
            high, window = start, min(window * 4, FIND_WIDEST)
        return None

    def last_choice(self, cell: int, value: int, *, cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """The last step up to the playhead at which a cell was given a value, or an engine decided about it: where a
        choice on the stack was made. A value of 0 stands for any. None if there is none, or when cancelled."""
        before = self.playhead + 1
        while (step := self.last_stop(0, Stop(cell=cell), before=before, cancelled=cancelled)) is not None:
            events = self._cursor_at(step - 1).single() or ()
            if any(_chose(event, cell, value) for event in events):
                return step
            before = step
        return None

    def hits(self, stop: Stop, step: int) -> bool:
        """Whether a stop halts at a recorded step."""
        if step < 1:
            return False
        cursor = self._cursor_at(step - 1)
        before = cursor.state.energy
        return stop.hit(cursor.single() or (), before, cursor.state.energy)

    def _find_next(self, kinds: frozenset[str], limit: int | None, cancelled: Callable[[], bool],
                   progress: Callable[[int], None]) -> int | None:
        ahead, stop = self._cursor.copy(), Stop(kinds)
        end = self.recorded if limit is None else ahead.step + limit
        while ahead.step < end and not cancelled():
            result = ahead.forward(min(self.chunk, end - ahead.step), stop)
            progress(ahead.step)
            ended = result.reason == "done"
            if result.reason == "stop" or (ended and result.steps and self.hits(stop, ahead.step)):
                self._record_up_to(ahead.step)
                return ahead.step
            if ended:
                break
        return None

    def _record_up_to(self, step: int) -> None:
        start = self.playhead
        if step > self.recorded:
            self.seek(self.recorded)
            self.advance(step - self.recorded)
            self.seek(start)

    def _find_previous(self, what: str, cancelled: Callable[[], bool], progress: Callable[[int], None]) -> int | None:
        high, window = self.playhead - 1, FIND_WINDOW
        rare = what in rare_kinds()  # the index knows all of these; of other kinds it may know some
        while high > 0 and not cancelled():
            if rare:
                marked = self.index.steps(what, 0, high)
                if not marked:
                    return None
                low = max(marked[-1] - 1, 0)
                high = min(high, low + self.index.stride)
            else:
                low = max(0, high - window)
            progress(high)
            found = self._last_hit(Stop(frozenset({what})), low, high, cancelled)
            if found is not None:
                return found
            high, window = low, min(window * 4, FIND_WIDEST)
        return None

    def _last_hit(self, stop: Stop, low: int, high: int, cancelled: Callable[[], bool]) -> int | None:
        """The last step in (low, high] at which a stop halts, by re-executing that window; None when cancelled."""
        cursor, found = self._cursor_at(low), None
        while cursor.step < high:
            if cancelled():
                return None
            result = cursor.forward(min(high - cursor.step, self.chunk), stop)
            if result.reason == "stop":
                found = cursor.step
            elif result.reason == "done":
                return cursor.step if self.hits(stop, cursor.step) else found
        return found


def _chose(event: Event, cell: int, value: int) -> bool:
    chosen = not CHOOSING.isdisjoint(event.kinds) and cell in event.touched
    return chosen and value in (0, getattr(event, "value", value))
