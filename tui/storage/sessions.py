"""Session files: the run on the screen of each process, saved so that it can be resumed after a cut-off.

A process owns up to three files in one folder: the session (rewritten at every save), the recording of a run that
cannot be re-executed (append-only), and a lock that the system releases when the process ends, however it ends. A
session whose lock is free can be resumed; the first process that renames its file has claimed it.
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
from tui.storage.run_files import SavedRun

FORMAT, VERSION = "sudoku-tui session", 1
SUFFIX, LOCK, RECORDING = ".session", ".lock", ".tape"
LARGEST = 2**22
"""Bytes of a session file that are read."""
MOST = 100
"""Resumable sessions that are kept: a whole class may be cut off at once."""
OLDEST = 30 * 86400.0
"""Seconds after which a session that was not resumed is deleted."""


class PlaybackSettings(Struct, frozen=True):
    """Speed and zoom of a run on the screen."""

    speed: float
    """Steps per second; infinite when flat out."""
    span: int | None = None
    """Width of the zoomed timeline in steps; None: the whole run."""


class SavedSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a session file."""

    format: str
    version: int
    run: run_file.RunFile
    """The run without digests; its recording is in another file."""
    tape: str = ""
    """The name of that file; empty: the run can be re-executed."""
    speed: float | None = None
    """None: flat out."""
    span: int | None = None
    ended: Literal["unexpected", "quit"] = "unexpected"
    """`quit`: the user ended the program."""
    client: str = ""
    """The address that the user was connected from; empty: a local terminal."""

    @property
    def settings(self) -> PlaybackSettings:
        return PlaybackSettings(math.inf if self.speed is None else self.speed, self.span)


class ResumableSession(Struct, frozen=True):
    """A session whose process has ended."""

    saved: SavedSession
    run: SavedRun
    """Its run as lists show it; `path` is the session's file, `modified` the time of the last save."""


def client(environment: Mapping[str, str]) -> str:
    """The address of the SSH client; empty if there is none."""
    return environment.get("SSH_CONNECTION", "").partition(" ")[0]


