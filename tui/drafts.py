"""The puzzle that was left while it was being edited. One is kept, from one session to the next."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import platformdirs

from engine.errors import BadInput
from engine.formats import PuzzleRecord, read_path
from tui.files import write_puzzle


def place() -> Path:
    return platformdirs.user_data_path("sudoku-tui") / "draft.sdm"


def load() -> PuzzleRecord | None:
    """The draft, if there is one that can be read."""
    path = place()
    if not os.path.isfile(path):
        return None
    first = next(read_path(path), None)
    return first if isinstance(first, PuzzleRecord) else None


def keep(record: PuzzleRecord) -> None:
    """Keep this one from now on. Raises BadInput where it cannot be written."""
    path = place()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from error
    write_puzzle(path, record)


def drop() -> None:
    """Forget the draft."""
    with contextlib.suppress(OSError):
        place().unlink(missing_ok=True)
