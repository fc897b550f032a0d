"""The recording of a run in a file that only grows: what was added is written, and nothing else.

A run file holds its recording whole, so that keeping it takes longer the longer the run is. Here a frame costs what a
frame costs. The file is a row of blocks, each a length (4 bytes, big-endian) and so many bytes: the packed state at
step 0, then for each step its events and the packed state after it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from engine import state as states
from engine.errors import BadInput, RunFileError
from engine.files import access
from engine.runfile import Tape, packed
from engine.tape import Recorder

_LENGTH = struct.Struct(">I")


class TapeLog:
    """The file of one recording, as it is written by one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._frames = self._size = 0

    def extend(self, recorder: Recorder, end: int) -> None:
        """Have the first `end` steps in the file; those that are there are taken as written. Raises BadInput where
        that cannot be done, and may be called again then."""
        blocks: list[bytes] = []
        if not self._size:
            assert recorder.initial is not None
            blocks.append(states.pack(recorder.initial))
        for frame in recorder.frames[self._frames:end]:
            blocks += packed(frame)
        if not blocks:
            return
        data = b"".join(_LENGTH.pack(len(each)) + each for each in blocks)
        try:
            access.make_folder(self.path.parent)
            with access.open_file(self.path, "ab") as file:
                file.truncate(self._size)  # what was written after that was not written wholly
                file.write(data)
        except OSError as error:
            raise BadInput(f"cannot write {self.path}: {error.strerror or error}") from None
        self._size += len(data)
        self._frames = max(self._frames, end)


def read(path: Path, steps: int) -> Tape:
    """The first so many steps of a recording. Raises RunFileError where they are not there."""
    try:
        data = access.read_bytes(path)
    except OSError as error:
        raise RunFileError(f"cannot read {path}: {error.strerror or error}") from None
    blocks = list(_blocks(data, 2 * steps + 1))
    if len(blocks) < 2 * steps + 1:
        raise RunFileError(f"{path} is cut short: expected a recording of {steps} steps")
    return Tape(blocks[0], tuple(zip(blocks[1::2], blocks[2::2], strict=True)))


def _blocks(data: bytes, most: int) -> Iterator[bytes]:
    at = 0
    for _ in range(most):
        if at + _LENGTH.size > len(data):
            return
        [length] = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if at + length > len(data):
            return
        yield data[at : at + length]
        at += length
