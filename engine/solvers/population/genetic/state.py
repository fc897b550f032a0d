"""The state of a genetic algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.puzzle import Puzzle
from engine.solvers.population.panel import Energies, Genes
from engine.state import State

RUNNING: Final = 0
SOLVED: Final = 1
BUDGET_SPENT: Final = 2
NOTHING_TO_VARY: Final = 3
"""The genes have one possible value each: all individuals are equal."""


@dataclass
class GeneticState(State):
    """A generation and the children that it has so far.

    Place k < size is the k-th best individual of the generation; the places after it are its children in the order of
    their births.
    """

    genes: Genes
    """int8[size, n*n], least E first."""
    energies: Energies
    """int32[size]: E of each."""
    children: Genes
    """int8[size, n*n]; rows from `made` on are 0, here and below."""
    bred: Energies
    """int32[size]: E of the children before refinement."""
    child_energies: Energies
    """int32[size]: E of the children after refinement, if there is one."""
    parents: npt.NDArray[np.int32]
    """int32[size, 2]: places of the parents of each child; twice the same if it has one parent."""
    best_cells: npt.NDArray[np.int8]
    """int8[n*n]: the best grid over the whole run."""
    best: int = 0
    """Its E."""
    least: int = 0
    """Least E of the generation and its children."""
    leader: int = 0
    """The place of the individual that has it."""
    made: int = 0
    """Children of this generation so far."""
    known_from: int = 0
    """Children before this one were bred with parameters that have since been changed."""
    generation: int = 0
    """Generations ended, over the whole run."""
    attempt: int = 1
    """Counted from 1; each begins with random individuals."""
    record: int = 0
    """Least E at the end of a generation of this attempt."""
    stagnation: int = 0
    """Generations since the record fell."""
    diversity: float = 1.0
    """Share of distinct individuals in the generation, without its children."""
    status: int = RUNNING

    @property
    def size(self) -> int:
        return len(self.genes)

    @property
    def grid(self) -> tuple[int, ...]:
        return self.grid_at(self.leader)

    @property
    def energy(self) -> int:
        return self.least

    def grid_at(self, place: int) -> tuple[int, ...]:
        """The grid of the individual at a place, 0 <= place < size + made."""
        row = self.genes[place] if place < self.size else self.children[place - self.size]
        return tuple(row.tolist())

    def clear_children(self, first: int, last: int) -> None:
        """Set to 0 the children first <= k < last."""
        for array in (self.children, self.bred, self.child_energies, self.parents):
            array[first:last] = 0

    def set_generation(self, genes: Genes, energies: Energies) -> None:
        """Make these the generation, sorted by E, without children."""
        if len(genes) == self.size:
            self.clear_children(0, self.made)
        else:
            self.children = np.zeros_like(genes)
            self.bred, self.child_energies = np.zeros_like(energies), np.zeros_like(energies)
            self.parents = np.zeros((len(genes), 2), np.int32)
        self.genes, self.energies = genes, energies
        self.made = self.known_from = self.leader = 0
        self.least = int(energies[0])


def empty_state(puzzle: Puzzle, seed: int) -> GeneticState:
    """A state without individuals, at step 0."""
    cells, energies = np.zeros((0, puzzle.n**2), np.int8), np.zeros(0, np.int32)
    return GeneticState(puzzle, seed, 0, cells, energies, cells.copy(), energies.copy(), energies.copy(),
                        np.zeros((0, 2), np.int32), np.zeros(puzzle.n**2, np.int8))
