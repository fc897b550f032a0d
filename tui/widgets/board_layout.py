"""Where everything on a board stands: pure arithmetic.

A cell has a left mark, its digits, a right mark and an overflow mark. Two rules part the boxes each way; there is no
frame. A layout is data: another board is another `Layout`.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.puzzle import SYMBOLS


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to draw an n x n board (n = box * box). All sizes are in terminal columns and rows."""

    name: str
    box: int
    label: int
    """Columns of the row labels."""
    digits: int
    """Columns of a value: 1 (above 9 as letters) or 2 (as numbers)."""
    pad: int
    """Blank columns at both edges of a box."""
    pitch: int
    """Rows from one digit to the next: 1, or 2 with an empty row between."""

    @property
    def n(self) -> int:
        return self.box * self.box

    @property
    def cell_width(self) -> int:
        return self.digits + 3

    @property
    def box_width(self) -> int:
        return self.box * self.cell_width + 2 * self.pad

    @property
    def width(self) -> int:
        return self.label + self.box * self.box_width + self.box - 1

    @property
    def height(self) -> int:
        """With the row of labels. Where the pitch is 2 a rule takes the place of an empty row."""
        rules = self.box - 1 if self.pitch == 1 else 0
        return 1 + (self.n - 1) * self.pitch + 1 + rules

    def column_x(self, column: int) -> int:
        """The left mark of the cells of a column (0..n-1)."""
        across = column // self.box
        return self.label + across * (self.box_width + 1) + self.pad + column % self.box * self.cell_width

    def rule_x(self, index: int) -> int:
        """The vertical rule after box column `index` (0..box-2)."""
        return self.label + (index + 1) * self.box_width + index

    def row_y(self, row: int) -> int:
        """The line of the digits of a row (0..n-1)."""
        return 1 + row * self.pitch + (row // self.box if self.pitch == 1 else 0)

    def rule_y(self, index: int) -> int:
        """The horizontal rule after box row `index` (0..box-2)."""
        return self.row_y((index + 1) * self.box) - 1

    def value(self, value: int) -> str:
        """A value 1..n as written on this board."""
        return str(value).rjust(self.digits) if self.digits > 1 else SYMBOLS[value]

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under a place on the board, or None beside them."""
        row = next((r for r in range(self.n) if self.row_y(r) == y), None)
        column = next((c for c in range(self.n) if 0 <= x - self.column_x(c) < self.cell_width), None)
        return None if row is None or column is None else row * self.n + column


def small(box: int, digits: int = 1) -> Layout:
    """Board S: 40 x 12 for n = 9."""
    return Layout("S", box, 2 if box <= 3 else 3, digits, 0, 1)


def medium(box: int) -> Layout:
    """Board M: 46 x 18 for n = 9."""
    return Layout("M", box, 2 if box <= 3 else 3, 1, 1, 2)


def fitting(box: int, width: int, height: int) -> Layout:
    """The roomiest layout that fits, else the smallest one (whoever draws it scrolls)."""
    if box <= 3:
        choice = medium(box)
        return choice if choice.width <= width and choice.height <= height else small(box)
    numbers = small(box, digits=2)
    return numbers if numbers.width <= width else small(box)


def window(first: int, cursor: int, pitch: int, room: int, total: int) -> int:
    """Where a window of `room` columns (or rows) over `total` begins, so that the `pitch` columns from `cursor` on are
    in it; it moves from `first` no further than it must."""
    first = min(first, cursor)
    first = max(first, cursor + pitch - room)
    return max(0, min(first, total - room))
