"""Local search for populations: anneal one individual, with the kernels of the annealers.

The individual is a grid whose boxes are permutations; a proposal swaps two free cells of a box, and Metropolis decides.
Families differ in the stream they draw from and in how many steps of it one refinement owns, so that no two
refinements share a random word.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine import rng
from engine.puzzle import Puzzle
from engine.solvers.annealing import kernel
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing.board import board_of, make_workspace
from engine.solvers.annealing.workspace import Keys

UNLIMITED: Final = 2**62
LOG_ROOM: Final = 256
"""Log records that one call of a kernel can write; the log is not read."""

_AT_ENERGY: Final = ("energy", "before", "best", "plateau_energy", "plateau_best", "minimum", "previous_minimum",
                     "lowest", "mark")
_AT_TEMPERATURE: Final = ("temperature", "base", "plateau_temperature")


class Cooling(NamedTuple):
    """Exponential cooling: T ← alpha·T after every `moves` proposals."""

    alpha: float
    moves: int


class RefinementResult(NamedTuple):
    """The outcome of one annealing."""

    energy: int
    """E of the best grid met."""
    proposals: int
    """Made; fewer than asked for only if E = 0 was reached."""
    accepted: int
    temperature: float
    """T at its end."""


def refiner_values(cooling: Cooling | None) -> dict[str, float]:
    """The annealing Config of a refinement; without cooling T is constant. It has no floor, no restart and no budget.
    """
    values = {"t0": 1.0, "levels": 1, "at_floor": annealing.AT_FLOOR_HOLD, "rule": annealing.METROPOLIS,
              "max_steps": UNLIMITED}
    if cooling is None:
        return {**values, "schedule": annealing.CONSTANT, "alpha": 0.5, "moves": UNLIMITED}
    return {**values, "schedule": annealing.EXPONENTIAL, "alpha": cooling.alpha, "moves": cooling.moves}


class Refiner:
    """Anneals grids of one puzzle with the random words of one stream. Not for use by two threads at once."""

    def __init__(self, puzzle: Puzzle, seed: int, stream: int, cooling: Cooling | None = None) -> None:
        givens = np.array(puzzle.givens, np.uint8)
        fixed = (givens > 0).astype(np.uint8)
        board = board_of(puzzle, givens, fixed, annealing.BOX_SWAP, True)
        self._grids = np.stack([givens, givens, fixed])
        self._scalars = np.zeros(1, annealing.STATE_DTYPE)
        config = annealing.make_config(refiner_values(cooling))
        key = np.uint64(rng.stream_key(seed, stream))
        self._workspace = make_workspace((self._grids, self._scalars), config, board, Keys(key, key, key),
                                         log=annealing.make_log(LOG_ROOM))

    def refine(self, cells: npt.NDArray[Any], energy: int, first: int, proposals: int,
               temperature: float) -> RefinementResult:
        """Replace `cells` (int8 or uint8[n*n], with E = energy) by the best grid met in `proposals` proposals.

        It begins at `temperature`. Proposal i, counted from 1, draws the word of step first + i. Ends early at E = 0.
        """
        if energy == 0 or not len(self._workspace.board.moves):
            return RefinementResult(energy, 0, 0, temperature)
        self._grids[:2] = cells
        self._begin(energy, first, temperature)
        now = self._scalars[0]
        while now["status"] == annealing.RUNNING and (left := first + proposals - int(now["step"])) > 0:
            kernel.run(self._workspace, left)
        cells[:] = self._grids[1]
        return RefinementResult(int(now["best"]), int(now["step"]) - first, int(now["total_accepted"]),
                          float(now["temperature"]))

    def _begin(self, energy: int, step: int, temperature: float) -> None:
        """Make the record that of a search about to begin."""
        now = np.zeros((), annealing.STATE_DTYPE)
        for name in _AT_ENERGY:
            now[name] = energy
        for name in _AT_TEMPERATURE:
            now[name] = temperature
        now["step"] = now["base_step"] = step
        now["phase"], now["status"], now["attempt"] = annealing.SEARCH, annealing.RUNNING, 1
        now["neighbourhood"], now["boxes"] = annealing.BOX_SWAP, 1
        self._scalars[0] = now
