"""Progress files: the answers of each learner in hands on, counted by solver and kind of question.

A file has a heading and a line of JSON for each solver and kind, so that damage costs the damaged lines only. A process
collects answers in memory and adds them to the file under a lock that it holds for that long: of several processes none
writes a total that another has changed meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.errors import BadInput
from engine.files import access
from engine.files.atomic import write_whole
from engine.teaching.progress import Answered, Progress, Score, is_name, with_answers, without
from engine.view import Sentence
from tui import WEB_DRIVER, messages
from tui.config import paths
from tui.i18n import _
from tui.storage import sessions
from tui.storage.autosave import reason

FORMAT, VERSION = "sudoku-tui progress", 1
SUFFIX, LOCK, DAMAGED = ".jsonl", "lock", ".damaged"
OWN, CLIENT = "own", "client-"
"""Names of files: of the owner of the account, and of the clients of a kiosk."""
LARGEST = 2**22
"""Bytes of a file that are read."""
MOST = 1000
"""Clients of a kiosk whose progress is kept."""
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)
"""Errors of the decoder."""
LONGEST_WAIT = 2.0
"""Seconds that a process waits for the lock, which others hold for some milliseconds."""


class Heading(Struct, frozen=True):
    """The first line of a file."""

    format: str
    version: int
    client: str = ""
    """The address of the learner in a kiosk."""


class Line(Score, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other line."""

    solver: str
    kind: str


class SavedProgress(Struct, frozen=True):
    """The contents of a file."""

    progress: Progress
    damaged: int = 0
    """Lines that cannot be read."""


def learner(environment: Mapping[str, str]) -> str | None:
    """The learner at this terminal: empty for the owner of the account, in a kiosk the address of the SSH client. None
    in a browser that shows a kiosk: nothing tells its learners apart."""
    if access.kiosk() is None:
        return ""
    return None if environment.get("TEXTUAL_DRIVER") == WEB_DRIVER else sessions.client(environment)


def read(path: Path) -> SavedProgress:
    """Read a file; a missing one is empty. Raises OSError, and BadInput if it is of a later version."""
    try:
        with access.open_file(path) as file:
            lines = file.read(LARGEST).splitlines()
    except FileNotFoundError:
        return SavedProgress({})
    found: dict[tuple[str, str], Score] = {}
    damaged = int(bool(lines) and not _is_heading(lines[0], path))
    for line in lines[1:]:
        each = _decoded(line)
        if each is None or (each.solver, each.kind) in found:
            damaged += 1
        else:
            found[each.solver, each.kind] = Score(each.asked, each.right, each.best, each.recent, each.last)
    return SavedProgress(found, damaged)


def _is_heading(line: bytes, path: Path) -> bool:
    """Test that a line is a heading. Raises BadInput for that of a later version."""
    try:
        heading = msgspec.json.decode(line, type=Heading)
    except UNREADABLE:
        return False
    if heading.format == FORMAT and heading.version != VERSION:
        raise BadInput(_("{path} is of a version of the program that this one cannot read").format(path=path))
    return heading.format == FORMAT


def _decoded(line: bytes) -> Line | None:
    """A line after the heading; None if it is damaged."""
    try:
        each = msgspec.json.decode(line, type=Line)
    except UNREADABLE:
        return None
    return each if each.is_sound and is_name(each.solver) and is_name(each.kind) else None


def encoded(progress: Progress, client: str) -> bytes:
    """The contents of a file."""
    lines = [Line(solver=solver, kind=kind, **msgspec.structs.asdict(score))
             for (solver, kind), score in sorted(progress.items())]
    return b"".join(msgspec.json.encode(each) + b"\n" for each in (Heading(FORMAT, VERSION, client), *lines))


