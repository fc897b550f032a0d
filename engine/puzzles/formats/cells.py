"""From written cells to values: symbols or numbers, the size from their count, ambiguity refused.

A grid is written either with one symbol a cell (1-9, then A = 10 ... P = 25, small letters too) or with one
white-space separated number a cell. `. 0 * _ x` are free cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from engine.errors import PuzzleError
from engine.puzzle import SYMBOLS, Puzzle, Variant, cell_name
from engine.puzzles.formats.record import Fault, shown

SIDES: Final = {16: 4, 81: 9, 256: 16, 625: 25}
"""Cells of a grid -> its side."""
BOX: Final = {4: 2, 9: 3, 16: 4, 25: 5}
"""Side of a grid -> side of its boxes."""
FREE: Final = ".0*_xX"
SIZES: Final = "81 (9x9), 16 (4x4), 256 (16x16) or 625 (25x25)"

VALUES: Final = {symbol: value for value, symbol in enumerate(SYMBOLS)}
VALUES.update({symbol.lower(): value for symbol, value in VALUES.items()})
VALUES.update(dict.fromkeys(FREE, 0))

BAD: Final = 255
TABLE: Final = bytes(VALUES.get(chr(code), BAD) if code < 128 else BAD for code in range(256))
"""TABLE[code] is the value of a symbol, or BAD; bytes.translate converts a whole line with it."""


class Mark(NamedTuple):
    """A run of symbols without white space, and its position (counted from 1)."""

    text: str
    line: int
    column: int


class Grid(NamedTuple):
    """Values of n*n cells, row by row."""

    box: int
    values: tuple[int, ...]

    def puzzle(self, variant: Variant) -> Puzzle:
        try:
            return Puzzle(self.values, self.box, variant)
        except PuzzleError as error:
            raise Fault(str(error)) from error


def marks(text: str, line: int, column: int = 1) -> list[Mark]:
    """The runs of non-white-space in a text whose first character is at (line, column)."""
    found = []
    for blank, run in groupby(enumerate(text, column), lambda place: place[1].isspace()):
        if not blank:
            places = list(run)
            found.append(Mark("".join(symbol for _, symbol in places), line, places[0][0]))
    return found


def is_number(text: str) -> bool:
    """A cell written as a number: one or two decimal digits."""
    return len(text) <= 2 and text.isascii() and text.isdigit()


def numbered(found: Sequence[Mark]) -> bool:
    """True if the marks look like one number (or free-cell symbol) per cell rather than strings of symbols."""
    if not any(len(mark.text) == 2 for mark in found) or any(len(mark.text) > 2 for mark in found):
        return False
    return 2 * sum(is_number(mark.text) or mark.text in FREE for mark in found) > len(found)


def width(found: Sequence[Mark], as_numbers: bool) -> int:
    """The number of cells in the marks."""
    return len(found) if as_numbers else sum(len(mark.text) for mark in found)


def fast_grid(text: str) -> Grid | None:
    """The grid of a line that is exactly n*n symbols and cannot be misread; None sends it to `grid_of`."""
    side = SIDES.get(len(text), 0)
    if not text.isascii() or not 0 < side <= 9:
        return None
    values = text.encode("ascii").translate(TABLE)
    return Grid(BOX[side], tuple(values)) if max(values) <= side else None


def grid_of(found: Sequence[Mark]) -> Grid:
    """The grid that these marks write, its size from their count. Raises Fault with line and column."""
    as_numbers = numbered(found) and len(found) in SIDES
    count = width(found, as_numbers)
    if count not in SIDES:
        raise wrong_count(found)
    return sized_grid(found, SIDES[count], as_numbers)


def sized_grid(found: Sequence[Mark], side: int, as_numbers: bool) -> Grid:
    """The grid of marks that contain side*side cells. Raises Fault for an invalid value."""
    values = number_values(found, side) if as_numbers else symbol_values(found, side)
    return Grid(BOX[side], values)


def wrong_count(found: Sequence[Mark]) -> Fault:
    """The fault of a grid with too few or too many cells, placed at its end or at the first cell too many."""
    for symbol, line, column in places(found):
        if symbol == "?" and any("?solver=" in mark.text for mark in found):
            return Fault("a recipe of a run: expected a puzzle (a recipe is an argument, in quotes)", line, column)
        if symbol not in VALUES:
            return Fault(f"{shown(symbol)} is no symbol of a grid: expected 1-9, A-P or . 0 * _ x for a free cell",
                         line, column)
    as_numbers = numbered(found)
    cells = [(mark.text, mark.line, mark.column) for mark in found] if as_numbers else places(found)
    count = len(cells)
    size = min(SIDES, key=lambda cells_of_size: abs(cells_of_size - count))
    text, line, column = cells[min(size, count - 1)]
    if count < size:
        column += len(text)
    unit = "number" if as_numbers else "symbol"
    return Fault(f"{count} {unit}{'s' * (count != 1)}: expected {SIZES}", line, column)


def places(found: Sequence[Mark]) -> list[tuple[str, int, int]]:
    """Every symbol with its line and column."""
    return [(symbol, mark.line, mark.column + i) for mark in found for i, symbol in enumerate(mark.text)]


def symbol_values(found: Sequence[Mark], side: int) -> tuple[int, ...]:
    cells = places(found)
    values = []
    for symbol, line, column in cells:
        value = VALUES.get(symbol, BAD)
        if value > side:
            raise Fault(f"{shown(symbol)} is no symbol of a {side}x{side} grid: expected {span(side)} "
                        "or . 0 * _ x for a free cell", line, column)
        values.append(value)
    refuse_two_readings([symbol for symbol, _, _ in cells], values, side, cells[0][1:])
    return tuple(values)


def number_values(found: Sequence[Mark], side: int) -> tuple[int, ...]:
    values = []
    for mark in found:
        value = 0 if mark.text in FREE else int(mark.text) if is_number(mark.text) else BAD
        if value > side:
            raise Fault(f"{shown(mark.text)} is no number of a {side}x{side} grid: expected 1 to {side}, "
                        "or . 0 * _ x for a free cell", mark.line, mark.column)
        values.append(value)
    refuse_two_readings([mark.text for mark in found], values, side, (found[0].line, found[0].column))
    return tuple(values)


def refuse_two_readings(cells: Sequence[str], values: Sequence[int], side: int, place: tuple[int, int]) -> None:
    """Above 9x9 some files count values from 0: `0` beside another free-cell symbol may be a value.

    It cannot be one if the highest value occurs, since 0 would then be one value too many.
    """
    if side <= 9 or side in values or "0" not in cells:
        return
    other = next((cell for cell in cells if cell in FREE and cell != "0"), None)
    if other is not None:
        raise Fault(f"both 0 and {other} are used in a {side}x{side} grid without the value {SYMBOLS[side]}, so that "
                    "0 may be a free cell or a value: expected one symbol for free cells and values from 1", *place)


def span(side: int) -> str:
    """`1-9, A-G` for side 16: the symbols of the values."""
    return f"1-{side}" if side <= 9 else f"1-9, A-{SYMBOLS[side]}"


def solution_of(text: str, grid: Grid, line: int, column: int) -> tuple[int, ...]:
    """The values of a filled grid that agrees with `grid`. Raises Fault with line and column."""
    if len(text) == len(grid.values):
        solved = fast_grid(text) or grid_of(marks(text, line, column))
    elif text.strip():
        solved = grid_of(marks(text, line, column))
    else:
        raise Fault("the solution is empty: expected a filled grid", line, column)
    return agreeing(solved, grid, line, column)


def agreeing(solved: Grid, grid: Grid, line: int, column: int) -> tuple[int, ...]:
    """The values of `solved` if it has the size of `grid`, no free cell, and every given. Raises Fault."""
    side = grid.box**2
    if solved.box != grid.box:
        raise Fault(f"the solution has {len(solved.values)} cells: expected {len(grid.values)}", line, column)
    if 0 in solved.values:
        free = cell_name(solved.values.index(0), side)
        raise Fault(f"the solution leaves {free} free: expected a filled grid", line, column)
    for cell, (given, value) in enumerate(zip(grid.values, solved.values, strict=True)):
        if given and given != value:
            raise Fault(f"the solution has {SYMBOLS[value]} at {cell_name(cell, side)}: expected the given "
                        f"{SYMBOLS[given]}", line, column)
    return solved.values
