"""Bit operations of kernels on masks of candidates and on bitboards.

Words are non-negative integers of any type. Python has the same as `int.bit_count` and `int.bit_length`.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import Int, Unsigned, kernel

_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_ONE = np.uint32(1)
_1, _2, _4, _56 = (np.uint64(k) for k in (1, 2, 4, 56))


@kernel
def popcount(word: Int | Unsigned) -> np.int64:
    """The number of bits set in a word of up to 64 bits.

    LLVM recognises this form and emits a single instruction where the processor has one.
    """
    x = np.uint64(word)
    x -= (x >> _1) & _ODD
    x = (x & _PAIRS) + ((x >> _2) & _PAIRS)
    return np.int64((((x + (x >> _4)) & _NIBBLES) * _BYTES) >> _56)


@kernel
def lowest_bit(mask: np.uint32) -> np.uint32:
    """The lowest bit of a mask, alone; 0 for 0."""
    return np.uint32(mask & np.uint32(~mask + _ONE))


@kernel
def bit_index(bit: Int | Unsigned) -> np.int64:
    """k for the word 1 << k."""
    return popcount(np.uint64(bit) - _1)
