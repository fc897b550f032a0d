"""The only access to the user's files. In a kiosk it is restricted to one directory.

Every file that a user names or that is saved for one is opened, listed and written through these functions. Without a
kiosk they do the same as Python's own.

In a kiosk a path is first checked as written, without looking at the disk, so that a refusal says nothing about files
outside. Links inside the directory are followed as long as they stay in it. The file is then opened relative to the
directory, folder by folder, without following links, so that a link put in its place meanwhile is not followed either.
Only regular files are opened.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, TextIO, cast

from engine.errors import BadInput

PRIVATE: Final = ".cache"
"""The folder of a kiosk that cannot be named: compiled code is loaded from it."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

AnyPath = str | os.PathLike[str]


class Refused(BadInput):
    """A path outside the directory of the kiosk; the message does not say whether it exists."""


class _Kiosk(NamedTuple):
    """The directory of the kiosk."""

    named: str
    """The path as given, made absolute."""
    real: str
    """The path without links."""
    fd: int


_kiosk: _Kiosk | None = None
_local = threading.local()


def restrict_to(directory: AnyPath) -> None:
    """Restrict all access to this directory from now on. Raises OSError if it cannot be opened."""
    global _kiosk  # noqa: PLW0603 - one kiosk a process
    real = os.path.realpath(directory)
    _kiosk = _Kiosk(os.path.abspath(directory), real, os.open(real, _FOLDER))


@contextlib.contextmanager
def restricted_to(directory: AnyPath) -> Iterator[None]:
    """`restrict_to` for the length of a `with` block."""
    global _kiosk  # noqa: PLW0603
    before = _kiosk
    restrict_to(directory)
    try:
        yield
    finally:
        if _kiosk is not None:
            os.close(_kiosk.fd)
        _kiosk = before


def kiosk() -> Path | None:
    """The directory of the kiosk; None without one."""
    return None if _kiosk is None else Path(_kiosk.real)


def is_checked() -> bool:
    """True if this thread is opening a path that has been checked; for the audit hook of the kiosk."""
    return getattr(_local, "checked", False)


def refused(path: AnyPath) -> Refused:
    """The error for a path outside."""
    text = os.fspath(path)
    shown = text if text.isprintable() else repr(text)
    return Refused(f"{shown}: this is a kiosk: files are in {_kiosk.real if _kiosk else ''}")


def checked(path: AnyPath) -> Path:
    """The path as given. Raises Refused for one outside."""
    if _kiosk is not None:
        _parts(path)
    return Path(path)


def allows(path: AnyPath) -> bool:
    """True if the path is inside, or there is no kiosk."""
    try:
        checked(path)
    except Refused:
        return False
    return True


def target(path: AnyPath) -> Path:
    """The path without links. Raises Refused for one outside."""
    if _kiosk is None:
        return Path(os.path.realpath(path))
    return Path(_kiosk.real, *_parts(path))


def _parts(path: AnyPath) -> tuple[str, ...]:
    """The components below the directory of the kiosk, without links. Raises Refused."""
    assert _kiosk is not None
    text = os.fspath(path)
    if "\0" in text:
        raise refused(path)
    written = _within(os.path.abspath(text), _kiosk.real, _kiosk.named)
    if written is None:
        raise refused(path)
    real = _within(os.path.realpath(os.path.join(_kiosk.real, written)), _kiosk.real)
    if real is None:
        raise refused(path)
    for each in (written, real):
        if each.partition(os.sep)[0] == PRIVATE:
            raise refused(path)
    return tuple(part for part in real.split(os.sep) if part)


def _within(path: str, *folders: str) -> str | None:
    """The path relative to one of the folders; None if it is in none of them."""
    for folder in folders:
        if path == folder or path.startswith(folder + os.sep):
            return path[len(folder) + 1:]
    return None


# Opening


def open_file(path: AnyPath, mode: Literal["rb", "ab"] = "rb") -> BinaryIO:
    """`open` for bytes. Raises Refused; in a kiosk OSError for anything but a regular file."""
    checked(path)
    return open(path, mode, opener=None if _kiosk is None else _opened)


def open_text(path: AnyPath, mode: Literal["w", "x"]) -> TextIO:
    """`open` for writing text in UTF-8 with unchanged line ends. Raises as `open_file`."""
    checked(path)
    opener = None if _kiosk is None else _opened
    return cast(TextIO, open(path, mode, encoding="utf-8", newline="", opener=opener))


def read_bytes(path: AnyPath) -> bytes:
    """The content of a file. Raises as `open_file`."""
    with open_file(path) as file:
        return file.read()


def _opened(path: AnyPath, flags: int) -> int:
    """In a kiosk, the descriptor of a regular file, opened without following links."""
    parts = _parts(path)
    if not parts:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    with _checked_here(), _folder_of(parts[:-1]) as folder:
        fd = os.open(parts[-1], flags & ~os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666,
                     dir_fd=folder)
        try:
            _check_regular(fd, path, writing=bool(flags & (os.O_WRONLY | os.O_RDWR)))
            if flags & os.O_TRUNC:
                os.ftruncate(fd, 0)
        except BaseException:
            os.close(fd)
            raise
    return fd


def _check_regular(fd: int, path: AnyPath, writing: bool) -> None:
    """Refuse pipes and devices, and writing to a file with a second hard link, which may lie outside."""
    facts = os.fstat(fd)
    if stat.S_ISDIR(facts.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
    if writing and facts.st_nlink > 1:
        raise OSError(errno.EMLINK, "it has several names", os.fspath(path))


@contextlib.contextmanager
def folder(path: AnyPath, *, make: bool = False) -> Iterator[int]:
    """A descriptor of a folder, for operations on the files in it. `make` creates missing folders. Raises Refused, and
    OSError if there is no such folder."""
    if _kiosk is None:
        if make:
            os.makedirs(path, exist_ok=True)
        fd = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield fd
        finally:
            os.close(fd)
        return
    with _folder_of(_parts(path), make) as fd, _checked_here():
        yield fd


@contextlib.contextmanager
def _folder_of(parts: tuple[str, ...], make: bool = False) -> Iterator[int]:
    """A descriptor of a folder of the kiosk, reached without following links."""
    assert _kiosk is not None
    with _checked_here():
        fd = os.open(".", _FOLDER, dir_fd=_kiosk.fd)
        try:
            for part in parts:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=fd)
                inner = os.open(part, _FOLDER, dir_fd=fd)
                os.close(fd)
                fd = inner
        except BaseException:
            os.close(fd)
            raise
    try:
        yield fd
    finally:
        os.close(fd)


def make_folder(path: AnyPath) -> None:
    """Create a folder and its missing parents. Raises Refused and OSError."""
    with folder(path, make=True):
        pass


@contextlib.contextmanager
def _checked_here() -> Iterator[None]:
    """Mark what this thread opens in the block as checked."""
    before = is_checked()
    _local.checked = True
    try:
        yield
    finally:
        _local.checked = before


# Listing


def entries(path: AnyPath) -> list[tuple[str, bool]]:
    """(name, whether it is a folder) of the entries of a folder, sorted, without links that lead out of a kiosk. Raises
    Refused, and OSError if there is no such folder."""
    checked(path)
    with os.scandir(path) as found:
        return sorted((each.name, os.path.isdir(each.path)) for each in found if allows(each.path))
