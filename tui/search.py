"""Looking for the next or previous event of any of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.run import Run
from engine.solver import Stop

CHUNK = 2**18


def search(run: Run, kinds: Sequence[str], direction: int, limit: int, cancelled: Callable[[], bool]) -> int | None:
    """The step of the nearest such event, or None. The playhead stays where it is.

    Forwards the run goes on past its recorded end, at most `limit` steps from the playhead.
    """
    if direction < 0:
        before = [run.find(kind, -1, cancelled=cancelled) for kind in kinds]
        return max((step for step in before if step is not None), default=None)
    if len(kinds) == 1:
        return run.find(kinds[0], 1, limit=limit, cancelled=cancelled)
    after = [run.find(kind, 1, cancelled=cancelled) for kind in kinds]
    recorded = [step for step in after if step is not None]
    return min(recorded) if recorded else _beyond(run, frozenset(kinds), limit, cancelled)


def _beyond(run: Run, kinds: frozenset[str], limit: int, cancelled: Callable[[], bool]) -> int | None:
    """As `search`, past the recorded end only."""
    start = run.playhead
    end = start + limit
    run.seek(run.recorded)
    try:
        while run.playhead < end and not run.at_end and not cancelled():
            reason = run.advance(min(CHUNK, end - run.playhead), Stop(kinds)).reason
            here = any(not kinds.isdisjoint(event.kinds) for event in run.events)
            if reason == "stop" or (reason == "done" and here):
                return run.playhead
        return None
    finally:
        run.seek(start)
