"""Breeding: the children of one generation, made by the operators that the parameters of a run choose.

`breed` makes children one after another: parents → crossover → mutation → E. The generator calls it for one child at a
time, a fast run for thousands. A child's random words are those of the step at which it is born; the second child of
a pair takes the crossover's words of the first, with the parents exchanged.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine import rng
from engine.compiled.kernel import Int, below, kernel, low_bits, word_at
from engine.events.population import NEITHER
from engine.puzzle import Puzzle, cell_name
from engine.questions.moment import CopiedPart
from engine.solvers.population.genetic import chromosome as layouts
from engine.solvers.population.genetic.chromosome import Blocks, Chromosome, Representation
from engine.solvers.population.genetic.operators import (
    MUTATED,
    Cells,
    Mask,
    Word,
    cut_point,
    one_point_crossover,
    order_crossover,
    pmx,
    random_segment,
    shuffle_mutation,
    surplus,
    swap_mutation,
    uniform_crossover,
)
from engine.solvers.population.genetic.parameters import GeneticParams
from engine.solvers.population.genetic.selection import Mating, Parents, select_by_tournament, select_neighbours
from engine.solvers.population.genetic.state import GeneticState
from engine.solvers.population.panel import Energies, Genes
from engine.solvers.population.refine import RefinementResult, Refiner

UNIFORM, ONE_POINT, PMX, ORDER = range(4)
"""Crossovers: the first two of whole blocks, the others inside every gene, which is a permutation."""
REDRAW, SWAP = range(2)
"""Mutations of a gene: drawn at random, or two of its cells exchanged."""
PARALLEL: Final = 8192
"""From this many children on they are made by two threads: 1.1 times as many a second, 1.5 times from 16 384 on. Below
4096 the threads cost as much as they gain."""

_1 = np.uint64(1)
_FIRST, _MUTATED = np.uint8(0), np.uint8(MUTATED)


class Rules(NamedTuple):
    """The operators and rates of a run, as plain numbers for kernels."""

    n: int
    permuted: bool
    """Genes are permutations."""
    paired: bool
    """Selection by rank: every other child is the second of its pair."""
    blocks: int
    """The number of blocks."""
    crossover: int
    mutation: int
    mutation_threshold: Word
    """A gene mutates if the low bits of its word are below this, 0 to 2^32."""
    crossing: Word
    """Keys of the streams CROSSING and MUTATION."""
    mutating: Word


class Brood(NamedTuple):
    """The arrays of a GeneticState that breeding reads (genes, parents) and writes (children, bred)."""

    genes: Genes
    children: Genes
    bred: Energies
    parents: Parents


@kernel
def breed(brood: Brood, chromosome: Chromosome, rules: Rules, step: Int, first: Int, last: Int,
          mask: Mask) -> None:
    """Make the children first <= k < last, whose parents are selected; child 0 of the generation is born at `step`.

    The mask is that of the last child afterwards.
    """
    seen = np.zeros(np.int64(chromosome.units.max()) + 1, np.uint32)
    index = np.zeros(np.int64(rules.n) + 1, np.int64)
    for k in range(first, last):
        a, b, child = brood.genes[brood.parents[k, 0]], brood.genes[brood.parents[k, 1]], brood.children[k]
        born = np.uint64(step + k)
        if brood.parents[k, 0] == brood.parents[k, 1]:
            for cell in range(len(child)):
                child[cell] = a[cell]
                mask[cell] = _FIRST
        else:
            cross((a, b), child, mask, chromosome, rules, born - np.uint64(rules.paired and k & 1), index)
        mutate(child, mask, chromosome, rules, born)
        brood.bred[k] = surplus(child, chromosome.units, rules.n, seen)


@kernel
def cross(parents: tuple[Cells, Cells], child: Cells, mask: Mask, chromosome: Chromosome, rules: Rules, step: Word,
          index: npt.NDArray[np.int64]) -> None:
    """Crossover of two grids by the operator of the rules. index: scratch, int64[n + 1]."""
    a, b = parents
    if rules.crossover == UNIFORM:
        uniform_crossover(a, b, child, mask, chromosome.blocks, rules.crossing, step)
    elif rules.crossover == ONE_POINT:
        one_point_crossover(a, b, child, mask, chromosome.blocks, cut_point(rules.crossing, step, rules.blocks))
    else:
        for cell in range(len(child)):
            child[cell] = a[cell]
            mask[cell] = _FIRST
        for gene in range(len(chromosome.starts) - 1):
            cells = chromosome.free[chromosome.starts[gene]:chromosome.starts[gene + 1]]
            segment = random_segment(rules.crossing, step, gene, len(cells))
            if rules.crossover == PMX:
                pmx(a, b, child, mask, cells, segment, index)
            else:
                order_crossover(a, b, child, mask, cells, segment, index)


@kernel
def mutate(child: Cells, mask: Mask, chromosome: Chromosome, rules: Rules, step: Word) -> None:
    """Mutate every gene with the probability of the rules."""
    starts, free, genes = chromosome.starts, chromosome.free, len(chromosome.starts) - 1
    for gene in range(genes):
        word = word_at(rules.mutating, step, np.uint64(gene))
        if low_bits(word) < rules.mutation_threshold:
            if rules.mutation == SWAP:
                begin, end = np.int64(chromosome.mates[gene, 0]), np.int64(chromosome.mates[gene, 1])
                i = np.int64(below(word, np.uint64(end - begin))) if rules.permuted else np.int64(starts[gene]) - begin
                swap_mutation(child, mask, free[begin:end], i, word_at(rules.mutating, step, np.uint64(genes + gene)))
            elif rules.permuted:
                begin, end = np.int64(starts[gene]), np.int64(starts[gene + 1])
                shuffle_mutation(child, mask, free[begin:end], chromosome.missing[begin:end], rules.mutating, step,
                                 2 * genes + begin)
            else:
                child[free[gene]] = np.int8(below(word, np.uint64(rules.n)) + _1)
                mask[free[gene]] = _MUTATED


class Breeding:
    """Makes the children of a state, as long as the parameters stay the same."""

    def __init__(self, puzzle: Puzzle, params: GeneticParams, seed: int, representation: Representation,
                 blocks: Blocks) -> None:
        self.chromosome = layouts.chromosome_of(puzzle, representation, blocks)
        crossover = {"pmx": PMX, "order": ORDER, "cut": ONE_POINT}.get(params.crossover, UNIFORM)
        mutation = SWAP if params.mutation == "swap" else REDRAW
        self.rules = Rules(puzzle.n, representation != "cells", params.selection == "neighbours",
                           layouts.block_count(puzzle.n, blocks), crossover, mutation, threshold(params.mutation_rate),
                           _key(seed, layouts.CROSSING), _key(seed, layouts.MUTATION))
        self.params, self.seed, self.representation = params, seed, representation
        self.mask = np.zeros(puzzle.n**2, np.uint8)
        """The mask of the child made last."""
        self.refiner: Refiner | None = None
        """Set where children are refined; `refined` is then the result of the last one."""
        self.refined: RefinementResult | None = None

    def breed(self, state: GeneticState, most: int) -> int:
        """Select the parents of up to `most` more children of this generation, and make the children; their number."""
        most = min(most, state.size - self.params.elite - state.made)
        if most <= 0:
            return 0
        made = self._select(state, most)
        self._make(state, state.made, state.made + made)
        return made

    def _select(self, state: GeneticState, most: int) -> int:
        """Write the parents of up to `most` children; how many there are."""
        crossed, first = threshold(self.params.cross_rate), state.made
        if not self.rules.paired:
            mating = Mating(_key(self.seed, layouts.SELECTION), state.step + 1, crossed)
            select_by_tournament(mating, self.params.rivals, state.size, state.parents, first, most)
            return most
        pair = int(state.parents[first - 1].max()) // 2 + 1 if first else 0
        mating = Mating(_key(self.seed, layouts.PAIRING), state.generation, crossed)
        return int(select_neighbours(mating, pair, state.size // 2, state.parents, first, most))

    def _make(self, state: GeneticState, first: int, last: int) -> None:
        """Make the children first <= k < last, in two threads if they are many."""
        brood, born = Brood(state.genes, state.children, state.bred, state.parents), state.step + 1 - state.made

        def make(begin: int, end: int, mask: Mask) -> None:
            breed(brood, self.chromosome, self.rules, born, begin, end, mask)

        if last - first < PARALLEL:
            make(first, last, self.mask)
        else:
            in_two_threads(make, first, last, self.mask)

    def rebred(self, state: GeneticState, child: int) -> Cells:
        """A child of this generation as it was before any refinement; `origins` are then its own."""
        return next(self._breed_again(state, child, child + 1))

    def first_new_value(self, state: GeneticState, made: int, cell: int) -> int | None:
        """The first of the `made` children made last, counted from 0, that has a value of neither parent in a cell."""
        if state.puzzle.givens[cell]:
            return None
        again = self._breed_again(state, state.made, state.made + made)
        return next((place for place, _child in enumerate(again) if self.mask[cell] >= NEITHER), None)

    def _breed_again(self, state: GeneticState, first: int, last: int) -> Iterator[Cells]:
        """The children first <= k < last of this generation one by one, before any refinement, each with its mask."""
        scratch = Brood(state.genes, np.zeros((last, state.genes.shape[1]), np.int8), np.zeros(last, np.int32),
                        state.parents)
        for child in range(first, last):
            breed(scratch, self.chromosome, self.rules, state.step + 1 - state.made, child, child + 1, self.mask)
            yield scratch.children[child]

    def origins(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(FIRST, SECOND or NEITHER for every cell, the mutated cells) of the child made last."""
        mutated = np.flatnonzero(self.mask > NEITHER)
        return tuple(np.minimum(self.mask, NEITHER).tolist()), tuple(mutated.tolist())

    def segments(self, state: GeneticState, child: int) -> tuple[CopiedPart, ...]:
        """The parts that PMX or order crossover copies from the first parent of a child, gene by gene."""
        starts, free = self.chromosome.starts.tolist(), self.chromosome.free.tolist()
        born, found = self._words_of_crossover(state, child), []
        for gene, unit in enumerate(layouts.groups_of(state.puzzle, self.representation)):
            cells = tuple(free[starts[gene]:starts[gene + 1]])
            begin, end = random_segment(self.rules.crossing, born, gene, len(cells))
            found.append(CopiedPart(unit, cells, int(begin), int(end)))
        return tuple(found)

    def _words_of_crossover(self, state: GeneticState, child: int) -> Word:
        """The step whose words cross a child: that of its birth, or of the first child of its pair."""
        return np.uint64(state.step + 1 - state.made + child - (child & 1 if self.rules.paired else 0))

    def crossover_text(self, state: GeneticState, child: int, block: Blocks) -> str:
        """The crossover of a child in a few words: `uniform`, `row by row`, `cut after row 5`."""
        crossover = self.params.crossover
        if crossover != "cut":
            names = {"pmx": f"PMX in each {block}", "order": f"order in each {block}", "uniform": "uniform"}
            return names.get(crossover, f"{block} by {block}")
        cut = int(cut_point(self.rules.crossing, self._words_of_crossover(state, child), self.rules.blocks))
        return f"cut after {cell_name(cut - 1, state.puzzle.n)}" if block == "cell" else f"cut after {block} {cut}"


def threshold(probability: float) -> Word:
    """The uint64 in 0..2^32 that 32 random bits are below with this probability."""
    return np.uint64(int(probability * 2**32))


def in_two_threads(work: Callable[[int, int, Mask], None], first: int, last: int, mask: Mask) -> None:
    """Do work(begin, end, mask) for both halves at the same time; the second half writes the mask."""
    middle = (first + last) // 2
    other = _pool().submit(work, first, middle, np.empty_like(mask))
    work(middle, last, mask)
    other.result()


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, thread_name_prefix="breeding")


@functools.lru_cache(maxsize=64)
def _key(seed: int, stream: int) -> Word:
    return np.uint64(rng.stream_key(seed, stream))
