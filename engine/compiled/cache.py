"""The directories that hold compiled kernels: one that this user writes, and those an administrator has warmed up for
all users.

numba notices a change in the file of a kernel, but not in the files of the functions it calls or the constants it
uses. So each cache directory has a subdirectory for one version of the engine's sources: after any change everything
is compiled again.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import grp
import hashlib
import os
import pwd
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import platformdirs

KEPT_VERSIONS = 4
"""Versions of the sources whose caches are kept, the current one included, beside all that are in use."""

LOCK_PATIENCE = 10.0
"""Seconds for which a process waits for another that writes into the cache."""

SHARED_VARIABLE = "SUDOKU_TUI_KERNELS"
"""Environment variable: directories that an administrator has warmed up, separated by colons."""
SYSTEM_DIRECTORY = Path("/var/cache/sudoku-tui")
"""Another such directory."""
WARMUP_VARIABLE = "SUDOKU_TUI_WARMUP"
"""Environment variable: set while everything is compiled into one directory, so that no other is read."""


class CacheDirectories(NamedTuple):
    """Directories for kernels compiled from the current sources."""

    own: Path | None
    """Read and written; None if no directory can be written."""
    shared: tuple[Path, ...]
    """Read only."""


def find_directories() -> CacheDirectories:
    """The cache directories of this user, made if they are missing.

    `own` is the first that can be written: below NUMBA_CACHE_DIR, the user's cache directory or a private temporary
    directory. `shared` are those that exist: below NUMBA_CACHE_DIR (if it is not `own`), $SUDOKU_TUI_KERNELS, the
    installation, /var/cache. A directory that another user could have written is never used.
    """
    version = fingerprint()
    numba_directory = os.environ.get("NUMBA_CACHE_DIR")
    given = [Path(numba_directory)] if numba_directory else []
    own = next((directory for top in [*given, *_user_directories()]
                if _is_writable(directory := _version_directory(top, version))), None)
    if own is not None:
        with contextlib.suppress(OSError):
            os.utime(own)  # `_prune` removes the least recently used
        if own not in [_version_directory(top, version) for top in given]:
            _prune(own)
    if os.environ.get(WARMUP_VARIABLE):
        return CacheDirectories(own, ())
    named = [Path(name) for name in os.environ.get(SHARED_VARIABLE, "").split(os.pathsep) if name]
    tops = [*given, *named, installation_directory(), SYSTEM_DIRECTORY]
    shared = dict.fromkeys(_version_directory(top, version) for top in tops)
    return CacheDirectories(own, tuple(each for each in shared if each != own and _is_readable(each)))


def export_directories(directories: CacheDirectories) -> None:
    """Let child processes use the same directories, through the environment."""
    if directories.own is not None:
        os.environ["NUMBA_CACHE_DIR"] = str(directories.own)
    if directories.shared:
        os.environ[SHARED_VARIABLE] = os.pathsep.join(map(str, directories.shared))


def installation_directory() -> Path:
    """The shared directory inside this installation, found by all its users."""
    return Path(sys.prefix) / "share" / "sudoku-tui" / "kernels"


def fingerprint() -> str:
    """The version of the engine's sources: 16 hexadecimal digits, a hash of all of them."""
    engine = Path(__file__).parents[1]
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(engine.rglob("*.py")):
        name = source.relative_to(engine)
        if name.parts[0] != "_puzzles":
            digest.update(f"{name.as_posix()}\0".encode() + source.read_bytes() + b"\0")
    return digest.hexdigest()


