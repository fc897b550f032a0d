"""The puzzle that was left while it was being edited. One is kept, from one session to the next."""

from __future__ import annotations

import contextlib
import os

from engine import door
from engine.formats import PuzzleRecord, read_path
from tui.config import paths
from tui.files import write_puzzle


def load() -> PuzzleRecord | None:
    """The draft, if there is one that can be read."""
    path = paths.draft_file()
    if not (door.allows(path) and os.path.isfile(path)):
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
