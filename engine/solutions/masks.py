"""The exact engine for every size and variant: masks of candidates, and counts of the places of each value.

A position is int32[n*n + u*n + 4] for u units:

    masks    n*n    candidates of each cell, bit v - 1 for value v
    places   u*n    at unit * n + v - 1: the number of cells of the unit that still have v
    tail     4      OPEN: cells with more than one candidate; CELL, BIT, PUT: the pending guess, which keeps the
                    candidate alone (PUT = 1) or removes it (0)

Singles are followed through a queue: a number below n*n is a cell with one candidate left (naked), n*n + k a value with
one place left (hidden), k indexed as in `places`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.compiled.bits import bit_index, popcount
from engine.compiled.kernel import Int, kernel, word_at
from engine.solutions.search_counters import DEPTH, EXAMPLES, FOUND, GUESSES, Counters

Position: TypeAlias = NDArray[np.int32]
"""int32[n*n + u*n + 4]"""
Stack: TypeAlias = NDArray[np.int32]
"""int32[n*n + 1, n*n + u*n + 4]: the positions of a search."""
Table: TypeAlias = NDArray[np.int32]
"""units_of int32[n*n, w]: the units of each cell, -1 where it has fewer; cells_of int32[u, n]: the cells of each."""
Queue: TypeAlias = NDArray[np.int32]
"""int32[2 + n*n + u*n]: its length, n, then the singles to be followed."""
Tables: TypeAlias = tuple[Table, Table, Queue]
"""units_of, cells_of and the queue."""
Values: TypeAlias = NDArray[np.uint8]
"""uint8[n*n]: the value of each cell, 0 = free."""

OPEN: Final = -4
CELL: Final = -3
BIT: Final = -2
PUT: Final = -1
TAIL: Final = 4


@kernel
def remove(position: Position, cell: Int, bit: Int, units_of: Table, queue: Queue) -> bool:
    """Take a candidate from a cell that has it; False when the cell or a unit is left with nothing."""
    cells, n = units_of.shape[0], np.int64(queue[1])
    left = np.int64(position[cell]) & ~bit
    position[cell] = left
    if left == 0:
        return False
    if left & (left - 1) == 0:
        position[OPEN] -= 1
        queue[0] += 1
        queue[queue[0] + 1] = cell
    value = bit_index(bit)
    for k in range(units_of.shape[1]):
        unit = units_of[cell, k]
        if unit < 0:
            break
        place = cells + unit * n + value
        position[place] -= 1
        if position[place] == 0:
            return False
        if position[place] == 1:
            queue[0] += 1
            queue[queue[0] + 1] = place
    return True


@kernel
def keep_alone(position: Position, cell: Int, bit: Int, units_of: Table, queue: Queue) -> bool:
    """Leave a cell one candidate; False for a contradiction."""
    others = np.int64(position[cell]) & ~bit
    if position[cell] & bit == 0:
        return False
    while others:
        if not remove(position, cell, others & -others, units_of, queue):
            return False
        others &= others - 1
    return True


@kernel
def follow_singles(position: Position, units_of: Table, cells_of: Table, queue: Queue) -> bool:
    """Follow the singles of the queue until it is empty; False for a contradiction."""
    cells, n = units_of.shape[0], np.int64(queue[1])
    done = 0
    while done < queue[0]:
        done += 1
        item = np.int64(queue[done + 1])
        if item < cells:
            bit = np.int64(position[item])
            for k in range(units_of.shape[1]):
                unit = units_of[item, k]
                if unit < 0:
                    break
                for j in range(n):
                    peer = np.int64(cells_of[unit, j])
                    if peer != item and position[peer] & bit and not remove(position, peer, bit, units_of, queue):
                        return False
        else:
            unit, bit = (item - cells) // n, np.int64(1) << (item - cells) % n
            for j in range(n):
                cell = np.int64(cells_of[unit, j])
                if position[cell] & bit:
                    if position[cell] != bit and not keep_alone(position, cell, bit, units_of, queue):
                        return False
                    break
    queue[0] = 0
    return True


@kernel
def make_guess(position: Position, units_of: Table, cells_of: Table, queue: Queue) -> bool:
    """Make the pending guess and follow its singles; False for a contradiction."""
    queue[0] = 0
    cell, bit = np.int64(position[CELL]), np.int64(position[BIT])
    position[BIT] = 0
    if bit and position[PUT]:
        if not keep_alone(position, cell, bit, units_of, queue):
            return False
    elif bit and position[cell] & bit and not remove(position, cell, bit, units_of, queue):
        return False
    return follow_singles(position, units_of, cells_of, queue)


@kernel
def set_up(position: Position, givens: Values, units_of: Table, cells_of: Table, queue: Queue) -> bool:
    """Fill a position from the givens and follow their singles; False for a contradiction."""
    cells, n = cells_of.shape[1] ** 2, cells_of.shape[1]
    queue[0], queue[1] = 0, n
    for k in range(cells):
        position[k] = (1 << n) - 1
    for k in range(cells, position.size - TAIL):
        position[k] = n
    position[OPEN], position[CELL], position[BIT], position[PUT] = cells, 0, 0, 0
    for cell in range(cells):
        if givens[cell] and not keep_alone(position, cell, 1 << np.int64(givens[cell]) - 1, units_of, queue):
            return False
    return follow_singles(position, units_of, cells_of, queue)


@kernel
def choose_guess(position: Position, cells_of: Table, word: Int) -> tuple[Int, Int]:
    """The guess, (cell, bit): a candidate of the cell with the fewest, or a place of the value with the fewest places.

    `word` makes it random: it offsets where the search for the fewest begins. 0: at the first cell and candidate.
    """
    n = cells_of.shape[1]
    cells, size = n * n, position.size - TAIL
    fewest, where, turn = n + 1, -1, word % cells
    for k in range(cells):
        cell = k + turn if k + turn < cells else k + turn - cells
        if position[cell] & (position[cell] - 1):
            many = popcount(np.int64(position[cell]))
            if many < fewest:
                fewest, where = many, cell
                if many == 2:
                    break
    if fewest > 2:
        for k in range(cells, size):
            if 1 < position[k] < fewest:
                fewest, where = position[k], k
    if where < cells:
        left = position[where]
        for _skipped in range(word // cells % fewest):
            left &= left - 1
        return where, left & -left
    unit, bit, skip = (where - cells) // n, 1 << (where - cells) % n, word // cells % fewest
    cell = -1
    for j in range(n):
        if position[cells_of[unit, j]] & bit:
            cell = cells_of[unit, j]
            if skip == 0:
                break
            skip -= 1
    return cell, bit


@kernel
def branch(position: Position, above: Position, cells_of: Table, word: Int) -> None:
    """Guess: a copy above keeps the candidate alone, the position itself will lose it."""
    position[CELL], position[BIT] = choose_guess(position, cells_of, word)
    for k in range(position.size):
        above[k] = position[k]
    position[PUT], above[PUT] = 0, 1


@kernel
def search(stack: Stack, counters: Counters, tables: Tables, limit: Int, guesses: Int, key: np.uint64) -> Int:
    """Search until one of the first EXAMPLES solutions is found, and return the index of its position in the stack.

    Returns -1 when the search is complete, when `limit` solutions are found, or when `guesses` guesses are made. With a
    key other than 0 the guesses are random: those of this stream.
    """
    units_of, cells_of, queue = tables
    depth, made, found = counters[DEPTH], 0, -1
    while depth >= 0 and found < 0 and counters[FOUND] < limit:
        position = stack[depth]
        if not make_guess(position, units_of, cells_of, queue):
            depth -= 1
        elif position[OPEN] == 0:
            counters[FOUND] += 1
            if counters[FOUND] <= EXAMPLES:
                found = depth
            depth -= 1
        elif made < guesses:
            word = np.int64(word_at(key, counters[GUESSES] + made, np.int64(0)) >> np.uint64(1)) if key else np.int64(0)
            branch(position, stack[depth + 1], cells_of, word)
            made += 1
            depth += 1
        else:
            break
    counters[DEPTH] = depth
    counters[GUESSES] += made
    return found


@kernel
def write(position: Position, cells: Values) -> None:
    """The values of a solved position."""
    for k in range(cells.size):
        cells[k] = bit_index(np.int64(position[k])) + 1
