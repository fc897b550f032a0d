"""The one door to the learner's files. In a kiosk it opens onto one directory, and nothing outside can be named.

Whatever a learner names and whatever is kept for one is opened, listed and written through these functions. Without a
kiosk they do what Python's own do.

A name is judged as it is written before the disk is asked anything, so that a refusal tells nothing about what is
outside. Links within the directory are followed as far as they stay there. Then the file is opened from the directory
on, folder by folder, and no link is followed any more: what was put in its place meanwhile is not opened either. What
was opened must be a regular file.
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
"""The folder of a kiosk that no learner can name: compiled code is read from it."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

AnyPath = str | os.PathLike[str]


class Refused(BadInput):
    """A name outside the kiosk's directory. It does not say whether there is such a file."""


class _Kiosk(NamedTuple):
    """The directory behind the door."""

    named: str
    """As it was given."""
    real: str
    """Without links."""
    fd: int


_kiosk: _Kiosk | None = None
_local = threading.local()


def close_to(directory: AnyPath) -> None:
    """From now on there are no files but in this directory. Raises OSError if it cannot be opened."""
    global _kiosk  # noqa: PLW0603 - there is one door
    real = os.path.realpath(directory)
    _kiosk = _Kiosk(os.path.abspath(directory), real, os.open(real, _FOLDER))


@contextlib.contextmanager
def closed_to(directory: AnyPath) -> Iterator[None]:
    """The same for the length of a `with` block."""
    global _kiosk  # noqa: PLW0603
    before = _kiosk
    close_to(directory)
    try:
        yield
    finally:
        if _kiosk is not None:
            os.close(_kiosk.fd)
        _kiosk = before


def kiosk() -> Path | None:
    """The kiosk's directory; None where there is no kiosk."""
    return None if _kiosk is None else Path(_kiosk.real)


def passing() -> bool:
    """Whether this thread is on its way through the door: what it opens now has been judged."""
    return getattr(_local, "passing", False)


def refused(path: AnyPath) -> Refused:
    """The sentence about a name."""
    text = os.fspath(path)
    shown = text if text.isprintable() else repr(text)
    return Refused(f"{shown}: this is a kiosk: files are in {_kiosk.real if _kiosk else ''}")


def checked(path: AnyPath) -> Path:
    """The path as it was given. Raises Refused for what is outside."""
    if _kiosk is not None:
        _parts(path)
    return Path(path)


def allows(path: AnyPath) -> bool:
    """Whether the path can be asked about at all."""
    try:
        checked(path)
    except Refused:
        return False
    return True


def target(path: AnyPath) -> Path:
    """The path without links. Raises Refused for what is outside."""
    if _kiosk is None:
        return Path(os.path.realpath(path))
    return Path(_kiosk.real, *_parts(path))


def _parts(path: AnyPath) -> tuple[str, ...]:
    """The names from the kiosk's directory on, without links. Raises Refused."""
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
    """The path from one of the folders on; None if it is in none of them."""
    for folder in folders:
        if path == folder or path.startswith(folder + os.sep):
            return path[len(folder) + 1:]
    return None


# Opening


def open_file(path: AnyPath, mode: Literal["rb", "ab"] = "rb") -> BinaryIO:
    """As `open`. Raises Refused, and in a kiosk OSError for what is no regular file."""
    checked(path)
    return open(path, mode, opener=None if _kiosk is None else _opened)


def open_text(path: AnyPath, mode: Literal["w", "x"]) -> TextIO:
    """The same for a text that is to be written, in UTF-8 and with its line ends as they are."""
    checked(path)
    opener = None if _kiosk is None else _opened
    return cast(TextIO, open(path, mode, encoding="utf-8", newline="", opener=opener))


def read_bytes(path: AnyPath) -> bytes:
    """All that is in a file. Raises as `open_file`."""
    with open_file(path) as file:
        return file.read()


def _opened(path: AnyPath, flags: int) -> int:
    """In a kiosk: the descriptor of a regular file, opened without following a link."""
    parts = _parts(path)
    if not parts:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    with _passed(), _walked(parts[:-1]) as folder:
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
    """Pipes and devices are not what they are called; and a file with a second name may have it outside."""
    facts = os.fstat(fd)
    if stat.S_ISDIR(facts.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
    if writing and facts.st_nlink > 1:
        raise OSError(errno.EMLINK, "it has several names", os.fspath(path))


@contextlib.contextmanager
def folder(path: AnyPath, *, make: bool = False) -> Iterator[int]:
    """A descriptor of a folder, for what is done to the files in it. `make`: it may not be there yet. Raises Refused,
    and OSError if there is none."""
    if _kiosk is None:
        if make:
            os.makedirs(path, exist_ok=True)
        fd = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield fd
        finally:
            os.close(fd)
        return
    with _walked(_parts(path), make) as fd, _passed():
        yield fd


@contextlib.contextmanager
def _walked(parts: tuple[str, ...], make: bool = False) -> Iterator[int]:
    """A descriptor of a folder of the kiosk, come to without following a link."""
    assert _kiosk is not None
    with _passed():
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
    """The folder and those above it, where they are missing. Raises Refused and OSError."""
    with folder(path, make=True):
        pass


@contextlib.contextmanager
def _passed() -> Iterator[None]:
    before = passing()
    _local.passing = True
    try:
        yield
    finally:
        _local.passing = before


# Looking


def entries(path: AnyPath) -> list[tuple[str, bool]]:
    """What is in a folder: (name, whether it is a folder), without what leads out of a kiosk. Raises Refused, and
    OSError if there is none."""
    checked(path)
    with os.scandir(path) as found:
        return sorted((each.name, os.path.isdir(each.path)) for each in found if allows(each.path))
