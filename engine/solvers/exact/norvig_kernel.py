"""The compiled part of `norvig`: one placement or one retraction at a time. `Board` and `Tables` are described in
`norvig_codes`; one step at a time gives the events, many the speed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.exact.backtrack_kernel import bit_count, value_of
from engine.solvers.exact.board import CELL_LIMIT, FLAG_LIMIT, LEFT_LIMIT, STEP_LIMIT

# What the compiled and the readable part of `norvig` call things: arrays, positions in them, flags.


class Board(NamedTuple):
    """The arrays of a state, for a board of n*n cells with k free ones; every one of them is changed in place."""

    cells: Any
    """int8[n*n]: the values placed, 0 = open."""
    best: Any
    """int8[n*n]: `cells` at the lowest E so far."""
    masks: Any
    """uint32[n*n]: the candidates of each cell, bit v - 1 for value v; of a placed one its value."""
    causes: Any
    """int16[n*n*n]: at cell * n + value - 1 one more than the cell whose value struck the candidate; 0: it stands."""
    struck: Any
    """int16[n*n*n]: the candidates struck since the start, in order, up to counts[STRUCK]."""
    filled: Any
    """int16[k]: the cells placed since the start, in order, up to counts[FILLED]."""
    frames: Any
    """int32[k, 5]: the guesses that are open, see CELL ... STRUCK_BEFORE."""
    counts: Any
    """int64[12]: see DEPTH ... BEST."""


class Tables(NamedTuple):
    """What never changes."""

    peers: Any
    """int16[n*n, p], see `tables.peer_table`."""
    units: Any
    """int16[u, n], see `tables.unit_cells`."""


DEPTH: Final = 0
"""counts[DEPTH]: guesses that stand."""
TRIED: Final = 1
"""counts[TRIED]: the value of the guess that was just taken back, 0 if the last step was none such."""
FILLED: Final = 2
STRUCK: Final = 3
DEAD: Final = 4
"""counts[DEAD]: 0, or what is left empty: A_CELL or A_UNIT."""
WHERE: Final = 5
"""counts[WHERE]: that cell, or that unit's place in `geometry.units`."""
VALUE: Final = 6
"""counts[VALUE]: the value that has no place in that unit."""
UNIT: Final = 7
"""counts[UNIT]: the unit in which the last step found a hidden single; -1: it found none."""
NODES: Final = 8
"""counts[NODES]: guesses made, the forced ones (the last value of a cell) included."""
DEAD_ENDS: Final = 9
"""counts[DEAD_ENDS]: contradictions met."""
STATUS: Final = 10
"""counts[STATUS]: 0 while the search goes on, then the flag of how it ended."""
BEST: Final = 11
"""counts[BEST]: the lowest E so far."""
COUNTS: Final = 12

A_CELL: Final = 1
A_UNIT: Final = 2

CELL: Final = 0
"""frames[d, CELL]: the cell guessed in."""
CHOSEN: Final = 1
"""frames[d, CHOSEN]: the value tried now, or last."""
MASK: Final = 2
"""frames[d, MASK]: the candidates that the cell had."""
FILLED_BEFORE: Final = 3
STRUCK_BEFORE: Final = 4
"""frames[d, ..._BEFORE]: counts[FILLED] and counts[STRUCK] before the guess."""
FRAME: Final = 5

PLACED: Final = 1
REMOVED: Final = 2
STUCK: Final = 4
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
GUESS: Final = 64
"""The value placed was one of several left for its cell."""
TRIAL: Final = 128
"""The value placed is on the stack: a guess, or what is left of one."""
ELIMINATED: Final = 256
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

KINDS: Final = {
    "assigned": PLACED,
    "guess": GUESS,
    "eliminated": ELIMINATED,
    "retracted": REMOVED,
    "contradiction": STUCK,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": GAVE_UP,
    "done": END,
}
"""The flag of a step that has an event of the kind."""

ENERGY_LIMIT: Final = 3
"""limits[ENERGY_LIMIT]: stop where E falls to this; -1: nowhere."""


_0, _1 = np.uint32(0), np.uint32(1)


