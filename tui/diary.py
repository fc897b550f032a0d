"""Keeps the session of one laboratory: where its run stands, again and again while that changes.

What is written is small however long the run is, so that it can be written every second while the run plays; the
shelf (`tui.shelf`) keeps whole run files, more rarely.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

from msgspec import Struct

from engine import runfile
from engine.breakpoints import Breakpoint
from engine.errors import BadInput
from engine.recipe import Recipe
from engine.run import Run
from engine.tape import Recorder
from engine.tapelog import TapeLog
from engine.view import Sentence
from tui import messages
from tui.sessions import FORMAT, VERSION, KeptSession, Manner, Session
from tui.shelf import why

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
        file = runfile.sketch(run, self._name)
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
