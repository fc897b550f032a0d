"""Files that are written whole or not at all: to a temporary file first, which then takes the place of the old one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engine.errors import BadInput
from engine.files import access


def write_whole(path: Path | str, data: bytes, *, make_folder: bool = False, synced: bool = True) -> None:
    """Write a file; it is on the disk when this returns. Raises BadInput, with the file as it was, when it cannot be
    written. `make_folder`: the folder may not be there yet. Not `synced`, it takes no longer than the system needs to
    take it: it outlives the program, but perhaps not a power cut."""
    with written_whole(path, make_folder=make_folder, synced=synced) as file:
        file.write(data)


@contextlib.contextmanager
def written_whole(path: Path | str, *, make_folder: bool = False, synced: bool = True) -> Iterator[BinaryIO]:
    """The same for what is written bit by bit: the file takes its place when the block ends, and only if it ends
    well."""
    target = access.target(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise BadInput(f"cannot write {path}: expected a regular file, or a name that is free")
    temporary = f".{target.name}.{os.getpid()}"
    try:
        with access.folder(target.parent, make=make_folder) as folder:
            try:
                with _created(temporary, folder) as file:
                    yield file
                    file.flush()
                    if synced:
                        os.fsync(file.fileno())
                os.replace(temporary, target.name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                _drop(temporary, folder)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def _created(name: str, folder: int) -> BinaryIO:
    """A new file, with the permissions that the user's new files have; nothing that is there already is followed."""
    _drop(name, folder)
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder), "wb")


def _drop(name: str, folder: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
