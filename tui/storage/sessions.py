"""Kept sessions: what stands on disk of a laboratory while it is open, so that whoever is cut off can go on with it.

Each process has a session of its own, three files in one folder: what its laboratory shows (written anew again and
again), the recording of a run that cannot be re-executed (which only grows), and a lock that the system lets go of
when the process ends, however it ends. A session whose lock is free was left; the first to rename its file has it.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from engine import registry
from engine.errors import BadInput, RunFileError
from engine.files import access
from engine.files.atomic import write_whole
from engine.run import run_file
from tui.config import paths
from tui.i18n import _
from tui.storage.run_files import Shelved

FORMAT, VERSION = "sudoku-tui session", 1
KEPT, LOCK, TAPE = ".session", ".lock", ".tape"
LARGEST = 2**22
"""Bytes of a file that is looked at."""
MOST = 100
"""So many sessions that were left are kept: a whole class may be cut off at once."""
OLDEST = 30 * 86400.0
"""Seconds after which one that nobody has gone on with goes."""


class Manner(Struct, frozen=True):
    """How a run is being watched."""

    speed: float
    """Steps per second; infinite when flat out."""
    span: int | None = None
    """The steps that the timeline was chosen to show; None: all of them."""


class KeptSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file of a session holds."""

    format: str
    version: int
    run: run_file.RunFile
    """The run in front, sketched; its recording is in a file of its own."""
    tape: str = ""
    """The name of that file; empty: the run can be re-executed."""
    speed: float | None = None
    """None: flat out."""
    span: int | None = None
    ended: Literal["unexpected", "quit"] = "unexpected"
    """Whether the learner's own key has ended it."""
    client: str = ""
    """Where the learner sat: the address that the connection came from; empty: here."""

    @property
    def manner(self) -> Manner:
        return Manner(math.inf if self.speed is None else self.speed, self.span)


class Left(Struct, frozen=True):
    """A session that was left, as it is offered."""

    kept: KeptSession
    run: Shelved
    """Its run as a list tells of it; `path` is the session's file, `modified` when it was kept last."""


def client(environment: Mapping[str, str]) -> str:
    """The address that the learner's connection comes from; empty: there is none."""
    return environment.get("SSH_CONNECTION", "").partition(" ")[0]


