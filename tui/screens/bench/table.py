"""The table of the bench: a row for each solver and group of puzzles, the share solved as a bar with its interval.

Pure but for the pane at the end. In a narrow window the least important columns are dropped before the bar shrinks.
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
from tui.screens.bench.state import Sort, TableRow
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
"""Choices of columns, the widest first, each with the least width of its axis."""
RESERVED = {"solved": 7, "share": 7, "time": 8, "interval": 17, "unsolved": 24}
"""Least widths, so that nothing moves while results come in."""
SORTED_BY: dict[str, Sort] = {"label": "solver", "group": "puzzles", "solved": "solved", "share": "solved",
                              "axis": "solved", "time": "time", "interval": "time", "left": "left"}


class TableView(Struct, frozen=True):
    """The content of the table."""

    rows: tuple[TableRow, ...] = ()
    selected: int = 0
    measure: Measure = "seconds"
    sort: Sort = "order"
    reverse: bool = False
    legend: bool = True


class Column(Struct, frozen=True):
    """A column of the table."""

    name: str
    x: int
    width: int


def group_name(group: str) -> str:
    """The name of a group as it is shown."""
    return _("all") if group == ALL else group


def cell_texts(row: TableRow, measure: Measure) -> dict[str, str]:
    """The cells of a row but the axis."""
    cell, took = row.cell, row.cell.took(measure)
    ends = took.median.low, took.median.high
    interval = NONE
    if took.median.value is not None:
        low, high = (words.amount(each, measure) if each is not None else "…" for each in ends)
        interval = f"{low} – {high}"
    return {
        "label": row.label, "group": group_name(row.group), "solved": f"{cell.rate.solved}/{cell.rate.n}",
        "share": share(cell.rate.share), "time": words.quantile(took, took.median, measure, 0.5), "interval": interval,
        "left": NONE if cell.left is None else f"{cell.left:g}", "unsolved": words.unsolved(cell),
    }


def titles(measure: Measure) -> dict[str, str]:
    """The headings of the columns."""
    return {"label": _("solver"), "group": _("puzzles"), "solved": _("solved"), "share": "", "axis": "",
            "time": _measure_name(measure), "interval": _("95 %"), "left": _("E left"), "unsolved": _("not solved")}


def _measure_name(measure: Measure) -> str:
    return {"seconds": _("time"), "steps": _("steps"), "evaluations": _("evals")}[measure]


def fit_columns(shown: TableView, width: int) -> tuple[Column, ...]:
    """The columns that fit the width."""
    cells = [cell_texts(row, shown.measure) for row in shown.rows]
    named = titles(shown.measure)
    wide = {name: max([columns(title) + 1, RESERVED.get(name, 0), *(columns(each[name]) for each in cells)])
            for name, title in named.items() if name != "axis"}
    label = min(max(wide["label"], columns(named["label"])), MOST_LABEL)
    one = len({row.group for row in shown.rows}) < 2
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


def head_row(shown: TableView, placed: Sequence[Column], space: Space) -> Row:
    """The headings; the one that is sorted by is strong and has an arrow."""
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


def short_labels(labels: Sequence[str], width: int) -> dict[str, str]:
    """The labels of solvers; where one is wider than `width`, without the words that all begin with."""
    if len(set(labels)) < 2 or max(map(columns, labels)) <= width:
        return {label: label for label in labels}
    split = {label: label.split(" ") for label in labels}
    common = sum(1 for _each in takewhile(lambda words: len(set(words)) == 1, zip(*split.values(), strict=False)))
    return {label: " ".join(parts[common:]) or label for label, parts in split.items()}


def drawn_row(entry: TableRow, selected: bool, shown: TableView, placed: Sequence[Column], space: Space) -> Row:
    """A row of the table."""
    glyphs, cells = space.glyphs, cell_texts(entry, shown.measure)
    width = next(column.width for column in placed if column.name == "label")
    cells["label"] = short_labels([each.label for each in shown.rows], width).get(entry.label, entry.label)
    role: Role = "strong" if selected else "text"
    spans: list[Span] = [(f"{glyphs.current} " if selected else "  ", "data_strong" if selected else "blank")]
    for column in placed:
        if column.name == "axis":
            spans += merged(bar(entry.cell.rate, column.width, glyphs))
        else:
            faint = column.name in ("interval", "unsolved") or cells[column.name] == NONE
            left = column.name in ("label", "group", "unsolved")
            spans.append((_cell(cells[column.name], column.width, left, glyphs), "muted" if faint else role))
        spans.append((" " * GAP, "blank"))
    return row(spans, space.width)


def legend_row(shown: TableView, more: int, space: Space) -> Row:
    """The meaning of the marks, and the number of rows out of view."""
    glyphs = space.glyphs
    said = [_("● share solved"), _("├─┤ 95 % Wilson interval"),
            _("{time}: median of all runs, 95 %; cut-off ones longer").format(time=_measure_name(shown.measure)),
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


def visible_rows(height: int, legend: bool) -> int:
    """Rows in view in a pane of this height."""
    return max(height - HEAD - (2 if legend and height >= 6 else 0), 1)


def table_lines(shown: TableView, first: int, space: Space) -> Rows:
    """The headings, the rows from `first` on, and the legend."""
    placed = fit_columns(shown, space.width)
    room = visible_rows(space.height, shown.legend)
    lines = [head_row(shown, placed, space)]
    lines += [drawn_row(entry, index == shown.selected, shown, placed, space)
              for index, entry in enumerate(shown.rows[first:first + room], first)]
    if space.height - HEAD > room:
        lines += [row((), space.width)] * (space.height - 1 - len(lines))
        lines.append(legend_row(shown, len(shown.rows) - min(room, len(shown.rows)), space))
    return rows(lines, space)


class BenchTable(Pane):
    """The table. The wheel scrolls, a click selects a row, a double click opens it, a click on a heading sorts."""

    class Selected(Message):
        """A row was clicked."""

        def __init__(self, index: int, twice: bool) -> None:
            super().__init__()
            self.index, self.twice = index, twice

    class Sorted(Message):
        """A heading was clicked."""

        def __init__(self, by: Sort) -> None:
            super().__init__()
            self.by = by

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = TableView()
        self._first = 0
        self._follow = True

    def show(self, shown: TableView) -> None:
        """Show this content; a row that is newly selected is scrolled into view."""
        self._follow = self._follow or shown.selected != self.shown.selected
        if shown != self.shown:
            self.shown = shown
            self.repaint()

    def draw(self, space: Space) -> Rows:
        room, total = visible_rows(space.height, self.shown.legend), len(self.shown.rows)
        if self._follow and total:
            self._first = window(self._first, self.shown.selected, 1, room, total)
        self._first = max(0, min(self._first, total - room))
        return table_lines(self.shown, self._first, space)

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
            found = next((column for column in fit_columns(self.shown, self.size.width)
                          if column.x <= event.x < column.x + column.width + GAP), None)
            if found is not None and found.name in SORTED_BY:
                self.post_message(self.Sorted(SORTED_BY[found.name]))
            return
        index = self._first + event.y - HEAD
        if event.y - HEAD < visible_rows(self.size.height, self.shown.legend) and index < len(self.shown.rows):
            self.post_message(self.Selected(index, event.chain > 1))
