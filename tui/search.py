"""Looking for the next or previous event of any of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.run import Run
from engine.solver import Stop

CHUNK = 2**14
"""Steps between two looks at whether the search is still wanted: a slow solver makes them in a tenth of a second."""


def search(run: Run, kinds: Sequence[str], direction: int, limit: int, cancelled: Callable[[], bool]) -> int | None:
    """The step of the nearest such event, or None. The playhead stays where it is.

    Forwards the run goes on past its recorded end, at most `limit` steps from the playhead. A search that was broken
    off has found nothing: what it knows by then need not be the nearest.
    """
    if direction < 0:
        before = [run.find(kind, -1, cancelled=cancelled) for kind in kinds]
        return None if cancelled() else max((step for step in before if step is not None), default=None)
    return _forwards(run, frozenset(kinds), limit, cancelled)


def _forwards(run: Run, kinds: frozenset[str], limit: int, cancelled: Callable[[], bool]) -> int | None:
    start = run.playhead
    end = start + limit
    try:
        while run.playhead < end and not run.at_end and not cancelled():
            reason = run.advance(min(CHUNK, end - run.playhead), Stop(kinds)).reason
            here = any(not kinds.isdisjoint(event.kinds) for event in run.events)
            if reason == "stop" or (reason == "done" and here):
                return run.playhead
        return None
    finally:
        run.seek(start)
