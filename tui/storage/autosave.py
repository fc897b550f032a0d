"""Autosave: writes the session a second after a change, and the run file more rarely.

A session (`tui.storage.sessions`) is small however long its run is, so it can be written every second while the run
plays. A run file (`tui.storage.run_files`) holds digests of the whole run, whose computation takes time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from engine.breakpoints import Breakpoint
from engine.errors import BadInput
from engine.run import run_file
from engine.run.recipe import Recipe
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.run.run_file import RecordingFile
from engine.view import Sentence
from tui import messages
from tui.config import paths
from tui.storage import run_files
from tui.storage.sessions import FORMAT, VERSION, PlaybackSettings, SavedSession, Session

SESSION_INTERVAL = 1.0
"""Seconds from a change until the session is saved."""
SESSION_SHARE = 10
"""On a slow disk, save a session only after this many times the duration of the last save."""
RUN_INTERVAL = 30.0
"""Seconds between two saves of a run file while the run changes: the digests of a long run take some 30 ms, and what
a crash would lose is in the session."""
RUN_SOON = 0.25
"""Seconds until a run is saved after an intervention or after the user switched to another one: the screen comes first,
and several changes are one save."""
RUN_SHARE = 50
"""The same as `SESSION_SHARE` for run files."""
VISIBLE_PAUSE = 0.05
"""Seconds of saving that would be seen as a pause while a run plays."""


class SaveMark(Struct, frozen=True):
    """The state of a run when it was saved; a run with another mark has changed since."""

    recorded: int
    playhead: int
    recipe: Recipe
    breakpoints: tuple[Breakpoint, ...]
    settings: PlaybackSettings | None = None
    """In a session only."""


def mark_of(run: Run, settings: PlaybackSettings | None = None) -> SaveMark:
    return SaveMark(run.recorded, run.playhead, run.recipe, tuple(run.breakpoints), settings)


class SessionSaver:
    """Saves the run of one screen to the session of this process. Its methods may be called from any thread."""

    def __init__(self, session: Session, puzzle_name: str, clock: Callable[[], float], *, enabled: bool = True) -> None:
        """`enabled`: the setting `autosave`; without it nothing is ever written."""
        self._session, self._name, self._clock, self._enabled = session, puzzle_name, clock, enabled
        self._saved: SaveMark | None = None
        self._since: float | None = None
        """Time of the first change since the last save."""
        self._interval = SESSION_INTERVAL
        self._recording: tuple[Recorder, RecordingFile] | None = None
        self._failed = False
        self._mutex = threading.Lock()

    def come_to_front(self) -> None:
        """Make this screen's run the one that the session resumes."""
        self._session.front = self

    @property
    def is_in_front(self) -> bool:
        return self._session.front is self

    def opened(self, run: Run, settings: PlaybackSettings) -> None:
        """Note that a resumed run is in the file already."""
        if self._session.adopt(self):
            self._saved = mark_of(run, settings)

    def due(self, run: Run, settings: PlaybackSettings) -> float | None:
        """Seconds until the next save; None if nothing has changed."""
        if not self._is_changed(run, settings):
            self._since = None
            return None
        if self._since is None:
            self._since = self._clock()
        return self._since + self._interval - self._clock()

    def _is_changed(self, run: Run, settings: PlaybackSettings) -> bool:
        holds = self._session.holds(self)
        if not self._enabled or not self._session.concerns(self) or not (run.recorded or run.breakpoints or holds):
            return False
        return not (holds or self._failed) or mark_of(run, settings) != self._saved

    def save(self, run: Run, settings: PlaybackSettings) -> Sentence | None:
        """Save the session if it has changed. Returns a message for the first failure in a row."""
        with self._mutex:
            if not self._is_changed(run, settings):
                return None
            began = self._clock()
            self._since, self._saved = None, mark_of(run, settings)
            try:
                self._write(run, settings)
            except (BadInput, OSError) as error:
                failed_before, self._failed = self._failed, True
                return None if failed_before else messages.autosave_failed(reason(error, self._session.folder))
            finally:
                self._interval = max(SESSION_INTERVAL, SESSION_SHARE * (self._clock() - began))
            self._failed = False
            return None

    def _write(self, run: Run, settings: PlaybackSettings) -> None:
        file = run_file.sketch(run, self._name)
        recording = "" if not isinstance(run.solver, Recorder) else self._extend_recording(run.solver, file.steps)
        speed = None if math.isinf(settings.speed) else settings.speed
        self._session.write(self, SavedSession(FORMAT, VERSION, file, recording, speed, settings.span))

    def _extend_recording(self, recorder: Recorder, steps: int) -> str:
        """Append to the recording up to a step; returns the name of its file."""
        if self._recording is None or self._recording[0] is not recorder:
            self._recording = recorder, self._session.new_recording()
        log = self._recording[1]
        log.extend(recorder, steps)
        return log.path.name


