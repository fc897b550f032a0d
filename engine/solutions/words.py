"""What both exact engines share: the books of a search, and bits of words: how many, and at which place."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import kernel

DEPTH: Final = 0
"""books[DEPTH]: the position on top of the stack; -1 when nothing is left to look at."""
FOUND: Final = 1
"""books[FOUND]: solutions found."""
GUESSES: Final = 2
"""books[GUESSES]: guesses made."""
BOOKS: Final = 3

EXAMPLES: Final = 2
"""A search pauses at each of so many solutions, so that they can be read; the others are only counted."""

_DE_BRUIJN: Final = 0x077CB531
"""Any five bits in a row occur once in this word, so that its products with powers of two begin differently
(Leiserson, Prokop & Randall, "Using de Bruijn Sequences to Index a 1 in a Computer Word", 1998)."""


def _places() -> NDArray[np.int32]:
    table = np.zeros(32, dtype=np.int32)
    for k in range(32):
        table[(_DE_BRUIJN << k & 0xFFFFFFFF) >> 27] = k
    return table


_PLACES: Final = _places()


@kernel
def place_of(bit: Any) -> Any:
    """k for the word 1 << k, k < 32."""
    return _PLACES[(bit * _DE_BRUIJN & 0xFFFFFFFF) >> 27]


@kernel
def count_bits(word: Any) -> Any:
    """How many bits of a word of 32 are set."""
    x = word - (word >> 1 & 0x55555555)
    x = (x & 0x33333333) + (x >> 2 & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return (x * 0x01010101 & 0xFFFFFFFF) >> 24
