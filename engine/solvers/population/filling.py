"""Whole populations at once, with numpy: filled at random, and their E. Compiled code is not needed, so that a screen
can show the first generation at once.

The words are those of `engine.rng`: individual k draws from the stream 16 + k.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.puzzle import Puzzle, Unit
from engine.rng import GAMMA, STEP_SHIFT
from engine.solvers.population.chromosome import FIRST_OF_INDIVIDUALS, Chromosome
from engine.solvers.population.panel import Energies, Genes

Words = npt.NDArray[np.uint64]

_GAMMA = np.uint64(GAMMA)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = (np.uint64(k) for k in (30, 27, 31, 32))


def _mix(z: Words) -> Words:
    """`engine.rng.mix64` of every word."""
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


class Draws:
    """Word after word of the streams of `size` individuals at one step."""

    def __init__(self, seed: int, size: int, step: int) -> None:
        streams = np.arange(FIRST_OF_INDIVIDUALS + 1, FIRST_OF_INDIVIDUALS + size + 1, dtype=np.uint64)
        keys = _mix(np.uint64(seed) + _GAMMA * streams)
        self._next = keys + _GAMMA * np.array((step << STEP_SHIFT) + 1, np.uint64)

    def below(self, bound: int) -> npt.NDArray[np.int64]:
        """A whole number in [0, bound) for each individual: `rng.below` of its next word."""
        word = _mix(self._next)
        self._next = self._next + _GAMMA
        return (((word >> _32) * np.uint64(bound)) >> _32).astype(np.int64)


def filled(puzzle: Puzzle, chromosome: Chromosome, permuted: bool, size: int, drawn: tuple[int, int]) -> Genes:
    """int8[size, n*n]: individuals with the givens and random genes; drawn = (seed, step) names the words.

    permuted: a gene's missing values in random order (Fisher-Yates); else any value for each free cell.
    """
    seed, step = drawn
    draws = Draws(seed, size, step)
    genes = np.tile(np.array(puzzle.givens, np.int8), (size, 1))
    if not permuted:
        for cell in chromosome.free:
            genes[:, cell] = draws.below(puzzle.n) + 1
        return genes
    everybody = np.arange(size)
    for first, last in zip(chromosome.starts[:-1].tolist(), chromosome.starts[1:].tolist(), strict=True):
        values = np.tile(chromosome.missing[first:last].astype(np.int8), (size, 1))
        for k in range(last - first - 1, 0, -1):
            j = draws.below(k + 1)
            values[everybody, j], values[:, k] = values[:, k].copy(), values[everybody, j]
        genes[:, chromosome.free[first:last]] = values
    return genes


def energies_of(genes: Genes, units: tuple[Unit, ...]) -> Energies:
    """int32[size]: E of full grids, the surplus of these units: n for each less its different values."""
    total = np.zeros(len(genes), np.int32)
    one = np.uint32(1)
    for unit in units:
        held = np.bitwise_or.reduce(one << genes[:, unit.cells].astype(np.uint32), axis=1)
        total += len(unit.cells) - np.bitwise_count(held)
    return total
