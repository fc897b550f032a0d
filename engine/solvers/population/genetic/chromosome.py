"""Chromosomes: how a grid is divided into genes, what crosses as a whole, and which units E counts.

cells   a gene is a free cell with any value; E counts all units
rows    a gene is a row, a permutation with the givens in their places; E counts columns, boxes, diagonals
boxes   a gene is a box, likewise; E counts rows, columns, diagonals

Random populations are made and evaluated with NumPy, not by kernels, so that a screen shows the first generation before
anything is compiled. The words are those of `engine.rng`: individual k draws from the stream 16 + k.
"""

from __future__ import annotations

import functools
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import mix64_array
from engine.puzzle import Puzzle, Unit
from engine.rng import GAMMA, STEP_SHIFT
from engine.solvers.population.panel import Energies, Genes

Representation = Literal["cells", "rows", "boxes"]
Blocks = Literal["cell", "row", "box"]
"""The unit that a crossover takes whole from one parent."""

FIRST_OF_INDIVIDUALS: Final = 16
"""Individual k is drawn from the stream 16 + k."""
MOST: Final = 100_000
"""Individuals at most in a population."""
PAIRING, SELECTION, CROSSING, MUTATION, REFINING = range(2**20, 2**20 + 5)
"""Streams. PAIRING: word `pair` of step `generation`; the others at the step at which a child is born."""


class Chromosome(NamedTuple):
    """The layout of the individuals of one puzzle, as read-only arrays for kernels."""

    starts: npt.NDArray[np.int32]
    """[g + 1]: the free cells of gene i are free[starts[i]:starts[i + 1]]."""
    free: npt.NDArray[np.uint16]
    """[f]: the free cells, gene by gene."""
    missing: npt.NDArray[np.uint8]
    """[f]: for rows and boxes the values that the gene misses, ascending, in the place of its free cells."""
    mates: npt.NDArray[np.int32]
    """[g, 2]: a swap mutation of gene i exchanges two of the cells free[mates[i, 0]:mates[i, 1]]: those of the gene, or
    of its row if a gene is a single cell."""
    blocks: npt.NDArray[np.uint16]
    """[n*n]: the block of each cell, counted from 0."""
    units: npt.NDArray[np.uint16]
    """[n*n, k]: the units of each cell that E counts, numbered from 1; 0 pads (a dummy unit)."""
    can_vary: bool
    """True if two different individuals exist."""


def counted_units(puzzle: Puzzle, representation: Representation) -> tuple[Unit, ...]:
    """The units that E counts: all that are not permutations by construction."""
    g = puzzle.geometry
    if representation == "cells":
        return g.units
    return (g.columns + g.boxes if representation == "rows" else g.rows + g.columns) + g.diagonals


def block_count(n: int, blocks: Blocks) -> int:
    return n * n if blocks == "cell" else n


@functools.lru_cache(maxsize=16)
def chromosome_of(puzzle: Puzzle, representation: Representation, blocks: Blocks) -> Chromosome:
    """The Chromosome of a puzzle; the same object at every call."""
    genes = _genes(puzzle, representation)
    starts = np.cumsum([0, *map(len, genes)]).astype(np.int32)
    free = np.array([cell for gene in genes for cell in gene], np.uint16)
    return Chromosome(starts, free, _missing(puzzle, representation), _mates(puzzle, starts, free, representation),
                      _blocks(puzzle, blocks), _units(puzzle, representation),
                      any(len(gene) > (representation != "cells") for gene in genes))


def groups_of(puzzle: Puzzle, representation: Representation) -> tuple[Unit, ...]:
    """The units that genes are, or (`cells`) that hold them."""
    return puzzle.geometry.boxes if representation == "boxes" else puzzle.geometry.rows


def _genes(puzzle: Puzzle, representation: Representation) -> list[list[int]]:
    groups = [[cell for cell in unit.cells if not puzzle.givens[cell]] for unit in groups_of(puzzle, representation)]
    return [[cell] for group in groups for cell in group] if representation == "cells" else groups


