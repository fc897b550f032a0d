"""Sudoku as an exact cover: a choice is a value in a cell, a column is something that must happen exactly once.

For n*n cells and u units there are n*n columns `r3c4 needs a value` and n*u columns `row 3 needs 5`; on boards with
diagonals these are units like the others. A choice covers the column of its cell and one for each of its units, so four
of them, and up to six where the diagonals count.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Geometry, Variant, cell_name, geometry
from engine.state import State

# What the compiled and the readable part of `dlx` call things: array positions and flags.


LEFT: Final = 0
"""heads[LEFT, c]: the column before column c among those that are not covered; 0 is the root of the list."""
RIGHT: Final = 1
SIZE: Final = 2
"""heads[SIZE, c]: how many choices column c has left."""
UP: Final = 0
"""links[UP, x]: the node above node x in its column; the nodes 1 to the number of columns are the heads."""
DOWN: Final = 1

DEPTH: Final = 0
"""counts[DEPTH]: choices taken now, the givens not counted."""
TRIED: Final = 1
"""counts[TRIED]: the node of the choice taken back last, from which its column goes on; 0 where a column is entered."""
OPEN: Final = 2
"""counts[OPEN]: columns not covered."""
BEST: Final = 3
"""counts[BEST]: the least counts[OPEN] so far."""
TAKEN: Final = 4
"""counts[TAKEN]: choices taken so far, those taken back included."""
DEAD_ENDS: Final = 5
STUCK_AT: Final = 6
"""counts[STUCK_AT]: the column without a choice of the last dead end, 0 if there was none."""
STATUS: Final = 7
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
COUNTS: Final = 8

COVERED: Final = 1
UNCOVERED: Final = 2
STUCK: Final = 4
"""A column without a choice was met."""
GUESSED: Final = 8
"""The column of the choice that was taken had others."""
SOLVED: Final = 16
NO_SOLUTION: Final = 32
GAVE_UP: Final = 64
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "covered": COVERED,
    "assigned": COVERED,
    "guess": GUESSED,
    "uncovered": UNCOVERED,
    "retracted": UNCOVERED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

OPEN_LIMIT: Final = 3
"""limits[OPEN_LIMIT]: stop when no more columns than this are left; -1: nowhere."""
SMALLEST: Final = 5
"""limits[SMALLEST]: 1 to branch on a column with the fewest choices, 0 on the first."""


class Matrix(NamedTuple):
    """Which choice covers which columns; for a board of n*n cells, c columns and x nodes, heads included."""

    column_of: NDArray[np.int32]
    """int32[x]: the column of each node."""
    choice_of: NDArray[np.int32]
    """int32[x]: the choice of each node, cell * n + value - 1; -1 for the root and the heads."""
    starts: NDArray[np.int32]
    """int32[n*n*n + 1]: choice k is the nodes starts[k] to starts[k + 1] - 1, that of its cell first."""


class Cover(NamedTuple):
    """A search under way: the arrays of a state, changed in place."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    chosen: NDArray[np.int32]
    heads: NDArray[np.int32]
    links: NDArray[np.int32]
    counts: NDArray[np.int64]


class Empty(NamedTuple):
    """The matrix of a board and its links before any choice is taken; read-only."""

    matrix: Matrix
    heads: NDArray[np.int32]
    """int32[3, columns + 1], see `dlx_codes`."""
    links: NDArray[np.int32]
    """int32[2, nodes]."""


@functools.lru_cache(maxsize=8)
def empty(box: int, variant: Variant) -> Empty:
    """The board without givens."""
    choices = _columns_of_choices(geometry(box, variant))
    columns = max(map(max, choices))
    starts = np.cumsum([columns + 1, *map(len, choices)], dtype=np.int32)
    nodes = [column for choice in choices for column in choice]
    column_of = np.array([*range(columns + 1), *nodes], dtype=np.int32)
    choice_of = np.full(column_of.size, -1, dtype=np.int32)
    choice_of[columns + 1:] = np.repeat(np.arange(len(choices)), [len(choice) for choice in choices])
    links = _linked(column_of, columns)
    ring = np.arange(columns + 1)
    sizes = np.bincount(column_of, minlength=columns + 1) - 1
    heads = np.empty((3, columns + 1), dtype=np.int32)
    heads[LEFT], heads[RIGHT], heads[SIZE] = np.roll(ring, 1), np.roll(ring, -1), sizes
    matrix = Matrix(column_of, choice_of, starts)
    for array in (*matrix, heads, links):
        array.flags.writeable = False
    return Empty(matrix, heads, links)


def _columns_of_choices(g: Geometry) -> list[list[int]]:
    """For every choice, cell by cell and value by value, its columns, that of its cell first."""
    number = {unit: 1 + g.n**2 + place * g.n for place, unit in enumerate(g.units)}
    return [[1 + cell, *(number[unit] + value for unit in units)]
            for cell, units in enumerate(g.units_of) for value in range(g.n)]


def _linked(column_of: NDArray[np.int32], columns: int) -> NDArray[np.int32]:
    """Every column as a ring of its head and its nodes, in their order: int32[2, nodes]."""
    links = np.empty((2, column_of.size), dtype=np.int32)
    links[:] = np.arange(column_of.size)
    order = np.argsort(column_of, kind="stable")
    for ring in np.split(order, np.flatnonzero(np.diff(column_of[order])) + 1)[1:]:
        links[DOWN, ring], links[UP, ring] = np.roll(ring, -1), np.roll(ring, 1)
    return links


def unit_of(column: int, n: int) -> int | None:
    """The place of a column's unit in `geometry.units`; None for the column of a cell."""
    return None if column <= n * n else (column - 1 - n * n) // n


def cells_of(column: int, g: Geometry) -> tuple[int, ...]:
    """The cells among which a column has its choices."""
    unit = unit_of(column, g.n)
    return (column - 1,) if unit is None else g.units[unit].cells


def needs(column: int, g: Geometry) -> str:
    """A column in words: `row 3 needs 5`."""
    unit = unit_of(column, g.n)
    if unit is None:
        return f"{cell_name(column - 1, g.n)} needs a value"
    return f"{g.units[unit].name} needs {(column - 1) % g.n + 1}"


def lacks(column: int, g: Geometry) -> str:
    """Why a column without a choice is a dead end, as a clause."""
    unit = unit_of(column, g.n)
    if unit is None:
        return f"no value is left for {cell_name(column - 1, g.n)}"
    return f"no place is left for {(column - 1) % g.n + 1} in {g.units[unit].name}"


# What `dlx` goes on from: the links as they are, and the choices that were taken.


@dataclass
class DlxState(State):
    """The links as they are now: a choice that is taken back leaves them exactly as they were before it."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    chosen: NDArray[np.int32]
    """int32[n*n]: the stack, the node of every choice taken after the givens, up to counts[DEPTH]; 0 beyond."""
    heads: NDArray[np.int32]
    """int32[3, columns + 1]: left, right and size of every column, see `dlx_codes`."""
    links: NDArray[np.int32]
    """int32[2, nodes]: up and down of every node."""
    counts: NDArray[np.int64]
    """int64[8], see `dlx_codes`."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Columns not covered; a given that contradicts another leaves that of its cell open."""
        return int(self.counts[OPEN])

    @property
    def matrix(self) -> Matrix:
        return empty(self.puzzle.box, self.puzzle.variant).matrix

    @property
    def cover(self) -> Cover:
        """The arrays that the kernel works on, not copied."""
        return Cover(self.cells, self.best, self.chosen, self.heads, self.links, self.counts)
