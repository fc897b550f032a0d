"""The fast engine for classic 9x9: bitboards by band, singles and locked candidates, then a guess on a full copy.

A position is 60 words, int32[60]:

     0..26   at 9·band + digit: where the digit may stand in the band (see `band_tables`)
    27..53   the same when the digit was last looked at: what differs is looked at again
    54..56   cells of each band that no digit has been placed in yet
    57..59   cells of each band with exactly two candidates, as of the last look at naked singles

A search is a stack of positions, int32[82, 60], and its books (see `words`): it can be left after any number of
guesses and gone on with. Words are read as int64: sums and complements of 27 bits stay plain numbers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.exact.band_tables import ALL, ALONE, MINICOLUMNS, MINIROWS, ROWS
from engine.exact.words import DEPTH, EXAMPLES, FOUND, GUESSES, place_of
from engine.jit import kernel

SIZE: Final = 60
"""Words of a position."""
SEEN: Final = 27
OPEN: Final = 54
PAIRS: Final = 57
LEVELS: Final = 82
"""Positions of a stack: every guess places a digit."""

_MINI: Final = 0x1249249
"""The first bit of each minirow."""
_COLUMNS: Final = 0x1FF
_STACK: Final = 0x1C0E07
"""Three columns in each of three rows of nine."""
_LOW8: Final = 0x3FDFEFF
_BIT8: Final = 0x4020100


@kernel
def minirows_kept(word: Any) -> Any:
    """The cells of the minirows that the digit can still use; 0 when it has no way to stand in the band."""
    x = (word | word >> 1 | word >> 2) & _MINI
    return word & MINIROWS[(x | x >> 8 | x >> 16) & 0x1FF]


@kernel
def columns_of(word: Any) -> Any:
    return (word | word >> 9 | word >> 18) & _COLUMNS


@kernel
def minicolumns_kept(columns: Any) -> Any:
    """Of the open columns of three bands, bit 9·band + column, those that the digit can still use."""
    x = columns & _STACK
    y = columns >> 3 & _STACK
    z = columns >> 6 & _STACK
    return (MINICOLUMNS[(x | x >> 6 | x >> 12) & 0x1FF] | MINICOLUMNS[(y | y >> 6 | y >> 12) & 0x1FF] << 3
            | MINICOLUMNS[(z | z >> 6 | z >> 12) & 0x1FF] << 6)


@kernel
def singles(word: Any) -> Any:
    """The cells that are the only one of their row; every row has at least one."""
    more = word & (word - ROWS)  # each row without its first
    more = ((more & _LOW8) + _LOW8 | more) & _BIT8
    return word & ~((more << 1) - (more >> 8))


@kernel
def clear(p: Any, cells: Any, band: Any) -> None:
    """Take cells of a band from every digit: one has been placed there."""
    p[OPEN + band] &= ~cells
    for digit in range(9):
        p[9 * band + digit] &= ~cells


@kernel
def is_full(p: Any) -> Any:
    return p[OPEN] | p[OPEN + 1] | p[OPEN + 2] == 0


@kernel
def digit_settled(a: Any, b: Any, c: Any) -> Any:
    """Minirows and minicolumns of one digit in its three bands, until nothing changes; a 0 for a contradiction."""
    while True:
        a, b, c = minirows_kept(a), minirows_kept(b), minirows_kept(c)
        if a == 0 or b == 0 or c == 0:
            return 0, 0, 0
        columns = columns_of(a) | columns_of(b) << 9 | columns_of(c) << 18
        kept = minicolumns_kept(columns)
        if kept == columns:
            return a, b, c
        if kept == 0:
            return 0, 0, 0
        a &= (kept & _COLUMNS) * ROWS
        b &= (kept >> 9 & _COLUMNS) * ROWS
        c &= (kept >> 18) * ROWS


@kernel
def digits_settled(p: Any) -> Any:
    """Locked candidates and hidden singles of each digit, until nothing changes; False for a contradiction."""
    changed = True
    while changed:
        changed = False
        for digit in range(9):
            a, b, c = np.int64(p[digit]), np.int64(p[9 + digit]), np.int64(p[18 + digit])
            if (a ^ p[SEEN + digit]) | (b ^ p[SEEN + 9 + digit]) | (c ^ p[SEEN + 18 + digit]) == 0:
                continue
            changed = True
            a, b, c = digit_settled(a, b, c)
            if a == 0:
                return False
            new_a, new_b, new_c = singles(a) & p[OPEN], singles(b) & p[OPEN + 1], singles(c) & p[OPEN + 2]
            if new_a:
                clear(p, new_a, np.int64(0))
            if new_b:
                clear(p, new_b, np.int64(1))
            if new_c:
                clear(p, new_c, np.int64(2))
            p[digit] = p[SEEN + digit] = a
            p[9 + digit] = p[SEEN + 9 + digit] = b
            p[18 + digit] = p[SEEN + 18 + digit] = c
    return True


@kernel
def naked_singles(p: Any) -> Any:
    """Place what is the only candidate of its cell: in how many bands there was any, -1 for a cell without
    candidates."""
    found = 0
    for band in range(3):
        once, twice, thrice = 0, 0, 0
        for digit in range(9):
            word = p[9 * band + digit]
            thrice |= twice & word
            twice |= once & word
            once |= word
        if once != ALL:
            return -1
        p[PAIRS + band] = twice & ~thrice
        naked = once & ~twice & p[OPEN + band]
        if naked:
            found += 1
            for digit in range(9):
                hit = naked & p[9 * band + digit]
                while hit:
                    p[9 * band + digit] &= ALONE[place_of(hit & -hit)]
                    hit &= hit - 1
    return found


@kernel
def settled(p: Any) -> Any:
    """Everything that follows without a guess; False for a contradiction."""
    while digits_settled(p):
        if is_full(p):
            return True
        found = naked_singles(p)
        if found <= 0:
            return found == 0
    return False


@kernel
def branch_at(p: Any, above: Any, band: Any, digit: Any, cell: Any) -> None:
    """Guess: the copy above has the digit in the cell (a bit of the band), the position itself has it no longer."""
    for k in range(SIZE):
        above[k] = p[k]
    p[9 * band + digit] &= ~cell
    word = above[9 * band + digit] & ALONE[place_of(cell)]
    clear(above, cell, band)
    above[9 * band + digit] = word


@kernel
def branch(p: Any, above: Any) -> None:
    """Guess at the first cell with two candidates, or at the first open one, with its smallest digit."""
    which = PAIRS if p[PAIRS] & p[OPEN] | p[PAIRS + 1] & p[OPEN + 1] | p[PAIRS + 2] & p[OPEN + 2] else OPEN
    band = 0
    while p[which + band] & p[OPEN + band] == 0:
        band += 1
    cell = p[which + band] & p[OPEN + band]
    cell &= -cell
    digit = 0
    while p[9 * band + digit] & cell == 0:
        digit += 1
    branch_at(p, above, band, digit, cell)


@kernel
def set_up(p: Any, givens: Any) -> None:
    """The position of 81 givens (0 = free). Givens that contradict each other leave a digit without a place."""
    for k in range(27):
        p[k] = ALL
        p[SEEN + k] = 0
    for band in range(3):
        given = 0
        for cell in range(27):
            value = np.int64(givens[27 * band + cell])
            if value > 0:
                slot = 9 * band + value - 1
                given |= 1 << cell
                p[slot] &= ALONE[cell]
                p[SEEN + slot] |= 1 << cell
        for k in range(9 * band, 9 * band + 9):
            p[k] &= ~given | p[SEEN + k]
            p[SEEN + k] = 0
        p[OPEN + band] = ALL & ~given


@kernel
def search(stack: Any, books: Any, limit: Any, guesses: Any) -> Any:
    """Go on until one of the first EXAMPLES solutions is found: the number of its position in the stack. -1 when
    nothing is left, when `limit` solutions are found, or when so many guesses are made."""
    depth, made, found = books[DEPTH], 0, -1
    while depth >= 0 and found < 0 and books[FOUND] < limit:
        if not settled(stack[depth]):
            depth -= 1
        elif is_full(stack[depth]):
            books[FOUND] += 1
            if books[FOUND] <= EXAMPLES:
                found = depth
            depth -= 1
        elif made < guesses:
            branch(stack[depth], stack[depth + 1])
            made += 1
            depth += 1
        else:
            break
    books[DEPTH] = depth
    books[GUESSES] += made
    return found


@kernel
def write(p: Any, cells: Any) -> None:
    """The 81 values of a solved position."""
    for band in range(3):
        for digit in range(9):
            word = p[9 * band + digit]
            while word:
                cells[27 * band + place_of(word & -word)] = digit + 1
                word &= word - 1
