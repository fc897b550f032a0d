"""The table of the bench: a row for each solver (and group of puzzles), the share solved as a bar with its interval.

Pure but for the pane at the end. Where there is no room, columns go before the bar gets short.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct
from textual import events
from textual.message import Message

from engine.bench.columns import Measure
from engine.bench.report import words
from engine.bench.statistics import Rate
from engine.bench.tables import ALL
from engine.text import NONE, share
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.screens.bench.state import Line, Sort
from tui.widgets.board.layout import window
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, columns, row, rows
from tui.widgets.timeline.pane import Cell, merged

AXIS = 45
"""Columns of the axis from 0 to 100 %, where there is room."""
LEAST_LABEL, MOST_LABEL = 22, 30
GAP = 2
HEAD = 1
NEEDED = ("label", "share", "axis", "time")
ATTEMPTS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (AXIS, ("label", "group", "solved", "share", "axis", "time", "interval", "left", "unsolved")),
    (AXIS, ("label", "group", "solved", "share", "axis", "time", "interval", "left")),
    (40, ("label", "group", "solved", "share", "axis", "time", "interval")),
    (32, ("label", "group", "solved", "share", "axis", "time")),
    (16, ("label", "group", "solved", "share", "axis", "time")),
    (12, ("label", "group", "share", "axis", "time")),
    (10, NEEDED),
)
"""Columns of the axis at least, and what stands beside it, the best first."""
RESERVED = {"solved": 7, "share": 7, "time": 8, "interval": 17, "unsolved": 24}
"""Columns that are kept free, so that nothing moves while results come in."""
SORTED_BY: dict[str, Sort] = {"label": "solver", "group": "puzzles", "solved": "solved", "share": "solved",
                              "axis": "solved", "time": "time", "interval": "time", "left": "left"}


class Shown(Struct, frozen=True):
    """What the table shows."""

    lines: tuple[Line, ...] = ()
    chosen: int = 0
    measure: Measure = "seconds"
    sort: Sort = "order"
    reverse: bool = False
    legend: bool = True


class Column(Struct, frozen=True):
    """A column of the table: where it begins and how wide it is."""

    name: str
    x: int
    width: int


def label_of(group: str) -> str:
    """What a group is called."""
    return _("all") if group == ALL else group


def texts(line: Line, measure: Measure) -> dict[str, str]:
    """The cells of a row, but for the axis."""
    cell, took = line.cell, line.cell.took(measure)
    ends = took.median.low, took.median.high
    interval = NONE
    if took.median.value is not None:
        low, high = (words.amount(each, measure) if each is not None else "…" for each in ends)
        interval = f"{low} – {high}"
    return {
        "label": line.label, "group": label_of(line.group), "solved": f"{cell.rate.solved}/{cell.rate.n}",
        "share": share(cell.rate.share), "time": words.quantile(took, took.median, measure, 0.5), "interval": interval,
        "left": NONE if cell.left is None else f"{cell.left:g}", "unsolved": words.unsolved(cell),
    }


def titles(measure: Measure) -> dict[str, str]:
    """The headings."""
    return {"label": _("solver"), "group": _("puzzles"), "solved": _("solved"), "share": "", "axis": "",
            "time": _measured(measure), "interval": _("95 %"), "left": _("E left"), "unsolved": _("not solved")}


def _measured(measure: Measure) -> str:
    return {"seconds": _("time"), "steps": _("steps"), "evaluations": _("weighed")}[measure]


def arranged(shown: Shown, width: int) -> tuple[Column, ...]:
    """Where the columns stand."""
    cells = [texts(line, shown.measure) for line in shown.lines]
    named = titles(shown.measure)
    wide = {name: max([columns(title) + 1, RESERVED.get(name, 0), *(columns(each[name]) for each in cells)])
            for name, title in named.items() if name != "axis"}
    label = min(max(wide["label"], columns(named["label"])), MOST_LABEL)
    one = len({line.group for line in shown.lines}) < 2
    for least, wanted in ATTEMPTS:
        names = [name for name in wanted if not (name == "group" and one and width < 100)]
        fixed = GAP + sum(wide[name] + GAP for name in names if name not in ("label", "axis"))
        room = width - fixed - GAP
        if room - min(label, LEAST_LABEL) >= least or wanted == NEEDED:
            break
    most = max(AXIS, width * 2 // 5)
    axis = max(min(most, room - label if room - label >= least else least), 0)
    return tuple(_placed(names, {**wide, "label": max(min(label, room - axis), 0), "axis": axis}))


def _placed(names: Sequence[str], wide: dict[str, int]) -> list[Column]:
    placed, x = [], GAP
    for name in names:
        placed.append(Column(name, x, wide[name]))
        x += wide[name] + GAP
    return placed


def bar(rate: Rate, width: int, glyphs: Glyphs) -> list[Cell]:
    """The share solved on an axis from 0 to 100 %: `━━━━├──●──┤ · · ·`."""
    empty: list[Cell] = [(glyphs.empty if not place % 2 else " ", "rule") for place in range(width)]
    if rate.share is None or width < 2:
        return empty
    low, middle, high = (round(value * (width - 1)) for value in (rate.low, rate.share, rate.high))
    filled: Cell = glyphs.filled, "muted"
    cells = [filled] * low + empty[low:]
    for place in range(low, high + 1):
        cells[place] = glyphs.horizontal, "data"
    cells[low], cells[high] = (glyphs.text("├"), "data"), (glyphs.text("┤"), "data")
    cells[middle] = glyphs.playhead, "data_strong"
    return cells


def axis_title(width: int, sorted_by: str) -> str:
    """`0 %     25      50      75  100 %`."""
    line = [" "] * width
    marks = ((0.0, "0 %"), (0.25, "25"), (0.5, "50"), (0.75, "75")) if width >= 30 else ((0.0, "0 %"),)
    for at, mark in marks:
        first = max(0, round(at * (width - 1)) - (len(mark) // 2 if at else 0))
        line[first:first + len(mark)] = mark
    last = "100 %"
    if width >= 10:
        line[width - len(last):] = last
    return "".join(line)[:width]


def _cell(text: str, width: int, left: bool, glyphs: Glyphs) -> str:
    shown = glyphs.text(text)
    if columns(shown) > width:
        shown = shown[:max(width - 1, 0)] + glyphs.ellipsis
    return (shown + " " * max(width - columns(shown), 0)) if left else " " * max(width - columns(shown), 0) + shown


def head_row(shown: Shown, placed: Sequence[Column], space: Space) -> Row:
    """The headings; what is sorted by is strong, and its arrow says which way."""
    spans: list[Span] = [("  ", "blank")]
    arrow = space.glyphs.uphill if shown.reverse else space.glyphs.better
    for column in placed:
        title = titles(shown.measure)[column.name]
        here = SORTED_BY.get(column.name) == shown.sort and column.name not in ("share", "axis", "interval")
        title = f"{title}{arrow}" if here else title
        drawn = axis_title(column.width, "") if column.name == "axis" else _cell(
            title, column.width, column.name in ("label", "group", "unsolved"), space.glyphs)
        spans += [(drawn, "strong" if here else "muted"), (" " * GAP, "blank")]
    return row(spans, space.width)


def told_apart(labels: Sequence[str], width: int) -> dict[str, str]:
    """What solvers are called in so many columns: where one does not fit, without the words that all begin with."""
    if len(set(labels)) < 2 or max(map(columns, labels)) <= width:
        return {label: label for label in labels}
    split = {label: label.split(" ") for label in labels}
    alike = sum(1 for _each in takewhile(lambda words: len(set(words)) == 1, zip(*split.values(), strict=False)))
    return {label: " ".join(parts[alike:]) or label for label, parts in split.items()}


def line_row(line: Line, chosen: bool, shown: Shown, placed: Sequence[Column], space: Space) -> Row:
    """A row of the table."""
    glyphs, cells = space.glyphs, texts(line, shown.measure)
    width = next(column.width for column in placed if column.name == "label")
    cells["label"] = told_apart([each.label for each in shown.lines], width).get(line.label, line.label)
    role: Role = "strong" if chosen else "text"
    spans: list[Span] = [(f"{glyphs.current} " if chosen else "  ", "data_strong" if chosen else "blank")]
    for column in placed:
        if column.name == "axis":
            spans += merged(bar(line.cell.rate, column.width, glyphs))
        else:
            faint = column.name in ("interval", "unsolved") or cells[column.name] == NONE
            left = column.name in ("label", "group", "unsolved")
            spans.append((_cell(cells[column.name], column.width, left, glyphs), "muted" if faint else role))
        spans.append((" " * GAP, "blank"))
    return row(spans, space.width)


def legend_row(shown: Shown, more: int, space: Space) -> Row:
    """What the marks mean, and how many rows are not seen."""
    glyphs = space.glyphs
    said = [_("● share solved"), _("├─┤ 95 % Wilson interval"),
            _("{time}: median of all runs, 95 %; those cut off took longer").format(time=_measured(shown.measure)),
            _("E left: median of the unsolved")]
    spans: list[Span] = [("  ", "blank")]
    if more:
        spans.append((glyphs.text(_("{ellipsis} {count} more rows   ").format(ellipsis=glyphs.ellipsis, count=more)),
                      "text"))
    for text in said:
        if sum(columns(each) for each, _role in spans) + columns(text) > space.width:
            break
        spans.append((glyphs.text(text) + "   ", "muted"))
    return row(spans, space.width)


def room_for(height: int, legend: bool) -> int:
    """Rows of the table that are seen."""
    return max(height - HEAD - (2 if legend and height >= 6 else 0), 1)


def table_rows(shown: Shown, first: int, space: Space) -> Rows:
    """The headings, the rows from `first` on, and the legend."""
    placed = arranged(shown, space.width)
    room = room_for(space.height, shown.legend)
    lines = [head_row(shown, placed, space)]
    lines += [line_row(line, place == shown.chosen, shown, placed, space)
              for place, line in enumerate(shown.lines[first:first + room], first)]
    if space.height - HEAD > room:
        lines += [row((), space.width)] * (space.height - 1 - len(lines))
        lines.append(legend_row(shown, len(shown.lines) - min(room, len(shown.lines)), space))
    return rows(lines, space)


class BenchTable(Pane):
    """The table; the wheel scrolls it, a click chooses a row, a double click opens it, on a heading it sorts."""

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, place: int, twice: bool) -> None:
            super().__init__()
            self.place, self.twice = place, twice

    class Sorted(Message):
        """A heading was clicked."""

        def __init__(self, by: Sort) -> None:
            super().__init__()
            self.by = by

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = Shown()
        self._first = 0
        self._follow = True

    def show(self, shown: Shown) -> None:
        """Show this from now on, the chosen row in view where it has changed."""
        self._follow = self._follow or shown.chosen != self.shown.chosen
        if shown != self.shown:
            self.shown = shown
            self.repaint()

    def draw(self, space: Space) -> Rows:
        room, total = room_for(space.height, self.shown.legend), len(self.shown.lines)
        if self._follow and total:
            self._first = window(self._first, self.shown.chosen, 1, room, total)
        self._first = max(0, min(self._first, total - room))
        return table_rows(self.shown, self._first, space)

    def _scroll(self, lines: int) -> None:
        self._follow = False
        self._first += lines
        self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._scroll(-1)

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            found = next((column for column in arranged(self.shown, self.size.width)
                          if column.x <= event.x < column.x + column.width + GAP), None)
            if found is not None and found.name in SORTED_BY:
                self.post_message(self.Sorted(SORTED_BY[found.name]))
            return
        place = self._first + event.y - HEAD
        if event.y - HEAD < room_for(self.size.height, self.shown.legend) and place < len(self.shown.lines):
            self.post_message(self.Picked(place, event.chain > 1))
