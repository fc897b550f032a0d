"""Declarations of the family: user parameters, integer codes, and the records that kernels read and write.

A record is declared once, as a class whose annotations name its fields; the numpy dtype is derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt

from engine.breakpoints import Stop
from engine.params import About, Meta

# References that several solvers cite.

KIRKPATRICK_1983 = "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing. Science 220, 1983"
METROPOLIS_1953 = ("N. Metropolis et al.: Equation of state calculations by fast computing machines. "
                   "J. Chem. Phys. 21, 1953")
LEWIS_2007 = "R. Lewis: Metaheuristics can solve sudoku puzzles. J. Heuristics 13, 2007"

# Parameters that several solvers declare.

Neighbourhood = Annotated[
    Literal["row-swap", "box-swap", "conflict-swap", "extended"],
    About("", "which moves are proposed: two free cells of a row, of a box, two of them one of which is in conflict, "
              "or two free cells of a band and rotations of three in a row", live=False)]
Representation = Annotated[
    Literal["box", "row"],
    About("", "what conflict-swap keeps as a permutation; the other neighbourhoods imply it", live=False,
          where=(("neighbourhood", ("conflict-swap",)),))]
Draw = Annotated[
    Literal["pairs", "group"],
    About("", "row-swap, box-swap: each legal swap equally often; or first a row (a box), each equally often, then two "
              "of its free cells", where=(("neighbourhood", ("row-swap", "box-swap")), ("scan", ("random",))))]
Schedule = Annotated[
    Literal["exponential", "linear", "logarithmic", "adaptive", "constant"],
    About("", "the rule for the next temperature: α·T; T₀·(1 − k/levels); T₀/ln(k + e) with k counting moves (in these "
              "two a T set by a reheat or by hand stands for T₀); α² above 80 % accepted and √α below 20 %; or T "
              "unchanged")]
StartTemperature = Annotated[float, Meta(gt=0, le=100), About(
    "energy", "temperature at the start of each attempt; the knob T changes that of the present one", "T₀")]
Alpha = Annotated[float, Meta(gt=0, lt=1), About("", "factor of the exponential and the adaptive schedule", "α",
                                                 where=(("schedule", ("exponential", "adaptive")),))]
PlateauMoves = Annotated[int, Meta(ge=1, le=10**9), About("moves", "proposals at one temperature", "L")]
Levels = Annotated[int, Meta(ge=1, le=10**9), About(
    "plateaus", "linear schedule: after each plateau T falls by 1/levels of T₀, or of the T set by a reheat or by hand",
    where=(("schedule", ("linear",)),))]
COOLING: Final = ("schedule", ("exponential", "linear", "logarithmic", "adaptive"))
"""The schedules that come to a floor."""
FloorTemperature = Annotated[
    float, Meta(gt=0, le=100), About("energy", "the floor of T; at_floor says what happens there", "T_min",
                                     where=(COOLING,))]
SweepFloor = Annotated[
    float, Meta(gt=0, le=100),
    About("energy", "exponential, logarithmic and adaptive schedule: the sweep ends at this T", "T_min",
          where=(("schedule", ("exponential", "logarithmic", "adaptive")),))]
AtFloor = Annotated[
    Literal["restart", "hold"], About("", "at the floor: restart from a random grid, or continue at the floor",
                                      where=(COOLING,))]
Restarts = Annotated[int, Meta(ge=0, le=10**6), About("restarts", "random restarts after the first attempt")]
RestartsAtFloor = Annotated[int, Meta(ge=0, le=10**6), About("restarts", "random restarts after the first attempt",
                                                             where=(("at_floor", ("restart",)), COOLING))]

# Codes: SCHEDULES[code] is the value of the parameter, likewise NEIGHBOURHOODS and FLOORS.

EXPONENTIAL, LINEAR, LOGARITHMIC, ADAPTIVE, CONSTANT = range(5)
SCHEDULES: Final = ("exponential", "linear", "logarithmic", "adaptive", "constant")

ROW_SWAP, BOX_SWAP, CONFLICT_SWAP, EXTENDED = range(4)
NEIGHBOURHOODS: Final = ("row-swap", "box-swap", "conflict-swap", "extended")

AT_FLOOR_RESTART, AT_FLOOR_HOLD, AT_FLOOR_SWEEP = range(3)
FLOORS: Final = ("restart", "hold", "sweep")

METROPOLIS, COURSE_SHEET, STRICT, SIDEWAYS = range(4)
"""Acceptance rules. METROPOLIS: ΔE <= 0 is accepted without a draw, else iff u < e^(-ΔE/T). COURSE_SHEET: ΔE < 0 is
accepted, else iff u < e^(-ΔE/T); at T = 0 only ΔE < 0. STRICT: only ΔE < 0. SIDEWAYS: only ΔE <= 0."""

END_BELOW_START, MINIMUM_FELL, NEW_BEST = range(3)
"""Definitions of progress. END_BELOW_START: the plateau ends at a lower E than it began. MINIMUM_FELL: its lowest E is
below that of the plateau before. NEW_BEST: it found a new best of the run."""

FIXED_FACTOR, DIVIDED_FACTOR, SHRINKING_FACTOR = range(3)
"""Factor of the next reheat after n reheats: f, f/(1 + n), f·0.6^n."""

PROPAGATE, CALIBRATE, SEARCH = range(3)
"""Phases. PROPAGATE: singles are filled in (anneal-propagate); free cells are 0. CALIBRATE: a random walk measures ΔE
and accepts every proposal (anneal-lewis). SEARCH: proposals meet the acceptance rule."""

(RUNNING, SOLVED, ATTEMPTS_SPENT, BUDGET_SPENT, NO_MOVES, NOTHING_TO_PROPOSE, STUCK, LOCAL_MINIMUM,
 CONTRADICTION) = range(9)
"""Status. NO_MOVES: the neighbourhood is empty. NOTHING_TO_PROPOSE: conflict-swap, no free cell in conflict has a
partner. STUCK: hill-climb, the patience is spent. LOCAL_MINIMUM: steepest descent, no move can be accepted.
CONTRADICTION: anneal-propagate, the givens have no solution."""

IMPROVED, EQUAL, UPHILL, REJECTED = 1, 2, 4, 8
"""Verdicts on a proposal, as bits."""

EVENT_BITS: Final[Mapping[str, int]] = {
    "best": 1, "cooled": 2, "reheat": 4, "restart": 8, "sweep": 16, "calibrated": 32, "minimum": 64, "done": 128,
}
"""Events that can follow a proposal, as bits, by the kind of the event object."""
BEST, COOLED, REHEAT, RESTART, SWEEP, CALIBRATED, MINIMUM, DONE = EVENT_BITS.values()
FRESH_BEST, NOT_RAISED = 256, 512
"""Two more of these bits. FRESH_BEST: the random grid of a restart is a new best (an event of the kind `best`).
NOT_RAISED: a reheat was due, and T was that high already."""
RARE_EVENTS: Final = BEST | REHEAT | RESTART | SWEEP | CALIBRATED | MINIMUM | DONE
"""Events that `advance` must report."""
GRID_EVENTS: Final = BEST | RESTART | MINIMUM
"""Events after which `rules.update_grids` must be called."""

HIGHEST: Final = 2**62
"""An E above every E."""
NO_TEMPERATURE: Final = -1.0
"""In place of T while a calibration runs."""


class Record:
    """A numpy record: fields are attributes in compiled code and items, `record["energy"]`, in Python."""

    if TYPE_CHECKING:
        def __getitem__(self, field: str, /) -> Any: ...

        def __setitem__(self, field: str, value: float, /) -> None: ...


class Config(Record):
    """The parameters of a run as numbers."""

    schedule: int
    t0: float  # T₀; 0: use the calibrated one
    alpha: float
    moves: int  # proposals in a plateau
    levels: int  # linear schedule: T falls by T₀/levels after each plateau
    t_min: float  # the floor
    at_floor: int
    attempts: int  # 0: no limit
    stagnation: int  # plateaus without progress before a reheat; 0: never
    progress: int
    factor_rule: int
    factor: float
    max_reheats: int  # in an attempt; 0: no limit
    rule: int  # the acceptance rule
    grouped: int  # 1: a move is drawn by its row or box (draw = group)
    reheat_sets: int  # 1: a reheat sets T, 0: it only raises T
    patience: int  # hill-climb: proposals without a better grid; 0: not a hill climb
    steepest: int  # hill-climb: 1 if a step scans the whole neighbourhood
    walk: int  # anneal-lewis: moves of the random walk
    deviation_of_energy: int  # anneal-lewis: T₀ is the deviation of E (1) or of ΔE (0)
    max_steps: int


class SearchState(Record):
    """All that an annealer knows beside its grids."""

    step: int  # steps made, the same as State.step
    energy: int  # E of the cells
    before: int  # E before the last proposal
    best: int  # E of the best grid of the run
    temperature: float  # T of the next proposal
    base: float  # T from which the schedule counts: T₀, or the value that the user set last
    base_step: int  # the step at which T was `base`; the logarithmic schedule counts moves from here
    level: int  # plateaus since then; the linear schedule counts them
    plateau_temperature: float  # T at the start of this plateau
    plateau_energy: int  # E at the start of this plateau
    plateau: int  # plateaus ended, over the whole run
    moves: int  # proposals in this plateau
    accepted: int  # ... of which were accepted
    last_moves: int  # the same two of the plateau before
    last_accepted: int
    total_accepted: int  # over the whole run
    total_uphill: int  # accepted with ΔE > 0, over the whole run
    minimum: int  # lowest E in this plateau, its start included
    previous_minimum: int  # the same of the plateau before
    plateau_best: int  # `best` at the start of this plateau
    stagnation: int  # plateaus in a row without progress
    attempt: int  # counted from 1
    reheats: int  # in this attempt
    mark: int  # E at the last reheat, or at the start of the attempt
    lowest: int  # lowest E since then (hill-climb, tabu: since the start of the attempt)
    since_better: int  # hill-climb, tabu: proposals since `lowest` fell
    sweep: int  # anneal-linear: sweeps ended
    calibrated: float  # anneal-lewis: T₀ as measured; 0 before that and elsewhere
    walked: int  # anneal-lewis: moves of the random walk, and the sums over it
    sum_delta: int
    sum_delta2: int
    sum_energy: int
    sum_energy2: int
    phase: int
    status: int
    neighbourhood: int  # never changes during a run
    boxes: int  # 1: every box is a permutation; 0: every row (for `extended` only at the start)


class Watch(Record):
    """A breakpoint (Stop) as numbers."""

    verdicts: int  # halt after a proposal with one of these verdicts
    events: int  # ... after a step with one of these events
    energy: int  # ... after the step at which E falls to this value or below; -1: never
    cell: int  # ... after an accepted move of this cell; -1: never


class LogRecord(Record):
    """The events that followed one proposal. Fields are valid only if the bit of their event is set."""

    step: int
    events: int  # EVENT_BITS and FRESH_BEST
    energy: int  # E after the proposal, before a restart
    best_before: int  # BEST: the best E before and after the proposal
    best: int
    t_before: float  # COOLED
    t_after: float
    plateau: int
    accepted: int
    moves: int
    hot_before: float  # REHEAT, NOT_RAISED
    hot_after: float
    factor: float
    reheat: int
    stagnation: int
    gained: int
    attempt: int  # RESTART
    fresh_energy: int
    sweep: int  # SWEEP
    t_start: float  # CALIBRATED
    deviation_delta: float
    deviation_energy: float
    samples: int
    better: int  # MINIMUM, and every scan of the whole neighbourhood
    equal: int
    worse: int


class TemperatureNote(Record):
    """The temperature of the proposals after `step`, until the next note."""

    step: int
    temperature: float


Records = npt.NDArray[np.void]
"""An array of records of one kind."""


def record_dtype(record: type[Record]) -> np.dtype[np.void]:
    """The dtype of a record class: int or Int is "<i8", float is "<f8", in the order of declaration."""
    kinds = {"int": "<i8", "Int": "<i8", "float": "<f8"}
    return np.dtype([(name, kinds[kind]) for name, kind in record.__annotations__.items()])


CONFIG_DTYPE: Final = record_dtype(Config)
STATE_DTYPE: Final = record_dtype(SearchState)
WATCH_DTYPE: Final = record_dtype(Watch)
LOG_DTYPE: Final = record_dtype(LogRecord)
NOTE_DTYPE: Final = record_dtype(TemperatureNote)


def make_config(values: Mapping[str, float]) -> Config:
    """A Config; fields without a value are 0. Raises ValueError for an unknown field."""
    config = cast(Config, np.zeros(1, CONFIG_DTYPE)[0])
    for name, value in values.items():
        config[name] = value
    return config


def metropolis_config(params: Any) -> dict[str, float]:
    """The Config fields of a Metropolis annealer with a cooling schedule, from parameters of the declared names."""
    return {
        "schedule": SCHEDULES.index(params.schedule), "t0": params.T0, "alpha": params.alpha,
        "moves": params.moves, "levels": params.levels, "t_min": params.T_min,
        "at_floor": FLOORS.index(params.at_floor), "attempts": params.restarts + 1,
        "rule": METROPOLIS, "grouped": params.draw == "group", "max_steps": params.max_steps,
    }


def check_floor(params: Any) -> None:
    """Raise ValueError unless T_min is below T0 (the constant schedule needs no floor)."""
    if params.schedule != "constant" and params.T_min >= params.T0:
        raise ValueError(f"T_min = {params.T_min:g}: expected less than T0 = {params.T0:g}, where cooling starts")


_ACCEPTED = IMPROVED | EQUAL | UPHILL
_VERDICT_BITS: Final[Mapping[str, int]] = {
    "improved": IMPROVED, "equal": EQUAL, "uphill": UPHILL, "rejected": REJECTED, "accepted": _ACCEPTED,
    "swap": _ACCEPTED | REJECTED, "scan": _ACCEPTED | REJECTED,
}
_MORE_BITS: Final[Mapping[str, int]] = {"best": FRESH_BEST, "not_raised": NOT_RAISED}


def make_watch(stop: Stop, *, scans: bool = False) -> Watch:
    """The Watch of a Stop. `scans`: the steps are scans of the whole neighbourhood, not proposals.

    Kinds that no step has are left out; the end of a run halts it anyway.
    """
    watch = cast(Watch, np.zeros(1, WATCH_DTYPE)[0])
    absent = "swap" if scans else "scan"
    for kind in stop.kinds - {absent}:
        watch["verdicts"] |= _VERDICT_BITS.get(kind, 0)
        watch["events"] |= EVENT_BITS.get(kind, 0) | _MORE_BITS.get(kind, 0)
    watch["energy"] = -1 if stop.energy is None else stop.energy
    watch["cell"] = -1 if stop.cell is None else stop.cell
    return watch


def make_log(size: int) -> Records:
    """Room for the events of `size` proposals."""
    return np.zeros(size, LOG_DTYPE)
