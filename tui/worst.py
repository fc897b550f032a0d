"""The worst moment of a run: where its energy is highest once it has got going."""

from __future__ import annotations

import numpy as np

from engine.run import Run

BEGINNING = 0.1
"""The share of a run that does not count: every search begins badly."""


def worst_step(run: Run) -> int:
    """The step with the highest E after the first tenth of what is recorded, among the samples that the run keeps for
    its chart (every step of the first thousand, later fewer); the first of several. A run without E: its last step."""
    place = next((at for at, channel in enumerate(run.solver.channels) if channel.role == "energy"), None)
    if place is None:
        return run.recorded
    steps, values = run.series.arrays()
    energy = values[:, place]
    late = (steps >= BEGINNING * run.recorded) & np.isfinite(energy)
    if not late.any():
        return run.recorded
    return int(steps[late][np.argmax(energy[late])])
