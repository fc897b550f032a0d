"""A child, compiled: who its parents are, how they are crossed, what mutates, what E it has.

The generator that a learner follows makes children one by one, a run makes them in batches, by the same functions. A
child's words are those of the step at which it is born; the second child of a pair takes the crossover's words of the
first, with the parents exchanged.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, mix64, word_at
from engine.events.population import FIRST, NEITHER, SECOND
from engine.solvers.annealing.packed_kernel import popcount

BLOCKWISE, CUT, PMX, ORDER = range(4)
"""Crossovers. BLOCKWISE: each block from either parent. CUT: the blocks before a place from one, the others from the
other. PMX, ORDER: inside every gene, which is a permutation (Goldberg and Lingle 1985; Davis 1985)."""
ANEW, SWAP = range(2)
"""Mutations of a gene: drawn anew, or two of its cells exchanged."""
MUTATED: Final = 3
"""In a mask: what a mutation changed. FIRST, SECOND and NEITHER are those of `engine.events.population`."""

_FIRST, _SECOND, _NEITHER, _MUTATED = (np.uint8(code) for code in (FIRST, SECOND, NEITHER, MUTATED))
_0, _1, _63, _64 = (np.uint64(k) for k in (0, 1, 63, 64))
_bit = np.uint32(1)


class Rules(NamedTuple):
    """The parameters of breeding as plain numbers."""

    n: Any
    permuted: Any
    """Whether genes are permutations."""
    paired: Any
    """Whether every other child is the second one of its pair."""
    blocks: Any
    """How many blocks there are."""
    crossover: Any
    mutation: Any
    mutated: Any
    """uint64 in 0..2^32: the low bits of a word are below it where a gene mutates."""
    crossing: Any
    mutating: Any
    """Keys of the streams CROSSING and MUTATION, as uint64."""


class Brood(NamedTuple):
    """The arrays of a state that breeding reads and writes."""

    genes: Any
    children: Any
    bred: Any
    """int32: E of the children."""
    parents: Any
    """int32[., 2]: places of the parents of each child."""


@kernel
def pair_up(drawn: Any, pair: Any, last: Any, parents: Any, first: Any, most: Any) -> Any:
    """Neighbours: from `pair` (before `last`) on, write the pairs that are crossed into parents[first:first + most],
    each for two children. Where `first` is odd, the second child of the pair before comes first. drawn = (key,
    generation, limit): a pair is crossed if the low bits of its word are below the limit. Returns how many children
    were planned."""
    key, generation, limit = drawn
    made: Any = 0
    if first % 2 == 1 and most > 0:
        parents[first, 0], parents[first, 1] = parents[first - 1, 1], parents[first - 1, 0]
        made += 1
    while made < most and pair < last:
        if low_bits(word_at(key, np.uint64(generation), np.uint64(pair))) < limit:
            for child in range(made, min(made + 2, most)):
                parents[first + child, child - made] = 2 * pair
                parents[first + child, 1 - child + made] = 2 * pair + 1
            made += 2
        pair += 1
    return min(made, most)


@kernel
def rival(key: Any, step: Any, first: Any, rivals: Any, size: Any) -> Any:
    """The best, which is the foremost, of some individuals drawn by words first, first + 1, ..."""
    found = np.uint64(size)
    for i in range(rivals):
        found = min(found, below(word_at(key, step, np.uint64(first + i)), np.uint64(size)))
    return np.int32(found)


@kernel
def tournaments(drawn: Any, rivals: Any, size: Any, parents: Any, first: Any, most: Any) -> None:
    """Two parents for each of `most` children; the same twice: no crossover. drawn = (key, the step at which the first
    of them is born, limit)."""
    key, step, limit = drawn
    for child in range(most):
        at = np.uint64(step + child)
        a = rival(key, at, 0, rivals, size)
        crossed = low_bits(word_at(key, at, np.uint64(2 * rivals))) < limit
        parents[first + child, 0] = a
        parents[first + child, 1] = rival(key, at, rivals, rivals, size) if crossed else a


@kernel
def surplus(cells: Any, units: Any, n: Any, seen: Any) -> Any:
    """E: n for each counted unit, less its different values. seen: uint32, one more than there are units."""
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
def blockwise(a: Any, b: Any, child: Any, mask: Any, blocks: Any, key: Any, step: Any) -> None:
    """Each block from the first or the second parent, by a bit of a word."""
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
def cut_at(key: Any, step: Any, blocks: Any) -> Any:
    """How many blocks are the first parent's: 1 to blocks - 1."""
    return _1 + below(word_at(key, step, _0), np.uint64(blocks - 1))


