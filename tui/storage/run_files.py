"""Autosaved run files: write, prune, list.

Each run has a file named after its recipe. Runs of the same recipe share it: a file that has more steps than the run
to be saved keeps them, and takes only the playhead and the breakpoints.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from engine import registry, text
from engine.errors import RunFileError
from engine.files import access
from engine.puzzle import Puzzle
from engine.run import run_file
from engine.run.recipe import Recipe
from engine.run.run import Run
from engine.solver import Outcome
from tui.config import paths

MOST = 20
"""Run files that are kept; the oldest goes first."""
MOST_BRANCHES = 5
"""Files of one puzzle, solver and seed beyond this number go before all others: branches must not crowd out runs."""
LARGEST = 64 * 2**20
"""Bytes; larger files are not listed."""


class SavedRun(Struct, frozen=True):
    """A saved run as lists show it."""

    path: Path
    recipe: Recipe
    puzzle_name: str
    steps: int
    playhead: int
    outcome: Outcome | None
    """The end of the run; None if it has not ended."""
    modified: float
    """Seconds since 1970."""

    @property
    def puzzle(self) -> Puzzle:
        return self.recipe.puzzle

    @property
    def solver(self) -> str:
        return self.recipe.solver

    @property
    def seed(self) -> int:
        return self.recipe.seed


class _Head(msgspec.Struct, frozen=True):
    """The fields of a run file that a list needs."""

    format: str
    version: int
    recipe: Recipe
    steps: int
    outcome: Outcome | None
    playhead: int
    puzzle_name: str = ""


def recent(folder: Path | None = None) -> list[SavedRun]:
    """The run files of a folder (default: the autosaved ones), newest first. Nothing is replayed or checked; damaged
    files and those of unknown solvers are left out."""
    found = []
    for modified, path in _files(paths.autosaved_runs() if folder is None else folder):
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            head = msgspec.json.decode(access.read_bytes(path), type=_Head)
            readable = head.format == run_file.FORMAT and head.version in run_file.READABLE
            if readable and head.recipe.solver in registry.names():
                found.append(SavedRun(path, head.recipe, head.puzzle_name, head.steps, head.playhead, head.outcome,
                                      modified))
    return found


def _files(folder: Path) -> list[tuple[float, Path]]:
    """(modified, path) of the run files that are not too large, newest first."""
    found = []
    with suppress(OSError):
        for path in folder.glob("*.run"):
            with suppress(OSError, access.Refused):
                status = access.checked(path).stat()
                if path.is_file() and status.st_size <= LARGEST:
                    found.append((status.st_mtime, path))
    return sorted(found, key=lambda each: (-each[0], each[1].name))


def name_of(recipe: Recipe, puzzle_name: str) -> str:
    """The file name of a recipe: puzzle, solver and seed, and eight hexadecimal digits of its digest."""
    words = text.file_name(f"{puzzle_name[:40]} {recipe.solver} seed {recipe.seed}")
    return f"{words}-{hashlib.blake2b(msgspec.json.encode(recipe), digest_size=4).hexdigest()}.run"


def write(run: Run, puzzle_name: str, folder: Path) -> tuple[Path, bool]:
    """Write the file of a run; returns its path, and whether it is new. Raises BadInput or OSError."""
    path = folder / name_of(run.recipe, puzzle_name)
    access.make_folder(folder)
    is_new = not path.exists()
    run_file.write(_merged(path, run, puzzle_name), path)
    return path, is_new


def _merged(path: Path, run: Run, puzzle_name: str) -> run_file.RunFile:
    """The run, or the longer one that is in its file already."""
    if not run.solver.recorded:
        with suppress(RunFileError):
            there = run_file.read(path)
            if there.recipe == run.recipe and there.steps > run.recorded and there.trajectory == run.solver.trajectory:
                return run_file.with_position(there, run)
    return run_file.describe(run, puzzle_name)


def contains(run: Run, recipe: Recipe, steps: int) -> bool:
    """Whether a run holds all of another one, which has this recipe and number of steps."""
    shorter, longer = sorted((recipe.interventions, run.recipe.interventions), key=len)
    return (msgspec.structs.replace(run.recipe, interventions=recipe.interventions) == recipe
            and longer[:len(shorter)] == shorter and run.recorded >= steps
            and all(each.step >= steps for each in longer[len(shorter):]))


def prune(folder: Path, new: Path) -> None:
    """Delete the files beyond `MOST`, never the new one."""
    for old in _excess([path for _modified, path in _files(folder)], new):
        old.unlink(missing_ok=True)


def _excess(files: Sequence[Path], new: Path) -> list[Path]:
    """The files to delete among these, newest first: superfluous branches, then the oldest."""
    branches = Counter(map(_family, files))
    excess: list[Path] = []
    for at_most in (MOST_BRANCHES, 0):
        for path in reversed(files):
            if len(files) - len(excess) > MOST and path != new and path not in excess \
                    and branches[_family(path)] > at_most:
                branches[_family(path)] -= 1
                excess.append(path)
    return excess


def _family(path: Path) -> str:
    """The part of the file name that the branches of a run share."""
    return path.stem.rpartition("-")[0]
