"""The exact engine for every size and variant: a mask of candidates for each cell, and how many places each value has
left in each unit.

A position is int32[n*n + u*n + 4] for u units:

    masks    n*n    candidates of each cell, bit v - 1 for value v
    places   u*n    at unit * n + v - 1: how many cells of the unit still have v
    tail     4      OPEN: cells with more than one candidate; CELL, BIT, PUT: the guess that has yet to be carried out:
                    the candidate stays alone (PUT = 1) or goes (0)

Singles, naked and hidden, are followed through a queue: a number below n*n is a cell with one candidate left, n*n + k
a value with one place left, k counted as in `places`. queue[0] is its length.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.compiled.kernel import kernel, word_at
from engine.solutions.words import DEPTH, EXAMPLES, FOUND, GUESSES, count_bits, place_of

OPEN: Final = -4
CELL: Final = -3
BIT: Final = -2
PUT: Final = -1
TAIL: Final = 4


@kernel
def remove(p: Any, cell: Any, bit: Any, units_of: Any, queue: Any) -> Any:
    """Take a candidate from a cell that has it; False when the cell or a unit is left with nothing."""
    cells, n = units_of.shape[0], np.int64(queue[1])
    left = np.int64(p[cell]) & ~bit
    p[cell] = left
    if left == 0:
        return False
    if left & (left - 1) == 0:
        p[OPEN] -= 1
        queue[0] += 1
        queue[queue[0] + 1] = cell
    value = place_of(bit)
    for k in range(units_of.shape[1]):
        unit = units_of[cell, k]
        if unit < 0:
            break
        place = cells + unit * n + value
        p[place] -= 1
        if p[place] == 0:
            return False
        if p[place] == 1:
            queue[0] += 1
            queue[queue[0] + 1] = place
    return True


@kernel
def keep_alone(p: Any, cell: Any, bit: Any, units_of: Any, queue: Any) -> Any:
    """Leave a cell one candidate; False for a contradiction."""
    others = np.int64(p[cell]) & ~bit
    if p[cell] & bit == 0:
        return False
    while others:
        if not remove(p, cell, others & -others, units_of, queue):
            return False
        others &= others - 1
    return True


@kernel
def follow(p: Any, units_of: Any, cells_of: Any, queue: Any) -> Any:
    """Work off the queue; False for a contradiction."""
    cells, n = units_of.shape[0], np.int64(queue[1])
    done = 0
    while done < queue[0]:
        done += 1
        item = np.int64(queue[done + 1])
        if item < cells:
            bit = np.int64(p[item])
            for k in range(units_of.shape[1]):
                unit = units_of[item, k]
                if unit < 0:
                    break
                for j in range(n):
                    peer = np.int64(cells_of[unit, j])
                    if peer != item and p[peer] & bit and not remove(p, peer, bit, units_of, queue):
                        return False
        else:
            unit, bit = (item - cells) // n, np.int64(1) << (item - cells) % n
            for j in range(n):
                cell = np.int64(cells_of[unit, j])
                if p[cell] & bit:
                    if p[cell] != bit and not keep_alone(p, cell, bit, units_of, queue):
                        return False
                    break
    queue[0] = 0
    return True


@kernel
def carry_out(p: Any, units_of: Any, cells_of: Any, queue: Any) -> Any:
    """The pending guess and all that follows from it; False for a contradiction."""
    queue[0] = 0
    cell, bit = np.int64(p[CELL]), np.int64(p[BIT])
    p[BIT] = 0
    if bit and p[PUT]:
        if not keep_alone(p, cell, bit, units_of, queue):
            return False
    elif bit and p[cell] & bit and not remove(p, cell, bit, units_of, queue):
        return False
    return follow(p, units_of, cells_of, queue)


@kernel
def set_up(p: Any, givens: Any, units_of: Any, cells_of: Any, queue: Any) -> Any:
    """The position of n*n givens (0 = free) and all that follows; False for a contradiction."""
    cells, n = cells_of.shape[1] ** 2, cells_of.shape[1]
    queue[0], queue[1] = 0, n
    for k in range(cells):
        p[k] = (1 << n) - 1
    for k in range(cells, p.size - TAIL):
        p[k] = n
    p[OPEN], p[CELL], p[BIT], p[PUT] = cells, 0, 0, 0
    for cell in range(cells):
        if givens[cell] and not keep_alone(p, cell, 1 << np.int64(givens[cell]) - 1, units_of, queue):
            return False
    return follow(p, units_of, cells_of, queue)


@kernel
def choose(p: Any, cells_of: Any, word: Any) -> Any:
    """What to guess: a candidate of the cell with the fewest, or a place of the value with the fewest places.

    `word` says where to begin to look: 0 at the first cell, unit and candidate, another one elsewhere.
    """
    n = cells_of.shape[1]
    cells, size = n * n, p.size - TAIL
    fewest, where, turn = n + 1, -1, word % cells
    for k in range(cells):
        cell = k + turn if k + turn < cells else k + turn - cells
        if p[cell] & (p[cell] - 1):
            many = count_bits(np.int64(p[cell]))
            if many < fewest:
                fewest, where = many, cell
                if many == 2:
                    break
    if fewest > 2:
        for k in range(cells, size):
            if 1 < p[k] < fewest:
                fewest, where = p[k], k
    if where < cells:
        left = p[where]
        for _skipped in range(word // cells % fewest):
            left &= left - 1
        return where, left & -left
    unit, bit, skip = (where - cells) // n, 1 << (where - cells) % n, word // cells % fewest
    cell = -1
    for j in range(n):
        if p[cells_of[unit, j]] & bit:
            cell = cells_of[unit, j]
            if skip == 0:
                break
            skip -= 1
    return cell, bit


@kernel
def branch(p: Any, above: Any, cells_of: Any, word: Any) -> None:
    """Guess: the copy above has the candidate alone, the position itself is without it."""
    p[CELL], p[BIT] = choose(p, cells_of, word)
    for k in range(p.size):
        above[k] = p[k]
    p[PUT], above[PUT] = 0, 1


@kernel
def search(stack: Any, books: Any, tables: Any, limit: Any, guesses: Any, key: Any) -> Any:
    """Go on until one of the first EXAMPLES solutions is found: the number of its position in the stack. -1 when
    nothing is left, when `limit` solutions are found, or when so many guesses are made.

    tables are units_of int32[n*n, w] (-1 where a cell has fewer units), cells_of int32[u, n] and the queue. With a key
    other than 0 the guesses are random: those of this stream.
    """
    units_of, cells_of, queue = tables
    depth, made, found = books[DEPTH], 0, -1
    while depth >= 0 and found < 0 and books[FOUND] < limit:
        p = stack[depth]
        if not carry_out(p, units_of, cells_of, queue):
            depth -= 1
        elif p[OPEN] == 0:
            books[FOUND] += 1
            if books[FOUND] <= EXAMPLES:
                found = depth
            depth -= 1
        elif made < guesses:
            word = np.int64(word_at(key, books[GUESSES] + made, np.int64(0)) >> np.uint64(1)) if key else np.int64(0)
            branch(p, stack[depth + 1], cells_of, word)
            made += 1
            depth += 1
        else:
            break
    books[DEPTH] = depth
    books[GUESSES] += made
    return found


@kernel
def write(p: Any, cells: Any) -> None:
    """The values of a solved position."""
    for k in range(cells.size):
        cells[k] = place_of(np.int64(p[k])) + 1
