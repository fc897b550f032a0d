"""Random words: splitmix64's published values, the compiled form equal to the plain one, and no visible bias."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import rng

WORDS = st.integers(0, 2**64 - 1)
SEEDS = st.integers(0, rng.MAX_SEED)
STEPS = st.integers(0, 2**47)

GOLDEN = [
    0x54FEEC9DCBB5FC39, 0xBCB6345C753ACE40,
    0x6A6B2A939F673073, 0x3A74D8BCBC6F08B0,
    0x7647989C6D4F3C22, 0x50D111A3A5B4E99B,
    0xC0210F0D3E8BF892, 0x5EF01418CC5D16E9,
]
"""draw(20, stream, 5, i) for the streams 0 to 3, i = 0 and 1."""


@pytest.mark.parametrize(("seed", "expected"), [
    (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
               16408922859458223821]),
    (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
])
def test_mix64_makes_the_published_sequence(seed: int, expected: list[int]) -> None:
    assert [rng.mix64((seed + rng.GAMMA * k) & rng.MASK) for k in range(1, len(expected) + 1)] == expected


def test_a_draw_is_splitmix64_at_a_position() -> None:
    key = rng.stream_key(42, rng.MOVE)
    assert rng.draw(42, rng.MOVE, 7, 3) == rng.mix64((key + rng.GAMMA * (7 * 65536 + 4)) & rng.MASK)


def test_draws_never_change() -> None:
    """Every recorded run hangs on these words: if they change, all trajectories do."""
    assert [rng.draw(20, stream, 5, i) for stream in range(4) for i in (0, 1)] == GOLDEN


@given(SEEDS, st.integers(0, 9), STEPS, st.integers(0, 65535))
def test_the_compiled_words_are_the_plain_ones(seed: int, stream: int, step: int, i: int) -> None:
    from engine.compiled import kernel
    key = np.uint64(rng.stream_key(seed, stream))
    assert int(kernel.word_at(key, np.int64(step), np.int64(i))) == rng.draw(seed, stream, step, i)


@given(WORDS, st.integers(1, 2**32 - 1))
def test_the_compiled_choices_are_the_plain_ones(word: int, bound: int) -> None:
    from engine.compiled import kernel
    assert int(kernel.mix64(np.uint64(word))) == rng.mix64(word)
    assert int(kernel.below(np.uint64(word), np.int64(bound))) == rng.below(word, bound)
    assert int(kernel.low_bits(np.uint64(word))) / 2**32 == rng.uniform(word)


@given(WORDS, st.integers(1, 2**32 - 1))
def test_choices_stay_in_range(word: int, bound: int) -> None:
    assert 0 <= rng.below(word, bound) < bound
    assert 0 <= rng.uniform(word) < 1


def test_the_ends_of_the_range_are_reached() -> None:
    assert (rng.below(0, 7), rng.below(2**64 - 1, 7), rng.below(2**64 - 1, 2**32 - 1)) == (0, 6, 2**32 - 2)
    assert (rng.uniform(0), rng.uniform(2**64 - 1)) == (0.0, 1 - 2**-32)


@pytest.mark.parametrize("bound", [2, 3, 9, 27, 100])
@pytest.mark.parametrize("along", ["steps", "positions", "seeds", "streams"])
def test_choices_are_uniform(along: str, bound: int) -> None:
    """Chi-square over 100 * bound draws along each axis; the seed is fixed, so this holds or it does not."""
    n = 100 * bound
    places = {"steps": [(1, 2, k, 0) for k in range(n)], "positions": [(1, 2, 3, k) for k in range(n)],
              "seeds": [(k, 2, 3, 0) for k in range(n)], "streams": [(1, k, 3, 0) for k in range(n)]}[along]
    counts = np.bincount([rng.below(rng.draw(*place), bound) for place in places], minlength=bound)
    chi_square = float(((counts - 100) ** 2 / 100).sum())
    freedom = bound - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 4


def test_the_halves_of_a_word_are_independent() -> None:
    """One word both picks a move and decides it: high and low 32 bits must not go together."""
    words = [rng.draw(3, rng.MOVE, step) for step in range(20_000)]
    table = np.zeros((8, 8))
    for word in words:
        table[rng.below(word, 8), int(rng.uniform(word) * 8)] += 1
    chi_square = float(((table - 312.5) ** 2 / 312.5).sum())
    assert chi_square < 63 + 4 * (2 * 63) ** 0.5


def test_no_word_comes_twice() -> None:
    words = {rng.draw(seed, stream, step, i) for seed in range(10) for stream in range(4) for step in range(50)
             for i in range(20)}
    assert len(words) == 10 * 4 * 50 * 20


@given(st.lists(st.integers(), max_size=30), SEEDS, st.integers(0, 1000))
def test_shuffled_is_a_permutation_and_repeats(values: list[int], seed: int, step: int) -> None:
    before = list(values)
    out = rng.shuffled(values, seed, rng.FILL, step)
    assert sorted(out) == sorted(values)
    assert values == before
    assert out == rng.shuffled(values, seed, rng.FILL, step)


def test_every_order_is_as_likely() -> None:
    counts: dict[tuple[str, ...], int] = {}
    for step in range(6000):
        order = tuple(rng.shuffled(["a", "b", "c"], 9, rng.FILL, step))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 5 + 4 * 10**0.5


def test_first_moves_the_positions() -> None:
    values = list(range(12))
    assert rng.shuffled(values, 1, rng.FILL, 0, 0) != rng.shuffled(values, 1, rng.FILL, 0, 12)


@pytest.mark.parametrize(("seed", "stream", "step", "into"), [
    (0, rng.MOVE, 0, rng.MOVE), (7, 16, 32_768 * 900, rng.MOVE), (rng.MAX_SEED, 2**20 + 4, 2**40, rng.WALK)])
def test_a_seed_continues_the_words_of_a_stream(seed: int, stream: int, step: int, into: int) -> None:
    other = rng.continuing(seed, stream, step, into)
    assert 0 <= other < 2**64
    for k in (1, 2, 3000):
        assert [rng.draw(other, into, k, i) for i in (0, 1, 500)] == [rng.draw(seed, stream, step + k, i)
                                                                       for i in (0, 1, 500)]
