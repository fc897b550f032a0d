"""The state that every annealer shares: a few hundred bytes, everything else is derived from it.

What is derived (count tables, packed words, thresholds, lists of legal moves) is rebuilt on entry or cached outside,
so that a state can be copied, digested and compared.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine import energy, rng
from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.neighbourhood import Board, Keys, board_of, energy_units
from engine.solvers.annealing.parameters import NO_MOVES, NOTHING_TO_PROPOSE, RUNNING, SOLVED
from engine.state import State

Grid = npt.NDArray[np.uint8]
Scalars = npt.NDArray[np.void]



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
    ("neighbourhood", "<i8"),  # codes of engine.solvers.annealing.parameters: they never change during a run
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


# The first state of a run, made without compiled code so that a screen can show it at once. It is the same, to the
# bit, as what the compiled `rules.fresh_state` makes; a test holds the two together.


HIGHEST = 2**62
"""An E that is above every E: the lowest of a plateau that was not."""


def new_state(puzzle: Puzzle, seed: int, neighbourhood: int, boxes: bool) -> AnnealState:
    """A state with the givens only, every free cell empty, at step 0 of its first attempt."""
    givens = np.array(puzzle.givens, np.uint8)
    grids = np.stack([givens, givens, (givens > 0).astype(np.uint8)])
    scalars = np.zeros(1, SCALARS)
    scalars[0]["neighbourhood"], scalars[0]["boxes"], scalars[0]["attempt"] = neighbourhood, boxes, 1
    return AnnealState(puzzle, seed, 0, grids, scalars)


def counted_units(state: AnnealState) -> tuple[Unit, ...]:
    """The units that E counts."""
    now = state.now
    return energy_units(state.puzzle, int(now["neighbourhood"]), bool(now["boxes"]))


def energy_of(state: AnnealState) -> int:
    """E of a full grid by the obvious definition: the surplus of the units that moves can disturb."""
    return energy.surplus(state.grid, counted_units(state))


def fill(state: AnnealState) -> None:
    """Write each group's missing values into its free cells in random order (Fisher-Yates, stream FILL)."""
    board = board_of_state(state)
    position = 0
    for first, last in zip(board.starts[:-1].tolist(), board.starts[1:].tolist(), strict=True):
        values = board.missing[first:last].tolist()
        state.cells[board.free[first:last]] = rng.shuffled(values, state.seed, rng.FILL, state.step, position)
        position += max(0, last - first - 1)


def board_of_state(state: AnnealState) -> Board:
    """The Board of the state's puzzle, fixed cells and neighbourhood."""
    now = state.now
    return board_of(state.puzzle, state.cells, state.fixed, int(now["neighbourhood"]), bool(now["boxes"]))


def first_attempt(state: AnnealState, t0: float) -> None:
    """Fill the state at its present step, and begin the first attempt at temperature t0 (0: none yet)."""
    fill(state)
    now = state.now
    e = energy_of(state)
    state.best[:] = state.cells
    for name in ("energy", "before", "best", "plateau_energy", "plateau_best", "minimum", "mark", "lowest"):
        now[name] = e
    for name in ("temperature", "base", "plateau_temperature"):
        now[name] = t0
    now["base_step"] = state.step
    now["previous_minimum"] = HIGHEST
    now["status"] = _status(state, e)


def _status(state: AnnealState, e: int) -> int:
    board = board_of_state(state)
    if e == 0:
        return SOLVED
    if len(board.moves) == 0:
        return NO_MOVES
    if state.now["neighbourhood"] != codes.CONFLICT_SWAP:
        return RUNNING
    movable = np.isin(energy.conflicts(state.puzzle, state.grid), board.movable).any()
    return RUNNING if movable else NOTHING_TO_PROPOSE


@functools.lru_cache(maxsize=32)
def keys(seed: int) -> Any:
    """The stream keys of a seed, as kernels take them."""
    return Keys(*(np.uint64(rng.stream_key(seed, stream)) for stream in (rng.MOVE, rng.WALK, rng.FILL)))