def read(path: Path) -> SavedSession:
    """Read a session file. Raises BadInput if it cannot be read, or not be resumed by this version of the program."""
    try:
        with access.open_file(path) as file:
            saved = msgspec.json.decode(file.read(LARGEST), type=SavedSession)
    except OSError as error:
        raise BadInput(_("cannot read {path}: {why}").format(path=path, why=error.strerror or error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        raise BadInput(_("{path} is not a session file, or is damaged").format(path=path)) from None
    span = 1 if saved.span is None else saved.span
    in_bounds = (saved.speed is None or 0 < saved.speed < math.inf) and 0 < span <= 2**62 and span & (span - 1) == 0
    sound = (saved.format, saved.version) == (FORMAT, VERSION) and in_bounds and run_file.is_sound(saved.run)
    if not sound or saved.run.recipe.solver not in registry.names():
        raise BadInput(_("{path} is a session that this version cannot resume").format(path=path))
    return saved


def with_recording(path: Path, saved: SavedSession) -> run_file.RunFile:
    """The run of a session file, with its recording if it has one. Raises BadInput."""
    if not saved.tape:
        return saved.run
    if Path(saved.tape).name != saved.tape:
        raise RunFileError(_("{path} was altered or damaged: {tape} is not a file name").format(
            path=path, tape=saved.tape))
    recording = run_file.read_recording(path.with_name(saved.tape), saved.run.steps)
    return msgspec.structs.replace(saved.run, recording=recording)


def resumable(folder: Path | None = None, client: str = "") -> tuple[ResumableSession, ...]:
    """The sessions whose processes have ended, in whatever way: those of the same client first, then the newest."""
    found = []
    for path in _files(paths.sessions() if folder is None else folder, SUFFIX):
        with contextlib.suppress(BadInput, OSError):
            if not _is_alive(path):
                saved, modified = read(path), path.stat().st_mtime
                found.append(ResumableSession(saved, _saved_run(path, saved.run, modified)))
    return tuple(sorted(found, key=lambda each: (each.saved.client != client, -each.run.modified, each.run.path.name)))


def _saved_run(path: Path, run: run_file.RunFile, modified: float) -> SavedRun:
    name = "" if run.puzzle_name is msgspec.UNSET else run.puzzle_name
    return SavedRun(path, run.recipe, name, run.steps, run.playhead, run.outcome, modified)


def delete(path: Path) -> None:
    """Delete a session whose process has ended. Raises BadInput if that fails."""
    try:
        if not _is_alive(path):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(_("cannot delete {path}: {why}").format(path=path, why=error.strerror or error)) from None


def _files(folder: Path, suffix: str) -> list[Path]:
    with contextlib.suppress(OSError):
        return [each for each in folder.iterdir() if each.suffix == suffix and not each.name.startswith(".")]
    return []


def _is_alive(path: Path) -> bool:
    """Whether the process that owns a file still runs. Raises OSError if its lock cannot be checked."""
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


class SessionTaken(BadInput):
    """Another process has the session."""


class Session:
    """The session of this process. Its methods may be called from any thread.

    Several screens may share it; only the run of the one in front is saved. Screens are told apart by their
    `SessionSaver`, the owner in the methods below.
    """

    def __init__(self, folder: Path | None = None, client: str = "") -> None:
        self.folder = paths.sessions() if folder is None else folder
        self.client = client
        self.front: object = None
        """The owner of the run in front."""
        self._name = ""
        self._lock_fd = -1
        """-1: none yet."""
        self._saved: SavedSession | None = None
        self._holder: object = None
        """The owner of the run in the file."""
        self._previous: object = None
        """The owner in front before a claim."""
        self._mutex = threading.RLock()

    @property
    def path(self) -> Path:
        """The file of this session, once there is one."""
        return self.folder / f"{self._name}{SUFFIX}"

    def holds(self, owner: object) -> bool:
        """Whether the run in the file is this owner's."""
        return self._holder is owner

    def adopt(self, owner: object) -> bool:
        """Make a claimed session the owner's, who must be in front; returns whether there was one."""
        with self._mutex:
            claimed = self._holder is None and self._saved is not None and self.front is owner
            if claimed:
                self._holder = owner
            return claimed

    def concerns(self, owner: object) -> bool:
        """Whether the owner's run is to be saved."""
        return owner in (self.front, self._holder)

    def new_recording(self) -> run_file.RecordingFile:
        """A new recording file of this session. Raises OSError."""
        with self._mutex:
            self._acquire()
            return run_file.RecordingFile(self.folder / f"{self._name}-{secrets.token_hex(4)}{RECORDING}")

    def write(self, owner: object, saved: SavedSession) -> None:
        """Write the file if the owner is in front, or its run is in the file. Raises BadInput or OSError; the previous
        file is then still there."""
        with self._mutex:
            if self.concerns(owner):
                self._acquire()
                self._write(msgspec.structs.replace(saved, client=self.client))
                self._holder = owner

    def _write(self, saved: SavedSession) -> None:
        written = msgspec.structs.replace(saved, run=run_file.encodable(saved.run))
        write_whole(self.path, msgspec.json.encode(written) + b"\n", synced=False)
        self._saved = saved

    def _acquire(self) -> None:
        """Create and lock a name for this process, and delete old sessions, unless that is done. Raises OSError."""
        while self._lock_fd < 0:
            access.make_folder(self.folder)
            name = secrets.token_hex(8)
            lock = self.folder / f"{name}{LOCK}"
            fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(fd)
                lock.unlink(missing_ok=True)
                raise
            if _is_at(fd, lock):
                self._lock_fd, self._name = fd, name
                tidy(self.folder)
            else:  # another process, tidying up, took it for the lock of a dead one
                os.close(fd)

    def claim(self, path: Path) -> Path:
        """Take over a session whose process has ended; returns its new path. Raises SessionTaken if another process
        has it, BadInput if the folder cannot be written."""
        with self._mutex:
            try:
                self._acquire()
                if _is_alive(path):
                    raise SessionTaken(_("that session is still running elsewhere"))
                path.rename(self.path)
            except FileNotFoundError:
                raise SessionTaken(_("that session is already open elsewhere")) from None
            except OSError as error:
                raise BadInput(_("cannot resume that session: {why}").format(why=error.strerror or error)) from None
            self._previous, self.front, self._holder = self.front, None, None
            with contextlib.suppress(BadInput):
                self._saved = read(self.path)
            return self.path

    def claim_first(self) -> Path:
        """Claim the first resumable session that no other process takes meanwhile. Raises BadInput if there is none."""
        for each in resumable(self.folder, self.client):
            with contextlib.suppress(SessionTaken):
                return self.claim(each.run.path)
        raise BadInput(_("no interrupted session to resume"))

    def give_back(self) -> None:
        """Undo a claim: the session could not be opened."""
        with self._mutex:
            with contextlib.suppress(OSError):
                self.path.rename(self.folder / f"{secrets.token_hex(8)}{SUFFIX}")
            self.front, self._saved = self._previous, None

    def close(self, quit: bool) -> None:
        """Release the lock at the end of the process, and note whether the user has `quit`. Failures are ignored."""
        with self._mutex:
            if self._lock_fd < 0:
                return
            if quit and self._saved is not None:
                with contextlib.suppress(BadInput, OSError):
                    self._write(msgspec.structs.replace(self._saved, ended="quit"))
            if self._saved is None:
                with contextlib.suppress(OSError):
                    (self.folder / f"{self._name}{LOCK}").unlink(missing_ok=True)
            os.close(self._lock_fd)
            self._lock_fd = -1


def _is_at(fd: int, path: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False


def tidy(folder: Path) -> None:
    """Delete old sessions, and the leftovers of deleted ones. Files that cannot be deleted stay."""
    now = time.time()
    ages: list[tuple[float, Path]] = []
    for path in _files(folder, SUFFIX):
        with contextlib.suppress(OSError):
            if not _is_alive(path):
                ages.append((now - path.stat().st_mtime, path))
    for place, (age, path) in enumerate(sorted(ages, key=lambda each: each[0])):
        if place >= MOST or age > OLDEST:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
    for path in _leftovers(folder):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _leftovers(folder: Path) -> Iterator[Path]:
    """Recordings without a session, locks without one, and files whose writing was interrupted."""
    recordings = {}
    for path in _files(folder, RECORDING):
        with contextlib.suppress(OSError):
            if not _is_alive(path):
                recordings[path.name] = path
    needed = set()
    for path in _files(folder, SUFFIX) if recordings else ():
        with contextlib.suppress(BadInput):
            needed.add(read(path).tape)
    yield from (path for name, path in recordings.items() if name not in needed)
    for path in _files(folder, LOCK):
        with contextlib.suppress(OSError):
            if not _is_alive(path) and not path.with_suffix(SUFFIX).exists():
                yield path
    with contextlib.suppress(OSError):
        for path in folder.glob(f".*{SUFFIX}.*"):
            with contextlib.suppress(OSError):
                if not _is_alive(path.with_name(path.name[1:])):
                    yield path
