"""What may happen after a proposal: the bits of each, and the record that tells of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.solvers.annealing import config as codes

BEST, COOLED, REHEAT, RESTART, SWEEP, CALIBRATED, MINIMUM, DONE = codes.HAPPENED_BITS.values()
RARE: Final = BEST | REHEAT | RESTART | SWEEP | CALIBRATED | MINIMUM | DONE
"""Bits of what `advance` must report."""
GRID_BITS: Final = BEST | RESTART | MINIMUM
"""Bits after which `settle` is needed."""

HAPPENED: Final = np.dtype([
    ("step", "<i8"),
    ("bits", "<i8"),  # what happened after the proposal of this step; each bit has the fields below
    ("energy", "<i8"),  # E after the proposal, before a restart
    ("best_before", "<i8"), ("best", "<i8"),  # BEST: the best E before and after the proposal
    ("t_before", "<f8"), ("t_after", "<f8"), ("plateau", "<i8"), ("accepted", "<i8"), ("moves", "<i8"),  # COOLED
    ("hot_before", "<f8"), ("hot_after", "<f8"), ("factor", "<f8"),  # REHEAT
    ("reheat", "<i8"), ("stagnation", "<i8"), ("gained", "<i8"),
    ("attempt", "<i8"), ("fresh_energy", "<i8"),  # RESTART
    ("sweep", "<i8"),  # SWEEP
    ("t_start", "<f8"), ("deviation_delta", "<f8"), ("deviation_energy", "<f8"), ("samples", "<i8"),  # CALIBRATED
    ("better", "<i8"), ("equal", "<i8"), ("worse", "<i8"),  # MINIMUM, and every scan of steepest descent
])
"""One record tells what happened after the proposal of one step."""

HIGHEST: Final = 2**62
"""An E that is above every E."""
