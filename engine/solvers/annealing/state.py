"""The state of an annealer, and the first grid of a run.

Only what cannot be derived is kept, a few hundred bytes, so that a state can be copied, digested and compared. Count
tables, thresholds and lists of moves are rebuilt for every call (`board`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from engine import energy, rng
from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing.board import board_of, make_workspace, stream_keys
from engine.solvers.annealing.neighbourhood import energy_units
from engine.solvers.annealing.parameters import (
    CONFLICT_SWAP,
    HIGHEST,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    RUNNING,
    SOLVED,
    STATE_DTYPE,
    Config,
    Records,
    SearchState,
    Watch,
)
from engine.solvers.annealing.workspace import Board, Cells, Grids, Workspace
from engine.state import State


@dataclass
class AnnealState(State):
    """Three grids and one record."""

    grids: Grids
    """uint8[3, n*n]: the cells, the best grid of the run, and 1 for every fixed cell (a given, or a propagated one)."""
    scalars: Records
    """SearchState[1]."""

    @property
    def cells(self) -> Cells:
        return cast(Cells, self.grids[0])

    @property
    def best(self) -> Cells:
        return cast(Cells, self.grids[1])

    @property
    def fixed(self) -> Cells:
        return cast(Cells, self.grids[2])

    @property
    def now(self) -> SearchState:
        """The record, shared with the state: `state.now["energy"]` can be read and written."""
        return cast(SearchState, self.scalars[0])

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.grids[0].tolist())

    @property
    def energy(self) -> int:
        return int(self.scalars[0]["energy"])

    def sync(self) -> None:
        """Copy `step` from the record, after a kernel has changed it."""
        self.step = int(self.scalars[0]["step"])


def board_of_state(state: AnnealState) -> Board:
    """The Board of the state's puzzle, fixed cells and neighbourhood."""
    now = state.now
    return board_of(state.puzzle, state.cells, state.fixed, int(now["neighbourhood"]), bool(now["boxes"]))


def workspace_of(state: AnnealState, config: Config, watch: Watch | None = None,
                 log: Records | None = None) -> Workspace:
    """A Workspace over the state itself (see `make_workspace`)."""
    return make_workspace((state.grids, state.scalars), config, board_of_state(state), stream_keys(state.seed),
                          watch, log)


def new_state(puzzle: Puzzle, seed: int, neighbourhood: int, boxes: bool) -> AnnealState:
    """A state with the givens only, every free cell empty, at step 0 of the first attempt."""
    givens = np.array(puzzle.givens, np.uint8)
    grids = np.stack([givens, givens, (givens > 0).astype(np.uint8)])
    scalars = np.zeros(1, STATE_DTYPE)
    scalars[0]["neighbourhood"], scalars[0]["boxes"], scalars[0]["attempt"] = neighbourhood, boxes, 1
    return AnnealState(puzzle, seed, 0, grids, scalars)


def first_attempt(state: AnnealState, t0: float) -> None:
    """Fill the state at random and begin the first attempt at temperature t0 (0: to be calibrated).

    Bit for bit what `rules.random_restart` does, without compiled code, so that a screen can show it at once.
    """
    fill(state)
    begin_attempt(state, t0)


def begin_attempt(state: AnnealState, t0: float) -> None:
    """Begin the first attempt with the grid as it is, at temperature t0."""
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


def fill(state: AnnealState) -> None:
    """Write the values that each group misses into its free cells in random order (stream FILL, Fisher-Yates)."""
    board = board_of_state(state)
    position = 0
    for first, last in zip(board.starts[:-1].tolist(), board.starts[1:].tolist(), strict=True):
        values = board.missing[first:last].tolist()
        state.cells[board.free[first:last]] = rng.shuffled(values, state.seed, rng.FILL, state.step, position)
        position += max(0, last - first - 1)


def energy_of(state: AnnealState) -> int:
    """E of a full grid by definition: the surplus of the units that E counts."""
    return energy.surplus(state.grid, counted_units(state))


def counted_units(state: AnnealState) -> tuple[Unit, ...]:
    """The units that E counts."""
    now = state.now
    return energy_units(state.puzzle, int(now["neighbourhood"]), bool(now["boxes"]))


def _status(state: AnnealState, e: int) -> int:
    board = board_of_state(state)
    if e == 0:
        return SOLVED
    if len(board.moves) == 0:
        return NO_MOVES
    if state.now["neighbourhood"] != CONFLICT_SWAP:
        return RUNNING
    movable = np.isin(energy.conflicts(state.puzzle, state.grid), board.movable).any()
    return RUNNING if movable else NOTHING_TO_PROPOSE
