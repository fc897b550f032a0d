"""Layouts of the Laboratory for every size of the terminal.

Panes that do not fit are left out in a fixed order: log below 3 lines, parameters, acceptance lane, timeline heading,
chance bar, the lane of T, rows of the chart down to 3, the chart. Verdict, board and scrubber always stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from textual.geometry import Region

PaneName = Literal["header", "verdict", "board", "cell", "tabs", "chance", "gauges", "parameters", "panel", "program",
                   "log", "heading", "chart", "temperature", "lane", "lane2", "events", "scrubber", "transport",
                   "footer"]

Mode = Literal["none", "bare", "tabs", "panes", "search", "wide"]

SMALLEST = (44, 17)
TABS = (80, 24)
PANES = (120, 34)
PENCILLED = (120, 36)
"""The smallest size for pencilled candidates, with the stack of a search beside them."""
WIDE = (200, 54)
CHART, LEAST_CHART, MOST_CHART = 7, 3, 10
LEAST_TIMELINE = 3 + LEAST_CHART
"""Least rows of a timeline with a chart."""
TEMPERATURE = 2
"""Rows of the lane of T."""
CHART_WITH_LANE = 5
"""Least rows that the lane of T leaves the chart; without them T is a curve of the chart."""
GUTTER = 4
LEAST_FIRST, LEAST_SECOND = 28, 34
"""Least columns of the two columns of panes beside the board."""
LEAST_PANEL = 7
POPULATION_TAB = 4
"""The tab of a panel; without tabs the one that shows a population, if other panes have no room beside it."""
LEAST_TITLES, TITLES = 37, 2
"""Columns that the titles of the tabs need, and those that they take from the gutter if there are fewer."""
MOST_POPULATION = 130
WHOLE_PANEL = 12
"""Rows of a panel beside a small board, before the chart has more."""
ROOMY_PANEL = 24
"""Rows of a panel on the largest screens, before gauges have blank rows between them."""
LOG_LINES = 14
"""Most lines of the log."""
CELL_ROWS = 3
"""Most rows of the cell under the cursor."""

Size = tuple[int, int]
"""Columns and rows."""


class Needs(Struct, frozen=True):
    """The sizes that the panes of a run need."""

    small: Size = (40, 12)
    """Compact board."""
    medium: tuple[Size, ...] = ((46, 18),)
    """Roomier boards with panes beside them, preferred first."""
    large: tuple[Size, ...] = ((74, 36), (46, 18))
    """Boards for the largest screens, preferred first."""
    pencil: Size | None = None
    """Board with pencilled candidates, if there are some to show."""
    gauges: int = 5
    program: int = 12
    """Lines of pseudo-code."""
    parameters: int = 3
    chance: bool = True
    lane: bool = True
    lane2: bool = False
    """There is a second lane."""
    panel: bool = False
    population: bool = False
    """The panel is a population, which takes all of the room beside the board."""
    picked: bool = False
    """The cell cursor was moved at this step, and a line describes its cell."""
    temperature: bool = False
    """The solver has a temperature, with a lane of its own where there is room."""


class Plan(Struct, frozen=True):
    """The mode, and the region of every visible pane."""

    mode: Mode
    regions: Mapping[PaneName, Region]


def plan(width: int, height: int, needs: Needs, tab: int = 1) -> Plan:
    """The plan for a terminal; `tab`: the open tab, 1 to 4."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Plan("none", {})
    if width < TABS[0] or height < TABS[1]:
        return Plan("bare", _bare(width, height, needs))
    if width >= WIDE[0] and height >= WIDE[1]:
        board = _first_fitting(needs.large, width - 76, height - 16)
        if board is not None:
            return Plan("wide", _wide(width, height, needs, board))
    if needs.pencil is not None and width >= PENCILLED[0] and height >= PENCILLED[1]:
        return Plan("search", _search(width, height, needs, needs.pencil))
    board = _first_fitting(needs.medium, width - 74, height - 16)
    if board is not None and width >= PANES[0] and height >= PANES[1]:
        placed = _population if needs.population else _panes
        return Plan("panes", placed(width, height, needs, board, tab))
    return Plan("tabs", _tabs(width, height, needs, tab))


def _first_fitting(boards: Iterable[Size], width: int, height: int) -> Size | None:
    return next((board for board in boards if board[0] <= width and board[1] <= height), None)


def _edges(width: int, height: int) -> dict[PaneName, Region]:
    return {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1)}


