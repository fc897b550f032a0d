"""The table of the bench: a row for each solver and group of puzzles, the share solved as a bar with its interval.

In a narrow window the least important columns are dropped before the bar shrinks. Pure, but for the widget at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widgets import DataTable

from engine.bench.columns import Measure
from engine.bench.report import words
from engine.bench.statistics import Rate
from engine.bench.tables import ALL
from engine.text import NONE, share
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Look, Role
from tui.screens.bench.state import Sort, TableRow
from tui.widgets.pane import AppWidget
from tui.widgets.rows import Row, Space, Span, columns, fit, length, row

AXIS = 45
"""Columns of the axis from 0 to 100 %, where there is room."""
LEAST_LABEL, MOST_LABEL = 22, 30
GAP = 2
"""Blanks after each column, and columns of the mark before the first."""
NEEDED = ("label", "group", "share", "axis")
"""The last to be dropped: without its group a row cannot be told from another of its solver."""
ATTEMPTS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (AXIS, ("label", "group", "solved", "share", "axis", "time", "interval", "left", "unsolved")),
    (AXIS, ("label", "group", "solved", "share", "axis", "time", "interval", "left")),
    (40, ("label", "group", "solved", "share", "axis", "time", "interval")),
    (32, ("label", "group", "solved", "share", "axis", "time")),
    (16, ("label", "group", "solved", "share", "axis", "time")),
    (12, ("label", "group", "share", "axis", "time")),
    (8, ("label", "group", "share", "axis", "time")),
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


def group_name(group: str) -> str:
    """The name of a group on the screen."""
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


def fit_columns(shown: TableView, width: int) -> dict[str, int]:
    """The columns that fit a width, with the width of each without its gap."""
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
    widths = {**wide, "label": max(min(label, room - axis), 0), "axis": axis}
    return {name: widths[name] for name in names}


def bar(rate: Rate, width: int, glyphs: Glyphs) -> list[Span]:
    """The share solved on an axis from 0 to 100 %: `━━━━├──●──┤ · · ·`."""
    empty: list[Span] = [(glyphs.empty if not x % 2 else " ", "rule") for x in range(width)]
    if rate.share is None or width < 2:
        return empty
    low, middle, high = (round(value * (width - 1)) for value in (rate.low, rate.share, rate.high))
    filled: Span = glyphs.filled, "muted"
    cells = [filled] * low + empty[low:]
    for x in range(low, high + 1):
        cells[x] = glyphs.horizontal, "data"
    cells[low], cells[high] = (glyphs.text("├"), "data"), (glyphs.text("┤"), "data")
    cells[middle] = glyphs.playhead, "data_strong"
    return cells


def axis_title(width: int) -> str:
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


def headings(shown: TableView, widths: dict[str, int], glyphs: Glyphs) -> list[Row]:
    """The headings with their gaps; the one that is sorted by is strong and has an arrow."""
    drawn: list[Row] = [((" " * GAP, "blank"),)]
    arrow = glyphs.text("↑" if shown.reverse else "↓")
    for name, width in widths.items():
        sorted_by = SORTED_BY.get(name) == shown.sort and name not in ("share", "axis", "interval")
        title = titles(shown.measure)[name] + arrow * sorted_by
        text = axis_title(width) if name == "axis" else _aligned(title, name, width, glyphs)
        drawn.append(row([(text, "strong" if sorted_by else "muted")], width + GAP))
    return drawn


def cells(index: int, shown: TableView, widths: dict[str, int], glyphs: Glyphs) -> list[Row]:
    """The cells of a row with their gaps, after the mark of the selected row."""
    entry, selected = shown.rows[index], index == shown.selected
    texts = cell_texts(entry, shown.measure)
    texts["label"] = short_labels([each.label for each in shown.rows], widths["label"])[entry.label]
    drawn: list[Row] = [row([(glyphs.current if selected else "", "data_strong")], GAP)]
    for name, width in widths.items():
        if name == "axis":
            drawn.append(row(bar(entry.cell.rate, width, glyphs), width + GAP))
            continue
        faint = name in ("interval", "unsolved") or texts[name] == NONE
        role: Role = "muted" if faint else "strong" if selected else "text"
        drawn.append(row([(_aligned(texts[name], name, width, glyphs), role)], width + GAP))
    return drawn


def _aligned(text: str, name: str, width: int, glyphs: Glyphs) -> str:
    """A text cut to its column; names at the left, numbers at the right."""
    shown = fit(text, width, glyphs)
    return shown if name in ("label", "group", "unsolved") else shown.rstrip().rjust(width)


def short_labels(labels: Sequence[str], width: int) -> dict[str, str]:
    """The labels of solvers; where one is wider than `width`, without the words that all begin with."""
    if len(set(labels)) < 2 or max(map(columns, labels)) <= width:
        return {label: label for label in labels}
    split = {label: label.split(" ") for label in labels}
    common = sum(1 for _each in takewhile(lambda words: len(set(words)) == 1, zip(*split.values(), strict=False)))
    return {label: " ".join(parts[common:]) or label for label, parts in split.items()}


def legend_spans(measure: Measure, more: int, space: Space, interval: bool = True) -> list[Span]:
    """The meaning of the marks, and the number of rows out of view. `interval`: the table has that of the median."""
    glyphs = space.glyphs
    median = (_("{time}: median of all runs, 95 %; cut-off ones longer") if interval else
              _("{time}: median of all runs; cut-off ones longer"))
    meanings = [_("● share solved"), _("├─┤ 95 % Wilson interval"), median.format(time=_measure_name(measure)),
                _("E left: median of the unsolved")]
    spans: list[Span] = [(" " * GAP, "blank")]
    if more > 0:
        template = _("{ellipsis} {count} more row") if more == 1 else _("{ellipsis} {count} more rows")
        text = template.format(ellipsis=glyphs.ellipsis, count=more)
        spans += [(glyphs.text(text), "text"), ("   ", "blank")]
    for text in meanings:
        if sum(columns(each) for each, _role in spans) + columns(text) > space.width:
            break
        spans += [(glyphs.text(text), "muted"), ("   ", "blank")]
    return spans


class BenchTable(DataTable[None], AppWidget):
    """The table. A click selects a row, a double click opens it; a click on a heading sorts.

    Textual's table has the cursor, the scrolling and the mouse; its lines are drawn here, since it renders every cell
    through a console.
    """

    DEFAULT_CSS = """
    BenchTable {
        background: $background; overflow-x: hidden; scrollbar-size: 0 0;
        & > .datatable--header { background: $background; text-style: none; }
        & > .datatable--cursor { background: $background; text-style: none; }
        & > .datatable--hover, & > .datatable--header-hover { background: $background; }
    }
    """

    class Opened(Message):
        """A row was clicked twice."""

    def __init__(self) -> None:
        super().__init__(cursor_type="row", cell_padding=0)
        self.can_focus = False
        self.shown = TableView()
        self._shape: tuple[dict[str, int], int] = ({}, 0)
        """Width of each column, and number of rows."""
        self._drawn: tuple[Look | None, list[list[Row]]] = (None, [])
        """The look, and the headings followed by the cells of each row."""

    def has_room(self, column: str) -> bool:
        """The column of this name fits in the window."""
        return column in self._shape[0]

    @property
    def rows_out_of_view(self) -> int:
        return len(self.shown.rows) - max(self.size.height - self.header_height, 1)

    def show(self, shown: TableView) -> None:
        """Show this content; a row that is newly selected is scrolled into view."""
        self.shown = shown
        self._draw()

    def set_look(self, look: Look) -> None:
        self._look = look
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if not self.size.width:
            return
        shown, look = self.shown, self.look
        widths = fit_columns(shown, self.size.width)
        lines = [headings(shown, widths, look.glyphs),
                 *(cells(index, shown, widths, look.glyphs) for index in range(len(shown.rows)))]
        before, self._drawn = self._drawn, (look, lines)
        if self._shape != (widths, len(shown.rows)):
            self._shape = widths, len(shown.rows)
            self.clear(columns=True)
            for name, head in zip(["", *widths], lines[0], strict=True):
                self.add_column("", width=length(head), key=name)
            self.add_rows([()] * len(shown.rows))
        if before != self._drawn:
            self.refresh()
        if shown.rows and self.cursor_row != shown.selected:
            self.move_cursor(row=shown.selected)

    def render_line(self, y: int) -> Strip:
        lines, width = self._drawn[1], self.size.width
        index = y + self.scroll_offset.y if y else 0
        places = enumerate(lines[index] if index < len(lines) else ())
        segments = [Segment(text, self.look.style(role) + Style.from_meta({"row": index - 1, "column": column}))
                    for column, cell in places for text, role in cell]
        return Strip(segments).adjust_cell_length(width, self.look.style("blank"))

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1 and event.style.meta.get("row", -1) >= 0:
            self.post_message(self.Opened())
