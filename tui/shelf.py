"""The shelf: runs that are kept by themselves, so that nothing is lost, and found again under recent runs.

Every run has a file of its own here, named after its recipe. A run of the same recipe is the same run: where the file
goes further than what is to be kept, only its playhead and breakpoints are changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import platformdirs
from msgspec import Struct

from engine import registry, runfile, text
from engine.errors import BadInput, RunFileError
from engine.puzzle import Puzzle
from engine.recipe import Recipe
from engine.run import Run
from engine.solver import Outcome
from engine.view import Sentence
from tui import notices

MOST = 20
"""So many runs are kept; the one that was kept longest ago goes first."""
EVERY = 60.0
"""Seconds between two times that a run which changes is kept."""
LARGEST = 64 * 2**20


def folder() -> Path:
    """Where they are."""
    return platformdirs.user_data_path("sudoku-tui") / "autosave"


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
    for modified, path in _files(folder() if where is None else where):
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            head = msgspec.json.decode(path.read_bytes(), type=_Head)
            if (head.format, head.version) == (runfile.FORMAT, runfile.VERSION) and _known(head.recipe.solver):
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
            with suppress(OSError):
                told = path.stat()
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
        self._where = folder() if where is None else where
        self._kept: tuple[Any, ...] | None = None
        """The run as it was when it was kept last."""
        self._since: float | None = None
        """When it was first seen to be another."""
        self._own: tuple[Path, Recipe, int] | None = None
        """The last file that was made new, what is in it, and how many steps."""
        self._complained = False

    def opened(self, run: Run) -> None:
        """A run as it was opened need not be kept until it is another."""
        self._kept = self._seen(run)

    def due(self, run: Run) -> float | None:
        """Seconds until the run is to be kept; None where it is as it was, or has no step yet."""
        if not self._keeps or run.recorded == 0 or self._seen(run) == self._kept:
            self._since = None
            return None
        if self._since is None:
            self._since = self._clock()
        return self._since + EVERY - self._clock()

    def keep(self, run: Run, last: bool = False) -> Sentence | None:
        """Write the run to its file, if it has any step and has changed. What goes wrong is said, once. `last`: it is
        tried again, and said again, for there will be no other time."""
        seen, tried = self._seen(run), self._complained and last
        if not self._keeps or run.recorded == 0 or (seen == self._kept and not tried):
            return None
        self._kept, self._since = seen, None
        try:
            self._write(run)
        except Exception as error:  # a solver may be anybody's, and so may a disk: the run must go on
            complained, self._complained = self._complained, True
            return None if complained and not last else notices.not_kept(_why(error, self._where))
        self._complained = False
        return None

    @staticmethod
    def _seen(run: Run) -> tuple[Any, ...]:
        return id(run), run.recorded, run.playhead, run.recipe, tuple(run.breakpoints)

    def _write(self, run: Run) -> None:
        path = self._where / name_of(run.recipe, self.puzzle_name)
        self._where.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        runfile.write(_merged(path, run, self.puzzle_name), path)
        self._replace_own(path, run, is_new)
        for _modified, old in _files(self._where)[MOST:]:
            if old != path:
                old.unlink(missing_ok=True)

    def _replace_own(self, path: Path, run: Run, is_new: bool) -> None:
        """A file of this session goes, if all of it is in the new one too: a knob was turned at the run's end."""
        if self._own is not None and self._own[0] != path:
            old, recipe, steps = self._own
            same = msgspec.structs.replace(run.recipe, interventions=recipe.interventions) == recipe
            before, after = recipe.interventions, run.recipe.interventions
            if same and after[:len(before)] == before and all(each.step >= steps for each in after[len(before):]):
                old.unlink(missing_ok=True)
            self._own = None
        if is_new or (self._own is not None and self._own[0] == path):
            self._own = path, run.recipe, run.recorded


def _why(error: Exception, where: Path) -> str:
    if isinstance(error, BadInput):
        return str(error)
    told = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    return f"{where}: {told}".partition("\n")[0]


def _merged(path: Path, run: Run, puzzle_name: str) -> runfile.RunFile:
    """What is to stand in the file: the run, or the one that is there already and goes further."""
    if not run.solver.recorded:
        with suppress(RunFileError):
            there = runfile.read(path)
            if there.recipe == run.recipe and there.steps > run.recorded and there.trajectory == run.solver.trajectory:
                return runfile.standing_at(there, run)
    return runfile.describe(run, puzzle_name)
