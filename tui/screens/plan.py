"""Where the panes of the laboratory stand, for every size of the terminal. Pure arithmetic.

What does not fit is left out in a fixed order: log below 3 lines, setup, acceptance lane, timeline heading, chance bar,
rows of the chart down to 3, the chart. Verdict, board and scrubber always stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from textual.geometry import Region

PaneName = Literal["header", "verdict", "board", "cell", "tabs", "chance", "gauges", "setup", "panel", "program",
                   "log", "heading", "chart", "lane", "events", "scrubber", "transport", "keys"]

Mode = Literal["none", "bare", "tabs", "panes"]

SMALLEST = (44, 17)
TABS = (80, 24)
PANES = (120, 34)
CHART, LEAST_CHART, MOST_CHART = 7, 3, 10
GUTTER = 4


@dataclass(frozen=True, slots=True)
class Needs:
    """What the panes of one run take."""

    small: tuple[int, int] = (40, 12)
    """Columns and rows of the compact board."""
    medium: tuple[int, int] | None = (46, 18)
    """Columns and rows of the roomy board, if there is one."""
    gauges: int = 5
    program: int = 12
    """Lines of pseudo-code."""
    setup: int = 3
    """Lines of the setup."""
    chance: bool = True
    lane: bool = True
    panel: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The mode, and the region of every pane that is shown."""

    mode: Mode
    regions: Mapping[PaneName, Region]


def plan(width: int, height: int, needs: Needs, tab: int = 1) -> Plan:
    """The plan for a terminal; `tab` (1..4) is the open tab where there are tabs."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Plan("none", {})
    if width < TABS[0] or height < TABS[1]:
        return Plan("bare", _bare(width, height, needs))
    if needs.medium is not None and _roomy(width, height, needs.medium):
        return Plan("panes", _panes(width, height, needs, needs.medium))
    return Plan("tabs", _tabs(width, height, needs, tab))


def _roomy(width: int, height: int, board: tuple[int, int]) -> bool:
    return width >= max(PANES[0], board[0] + 74) and height >= max(PANES[1], board[1] + 16)


def _edges(width: int, height: int) -> dict[PaneName, Region]:
    return {"header": Region(0, 0, width, 1), "keys": Region(0, height - 1, width, 1)}


def _bare(width: int, height: int, needs: Needs) -> dict[PaneName, Region]:
    board = height - 5
    return _edges(width, height) | {
        "verdict": Region(1, 1, width - 2, 2),
        "board": Region(1, 3, min(width - 2, max(needs.small[0], 1)), min(board, needs.small[1])),
        "scrubber": Region(1, height - 2, width - 2, 1),
    }


# The timeline, from the bottom up


def _timeline(x: int, bottom: int, width: int, rows: int, lane: bool) -> dict[PaneName, Region]:
    """The timeline in the `rows` above row `bottom`, which is its last."""
    parts = _timeline_parts(rows, lane)
    placed: dict[PaneName, Region] = {}
    y = bottom + 1
    for name, tall in reversed(parts):
        y -= tall
        placed[name] = Region(x, y, width, tall)
    return placed


def _timeline_parts(rows: int, lane: bool) -> list[tuple[PaneName, int]]:
    """The parts of a timeline of so many rows, from the top: the most important ones are given theirs first."""
    given: dict[PaneName, int] = {"scrubber": 1}
    left = rows - 1
    wishes: list[tuple[PaneName, int, int]] = [("transport", 1, 1), ("events", 1, 1), ("chart", LEAST_CHART, CHART),
                                           ("heading", 1, 1)]
    if lane:
        wishes.append(("lane", 1, 1))
    for name, least, most in wishes:
        if left >= least:
            given[name] = min(left, most)
            left -= given[name]
    if "chart" in given:
        given["chart"] += left
    order: tuple[PaneName, ...] = ("heading", "chart", "lane", "events", "scrubber", "transport")
    return [(name, given[name]) for name in order if name in given]


# Board S with tabs


def _tabs(width: int, height: int, needs: Needs, tab: int) -> dict[PaneName, Region]:
    tight = height - 5 - needs.small[1] < 1
    verdict = 1 if tight else 2
    top = 1 + verdict
    board_width = min(needs.small[0], width - 2 - GUTTER)
    rest = height - 1 - top
    board = min(needs.small[1], rest - 1)
    spare = rest - board
    gap = 1 if spare > 3 else 0
    timeline = min(spare - gap, 5 + MOST_CHART)
    gap = spare - timeline
    x = 1 + board_width + GUTTER
    side = Region(x, top, min(width - x - 1, 46), board + gap)
    regions = _edges(width, height) | {
        "verdict": Region(1, 1, width - 2, verdict),
        "board": Region(1, top, board_width, board),
    }
    if gap:
        regions["cell"] = Region(1, top + board, board_width, 1)
    if side.width >= 20:
        regions |= _tab(side, needs, tab)
    return regions | _timeline(1, height - 2, width - 2, timeline, needs.lane)


def _tab(side: Region, needs: Needs, tab: int) -> dict[PaneName, Region]:
    """The tabs' titles, and the pane under the open one."""
    titles: dict[PaneName, Region] = {"tabs": Region(side.x, side.y, side.width, 1)}
    inside = Region(side.x, side.y + 2, side.width, side.height - 2)
    if tab == 1:
        gauges = min(max(needs.gauges, 1), inside.height)
        titles["gauges"] = Region(inside.x, inside.y, inside.width, gauges)
        if needs.chance and inside.height >= gauges + 4:
            titles["chance"] = Region(inside.x, inside.y + gauges + 1, inside.width, 3)
        return titles
    names: dict[int, PaneName] = {2: "program", 3: "log", 4: "panel" if needs.panel else "setup"}
    if tab == 2 and needs.program > inside.height:
        inside = Region(side.x, side.y + 1, side.width, side.height - 1)
    titles[names.get(tab, "program")] = inside
    return titles


