"""The fast engine for classic 9x9: bitboards by band, singles and locked candidates, then a guess on a full copy.

A word holds the cells of a band (three rows of the board) that a digit may take: bit 9·row + column, 27 in all. A
position is 60 words, int32[60]:

     0..26   at 9·band + digit: the candidates of the digit in the band
    27..53   the same words when the digit was last examined: a digit whose words differ is examined again
    54..56   cells of each band without a digit
    57..59   cells of each band with exactly two candidates, when naked singles were last looked for

A search is a stack of positions, int32[82, 60], and its counters: it can be paused after any number of guesses. Words
are computed with as int64, so that sums and complements of 27 bits do not overflow.

Locked candidates by table: a digit occurs once in each row and each box of a band, hence in three of its nine minirows
(a row of a box), one in each row and one in each box: 6 ways in all. The same holds for minicolumns in a stack of three
boxes. Indexed by the open minirows, a table gives those that any of the 6 ways uses; the others are locked out.
"""

from __future__ import annotations

import itertools
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.compiled.bits import bit_index, popcount
from engine.compiled.kernel import Int, kernel
from engine.solutions.search_counters import DEPTH, EXAMPLES, FOUND, GUESSES, Counters

Stack: TypeAlias = NDArray[np.int32]
"""int32[82, 60]: the positions of a search; `at` is the index of one."""
Values: TypeAlias = NDArray[np.uint8]
"""uint8[81]: the value of each cell, 0 = free."""

ROWS: Final = 0x40201
"""The first bit of each row of a band; nine bits times this repeat them in all three rows."""
ALL: Final = (1 << 27) - 1
"""Every cell of a band."""


def _kept(nine: int, bit_of: list[int]) -> int:
    """Of nine open places (3·line + slot), those that a one-to-one choice of slots uses, as the bits bit_of[place]."""
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
"""int32[512]: the cells of the minirows kept, by the open minirows, bit 3·box + row; 0: no way is left."""
MINICOLUMNS: Final = _minicolumns()
"""int32[512]: the minicolumns kept, bit 9·band + column, by the open ones of a stack, bit 3·band + column."""
ALONE: Final = _alone()
"""int32[27]: the cells of a band left to a digit once it is in a cell: that cell and those that are no peers of it."""


SIZE: Final = 60
"""Words of a position."""
SEEN: Final = 27
OPEN: Final = 54
PAIRS: Final = 57
LEVELS: Final = 82
"""Positions of a stack: every guess places a digit."""

DEAD, FULL, STUCK = 0, 1, 2

_MINI: Final = 0x1249249
"""The first bit of each minirow."""
_COLUMNS: Final = 0x1FF
_STACK: Final = 0x1C0E07
"""Three columns in each of three rows of nine."""
_LOW8: Final = 0x3FDFEFF
_BIT8: Final = 0x4020100


@kernel
def minirows_kept(word: Int) -> Int:
    """The cells of the minirows that the digit can still use; 0 if there is no way to put it into the band."""
    x = (word | word >> 1 | word >> 2) & _MINI
    kept: Int = word & MINIROWS[(x | x >> 8 | x >> 16) & 0x1FF]
    return kept


@kernel
def columns_of(word: Int) -> Int:
    return (word | word >> 9 | word >> 18) & _COLUMNS


@kernel
def minicolumns_kept(columns: Int) -> Int:
    """Of the open columns of three bands, bit 9·band + column, those that the digit can still use."""
    x = columns & _STACK
    y = columns >> 3 & _STACK
    z = columns >> 6 & _STACK
    kept: Int = (MINICOLUMNS[(x | x >> 6 | x >> 12) & 0x1FF] | MINICOLUMNS[(y | y >> 6 | y >> 12) & 0x1FF] << 3
                 | MINICOLUMNS[(z | z >> 6 | z >> 12) & 0x1FF] << 6)
    return kept


@kernel
def singles(word: Int) -> Int:
    """The cells that are the only one of their row; every row has at least one."""
    more = word & (word - ROWS)  # each row without its first
    more = ((more & _LOW8) + _LOW8 | more) & _BIT8
    return word & ~((more << 1) - (more >> 8))


@kernel
def clear(stack: Stack, at: Int, cells: Int, band: Int) -> None:
    """Remove cells of a band from every digit: they have their digits now."""
    stack[at, OPEN + band] &= ~cells
    for digit in range(9):
        stack[at, 9 * band + digit] &= ~cells


@kernel
def reduce_digits(stack: Stack, at: Int) -> bool:
    """Apply locked candidates and hidden singles to each digit until nothing changes; False for a contradiction."""
    changed = True
    while changed:
        changed = False
        for digit in range(9):
            a: Int = np.int64(stack[at, digit])
            b: Int = np.int64(stack[at, 9 + digit])
            c: Int = np.int64(stack[at, 18 + digit])
            changes = a ^ stack[at, SEEN + digit]
            changes |= b ^ stack[at, SEEN + 9 + digit]
            changes |= c ^ stack[at, SEEN + 18 + digit]
            if changes == 0:
                continue
            while True:
                a, b, c = minirows_kept(a), minirows_kept(b), minirows_kept(c)
                columns = columns_of(a) | columns_of(b) << 9 | columns_of(c) << 18
                kept = minicolumns_kept(columns)
                if a == 0 or b == 0 or c == 0 or kept == 0:
                    return False
                if kept == columns:
                    break
                a &= (kept & _COLUMNS) * ROWS
                b &= (kept >> 9 & _COLUMNS) * ROWS
                c &= (kept >> 18) * ROWS
            changed = True
            new_a = singles(a) & stack[at, OPEN]
            new_b = singles(b) & stack[at, OPEN + 1]
            new_c = singles(c) & stack[at, OPEN + 2]
            if new_a:
                clear(stack, at, new_a, np.int64(0))
            if new_b:
                clear(stack, at, new_b, np.int64(1))
            if new_c:
                clear(stack, at, new_c, np.int64(2))
            stack[at, digit] = stack[at, SEEN + digit] = a
            stack[at, 9 + digit] = stack[at, SEEN + 9 + digit] = b
            stack[at, 18 + digit] = stack[at, SEEN + 18 + digit] = c
    return True


