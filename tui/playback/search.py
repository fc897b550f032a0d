"""A search through a run, for as long as nobody gives it up."""

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
"""How many steps a search runs on past the playhead."""


class Search:
    """Sets the playhead of a run to what a command looks for. Commands wait for a search of a moment: no key is lost
    that is typed just after it."""

    def __init__(self, run: Run, command: Find | FindChoice, inbox: Inbox, builder: SnapshotBuilder, clock: Clock,
                 publish: Callable[[Snapshot], None]) -> None:
        self._run, self._command, self._inbox, self._builder, self._publish = run, command, inbox, builder, publish
        self._clock, self._began = clock, clock()
        self._broken_off = False
        self._reached = 0
        """The step up to which it has looked."""

    def go(self) -> Sentence | None:
        """Look, and go there; what is to be said, where it is not found."""
        try:
            return self._look()
        except Interrupted:
            return messages.search_cancelled(self._command.word)

    def _look(self) -> Sentence | None:
        run = self._run
        match self._command:
            case Find(kinds, direction, word) if breakpoint_syntax.never(run, kinds):
                return messages.never(word)
            case Find(kinds, direction, word):
                found = run.find(kinds, direction, limit=FIND_LIMIT, cancelled=self._cancelled,
                                 progress=self._progress)
                return self._arrived(found, lambda: self._not_found(word, direction))
            case FindChoice(cell, value, word):
                found = run.last_choice(cell, value, cancelled=self._cancelled)
                if found == run.playhead:
                    return messages.chosen_here(word)
                return self._arrived(found, lambda: messages.no_choice(word))

    def _not_found(self, word: str, direction: int) -> Sentence:
        playhead = self._run.playhead
        if direction < 0:
            return messages.not_before(word, playhead)
        if self._reached < playhead + FIND_LIMIT:
            return messages.not_before_end(word, self._reached)
        return messages.not_within(word, FIND_LIMIT)

    def _arrived(self, found: int | None, otherwise: Callable[[], Sentence]) -> Sentence | None:
        if found is None:
            return messages.search_cancelled(self._command.word) if self._broken_off else otherwise()
        self._run.seek(found)
        return None

    def _cancelled(self) -> bool:
        takes_long = self._clock() - self._began >= PATIENCE
        self._broken_off = self._broken_off or self._inbox.closed or (takes_long and self._inbox.interrupts())
        return self._broken_off

    def _progress(self, step: int) -> None:
        """Show how far it has come, as often as anything is shown."""
        self._reached = step
        if self._builder.due() <= 0:
            self._publish(self._builder.again(self._run, "SEARCHING", messages.searching(self._command.word, step)))
