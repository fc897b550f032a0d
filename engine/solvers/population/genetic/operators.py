"""The operators of genetic algorithms, compiled: crossover, mutation, evaluation, replacement.

Selection is in `selection`.

Grids are int8[n*n]. A crossover writes a child and its mask, which names for every cell the parent of its value.
Random words come from a stream (`key`) at a step, mostly the one at which the child is born.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.bits import popcount
from engine.compiled.kernel import Int, below, kernel, low_bits, mix64, word_at
from engine.events.population import FIRST, NEITHER, SECOND
from engine.solvers.population.panel import Energies, Genes

Cells = npt.NDArray[np.int8]
"""[n*n]: one grid."""
Mask = npt.NDArray[np.uint8]
"""[n*n]: FIRST, SECOND, NEITHER or MUTATED for every cell."""
CellNumbers = npt.NDArray[np.uint16]
"""The cells of a gene, in order; or a number for every cell."""
Word = np.uint64


class Segment(NamedTuple):
    """The positions begin <= i < end of a gene."""

    begin: Int
    end: Int


class Individuals(NamedTuple):
    """Grids and their E."""

    genes: Genes
    energies: Energies


MUTATED: Final = 3
"""In a mask: changed by a mutation. FIRST, SECOND and NEITHER are those of `engine.events.population`."""

_FIRST, _SECOND, _NEITHER, _MUTATED = (np.uint8(code) for code in (FIRST, SECOND, NEITHER, MUTATED))
_0, _1, _63, _64 = (np.uint64(k) for k in (0, 1, 63, 64))
_bit = np.uint32(1)


# Crossover of whole blocks (cells, rows or boxes).


@kernel
def uniform_crossover(a: Cells, b: Cells, child: Cells, mask: Mask, blocks: CellNumbers, key: Word,
                      step: Word) -> None:
    """Uniform crossover: each block from either parent, by one random bit."""
    held, word = _0, word_at(key, step, _0)
    for cell in range(len(child)):
        block = np.uint64(blocks[cell])
        if block // _64 != held:
            held = block // _64
            word = word_at(key, step, held)
        bit = (word >> (block & _63)) & _1
        child[cell] = b[cell] if bit else a[cell]
        mask[cell] = _SECOND if bit else _FIRST


@kernel
def cut_point(key: Word, step: Word, blocks: Int) -> np.uint64:
    """The number of blocks before the cut: 1 to blocks - 1."""
    return _1 + below(word_at(key, step, _0), np.uint64(blocks - 1))


@kernel
def one_point_crossover(a: Cells, b: Cells, child: Cells, mask: Mask, blocks: CellNumbers, cut: Word) -> None:
    """One-point crossover: the blocks before the cut from the first parent, the others from the second."""
    for cell in range(len(child)):
        second = np.uint64(blocks[cell]) >= cut
        child[cell] = b[cell] if second else a[cell]
        mask[cell] = _SECOND if second else _FIRST


# Crossover inside a gene that is a permutation. Both operators copy a segment from the first parent.


@kernel
def random_segment(key: Word, step: Word, gene: Int, length: Int) -> Segment:
    """A random segment of a gene of `length` cells; it may be empty, or the whole gene."""
    word = word_at(key, step, np.uint64(gene))
    i = np.int64(below(word, np.uint64(length + 1)))
    j = np.int64((low_bits(word) * np.uint64(length + 1)) >> np.uint64(32))
    return Segment(min(i, j), max(i, j))


@kernel
def copy_segment(a: Cells, child: Cells, mask: Mask, cells: CellNumbers, segment: Segment,
                 index: npt.NDArray[np.int64]) -> None:
    """Copy the segment from parent a. index[v] is then the position of value v in the segment, -1 if it has none."""
    index[:] = -1
    for i in range(segment.begin, segment.end):
        child[cells[i]] = a[cells[i]]
        index[a[cells[i]]] = i
        mask[cells[i]] = _FIRST


@kernel
def pmx(a: Cells, b: Cells, child: Cells, mask: Mask, cells: CellNumbers, segment: Segment,
        index: npt.NDArray[np.int64]) -> None:
    """Partially mapped, or matched, crossover (PMX; Goldberg and Lingle 1985) of the permutations in `cells`.

    Copy the segment from parent a. Elsewhere take b's value; while it occurs in the segment, say at position j, take
    b's value at j instead. With a = 1 2 3 4 5, b = 3 5 1 2 4 and the segment 2 3 of a, the child is 1 2 3 5 4: in place
    of 3, which the segment has where b has 1, it takes 1; in place of 2, which the segment has where b has 5, it takes
    5.
    """
    copy_segment(a, child, mask, cells, segment, index)
    for i in range(len(cells)):
        if i < segment.begin or i >= segment.end:
            value = b[cells[i]]
            while index[value] >= 0:
                value = b[cells[index[value]]]
            child[cells[i]] = value
            mask[cells[i]] = _SECOND if value == b[cells[i]] else _NEITHER


@kernel
def order_crossover(a: Cells, b: Cells, child: Cells, mask: Mask, cells: CellNumbers, segment: Segment,
                    index: npt.NDArray[np.int64]) -> None:
    """Order crossover (OX; Davis 1985) of the permutations that a and b have in `cells`.

    Copy the segment from parent a. Read b from the end of the segment on, wrapping round, and write the values that the
    segment lacks into the free positions in the same order.
    """
    m, end = len(cells), segment.end
    copy_segment(a, child, mask, cells, segment, index)
    free = end
    for k in range(m):
        value = b[cells[(end + k) % m]]
        if index[value] < 0:
            cell = cells[free % m]
            child[cell] = value
            mask[cell] = _SECOND if value == b[cell] else _NEITHER
            free += 1


# Mutation of one gene.


@kernel
def swap_mutation(child: Cells, mask: Mask, cells: CellNumbers, i: Int, word: Word) -> None:
    """Swap mutation: exchange the values of cells[i] and of another of the cells, drawn by `word`."""
    m = len(cells)
    if m > 1:
        j = (i + 1 + np.int64(below(word, np.uint64(m - 1)))) % m
        x, y = cells[i], cells[j]
        child[x], child[y] = child[y], child[x]
        mask[x] = mask[y] = _MUTATED


@kernel
def shuffle_mutation(child: Cells, mask: Mask, cells: CellNumbers, missing: npt.NDArray[np.uint8], key: Word,
                     step: Word, position: Int) -> None:
    """Draw a permutation: the missing values in random order (Fisher-Yates), by the words from `position` on."""
    for i in range(len(cells)):
        child[cells[i]] = np.int8(missing[i])
        mask[cells[i]] = _MUTATED
    for i in range(len(cells) - 1, 0, -1):
        j = np.int64(below(word_at(key, step, np.uint64(position + i)), np.uint64(i + 1)))
        x, y = cells[i], cells[j]
        child[x], child[y] = child[y], child[x]


# Evaluation and replacement.


@kernel
def surplus(cells: Cells, units: CellNumbers, n: Int, seen: npt.NDArray[np.uint32]) -> np.int32:
    """E of a grid: n for each counted unit, less its distinct values.

    units: [n*n, k], as in Chromosome; seen: scratch, one element more than there are units.
    """
    seen[:] = np.uint32(0)
    for cell in range(len(cells)):
        bit = _bit << np.uint32(cells[cell])
        for j in range(units.shape[1]):
            seen[units[cell, j]] |= bit
    total = np.int64(len(seen) - 1) * np.int64(n)
    for unit in range(1, len(seen)):
        total -= np.int64(popcount(np.uint64(seen[unit])))
    return np.int32(total)


@kernel
def replace_generation(parents: Individuals, children: Individuals, kept: Int, made: Int, out: Individuals,
                       fingerprints: npt.NDArray[np.uint64]) -> None:
    """Elitist replacement: the best `kept` parents and the first `made` children, sorted by E, parents first on ties.

    Writes them, and a word for each that is the same for equal grids. A stable counting sort, for E is small.
    """
    highest: Int = 0
    for k in range(kept):
        highest = max(highest, np.int64(parents.energies[k]))
    for k in range(made):
        highest = max(highest, np.int64(children.energies[k]))
    places = np.zeros(highest + 2, np.int64)
    for k in range(kept):
        places[parents.energies[k] + 1] += 1
    for k in range(made):
        places[children.energies[k] + 1] += 1
    for value in range(1, highest + 2):
        places[value] += places[value - 1]
    for k in range(kept + made):
        source, i = (parents, k) if k < kept else (children, k - kept)
        energy = source.energies[i]
        place = places[energy]
        places[energy] += 1
        out.energies[place] = energy
        fingerprints[place] = copy_grid(source.genes[i], out.genes[place])


@kernel
def copy_grid(source: Cells, target: Cells) -> np.uint64:
    """Copy a grid; returns its fingerprint, a uint64."""
    word = _0
    for cell in range(len(source)):
        target[cell] = source[cell]
        word = (word << np.uint64(5)) ^ (word >> np.uint64(59)) ^ np.uint64(source[cell])
        if cell % 8 == 7:
            word = mix64(word)
    return mix64(word)
