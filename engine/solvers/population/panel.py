"""What every population shows: its panel, its diversity, where its best stands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine.view import MOST_SHOWN, PopulationPanel

Energies = npt.NDArray[np.int32]
Genes = npt.NDArray[np.int8]


def population_panel(energies: Energies, current: int | None = None, parents: tuple[int, ...] = (),
                     replaced: int | None = None, room: int = 0) -> PopulationPanel:
    """The panel of individuals with these errors (int32[size]), with at most MOST_SHOWN entries. room: so many there
    may come to be before it is drawn otherwise."""
    size = energies.size
    each = -(-max(size, room) // MOST_SHOWN)
    least = energies if each == 1 else np.minimum.reduceat(energies, np.arange(0, size, each))
    errors, counts = np.unique(energies, return_counts=True)
    counted = tuple(zip(errors.tolist(), counts.tolist(), strict=True))
    return PopulationPanel("Population", tuple(least.tolist()), size, counted, each, current, parents, replaced)


def with_kinds(panel: PopulationPanel, workers: npt.NDArray[np.bool_]) -> PopulationPanel:
    """The panel of a swarm: bool[size] says who is a worker, the others explore."""
    letters = np.where(workers[:: panel.each], "w", "e").tolist()
    return structs.replace(panel, kinds="".join(letters), kind_names={"w": "worker", "e": "explorer"})


def diversity(genes: Genes) -> float:
    """The share of different individuals among int8[size, n*n], 0 to 1."""
    rows = np.ascontiguousarray(genes)
    return np.unique(rows.view(np.dtype((np.void, rows.shape[1])))).size / len(rows)
