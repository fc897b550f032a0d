"""The layout of the automata screen for every size of the terminal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from textual.geometry import Region

from tui.widgets.board.layout import fitting

AutomataPane = Literal["header", "verdict", "board", "tabs", "formula", "counters", "strip", "questions", "footer"]
Mode = Literal["wide", "tabs", "small", "none"]

SMALLEST = (44, 17)
TITLES = ("Formula", "Questions", "Z3")
TABBED: tuple[AutomataPane, ...] = ("formula", "questions", "counters")
GUTTER = 4
BESIDE = 34
"""Columns of the formula, at least."""
STRIP, COUNTERS, ASKED = 5, 4, 4
"""Rows of an automaton, of the counters, and of the questions at least."""
TWO_COLUMNS, LONG = 52, 7
"""Columns from which on the counters have two columns; their rows in one column."""


class AutomataPlan(Struct, frozen=True):
    """The regions of the panes."""

    mode: Mode
    regions: Mapping[AutomataPane, Region]


def plan(width: int, height: int, box: int, tab: int = 1) -> AutomataPlan:
    """The layout for a size of the terminal and boxes of this side; `tab`: the open one, from 1."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return AutomataPlan("none", {})
    if width >= 120 and height >= 34:
        return AutomataPlan("wide", _wide(width, height, box))
    if width >= 80 and height >= 24:
        return AutomataPlan("tabs", _tabs(width, height, box, tab))
    return AutomataPlan("small", _small(width, height, box))


def _ends(width: int, height: int) -> dict[AutomataPane, Region]:
    return {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1)}


def _wide(width: int, height: int, box: int) -> dict[AutomataPane, Region]:
    large = width >= 200 and height >= 54
    x, top = (3, 6) if large else (2, 4)
    room = height - 1 - top - 1 - STRIP - 1 - ASKED
    layout = fitting(box, width - 2 * x - GUTTER - BESIDE, room)
    board = Region(x, top, min(layout.width, width - 2 * x - GUTTER - BESIDE), min(layout.height, room))
    left = board.right + (12 if large else 5 if board.right < 60 else GUTTER)
    beside = Region(left, top, width - x - left, board.height)
    counters = COUNTERS if beside.width >= TWO_COLUMNS else LONG
    under = board.bottom + 1
    listed = under + STRIP + 1
    return {
        **_ends(width, height), "verdict": Region(x, 3 if large else 2, width - 2 * x, 3 if large else 1),
        "board": board, "formula": Region(left, top, beside.width, beside.height - counters - 2),
        "counters": Region(left, board.bottom - counters, beside.width, counters),
        "strip": Region(x, under, width - 2 * x, STRIP),
        "questions": Region(x, listed, width - 2 * x, height - 1 - listed),
    }


def _tabs(width: int, height: int, box: int, tab: int) -> dict[AutomataPane, Region]:
    strip = height - 1 - STRIP - 1
    room = strip - 1 - 3
    across = width - 2 - GUTTER - BESIDE
    layout = fitting(box, across, room)
    board = Region(1, 3, min(layout.width, across), min(layout.height, room))
    left = board.right + GUTTER
    beside = Region(left, 4, width - 1 - left, strip - 5)
    return {
        **_ends(width, height), "verdict": Region(1, 1, width - 2, 2), "board": board,
        "tabs": Region(left, 3, width - 1 - left, 1), TABBED[tab - 1]: beside,
        "strip": Region(1, strip, width - 2, STRIP),
    }


def _small(width: int, height: int, box: int) -> dict[AutomataPane, Region]:
    """Verdict and board; under them the automaton or the questions if they fit."""
    room = height - 4
    layout = fitting(box, width - 2, room)
    board = Region(1, 3, min(layout.width, width - 2), min(layout.height, room))
    placed: dict[AutomataPane, Region] = {
        **_ends(width, height), "verdict": Region(1, 1, width - 2, 2), "board": board}
    left = height - 1 - board.bottom - 1
    if left >= STRIP and width >= 70:
        placed["strip"] = Region(1, board.bottom + 1, width - 2, STRIP)
    elif left >= 3:
        placed["questions"] = Region(1, board.bottom + 1, width - 2, left)
    return placed
