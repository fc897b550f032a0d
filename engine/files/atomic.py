"""Atomic writing: a file is written to a temporary file in the same folder, which then replaces it."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engine.errors import BadInput
from engine.files import access


def write_whole(path: Path | str, data: bytes, *, make_folder: bool = False, synced: bool = True) -> None:
    """Write a file atomically; when this returns, file and name are on the disk.

    `make_folder` creates missing folders. Without `synced` the write survives the end of the program, but perhaps not a
    power failure, and takes less time. Raises BadInput when the file cannot be written; it is then as it was.
    """
    with written_whole(path, make_folder=make_folder, synced=synced) as file:
        file.write(data)


@contextlib.contextmanager
def written_whole(path: Path | str, *, make_folder: bool = False, synced: bool = True) -> Iterator[BinaryIO]:
    """`write_whole` for a file written piece by piece: it is replaced when the block ends without an exception."""
    target = access.target(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise BadInput(f"cannot write {path}: expected a regular file, or a name that is free")
    # random, since two threads may write one file, and two hosts with the same process ids may share its folder
    temporary = f".{target.name}.{secrets.token_hex(6)}"
    try:
        with access.folder(target.parent, make=make_folder) as folder:
            try:
                with _created(temporary, folder) as file:
                    yield file
                    file.flush()
                    if synced:
                        os.fsync(file.fileno())
                os.replace(temporary, target.name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise
            if synced:
                _sync_folder(folder)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def _created(name: str, folder: int) -> BinaryIO:
    """A new file with the permissions of the user's new files; an existing file or link is an error."""
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder), "wb")


def _sync_folder(folder: int) -> None:
    """Write the renaming to the disk. Skipped where the user may not read the folder, or the file system has no such
    operation."""
    try:
        opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)  # `folder` may be O_PATH
    except PermissionError:
        return
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)
