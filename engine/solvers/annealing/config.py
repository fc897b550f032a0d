"""Parameters as one record of plain numbers, which the compiled rules can read; and a stop, in the same form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.solver import Stop

EXPONENTIAL, LINEAR, LOGARITHMIC, ADAPTIVE, CONSTANT = range(5)
SCHEDULES: Final = ("exponential", "linear", "logarithmic", "adaptive", "constant")
"""SCHEDULES[code] is the parameter's value; likewise below."""

ROW_SWAP, BOX_SWAP, CONFLICT_SWAP, EXTENDED = range(4)
NEIGHBOURHOODS: Final = ("row-swap", "box-swap", "conflict-swap", "extended")

METROPOLIS, SHEET, STRICT, SIDEWAYS = range(4)
"""How ΔE is judged. METROPOLIS: ΔE <= 0 is taken with nothing drawn, else u < exp(-ΔE/T). SHEET: ΔE < 0 is taken,
else u < exp(-ΔE/T); at T = 0 only ΔE < 0. STRICT: only ΔE < 0. SIDEWAYS: only ΔE <= 0. None of the last two draws."""

AT_FLOOR_RESTART, AT_FLOOR_HOLD, AT_FLOOR_SWEEP = range(3)
FLOORS: Final = ("restart", "hold", "sweep")

END_BELOW_START, MINIMUM_FELL, NEW_BEST = range(3)
"""What counts as progress of a plateau: its end is better than its start; its lowest E is below that of the plateau
before; it found a new best of the run."""

FIXED_FACTOR, DIVIDED_FACTOR, SHRINKING_FACTOR = range(3)
"""The factor of the next reheat after n of them: f, f/(1+n), f·0.6^n."""

CONFIG: Final = np.dtype([
    ("schedule", "<i8"),
    ("t0", "<f8"),  # 0: the calibrated one
    ("alpha", "<f8"),
    ("moves", "<i8"),  # proposals in a plateau
    ("levels", "<i8"),  # linear schedule: plateaus from T₀ to 0
    ("t_min", "<f8"),
    ("at_floor", "<i8"),
    ("attempts", "<i8"),  # 0: no limit
    ("stagnation", "<i8"),  # plateaus without progress before a reheat; 0: never
    ("progress", "<i8"),
    ("factor_rule", "<i8"),
    ("factor", "<f8"),
    ("max_reheats", "<i8"),  # in an attempt; 0: no limit
    ("judge", "<i8"),  # METROPOLIS, SHEET, STRICT or SIDEWAYS
    ("patience", "<i8"),  # hill-climb: proposals without a better grid; 0: not a hill climb
    ("steepest", "<i8"),  # hill-climb: a step scans the whole neighbourhood
    ("walk", "<i8"),  # anneal-lewis: moves of the random walk
    ("deviation_of_energy", "<i8"),  # anneal-lewis: T₀ is the deviation of E (1) or of ΔE (0)
    ("max_steps", "<i8"),
])

Config = npt.NDArray[np.void]
"""One record of CONFIG, as an array of one element (a kernel takes it as such)."""


def config(values: Mapping[str, float]) -> Config:
    """A record of CONFIG; what is not named is 0. Raises ValueError for a name that it does not have."""
    record = np.zeros(1, CONFIG)
    for name, value in values.items():
        record[0][name] = value
    return record


IMPROVED, EQUAL, UPHILL, REJECTED = 1, 2, 4, 8
"""Bits of the verdicts, in `watch["verdicts"]`."""

WATCH: Final = np.dtype([
    ("verdicts", "<i8"),  # halt after a proposal with one of these verdicts
    ("happened", "<i8"),  # ... after a step in which one of these happened (bits of engine.solvers.annealing.happened)
    ("energy", "<i8"),  # ... after the step at which E falls to this value or below; -1: never
    ("cell", "<i8"),  # ... after an accepted move of this cell; -1: never
])

HAPPENED_BITS: Final[Mapping[str, int]] = {
    "best": 1, "cooled": 2, "reheat": 4, "restart": 8, "sweep": 16, "calibrated": 32, "minimum": 64, "done": 128,
}
"""What may happen after a proposal, as bits, by the kind of the event that tells it."""

FRESH_BEST: Final = 256
"""One more of these bits: the fresh state of a restart is a new best, told by an event of the kind `best` too."""

_ACCEPTED = IMPROVED | EQUAL | UPHILL
_VERDICT_BITS: Final[Mapping[str, int]] = {
    "improved": IMPROVED, "equal": EQUAL, "uphill": UPHILL, "rejected": REJECTED, "accepted": _ACCEPTED,
    "swap": _ACCEPTED | REJECTED, "scan": _ACCEPTED | REJECTED,
}


def watch(stop: Stop, *, scans: bool = False) -> Config:
    """A Stop as one record of WATCH. Kinds that no proposal ever has are left out (the end halts a run anyway);
    `scans`: the steps are scans of the whole neighbourhood."""
    record = np.zeros(1, WATCH)
    absent = "swap" if scans else "scan"
    for kind in stop.kinds - {absent}:
        record[0]["verdicts"] |= _VERDICT_BITS.get(kind, 0)
        record[0]["happened"] |= HAPPENED_BITS.get(kind, 0) | (FRESH_BEST if kind == "best" else 0)
    record[0]["energy"] = -1 if stop.energy is None else stop.energy
    record[0]["cell"] = -1 if stop.cell is None else stop.cell
    return record
