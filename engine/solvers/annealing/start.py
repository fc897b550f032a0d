"""The first state of a run, made without compiled code so that a screen can show it at once.

It is the same, to the bit, as what the compiled `rules.fresh_state` makes; a test holds the two together.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from engine import energy, rng
from engine.errors import PuzzleError
from engine.puzzle import Puzzle, Unit, cell_name
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.moves import Keys
from engine.solvers.annealing.neighbourhood import Board, board_of, energy_units
from engine.solvers.annealing.state import NO_MOVES, NOTHING_TO_PROPOSE, RUNNING, SCALARS, SOLVED, AnnealState

HIGHEST = 2**62
"""An E that is above every E: the lowest of a plateau that was not."""


def refuse_clashes(puzzle: Puzzle) -> None:
    """Raises PuzzleError, naming unit and cells, if givens contradict each other: no state can respect them."""
    for clash in puzzle.clashes():
        cells = " and ".join(cell_name(cell, puzzle.n) for cell in clash.cells)
        raise PuzzleError(f"the givens contradict each other: {clash.unit.name} holds {clash.value} in {cells}; "
                          f"expected each value at most once")


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
