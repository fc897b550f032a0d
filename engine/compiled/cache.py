"""Where compiled kernels are kept: one directory that this user writes, and those that an administrator has warmed up
for everybody.

numba notices a change only in the very file of a kernel, not in those whose functions it calls or whose constants it
takes in. So each directory has one for these sources alone: whatever changes in the engine, everything is compiled
again.
"""

from __future__ import annotations

import contextlib
import fcntl
import grp
import hashlib
import os
import pwd
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

# Whether a directory is in nobody else's hands. Compiled code is pickled, and whoever can write a pickle that
# another one reads can have anything done in their name.


def distrusted(folder: Path) -> Path | None:
    """What of a directory, of those above it or of all below it somebody else than root or this user could have
    written or exchanged: it belongs to them, or its mode lets them. None where there is nothing of the kind.

    Raises OSError for what cannot be looked at.
    """
    lexical, real = Path(os.path.abspath(folder)), Path(os.path.realpath(folder))
    for each in dict.fromkeys([*reversed(lexical.parents), lexical, *reversed(real.parents), real]):
        facts = each.lstat()
        if not _trusted(facts, sticky=each not in (lexical, real)):
            return each
    if not real.stat().st_mode & 0o077:
        return None  # nobody else comes to what is in it
    return next((path for path, facts in _below(real) if stat.S_ISLNK(facts.st_mode) or not _trusted(facts)), None)


def _below(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield Path(entry.path), entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))


def _trusted(facts: os.stat_result, sticky: bool = False) -> bool:
    """`sticky`: of a directory where everybody may add files and nobody exchange those of others, as /tmp."""
    if facts.st_uid not in (0, os.getuid()):
        return False
    if stat.S_ISLNK(facts.st_mode) or (sticky and facts.st_mode & stat.S_ISVTX):
        return True
    return not facts.st_mode & stat.S_IWOTH and (not facts.st_mode & stat.S_IWGRP or _alone_in(facts.st_gid))


@cache
def _alone_in(group: int) -> bool:
    """Whether a group has no other member than root or this user: many systems give every user a group of the same
    name, and let it write what they make."""
    try:
        named, user = grp.getgrgid(group), pwd.getpwuid(os.getuid()).pw_name
        owner = pwd.getpwnam(named.gr_name)
    except KeyError:
        return group == 0
    return owner.pw_gid == group and owner.pw_uid in (0, os.getuid()) and set(named.gr_mem) <= {user, "root"}


KEEP = 4
"""Caches of that many versions of the sources are kept, this one included, and every one that is in use."""
SHARED = "SUDOKU_TUI_KERNELS"
"""The environment variable that names directories (parted by colons) that an administrator has warmed up."""
USUAL = Path("/var/cache/sudoku-tui")
"""Where one of them may be besides."""


ANEW = "SUDOKU_TUI_WARMUP"
"""The environment variable that is set while everything is compiled into a directory: no other is read."""


class Places(NamedTuple):
    """Directories of kernels that are compiled from these sources."""

    own: Path | None
    """Where this user's are written and read; None where none can be written."""
    shared: tuple[Path, ...]
    """Where others are read."""


def choose() -> Places:
    """A directory below NUMBA_CACHE_DIR, the user's cache directory or a private temporary one, the first that can be
    written; and of SUDOKU_TUI_KERNELS, the one beside the installation, that in /var/cache (and NUMBA_CACHE_DIR, if it
    is not written) those that are there. Never one that somebody else could have written."""
    version = fingerprint()
    given = os.environ.get("NUMBA_CACHE_DIR")
    tops = [Path(given)] if given else []
    own = next((folder for top in [*tops, *_users()] if _writable(folder := _of(top, version))), None)
    if own is not None:
        with contextlib.suppress(OSError):
            os.utime(own)  # the time by which `_prune` knows what was not used for longest
        if not (given and own == _of(Path(given), version)):
            _prune(own)
    if os.environ.get(ANEW):
        return Places(own, ())
    named = [Path(name) for name in os.environ.get(SHARED, "").split(os.pathsep) if name]
    shared = dict.fromkeys(_of(top, version) for top in [*tops, *named, beside(), USUAL])
    return Places(own, tuple(folder for folder in shared if folder != own and _readable(folder)))


def hold(folder: Path) -> None:
    """Keep other processes from removing a cache for as long as this one lasts."""
    with contextlib.suppress(OSError):
        fcntl.flock(_open_lock(folder), fcntl.LOCK_SH | fcntl.LOCK_NB)


def hand_on(places: Places) -> None:
    """Have the processes that this one starts use the same."""
    if places.own is not None:
        os.environ["NUMBA_CACHE_DIR"] = str(places.own)
    if places.shared:
        os.environ[SHARED] = os.pathsep.join(map(str, places.shared))


