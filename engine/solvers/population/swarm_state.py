"""The state of a swarm, and the first one of a run, made without compiled code so that a screen can show it at once."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine import energy, rng
from engine.puzzle import Puzzle
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing.neighbourhood import Board, board_of
from engine.solvers.annealing.state import refuse_clashes
from engine.solvers.population import swarm_codes as codes
from engine.state import State

REFINE: Final = 16
"""Stream of the proposals that refine an organism; further ones up to ORGANISM belong to other swarms."""
ORGANISM: Final = 32
"""The fresh grids of organism k are drawn from stream ORGANISM + k."""


@dataclass
class SwarmState(State):
    """Organisms, each a grid whose boxes are permutations that respect the givens, and one record."""

    genes: npt.NDArray[np.uint8]
    """uint8[size, n*n]"""
    energies: npt.NDArray[np.int32]
    """int32[size]: values missing in rows and columns (and diagonals), of each."""
    ages: npt.NDArray[np.int32]
    """int32[size]: refusals since it last improved; a worker's."""
    best_grid: npt.NDArray[np.uint8]
    """uint8[n*n]: the best grid over the whole run."""
    elite: npt.NDArray[np.int32]
    """int32[elite]: the organisms that are being annealed, in this order; empty where none ever is."""
    scalars: npt.NDArray[np.void]
    """One record of SWARM."""

    @property
    def now(self) -> Any:
        return self.scalars[0]

    @property
    def grid(self) -> tuple[int, ...]:
        """The grid of the best organism now."""
        return tuple(self.genes[int(self.now["leader"])].tolist())

    @property
    def energy(self) -> int:
        """E of the best organism now."""
        return int(self.now["lowest"])

    def sync(self) -> None:
        """Take `step` over from the record, after a kernel has changed it."""
        self.step = int(self.now["step"])


def new_state(puzzle: Puzzle, seed: int, size: int, workers: int, elite: int) -> SwarmState:
    """A swarm of fresh grids at step 0. Raises PuzzleError if givens contradict each other."""
    refuse_clashes(puzzle)
    genes = np.array([fresh(puzzle, seed, k) for k in range(size)], np.uint8)
    energies = box_energies(puzzle, genes)
    record = np.zeros(1, codes.SWARM)
    now = record[0]
    leader = int(energies.argmin())
    now["attempt"], now["workers"], now["total"], now["leader"] = 1, workers, int(energies.sum()), leader
    for name in ("lowest", "best", "mark"):
        now[name] = energies[leader]
    now["diversity"] = len(np.unique(genes, axis=0)) / size
    if not energies[leader]:
        now["status"] = codes.SOLVED
    elif not len(board(puzzle).moves):
        now["status"] = codes.NO_MOVES
    return SwarmState(puzzle, seed, 0, genes, energies, np.zeros(size, np.int32), genes[leader].copy(),
                      np.zeros(elite, np.int32), record)


def fresh(puzzle: Puzzle, seed: int, k: int, step: int = 0) -> npt.NDArray[np.uint8]:
    """The fresh grid that organism k gets at a step: uint8[n*n], as the compiled `fill_anew` makes it."""
    layout = board(puzzle)
    cells = np.array(puzzle.givens, np.uint8)
    position = 0
    for first, last in zip(layout.starts[:-1].tolist(), layout.starts[1:].tolist(), strict=True):
        values = layout.missing[first:last].tolist()
        cells[layout.free[first:last]] = rng.shuffled(values, seed, ORGANISM + k, step, position)
        position += max(0, last - first - 1)
    return cells


def box_energies(puzzle: Puzzle, genes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """int32[size]: E of every grid whose boxes are permutations, as energy.box_state_energy counts it."""
    return np.array([energy.box_state_energy(puzzle, cells) for cells in genes.tolist()], np.int32)


@functools.lru_cache(maxsize=32)
def board(puzzle: Puzzle) -> Board:
    """The Board of box swaps."""
    givens = np.array(puzzle.givens, np.uint8)
    return board_of(puzzle, givens, (givens > 0).astype(np.uint8), annealing.BOX_SWAP, True)


@functools.lru_cache(maxsize=32)
def layout(puzzle: Puzzle) -> tuple[Any, ...]:
    """The parts of the Board, as the kernels of swarms take them."""
    made = board(puzzle)
    n, side = puzzle.n, puzzle.box
    box_of = np.array([cell // n // side * side + cell % n // side for cell in range(n * n)], np.int64)
    return made.moves, made.pairs, made.units, (made.starts, made.free, made.missing), box_of, made.size, n


@functools.lru_cache(maxsize=32)
def keys(seed: int, size: int) -> tuple[npt.NDArray[np.uint64], np.uint64, np.uint64]:
    """Keys of the streams: of the organisms, of proposals, of merges."""
    fills = np.array([rng.stream_key(seed, ORGANISM + k) for k in range(size)], np.uint64)
    return fills, np.uint64(rng.stream_key(seed, rng.MOVE)), np.uint64(rng.stream_key(seed, rng.CHOICE))
