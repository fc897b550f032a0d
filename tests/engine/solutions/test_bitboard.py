"""The words of the band engine against their meaning: the placements of a digit in a band."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from engine.compiled.bits import bit_index
from engine.solutions import bitboard

WORDS = st.integers(0, 2**27 - 1)
THIN = st.builds(lambda a, b: a & b, WORDS, WORDS)


def used(word: int) -> int:
    """The cells of a band that some way to place a digit uses: one in each row, each in another box."""
    kept = 0
    cells = [[9 * row + column for column in range(9) if word >> 9 * row + column & 1] for row in range(3)]
    for way in itertools.product(*cells):
        if len({cell % 9 // 3 for cell in way}) == 3:
            kept |= sum(1 << cell for cell in way)
    return kept


@given(WORDS | THIN)
def test_minirows_that_no_way_uses_are_dropped(word: int) -> None:
    assert bitboard.minirows_kept(word) == used(word)


@given(WORDS | THIN)
def test_minicolumns_that_no_way_uses_are_dropped(word: int) -> None:
    """Three bands of columns are nine lines of three, which a digit fills one to one in each stack."""
    kept = 0
    for stack in range(3):
        for order in itertools.permutations(range(3)):
            way = [9 * band + 3 * stack + column for band, column in enumerate(order)]
            if all(word >> bit & 1 for bit in way):
                kept |= sum(1 << bit for bit in way)
    assert bitboard.minicolumns_kept(word) == kept


@given(st.tuples(*[st.sets(st.integers(0, 8), min_size=1)] * 3))
def test_singles_are_alone_in_their_row(rows: tuple[set[int], ...]) -> None:
    word = sum(1 << 9 * row + column for row, columns in enumerate(rows) for column in columns)
    alone = sum(1 << 9 * row + min(columns) for row, columns in enumerate(rows) if len(columns) == 1)
    assert bitboard.singles(word) == alone


def test_every_bit_has_its_place() -> None:
    assert [bit_index(1 << k) for k in range(32)] == list(range(32))
