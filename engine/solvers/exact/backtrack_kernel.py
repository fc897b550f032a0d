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

_0, _1, _2, _4, _24 = (np.uint32(k) for k in (0, 1, 2, 4, 24))
_55, _33, _0F, _01 = (np.uint32(k) for k in (0x55555555, 0x33333333, 0x0F0F0F0F, 0x01010101))


@kernel
def value_of(bit: Any) -> Any:
    """v for the word 1 << (v - 1): the bits below it, counted, and one."""
    x = np.uint32(bit - _1)
    x = np.uint32(x - ((x >> _1) & _55))
    x = np.uint32((x & _33) + ((x >> _2) & _33))
    x = np.uint32((x + (x >> _4)) & _0F)
    return np.int64(np.uint32(x * _01) >> _24) + 1


@kernel
def next_bit(open_: Any, units: Any, cell: Any, tried: Any) -> Any:
    """The smallest value above `tried` that fits the cell, as its bit; 0 where there is none."""
    fits = open_[units[cell, 0]]
    for k in range(1, units.shape[1]):
        fits = np.uint32(fits & open_[units[cell, k]])
    fits = np.uint32((fits >> np.uint32(tried)) << np.uint32(tried))
    return np.uint32(fits & np.uint32(_0 - fits))


@kernel
def place(cells: Any, open_: Any, units: Any, cell: Any, bit: Any) -> None:
    """Write a value, given as its bit, into an empty cell."""
    cells[cell] = value_of(bit)
    for k in range(units.shape[1]):
        open_[units[cell, k]] &= ~bit


@kernel
def remove(cells: Any, open_: Any, units: Any, cell: Any) -> Any:
    """Empty a cell; returns the value that stood there."""
    value = np.int64(cells[cell])
    cells[cell] = 0
    bit = np.uint32(_1 << np.uint32(value - 1))
    for k in range(units.shape[1]):
        open_[units[cell, k]] |= bit
    return value


@kernel
def one_step(cells: Any, open_: Any, order: Any, units: Any, depth: Any, tried: Any) -> Any:
    """One assignment or one retraction at a depth; `tried` is the value last taken back from the cell there.

    Returns the new depth, the new `tried` and, as a sum of flags, what happened.
    """
    bit = next_bit(open_, units, order[depth], tried)
    if bit:
        place(cells, open_, units, order[depth], bit)
        depth += 1
        return depth, np.int64(0), PLACED | SOLVED if depth == order.size else PLACED
    flags = 0 if tried else STUCK
    if depth == 0:
        return depth, tried, flags | NO_SOLUTION
    depth -= 1
    return depth, remove(cells, open_, units, order[depth]), flags | REMOVED


@kernel
def halts(limits: Any, order: Any, depth: Any, flags: Any) -> Any:
    """Whether the step that led to this depth is one to stop after."""
    if flags & limits[FLAG_LIMIT]:
        return True
    if flags & PLACED:
        return depth == limits[DEPTH_LIMIT] or order[depth - 1] == limits[CELL_LIMIT]
    return bool(flags & REMOVED) and order[depth] == limits[CELL_LIMIT]


@kernel
def run(cells: Any, best: Any, counts: Any, open_: Any, order: Any, units: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the search is over.

    Returns how many steps were made, the flags of the last one, and whether a stop was hit.
    """
    depth, tried, deepest = counts[DEPTH], counts[TRIED], counts[BEST]
    nodes, dead_ends, status = counts[NODES], counts[DEAD_ENDS], counts[STATUS]
    done, flags, hit = 0, 0, False
    while done < limits[STEP_LIMIT] and status == 0 and not hit:
        depth, tried, flags = one_step(cells, open_, order, units, depth, tried)
        done += 1
        if flags & PLACED:
            nodes += 1
        if flags & STUCK:
            dead_ends += 1
        if depth > deepest:
            deepest = depth
            for cell in range(cells.size):
                best[cell] = cells[cell]
        if done == limits[LEFT_LIMIT] and not flags & END:
            flags |= GAVE_UP
        status = flags & END
        hit = halts(limits, order, depth, flags)
    counts[DEPTH], counts[TRIED], counts[BEST] = depth, tried, deepest
    counts[NODES], counts[DEAD_ENDS], counts[STATUS] = nodes, dead_ends, status
    return done, flags, hit
