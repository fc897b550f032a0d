"""A board as rows of spans, and its widget, which scrolls a board that does not fit and posts the cell under a click.

Rows of cells are cached, because a move changes two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct, field
from textual import events
from textual.message import Message

from engine.puzzle import Puzzle
from engine.view import Role as MarkRole
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.widgets.board.cell import (
    CURSOR,
    FALLING,
    FLAGS,
    FROM_A,
    FROM_B,
    GIVEN,
    NO_CANDIDATES,
    RISING,
    SMALL,
    Cell,
    cell_lines,
)
from tui.widgets.board.layout import Layout, fitting, window
from tui.widgets.board.overlays import NO_HINTS, NOWHERE, Hints, Origin, label_role, origin_of, with_hints
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, roles, row, rows


class Position(Struct, frozen=True):
    """The content of a board: puzzle, values, marks by role, cell cursor."""

    puzzle: Puzzle
    grid: tuple[int, ...]
    marks: Mapping[MarkRole, tuple[int, ...]] = field(default_factory=dict)
    cursor: int | None = None
    candidates: tuple[int, ...] | None = None
    """Candidates of every cell as bit masks; None: unknown. An empty cell without one is marked."""
    focus: tuple[int, ...] = ()
    """Cells to scroll to on a board that does not fit, without a cursor."""
    hints: Hints = NO_HINTS
    """Heat, weights, marks on candidates, units."""
    pencilled: bool = True
    """Pencil the candidates in, if there is room."""


@lru_cache(maxsize=8)
def _fixed_flags(puzzle: Puzzle) -> tuple[int, ...]:
    """The flags that follow from the puzzle."""
    n = puzzle.n
    diagonal = puzzle.variant == "diagonal"
    flags = []
    for cell, given in enumerate(puzzle.givens):
        down, across = divmod(cell, n)
        falling, rising = diagonal and down == across, diagonal and down + across == n - 1
        flags.append(GIVEN * bool(given) | FALLING * falling | RISING * rising)
    return tuple(flags)


def cells_of(position: Position, origin: Origin = NOWHERE) -> list[Cell]:
    """The content of every cell."""
    flags = list(_fixed_flags(position.puzzle))
    for role, where in position.marks.items():
        flag = FLAGS.get(role, 0)
        for cell in where:
            flags[cell] |= flag
    for cell, letter in origin.cells.items():
        flags[cell] |= (FROM_A if letter in "Aa" else FROM_B) | SMALL * letter.islower()
    if position.cursor is not None:
        flags[position.cursor] |= CURSOR
    masks = position.candidates or (NO_CANDIDATES,) * len(flags)
    plain = [Cell(*each) for each in zip(position.grid, flags, masks, strict=True)]
    return plain if position.hints is NO_HINTS else with_hints(plain, position.puzzle, position.hints)


@lru_cache(maxsize=16)
def frame_lines(layout: Layout, width: int, glyphs: Glyphs) -> Rows:
    """The board without cells: column labels and rules."""
    across = [layout.rule_y(index) for index in range(layout.box - 1)]
    return (_labels(layout, width),
            *(_bare_line(layout, width, glyphs, y in across) for y in range(1, layout.height)))


def _labels(layout: Layout, width: int, units: tuple[int, ...] = ()) -> Row:
    """The column labels; those of `units` are strong."""
    spans: list[Span] = []
    for index in range(layout.n):
        number, end = str(index + 1), layout.column_x(index) + layout.middle[0] + 1
        before = end - len(number) - length(spans)
        spans += [(" " * before, "muted"), (number, label_role(layout.n + index in units))]
    return row((*spans, (" " * (layout.width - length(spans)), "muted")), width)


def _bare_line(layout: Layout, width: int, glyphs: Glyphs, rule: bool) -> Row:
    first = max(layout.label, 2)
    line = list((" " * first).ljust(layout.width, glyphs.horizontal if rule else " "))
    for index in range(layout.box - 1):
        line[layout.rule_x(index)] = glyphs.cross if rule else glyphs.vertical
    text = "".join(line)
    return row(((text[:first], "blank"), (text[first:], "rule")), width)


@lru_cache(maxsize=16)
def _cut_line(layout: Layout, width: int, glyphs: Glyphs) -> Row:
    """The dashed line of a crossover cut, in place of an empty line or a rule."""
    line = [glyphs.dash] * layout.width
    for index in range(layout.box - 1):
        line[layout.rule_x(index)] = glyphs.cross
    return row((("".join(line), "ink"),), width)


@lru_cache(maxsize=2048)
def row_lines(cells: tuple[Cell, ...], number: int, layout: Layout, width: int, glyphs: Glyphs,
              named: bool = False, parent: str = "") -> Rows:
    """The lines of one row of cells (0 to n - 1) with its label. `named`: it is a unit of this step; `parent`: the
    letter of the parent that all of it is from."""
    drawn = [cell_lines(cell, layout, glyphs) for cell in cells]
    label = str(number + 1).rjust(layout.label - 1 or 1).ljust(layout.label)
    labels: list[list[Span]] = [[(" " * layout.label, label_role(named))] for _line in range(layout.tall)]
    letter = parent if layout.label > len(str(layout.n)) else ""
    labels[layout.middle[1]] = [(label[: layout.label - len(letter)], label_role(named)), (letter, "strong")]
    return tuple(row([*labels[line], *_row_spans(drawn, line, layout, glyphs)], width)
                 for line in range(layout.tall))


def _row_spans(drawn: list[tuple[Row, ...]], line: int, layout: Layout, glyphs: Glyphs) -> list[Span]:
    spans: list[Span] = []
    for place, lines in enumerate(drawn):
        if place % layout.box == 0:
            spans += [(glyphs.vertical, "rule")] if place else []
            spans.append((" " * layout.pad, "blank"))
        spans += lines[line]
        if (place + 1) % layout.box == 0:
            spans.append((" " * layout.pad_right, "blank"))
    return spans


def step_cell(cell: int, n: int, down: int, right: int) -> int:
    """The cell `down` rows below and `right` columns beside a cell of an n x n board, which wraps at the edges."""
    row, column = divmod(cell, n)
    return (row + down) % n * n + (column + right) % n


class Scroll(Struct, frozen=True):
    """Columns and rows that are scrolled away on a board that does not fit; labels stay."""

    x: int = 0
    y: int = 0


UNSCROLLED = Scroll()


def follow(scroll: Scroll, layout: Layout, cell: int | None, space: Space) -> Scroll:
    """Scroll as little as needed to show a cell, with a whole one at the left; without one, stay within the board."""
    across, down = layout.width - layout.label, layout.height - 1
    if cell is None:
        return Scroll(max(0, min(scroll.x, layout.width - space.width)),
                      max(0, min(scroll.y, layout.height - space.height)))
    x = layout.column_x(cell % layout.n) - layout.label
    y = layout.row_y(cell // layout.n) - 1
    left = window(scroll.x, x, layout.cell_width, space.width - layout.label, across)
    starts = (layout.column_x(column) - layout.label for column in range(layout.n))
    return Scroll(min(start for start in starts if start >= left) if left else 0,
                  window(scroll.y, y, layout.tall, space.height - 1, down))


def part_shown(layout: Layout, space: Space, scroll: Scroll) -> tuple[range, range]:
    """The rows and the columns of cells (0 to n - 1) that fit with their marks."""
    top, left = scroll.y + 1, scroll.x + layout.label
    down = [r for r in range(layout.n) if top <= layout.row_y(r) <= scroll.y + space.height - layout.tall]
    across = [c for c in range(layout.n)
              if left <= layout.column_x(c) <= scroll.x + space.width - layout.cell_width]
    return _range(down), _range(across)


def _range(numbers: list[int]) -> range:
    return range(numbers[0], numbers[-1] + 1) if numbers else range(0)


def board_rows(position: Position, layout: Layout, space: Space, scroll: Scroll = UNSCROLLED) -> Rows:
    """The board in a space, scrolled under its labels; nothing is drawn of columns that do not fit."""
    whole = space.width if layout.width <= space.width else layout.width
    lines = list(frame_lines(layout, whole, space.glyphs))
    origin = origin_of(position.puzzle, position.marks)
    cells, n, units = cells_of(position, origin), layout.n, position.hints.units
    if any(n <= unit < 2 * n for unit in units):
        lines[0] = _labels(layout, whole, units)
    for number in range(n):
        y = layout.row_y(number)
        in_row = tuple(cells[number * n : number * n + n])
        drawn = row_lines(in_row, number, layout, whole, space.glyphs, number in units,
                          origin.rows[number] if origin.rows else "")
        lines[y : y + layout.tall] = drawn
    if origin.cut is not None and (layout.pitch > 1 or origin.cut % layout.box == 0):
        lines[layout.row_y(origin.cut) - 1] = _cut_line(layout, whole, space.glyphs)
    if whole > space.width or scroll != UNSCROLLED:
        _down, across = part_shown(layout, space, scroll)
        end = layout.column_x(across[-1]) + layout.cell_width if across else space.width
        return rows((_cropped(line, layout.label, scroll.x, end) for line in [lines[0], *lines[1 + scroll.y :]]), space,
                    words=False)
    return tuple(lines[: space.height]) + (row((), whole),) * (space.height - len(lines))


def _cropped(line: Row, label: int, x: int, end: int) -> list[Span]:
    """The label of a line, and its columns from x after it up to `end`."""
    drawn = roles(line)
    return drawn[:label] + drawn[label + x : end]


class Board(Pane):
    """A board, drawn in the roomiest layout that fits."""

    DEFAULT_CSS = "Board { width: 46; height: 18; }"

    class Picked(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    position: Position | None = None
    keys = ""
    """The keys that move the cell cursor, for the line below a board that does not fit."""
    _scroll = UNSCROLLED

    def show(self, position: Position) -> None:
        self.position = position
        self.repaint()

    def layout_for(self, width: int, height: int) -> Layout | None:
        if self.position is None:
            return None
        pencilled = self.position.pencilled and self.position.candidates is not None
        return fitting(self.position.puzzle.box, width, height, pencilled)

    def draw(self, space: Space) -> Rows:
        layout = self.layout_for(space.width, space.height)
        if self.position is None or layout is None:
            return rows((), space)
        cut = layout.width > space.width or layout.height > space.height
        room = Space(space.width, space.height - 1, space.glyphs) if cut else space
        wanted = self.position.focus if self.position.cursor is None else (self.position.cursor,)
        for cell in (*reversed(wanted), *([] if wanted else [None])):
            self._scroll = follow(self._scroll, layout, cell, room)
        drawn = board_rows(self.position, layout, room, self._scroll)
        return (*drawn, self._hidden_line(layout, room)) if cut else drawn

    def _hidden_line(self, layout: Layout, space: Space) -> Row:
        """The line below a board that does not fit: the visible part, and the keys that show the rest."""
        n, (down, across) = layout.n, part_shown(layout, space, self._scroll)
        parts = [f"{name} {shown.start + 1}–{shown.stop}"
                 for name, shown in ((_("rows"), down), (_("columns"), across)) if len(shown) < n]
        visible = _("{parts} of {n}").format(parts=", ".join(parts), n=n)
        spans: list[Span] = [("  " + space.glyphs.text(visible), "muted")]
        if self.keys:
            spans.append(("   " + _("{keys} shows the rest").format(keys=space.glyphs.key(self.keys)), "muted"))
        return row(spans if length(spans) <= space.width else spans[:1], space.width)

    def on_click(self, event: events.Click) -> None:
        layout = self.layout_for(*self.size)
        if layout is None:
            return
        x = event.x + (self._scroll.x if event.x >= layout.label else 0)
        y = event.y + (self._scroll.y if event.y >= 1 else 0)
        cell = layout.cell_at(x, y)
        if cell is not None:
            self.post_message(self.Picked(cell))