def _bare(width: int, height: int, needs: Needs) -> dict[PaneName, Region]:
    board = height - 5
    return _edges(width, height) | {
        "verdict": Region(1, 1, width - 2, 2),
        "board": Region(1, 3, min(width - 2, max(needs.small[0], 1)), min(board, needs.small[1])),
        "scrubber": Region(1, height - 2, width - 2, 1),
    }


# The timeline, from the bottom up

_ORDER: tuple[PaneName, ...] = ("heading", "chart", "temperature", "lane", "lane2", "events", "scrubber", "transport")
_KEPT: tuple[PaneName, ...] = ("transport", "events", "chart", "heading", "lane", "lane2", "temperature")
"""The parts of the timeline by importance, after the scrubber."""
_KEPT_BY_SEARCH: tuple[PaneName, ...] = ("chart", "transport", "events", "lane", "lane2", "heading", "temperature")
"""The same below a pencilled board, where there may be room for little else than the chart."""


def _timeline(x: int, bottom: int, width: int, rows: int, kept: Iterable[PaneName]) -> dict[PaneName, Region]:
    """The timeline in `rows` rows, the last of which is `bottom`."""
    parts = _timeline_parts(rows, kept)
    placed: dict[PaneName, Region] = {}
    y = bottom + 1
    for name, tall in reversed(parts):
        y -= tall
        placed[name] = Region(x, y, width, tall)
    return placed


def _timeline_parts(rows: int, kept: Iterable[PaneName]) -> list[tuple[PaneName, int]]:
    """(part, rows) from the top; the most important parts are served first."""
    given: dict[PaneName, int] = {"scrubber": 1}
    left = rows - 1
    tall = CHART - ("lane2" in kept)
    for place, name in enumerate(kept):
        least, most = (LEAST_CHART, tall if place else LEAST_CHART) if name == "chart" else (1, 1)
        if name != "temperature" and left >= least and (name != "heading" or "chart" in given):
            given[name] = min(left, most)
            left -= given[name]
    if "chart" in given:
        given["chart"] += left
    if "temperature" in kept and given.get("chart", 0) >= CHART_WITH_LANE + TEMPERATURE:
        given["temperature"] = TEMPERATURE
        given["chart"] -= TEMPERATURE
    return [(name, given[name]) for name in _ORDER if name in given]


def _kept(needs: Needs, parts: tuple[PaneName, ...] = _KEPT) -> tuple[PaneName, ...]:
    absent = {name for name, there in (("lane", needs.lane), ("lane2", needs.lane2), ("temperature", needs.temperature))
              if not there}
    return tuple(part for part in parts if part not in absent)


# Board S with tabs


def _tabs(width: int, height: int, needs: Needs, tab: int) -> dict[PaneName, Region]:
    tight = height - 5 - needs.small[1] < 1
    verdict = 1 if tight else 2
    top = 1 + verdict
    board_width = min(needs.small[0], width - 2 - GUTTER)
    rest = height - 1 - top
    board = min(needs.small[1], rest - 1)
    spare = rest - board
    gap = 1 if spare > 3 and spare != LEAST_TIMELINE else 0
    beside = max(2 + needs.gauges + 4 * needs.chance, WHOLE_PANEL * needs.panel)  # below the titles and a blank row
    gap = max(gap, min(beside - board, spare - 5 - LEAST_CHART))
    timeline = min(spare - gap, 5 + MOST_CHART)
    gap = spare - timeline
    x = 1 + board_width + GUTTER
    side = Region(x, top, min(width - x - 1, 46), board + gap)
    regions = _edges(width, height) | {
        "verdict": Region(1, 1, width - 2, verdict),
        "board": Region(1, top, board_width, board),
    }
    if gap:
        regions["cell"] = Region(1, top + board, board_width + GUTTER - 1, min(gap, CELL_ROWS))
    if side.width >= 20:
        regions |= _tab(side, needs, tab)
    return regions | _timeline(1, height - 2, width - 2, timeline, _kept(needs))


def _tab(side: Region, needs: Needs, tab: int) -> dict[PaneName, Region]:
    """The tab titles and the pane under the open one. A panel has the last tab; the parameters move to the first."""
    beyond = TITLES if side.width < LEAST_TITLES else 0  # into the blank columns beside it
    titles: dict[PaneName, Region] = {
        "tabs": Region(side.x - beyond, side.y, side.width + beyond + (beyond > 0), 1)}
    inside = Region(side.x, side.y + 2, side.width, side.height - 2)
    if tab == 1:
        gauges = min(max(needs.gauges, 1), inside.height)
        titles["gauges"] = Region(inside.x, inside.y, inside.width, gauges)
        left = inside.height - gauges - 1
        if needs.chance and left >= 3:
            titles["chance"] = Region(inside.x, inside.y + gauges + 1, inside.width, 3)
        elif needs.panel and left >= 1:
            titles["parameters"] = Region(inside.x, inside.y + gauges + 1, inside.width, left)
        return titles
    names: dict[int, PaneName] = {2: "program", 3: "log", 4: "panel" if needs.panel else "parameters"}
    if (tab == 2 and needs.program > inside.height) or (tab == POPULATION_TAB and needs.population):
        inside = Region(side.x, side.y + 1, side.width, side.height - 1)
    titles[names.get(tab, "program")] = inside
    return titles


