"""Layouts of a board: the positions of cells, rules and labels.

A compact cell has a left mark, digits, a right mark and an overflow mark; a tall one has three lines, a pencilled one
two. Rules separate the boxes; there is no frame.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.puzzle import SYMBOLS

Kind = Literal["compact", "tall", "pencil"]
"""The form of a cell: on one line; with line digits; with candidates."""

LARGEST_LINE_BOX = 3
"""The largest box with line digits and pencil marks, whose cells have room for nine values."""


class Layout(Struct, frozen=True):
    """One way to draw an n x n board (n = box * box). All sizes are in terminal columns and rows."""

    name: str
    box: int
    label: int
    """Columns of the row labels."""
    digits: int
    """Columns of a value: 1 (above 9 as letters), 2 (as numbers) or 3 (line digits)."""
    pad: int
    """Blank columns at the left edge of a box."""
    pitch: int
    """Rows from one row of cells to the next."""
    kind: Kind = "compact"
    pad_right: int = 0
    """Blank columns at the right edge of a box."""

    @property
    def n(self) -> int:
        return self.box * self.box

    @property
    def cell_width(self) -> int:
        return self.digits + 3 if self.kind == "compact" else 7

    @property
    def tall(self) -> int:
        """Lines of a cell."""
        return {"compact": 1, "tall": 3, "pencil": 2}[self.kind]

    @property
    def middle(self) -> tuple[int, int]:
        """The column and the line of a cell that the labels align with."""
        return {"compact": (self.digits, 0), "tall": (2, 1), "pencil": (3, 0)}[self.kind]

    @property
    def box_width(self) -> int:
        return self.box * self.cell_width + self.pad + self.pad_right

    @property
    def width(self) -> int:
        return self.label + self.box * self.box_width + self.box - 1

    @property
    def height(self) -> int:
        """Rows with the labels. With a pitch above 1, rules take the place of empty rows."""
        rules = self.box - 1 if self.pitch == 1 else 0
        return 1 + (self.n - 1) * self.pitch + self.tall + rules

    def column_x(self, column: int) -> int:
        """The x of the left mark of the cells of a column (0 to n - 1)."""
        across = column // self.box
        return self.label + across * (self.box_width + 1) + self.pad + column % self.box * self.cell_width

    def rule_x(self, index: int) -> int:
        """The x of the vertical rule after box column `index` (0 to box - 2)."""
        return self.label + (index + 1) * self.box_width + index

    def row_y(self, row: int) -> int:
        """The y of the first line of the cells of a row (0 to n - 1)."""
        return 1 + row * self.pitch + (row // self.box if self.pitch == 1 else 0)

    def rule_y(self, index: int) -> int:
        """The y of the horizontal rule after box row `index` (0 to box - 2)."""
        return self.row_y((index + 1) * self.box) - 1

    def value(self, value: int) -> str:
        """A value, 1 to n, as text."""
        return str(value).rjust(self.digits) if self.digits == 2 else SYMBOLS[value]

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell at a place of the board, or None. A place between two cells belongs to the left or upper one."""
        last = self.n - 1
        if y >= self.row_y(last) + self.tall or x >= self.column_x(last) + self.cell_width:
            return None
        row = next((r for r in range(last, -1, -1) if self.row_y(r) <= y), None)
        column = next((c for c in range(last, -1, -1) if self.column_x(c) <= x), None)
        return None if row is None or column is None else row * self.n + column


def small(box: int, digits: int = 1) -> Layout:
    """Board S: 40 x 12 for n = 9."""
    return Layout("S", box, 2 if box <= 3 else 3, digits, 0, 1)


def medium(box: int, digits: int = 1) -> Layout:
    """Board M: 46 x 18 for n = 9."""
    return Layout("M", box, 2 if box <= 3 else 3, digits, 1, 2, pad_right=1)


def large(box: int) -> Layout:
    """Board L, with line digits: 74 x 36 for n = 9."""
    return Layout("L", box, 3, 3, 1, 4, "tall", 1)


def pencil(box: int) -> Layout:
    """A board with room for the candidates of every cell: 69 x 27 for n = 9."""
    return Layout("pencil", box, 1, 1, 1, 3, "pencil")


def choices(box: int, candidates: bool = False) -> tuple[Layout, ...]:
    """The layouts of a board, preferred first. `candidates`: there are some to show."""
    if box > LARGEST_LINE_BOX:
        return medium(box, 2), medium(box), small(box, 2), small(box)
    return (*((pencil(box),) if candidates else ()), large(box), medium(box), small(box))


def fitting(box: int, width: int, height: int, candidates: bool = False) -> Layout:
    """The preferred layout of those that fit, else the smallest, which scrolls."""
    listed = choices(box, candidates)
    narrow = (each for each in listed if each.width <= width and each.height <= height)
    wide_enough = (each for each in listed if each.width <= width and each.name == "S")
    return next(narrow, None) or next(wide_enough, listed[-1])


def window(first: int, cursor: int, pitch: int, room: int, total: int) -> int:
    """The first column (or row) of a window of `room` over `total`, moved from `first` as little as needed to show the
    `pitch` columns from `cursor` on."""
    first = min(first, cursor)
    first = max(first, cursor + pitch - room)
    return max(0, min(first, total - room))
