"""An organism refined by annealing at one temperature, by the kernels of the annealers."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine import rng
from engine.puzzle import Puzzle
from engine.solver import NEVER
from engine.solvers.annealing import kernel, packed_kernel
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing.neighbourhood import Keys
from engine.solvers.annealing.parameters import HAPPENED, RUNNING, SEARCH
from engine.solvers.annealing.state import SCALARS
from engine.solvers.population.swarm_state import REFINE, board

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
            packed_kernel.run((grids, scalars), records, (layout, packed_kernel.words_of(layout, True), keys), packed_kernel.NO_LOG, left)
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
