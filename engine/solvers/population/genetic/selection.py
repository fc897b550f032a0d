"""Selection of parents, compiled: by tournament, and by rank.

Individuals are sorted by E, so the lower of two places is the fitter one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import Int, below, kernel, low_bits, word_at
from engine.solvers.population.genetic.operators import Word

Parents = npt.NDArray[np.int32]
"""[size, 2]: places of the parents of each child; twice the same without a crossover, or if one individual won both
tournaments."""


class Mating(NamedTuple):
    """The random words that select parents, and the crossover rate."""

    key: Word
    """The stream."""
    time: Int
    """The step at which the first child is born (`select_by_tournament`); the generation (`select_neighbours`)."""
    crossed_below: Word
    """Two parents are crossed if 32 random bits are below this: the crossover rate times 2^32."""


@kernel
def tournament(key: Word, step: Word, word: Int, rivals: Int, size: Int) -> np.int32:
    """Tournament selection: the fittest of `rivals` individuals drawn with the words word, word + 1, ..."""
    winner = np.uint64(size)
    for i in range(rivals):
        winner = min(winner, below(word_at(key, step, np.uint64(word + i)), np.uint64(size)))
    return np.int32(winner)


@kernel
def select_by_tournament(mating: Mating, rivals: Int, size: Int, parents: Parents, first: Int,
                         most: Int) -> None:
    """Write two parents for each of `most` children; the second is the first again if they are not crossed."""
    for child in range(most):
        step = np.uint64(mating.time + child)
        a = tournament(mating.key, step, 0, rivals, size)
        crossed = low_bits(word_at(mating.key, step, np.uint64(2 * rivals))) < mating.crossed_below
        parents[first + child, 0] = a
        parents[first + child, 1] = tournament(mating.key, step, rivals, rivals, size) if crossed else a


@kernel
def select_neighbours(mating: Mating, pair: Int, pairs: Int, parents: Parents, first: Int, most: Int) -> Int:
    """Selection by rank: the 1st with the 2nd, the 3rd with the 4th, ...; two children a pair.

    Writes the parents of up to `most` children from place `first` on, beginning with pair number `pair` of `pairs`; if
    `first` is odd, the second child of the pair before comes first. Pairs that are not crossed have no children.
    Returns the number of children.
    """
    made: Int = 0
    if first % 2 == 1 and most > 0:
        parents[first, 0], parents[first, 1] = parents[first - 1, 1], parents[first - 1, 0]
        made += 1
    while made < most and pair < pairs:
        if low_bits(word_at(mating.key, np.uint64(mating.time), np.uint64(pair))) < mating.crossed_below:
            for child in range(made, min(made + 2, most)):
                parents[first + child, child - made] = 2 * pair
                parents[first + child, 1 - child + made] = 2 * pair + 1
            made += 2
        pair += 1
    return min(made, most)
