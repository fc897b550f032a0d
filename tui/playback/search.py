"""Searches through a run, which the user can cancel."""

from __future__ import annotations

from collections.abc import Callable

from engine.interrupt import Interrupted
from engine.run.run import Run
from engine.view import Sentence
from tui import messages
from tui.playback import breakpoint_syntax
from tui.playback.commands import PATIENCE, Find, FindChoice, Inbox
from tui.playback.snapshot import Snapshot
from tui.playback.snapshots import Clock, SnapshotBuilder

FIND_LIMIT = 100_000_000
"""Steps that a search runs on past the playhead."""


class Search:
    """Sets the playhead of a run to the step that a command looks for.

    A command that arrives in the first `PATIENCE` seconds waits for the search, so that no key typed just after it is
    lost; later ones cancel it.
    """

    def __init__(self, run: Run, command: Find | FindChoice, inbox: Inbox, builder: SnapshotBuilder, clock: Clock,
                 publish: Callable[[Snapshot], None]) -> None:
        self._run, self._command, self._inbox, self._builder, self._publish = run, command, inbox, builder, publish
        self._clock, self._began = clock, clock()
        self._was_cancelled = False
        self._reached: int | None = None
        """The step up to which it has looked; None before the first look."""

    def go(self) -> Sentence | None:
        """Search, and go to the step found; otherwise return a message."""
        try:
            return self._find()
        except Interrupted:
            return messages.search_cancelled(self._command.word)

    def _find(self) -> Sentence | None:
        run = self._run
        match self._command:
            case Find(kinds, direction, word) if breakpoint_syntax.never(run.solver, run.params, run.index, kinds):
                return messages.never(word)
            case Find(kinds, direction, word):
                found = run.find(kinds, direction, limit=FIND_LIMIT, cancelled=self._cancelled,
                                 progress=self._progress, recording=self._recording)
                return self._go_to(found, lambda: self._not_found(word, direction))
            case FindChoice(cell, value, word):
                found = run.last_choice(cell, value, cancelled=self._cancelled)
                if found == run.playhead:
                    return messages.chosen_here(word)
                return self._go_to(found, lambda: messages.no_choice(word))

    def _not_found(self, word: str, direction: int) -> Sentence:
        playhead = self._run.playhead
        if direction < 0:
            return messages.not_before(word, playhead)
        reached = self._reached or 0
        if reached < playhead + FIND_LIMIT:
            return messages.not_before_end(word, reached)
        return messages.not_within(word, FIND_LIMIT)

    def _go_to(self, found: int | None, not_found: Callable[[], Sentence]) -> Sentence | None:
        if found is None:
            return messages.search_cancelled(self._command.word) if self._was_cancelled else not_found()
        self._run.seek(found)
        return None

    def _cancelled(self) -> bool:
        takes_long = self._clock() - self._began >= PATIENCE
        self._was_cancelled = self._was_cancelled or self._inbox.closed or (takes_long and self._inbox.interrupts())
        return self._was_cancelled

    def _progress(self, step: int) -> None:
        """Show how far the search has come: at once, and then at the rate of snapshots."""
        first, self._reached = self._reached is None, step
        if first or self._builder.due() <= 0:
            self._publish(self._builder.again(self._run, "SEARCHING", messages.searching(self._command.word, step)))

    def _recording(self, step: int, found: int) -> None:
        """Show how far the run is recorded up to what was found, at the rate of snapshots."""
        if self._builder.due() <= 0:
            self._publish(self._builder.loading(messages.recording(self._command.word, found, step)))
