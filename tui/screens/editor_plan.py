"""Where the panes of the editor stand. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from textual.geometry import Region

from tui.widgets.board_layout import fitting

EditorPane = Literal["header", "message", "board", "facts", "keys"]

SMALLEST = (30, 10)
FACTS, GUTTER = 30, 4
"""Columns of the facts beside the board, and before them."""


def plan(width: int, height: int, box: int) -> Mapping[EditorPane, Region]:
    """The region of every pane that is shown; none below the smallest size. A board too large for its region scrolls
    with the cell cursor."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    x = 1 if width < 120 else 2 if width < 160 else 3
    room = Region(x, 3, width - 2 * x, height - 5)
    beside = room.width - FACTS - GUTTER
    least = fitting(box, 0, 0)
    if beside < min(least.width, FACTS):
        beside = 0
    layout = fitting(box, beside or room.width, room.height)
    board = Region(x, 3, min(layout.width, beside or room.width), min(layout.height, room.height))
    placed: dict[EditorPane, Region] = {"header": Region(0, 0, width, 1), "message": Region(0, 1, width, 1),
                                        "board": board, "keys": Region(0, height - 1, width, 1)}
    if beside:
        left = board.right + GUTTER
        placed["facts"] = Region(left, 3, min(room.right - left, 60), room.height)
    elif room.bottom - board.bottom > 1:
        placed["facts"] = Region(x, board.bottom + 1, room.width, room.bottom - board.bottom - 1)
    return placed
