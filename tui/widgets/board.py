"""The board: givens, free cells, conflicts, the last move and the cell cursor, each with a mark of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from textual import events
from textual.message import Message

from engine.puzzle import Puzzle
from engine.view import Role as MarkRole
from engine.view import View
from tui.glyphs import Glyphs
from tui.theme import Role
from tui.widgets.board_layout import Layout, fitting, window
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, rows


@dataclass(frozen=True, slots=True)
class Position:
    """What the board shows: values, which of them are given, marks by what they say, the cell cursor."""

    puzzle: Puzzle
    grid: tuple[int, ...]
    marks: Mapping[MarkRole, tuple[int, ...]] = field(default_factory=dict)
    cursor: int | None = None

    @classmethod
    def of(cls, puzzle: Puzzle, view: View, cursor: int | None = None) -> Position:
        return cls(puzzle, view.grid, view.marks, cursor)


@dataclass(frozen=True, slots=True)
class Ink:
    """How the characters of one cell are written: its four parts and their roles."""

    left: str
    value: str
    right: str
    overflow: str
    left_role: Role
    value_role: Role
    right_role: Role
    overflow_role: Role


def cell_ink(position: Position, cell: int, layout: Layout, glyphs: Glyphs) -> Ink:
    """One cell of the board."""
    marks = position.marks
    moved, clash = cell in marks.get("moved", ()), cell in marks.get("conflict", ()) or cell in marks.get("core", ())
    cursor = cell == position.cursor
    value = position.grid[cell]
    text = layout.value(value) if value else glyphs.empty.rjust(layout.digits)
    left, right = (">", "<") if cursor else ("[", "]") if moved else (" ", _diagonal(position, cell, glyphs))
    alarm = "!" if clash else " "
    role = _value_role(bool(value), bool(position.puzzle.givens[cell]), moved, clash)
    if moved:
        return Ink(left, text, right, alarm, "now", role, "now", "alarm")
    if cursor:
        return Ink(left, text, right, alarm, "data_strong", role, "data_strong", "alarm")
    if clash:
        return Ink(left, text, "!", " ", "blank", role, "alarm", "blank")
    return Ink(left, text, right, " ", "blank", role, "muted" if right.strip() else "blank", "blank")


def _value_role(filled: bool, given: bool, moved: bool, clash: bool) -> Role:
    if moved:
        return "now_conflict" if clash else "now"
    if clash:
        return "conflict_strong" if given else "conflict"
    if not filled:
        return "rule"
    return "strong" if given else "text"


def _diagonal(position: Position, cell: int, glyphs: Glyphs) -> str:
    if position.puzzle.variant != "diagonal":
        return " "
    n = position.puzzle.n
    down, across = divmod(cell, n)
    return glyphs.falling if down == across else glyphs.rising if down + across == n - 1 else " "


Canvas = list[list[tuple[str, Role]]]


def draw_board(position: Position, layout: Layout, glyphs: Glyphs) -> Canvas:
    """The whole board, one (character, role) a column: `layout.height` lines of `layout.width` columns."""
    canvas: Canvas = [[(" ", "blank")] * layout.width for _ in range(layout.height)]
    _labels(canvas, layout)
    _rules(canvas, layout, glyphs)
    for cell in range(layout.n**2):
        ink = cell_ink(position, cell, layout, glyphs)
        x, line = layout.column_x(cell % layout.n), canvas[layout.row_y(cell // layout.n)]
        parts = [(ink.left, ink.left_role), *((each, ink.value_role) for each in ink.value),
                 (ink.right, ink.right_role), (ink.overflow, ink.overflow_role)]
        line[x : x + layout.cell_width] = parts
    return canvas


def _labels(canvas: Canvas, layout: Layout) -> None:
    for index in range(layout.n):
        number = str(index + 1)
        x = layout.column_x(index) + layout.digits + 1 - len(number)
        _write(canvas[0], x, number, "muted")
        _write(canvas[layout.row_y(index)], 0, number.rjust(layout.label - 1), "muted")


def _rules(canvas: Canvas, layout: Layout, glyphs: Glyphs) -> None:
    down = [layout.rule_x(index) for index in range(layout.box - 1)]
    across = [layout.rule_y(index) for index in range(layout.box - 1)]
    for y, line in enumerate(canvas[1:], 1):
        if y in across:
            _write(line, layout.label, glyphs.horizontal * (layout.width - layout.label), "rule")
        for x in down:
            _write(line, x, glyphs.cross if y in across else glyphs.vertical, "rule")


def _write(line: list[tuple[str, Role]], x: int, text: str, role: Role) -> None:
    line[x : x + len(text)] = [(character, role) for character in text]


@dataclass(frozen=True, slots=True)
class Scroll:
    """How many columns and rows of a board too large for its pane are scrolled away (labels stay)."""

    x: int = 0
    y: int = 0


def follow(scroll: Scroll, layout: Layout, cursor: int | None, space: Space) -> Scroll:
    """The scroll that keeps the cell cursor in view, moved no further than it must."""
    cell = 0 if cursor is None else cursor
    x = layout.column_x(cell % layout.n) - layout.label
    y = layout.row_y(cell // layout.n) - 1
    return Scroll(
        window(scroll.x, x, layout.cell_width, space.width - layout.label, layout.width - layout.label),
        window(scroll.y, y, 1, space.height - 1, layout.height - 1),
    )


def board_rows(position: Position, layout: Layout, space: Space, scroll: Scroll = Scroll()) -> Rows:
    """The board in the room there is, scrolled under its labels."""
    canvas = draw_board(position, layout, space.glyphs)
    lines = [canvas[0], *canvas[1 + scroll.y :]]
    return rows((line[: layout.label] + line[layout.label + scroll.x :] for line in lines), space)


class Board(Pane):
    """A board. `show` gives it a position; it takes the roomiest layout that fits unless `layout` names one."""

    DEFAULT_CSS = "Board { width: 46; height: 18; }"

    class Picked(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(
        self, position: Position | None = None, *, layout: Layout | None = None, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.position = position
        self._fixed = layout
        self._scroll = Scroll()

    def show(self, position: Position) -> None:
        """Show this from now on."""
        self.position = position
        self.repaint()

    def set_layout(self, layout: Layout | None) -> None:
        """Draw with this layout; None chooses one again."""
        self._fixed = layout
        self.repaint()

    def layout_for(self, width: int, height: int) -> Layout | None:
        if self.position is None:
            return None
        if self._fixed is not None and self._fixed.box == self.position.puzzle.box:
            return self._fixed
        return fitting(self.position.puzzle.box, width, height)

    def draw(self, space: Space) -> Rows:
        layout = self.layout_for(space.width, space.height)
        if self.position is None or layout is None:
            return rows((), space)
        self._scroll = follow(self._scroll, layout, self.position.cursor, space)
        return board_rows(self.position, layout, space, self._scroll)

    def on_click(self, event: events.Click) -> None:
        layout = self.layout_for(*self.size)
        if layout is None:
            return
        x = event.x + (self._scroll.x if event.x >= layout.label else 0)
        y = event.y + (self._scroll.y if event.y >= 1 else 0)
        cell = layout.cell_at(x, y)
        if cell is not None:
            self.post_message(self.Picked(cell))
