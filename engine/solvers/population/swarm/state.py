"""The state of a swarm: grids, one record of numbers, and the codes of what can happen in a step.

The first state of a run is made without compiled code, so that a screen can show it at once.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from engine import energy, rng
from engine.breakpoints import Stop
from engine.compiled.kernel import Int
from engine.puzzle import Puzzle, refuse_clashes
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing.board import board_of
from engine.solvers.annealing.workspace import Board
from engine.state import State

Grids = npt.NDArray[np.uint8]
"""[size, n*n]: a grid for each organism."""
Grid = npt.NDArray[np.uint8]
"""[n*n]"""
Energies = npt.NDArray[np.int32]
"""[size]: E of each organism."""
Record = npt.NDArray[np.void]
"""An array of one record (or more), as kernels take it."""
Layout = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16], npt.NDArray[np.uint8]]
"""(starts, free, missing) of a Board: the free cells of each box and the values that it lacks."""
StopCodes = tuple[int, int, int]
"""A Stop for kernels: (bits, E or -1, cell or -1)."""

RUNNING, SOLVED, ATTEMPTS_SPENT, BUDGET_SPENT, NO_MOVES = range(5)
"""The status of a run."""


class SwarmNumbers(annealing.Record):
    """The numbers of a state beside its organisms."""

    step: Int  # steps made, the same as State.step
    place: Int  # next: the turn of this organism; size: the merge; size + 1: the end of the epoch
    epoch: Int  # epochs complete in this attempt
    epochs: Int  # ... over the whole run
    attempt: Int  # counted from 1
    workers: Int  # organisms 0 to workers - 1 are workers, the others explore
    total: Int  # sum of all E
    leader: Int  # an organism with the least E now
    lowest: Int  # its E
    best: Int  # E of the best grid over the whole run
    guide: Int  # swarm-velocity: the particle whose pBest is gBest, the best of this attempt
    mark: Int  # least E of this attempt, up to the end of the last epoch
    stagnation: Int  # epochs since it fell, or since the share of workers was changed for it
    refining: Int  # organisms still to be annealed before the next epoch begins
    proposals: Int  # of annealers, over the whole run
    fresh: Int  # workers refilled over the whole run
    diversity: float  # at the end of the last epoch, or at the beginning of the attempt
    status: Int


class Config(annealing.Record):
    """Parameters as plain numbers."""

    size: Int
    workers: Int  # organisms that are workers (at the start, if that can change)
    grouped: Int  # 1: a worker draws a box, then a swap in it (draw = group)
    luck: Int  # a neighbour that is not better is taken if 32 random bits are below this
    patience: Int  # a worker with more refusals than this is refilled
    epochs: Int
    attempts: Int
    max_steps: Int
    stagnation: Int  # epochs without a new best of this attempt or a change before workers become explorers; 0: never
    drop: Int  # workers that become explorers then
    floor: Int  # workers that remain at least
    every: Int  # epochs between two phases of annealing; 0: none
    elite: Int  # workers that are annealed in such a phase
    inertia: float  # swarm-velocity: w, c1, c2
    own_pull: float
    best_pull: float


class Log(annealing.Record):
    """The log record of a step; which fields are set follows from its bits."""

    step: Int
    bits: Int
    who: Int  # the organism whose turn it was, that a merge went into, that was annealed
    a: Int  # the cells of the swap, and their values before it
    b: Int
    at_a: Int
    at_b: Int
    delta: Int
    draw: Int  # the 32 random bits that decided, -1 if none did
    before: Int  # of that organism
    energy: Int
    age: Int
    first: Int  # parents of a merge
    second: Int
    first_energy: Int
    second_energy: Int
    boxes: Int  # ... bit b is set if box b is from the second
    kept: Int  # a flight: swaps from w·v, towards pBest, towards gBest; E of pBest
    own: Int
    towards: Int
    own_best: Int
    best_before: Int
    best: Int
    attempt: Int
    lowest: Int
    fresh_best: Int
    worst: Int
    total: Int
    epochs: Int
    workers_before: Int
    workers: Int
    stagnation: Int
    diversity: float


SWARM: Final = annealing.record_dtype(SwarmNumbers)
CONFIG: Final = annealing.record_dtype(Config)
LOG: Final = annealing.record_dtype(Log)

BEST, RESTART, SHIFTED, DONE, FRESH_BEST = 1, 2, 4, 8, 16
"""Bits of a log record, each with its own event. FRESH_BEST: a restart found a new best."""
IMPROVED, LUCK, REFUSED, FRESH, MERGED, EPOCH, REFINED = 32, 64, 128, 256, 512, 1024, 2048
"""The kind of step: four outcomes of a turn, a merge, the end of an epoch, an organism annealed."""
WORKER, EXPLORER = 4096, 8192
"""The caste of the organism."""
FLIGHT, EQUAL, UPHILL = 16384, 32768, 65536
"""A particle of swarm-velocity flew; its E stayed (IMPROVED: it fell). E of a particle or of a worker rose."""
RARE: Final = BEST | RESTART | SHIFTED | DONE | FRESH_BEST | REFINED
"""Bits that `advance` must report."""

BITS: Final[dict[str, int]] = {
    "best": BEST | FRESH_BEST, "restart": RESTART, "shifted": SHIFTED, "improved": IMPROVED, "luck": LUCK,
    "refused": REFUSED, "fresh": FRESH, "accepted": IMPROVED | LUCK, "turn": IMPROVED | LUCK | REFUSED | FRESH,
    "flight": FLIGHT, "equal": EQUAL, "uphill": UPHILL,
    "worker": WORKER, "explorer": EXPLORER, "merged": MERGED, "generation": EPOCH, "refined": REFINED,
}
"""The bits of each kind of event; the end of a run halts anyway."""


def stop_codes(stop: Stop) -> StopCodes:
    """The codes of a Stop."""
    bits = 0
    for kind in stop.kinds:
        bits |= BITS.get(kind, 0)
    return bits, -1 if stop.energy is None else stop.energy, -1 if stop.cell is None else stop.cell


def config_record(values: Mapping[str, float]) -> Record:
    """One record of CONFIG; fields that are not named are 0."""
    record = np.zeros(1, CONFIG)
    for name, value in values.items():
        record[0][name] = value
    return record


REFINE: Final = 16
"""Stream of the proposals that refine an organism; further ones up to ORGANISM belong to other swarms."""
MOST_PROPOSALS: Final = 2**15
"""The most of one refinement; that of step k draws the words of steps k * 2^15 + 1, + 2, ... of the stream REFINE."""
ORGANISM: Final = 32
"""The fresh grids of organism k are drawn from stream ORGANISM + k."""


@dataclass
class SwarmState(State):
    """Organisms and one record of numbers. A grid respects the givens, and its boxes are permutations."""

    genes: npt.NDArray[np.uint8]
    """uint8[size, n*n]"""
    energies: npt.NDArray[np.int32]
    """int32[size]: values missing in rows and columns (and diagonals), of each."""
    ages: npt.NDArray[np.int32]
    """int32[size]: refusals of each worker since it last improved."""
    best_grid: npt.NDArray[np.uint8]
    """uint8[n*n]: the best grid over the whole run."""
    elite: npt.NDArray[np.int32]
    """int32[elite]: the last `refining` of these organisms will be annealed, in this order."""
    scalars: npt.NDArray[np.void]
    """One record of SWARM."""

    @property
    def now(self) -> SwarmNumbers:
        """The record of SWARM, with fields by name."""
        return cast(SwarmNumbers, self.scalars[0])

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


def next_refined(state: SwarmState) -> int:
    """The organism that is annealed next, if any is."""
    return int(state.elite[len(state.elite) - int(state.now["refining"])])


def new_state(puzzle: Puzzle, seed: int, size: int, workers: int, elite: int) -> SwarmState:
    """A swarm of fresh grids at step 0. Raises PuzzleError if givens contradict each other."""
    refuse_clashes(puzzle)
    genes = np.array([fresh(puzzle, seed, k) for k in range(size)], np.uint8)
    energies = box_energies(puzzle, genes)
    record = np.zeros(1, SWARM)
    now = record[0]
    leader = int(energies.argmin())
    now["attempt"], now["workers"], now["total"], now["leader"] = 1, workers, int(energies.sum()), leader
    for name in ("lowest", "best", "mark"):
        now[name] = energies[leader]
    now["diversity"] = len(np.unique(genes, axis=0)) / size
    if not energies[leader]:
        now["status"] = SOLVED
    elif not len(board(puzzle).moves):
        now["status"] = NO_MOVES
    return SwarmState(puzzle, seed, 0, genes, energies, np.zeros(size, np.int32), genes[leader].copy(),
                      np.zeros(elite, np.int32), record)


def fresh(puzzle: Puzzle, seed: int, k: int, step: int = 0) -> npt.NDArray[np.uint8]:
    """The random grid that organism k gets at a step: uint8[n*n], the same as the kernel `refill` makes."""
    made = board(puzzle)
    cells = np.array(puzzle.givens, np.uint8)
    position = 0
    for first, last in zip(made.starts[:-1].tolist(), made.starts[1:].tolist(), strict=True):
        values = made.missing[first:last].tolist()
        cells[made.free[first:last]] = rng.shuffled(values, seed, ORGANISM + k, step, position)
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


def layout(board: Board) -> Layout:
    """The Layout of a Board."""
    return board.starts, board.free, board.missing


@functools.lru_cache(maxsize=32)
def box_of(n: int, side: int) -> npt.NDArray[np.int64]:
    """int64[n*n]: the box of each cell."""
    return np.array([cell // n // side * side + cell % n // side for cell in range(n * n)], np.int64)


class Keys(NamedTuple):
    """Keys of the random streams of a swarm."""

    fills: npt.NDArray[np.uint64]
    """[size]: of the fresh grids of each organism."""
    move: np.uint64
    choice: np.uint64


@functools.lru_cache(maxsize=32)
def stream_keys(seed: int, size: int) -> Keys:
    """The Keys of a run."""
    fills = np.array([rng.stream_key(seed, ORGANISM + k) for k in range(size)], np.uint64)
    return Keys(fills, np.uint64(rng.stream_key(seed, rng.MOVE)), np.uint64(rng.stream_key(seed, rng.CHOICE)))
