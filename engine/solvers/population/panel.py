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
    best = _best_of_each(energies, each)
    errors, counts = np.unique(energies, return_counts=True)
    counted = tuple(zip(errors.tolist(), counts.tolist(), strict=True))
    return PopulationPanel("Population", tuple(energies[best].tolist()), size, counted, each,
                           current, parents, replaced,
                           current_energy=None if current is None or current >= size else int(energies[current]),
                           room=room, best=() if each == 1 else tuple(best.tolist()))


def _best_of_each(energies: Energies, each: int) -> npt.NDArray[np.intp]:
    """The first of the individuals with the least E among every `each` neighbours."""
    firsts = np.arange(0, energies.size, each)
    if each == 1:
        return firsts
    full = np.pad(energies, (0, firsts.size * each - energies.size), constant_values=np.iinfo(np.int32).max)
    best: npt.NDArray[np.intp] = firsts + full.reshape(-1, each).argmin(axis=1)
    return best


def shown_in(panel: PopulationPanel) -> npt.NDArray[np.intp]:
    """The individual of each entry of a panel."""
    return np.array(panel.best) if panel.best else np.arange(0, panel.size)


def with_kinds(panel: PopulationPanel, workers: npt.NDArray[np.bool_]) -> PopulationPanel:
    """The panel of a swarm. workers: bool[size]; the others are explorers."""
    letters = np.where(workers[shown_in(panel)], "w", "e").tolist()
    return structs.replace(panel, kinds="".join(letters), kind_names={"w": "worker", "e": "explorer"})


def diversity(genes: Genes) -> float:
    """The share of distinct individuals, 0 to 1."""
    rows = np.ascontiguousarray(genes)
    return np.unique(rows.view(np.dtype((np.void, rows.shape[1])))).size / len(rows)
