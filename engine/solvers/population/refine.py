"""A child goes on by annealing at a constant temperature: the proposals, verdicts and kernels of the annealers.

The proposals of the child born at step k draw from words of their own: those of the steps k * 2^20 + 1, + 2, ... of the
stream REFINING.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine import rng
from engine.puzzle import Puzzle
from engine.solver import NEVER
from engine.solvers.annealing import kernel, packed_kernel
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.neighbourhood import Keys, board_of
from engine.solvers.annealing.parameters import HAPPENED, RUNNING, SEARCH
from engine.solvers.annealing.state import SCALARS
from engine.solvers.population.genetic.chromosome import REFINING
from engine.solvers.population.swarm.state import REFINE, board

SHIFT: Final = 20
MOST_PROPOSALS: Final = 2**SHIFT - 1
ENDLESS: Final = 2**62
BUFFER: Final = 256


class Refiner:
    """Anneals grids of one puzzle whose boxes are permutations."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        givens = np.array(puzzle.givens, np.uint8)
        fixed = (givens > 0).astype(np.uint8)
        self.board = board_of(puzzle, givens, fixed, codes.BOX_SWAP, True)
        self._grids = np.stack([givens, givens, fixed])
        self._now = np.zeros(1, SCALARS)
        self._config = codes.config({"schedule": codes.CONSTANT, "t0": 1.0, "alpha": 0.5, "moves": ENDLESS, "levels": 1,
                                     "at_floor": codes.AT_FLOOR_HOLD, "judge": codes.METROPOLIS, "max_steps": ENDLESS})
        self._records = (self._config, codes.watch(NEVER), np.zeros(BUFFER, HAPPENED))
        key = np.uint64(rng.stream_key(seed, REFINING))
        self._keys = Keys(key, key, key)
        self._packed = packed_kernel.suits(puzzle, self._begin(0, 0, 1.0), self._config)
        self._words = packed_kernel.words_of(self.board, True) if self._packed else None

    def _begin(self, energy: int, step: int, temperature: float) -> Any:
        """The record of a search that is about to begin."""
        self._now[0] = np.zeros((), SCALARS)
        now = self._now[0]
        now["step"], now["temperature"], now["base"] = step, temperature, temperature
        for name in ("energy", "before", "best", "minimum", "lowest", "mark", "plateau_energy", "plateau_best"):
            now[name] = energy
        now["phase"], now["status"], now["neighbourhood"], now["boxes"] = SEARCH, RUNNING, codes.BOX_SWAP, 1
        return self._now

    def refine(self, cells: Any, energy: int, born: int, proposals: int, temperature: float) -> tuple[int, int]:
        """Make up to so many proposals on a grid (int8[n*n]) with this E, and leave the best one met in it: (its E,
        proposals accepted). Ends early at E = 0. born: the step at which the child was."""
        if energy == 0 or not len(self.board.moves):
            return energy, 0
        self._grids[:2] = cells
        first = born << SHIFT
        now = self._begin(energy, first, temperature)[0]
        while now["step"] < first + proposals and now["status"] == RUNNING:
            self._run(int(first + proposals - now["step"]))
        cells[:] = self._grids[1]
        return int(now["best"]), int(now["total_accepted"])

    def _run(self, n: int) -> None:
        arrays = (self._grids, self._now)
        if self._packed:
            packed_kernel.run(arrays, self._records, (self.board, self._words, self._keys), packed_kernel.NO_LOG, n)
        else:
            kernel.run(arrays, self._records, self.board, self._keys, n)


# An organism refined by annealing at one temperature, by the kernels of the annealers.


MOST: Final = 2**15
"""Proposals that one refinement has at most: it owns so many steps of its stream."""
_ROOM: Final = 64


class Refinement(NamedTuple):
    """What an annealing came to."""

    cells: npt.NDArray[np.uint8]
    """uint8[n*n]: the best grid it met."""
    energy: int
    proposals: int
    """Made: all that were asked for, unless it came to E = 0."""
    accepted: int


def refine(puzzle: Puzzle, seed: int, step: int, start: tuple[npt.NDArray[np.uint8], int],
           by: tuple[int, float]) -> Refinement:
    """Anneal start = (cells uint8[n*n], their E) by box swaps, by = (proposals, at most MOST; temperature).

    The proposals of a step draw the words of the steps step * MOST + 1 and following of the stream REFINE.
    """
    cells, energy = start
    proposals, temperature = by
    fixed = (np.array(puzzle.givens) > 0).astype(np.uint8)
    grids, scalars = np.stack([cells, cells, fixed]), _scalars(energy, temperature, step * MOST)
    config = annealing.config({"schedule": annealing.CONSTANT, "t0": temperature, "moves": proposals + 1, "levels": 1,
                               "at_floor": annealing.AT_FLOOR_HOLD, "attempts": 1, "judge": annealing.METROPOLIS,
                               "max_steps": 2**62})
    key = np.uint64(rng.stream_key(seed, REFINE))
    layout, keys, s = board(puzzle), Keys(key, key, key), scalars[0]
    records = (config, annealing.watch(NEVER), np.zeros(_ROOM, HAPPENED))
    fast = packed_kernel.suits(puzzle, scalars, config)
    while s["status"] == RUNNING and (left := step * MOST + proposals - int(s["step"])) > 0:
        if fast:
            packed_kernel.run((grids, scalars), records, (layout, packed_kernel.words_of(layout, True), keys),
                              packed_kernel.NO_LOG, left)
        else:
            kernel.run((grids, scalars), records, layout, keys, left)
    return Refinement(grids[1], int(s["best"]), int(s["step"]) - step * MOST, int(s["total_accepted"]))


def _scalars(energy: int, temperature: float, step: int) -> Any:
    """The record of an annealer in its search at this energy and temperature."""
    record = np.zeros(1, SCALARS)
    now = record[0]
    for name in ("energy", "before", "best", "plateau_energy", "plateau_best", "minimum", "previous_minimum", "lowest",
                 "mark"):
        now[name] = energy
    for name in ("temperature", "base", "plateau_temperature"):
        now[name] = temperature
    now["step"] = now["base_step"] = step
    now["phase"], now["neighbourhood"], now["boxes"], now["attempt"] = SEARCH, annealing.BOX_SWAP, 1, 1
    return record
