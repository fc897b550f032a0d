"""Sudoku as an exact cover: a choice puts a value into a cell, a column is a condition to be met exactly once.

For n*n cells and u units there are n*n columns `r3c4 needs a value` and n*u columns `row 3 needs 5`. A choice covers
the column of its cell and one for each of its units: four columns, and up to six where the diagonals are units.

The matrix is sparse: a node for each choice and column that it covers. The nodes of a column are linked as a ring
through its head, and the columns as a ring through a root, so that both can be taken out (see `dancing_links`).
"""

from __future__ import annotations

import functools
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Geometry, Variant, cell_name, geometry

LEFT: Final = 0  # heads[LEFT, c]: the column before column c among those not covered; 0 is the root
RIGHT: Final = 1
SIZE: Final = 2  # heads[SIZE, c]: the choices that column c has left
UP: Final = 0  # links[UP, x]: the node above node x in its column; the nodes 1 ... c are the heads
DOWN: Final = 1

Heads: TypeAlias = NDArray[np.int32]
"""int32[3, c + 1]: LEFT, RIGHT and SIZE of the root and the c columns."""
Links: TypeAlias = NDArray[np.int32]
"""int32[2, x]: UP and DOWN of the x nodes, heads included."""


class Matrix(NamedTuple):
    """The choices and the columns that they cover, read-only."""

    column_of: NDArray[np.int32]
    """int32[x]: the column of each node."""
    choice_of: NDArray[np.int32]
    """int32[x]: the choice of each node, cell * n + value - 1; -1 for the root and the heads."""
    starts: NDArray[np.int32]
    """int32[n*n*n + 1]: choice k is the nodes starts[k] to starts[k + 1] - 1, that of its cell first."""


class EmptyBoard(NamedTuple):
    """The matrix of a board and its links before any choice is taken; read-only."""

    matrix: Matrix
    heads: Heads
    links: Links


@functools.lru_cache(maxsize=8)
def empty_board(box: int, variant: Variant) -> EmptyBoard:
    """The exact cover of a board without givens."""
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
    return EmptyBoard(matrix, heads, links)


def _columns_of_choices(g: Geometry) -> list[list[int]]:
    """The columns of every choice, by cell and value; that of its cell first."""
    number = {unit: 1 + g.n**2 + place * g.n for place, unit in enumerate(g.units)}
    return [[1 + cell, *(number[unit] + value for unit in units)]
            for cell, units in enumerate(g.units_of) for value in range(g.n)]


def _linked(column_of: NDArray[np.int32], columns: int) -> Links:
    """Every column as a ring of its head and its nodes, in their order."""
    links: Links = np.empty((2, column_of.size), dtype=np.int32)
    links[:] = np.arange(column_of.size)
    order = np.argsort(column_of, kind="stable")
    for ring in np.split(order, np.flatnonzero(np.diff(column_of[order])) + 1)[1:]:
        links[DOWN, ring], links[UP, ring] = np.roll(ring, -1), np.roll(ring, 1)
    return links


def unit_of(column: int, n: int) -> int | None:
    """The index of a column's unit in `geometry.units`; None for the column of a cell."""
    return None if column <= n * n else (column - 1 - n * n) // n


def cells_of(column: int, g: Geometry) -> tuple[int, ...]:
    """The cells of a column's choices."""
    unit = unit_of(column, g.n)
    return (column - 1,) if unit is None else g.units[unit].cells


def needs(column: int, g: Geometry) -> str:
    """A column in words: `row 3 needs 5`."""
    unit = unit_of(column, g.n)
    if unit is None:
        return f"{cell_name(column - 1, g.n)} needs a value"
    return f"{g.units[unit].name} needs {(column - 1) % g.n + 1}"


def lacks(column: int, g: Geometry) -> str:
    """The reason, as a clause, that a column without a choice is a dead end."""
    unit = unit_of(column, g.n)
    if unit is None:
        return f"no value is left for {cell_name(column - 1, g.n)}"
    return f"no place is left for {(column - 1) % g.n + 1} in {g.units[unit].name}"
