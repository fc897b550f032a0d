"""Where compiled kernels are kept. numba refuses a cache directory it cannot write, so one that can be is looked for.

An administrator compiles once into a shared directory (`sudoku-tui warmup --cache-dir`) and sets NUMBA_CACHE_DIR for
everybody. Whoever cannot write there gets a copy of it in a directory of their own.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

import platformdirs


def choose() -> Path | None:
    """NUMBA_CACHE_DIR, the user's cache directory, a private temporary one, or None when none can be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    shared = Path(given) if given else None
    if shared is not None and _writable(shared):
        return shared
    for folder in (Path(platformdirs.user_cache_dir("sudoku-tui")) / "numba", _temporary()):
        if folder is not None and _writable(folder):
            if shared is not None:
                _adopt(shared, folder)
            return folder
    return None


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
