"""The layout of Home for every size of the terminal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from textual.geometry import Region

from tui.widgets.board.layout import fitting
from tui.widgets.board.preview import dense_size

HomePane = Literal["header", "message", "list", "board", "dense", "card", "solvers", "about", "footer"]
HomeMode = Literal["none", "list", "full"]

SMALLEST = (36, 8)
FULL = (80, 24)
CARD, SIDE = 3, 32
"""Rows of a card under the board; columns of one beside it, at least."""


class HomePlan(Struct, frozen=True):
    """The regions of the panes: all of them, the list alone, or none."""

    mode: HomeMode
    regions: Mapping[HomePane, Region]


def plan(width: int, height: int, box: int | None) -> HomePlan:
    """The layout for a size of the terminal and a puzzle with boxes of this side; None: without a puzzle."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return HomePlan("none", {})
    edges: dict[HomePane, Region] = {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1),
                                     "message": Region(0, 1, width, 1)}
    if width < FULL[0] or height < FULL[1]:
        return HomePlan("list", edges | {"list": Region(1, 2, width - 2, height - 3)})
    x, listed, gap = (1, 36, 2) if width < 120 else (2, 42, 4) if width < 160 else (3, 56, 4)
    below = 5 if height < 30 else 9 if height < 50 else 17
    y = height - 1 - below - (height >= 30)
    second = x + listed + gap
    wide = width - second - (1 if width < 120 else 2)
    regions = edges | {
        "list": Region(x, 2, listed, y - 3),
        "solvers": Region(x, y, listed, below),
        "about": Region(second, y, wide, below),
    }
    room = Region(second, 2, wide, y - 2 - (height >= 30))
    return HomePlan("full", regions if box is None else regions | _board(room, box))


def _board(room: Region, box: int) -> dict[HomePane, Region]:
    """The board and its card beside the list; the card is beside the board, under it or left out."""
    layout = fitting(box, room.width, room.height - 1 - CARD)
    tall = fitting(box, room.width - SIDE - 4, room.height)
    if tall.width <= room.width - SIDE - 4 and tall.height <= room.height:
        layout = tall
    name: HomePane = "board"
    size = layout.width, layout.height
    if size[0] > room.width or size[1] > room.height:
        name, size = "dense", dense_size(box, room.width, room.height)
    placed: dict[HomePane, Region] = {name: Region(room.x, room.y, *size)}
    beside = room.width - size[0] - 4
    under = room.height - size[1] - 1
    if beside >= SIDE:
        placed["card"] = Region(room.x + size[0] + 4, room.y, beside, room.height)
    elif under > 0:
        placed["card"] = Region(room.x + 2, room.y + size[1] + 1, room.width - 2, under)
    return placed
