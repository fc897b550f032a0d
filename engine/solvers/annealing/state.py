"""The state that every annealer shares: a few hundred bytes, everything else is derived from it.

What is derived (count tables, packed words, thresholds, lists of legal moves) is rebuilt on entry or cached outside,
so that a state can be copied, digested and compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.state import State

Grid = npt.NDArray[np.uint8]
Scalars = npt.NDArray[np.void]

PROPAGATE: Final = 0
"""Phase: singles are being filled in (`anneal-propagate`); cells not yet decided are 0."""
CALIBRATE: Final = 1
"""Phase: a random walk measures ΔE (`anneal-lewis`); every proposal is accepted."""
SEARCH: Final = 2
"""Phase: proposals are judged."""

RUNNING: Final = 0
SOLVED: Final = 1
ATTEMPTS_SPENT: Final = 2
BUDGET_SPENT: Final = 3
NO_MOVES: Final = 4
"""The puzzle leaves the neighbourhood empty."""
NOTHING_TO_PROPOSE: Final = 5
"""conflict-swap: no free cell in conflict has a partner."""
STUCK: Final = 6
"""hill-climb: its patience ran out."""
LOCAL_MINIMUM: Final = 7
"""hill-climb, steepest: a scan of the whole neighbourhood found nothing to take."""
CONTRADICTION: Final = 8
"""anneal-propagate: the givens admit no solution."""

SCALARS: Final = np.dtype([
    ("step", "<i8"),  # steps made, the same as State.step
    ("energy", "<i8"),  # E of the cells
    ("before", "<i8"),  # E before the last proposal
    ("best", "<i8"),  # E of the best grid over the whole run
    ("temperature", "<f8"),  # T in force for the next proposal
    ("base", "<f8"),  # the T that the schedule counts from (T₀ at a start, the learner's value after he set it)
    ("base_step", "<i8"),  # the step at which it was so; the logarithmic schedule counts moves from here
    ("level", "<i8"),  # plateaus since then; the linear schedule counts them
    ("plateau_temperature", "<f8"),  # T at the start of this plateau
    ("plateau_energy", "<i8"),  # E at the start of this plateau
    ("plateau", "<i8"),  # plateaus ended, over the whole run
    ("moves", "<i8"),  # proposals in this plateau
    ("accepted", "<i8"),  # ... of which were accepted
    ("last_moves", "<i8"),  # the same two of the plateau before
    ("last_accepted", "<i8"),
    ("total_accepted", "<i8"),  # over the whole run
    ("total_uphill", "<i8"),  # accepted with ΔE > 0, over the whole run
    ("minimum", "<i8"),  # lowest E in this plateau, its start included
    ("previous_minimum", "<i8"),  # the same of the plateau before
    ("plateau_best", "<i8"),  # `best` at the start of this plateau
    ("stagnation", "<i8"),  # plateaus in a row without progress
    ("attempt", "<i8"),  # counted from 1
    ("reheats", "<i8"),  # in this attempt
    ("mark", "<i8"),  # E at the last reheat, or at the start of the attempt
    ("lowest", "<i8"),  # lowest E since then (hill-climb: since the start of the attempt)
    ("since_better", "<i8"),  # hill-climb: proposals since `lowest` fell
    ("sweep", "<i8"),  # anneal-linear: sweeps ended
    ("calibrated", "<f8"),  # anneal-lewis: T₀ as measured; 0 before that and elsewhere
    ("walked", "<i8"),  # anneal-lewis: moves of the random walk, and the sums over it
    ("sum_delta", "<i8"),
    ("sum_delta2", "<i8"),
    ("sum_energy", "<i8"),
    ("sum_energy2", "<i8"),
    ("phase", "<i8"),  # PROPAGATE, CALIBRATE or SEARCH
    ("status", "<i8"),  # RUNNING, or how the run ended
    ("neighbourhood", "<i8"),  # codes of engine.solvers.annealing.config: they never change during a run
    ("boxes", "<i8"),  # 1: every box is a permutation; 0: every row (to begin with, for `extended`)
])
"""One record of these is all that an annealer knows beside its grids."""


@dataclass
class AnnealState(State):
    """Three grids and one record."""

    grids: Grid
    """uint8[3, n*n]: the cells, the best grid over the whole run, and 1 for every fixed cell (a given, or filled by
    propagation)."""
    scalars: Scalars
    """One record of SCALARS."""

    @property
    def cells(self) -> Grid:
        row: Grid = self.grids[0]
        return row

    @property
    def best(self) -> Grid:
        row: Grid = self.grids[1]
        return row

    @property
    def fixed(self) -> Grid:
        row: Grid = self.grids[2]
        return row

    @property
    def now(self) -> Any:
        """The record itself: reading `state.now["energy"]` and writing both reach the state."""
        return self.scalars[0]

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.grids[0].tolist())

    @property
    def energy(self) -> int:
        return int(self.scalars[0]["energy"])

    def sync(self) -> None:
        """Take `step` over from the record, after a kernel has changed it."""
        self.step = int(self.scalars[0]["step"])
