"""Sudoku as an exact cover: a choice is a value in a cell, a column is something that must happen exactly once.

For n*n cells and u units there are n*n columns `r3c4 needs a value` and n*u columns `row 3 needs 5`; on boards with
diagonals these are units like the others. A choice covers the column of its cell and one for each of its units, so four
of them, and up to six where the diagonals count.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Geometry, Variant, cell_name, geometry
from engine.solvers.exact.dlx_codes import DOWN, LEFT, RIGHT, SIZE, UP, Matrix


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