# Board M with panes


def _panes(width: int, height: int, needs: Needs, board: tuple[int, int]) -> dict[PaneName, Region]:
    rest = height - 6 - board[1]
    timeline = min(rest, 5 + (MOST_CHART if height >= 50 else CHART))
    tall = board[1] + rest - timeline
    extra = max(0, width - 120 - max(0, board[0] - 46))
    first = Region(2 + board[0] + GUTTER, 4, 28 + min(extra // 2, 18), tall)
    x = first.right + GUTTER
    second = Region(x, 4, min(width - 2 - x, 34 + extra), tall)
    regions = _edges(width, height) | {"verdict": Region(2, 2, width - 4, 1), "board": Region(2, 4, *board)}
    if 4 + board[1] < height - 1 - timeline:
        regions["cell"] = Region(2, 4 + board[1], board[0], 1)
    regions |= _first_column(first, needs) | _second_column(second, needs)
    return regions | _timeline(2, height - 2, width - 4, timeline, needs.lane)


def _first_column(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """Chance, gauges, setup; a panel takes what is left, the setup before it only what it needs."""
    wishes: list[tuple[PaneName, int]] = [("gauges", 1 + needs.gauges)]
    if needs.chance:
        wishes.insert(0, ("chance", 4))
    if needs.panel:
        wishes += [("setup", 1 + needs.setup), ("panel", 4)]
    else:
        wishes.append(("setup", 2))
    if sum(rows + 1 for _name, rows in wishes) - 1 > column.height and needs.panel:
        wishes = [wish for wish in wishes if wish[0] != "setup"]
    return _stack(column, wishes)


def _second_column(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """Program and log; the log from 3 lines on."""
    program = min(1 + needs.program, column.height)
    wishes: list[tuple[PaneName, int]] = [("program", program)]
    if column.height - program - 1 >= 4:
        wishes.append(("log", 4))
    return _stack(column, wishes)


def _stack(column: Region, wishes: list[tuple[PaneName, int]]) -> dict[PaneName, Region]:
    """Panes under one another with a blank row between; the last that fits takes what is left."""
    placed: dict[PaneName, Region] = {}
    y = column.y
    for place, (name, rows) in enumerate(wishes):
        left = column.bottom - y
        if left < rows:
            break
        later = place + 1 < len(wishes) and left - rows - 1 >= wishes[place + 1][1]
        placed[name] = Region(column.x, y, column.width, rows if later else left)
        y += rows + 1
    return placed
