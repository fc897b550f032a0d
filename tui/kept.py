"""The look that was chosen last on the screen, kept for the next time in a file of the program's own.

A setting in the learner's configuration counts for more, and so does an option of the command line.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from engine import door
from engine.errors import BadInput
from engine.wholefile import write_whole
from tui import places
from tui.settings import Theme


class Taste(msgspec.Struct, frozen=True):
    """What the learner chose of the look."""

    theme: Theme = "dark"
    ascii: bool = False


def load() -> Taste | None:
    """What was kept; None when nothing was, or nothing that can be read."""
    try:
        return msgspec.json.decode(door.read_bytes(places.look_file()), type=Taste)
    except (OSError, ValueError):
        return None


def keep(taste: Taste) -> None:
    """Keep it. Where that is not possible the look is as it was the next time, and nothing is said."""
    with suppress(BadInput):
        write_whole(places.look_file(), msgspec.json.encode(taste) + b"\n", make_folder=True)