def make_readable(directory: Path) -> None:
    """Let every user read a cache, and only its owner write it."""
    for path in (directory, *directory.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _version_directory(top: Path, version: str) -> Path:
    """The subdirectory of a version. A child process gets the subdirectory from its parent as `top`, and shares it."""
    return top if top.name == version else top / version


def _user_directories() -> Iterator[Path]:
    with contextlib.suppress(RuntimeError):  # no HOME and no entry in the user database
        yield Path(platformdirs.user_cache_dir("sudoku-tui")) / "numba"
    with contextlib.suppress(OSError):  # no temporary directory
        yield Path(tempfile.gettempdir()) / f"sudoku-tui-{os.getuid()}" / "numba"


def _is_writable(directory: Path) -> bool:
    """Make the directory if it is missing; true if it can be written, and only by this user and root."""
    try:
        for each in (*reversed(directory.parents), directory):
            if not each.exists():
                each.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return untrusted_path(directory) is None
    except OSError:
        return False


def _is_readable(directory: Path) -> bool:
    """True if the directory exists and no other user could have written it."""
    try:
        return directory.is_dir() and untrusted_path(directory) is None
    except OSError:
        return False


# Locks between processes


def mark_in_use(directory: Path) -> None:
    """Keep other processes from removing a cache until this process ends."""
    with contextlib.suppress(OSError):
        fcntl.flock(_open_use_lock(directory), fcntl.LOCK_SH | fcntl.LOCK_NB)


@contextlib.contextmanager
def write_lock(directory: Path, name: str = "lock") -> Iterator[bool]:
    """Exclude other processes from writing into a cache; True if they are excluded, or files cannot be locked here.

    False after LOCK_PATIENCE seconds in which another process held the lock: it may have been stopped, or hang. numba
    numbers the compiled forms of a kernel. Two processes that compile two forms at once could take the same number,
    and each would load the code of the other: write nothing into the cache without the lock.
    """
    with contextlib.ExitStack() as held:
        excluded = True
        with contextlib.suppress(OSError):
            excluded = _locked(held.enter_context((directory / name).open("a")))
        yield excluded


def _locked(file: IO[str]) -> bool:
    """Lock a file; False if another process holds the lock all the time. The next time that file is not waited for."""
    until = time.monotonic() + (0 if file.name in _given_up else LOCK_PATIENCE)
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                _given_up.add(file.name)
                return False
            time.sleep(0.05)


_given_up: set[str] = set()
"""Locks that were not free within LOCK_PATIENCE."""


def _prune(own: Path) -> None:
    """Remove the least recently used caches beside `own`, except those that a process uses now."""
    try:
        others = [each for each in own.parent.iterdir() if each.is_dir() and each != own]
        by_use = sorted(others, key=lambda directory: directory.stat().st_mtime)
    except OSError:
        return
    for directory in by_use[:max(0, len(by_use) - (KEPT_VERSIONS - 1))]:
        with contextlib.suppress(OSError):  # it cannot be locked, or another process uses it
            lock = _open_use_lock(directory)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(directory, ignore_errors=True)
            finally:
                os.close(lock)


def _open_use_lock(directory: Path) -> int:
    return os.open(directory / "in-use", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


# Trust. numba's cache files are pickles: a user who can write one can run any code as the user who loads it.


def untrusted_path(directory: Path) -> Path | None:
    """The first path that a user other than root and this one could have written or replaced: among the parents of a
    directory, the directory and all below it. None if there is none.

    Raises OSError for a path that cannot be examined.
    """
    lexical, real = Path(os.path.abspath(directory)), Path(os.path.realpath(directory))
    for each in dict.fromkeys([*reversed(lexical.parents), lexical, *reversed(real.parents), real]):
        facts = each.lstat()
        if not _is_trusted(facts, sticky_is_safe=each not in (lexical, real)):
            return each
    if not real.stat().st_mode & 0o077:
        return None  # no other user can reach its contents
    return next((path for path, facts in _walk(real) if stat.S_ISLNK(facts.st_mode) or not _is_trusted(facts)), None)


def _walk(directory: Path) -> Iterator[tuple[Path, os.stat_result]]:
    pending = [directory]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                yield Path(entry.path), entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))


def _is_trusted(facts: os.stat_result, sticky_is_safe: bool = False) -> bool:
    """True if only root and this user can write. `sticky_is_safe`: accept a directory such as /tmp, where all users
    may add files and none can replace those of another."""
    if facts.st_uid not in (0, os.getuid()):
        return False
    if stat.S_ISLNK(facts.st_mode) or (sticky_is_safe and facts.st_mode & stat.S_ISVTX):
        return True
    return not facts.st_mode & stat.S_IWOTH and (not facts.st_mode & stat.S_IWGRP or _is_private_group(facts.st_gid))


@functools.cache
def _is_private_group(group: int) -> bool:
    """True if root and this user are the only members. Many systems give every user a group of the same name, and
    make the user's files writable for it."""
    try:
        named, user = grp.getgrgid(group), pwd.getpwuid(os.getuid()).pw_name
        owner = pwd.getpwnam(named.gr_name)
    except KeyError:
        return group == 0
    return owner.pw_gid == group and owner.pw_uid in (0, os.getuid()) and set(named.gr_mem) <= {user, "root"}
