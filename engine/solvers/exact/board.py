"""Tables of a board for the exact searches: orders of cells, units and peers of cells, candidates."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.energy import conflicts
from engine.puzzle import Puzzle, cell_name

Order = Literal["rows", "columns", "boxes"]

Cells: TypeAlias = NDArray[np.int8]
"""int8[n*n]: the value of each cell, 0 = empty."""
Masks: TypeAlias = NDArray[np.uint32]
"""uint32[k]: sets of values, bit v - 1 for value v."""
Table: TypeAlias = NDArray[np.int16]
"""int16[k, m]: a read-only table of the board."""


@functools.lru_cache(maxsize=64)
def cell_order(puzzle: Puzzle, order: Order) -> NDArray[np.int16]:
    """The free cells in the order in which they are filled: int16[k], read-only."""
    g = puzzle.geometry
    units = {"rows": g.rows, "columns": g.columns, "boxes": g.boxes}[order]
    cells = np.array([cell for unit in units for cell in unit.cells if not puzzle.givens[cell]], dtype=np.int16)
    cells.flags.writeable = False
    return cells


@functools.lru_cache(maxsize=8)
def unit_table(puzzle: Puzzle) -> Table:
    """For each cell the numbers of its units in `geometry.units`: int16[n*n, 3 or 5], read-only.

    A cell on no diagonal, or on one, has its row repeated.
    """
    g = puzzle.geometry
    number = {unit: k for k, unit in enumerate(g.units)}
    width = 5 if g.diagonals else 3
    rows = [[number[unit] for unit in units] for units in g.units_of]
    table = np.array([row + row[:1] * (width - len(row)) for row in rows], dtype=np.int16)
    table.flags.writeable = False
    return table


@functools.lru_cache(maxsize=8)
def peer_table(puzzle: Puzzle) -> Table:
    """For each cell its peers, ascending, padded with -1: int16[n*n, most peers of a cell], read-only."""
    peers = puzzle.geometry.peers
    width = max(map(len, peers))
    table = np.array([[*each, *[-1] * (width - len(each))] for each in peers], dtype=np.int16)
    table.flags.writeable = False
    return table


@functools.lru_cache(maxsize=8)
def unit_cells(puzzle: Puzzle) -> Table:
    """The cells of each of the u units, in the order of `geometry.units`: int16[u, n], read-only."""
    table = np.array([unit.cells for unit in puzzle.geometry.units], dtype=np.int16)
    table.flags.writeable = False
    return table


def open_values(puzzle: Puzzle, cells: Cells) -> Masks:
    """For each unit the values that it does not hold yet: uint32[units]."""
    full = (1 << puzzle.n) - 1
    values = cells.tolist()
    masks = [sum({1 << values[cell] - 1 for cell in unit.cells if values[cell]}) for unit in puzzle.geometry.units]
    return np.array([full & ~mask for mask in masks], dtype=np.uint32)


def candidates(puzzle: Puzzle, cells: Cells) -> Masks:
    """For each empty cell the values that fit it; 0 for a filled one: uint32[n*n]."""
    fits: Masks = np.bitwise_and.reduce(open_values(puzzle, cells)[unit_table(puzzle)], axis=1)
    fits[cells != 0] = 0
    return fits


@functools.lru_cache(maxsize=4096)
def values_of(mask: int) -> tuple[int, ...]:
    """The values of a mask, ascending: bit v - 1 for value v."""
    return tuple(v + 1 for v in range(mask.bit_length()) if mask >> v & 1)


def holders(puzzle: Puzzle, cells: Cells) -> NDArray[np.int16]:
    """For each cell and each value a peer that holds it, the last one by number; -1: none. int16[n*n, n]."""
    found = np.full((puzzle.n**2 + 1, puzzle.n), -1, dtype=np.int16)
    filled = np.flatnonzero(cells)
    peers = peer_table(puzzle)[filled]  # the padding, -1, indexes the extra row
    found[peers, cells[filled, None] - 1] = filled[:, None]
    return found[:-1]


def cell_words(codes: Sequence[int], n: int) -> tuple[str, ...]:
    """The name of each cell, empty for -1."""
    return tuple(map(_cell_names(n).__getitem__, codes))


@functools.cache
def _cell_names(n: int) -> tuple[str, ...]:
    """The names of the cells, and at -1 nothing."""
    return (*(cell_name(cell, n) for cell in range(n * n)), "")


@functools.lru_cache(maxsize=8)
def clashing_givens(puzzle: Puzzle) -> tuple[int, ...]:
    """The givens that contradict each other; none for a puzzle that can have a solution."""
    return conflicts(puzzle, puzzle.givens)


def clash_reason(puzzle: Puzzle) -> str:
    """The first contradiction among contradictory givens, as a clause."""
    clash = puzzle.clashes()[0]
    where = " ".join(cell_name(cell, puzzle.n) for cell in clash.cells)
    return f"{clash.unit.name} is given {clash.value} more than once: {where}"