@kernel
def lowest(mask: Any) -> Any:
    """The lowest bit of a word, alone."""
    return np.uint32(mask & np.uint32(~mask + _1))


@kernel
def strike(board: Any, cell: Any, bit: Any, cause: Any) -> None:
    """Take a candidate from a cell, because of what was placed in the cell `cause`."""
    code = cell * (board.causes.size // board.masks.size) + value_of(bit) - 1
    board.masks[cell] &= ~bit
    board.causes[code] = cause + 1
    board.struck[board.counts[STRUCK]] = code
    board.counts[STRUCK] += 1


@kernel
def place(board: Any, tables: Any, cell: Any, bit: Any) -> None:
    """Write a value: the cell loses its other candidates, the peers lose this one."""
    board.cells[cell] = value_of(bit)
    board.filled[board.counts[FILLED]] = cell
    board.counts[FILLED] += 1
    others = np.uint32(board.masks[cell] & ~bit)
    while others:
        strike(board, cell, lowest(others), cell)
        others = np.uint32(others & (others - _1))
    for k in range(tables.peers.shape[1]):
        peer = np.int64(tables.peers[cell, k])
        if peer >= 0 and board.masks[peer] & bit:
            strike(board, peer, bit, cell)


@kernel
def seen(board: Any, tables: Any, unit: Any) -> Any:
    """The values that have a place in a unit, and those that have several, as bits."""
    once, twice = _0, _0
    for k in range(tables.units.shape[1]):
        mask = board.masks[tables.units[unit, k]]
        twice = np.uint32(twice | (once & mask))
        once = np.uint32(once | mask)
    return once, twice


@kernel
def contradicts(board: Any, tables: Any) -> Any:
    """Whether a cell has no candidate or a unit no place for a value; which, goes into the counts."""
    counts = board.counts
    for cell in range(board.masks.size):
        if board.masks[cell] == 0:
            counts[DEAD], counts[WHERE], counts[VALUE] = A_CELL, cell, 0
            return True
    full = np.uint32((_1 << np.uint32(tables.units.shape[1])) - _1)
    for unit in range(tables.units.shape[0]):
        missing = np.uint32(full & ~seen(board, tables, unit)[0])
        if missing:
            counts[DEAD], counts[WHERE], counts[VALUE] = A_UNIT, unit, value_of(lowest(missing))
            return True
    return False


@kernel
def single(board: Any, tables: Any) -> Any:
    """(cell, bit, unit) of the first open cell with one candidate (unit -1), else of the first value that has one
    place in a unit; cell -1 where there is neither."""
    for cell in range(board.masks.size):
        mask = board.masks[cell]
        if board.cells[cell] == 0 and mask & (mask - _1) == 0:
            return cell, mask, -1
    for unit in range(tables.units.shape[0]):
        once, twice = seen(board, tables, unit)
        alone = np.uint32(once & ~twice)
        for k in range(tables.units.shape[1]):
            place = np.int64(tables.units[unit, k])
            found = np.uint32(board.masks[place] & alone)
            if found and board.cells[place] == 0:
                return place, lowest(found), unit
    return -1, _0, -1


@kernel
def fewest(board: Any) -> Any:
    """The first open cell with the fewest candidates."""
    chosen, least = 0, 99
    for cell in range(board.masks.size):
        left = bit_count(board.masks[cell])
        if board.cells[cell] == 0 and left < least:
            chosen, least = cell, left
    return chosen


@kernel
def take_back(board: Any, n: Any) -> Any:
    """Undo the last guess and all that followed from it; flags. Without a guess that stands: there is no solution."""
    counts = board.counts
    if counts[DEPTH] == 0:
        return NO_SOLUTION
    counts[DEPTH] -= 1
    frame = board.frames[counts[DEPTH]]
    while counts[FILLED] > frame[FILLED_BEFORE]:
        counts[FILLED] -= 1
        board.cells[board.filled[counts[FILLED]]] = 0
    while counts[STRUCK] > frame[STRUCK_BEFORE]:
        counts[STRUCK] -= 1
        code = np.int64(board.struck[counts[STRUCK]])
        board.causes[code] = 0
        board.masks[code // n] |= np.uint32(_1 << np.uint32(code % n))
    counts[TRIED], counts[DEAD] = frame[CHOSEN], 0
    return REMOVED


@kernel
def guess(board: Any, tables: Any) -> Any:
    """Place the lowest value left to the guess at the top, a new one if the last was not taken back; flags."""
    counts = board.counts
    frame = board.frames[counts[DEPTH]]
    if counts[TRIED] == 0:
        frame[CELL] = fewest(board)
        frame[MASK] = board.masks[frame[CELL]]
        frame[FILLED_BEFORE], frame[STRUCK_BEFORE] = counts[FILLED], counts[STRUCK]
    tried = np.uint32(counts[TRIED])
    left = np.uint32((np.uint32(frame[MASK]) >> tried) << tried)
    if left == 0:
        return take_back(board, tables.units.shape[1])
    bit = lowest(left)
    frame[CHOSEN] = value_of(bit)
    counts[DEPTH] += 1
    counts[NODES] += 1
    counts[TRIED] = 0
    place(board, tables, np.int64(frame[CELL]), bit)
    return PLACED | TRIAL if left == bit else PLACED | TRIAL | GUESS


@kernel
def one_step(board: Any, tables: Any) -> Any:
    """One placement with what it strikes, or one retraction; what happened, as a sum of flags."""
    counts = board.counts
    counts[UNIT] = -1
    if counts[DEAD]:
        return take_back(board, tables.units.shape[1])
    before, flags = counts[STRUCK], 0
    if counts[TRIED]:
        flags = guess(board, tables)
    elif counts[FILLED] or not contradicts(board, tables):
        cell, bit, unit = single(board, tables)
        if cell < 0:
            flags = guess(board, tables)
        else:
            counts[UNIT] = unit
            place(board, tables, cell, bit)
            flags = PLACED
    if flags & REMOVED or flags & NO_SOLUTION:
        return flags
    if counts[STRUCK] > before:
        flags |= ELIMINATED
    if contradicts(board, tables):
        counts[DEAD_ENDS] += 1
        return flags | STUCK if counts[DEPTH] else flags | STUCK | NO_SOLUTION
    return flags | SOLVED if counts[FILLED] == board.filled.size else flags


@kernel
def energy(board: Any) -> Any:
    """The candidates of the open cells; a cell that has none counts as one."""
    total = 0
    for cell in range(board.masks.size):
        if board.cells[cell] == 0:
            left = bit_count(board.masks[cell])
            total += left if left else 1
    return total


@kernel
def touched(board: Any, flags: Any, before: Any, n: Any, wanted: Any) -> Any:
    """Whether a cell was placed, emptied or lost a candidate in a step; `before` is counts[STRUCK] before it."""
    counts = board.counts
    if flags & REMOVED:
        return board.frames[counts[DEPTH], CELL] == wanted
    if flags & PLACED and board.filled[counts[FILLED] - 1] == wanted:
        return True
    found = False
    for k in range(before, counts[STRUCK]):
        found |= board.struck[k] // n == wanted
    return found


@kernel
def run(board: Any, tables: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the search is over.

    Returns how many steps were made, the flags of the last one, and whether a stop was hit.
    """
    counts, n = board.counts, tables.units.shape[1]
    done, flags, hit, after = 0, 0, False, energy(board)
    while done < limits[STEP_LIMIT] and counts[STATUS] == 0 and not hit:
        struck, before = counts[STRUCK], after
        flags = one_step(board, tables)
        done += 1
        after = energy(board)
        if after < counts[BEST]:
            counts[BEST] = after
            for cell in range(board.cells.size):
                board.best[cell] = board.cells[cell]
        if done == limits[LEFT_LIMIT] and not flags & END:
            flags |= GAVE_UP
        counts[STATUS] = flags & END
        hit = flags & limits[FLAG_LIMIT] != 0 or after <= limits[ENERGY_LIMIT] < before
        if limits[CELL_LIMIT] >= 0 and not hit:
            hit = touched(board, flags, struck, n, limits[CELL_LIMIT])
    return done, flags, hit