class RunFileSaver:
    """Saves the runs that one screen shows, one after another, each to its own run file."""

    def __init__(self, puzzle_name: str, clock: Callable[[], float], folder: Path | None = None, *,
                 enabled: bool = True, in_file: bool = False) -> None:
        """`enabled`: the setting `autosave`; without it nothing is ever written. `in_file`: the run is opened from a
        run file."""
        self.puzzle_name = puzzle_name
        self._enabled, self._in_file = enabled, in_file
        self._clock = clock
        self._folder = paths.autosaved_runs() if folder is None else folder
        self._saved: WeakKeyDictionary[Run, SaveMark] = WeakKeyDictionary()
        self._current: Run | None = None
        self._unsaved: list[Run] = []
        """Runs that were left for another one with changes that are not saved."""
        self._since: float | None = None
        """Time of the first change since the last save."""
        self._interval = RUN_INTERVAL
        self._created: tuple[Path, Recipe, int] | None = None
        """The last file that this saver created, with the recipe and the number of steps in it."""
        self.failed = False
        """Whether the last save failed, which has been reported."""
        self.is_slow = False
        """Whether the last save took so long that a playing run would be seen to pause."""

    def opened(self, run: Run) -> None:
        """Note what is saved of a run as it is opened: all that is in its file; without a file none of its steps."""
        mark = mark_of(run)
        self._saved[run] = mark if self._in_file else replace(mark, recorded=0)

    def due(self, run: Run) -> float | None:
        """Seconds until the next save of this run, or of one left for it; None if nothing has changed."""
        if not self._enabled:
            return None
        if run is not self._current:
            self._switch_to(run)
        if not (self._unsaved or self._is_changed(run)):
            self._since = None
            return None
        if self._since is None:
            self._since = self._clock()
        saved = self._saved.get(run)
        soon = self._unsaved or (saved is not None and saved.recipe != run.recipe)
        return self._since + (min(RUN_SOON, self._interval) if soon else self._interval) - self._clock()

    def _switch_to(self, run: Run) -> None:
        left, self._current = self._current, run
        self._unsaved = [each for each in self._unsaved if each is not run]
        if left is not None and self._is_changed(left):
            self._unsaved.append(left)

    def _is_changed(self, run: Run) -> bool:
        return run.recorded > 0 and mark_of(run) != self._saved.get(run)

    def save(self, run: Run, last: bool = False) -> Sentence | None:
        """Save the run if it has steps and has changed, and the runs left before it. Returns a message for the first
        failure in a row. The `last` save is tried, and its failure reported, in any case; the run on the screen is then
        the latest of its branches."""
        if not self._enabled:
            return None
        if run is not self._current:
            self._switch_to(run)
        began = self._clock()
        again = last and run.recorded > 0 and (self.failed or len(self._saved) > 1)
        to_save = [*self._unsaved, *([run] if again or self._is_changed(run) else [])]
        self._unsaved, self._since = [], None
        failures = [failure for each in to_save if (failure := self._save(each, last)) is not None]
        took = self._clock() - began
        self._interval, self.is_slow = max(RUN_INTERVAL, RUN_SHARE * took), took > VISIBLE_PAUSE
        return failures[-1] if failures else None

    def _save(self, run: Run, last: bool) -> Sentence | None:
        self._saved[run] = mark_of(run)
        try:
            self._write(run)
        except Exception as error:  # whatever a foreign solver or a disk does, the run continues
            failed_before, self.failed = self.failed, True
            return None if failed_before and not last else messages.autosave_failed(reason(error, self._folder))
        self.failed = False
        return None

    def _write(self, run: Run) -> None:
        path, is_new = run_files.write(run, self.puzzle_name, self._folder)
        if self._created is not None and self._created[0] != path:
            before, recipe, steps = self._created
            if run_files.contains(run, recipe, steps):  # a knob was turned at the run's end, or back before a step
                before.unlink(missing_ok=True)
            self._created = None
        if is_new or (self._created is not None and self._created[0] == path):
            self._created = path, run.recipe, run.recorded
        if is_new:
            run_files.prune(self._folder, path)


class Autosave:
    """Saves the session and the run file of a screen when they are due; either may be missing."""

    def __init__(self, run_file: RunFileSaver | None = None, session: SessionSaver | None = None) -> None:
        self.run_file, self.session = run_file, session

    @property
    def puzzle_name(self) -> str:
        return "" if self.run_file is None else self.run_file.puzzle_name

    def opened(self, run: Run, settings: PlaybackSettings) -> None:
        """Note what is saved of a run as it is opened."""
        if self.run_file is not None:
            self.run_file.opened(run)
        if self.session is not None:
            self.session.opened(run, settings)

    def save_due(self, run: Run, settings: PlaybackSettings, at_rest: bool) -> tuple[float | None, Sentence | None]:
        """Save what is due. Returns the seconds until the next save (None: nothing has changed), and a message if one
        failed. A run file that takes long to write waits until the run is `at_rest`; the session never waits."""
        session = run_file = message = None
        if self.session is not None:
            session = self.session.due(run, settings)
            if session is not None and session <= 0:
                session, message = None, self.save_session(run, settings)
        if self.run_file is not None and (at_rest or not self.run_file.is_slow):
            run_file = self.run_file.due(run)
            if run_file is not None and run_file <= 0:
                run_file, message = None, self.run_file.save(run) or message
        return min((each for each in (session, run_file) if each is not None), default=None), message

    def save_session(self, run: Run, settings: PlaybackSettings) -> Sentence | None:
        """Save the session if it has changed, from any thread. A failure is reported once for both files."""
        message = None if self.session is None else self.session.save(run, settings)
        if message is not None and self.run_file is not None:
            self.run_file.failed = True
        return message

    def close(self, run: Run, settings: PlaybackSettings) -> Sentence | None:
        """Save for the last time, the session first: there may be no time for more. Returns a message on failure."""
        self.save_session(run, settings)
        return None if self.run_file is None else self.run_file.save(run, last=True)


def reason(error: Exception, folder: Path) -> str:
    """The reason of a failed save, on one line."""
    if isinstance(error, BadInput):
        return str(error)
    why = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    return f"{folder}: {why}".partition("\n")[0]
