"""What is kept of a run by itself while it is on the screen: the session, every second, and its run file."""

from __future__ import annotations

from engine.run import Run
from engine.view import Sentence
from tui.diary import Diary
from tui.sessions import Manner
from tui.shelf import Keeper


class Keeping:
    """A diary and a keeper, either of which may be missing."""

    def __init__(self, keeper: Keeper | None, diary: Diary | None) -> None:
        self.keeper, self._diary = keeper, diary

    @property
    def puzzle_name(self) -> str:
        return "" if self.keeper is None else self.keeper.puzzle_name

    def opened(self, run: Run, manner: Manner) -> None:
        """A run as it was opened stands on disk already."""
        if self.keeper is not None:
            self.keeper.opened(run)
        if self._diary is not None:
            self._diary.opened(run, manner)

    def go_on(self, run: Run, manner: Manner, at_rest: bool) -> tuple[float | None, Sentence | None]:
        """Keep what is due: the seconds until something is due again (None: nothing has changed), and what went wrong.
        A run file that takes long to write waits until the run is at rest; the session never does."""
        session = shelf = said = None
        if self._diary is not None:
            session = self._diary.due(run, manner)
            if session is not None and session <= 0:
                session, said = None, self.keep_session(run, manner)
        if self.keeper is not None and (at_rest or not self.keeper.is_slow):
            shelf = self.keeper.due(run)
            if shelf is not None and shelf <= 0:
                shelf, said = None, self.keeper.keep(run) or said
        return min((each for each in (session, shelf) if each is not None), default=None), said

    def keep_session(self, run: Run, manner: Manner) -> Sentence | None:
        """Keep where the session stands, if that has changed; any thread may. What goes wrong is said once for both."""
        said = None if self._diary is None else self._diary.keep(run, manner)
        if said is not None and self.keeper is not None:
            self.keeper.complained = True
        return said

    def close(self, run: Run, manner: Manner) -> Sentence | None:
        """The last thing; why it cannot be done. The session comes first: there may be no time for more."""
        self.keep_session(run, manner)
        return None if self.keeper is None else self.keeper.keep(run, last=True)
