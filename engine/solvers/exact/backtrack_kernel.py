"""The compiled part of the backtracking searches: the loop over their steps.

One step at a time gives the events, many the speed.

The arrays, for a board of n*n cells with k free ones:

    cells   int8[n*n]     the grid now, 0 = empty
    best    int8[n*n]     the fullest grid so far
    counts  int64[6]      indexed by DEPTH ... STATUS, see `backtrack_codes`
    open_   uint32[u]     for each of the u units the values not yet in it, bit v - 1 for value v
    order   int16[k]      the free cells, the filled ones first and in their order; changed unless the rule is IN_ORDER
    board   Board         what never changes: `units`, `peers`
    limits  int64[6]      where to stop, see `backtrack_codes`
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.exact.board import CELL_LIMIT, FLAG_LIMIT, LEFT_LIMIT, STEP_LIMIT

# What the compiled and the readable part of the backtracking searches call things: array positions and flags.


DEPTH: Final = 0
"""counts[DEPTH]: free cells filled now."""
TRIED: Final = 1
"""counts[TRIED]: the value last taken back from the cell that is next, 0 when it is entered for the first time."""
NODES: Final = 2
"""counts[NODES]: assignments made."""
DEAD_ENDS: Final = 3
"""counts[DEAD_ENDS]: times that a cell was entered and nothing fitted."""
BEST: Final = 4
"""counts[BEST]: the greatest depth so far."""
STATUS: Final = 5
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
COUNTS: Final = 6

PLACED: Final = 1
REMOVED: Final = 2
STUCK: Final = 4
"""Nothing fitted a cell that was entered for the first time."""
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
GUESS: Final = 64
"""The value placed was not the only one left for its cell."""
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "assigned": PLACED,
    "retracted": REMOVED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

DEPTH_LIMIT: Final = 3
"""limits[DEPTH_LIMIT]: stop when an assignment reaches this depth; -1: nowhere."""
RULE: Final = 5
"""limits[RULE]: how the next cell is chosen, IN_ORDER, FEWEST or FEWEST_DEGREE."""

IN_ORDER: Final = 0
"""As they stand in the order."""
FEWEST: Final = 1
"""The first with the fewest values left."""
FEWEST_DEGREE: Final = 2
"""Among those with the fewest values left, the first with the most empty peers."""


_1, _2, _4, _8, _16 = (np.uint32(k) for k in (1, 2, 4, 8, 16))
_55, _33, _0F, _3F = (np.uint32(k) for k in (0x55555555, 0x33333333, 0x0F0F0F0F, 0x3F))


class Board(NamedTuple):
    """The shape of a board."""

    units: Any
    """int16[n*n, w]: the units of each cell; in the diagonal variant w = 5, its row repeated where it has fewer."""
    peers: Any
    """int16[n*n, p]: the peers of each cell, then -1."""


@kernel
def bit_count(word: Any) -> Any:
    """The bits set in a word of 32."""
    x = np.uint32(word)
    x = np.uint32(x - ((x >> _1) & _55))
    x = np.uint32((x & _33) + ((x >> _2) & _33))
    x = np.uint32((x + (x >> _4)) & _0F)
    x = np.uint32(x + (x >> _8))
    return np.int64((x + (x >> _16)) & _3F)


@kernel
def value_of(bit: Any) -> Any:
    """v for the word 1 << (v - 1)."""
    return bit_count(np.uint32(bit - _1)) + 1


@kernel
def fitting(open_: Any, units: Any, cell: Any) -> Any:
    """The values that fit an empty cell, as bits."""
    fits = open_[units[cell, 0]]
    for k in range(1, units.shape[1]):
        fits = np.uint32(fits & open_[units[cell, k]])
    return fits


@kernel
def degree(cells: Any, peers: Any, cell: Any) -> Any:
    """The empty peers of a cell."""
    found = 0
    for k in range(peers.shape[1]):
        peer = peers[cell, k]
        if peer >= 0 and cells[peer] == 0:
            found += 1
    return found


@kernel
def bring_forward(cells: Any, open_: Any, order: Any, board: Any, depth: Any, rule: Any) -> None:
    """Exchange the cell at `depth` of the order for the one to be filled next; equals are told apart by number."""
    fewest, most, first, chosen = 99, -1, np.int64(0), depth
    for place in range(depth, order.size):
        cell = np.int64(order[place])
        left = bit_count(fitting(open_, board.units, cell))
        if left > fewest:
            continue
        peers = degree(cells, board.peers, cell) if rule == FEWEST_DEGREE else 0
        if left < fewest or peers > most or (peers == most and cell < first):
            fewest, most, first, chosen = left, peers, cell, place
    order[chosen], order[depth] = order[depth], order[chosen]


@kernel
def one_step(cells: Any, open_: Any, order: Any, units: Any, depth: Any, tried: Any) -> Any:
    """One assignment or one retraction at a depth; `tried` is the value last taken back from the cell there.

    Returns the new depth, the new `tried`, what happened as a sum of flags, and the cell that changed (-1: none).
    """
    cell = np.int64(order[depth])
    fits = fitting(open_, units, cell)
    fits = np.uint32((fits >> np.uint32(tried)) << np.uint32(tried))  # what is above `tried`
    if fits:
        bit = np.uint32(fits & np.uint32(~fits + _1))  # the smallest
        cells[cell] = value_of(bit)
        for k in range(units.shape[1]):
            open_[units[cell, k]] &= ~bit
        flags = PLACED if fits == bit else PLACED | GUESS
        return depth + 1, np.int64(0), flags | SOLVED if depth + 1 == order.size else flags, cell
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
def run(cells: Any, best: Any, counts: Any, open_: Any, order: Any, board: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the search is over.

    Returns how many steps were made, the flags of the last one, and whether a stop was hit.
    """
    depth, tried, deepest = counts[DEPTH], counts[TRIED], counts[BEST]
    nodes, dead_ends, status = counts[NODES], counts[DEAD_ENDS], counts[STATUS]
    done, flags, hit = 0, 0, False
    while done < limits[STEP_LIMIT] and status == 0 and not hit:
        if tried == 0 and limits[RULE] != IN_ORDER:
            bring_forward(cells, open_, order, board, depth, limits[RULE])
        depth, tried, flags, cell = one_step(cells, open_, order, board.units, depth, tried)
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
