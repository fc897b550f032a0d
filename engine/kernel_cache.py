"""Where compiled kernels are kept. numba refuses a cache directory it cannot write, so one that can be is looked for.

numba notices a change only in the very file of a kernel, not in those whose functions it calls. So the directory is
one for these sources alone: whatever changes in them, everything is compiled anew.

An administrator compiles once into a shared directory (`sudoku-tui warmup --cache-dir`) and sets NUMBA_CACHE_DIR for
everybody. Whoever cannot write there gets a copy of it in a directory of their own.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

KEEP = 4
"""Caches of that many versions of the sources are kept, this one included."""


def choose() -> Path | None:
    """A directory below NUMBA_CACHE_DIR, the user's cache directory or a private temporary one; None when none of them
    can be written."""
    version = fingerprint()
    shared = _given(version)
    if shared is not None and _writable(shared):
        _drop_damaged(shared)
        return shared
    for top in (Path(platformdirs.user_cache_dir("sudoku-tui")) / "numba", _temporary()):
        if top is not None and _writable(top / version):
            if shared is not None:
                _adopt(shared, top / version)
            _drop_damaged(top / version)
            _prune(top)
            return top / version
    return None


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
    """Sixteen hexadecimal digits that stand for everything that is compiled."""
    engine = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted([engine / "jit.py", engine / "rng.py", *(engine / "exact").rglob("*.py"),
                          *(engine / "solvers").rglob("*.py")]):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _given(version: str) -> Path | None:
    """The directory of these sources below NUMBA_CACHE_DIR. A process that another one of ours has started is given
    the very directory that was chosen there: they share it."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if not given:
        return None
    return Path(given) if Path(given).name == version else Path(given) / version


def _drop_damaged(folder: Path) -> None:
    """Remove files that were cut short (a power cut, a full disk): numba would stumble over them for ever, and makes
    anew what is missing.

    What numba writes are pickles, and a whole pickle ends in a point.
    """
    try:
        for path in (*folder.rglob("*.nbi"), *folder.rglob("*.nbc")):
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                whole = file.read(1) == b"."
            if not whole:
                path.unlink()
    except OSError:
        return


def _prune(top: Path) -> None:
    """Remove the caches of versions that were not used for longest."""
    try:
        folders = [folder for folder in top.iterdir() if folder.is_dir()]
        used = sorted(folders, key=lambda folder: folder.stat().st_mtime)
    except OSError:
        return
    for folder in used[:-KEEP]:
        shutil.rmtree(folder, ignore_errors=True)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _temporary() -> Path | None:
    """A directory that belongs to this user alone: compiled code must not come from anybody else's hands."""
    user = getattr(os, "getuid", lambda: 0)()
    top = Path(tempfile.gettempdir()) / f"sudoku-tui-{user}"
    try:
        top.mkdir(mode=0o700, exist_ok=True)
        facts = top.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(facts.st_mode) and facts.st_uid == user and not facts.st_mode & 0o022
    return top / "numba" if private else None


def _adopt(shared: Path, folder: Path) -> None:
    """Copy what the shared directory has and the user's has not; what cannot be copied is compiled anew."""
    try:
        for source in sorted(shared.rglob("*")):
            target = folder / source.relative_to(shared)
            if source.is_dir():
                target.mkdir(exist_ok=True)
            elif not target.exists():
                shutil.copy2(source, target)
    except (OSError, shutil.Error):
        return
