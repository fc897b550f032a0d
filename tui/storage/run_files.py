"""The shelf: runs that are kept by themselves, so that nothing is lost, and found again under recent runs.

Every run has a file of its own here, named after its recipe. A run of the same recipe is the same run: where the file
goes further than what is to be kept, only its playhead and breakpoints are changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct

from engine import registry, text
from engine.errors import BadInput, RunFileError
from engine.files import access
from engine.puzzle import Puzzle
from engine.run import run_file
from engine.run.breakpoints import Breakpoint
from engine.run.recipe import Recipe
from engine.run.run import Run
from engine.solver import Outcome
from engine.view import Sentence
from tui import messages
from tui.config import paths

MOST = 20
"""So many runs are kept; the one that was kept longest ago goes first."""
FEW = 5
"""Where there are too many, runs of one puzzle, solver and seed go first as long as there are more than so many of
them: the branches of one run shall not crowd out all others."""
EVERY = 30.0
"""Seconds between two times that a run which changes is kept: digests of a long run take some 30 ms, and what is lost
with the process is kept as a session."""
SOON = 0.25
"""Seconds until one is kept that was changed by hand, or left: the screen comes first, and several changes are one."""
PATIENT = 50
"""Where keeping takes long (a slow disk), so many times as long lie between two times."""
NOTICED = 0.05
"""Seconds of keeping that are not seen while a run plays."""
LARGEST = 64 * 2**20


class Shelved(Struct, frozen=True):
    """A run on the shelf, as a list tells of it."""

    path: Path
    puzzle: Puzzle
    puzzle_name: str
    solver: str
    seed: int
    steps: int
    playhead: int
    outcome: Outcome | None
    """How it ended, if it did."""
    modified: float
    """When it was kept, in seconds since 1970."""


class Seen(Struct, frozen=True):
    """A run as it was at a moment."""

    recorded: int
    playhead: int
    recipe: Recipe
    breakpoints: tuple[Breakpoint, ...]


class _Head(msgspec.Struct, frozen=True):
    """As much of a run file as a list needs."""

    format: str
    version: int
    recipe: Recipe
    steps: int
    outcome: Outcome | None
    playhead: int
    puzzle_name: str = ""


def recent(where: Path | None = None) -> list[Shelved]:
    """The runs on the shelf, the newest first. Files that are damaged, or of solvers that are not there, are left
    out; nothing is replayed or checked here."""
    found = []
    for modified, path in _files(paths.kept_runs() if where is None else where):
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            head = msgspec.json.decode(access.read_bytes(path), type=_Head)
            if (head.format, head.version) == (run_file.FORMAT, run_file.VERSION) and _known(head.recipe.solver):
                found.append(Shelved(path, head.recipe.puzzle, head.puzzle_name, head.recipe.solver, head.recipe.seed,
                                     head.steps, head.playhead, head.outcome, modified))
    return found


def _known(solver: str) -> bool:
    return solver in registry.names()


def _files(where: Path) -> list[tuple[float, Path]]:
    """The files of the shelf that are not too large, with when they were written, the newest first."""
    found = []
    with suppress(OSError):
        for path in where.glob("*.run"):
            with suppress(OSError, access.Refused):
                told = access.checked(path).stat()
                if path.is_file() and told.st_size <= LARGEST:
                    found.append((told.st_mtime, path))
    return sorted(found, key=lambda each: (-each[0], each[1].name))


def name_of(recipe: Recipe, puzzle_name: str) -> str:
    """The file of a recipe: what it is in words, and eight letters that tell it from all others."""
    words = f"{puzzle_name[:40]} {recipe.solver} seed {recipe.seed}"
    said = text.file_name(words)
    return f"{said}-{hashlib.blake2b(msgspec.json.encode(recipe), digest_size=4).hexdigest()}.run"


class Keeper:
    """Keeps one run after another: the ones that a laboratory shows."""

    def __init__(self, puzzle_name: str, clock: Callable[[], float], where: Path | None = None, *,
                 keeps: bool = True) -> None:
        """`keeps`: the learner wants it; otherwise nothing is ever written."""
        self.puzzle_name = puzzle_name
        self._keeps = keeps
        self._clock = clock
        self._where = paths.kept_runs() if where is None else where
        self._kept: WeakKeyDictionary[Run, Seen] = WeakKeyDictionary()
        """The runs as they were when they were kept last."""
        self._shown: Run | None = None
        self._left: list[Run] = []
        """Runs that were shown and have steps which are not kept."""
        self._since: float | None = None
        """When there was first something to keep."""
        self._every = EVERY
        self._own: tuple[Path, Recipe, int] | None = None
        """The last file that was made new, what is in it, and how many steps."""
        self.complained = False
        """Whether it was said that nothing can be kept."""
        self.is_slow = False
        """Whether keeping took so long last time that a run which plays would be seen to stop for it."""

    def opened(self, run: Run) -> None:
        """A run as it was opened need not be kept until it is another."""
        self._kept[run] = self._seen(run)

    def due(self, run: Run) -> float | None:
        """Seconds until the run is to be kept, or one that was shown before it; None where all is kept."""
        if not self._keeps:
            return None
        if run is not self._shown:
            self._leave(run)
        if not (self._left or self._is_other(run)):
            self._since = None
            return None
        if self._since is None:
            self._since = self._clock()
        kept = self._kept.get(run)
        soon = self._left or (kept is not None and kept.recipe != run.recipe)
        return self._since + (min(SOON, self._every) if soon else self._every) - self._clock()

    def _leave(self, run: Run) -> None:
        """Another run is shown from now on."""
        left, self._shown = self._shown, run
        self._left = [each for each in self._left if each is not run]
        if left is not None and self._is_other(left):
            self._left.append(left)

    def _is_other(self, run: Run) -> bool:
        """Whether it has steps and is not as it was kept."""
        return run.recorded > 0 and self._seen(run) != self._kept.get(run)

    def keep(self, run: Run, last: bool = False) -> Sentence | None:
        """Write the run to its file, if it has any step and has changed, and those before it. What goes wrong is said,
        once. `last`: it is tried again, and said again, for there will be no other time."""
        if not self._keeps:
            return None
        if run is not self._shown:
            self._leave(run)
        began = self._clock()
        tried = self.complained and last and run.recorded > 0
        to_keep = [*self._left, *([run] if tried or self._is_other(run) else [])]
        self._left, self._since = [], None
        said = [notice for each in to_keep if (notice := self._keep(each, last)) is not None]
        took = self._clock() - began
        self._every, self.is_slow = max(EVERY, PATIENT * took), took > NOTICED
        return said[-1] if said else None

    def _keep(self, run: Run, last: bool) -> Sentence | None:
        self._kept[run] = self._seen(run)
        try:
            self._write(run)
        except Exception as error:  # a solver may be anybody's, and so may a disk: the run must go on
            complained, self.complained = self.complained, True
            return None if complained and not last else messages.not_kept(why(error, self._where))
        self.complained = False
        return None

    @staticmethod
    def _seen(run: Run) -> Seen:
        return Seen(run.recorded, run.playhead, run.recipe, tuple(run.breakpoints))

    def _write(self, run: Run) -> None:
        path = self._where / name_of(run.recipe, self.puzzle_name)
        access.make_folder(self._where)
        is_new = not path.exists()
        run_file.write(_merged(path, run, self.puzzle_name), path)
        self._replace_own(path, run, is_new)
        if is_new:
            for old in _too_many([each for _modified, each in _files(self._where)], path):
                old.unlink(missing_ok=True)

    def _replace_own(self, path: Path, run: Run, is_new: bool) -> None:
        """A file of this session goes, if all of it is in the new one too: a knob was turned at the run's end, or
        turned back before a step was made."""
        if self._own is not None and self._own[0] != path:
            old, recipe, steps = self._own
            same = msgspec.structs.replace(run.recipe, interventions=recipe.interventions) == recipe
            shorter, longer = sorted((recipe.interventions, run.recipe.interventions), key=len)
            more = longer[len(shorter):]
            if same and longer[:len(shorter)] == shorter and run.recorded >= steps \
                    and all(each.step >= steps for each in more):
                old.unlink(missing_ok=True)
            self._own = None
        if is_new or (self._own is not None and self._own[0] == path):
            self._own = path, run.recipe, run.recorded


def _too_many(files: Sequence[Path], new: Path) -> list[Path]:
    """Which of these, the newest first, are to go: the oldest, but first of all those of a crowd. Never the new one."""
    crowds = Counter(map(_crowd, files))
    gone: list[Path] = []
    for at_most in (FEW, 0):
        for path in reversed(files):
            if len(files) - len(gone) > MOST and path != new and path not in gone and crowds[_crowd(path)] > at_most:
                crowds[_crowd(path)] -= 1
                gone.append(path)
    return gone


def _crowd(path: Path) -> str:
    """What the branches of a run share: the name of the file without what tells it from all others."""
    return path.stem.rpartition("-")[0]


def why(error: Exception, where: Path) -> str:
    """What is wrong with keeping something there."""
    if isinstance(error, BadInput):
        return str(error)
    told = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    return f"{where}: {told}".partition("\n")[0]


def _merged(path: Path, run: Run, puzzle_name: str) -> run_file.RunFile:
    """What is to stand in the file: the run, or the one that is there already and goes further."""
    if not run.solver.recorded:
        with suppress(RunFileError):
            there = run_file.read(path)
            if there.recipe == run.recipe and there.steps > run.recorded and there.trajectory == run.solver.trajectory:
                return run_file.standing_at(there, run)
    return run_file.describe(run, puzzle_name)