@kernel
def cut(a: Any, b: Any, child: Any, mask: Any, blocks: Any, at: Any) -> None:
    """The blocks before `at` from the first parent, the others from the second."""
    for cell in range(len(child)):
        second = np.uint64(blocks[cell]) >= at
        child[cell] = b[cell] if second else a[cell]
        mask[cell] = _SECOND if second else _FIRST


@kernel
def segment(key: Any, step: Any, gene: Any, length: Any) -> Any:
    """(begin, end) of the part of a gene that is the first parent's; it may be empty, or the whole gene."""
    word = word_at(key, step, np.uint64(gene))
    i = np.int64(below(word, np.uint64(length + 1)))
    j = np.int64((low_bits(word) * np.uint64(length + 1)) >> np.uint64(32))
    return min(i, j), max(i, j)


@kernel
def take_segment(a: Any, child: Any, mask: Any, cells: Any, part: Any, where: Any) -> None:
    """The segment of the child from the first parent; where[v] is the place of v in it, -1 for others."""
    where[:] = -1
    for i in range(part[0], part[1]):
        child[cells[i]] = a[cells[i]]
        where[a[cells[i]]] = i
        mask[cells[i]] = _FIRST


@kernel
def pmx(a: Any, b: Any, child: Any, mask: Any, cells: Any, part: Any, where: Any) -> None:
    """Partially mapped crossover of the permutation in `cells`: the segment from the first parent, elsewhere the value
    of the second, which what the segment exchanged for it replaces as often as the segment holds it."""
    begin, end = part
    take_segment(a, child, mask, cells, part, where)
    for i in range(len(cells)):
        if i < begin or i >= end:
            value = b[cells[i]]
            while where[value] >= 0:
                value = b[cells[where[value]]]
            child[cells[i]] = value
            mask[cells[i]] = _SECOND if value == b[cells[i]] else _NEITHER


@kernel
def order(a: Any, b: Any, child: Any, mask: Any, cells: Any, part: Any, where: Any) -> None:
    """Order crossover: the segment from the first parent, the other values in the order of the second, both going on
    after the segment and round the end."""
    take_segment(a, child, mask, cells, part, where)
    m, end = len(cells), part[1]
    target = end
    for k in range(m):
        value = b[cells[(end + k) % m]]
        if where[value] < 0:
            cell = cells[target % m]
            child[cell] = value
            mask[cell] = _SECOND if value == b[cell] else _NEITHER
            target += 1


@kernel
def mutate(child: Any, mask: Any, chromosome: Any, rules: Any, step: Any) -> None:
    """Every gene mutates with the same probability."""
    starts, free, genes = chromosome.starts, chromosome.free, len(chromosome.starts) - 1
    for gene in range(genes):
        word = word_at(rules.mutating, step, np.uint64(gene))
        if low_bits(word) < rules.mutated:
            if rules.mutation == SWAP:
                exchange(child, mask, free, (chromosome.mates[gene, 0], chromosome.mates[gene, 1]),
                         (starts[gene], rules.permuted, word, word_at(rules.mutating, step, np.uint64(genes + gene))))
            elif rules.permuted:
                shuffle(child, mask, chromosome, gene, (rules.mutating, step, 2 * genes))
            else:
                child[free[gene]] = np.int8(below(word, np.uint64(rules.n)) + _1)
                mask[free[gene]] = _MUTATED


@kernel
def exchange(child: Any, mask: Any, free: Any, mates: Any, drawn: Any) -> None:
    """Exchange two of the free cells first <= i < last; drawn = (the gene's own cell, whether any of them may be the
    first of the two, two words)."""
    first, last = mates
    own, anywhere, word, other = drawn
    m = np.int64(last) - np.int64(first)
    if m > 1:
        i = np.int64(below(word, np.uint64(m))) if anywhere else np.int64(own) - np.int64(first)
        j = (i + 1 + np.int64(below(other, np.uint64(m - 1)))) % m
        x, y = free[first + i], free[first + j]
        child[x], child[y] = child[y], child[x]
        mask[x] = mask[y] = _MUTATED