def read(path: Path) -> KeptSession:
    """What was kept. Raises BadInput where that cannot be read, or gone on with by this program."""
    try:
        with access.open_file(path) as file:
            kept = msgspec.json.decode(file.read(LARGEST), type=KeptSession)
    except OSError as error:
        raise BadInput(_("cannot read {path}: {why}").format(path=path, why=error.strerror or error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        raise BadInput(_("{path} is no session that was kept, or is damaged").format(path=path)) from None
    span = 1 if kept.span is None else kept.span
    sane = (kept.speed is None or 0 < kept.speed < math.inf) and 0 < span <= 2**62 and span & (span - 1) == 0
    sound = (kept.format, kept.version) == (FORMAT, VERSION) and sane and run_file.is_sound(kept.run)
    if not sound or kept.run.recipe.solver not in registry.names():
        raise BadInput(_("{path} is no session that this program can go on with").format(path=path))
    return kept


def recording(path: Path, kept: KeptSession) -> run_file.RunFile:
    """The run of a session with its recording, if it has one. Raises BadInput."""
    if not kept.tape:
        return kept.run
    if Path(kept.tape).name != kept.tape:
        raise RunFileError(f"{path} was altered or damaged: {kept.tape} is no name of a file")
    tape = run_file.read_recording(path.with_name(kept.tape), kept.run.steps)
    return msgspec.structs.replace(kept.run, tape=tape)


def left(where: Path | None = None, client: str = "") -> tuple[Left, ...]:
    """The sessions that were left, whichever way: those of the same client first, the newest first."""
    found = []
    for path in _files(paths.kept_sessions() if where is None else where, KEPT):
        with contextlib.suppress(BadInput, OSError):
            if not _is_alive(path):
                kept, run = read(path), path.stat().st_mtime
                found.append(Left(kept, _shelved(path, kept.run, run)))
    return tuple(sorted(found, key=lambda each: (each.kept.client != client, -each.run.modified, each.run.path.name)))


def _shelved(path: Path, run: run_file.RunFile, modified: float) -> Shelved:
    name = "" if run.puzzle_name is msgspec.UNSET else run.puzzle_name
    return Shelved(path, run.recipe.puzzle, name, run.recipe.solver, run.recipe.seed, run.steps, run.playhead,
                   run.outcome, modified)


def drop(path: Path) -> None:
    """Forget a session that was left. Raises BadInput where that cannot be done."""
    try:
        if not _is_alive(path):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(_("cannot delete {path}: {why}").format(path=path, why=error.strerror or error)) from None


def _files(where: Path, suffix: str) -> list[Path]:
    with contextlib.suppress(OSError):
        return [each for each in where.iterdir() if each.suffix == suffix and not each.name.startswith(".")]
    return []


def _is_alive(path: Path) -> bool:
    """Whether the process whose file this is has not ended. Raises OSError where that cannot be told."""
    try:
        fd = os.open(path.with_name(path.name.partition(".")[0].partition("-")[0] + LOCK), os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


class Taken(BadInput):
    """Somebody else goes on with a session."""


class Session:
    """The session of this process. Its methods may be called from any thread."""

    def __init__(self, where: Path | None = None, client: str = "") -> None:
        self.where = paths.kept_sessions() if where is None else where
        self.client = client
        self.front: object = None
        """Whoever's run is in front: nobody else's is kept."""
        self._name = ""
        self._locked = -1
        self._kept: KeptSession | None = None
        self._holder: object = None
        """Whose run stands in the file."""
        self._before: object = None
        self._mutex = threading.RLock()

    @property
    def path(self) -> Path:
        """The file of this session, once there is one."""
        return self.where / f"{self._name}{KEPT}"

    def holds(self, owner: object) -> bool:
        """Whether it is the owner's run that stands in the file."""
        return self._holder is owner

    def adopt(self, owner: object) -> bool:
        """Have what was claimed be the owner's, who is in front; whether anything was claimed."""
        with self._mutex:
            claimed = self._holder is None and self._kept is not None and self.front is owner
            if claimed:
                self._holder = owner
            return claimed

    def concerns(self, owner: object) -> bool:
        """Whether what the owner has is to be kept."""
        return owner in (self.front, self._holder)

    def tape_log(self) -> run_file.TapeLog:
        """A recording of its own. Raises OSError."""
        with self._mutex:
            self._begin()
            return run_file.TapeLog(self.where / f"{self._name}-{secrets.token_hex(4)}{TAPE}")

    def write(self, owner: object, kept: KeptSession) -> None:
        """Keep this from now on, if the owner is in front or was when it was kept last. Raises BadInput or OSError,
        with what was kept before still there."""
        with self._mutex:
            if self.concerns(owner):
                self._begin()
                self._write(msgspec.structs.replace(kept, client=self.client))
                self._holder = owner

    def _write(self, kept: KeptSession) -> None:
        write_whole(self.path, msgspec.json.encode(kept) + b"\n", synced=False)
        self._kept = kept

    def _begin(self) -> None:
        """Have a lock, and the old sessions tidied up. Raises OSError."""
        while self._locked < 0:
            access.make_folder(self.where)
            name = secrets.token_hex(8)
            lock = self.where / f"{name}{LOCK}"
            fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(fd)
                lock.unlink(missing_ok=True)
                raise
            if _is_at(fd, lock):
                self._locked, self._name = fd, name
                tidy(self.where)
            else:  # somebody who tidied up has taken it for one that was left
                os.close(fd)

    def claim(self, path: Path) -> Path:
        """Have a session that was left, which is this one's from now on and nobody else's; where it is now. Raises
        BadInput where somebody else has it, or where nothing can be written."""
        with self._mutex:
            try:
                self._begin()
                if _is_alive(path):
                    raise Taken(_("that session goes on elsewhere"))
                path.rename(self.path)
            except FileNotFoundError:
                raise Taken(_("that session has been gone on with elsewhere")) from None
            except OSError as error:
                raise BadInput(_("cannot go on with that session: {why}").format(why=error.strerror or error)) from None
            self._before, self.front, self._holder = self.front, None, None
            with contextlib.suppress(BadInput):
                self._kept = read(self.path)
            return self.path

    def claim_first(self) -> Path:
        """The same with the first of all that nobody else takes meanwhile. Raises BadInput where there is none."""
        for each in left(self.where, self.client):
            with contextlib.suppress(Taken):
                return self.claim(each.run.path)
        raise BadInput(_("there is no session to go on with: none was left, or all have been gone on with"))

    def give_back(self) -> None:
        """What was claimed cannot be opened: it is as it was."""
        with self._mutex:
            with contextlib.suppress(OSError):
                self.path.rename(self.where / f"{secrets.token_hex(8)}{KEPT}")
            self.front, self._kept = self._before, None

    def leave(self, quit: bool) -> None:
        """The last thing: say whether the learner has ended it. What cannot be said any more is not."""
        with self._mutex:
            if self._locked < 0:
                return
            if quit and self._kept is not None:
                with contextlib.suppress(BadInput, OSError):
                    self._write(msgspec.structs.replace(self._kept, ended="quit"))
            if self._kept is None:
                with contextlib.suppress(OSError):
                    (self.where / f"{self._name}{LOCK}").unlink(missing_ok=True)
            os.close(self._locked)
            self._locked = -1


def _is_at(fd: int, path: Path) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False


def tidy(where: Path) -> None:
    """Remove old sessions, and what is left over of those that are gone. What cannot be removed stays."""
    now = time.time()
    ages: list[tuple[float, Path]] = []
    for path in _files(where, KEPT):
        with contextlib.suppress(OSError):
            if not _is_alive(path):
                ages.append((now - path.stat().st_mtime, path))
    for place, (age, path) in enumerate(sorted(ages, key=lambda each: each[0])):
        if place >= MOST or age > OLDEST:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
    for path in _leftovers(where):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _leftovers(where: Path) -> Iterator[Path]:
    """Recordings that no session needs, locks of none, and files that were not written to their end."""
    tapes = {}
    for path in _files(where, TAPE):
        with contextlib.suppress(OSError):
            if not _is_alive(path):
                tapes[path.name] = path
    needed = set()
    for path in _files(where, KEPT) if tapes else ():
        with contextlib.suppress(BadInput):
            needed.add(read(path).tape)
    yield from (path for name, path in tapes.items() if name not in needed)
    for path in _files(where, LOCK):
        with contextlib.suppress(OSError):
            if not _is_alive(path) and not path.with_suffix(KEPT).exists():
                yield path
    with contextlib.suppress(OSError):
        for path in where.glob(f".*{KEPT}.*"):
            with contextlib.suppress(OSError):
                if not _is_alive(path.with_name(path.name[1:])):
                    yield path
