"""The compiled part of `backtrack`: the loop over its steps. One step at a time gives the events, many the speed.

The arrays, for a board of n*n cells with k free ones:

    cells   int8[n*n]     the grid now, 0 = empty
    best    int8[n*n]     the fullest grid so far
    counts  int64[6]      indexed by DEPTH ... STATUS, see `backtrack_codes`
    open_   uint32[u]     for each of the u units the values not yet in it, bit v - 1 for value v
    order   int16[k]      the free cells in the order in which they are filled
    units   int16[n*n,w]  the units of each cell; in the diagonal variant w = 5, its row repeated where it has fewer
    limits  int64[5]      where to stop, see `backtrack_codes`
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.jit import kernel
from engine.solvers.exact.backtrack_codes import (
    BEST,
    CELL_LIMIT,
    DEAD_ENDS,
    DEPTH,
    DEPTH_LIMIT,
    END,
    FLAG_LIMIT,
    GAVE_UP,
    LEFT_LIMIT,
    NO_SOLUTION,
    NODES,
    PLACED,
    REMOVED,
    SOLVED,
    STATUS,
    STEP_LIMIT,
    STUCK,
    TRIED,
)

_1, _2, _4, _8, _16 = (np.uint32(k) for k in (1, 2, 4, 8, 16))
_55, _33, _0F, _3F = (np.uint32(k) for k in (0x55555555, 0x33333333, 0x0F0F0F0F, 0x3F))


@kernel
def value_of(bit: Any) -> Any:
    """v for the word 1 << (v - 1): the bits below it, counted, and one."""
    x = np.uint32(bit - _1)
    x = np.uint32(x - ((x >> _1) & _55))
    x = np.uint32((x & _33) + ((x >> _2) & _33))
    x = np.uint32((x + (x >> _4)) & _0F)
    x = np.uint32(x + (x >> _8))
    return np.int64((x + (x >> _16)) & _3F) + 1


@kernel
def one_step(cells: Any, open_: Any, order: Any, units: Any, depth: Any, tried: Any) -> Any:
    """One assignment or one retraction at a depth; `tried` is the value last taken back from the cell there.

    Returns the new depth, the new `tried`, what happened as a sum of flags, and the cell that changed (-1: none).
    """
    cell = np.int64(order[depth])
    fits = open_[units[cell, 0]]
    for k in range(1, units.shape[1]):
        fits = np.uint32(fits & open_[units[cell, k]])
    fits = np.uint32((fits >> np.uint32(tried)) << np.uint32(tried))  # what is above `tried`
    if fits:
        bit = np.uint32(fits & np.uint32(~fits + _1))  # the smallest
        cells[cell] = value_of(bit)
        for k in range(units.shape[1]):
            open_[units[cell, k]] &= ~bit
        return depth + 1, np.int64(0), PLACED | SOLVED if depth + 1 == order.size else PLACED, cell
    flags = 0 if tried else STUCK
    if depth == 0:
        return depth, tried, flags | NO_SOLUTION, np.int64(-1)
    cell = np.int64(order[depth - 1])
    value = np.int64(cells[cell])
    cells[cell] = 0
    for k in range(units.shape[1]):
        open_[units[cell, k]] |= np.uint32(_1 << np.uint32(value - 1))
    return depth - 1, value, flags | REMOVED, cell


@kernel
def run(cells: Any, best: Any, counts: Any, open_: Any, order: Any, units: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the search is over.

    Returns how many steps were made, the flags of the last one, and whether a stop was hit.
    """
    depth, tried, deepest = counts[DEPTH], counts[TRIED], counts[BEST]
    nodes, dead_ends, status = counts[NODES], counts[DEAD_ENDS], counts[STATUS]
    done, flags, hit = 0, 0, False
    while done < limits[STEP_LIMIT] and status == 0 and not hit:
        depth, tried, flags, cell = one_step(cells, open_, order, units, depth, tried)
        done += 1
        if flags & PLACED:
            nodes += 1
        if flags & STUCK:
            dead_ends += 1
        if depth > deepest:
            deepest = depth
            for k in range(cells.size):
                best[k] = cells[k]
        if done == limits[LEFT_LIMIT] and not flags & END:
            flags |= GAVE_UP
        status = flags & END
        hit = (flags & limits[FLAG_LIMIT] != 0 or cell == limits[CELL_LIMIT] >= 0
               or (flags & PLACED != 0 and depth == limits[DEPTH_LIMIT]))
    counts[DEPTH], counts[TRIED], counts[BEST] = depth, tried, deepest
    counts[NODES], counts[DEAD_ENDS], counts[STATUS] = nodes, dead_ends, status
    return done, flags, hit
