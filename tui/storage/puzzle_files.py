"""Files that the learner opens and writes: which kind they are, their puzzles, and completion of their names."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from engine.errors import BadInput, FormatError
from engine.files import access
from engine.files.atomic import write_whole
from engine.puzzle import Puzzle, Variant
from engine.puzzles.formats import (
    FORMATS,
    Item,
    PuzzleRecord,
    format_of_suffix,
    read_path,
    read_stream,
    read_text,
    write,
)
from engine.text import count
from tui.config import paths
from tui.i18n import _
from tui.storage.library import OpenedFile


def empty(box: int = 3, variant: Variant = "classic") -> Puzzle:
    return Puzzle((0,) * box**4, box, variant)


def pasted(typed: str, where: str) -> tuple[PuzzleRecord, bool]:
    """The first puzzle of a text in any format that is read, and whether more follow. Raises FormatError."""
    items = read_text(typed, where)
    first = next(items)
    if not isinstance(first, PuzzleRecord):
        raise FormatError(first.sentence)
    return first, next(items, None) is not None


MOST = 10_000
"""Puzzles of one file that are listed."""
LARGEST = 2**20
"""Bytes of a file that are read for that: the screen waits for it."""
FEW = 20
"""Files of a kiosk that are listed by themselves."""
TRIED = 256
"""Characters at the beginning of a file that tell a run file."""


def path_of(typed: str) -> Path:
    """A path as people type it. Raises BadInput for what no path can be, or is not to be had in a kiosk."""
    if "\0" in typed or not typed.strip():
        raise BadInput(_("{typed}: expected the name of a file").format(typed=repr(typed)))
    return access.checked(expanded(typed.strip()))


def expanded(typed: str) -> str:
    """The path with the home directory in the place of ~. A kiosk's home is its directory, and nobody else has one:
    whose name is known there is nobody's business."""
    if access.kiosk() is None or typed.partition(os.sep)[0] == "~":
        return os.path.expanduser(typed)
    return typed


def is_run(path: Path) -> bool:
    """Whether a file looks like a run file: those are JSON. What cannot be read is not."""
    try:
        if not (access.allows(path) and path.is_file()):
            return False
        with access.open_file(path) as stream:
            return bool(stream.read(TRIED).lstrip().startswith(b"{"))
    except OSError:
        return False


def puzzles_of(path: Path) -> tuple[OpenedFile, str]:
    """The puzzles of a file, and a sentence about what was left out (empty: nothing). Raises FormatError for a file
    without a single one."""
    access.checked(path)
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise FormatError(_("{path} is no regular file: expected a file of puzzles").format(path=path))
    items = _beginning(path) if _is_large(path) else read_path(path)
    found: list[PuzzleRecord] = []
    wrong = ""
    for item in islice(items, MOST):
        if isinstance(item, PuzzleRecord):
            found.append(item)
        elif not wrong:
            wrong = item.sentence
    if not found:
        raise FormatError(wrong)
    if not wrong and next(items, None) is not None:
        wrong = _("{path}: only the first {count} puzzles are listed").format(path=path, count=count(MOST))
    if not wrong and _is_large(path):
        wrong = _("{path}: only its first {size} MB are read").format(path=path, size=LARGEST >> 20)
    return OpenedFile(path.name, tuple(found)), wrong


def of_kiosk() -> list[OpenedFile]:
    """The puzzles that lie in a kiosk's directory, by file; none where there is no kiosk. So many, and so large ones,
    as the screen can wait for."""
    directory, found, room = access.kiosk(), list[OpenedFile](), LARGEST
    suffixes = {suffix for entry in FORMATS.values() for suffix in entry.suffixes}
    names: list[tuple[str, bool]] = []
    if directory is not None:
        with suppress(OSError):  # it may be entered and not read
            names = access.entries(directory)
    for name, is_folder in names:
        path = Path(directory or "", name)
        if is_folder or path.suffix.lower() not in suffixes or len(found) == FEW:
            continue
        with suppress(BadInput, OSError):  # what is no list of puzzles is none
            size = path.stat().st_size
            if size <= room:
                found.append(puzzles_of(path)[0])
                room -= size
    return found


def _is_large(path: Path) -> bool:
    return os.path.isfile(path) and os.path.getsize(path) > LARGEST


def _beginning(path: Path) -> Iterator[Item]:
    """The puzzles in the first whole lines of a large file."""
    try:
        with access.open_file(path) as stream:
            read = stream.read(LARGEST)
    except OSError:
        return read_path(path)
    return read_stream(io.BytesIO(read[: read.rfind(b"\n") + 1] or read), str(path), path.suffix)


def write_puzzle(path: Path, record: PuzzleRecord, *, make_folder: bool = False) -> None:
    """Write a puzzle in the format of the file's suffix (a list where it has none). Raises BadInput, with the file
    as it was, where that cannot be done."""
    text = "".join(write([record], format_of_suffix(path.suffix) or "sdm"))
    try:
        data = text.encode()
    except UnicodeEncodeError as error:  # a name may have come from anywhere
        raise BadInput(_("cannot write {path}: {why}").format(path=path, why=error)) from None
    write_whole(path, data, make_folder=make_folder)


def completed(typed: str) -> str:
    """The path that was typed, gone on with as far as there is only one way to."""
    folder, begun = os.path.split(expanded(typed))
    try:
        names = [name + (os.sep if is_folder else "") for name, is_folder in access.entries(folder or os.curdir)
                 if name.startswith(begun) and (begun.startswith(".") or not name.startswith("."))]
    except (OSError, ValueError):
        return typed
    same = 0
    while names and all(len(name) > same and name[same] == names[0][same] for name in names):
        same += 1
    return typed if same <= len(begun) else typed[: len(typed) - len(begun)] + names[0][:same]


# The puzzle that was left while it was being edited. One is kept, from one session to the next.


def load() -> PuzzleRecord | None:
    """The draft, if there is one that can be read."""
    path = paths.draft_file()
    if not (access.allows(path) and os.path.isfile(path)):
        return None
    first = next(read_path(path), None)
    return first if isinstance(first, PuzzleRecord) else None


def keep(record: PuzzleRecord) -> None:
    """Keep this one from now on. Raises BadInput where it cannot be written."""
    write_puzzle(paths.draft_file(), record, make_folder=True)


def drop() -> None:
    """Forget the draft."""
    with contextlib.suppress(OSError):
        paths.draft_file().unlink(missing_ok=True)
