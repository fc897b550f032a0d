"""The state that all genetic algorithms share: a generation, and the children that it has so far."""

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
"""Every individual is the same, whatever is drawn."""


@dataclass
class GeneticState(State):
    """The individuals of a generation, best first, stand at the places 0 to size - 1, its children after them in the
    order of their births; at the generation's end the best parents and the children are the next generation."""

    genes: Genes
    """int8[size, n*n], least E first."""
    energies: Energies
    """int32[size]: E of each."""
    children: Genes
    """int8[size, n*n]; rows from `made` on are 0, here and below."""
    bred: Energies
    """int32[size]: E of the children as they were bred."""
    child_energies: Energies
    """int32[size]: E of the children as they are: a refinement may have made them better."""
    parents: npt.NDArray[np.int32]
    """int32[size, 2]: places of the parents of each child; twice the same: it has but one."""
    best_cells: npt.NDArray[np.int8]
    """int8[n*n]: the best grid over the whole run."""
    best: int = 0
    least: int = 0
    """E of the best individual there is now, and its place."""
    leader: int = 0
    made: int = 0
    """Children of this generation."""
    known_from: int = 0
    """Children before this one were bred with other parameters than those in force."""
    generation: int = 0
    """Generations ended, over the whole run."""
    attempt: int = 1
    record: int = 0
    """Least E at the end of a generation of this attempt, and the generations since it fell."""
    stagnation: int = 0
    diversity: float = 1.0
    """Of the generation, children not counted."""
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

    def forget(self, first: int, last: int) -> None:
        """Wipe out the children first <= k < last."""
        for array in (self.children, self.bred, self.child_energies, self.parents):
            array[first:last] = 0

    def settle_in(self, genes: Genes, energies: Energies) -> None:
        """These are the generation from now on, in this order; there are no children yet."""
        if len(genes) == self.size:
            self.forget(0, self.made)
        else:
            self.children = np.zeros_like(genes)
            self.bred, self.child_energies = np.zeros_like(energies), np.zeros_like(energies)
            self.parents = np.zeros((len(genes), 2), np.int32)
        self.genes, self.energies = genes, energies
        self.made = self.known_from = self.leader = 0
        self.least = int(energies[0])


def empty_state(puzzle: Puzzle, seed: int) -> GeneticState:
    """A state of nobody, at step 0."""
    cells, nobody = np.zeros((0, puzzle.n**2), np.int8), np.zeros(0, np.int32)
    return GeneticState(puzzle, seed, 0, cells, nobody, cells.copy(), nobody.copy(), nobody.copy(),
                        np.zeros((0, 2), np.int32), np.zeros(puzzle.n**2, np.int8))
