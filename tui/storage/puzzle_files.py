"""Puzzle files that the user opens and writes, the drafts of the editor, and completion of paths."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

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
from engine.puzzles.formats.reading import file_name
from engine.text import count
from tui.config import paths
from tui.i18n import _
from tui.storage.library import OpenedFile

MOST = 10_000
"""Puzzles of one file that are listed."""
LARGEST = 2**20
"""Bytes of a file that are read for that: the screen waits for it."""
MOST_DRAFTS = 20
NUMBERED = re.compile(r"draft (\d{1,6})\b")
"""The name of a draft that was saved without one."""
FEW = 20
"""Files of a kiosk's directory that Home lists."""
HEAD = 256
"""Characters at the beginning of a file that are searched for the brace of a run file."""


# Typed paths


def path_of(typed: str) -> Path:
    """The path that a user typed. Raises BadInput if it cannot be a path, or is outside of the kiosk."""
    if "\0" in typed or not typed.strip():
        raise BadInput(_("{typed}: expected the name of a file").format(typed=repr(typed)))
    return access.checked(expanded(typed.strip()))


def expanded(typed: str) -> str:
    """The path with ~ expanded. In a kiosk, ~ is its directory, and ~name is left alone: it would reveal accounts."""
    if access.kiosk() is None or typed.partition(os.sep)[0] == "~":
        return os.path.expanduser(typed)
    return typed


def complete_path(typed: str) -> str:
    """The typed path, completed up to the first character in which the matching names differ."""
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


# Reading


def empty_puzzle(box: int = 3, variant: Variant = "classic") -> Puzzle:
    return Puzzle((0,) * box**4, box, variant)


def parse_pasted(typed: str, where: str) -> tuple[PuzzleRecord, str]:
    """The first puzzle of a text in any format that is read, and words for it. Raises FormatError."""
    items = read_text(typed, where)
    first = next(items)
    if not isinstance(first, PuzzleRecord):
        raise FormatError(first.sentence)
    more = next(items, None) is not None
    return first, _("the first of several puzzles") if more else first.name or _("a puzzle")


def is_run_file(path: Path) -> bool:
    """Whether a file looks like a run file, which is JSON. False for one that cannot be read."""
    try:
        if not (access.allows(path) and path.is_file()):
            return False
        with access.open_file(path) as stream:
            return bool(stream.read(HEAD).lstrip().startswith(b"{"))
    except OSError:
        return False


def read_puzzles(path: Path) -> tuple[OpenedFile, str]:
    """The puzzles of a file, and a sentence about those left out (empty: none). Raises FormatError for a file without
    puzzles."""
    access.checked(path)
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError(_("{path} does not exist: expected a file of puzzles, a run or an experiment").format(
            path=file_name(path))) from None
    except (OSError, ValueError):
        pass  # reading it gives the reason
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
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


def kiosk_files() -> list[OpenedFile]:
    """The puzzle files in the directory of the kiosk, up to `FEW` files and `LARGEST` bytes; none without a kiosk."""
    directory, found, room = access.kiosk(), list[OpenedFile](), LARGEST
    suffixes = {suffix for entry in FORMATS.values() for suffix in entry.suffixes}
    names: list[tuple[str, bool]] = []
    if directory is not None:
        with suppress(OSError):  # a directory may be searchable and not readable
            names = access.entries(directory)
    for name, is_folder in names:
        path = Path(directory or "", name)
        if is_folder or path.suffix.lower() not in suffixes or len(found) == FEW:
            continue
        with suppress(BadInput, OSError):  # other files are left out
            size = path.stat().st_size
            if size <= room:
                found.append(read_puzzles(path)[0])
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


# Writing


def write_puzzle(path: Path, record: PuzzleRecord) -> None:
    """Write a puzzle in the format of the file's suffix (without one, as a list). On failure raises BadInput, and the
    file is unchanged."""
    write_whole(path, _encoded(path, [record]))


def _encoded(path: Path, records: Iterable[PuzzleRecord]) -> bytes:
    text = "".join(write(records, format_of_suffix(path.suffix) or "sdm"))
    try:
        return text.encode()
    except UnicodeEncodeError as error:  # a name may have come from anywhere
        raise BadInput(_("cannot write {path}: {why}").format(path=path, why=error)) from None


# The drafts: the puzzles that were edited last, kept from one launch to the next in one file


def load_drafts() -> list[PuzzleRecord]:
    """The drafts that can be read, the newest first."""
    path = paths.draft_file()
    if not (access.allows(path) and os.path.isfile(path)):
        return []
    return _with_names(replace(item, line=None) for item in islice(read_path(path), MOST_DRAFTS)
                  if isinstance(item, PuzzleRecord))


def save_draft(record: PuzzleRecord, instead_of: Puzzle) -> str:
    """Save the newest draft, in place of the one that it was made from; the oldest beyond `MOST_DRAFTS` are dropped.
    Returns its name. Raises BadInput if it cannot be written."""
    others = [each for each in load_drafts() if each.puzzle not in (record.puzzle, instead_of)]
    drafts = _with_names([record, *others][:MOST_DRAFTS])
    _write_drafts(drafts)
    return drafts[0].name


def _with_names(drafts: Iterable[PuzzleRecord]) -> list[PuzzleRecord]:
    """The drafts, the newest first; those without a name get a number of their own, which they keep."""
    found = list(drafts)
    last = max((int(number[1]) for each in found if (number := NUMBERED.match(each.name))), default=0)
    for place in reversed(range(len(found))):
        if not found[place].name:
            last += 1
            found[place] = replace(found[place], name=f"draft {last}")
    return found


def delete_draft(puzzle: Puzzle) -> None:
    """Delete a draft, if it is there. Raises BadInput if that fails."""
    _write_drafts([each for each in load_drafts() if each.puzzle != puzzle])


def _write_drafts(records: Sequence[PuzzleRecord]) -> None:
    path = paths.draft_file()
    if records:
        write_whole(path, _encoded(path, records), make_folder=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
