"""The look that was chosen last on the screen, kept for the next time in a file of the program's own.

A setting in the learner's configuration counts for more, and so does an option of the command line.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
import platformdirs

from tui.settings import Theme


class Taste(msgspec.Struct, frozen=True):
    """What the learner chose of the look."""

    theme: Theme = "dark"
    ascii: bool = False


def path() -> Path:
    return platformdirs.user_state_path("sudoku-tui") / "look.json"


def load() -> Taste | None:
    """What was kept; None when nothing was, or nothing that can be read."""
    try:
        return msgspec.json.decode(path().read_bytes(), type=Taste)
    except (OSError, ValueError):
        return None


def keep(taste: Taste) -> None:
    """Keep it. Where that is not possible the look is as it was the next time, and nothing is said."""
    file = path()
    beside = file.with_name(f".{file.name}-{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(msgspec.json.encode(taste) + b"\n")
        os.replace(beside, file)
    except OSError:
        with suppress(OSError):
            beside.unlink()
