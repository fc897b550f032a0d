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

import itertools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import kernel
from engine.solutions.words import DEPTH, EXAMPLES, FOUND, GUESSES, count_bits, place_of

# What the bitboards look up. One word holds where a digit may stand in one band: bit 9·row + column, 27 in all. A
# digit stands once in each row and each box of a band, so in three of its nine minirows (a row of a box): one in
# each row and one in each box, 6 ways in all. The same holds for minicolumns in a stack of boxes. Which of nine are
# open says which of them any of the 6 ways still uses; the others are locked out.


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
def clear(s: Any, at: Any, cells: Any, band: Any) -> None:
    """Take cells of a band from every digit: one has been placed there."""
    s[at, OPEN + band] &= ~cells
    for digit in range(9):
        s[at, 9 * band + digit] &= ~cells


@kernel
def digits_settled(s: Any, at: Any) -> Any:
    """Locked candidates and hidden singles of each digit, until nothing changes; False for a contradiction."""
    changed = True
    while changed:
        changed = False
        for digit in range(9):
            a, b, c = np.int64(s[at, digit]), np.int64(s[at, 9 + digit]), np.int64(s[at, 18 + digit])
            if (a ^ s[at, SEEN + digit]) | (b ^ s[at, SEEN + 9 + digit]) | (c ^ s[at, SEEN + 18 + digit]) == 0:
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
            new_a, new_b, new_c = singles(a) & s[at, OPEN], singles(b) & s[at, OPEN + 1], singles(c) & s[at, OPEN + 2]
            if new_a:
                clear(s, at, new_a, np.int64(0))
            if new_b:
                clear(s, at, new_b, np.int64(1))
            if new_c:
                clear(s, at, new_c, np.int64(2))
            s[at, digit] = s[at, SEEN + digit] = a
            s[at, 9 + digit] = s[at, SEEN + 9 + digit] = b
            s[at, 18 + digit] = s[at, SEEN + 18 + digit] = c
    return True


@kernel
def naked_singles(s: Any, at: Any) -> Any:
    """Place what is the only candidate of its cell: in how many bands there was any, -1 for a cell without
    candidates."""
    found = 0
    for band in range(3):
        once, twice, thrice = 0, 0, 0
        for digit in range(9):
            word = s[at, 9 * band + digit]
            thrice |= twice & word
            twice |= once & word
            once |= word
        if once != ALL:
            return -1
        s[at, PAIRS + band] = twice & ~thrice
        naked = once & ~twice & s[at, OPEN + band]
        if naked:
            found += 1
            for digit in range(9):
                hit = naked & s[at, 9 * band + digit]
                while hit:
                    s[at, 9 * band + digit] &= ALONE[place_of(hit & -hit)]
                    hit &= hit - 1
    return found


@kernel
def settled(s: Any, at: Any) -> Any:
    """Follow all that needs no guess: the position is then DEAD (a contradiction), FULL (a solution) or STUCK."""
    found = 1
    while found > 0:
        if not digits_settled(s, at):
            return DEAD
        if s[at, OPEN] | s[at, OPEN + 1] | s[at, OPEN + 2] == 0:
            return FULL
        found = naked_singles(s, at)
    return DEAD if found < 0 else STUCK


@kernel
def branch_at(s: Any, at: Any, band: Any, digit: Any, cell: Any) -> None:
    """Guess: the copy above has the digit in the cell (a bit of the band), the position itself has it no longer."""
    for k in range(SIZE):
        s[at + 1, k] = s[at, k]
    s[at, 9 * band + digit] &= ~cell
    word = s[at + 1, 9 * band + digit] & ALONE[place_of(cell)]
    clear(s, at + 1, cell, band)
    s[at + 1, 9 * band + digit] = word


@kernel
def branch(s: Any, at: Any) -> None:
    """Guess at the first cell with two candidates of the band that has the most of them, with the smaller one: where
    there are many, more follows. Where there are none at the first open cell."""
    band, cells, most = 0, np.int64(0), 0
    for k in range(3):
        pairs = np.int64(s[at, PAIRS + k] & s[at, OPEN + k])
        many = count_bits(pairs)
        if many > most:
            band, cells, most = k, pairs, many
    if most == 0:
        while s[at, OPEN + band] == 0:
            band += 1
        cells = np.int64(s[at, OPEN + band])
    cell = cells & -cells
    digit = 0
    while s[at, 9 * band + digit] & cell == 0:
        digit += 1
    branch_at(s, at, band, digit, cell)


@kernel
def set_up(s: Any, givens: Any) -> None:
    """Begin with the position of 81 givens (0 = free); where they contradict each other a digit is left without a
    place."""
    for k in range(27):
        s[0, k] = ALL
        s[0, SEEN + k] = 0
    for band in range(3):
        given = 0
        for cell in range(27):
            value = np.int64(givens[27 * band + cell])
            if value > 0:
                slot = 9 * band + value - 1
                given |= 1 << cell
                s[0, slot] &= ALONE[cell]
                s[0, SEEN + slot] |= 1 << cell
        for k in range(9 * band, 9 * band + 9):
            s[0, k] &= ~given | s[0, SEEN + k]
            s[0, SEEN + k] = -1  # no word: every digit is looked at
        s[0, OPEN + band] = ALL & ~given


@kernel
def search(s: Any, books: Any, limit: Any, guesses: Any) -> Any:
    """Go on until one of the first EXAMPLES solutions is found: the number of its position in the stack. -1 when
    nothing is left, when `limit` solutions are found, or when so many guesses are made."""
    depth, made, found = books[DEPTH], 0, -1
    while depth >= 0 and found < 0 and books[FOUND] < limit:
        progress = settled(s, depth)
        if progress == DEAD:
            depth -= 1
        elif progress == FULL:
            books[FOUND] += 1
            if books[FOUND] <= EXAMPLES:
                found = depth
            depth -= 1
        elif progress == STUCK:
            if made >= guesses:
                break
            branch(s, depth)
            made += 1
            depth += 1
    books[DEPTH] = depth
    books[GUESSES] += made
    return found


@kernel
def write(s: Any, at: Any, cells: Any) -> None:
    """The 81 values of a solved position."""
    for band in range(3):
        for digit in range(9):
            word = np.int64(s[at, 9 * band + digit])
            for row in range(3):
                cells[27 * band + 9 * row + place_of(word >> 9 * row & _COLUMNS)] = digit + 1