# A board with panes beside it


def _panes(width: int, height: int, needs: Needs, board: Size, _tab: int = 1) -> dict[PaneName, Region]:
    rest = height - 6 - board[1]
    timeline = min(rest, 5 + (MOST_CHART if height >= 50 else CHART))
    tall = board[1] + rest - timeline
    extra = max(0, width - 120 - max(0, board[0] - 46))
    first = Region(2 + board[0] + GUTTER, 4, LEAST_FIRST + min(extra // 2, 18), tall)
    x = first.right + GUTTER
    second = Region(x, 4, min(width - 2 - x, LEAST_SECOND + extra), tall)
    regions = _edges(width, height) | {"verdict": Region(2, 2, width - 4, 2), "board": Region(2, 4, *board)}
    if 4 + board[1] < height - 1 - timeline:
        regions["cell"] = Region(2, 4 + board[1], board[0], max(1, min(tall - board[1], CELL_ROWS)))
    regions |= _first_column(first, needs) | _second_column(second, needs)
    return regions | _timeline(2, height - 2, width - 4, timeline, _kept(needs))


def _population(width: int, height: int, needs: Needs, board: Size, tab: int) -> dict[PaneName, Region]:
    """The population in the room beside the board, above a line of gauges and one of the program; or, under another
    tab, the other panes."""
    regions = _panes(width, height, replace(needs, panel=False, population=False), board)
    if tab != POPULATION_TAB:
        return regions
    beside: tuple[PaneName, ...] = ("chance", "gauges", "parameters", "program", "log")
    x, tall = 2 + board[0] + GUTTER + 1, regions["program"].height
    if "log" in regions:
        tall = regions["log"].bottom - regions["program"].y
    kept = {name: region for name, region in regions.items() if name not in beside}
    wide, bottom = min(width - 2 - x, MOST_POPULATION), 4 + max(tall, board[1])
    return kept | {"panel": Region(x, 4, wide, bottom - 6), "gauges": Region(x, bottom - 2, wide, 1),
                   "program": Region(x, bottom - 1, wide, 1)}


def _first_column(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """Chance, gauges, parameters and a panel; the last of them takes the rest."""
    wanted: list[tuple[PaneName, int]] = [("gauges", 1 + needs.gauges)]
    if needs.chance:
        wanted.insert(0, ("chance", 4))
    if needs.panel:
        wanted += [("parameters", 1 + needs.parameters), ("panel", 4)]
    else:
        wanted.append(("parameters", 2))
    if sum(rows + 1 for _name, rows in wanted) - 1 > column.height and needs.panel:
        wanted = [each for each in wanted if each[0] != "parameters"]
    return _stack(column, wanted)


def _second_column(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """Program, and the log if it has 3 lines."""
    program = min(1 + needs.program, column.height)
    wanted: list[tuple[PaneName, int]] = [("program", program)]
    if column.height - program - 1 >= 4:
        wanted.append(("log", 4))
    placed = _stack(column, wanted)
    if "log" in placed:
        x, y, width, rows = placed["log"]
        placed["log"] = Region(x, y, width, min(rows, 1 + LOG_LINES))
    return placed


def _stack(column: Region, wanted: list[tuple[PaneName, int]]) -> dict[PaneName, Region]:
    """Panes (name, rows) below one another with blank rows between; the last that fits takes the rest."""
    placed: dict[PaneName, Region] = {}
    y = column.y
    for place, (name, rows) in enumerate(wanted):
        left = column.bottom - y
        if left < rows:
            break
        later = place + 1 < len(wanted) and left - rows - 1 >= wanted[place + 1][1]
        placed[name] = Region(column.x, y, column.width, rows if later else left)
        y += rows + 1
    return placed


# A board with pencil marks, and one column beside it


def _search(width: int, height: int, needs: Needs, board: Size) -> dict[PaneName, Region]:
    beside = 1 + needs.program + 1 + WHOLE_PANEL if needs.panel else 0
    left = height - 5 - max(board[1], beside)
    y = 2 if left >= LEAST_CHART + 2 else 1  # without the blank row below the header there is room for the transport
    timeline = min(left + 2 - y, 5 + (MOST_CHART if height >= 50 else CHART))
    tall = height - 3 - y - timeline
    x = 2 + board[0] + GUTTER - 1
    column = Region(x, y + 2, min(width - 2 - x, 64), tall)
    below = tall > board[1]  # else it is on the row above, in place of the reason
    between = needs.picked and not below
    verdict = Region(2, y, width - 4, 1 if between else 2)
    regions = _edges(width, height) | {"verdict": verdict, "board": Region(2, y + 2, *board)}
    if below or between:
        regions["cell"] = (Region(2, y + 2 + board[1], board[0], min(tall - board[1], CELL_ROWS)) if below else
                           Region(2, y + 1, width - 4, 1))
    regions |= _search_column(column, needs)
    return regions | _timeline(2, height - 2, width - 4, timeline, _kept(needs, _KEPT_BY_SEARCH))


def _search_column(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """The panel, and below it the program, all of it if that leaves the panel enough lines; without a panel gauges,
    program and log."""
    if not needs.panel:
        gauges = 1 + needs.gauges
        rest = Region(column.x, column.y + gauges + 1, column.width, column.height - gauges - 1)
        above: dict[PaneName, Region] = {"gauges": Region(column.x, column.y, column.width, gauges)}
        return above | _second_column(rest, needs)
    program = min(1 + needs.program, max(column.height - 1 - LEAST_PANEL, column.height // 2))
    panel = column.height - 1 - program
    return {"panel": Region(column.x, column.y, column.width, panel),
            "program": Region(column.x, column.y + panel + 1, column.width, program)}


# The largest screens


def _wide(width: int, height: int, needs: Needs, board: Size) -> dict[PaneName, Region]:
    below = height - 7 - board[1]
    foot = 1 if below >= 17 else 0
    timeline = min(below - 1 - foot, 5 + MOST_CHART + max(0, height - 60) // 2)
    tall = height - 8 - foot - timeline
    first, second = _side_columns(width, board, tall)
    regions = _edges(width, height) | {
        "verdict": Region(3, 2, width - 6, 4), "board": Region(3, 6, *board),
        "cell": Region(3, 6 + board[1], board[0], 1),
    }
    if needs.population:
        regions |= _beside_population(first, second, needs)
    else:
        regions |= _first_column_wide(first, needs) | _second_column(second, needs)
    return regions | _timeline(3, height - 2 - foot, width - 6, timeline, _kept(needs))


def _side_columns(width: int, board: Size, tall: int) -> tuple[Region, Region]:
    sides = width - 6 - board[0]
    gutter = 9 if sides >= 18 + 46 + 56 else GUTTER
    first = min(46, max(LEAST_FIRST, (sides - 2 * gutter) * 46 // 102))
    x = 3 + board[0] + gutter
    second = min(72, width - 3 - (x + first + gutter))
    return Region(x, 6, first, tall), Region(x + first + gutter, 6, second, tall)


def _beside_population(first: Region, second: Region, needs: Needs) -> dict[PaneName, Region]:
    """The population in the wider column, the other panes in the narrower one."""
    gap = second.x - first.right
    wide = Region(first.x, first.y, second.width, first.height)
    narrow = Region(wide.right + gap, first.y, first.width, first.height)
    gauges = 1 + needs.gauges
    rest = Region(narrow.x, narrow.y + gauges + 1, narrow.width, narrow.height - gauges - 1)
    placed: dict[PaneName, Region] = {
        "panel": wide, "gauges": Region(narrow.x, narrow.y, narrow.width, gauges)}
    return placed | _second_column(rest, needs)


def _first_column_wide(column: Region, needs: Needs) -> dict[PaneName, Region]:
    """As `_first_column`, with a sentence under the chance bar, blank rows between gauges, and a line for each
    parameter, as far as there is room."""
    gauges, chance = 1 + needs.gauges, 4 if needs.chance else 0
    rows = column.height - chance - bool(chance) - gauges - 2 - (1 + needs.parameters)
    rows -= ROOMY_PANEL if needs.panel else 0
    if needs.chance and rows >= 2:
        chance, rows = chance + 2, rows - 2
    if rows >= needs.gauges > 1:
        gauges += needs.gauges - 1
    wanted: list[tuple[PaneName, int]] = [("chance", chance)] if chance else []
    wanted += [("gauges", gauges), ("parameters", 1 + needs.parameters if needs.panel else 2)]
    return _stack(column, wanted + ([("panel", 4)] if needs.panel else []))
