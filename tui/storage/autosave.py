"""What is kept of a run by itself while it is on the screen: the session, every second, and its run file."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

from msgspec import Struct

from engine.errors import BadInput
from engine.run import run_file
from engine.run.breakpoints import Breakpoint
from engine.run.recipe import Recipe
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.run.run_file import TapeLog
from engine.view import Sentence
from tui import messages
from tui.storage.run_files import Keeper, why
from tui.storage.sessions import FORMAT, VERSION, KeptSession, Manner, Session

# Keeps the session of one laboratory: where its run stands, again and again while that changes. What is written is
# small however long the run is, so that it can be written every second while the run plays; the shelf
# (`tui.storage.run_files`) keeps whole run files, more rarely.


EVERY = 1.0
"""Seconds from a change until it is kept."""
PATIENT = 10
"""Where keeping takes long (a slow disk), so many times as long lie between two times."""


class Standing(Struct, frozen=True):
    """Where a run stands, and how it is being watched."""

    recorded: int
    playhead: int
    recipe: Recipe
    breakpoints: tuple[Breakpoint, ...]
    manner: Manner


class Diary:
    """Keeps one laboratory's part of a session. Its methods may be called from any thread."""

    def __init__(self, session: Session, puzzle_name: str, clock: Callable[[], float], *, keeps: bool = True) -> None:
        """`keeps`: the learner wants it; otherwise nothing is ever written."""
        self._session, self._name, self._clock, self._keeps = session, puzzle_name, clock, keeps
        self._kept: Standing | None = None
        self._since: float | None = None
        """When there was first something to keep."""
        self._every = EVERY
        self._tape: tuple[Recorder, TapeLog] | None = None
        self._complained = False
        self._mutex = threading.Lock()

    def come_to_front(self) -> None:
        """This laboratory is in front: its run is the one to go on with."""
        self._session.front = self

    @property
    def is_in_front(self) -> bool:
        return self._session.front is self

    def opened(self, run: Run, manner: Manner) -> None:
        """A run that was gone on with stands in the file already."""
        if self._session.adopt(self):
            self._kept = _standing(run, manner)

    def due(self, run: Run, manner: Manner) -> float | None:
        """Seconds until it is to be kept; None where all is kept."""
        if not self._is_new(run, manner):
            self._since = None
            return None
        if self._since is None:
            self._since = self._clock()
        return self._since + self._every - self._clock()

    def _is_new(self, run: Run, manner: Manner) -> bool:
        if not self._keeps or not self._session.concerns(self) or not (run.recorded or run.breakpoints):
            return False
        return not (self._session.holds(self) or self._complained) or _standing(run, manner) != self._kept

    def keep(self, run: Run, manner: Manner) -> Sentence | None:
        """Keep it, if it is not. What goes wrong is said, once."""
        with self._mutex:
            if not self._is_new(run, manner):
                return None
            began = self._clock()
            self._since, self._kept = None, _standing(run, manner)
            try:
                self._write(run, manner)
            except (BadInput, OSError) as error:
                complained, self._complained = self._complained, True
                return None if complained else messages.not_kept(why(error, self._session.where))
            finally:
                self._every = max(EVERY, PATIENT * (self._clock() - began))
            self._complained = False
            return None

    def _write(self, run: Run, manner: Manner) -> None:
        file = run_file.sketch(run, self._name)
        tape = "" if not isinstance(run.solver, Recorder) else self._taped(run.solver, file.steps)
        speed = None if math.isinf(manner.speed) else manner.speed
        self._session.write(self, KeptSession(FORMAT, VERSION, file, tape, speed, manner.span))

    def _taped(self, recorder: Recorder, steps: int) -> str:
        """The name of the file with so many steps of a recording, which are added to it."""
        if self._tape is None or self._tape[0] is not recorder:
            self._tape = recorder, self._session.tape_log()
        log = self._tape[1]
        log.extend(recorder, steps)
        return log.path.name


def _standing(run: Run, manner: Manner) -> Standing:
    return Standing(run.recorded, run.playhead, run.recipe, tuple(run.breakpoints), manner)


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
