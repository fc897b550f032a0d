"""The symmetries that the givens of a puzzle may have: which cells stand or go together."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, Literal, get_args

Symmetry = Literal["none", "rotational-180", "rotational-90", "mirror-horizontal", "mirror-vertical",
                   "mirror-diagonal", "mirror-antidiagonal"]
SYMMETRIES: Final[tuple[Symmetry, ...]] = get_args(Symmetry)

Orbits = tuple[tuple[int, ...], ...]
Map = Callable[[int, int, int], tuple[int, int]]

MAPS: Final[dict[Symmetry, Map]] = {
    "none": lambda row, column, last: (row, column),
    "rotational-180": lambda row, column, last: (last - row, last - column),
    "rotational-90": lambda row, column, last: (column, last - row),
    "mirror-horizontal": lambda row, column, last: (last - row, column),
    "mirror-vertical": lambda row, column, last: (row, last - column),
    "mirror-diagonal": lambda row, column, last: (column, row),
    "mirror-antidiagonal": lambda row, column, last: (last - column, last - row),
}
"""Where a symmetry takes the cell of a row and a column, the last of which is `last`. A mirror is named after its
axis: the horizontal one exchanges top and bottom."""


@functools.cache
def orbits(symmetry: Symmetry, n: int) -> Orbits:
    """The cells of an n*n board in groups that the symmetry takes to one another, by their lowest cell."""
    seen: set[int] = set()
    found = []
    for cell in range(n * n):
        if cell not in seen:
            orbit = _orbit(cell, MAPS[symmetry], n)
            seen.update(orbit)
            found.append(orbit)
    return tuple(found)


def _orbit(cell: int, move: Map, n: int) -> tuple[int, ...]:
    orbit = [cell]
    row, column = move(*divmod(cell, n), n - 1)
    while row * n + column != cell:
        orbit.append(row * n + column)
        row, column = move(row, column, n - 1)
    return tuple(orbit)