def open_to_all(folder: Path) -> None:
    """Let everybody read what was compiled into a directory, and only its owner write it."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def beside() -> Path:
    """The directory that belongs to this installation: all who use it find it there."""
    return Path(sys.prefix) / "share" / "sudoku-tui" / "kernels"


@contextlib.contextmanager
def alone(folder: Path, name: str = "lock") -> Iterator[None]:
    """While one process writes into a cache, others wait; where files cannot be locked, they do not. `name`: of the
    lock, where it is for something of its own.

    numba gives each form of a kernel the first number that is free. Two processes that compiled two forms at once
    could be given the same, and the one's code would be found under the other's name.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            fcntl.flock(held.enter_context((folder / name).open("a")), fcntl.LOCK_EX)
        yield


def fingerprint() -> str:
    """Sixteen hexadecimal digits that stand for all sources of the engine: a kernel has the constants compiled in that
    it takes from any of them."""
    engine = Path(__file__).parents[1]
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(engine.rglob("*.py")):
        name = source.relative_to(engine)
        if name.parts[0] != "_puzzles":
            digest.update(f"{name.as_posix()}\0".encode() + source.read_bytes() + b"\0")
    return digest.hexdigest()


def _of(top: Path, version: str) -> Path:
    """The directory of these sources below another one. A process that another one of ours has started is given the
    very directory that was chosen there: they share it."""
    return top if top.name == version else top / version


def _users() -> Iterator[Path]:
    """Where this user's own may be."""
    with contextlib.suppress(RuntimeError):  # without HOME and without an entry among the users
        yield Path(platformdirs.user_cache_dir("sudoku-tui")) / "numba"
    with contextlib.suppress(OSError):  # there is no temporary directory either
        yield Path(tempfile.gettempdir()) / f"sudoku-tui-{os.getuid()}" / "numba"


def _prune(own: Path) -> None:
    """Remove the caches beside this one that were not used for longest, but none that a process uses now."""
    try:
        others = [folder for folder in own.parent.iterdir() if folder.is_dir() and folder != own]
        used = sorted(others, key=lambda folder: folder.stat().st_mtime)
    except OSError:
        return
    for folder in used[:max(0, len(used) - (KEEP - 1))]:
        with contextlib.suppress(OSError):  # it cannot be locked, or a process holds it
            lock = _open_lock(folder)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _open_lock(folder: Path) -> int:
    """A descriptor of the file by which processes tell each other that they use a cache."""
    return os.open(folder / "in-use", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _writable(folder: Path) -> bool:
    """Whether it can be written, and by nobody else: compiled code must not come from anybody else's hands."""
    try:
        for each in (*reversed(folder.parents), folder):
            if not each.exists():
                each.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return distrusted(folder) is None
    except OSError:
        return False


def _readable(folder: Path) -> bool:
    """Whether there is such a directory that nobody else can have written."""
    try:
        return folder.is_dir() and distrusted(folder) is None
    except OSError:
        return False


# numba's cache of one function: read from several directories, written into one of them or into none. numba knows
# one directory, which must be writable. Here what an administrator has compiled is read where it lies, and what a
# user compiles besides goes into a directory of their own. Whatever is wrong with a file, the function is compiled
# anew.


caching: Any = import_module("numba.core.caching")
"""Which of it is typed depends on numba's version."""


refused: list[OSError] = []
"""Why what was compiled could not be kept, the first time."""


class _Somewhere(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]
    """A function's place below whichever directory: that of its source file."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file, self._lineno = source, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Somewhere:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self) -> None:
        """Nothing: the directory is made when there is something to write."""


class _Form(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Somewhere,)


@contextmanager
def _noting() -> Iterator[None]:
    """What cannot be written is noted, and all goes on."""
    try:
        yield
    except OSError as error:
        if not refused:
            refused.append(error)


class _Files:
    """The files of one function in all directories, in the place of numba's `IndexDataCacheFile`."""

    def __init__(self, place: str, own: Path | None, shared: Sequence[Path],
                 files: Callable[[str], Any]) -> None:
        """`files`: numba's files in a directory."""
        self._own, self._place = own, place
        self._written: Any = None if own is None else files(str(own / place))
        self._read = [*([] if self._written is None else [self._written]),
                      *(files(str(folder / place)) for folder in shared)]

    def load(self, key: Any) -> Any:
        """What was compiled for this form, by this version of numba and for this processor; None if nothing was."""
        for each in self._read:
            with suppress(Exception):  # a file that was cut short may raise anything when it is unpickled
                data = each.load(key)
                if data is not None:
                    return data
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep it, one process at a time. What is compiled is of use also where it cannot be kept: the disk may be
        full."""
        if self._own is None:
            return
        with _noting(), alone(self._own):
            os.makedirs(self._own / self._place, exist_ok=True)
            try:
                self._written.save(key, data)
            except OSError:
                raise
            except Exception:  # an index that was cut short
                self._written.flush()
                with suppress(Exception):
                    self._written.save(key, data)


class KernelFiles(caching.FunctionCache):  # type: ignore[misc]
    """What numba asks for compiled forms of a function, and gives new ones to."""

    _impl_class = _Form

    def __init__(self, function: Callable[..., Any], own: Path | None, shared: Sequence[Path]) -> None:
        super().__init__(function)
        stamp, name = self._impl.locator.get_source_stamp(), self._impl.filename_base
        self._cache_file = _Files(self._cache_path, own, shared,
                                  lambda folder: caching.IndexDataCacheFile(folder, name, stamp))
