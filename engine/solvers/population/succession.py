"""From one generation to the next."""

from __future__ import annotations

import numpy as np

from engine.solvers.population.genetic_kernel import succeed
from engine.solvers.population.genetic_state import GeneticState
from engine.solvers.population.panel import Energies, Genes


def next_generation(state: GeneticState) -> tuple[Genes, Energies, float]:
    """(genes, energies, diversity) of the children with the best parents in the places that are left."""
    genes, energies = np.empty_like(state.genes), np.empty_like(state.energies)
    prints = np.empty(state.size, np.uint64)
    succeed((state.genes, state.energies), (state.children, state.child_energies), state.size - state.made, state.made,
            (genes, energies, prints))
    return genes, energies, np.unique(prints).size / state.size