class ProgressStore:
    """The progress of the learner at this terminal. Its methods may be called from any thread."""

    def __init__(self, learner: str | None = "", folder: Path | None = None, *, enabled: bool = True) -> None:
        """`learner`: as `learner` returns it; None, or not `enabled`: answers are counted until the program ends, and
        none is saved."""
        self.folder = paths.progress() if folder is None else folder
        self._client = learner or ""
        self._reads, self._writes = learner is not None, enabled and learner is not None
        self._answers: list[Answered] = []
        """Not saved yet."""
        self._failed = self._tidied = False
        self._adding, self._saving = threading.Lock(), threading.RLock()

    @property
    def path(self) -> Path:
        """The file of the learner."""
        name = CLIENT + hashlib.sha256(self._client.encode()).hexdigest()[:16] if self._client else OWN
        return self.folder / f"{name}{SUFFIX}"

    @property
    def is_due(self) -> bool:
        """Whether there is something to save."""
        return self._writes and bool(self._answers)

    def counter(self, solver: str) -> Callable[[str, bool], None]:
        """A function that counts an answer to a question of this solver, for `HandsOn`; it reads and writes no file."""
        def count(kind: str, right: bool) -> None:
            with self._adding:
                self._answers.append(Answered(solver, kind, right, date.today()))

        return count

    def read(self) -> SavedProgress:
        """The saved answers and those since then. Raises BadInput."""
        with self._saving:
            try:
                saved = read(self.path) if self._reads else SavedProgress({})
            except OSError as error:
                raise BadInput(_("cannot read {path}: {why}").format(
                    path=self.path, why=error.strerror or error)) from None
            with self._adding:
                return SavedProgress(with_answers(saved.progress, self._answers), saved.damaged)

    def save(self) -> Sentence | None:
        """Add the answers since the last time to the file. Returns a message for the first failure in a row, after
        which the answers wait for the next time, and for a damaged file."""
        with self._saving:
            with self._adding:
                answers = tuple(self._answers)
            if not self._writes or not answers:
                return None
            try:
                damaged = self._change(lambda progress: with_answers(progress, answers))
            except (BadInput, OSError) as error:
                failed_before, self._failed = self._failed, True
                return None if failed_before else messages.progress_not_saved(reason(error, self.folder))
            self._failed = False
            self._forget(len(answers))
            return messages.progress_damaged(damaged, f"{self.path}{DAMAGED}") if damaged else None

    def reset(self, solver: str = "") -> None:
        """Delete the saved progress in a solver, or all. Raises BadInput."""
        with self._saving:
            if not self._reads:
                return
            try:
                self._change(lambda progress: without(progress, solver))
            except OSError as error:
                raise BadInput(reason(error, self.folder)) from None

    def _forget(self, count: int) -> None:
        with self._adding:
            del self._answers[:count]

    def _change(self, change: Callable[[Progress], Progress]) -> int:
        """Change the file; returns the number of lines that could not be read, which stay in a file beside it. Raises
        BadInput and OSError; the file is then as it was."""
        with _locked(self.folder):
            self._tidy()
            found = read(self.path)
            data = encoded(change(found.progress), self._client)
            if found.damaged:
                write_whole(f"{self.path}{DAMAGED}", access.read_bytes(self.path), synced=False)
            write_whole(self.path, data, synced=False)
            return found.damaged

    def _tidy(self) -> None:
        """Delete files whose writing was interrupted, and the oldest files of clients beyond the most that are kept.
        Call with the lock."""
        if self._tidied:
            return
        self._tidied = True
        with contextlib.suppress(OSError):
            clients = sorted(self.folder.glob(f"{CLIENT}*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)
            for path in (*self.folder.glob(f".*{SUFFIX}.*"), *clients[MOST:]):
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which is created if there is none. Raises OSError, and BadInput if another process
    holds the lock for too long."""
    with access.folder(folder, make=True) as opened:
        lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=opened)
    try:
        _wait_for(lock, folder)
        yield
    finally:
        os.close(lock)


def _wait_for(lock: int, folder: Path) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise BadInput(_("{folder}: another process is writing there").format(folder=folder)) from None
            time.sleep(0.01)
