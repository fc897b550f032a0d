"""The panel of individuals and the diversity, for all populations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine.view import MOST_SHOWN, PopulationPanel

Energies = npt.NDArray[np.int32]
"""[size]: E of each individual."""
Genes = npt.NDArray[np.int8]
"""[size, n*n]: the grid of each individual."""


def population_panel(energies: Energies, current: int | None = None, parents: tuple[int, ...] = (),
                     replaced: int | None = None, room: int = 0) -> PopulationPanel:
    """The panel of individuals with these energies, at most MOST_SHOWN entries, each the best of some neighbours.

    room: the number of individuals that it grows to, with which the scale of the panel stays the same.
    """
    size = energies.size
    each = -(-max(size, room) // MOST_SHOWN)
    least = energies if each == 1 else np.minimum.reduceat(energies, np.arange(0, size, each))
    errors, counts = np.unique(energies, return_counts=True)
    counted = tuple(zip(errors.tolist(), counts.tolist(), strict=True))
    return PopulationPanel("Population", tuple(least.tolist()), size, counted, each, current, parents, replaced,
                           current_energy=None if current is None or current >= size else int(energies[current]),
                           room=room)


def with_kinds(panel: PopulationPanel, workers: npt.NDArray[np.bool_]) -> PopulationPanel:
    """The panel of a swarm. workers: bool[size]; the others are explorers."""
    letters = np.where(workers[:: panel.each], "w", "e").tolist()
    return structs.replace(panel, kinds="".join(letters), kind_names={"w": "worker", "e": "explorer"})


def diversity(genes: Genes) -> float:
    """The share of distinct individuals, 0 to 1."""
    rows = np.ascontiguousarray(genes)
    return np.unique(rows.view(np.dtype((np.void, rows.shape[1])))).size / len(rows)
