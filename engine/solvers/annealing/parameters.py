"""Parameters that several annealers declare alike, how they become fields of CONFIG, and what several go back to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from engine.params import About, Meta
from engine.solver import Stop

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


# Parameters as one record of plain numbers, which the compiled rules can read; and a stop, in the same form.


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
    ("happened", "<i8"),  # ... after a step in which one of these happened (bits of a log record)
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


KIRKPATRICK = "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing. Science 220, 1983"
METROPOLIS_1953 = ("N. Metropolis et al.: Equation of state calculations by fast computing machines. "
                   "J. Chem. Phys. 21, 1953")
LEWIS = "R. Lewis: Metaheuristics can solve sudoku puzzles. J. Heuristics 13, 2007"

Neighbourhood = Annotated[
    Literal["row-swap", "box-swap", "conflict-swap", "extended"],
    About("", "which moves are proposed: two free cells of a row, of a box, two of them one of which is in conflict, "
              "or two free cells of a band and rotations of three in a row", live=False)]
Representation = Annotated[
    Literal["box", "row"],
    About("", "what conflict-swap keeps as a permutation; the other neighbourhoods imply it", live=False)]
Schedule = Annotated[
    Literal["exponential", "linear", "logarithmic", "adaptive", "constant"],
    About("", "the rule for the next temperature: α·T; T₀·(1 − k/levels); T₀/ln(k + e) with k counting moves; α² above "
              "80 % accepted and √α below 20 %; or T as it is")]
StartTemperature = Annotated[float, Meta(gt=0, le=100), About("energy", "temperature at the start", "T₀")]
Alpha = Annotated[float, Meta(gt=0, lt=1), About("", "factor of the exponential and the adaptive schedule", "α")]
PlateauMoves = Annotated[int, Meta(ge=1, le=10**9), About("moves", "proposals at one temperature", "L")]
Levels = Annotated[int, Meta(ge=1, le=10**9), About("plateaus", "linear schedule: plateaus from T₀ down to 0")]
FloorTemperature = Annotated[
    float, Meta(gt=0, le=100), About("energy", "the floor: a plateau runs while T is above it", "T_min")]
SweepFloor = Annotated[
    float, Meta(gt=0, le=100), About("energy", "schedules other than linear: the sweep ends at this T", "T_min")]
AtFloor = Annotated[
    Literal["restart", "hold"], About("", "at the floor: begin anew from a fresh state, or go on at the floor")]
Restarts = Annotated[int, Meta(ge=0, le=10**6), About("restarts", "fresh starts after the first attempt")]


def cooling(params: Any) -> dict[str, float]:
    """The fields of CONFIG that come from parameters of these names."""
    return {
        "schedule": SCHEDULES.index(params.schedule), "t0": params.T0, "alpha": params.alpha,
        "moves": params.moves, "levels": params.levels, "t_min": params.T_min,
        "at_floor": FLOORS.index(params.at_floor), "attempts": params.restarts + 1,
        "judge": METROPOLIS, "max_steps": params.max_steps,
    }


def check_floor(params: Any) -> None:
    """Raises ValueError unless the schedule has somewhere to go down to."""
    if params.schedule != "constant" and params.T_min >= params.T0:
        raise ValueError(f"T_min = {params.T_min:g}: expected less than T0 = {params.T0:g}, where cooling starts")


# What may happen after a proposal: the bits of each, and the record that tells of it.


BEST, COOLED, REHEAT, RESTART, SWEEP, CALIBRATED, MINIMUM, DONE = HAPPENED_BITS.values()
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
