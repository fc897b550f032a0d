"""The parameters of genetic algorithms turned into what the kernels take, and children made with them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from engine import rng
from engine.events.population import NEITHER
from engine.puzzle import Puzzle, cell_name
from engine.solvers.population.genetic import chromosome as genes
from engine.solvers.population.genetic import operators as kernels
from engine.solvers.population.genetic.chromosome import Blocks, Chromosome, Representation
from engine.solvers.population.genetic.operators import Brood, breed, cut_at, pair_up, tournaments
from engine.solvers.population.genetic.state import GeneticState

PARALLEL = 8192
"""From so many children on they are made by two threads: 1.1 times as many a second, 1.5 times from 16 384 on; below
4096 the threads cost as much as they bring."""


def limit_of(probability: float) -> Any:
    """The uint64 in 0..2^32 that 32 random bits are below with this probability."""
    return np.uint64(int(probability * 2**32))


class Breeding:
    """Makes the children of a state, with parameters that stay as they are."""

    def __init__(self, puzzle: Puzzle, params: Any, seed: int, chromosome: Chromosome, permuted: bool,
                 blocks: int) -> None:
        codes = {"pmx": kernels.PMX, "order": kernels.ORDER, "cut": kernels.CUT}
        self.rules = kernels.Rules(
            puzzle.n, permuted, params.selection == "neighbours", blocks,
            codes.get(params.crossover, kernels.BLOCKWISE),
            kernels.SWAP if params.mutation == "swap" else kernels.ANEW, limit_of(params.mutation_rate),
            _key(seed, genes.CROSSING), _key(seed, genes.MUTATION))
        self.chromosome = chromosome
        self.params, self.seed = params, seed
        self.mask = np.zeros(puzzle.n**2, np.uint8)
        """Of the last child that was made."""
        self.refiner: Any = None
        """A Refiner, where children are refined; and how many proposals the last one accepted."""
        self.accepted = 0

    def breed(self, state: GeneticState, most: int) -> int:
        """Make up to `most` of the children that this generation has still to come; how many there are."""
        most = min(most, state.size - self.params.elite - state.made)
        if most <= 0:
            return 0
        made = self._mate(state, most)
        self._make(state, state.made, state.made + made, state.step + 1 - state.made)
        return made

    def _mate(self, state: GeneticState, most: int) -> int:
        """Write the parents of up to `most` children."""
        limit, first = limit_of(self.params.cross_rate), state.made
        if not self.rules.paired:
            tournaments((_key(self.seed, genes.SELECTION), state.step + 1, limit), self.params.rivals, state.size,
                        state.parents, first, most)
            return most
        pair = int(state.parents[first - 1].max()) // 2 + 1 if first else 0
        return int(pair_up((_key(self.seed, genes.PAIRING), state.generation, limit), pair, state.size // 2,
                           state.parents, first, most))

    def _make(self, state: GeneticState, first: int, last: int, born: int) -> None:
        brood = Brood(state.genes, state.children, state.bred, state.parents)

        def some(begin: int, end: int, mask: Any) -> None:
            breed(brood, self.chromosome, self.rules, born, begin, end, mask)

        if last - first < PARALLEL:
            some(first, last, self.mask)
        else:
            in_two(some, first, last, self.mask)

    def remade(self, state: GeneticState, child: int) -> Any:
        """int8[n*n]: a child of this generation as it was bred; `origins` are then its own."""
        return next(self._bred_again(state, child, child + 1))

    def first_own(self, state: GeneticState, made: int, cell: int) -> int | None:
        """Which of the children that were made last, counted from 0, is the first with a value of neither parent in a
        cell."""
        if state.puzzle.givens[cell]:
            return None
        again = self._bred_again(state, state.made, state.made + made)
        return next((place for place, _child in enumerate(again) if self.mask[cell] >= NEITHER), None)

    def _bred_again(self, state: GeneticState, first: int, last: int) -> Iterator[Any]:
        """The children first <= k < last of this generation one by one, each as it was bred, with its mask."""
        scratch = Brood(state.genes, np.zeros((last, state.genes.shape[1]), np.int8), np.zeros(last, np.int32),
                        state.parents)
        for child in range(first, last):
            breed(scratch, self.chromosome, self.rules, state.step + 1 - state.made, child, child + 1, self.mask)
            yield scratch.children[child]

    def origins(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(for every cell FIRST, SECOND or NEITHER, the mutated cells) of the last child that was made."""
        mutated = np.flatnonzero(self.mask > NEITHER)
        return tuple(np.minimum(self.mask, NEITHER).tolist()), tuple(mutated.tolist())


def in_two(work: Callable[[int, int, Any], None], first: int, last: int, mask: Any) -> None:
    """Do work(begin, end, mask) for both halves at the same time."""
    middle = (first + last) // 2
    other = _pool().submit(work, first, middle, np.empty_like(mask))
    work(middle, last, mask)
    other.result()


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, thread_name_prefix="breeding")


@functools.lru_cache(maxsize=64)
def _key(seed: int, stream: int) -> Any:
    return np.uint64(rng.stream_key(seed, stream))


@functools.lru_cache(maxsize=8)
def _genes_and_blocks(puzzle: Puzzle, representation: Representation, blocks: Blocks) -> tuple[Chromosome, int]:
    return genes.chromosome_of(puzzle, representation, blocks), genes.block_count(puzzle.n, blocks)


def breeding_of(puzzle: Puzzle, params: Any, seed: int, representation: Representation, blocks: Blocks) -> Breeding:
    """The Breeding of a run's puzzle, parameters and seed."""
    chromosome, count = _genes_and_blocks(puzzle, representation, blocks)
    return Breeding(puzzle, params, seed, chromosome, representation != "cells", count)


def how_crossed(params: Any, breeding: Breeding, state: GeneticState, child: int, block: Blocks) -> str:
    """The crossover of a child in a few words: `uniform`, `row by row`, `cut after row 5`."""
    if params.crossover != "cut":
        names = {"pmx": f"PMX in each {block}", "order": f"order in each {block}", "uniform": "uniform"}
        return names.get(params.crossover, f"{block} by {block}")
    born = state.step + 1 - state.made + child - (child & 1 if breeding.rules.paired else 0)
    at = int(cut_at(breeding.rules.crossing, born, breeding.rules.blocks))
    return f"cut after {cell_name(at - 1, state.puzzle.n)}" if block == "cell" else f"cut after {block} {at}"