def _missing(puzzle: Puzzle, representation: Representation) -> npt.NDArray[np.uint8]:
    values: list[int] = []
    for unit in groups_of(puzzle, representation):
        held = {puzzle.givens[cell] for cell in unit.cells}
        values += [value for value in range(1, puzzle.n + 1) if value not in held]
    return np.array(values, np.uint8)


def _mates(puzzle: Puzzle, starts: npt.NDArray[np.int32], free: npt.NDArray[np.uint16],
           representation: Representation) -> npt.NDArray[np.int32]:
    if representation != "cells":
        return np.stack([starts[:-1], starts[1:]], axis=1)
    rows = free.astype(np.int64) // puzzle.n
    first, last = np.searchsorted(rows, rows), np.searchsorted(rows, rows, side="right")
    return np.stack([first, last], axis=1).astype(np.int32)


def _blocks(puzzle: Puzzle, blocks: Blocks) -> npt.NDArray[np.uint16]:
    cells = np.arange(puzzle.n**2)
    rows, columns = cells // puzzle.n, cells % puzzle.n
    found = {"cell": cells, "row": rows, "box": rows // puzzle.box * puzzle.box + columns // puzzle.box}
    return found[blocks].astype(np.uint16)


def _units(puzzle: Puzzle, representation: Representation) -> npt.NDArray[np.uint16]:
    of_cell: list[list[int]] = [[] for _ in range(puzzle.n**2)]
    for number, unit in enumerate(counted_units(puzzle, representation), 1):
        for cell in unit.cells:
            of_cell[cell].append(number)
    width = max(map(len, of_cell))
    return np.array([numbers + [0] * (width - len(numbers)) for numbers in of_cell], np.uint16)


Words = npt.NDArray[np.uint64]

_GAMMA = np.uint64(GAMMA)
_32 = np.uint64(32)


class Draws:
    """Word after word of the streams of `size` individuals at one step."""

    def __init__(self, seed: int, size: int, step: int) -> None:
        streams = np.arange(FIRST_OF_INDIVIDUALS + 1, FIRST_OF_INDIVIDUALS + size + 1, dtype=np.uint64)
        keys = mix64_array(np.uint64(seed) + _GAMMA * streams)
        self._next = keys + _GAMMA * np.array((step << STEP_SHIFT) + 1, np.uint64)

    def below(self, bound: int) -> npt.NDArray[np.int64]:
        """A whole number in [0, bound) for each individual: `rng.below` of its next word."""
        word = mix64_array(self._next)
        self._next = self._next + _GAMMA
        return (((word >> _32) * np.uint64(bound)) >> _32).astype(np.int64)


def random_population(puzzle: Puzzle, chromosome: Chromosome, permuted: bool, size: int,
                      drawn: tuple[int, int]) -> Genes:
    """int8[size, n*n]: individuals with the givens and random genes; drawn = (seed, step of the words).

    permuted: a gene is its missing values in random order (Fisher-Yates); else any value for each free cell.
    """
    seed, step = drawn
    draws = Draws(seed, size, step)
    genes = np.tile(np.array(puzzle.givens, np.int8), (size, 1))
    if not permuted:
        for cell in chromosome.free:
            genes[:, cell] = draws.below(puzzle.n) + 1
        return genes
    each = np.arange(size)
    for first, last in zip(chromosome.starts[:-1].tolist(), chromosome.starts[1:].tolist(), strict=True):
        values = np.tile(chromosome.missing[first:last].astype(np.int8), (size, 1))
        for k in range(last - first - 1, 0, -1):
            j = draws.below(k + 1)
            values[each, j], values[:, k] = values[:, k].copy(), values[each, j]
        genes[:, chromosome.free[first:last]] = values
    return genes


def energies_of(genes: Genes, units: tuple[Unit, ...]) -> Energies:
    """int32[size]: E of full grids: n for each of these units, less its distinct values."""
    total = np.zeros(len(genes), np.int32)
    one = np.uint32(1)
    for unit in units:
        held = np.bitwise_or.reduce(one << genes[:, unit.cells].astype(np.uint32), axis=1)
        total += len(unit.cells) - np.bitwise_count(held)
    return total
