"""The entries of the panel of a large population."""

from __future__ import annotations

import numpy as np
import pytest

from engine.solvers.population.panel import population_panel, with_kinds
from engine.view import MOST_SHOWN


@pytest.mark.parametrize(("size", "room"), [(MOST_SHOWN, 0), (MOST_SHOWN + 1, 0), (3000, 0), (900, 1800), (7, 90_000)])
def test_an_entry_knows_its_best_individual(size, room):
    energies = np.random.default_rng(0).integers(0, 90, size, dtype=np.int32)
    shown = population_panel(energies, room=room)
    each = shown.each
    assert each == -(-max(size, room) // MOST_SHOWN)
    best = [shown.shown_in(entry) for entry in range(len(shown.energies))]
    assert [place // each for place in best] == list(range(-(-size // each)))
    assert [int(energies[place]) for place in best] == list(shown.energies)
    assert list(shown.energies) == [int(energies[first : first + each].min()) for first in range(0, size, each)]


def test_an_entry_has_the_kind_of_its_best_individual():
    energies = np.array([5] * 2 * MOST_SHOWN, dtype=np.int32)
    energies[[1, 2]] = 3
    workers = np.zeros(len(energies), dtype=np.bool_)
    workers[1] = workers[3] = True
    assert with_kinds(population_panel(energies), workers).kinds.startswith("wee")