@kernel
def shuffle(child: Any, mask: Any, chromosome: Any, gene: Any, drawn: Any) -> None:
    """Draw a gene anew: its missing values in random order; drawn = (key, step, first word)."""
    key, step, position = drawn
    first, last = np.int64(chromosome.starts[gene]), np.int64(chromosome.starts[gene + 1])
    for i in range(first, last):
        child[chromosome.free[i]] = np.int8(chromosome.missing[i])
        mask[chromosome.free[i]] = _MUTATED
    for i in range(last - 1, first, -1):
        j = first + np.int64(below(word_at(key, step, np.uint64(position + i)), np.uint64(i - first + 1)))
        x, y = chromosome.free[i], chromosome.free[j]
        child[x], child[y] = child[y], child[x]


@kernel
def cross(parents: Any, child: Any, mask: Any, chromosome: Any, rules: Any, step: Any, where: Any) -> None:
    """The child of two grids, before mutations; `step` names the words. where: int64[n + 1], to be written on."""
    a, b = parents
    if rules.crossover == BLOCKWISE:
        blockwise(a, b, child, mask, chromosome.blocks, rules.crossing, step)
    elif rules.crossover == CUT:
        cut(a, b, child, mask, chromosome.blocks, cut_at(rules.crossing, step, rules.blocks))
    else:
        for cell in range(len(child)):
            child[cell] = a[cell]
            mask[cell] = _FIRST
        for gene in range(len(chromosome.starts) - 1):
            cells = chromosome.free[chromosome.starts[gene]:chromosome.starts[gene + 1]]
            part = segment(rules.crossing, step, gene, len(cells))
            if rules.crossover == PMX:
                pmx(a, b, child, mask, cells, part, where)
            else:
                order(a, b, child, mask, cells, part, where)


@kernel
def breed(brood: Any, chromosome: Any, rules: Any, step: Any, first: Any, last: Any, mask: Any) -> None:
    """Make the children first <= k < last, child 0 of the generation being born at `step`.

    Their parents must have been written. mask (uint8[n*n]) is that of the last child afterwards.
    """
    seen = np.zeros(np.int64(chromosome.units.max()) + 1, np.uint32)
    where = np.zeros(np.int64(rules.n) + 1, np.int64)
    for k in range(first, last):
        a, b, child = brood.genes[brood.parents[k, 0]], brood.genes[brood.parents[k, 1]], brood.children[k]
        born = np.uint64(step + k)
        if brood.parents[k, 0] == brood.parents[k, 1]:
            for cell in range(len(child)):
                child[cell] = a[cell]
                mask[cell] = _FIRST
        else:
            cross((a, b), child, mask, chromosome, rules, born - np.uint64(rules.paired and k & 1), where)
        mutate(child, mask, chromosome, rules, born)
        brood.bred[k] = surplus(child, chromosome.units, rules.n, seen)


@kernel
def succeed(older: Any, younger: Any, kept: Any, made: Any, out: Any) -> None:
    """The next generation: the first `kept` of older = (genes, energies) and the first `made` of younger, least E
    first, those that were there before first. out = (genes, energies, fingerprints): a fingerprint (uint64) is the
    same for equal grids."""
    highest: Any = 0
    for k in range(kept):
        highest = max(highest, np.int64(older[1][k]))
    for k in range(made):
        highest = max(highest, np.int64(younger[1][k]))
    places = np.zeros(highest + 2, np.int64)
    for k in range(kept):
        places[older[1][k] + 1] += 1
    for k in range(made):
        places[younger[1][k] + 1] += 1
    for energy in range(1, highest + 2):
        places[energy] += places[energy - 1]
    for k in range(kept + made):
        genes, energy = (older[0][k], older[1][k]) if k < kept else (younger[0][k - kept], younger[1][k - kept])
        place = places[energy]
        places[energy] += 1
        out[1][place] = energy
        out[2][place] = copied(genes, out[0][place])


@kernel
def copied(genes: Any, target: Any) -> Any:
    """Copy a grid; returns its fingerprint."""
    word = _0
    for cell in range(len(genes)):
        target[cell] = genes[cell]
        word = (word << np.uint64(5)) ^ (word >> np.uint64(59)) ^ np.uint64(genes[cell])
        if cell % 8 == 7:
            word = mix64(word)
    return mix64(word)
