"""The puzzle: givens, box shape, variant; its units and peers.

Cells are numbered row by row from 0: cell = row * n + column. Values are 1..n, 0 is an empty cell.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from engine.errors import PuzzleError

Variant = Literal["classic", "diagonal"]

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
"""SYMBOLS[v] is the symbol of value v in one-line grids; a point is an empty cell."""


class Unit(Struct, frozen=True):
    """A set of n cells that must hold n different values."""

    kind: Literal["row", "column", "box", "diagonal"]
    number: int
    """Counted from 1, as on the screen."""
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number}"


class Geometry(Struct, frozen=True):
    """The units of one board size and variant, and for every cell its units and peers."""

    box: int
    n: int
    rows: tuple[Unit, ...]
    columns: tuple[Unit, ...]
    boxes: tuple[Unit, ...]
    diagonals: tuple[Unit, ...]
    units_of: tuple[tuple[Unit, ...], ...]
    """units_of[cell]: the units that the cell belongs to, in the order of `units`."""
    peers: tuple[tuple[int, ...], ...]
    """peers[cell]: every other cell that shares a unit with the cell, ascending."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """Rows, columns, boxes and (in the diagonal variant) the two main diagonals, in this order."""
        return self.rows + self.columns + self.boxes + self.diagonals


def geometry(box: int, variant: Variant = "classic") -> Geometry:
    """The geometry of boards with box x box boxes; the same object at every call."""
    return _geometry(box, variant)


@functools.cache
def _geometry(box: int, variant: Variant) -> Geometry:
    n = box * box
    rows = tuple(Unit("row", r + 1, tuple(r * n + c for c in range(n))) for r in range(n))
    columns = tuple(Unit("column", c + 1, tuple(r * n + c for r in range(n))) for c in range(n))
    boxes = tuple(
        Unit("box", b + 1, tuple((b // box * box + i // box) * n + b % box * box + i % box for i in range(n)))
        for b in range(n)
    )
    diagonals: tuple[Unit, ...] = ()
    if variant == "diagonal":
        diagonals = (
            Unit("diagonal", 1, tuple(i * n + i for i in range(n))),
            Unit("diagonal", 2, tuple(i * n + n - 1 - i for i in range(n))),
        )
    units = rows + columns + boxes + diagonals
    units_of = tuple(tuple(unit for unit in units if cell in unit.cells) for cell in range(n * n))
    peers = tuple(
        tuple(sorted({other for unit in units_of[cell] for other in unit.cells} - {cell})) for cell in range(n * n)
    )
    return Geometry(box, n, rows, columns, boxes, diagonals, units_of, peers)


class Clash(Struct, frozen=True):
    """A value that occurs more than once in one unit."""

    unit: Unit
    value: int
    cells: tuple[int, ...]


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The givens (n*n values, 0 = free cell), the side of a box (2..5; n = box*box) and the variant.

    Raises PuzzleError when the number of givens does not match the box or a value is not in 0..n. Contradictory
    givens are allowed here, so that they can be shown and explained: see `clashes`.
    """

    if TYPE_CHECKING:
        givens: tuple[int, ...]
    else:
        givens: tuple[int, ...] | str  # files may hold a line of symbols; it is converted at once
    box: int = 3
    variant: Variant = "classic"

    def __post_init__(self) -> None:
        if isinstance(self.givens, str):
            msgspec.structs.force_setattr(self, "givens", _values(self.givens))
        if self.box not in (2, 3, 4, 5):
            raise PuzzleError(f"box side {self.box}: expected 2, 3, 4 or 5 (grids of 4, 9, 16 or 25)")
        if self.variant not in ("classic", "diagonal"):
            raise PuzzleError(f"variant {self.variant!r}: expected classic or diagonal")
        if len(self.givens) != self.n**2:
            raise PuzzleError(f"{len(self.givens)} cells: expected {self.n**2} for a {self.n}x{self.n} grid")
        for cell, value in enumerate(self.givens):
            if not 0 <= value <= self.n:
                raise PuzzleError(f"{cell_name(cell, self.n)} holds {value}: expected 0 (free) or 1 to {self.n}")

    @property
    def n(self) -> int:
        """The side of the grid, which is also the number of values."""
        return self.box * self.box

    @property
    def geometry(self) -> Geometry:
        return geometry(self.box, self.variant)

    @property
    def free_cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, value in enumerate(self.givens) if not value)

    @property
    def line(self) -> str:
        """The givens as one line of n*n symbols."""
        return line_of(self.givens)

    @classmethod
    def from_line(cls, line: str, variant: Variant = "classic") -> Puzzle:
        """The puzzle of a line written with SYMBOLS (0 also means free). Raises PuzzleError.

        `engine.puzzles.formats` reads every common format; this reads only the line that `line` writes.
        """
        values = _values(line)
        return cls(values, BOXES[len(values)], variant)

    def clashes(self) -> tuple[Clash, ...]:
        """Contradictory givens: every value that a unit is given more than once."""
        return clashes(self, self.givens)


BOXES = {16: 2, 81: 3, 256: 4, 625: 5}
"""Side of a box by the number of cells."""


def _values(line: str) -> tuple[int, ...]:
    """The values of a line of 16, 81, 256 or 625 symbols. Raises PuzzleError."""
    if len(line) not in BOXES:
        raise PuzzleError(f"a line of {len(line)} symbols: expected 16, 81, 256 or 625")
    n = BOXES[len(line)] ** 2
    values = tuple(0 if symbol == "0" else SYMBOLS.find(symbol) for symbol in line)
    for position, (symbol, value) in enumerate(zip(line, values, strict=True), 1):
        if not 0 <= value <= n:
            raise PuzzleError(f"symbol {symbol!r} at position {position}: expected . or {SYMBOLS[1]} to {SYMBOLS[n]}")
    return values


def line_of(cells: tuple[int, ...]) -> str:
    """n*n values as one line of symbols, a point for 0."""
    return "".join(SYMBOLS[value] for value in cells)


def cell_name(cell: int, n: int) -> str:
    """`r3c4` for the cell in the third row and fourth column."""
    return f"r{cell // n + 1}c{cell % n + 1}"


CELL_NAME = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)
"""The name of a cell, of a grid of any size."""


def clashes(puzzle: Puzzle, cells: tuple[int, ...]) -> tuple[Clash, ...]:
    """Every value that occurs more than once in a unit of `cells` (n*n values, 0 = empty), unit by unit."""
    found = []
    for unit in puzzle.geometry.units:
        for value in range(1, puzzle.n + 1):
            where = tuple(cell for cell in unit.cells if cells[cell] == value)
            if len(where) > 1:
                found.append(Clash(unit, value, where))
    return tuple(found)


def refuse_clashes(puzzle: Puzzle) -> None:
    """Raises PuzzleError, naming unit and cells, if givens contradict each other: no state can respect them."""
    for clash in puzzle.clashes():
        cells = " and ".join(cell_name(cell, puzzle.n) for cell in clash.cells)
        raise PuzzleError(f"the givens contradict each other: {clash.unit.name} holds {clash.value} in {cells}; "
                          f"expected each value at most once")
