"""What the bitboards look up. One word holds where a digit may stand in one band: bit 9·row + column, 27 in all.

A digit stands once in each row and each box of a band, so in three of its nine minirows (a row of a box): one in
each row and one in each box, 6 ways in all. The same holds for minicolumns in a stack of boxes. Which of nine are
open says which of them any of the 6 ways still uses; the others are locked out.
"""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
from numpy.typing import NDArray

ROWS: Final = 0x40201
"""The first bit of each row of a band. Nine bits times this stand in all three rows."""
ALL: Final = (1 << 27) - 1
"""Every cell of a band."""


def _kept(nine: int, bit_of: list[int]) -> int:
    """Of nine open places (3·line + slot), those that a one-to-one choice of slots uses; as bits bit_of[place]."""
    kept = 0
    for slots in itertools.permutations(range(3)):
        way = [3 * line + slot for line, slot in enumerate(slots)]
        if all(nine >> place & 1 for place in way):
            for place in way:
                kept |= bit_of[place]
    return kept


def _minirows() -> NDArray[np.int32]:
    bit_of = [0b111 << 9 * row + 3 * box for box in range(3) for row in range(3)]
    return np.array([_kept(nine, bit_of) for nine in range(512)], dtype=np.int32)


def _minicolumns() -> NDArray[np.int32]:
    bit_of = [1 << 9 * band + column for band in range(3) for column in range(3)]
    return np.array([_kept(nine, bit_of) for nine in range(512)], dtype=np.int32)


def _alone() -> NDArray[np.int32]:
    table = []
    for cell in range(27):
        row, box = cell // 9, cell % 9 // 3
        peers = sum(1 << other for other in range(27) if other // 9 == row or other % 9 // 3 == box)
        table.append(ALL & ~peers | 1 << cell)
    return np.array(table, dtype=np.int32)


MINIROWS: Final = _minirows()
"""int32[512]: open minirows, bit 3·box + row, to the cells of those that are kept; 0: no way is left."""
MINICOLUMNS: Final = _minicolumns()
"""int32[512]: open minicolumns of a stack, bit 3·band + column, to those kept, bit 9·band + column."""
ALONE: Final = _alone()
"""int32[27]: the cells of a band that a digit may have once it stands in a cell: that one and what does not see it."""