@kernel
def naked_singles(stack: Stack, at: Int) -> int:
    """Assign the naked singles. Returns the number of bands that had any, -1 if a cell has no candidate."""
    found = 0
    for band in range(3):
        once, twice, thrice = 0, 0, 0
        for digit in range(9):
            word = stack[at, 9 * band + digit]
            thrice |= twice & word
            twice |= once & word
            once |= word
        if once != ALL:
            return -1
        stack[at, PAIRS + band] = twice & ~thrice
        naked = once & ~twice & stack[at, OPEN + band]
        if naked:
            found += 1
            for digit in range(9):
                hit = naked & stack[at, 9 * band + digit]
                while hit:
                    stack[at, 9 * band + digit] &= ALONE[bit_index(hit & -hit)]
                    hit &= hit - 1
    return found


@kernel
def propagate(stack: Stack, at: Int) -> int:
    """Make all inferences without a guess: the position is then DEAD (a contradiction), FULL (a solution) or STUCK."""
    found = 1
    while found > 0:
        if not reduce_digits(stack, at):
            return DEAD
        if stack[at, OPEN] | stack[at, OPEN + 1] | stack[at, OPEN + 2] == 0:
            return FULL
        found = naked_singles(stack, at)
    return DEAD if found < 0 else STUCK


@kernel
def branch_at(stack: Stack, at: Int, band: Int, digit: Int, cell: Int) -> None:
    """Guess: a copy above has the digit in the cell (a bit of the band), the position itself loses the candidate."""
    for k in range(SIZE):
        stack[at + 1, k] = stack[at, k]
    stack[at, 9 * band + digit] &= ~cell
    word = stack[at + 1, 9 * band + digit] & ALONE[bit_index(cell)]
    clear(stack, at + 1, cell, band)
    stack[at + 1, 9 * band + digit] = word


@kernel
def branch(stack: Stack, at: Int) -> None:
    """Guess the smaller candidate of the first cell with two candidates, in the band with most such cells (a guess has
    more consequences there); if there is none, of the first open cell."""
    band, cells, most = 0, np.int64(0), np.int64(0)
    for k in range(3):
        pairs = np.int64(stack[at, PAIRS + k] & stack[at, OPEN + k])
        many = popcount(pairs)
        if many > most:
            band, cells, most = k, pairs, many
    if most == 0:
        while stack[at, OPEN + band] == 0:
            band += 1
        cells = np.int64(stack[at, OPEN + band])
    cell = cells & -cells
    digit = 0
    while stack[at, 9 * band + digit] & cell == 0:
        digit += 1
    branch_at(stack, at, band, digit, cell)


@kernel
def set_up(stack: Stack, givens: Values) -> None:
    """Fill position 0 from the givens; where they contradict each other a digit is left without a place."""
    for k in range(27):
        stack[0, k] = ALL
        stack[0, SEEN + k] = 0
    for band in range(3):
        given = 0
        for cell in range(27):
            value = np.int64(givens[27 * band + cell])
            if value > 0:
                slot = 9 * band + value - 1
                given |= 1 << cell
                stack[0, slot] &= ALONE[cell]
                stack[0, SEEN + slot] |= 1 << cell
        for k in range(9 * band, 9 * band + 9):
            stack[0, k] &= ~given | stack[0, SEEN + k]
            stack[0, SEEN + k] = -1  # differs from every word: all digits are examined
        stack[0, OPEN + band] = ALL & ~given


@kernel
def search(stack: Stack, counters: Counters, limit: Int, guesses: Int) -> Int:
    """Search until one of the first EXAMPLES solutions is found, and return the index of its position.

    Returns -1 when the search is complete, when `limit` solutions are found, or when `guesses` guesses are made.
    """
    depth, made, found = counters[DEPTH], 0, -1
    while depth >= 0 and found < 0 and counters[FOUND] < limit:
        progress = propagate(stack, depth)
        if progress == DEAD:
            depth -= 1
        elif progress == FULL:
            counters[FOUND] += 1
            if counters[FOUND] <= EXAMPLES:
                found = depth
            depth -= 1
        elif progress == STUCK:
            if made >= guesses:
                break
            branch(stack, depth)
            made += 1
            depth += 1
    counters[DEPTH] = depth
    counters[GUESSES] += made
    return found


@kernel
def write(stack: Stack, at: Int, cells: Values) -> None:
    """The 81 values of a solved position."""
    for band in range(3):
        for digit in range(9):
            word = np.int64(stack[at, 9 * band + digit])
            for row in range(3):
                cells[27 * band + 9 * row + bit_index(word >> 9 * row & _COLUMNS)] = digit + 1
