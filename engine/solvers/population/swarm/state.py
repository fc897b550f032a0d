"""The state of a swarm, and the first one of a run, made without compiled code so that a screen can show it at once."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine import energy, rng
from engine.puzzle import Puzzle, refuse_clashes
from engine.solver import Stop
from engine.solvers.annealing import parameters as annealing
from engine.solvers.annealing.neighbourhood import Board, board_of
from engine.state import State

# What the compiled swarm reads and writes beside its grids: records of plain numbers, codes, bits.


RUNNING, SOLVED, ATTEMPTS_SPENT, BUDGET_SPENT, NO_MOVES = range(5)
"""How a run stands, or how it ended."""

SWARM: Final = np.dtype([
    ("step", "<i8"),  # steps made, the same as State.step
    ("place", "<i8"),  # whose turn is next: an organism, or size for the merge, size + 1 for the end of the epoch
    ("epoch", "<i8"),  # epochs complete in this attempt
    ("epochs", "<i8"),  # ... over the whole run
    ("attempt", "<i8"),  # counted from 1
    ("workers", "<i8"),  # organisms 0 to workers - 1 are workers, the others explore
    ("total", "<i8"),  # sum of all E
    ("leader", "<i8"),  # an organism with the least E now
    ("lowest", "<i8"),  # its E
    ("best", "<i8"),  # E of the best grid over the whole run
    ("guide", "<i8"),  # swarm-velocity: whose own best grid is the best of this attempt
    ("mark", "<i8"),  # least E in this attempt up to the end of the last epoch
    ("stagnation", "<i8"),  # epochs since it fell, or since the share of workers was changed for it
    ("refining", "<i8"),  # how many organisms are still to be annealed before the next epoch begins
    ("proposals", "<i8"),  # of annealers, over the whole run
    ("fresh", "<i8"),  # workers filled anew over the whole run
    ("diversity", "<f8"),  # at the end of the last epoch
    ("status", "<i8"),
])
"""One record of these is all that a swarm knows beside its organisms."""

CONFIG: Final = np.dtype([
    ("size", "<i8"),
    ("workers", "<i8"),  # how many organisms work (at the start, where that may change)
    ("luck", "<i8"),  # a neighbour that is not better is taken if a draw of 32 bits is below this
    ("patience", "<i8"),  # more refusals than this: filled anew
    ("epochs", "<i8"),
    ("attempts", "<i8"),
    ("max_steps", "<i8"),
    ("stagnation", "<i8"),  # epochs without a better best before workers become explorers; 0: never
    ("drop", "<i8"),  # how many do then
    ("floor", "<i8"),  # and how many workers remain at least
    ("every", "<i8"),  # epochs between two phases of annealing; 0: none
    ("elite", "<i8"),  # how many workers are annealed then
    ("inertia", "<f8"), ("own_pull", "<f8"), ("best_pull", "<f8"),  # swarm-velocity: w, c1, c2
])
"""Parameters as plain numbers."""

BEST, RESTART, SHIFTED, DONE, FRESH_BEST = 1, 2, 4, 8, 16
"""What may happen in a step, and is told by an event of its own; FRESH_BEST: a restart found a new best."""
IMPROVED, LUCK, REFUSED, FRESH, MERGED, EPOCH, REFINED = 32, 64, 128, 256, 512, 1024, 2048
"""What a step was: a turn that ended in one of four ways, a merge, the end of an epoch, an organism annealed."""
WORKER, EXPLORER = 4096, 8192
"""Whose turn it was."""
FLIGHT, EQUAL, UPHILL = 16384, 32768, 65536
"""A particle flew; its E stayed, or rose (IMPROVED: it fell)."""
RARE: Final = BEST | RESTART | SHIFTED | DONE | FRESH_BEST | REFINED

BITS: Final[dict[str, int]] = {
    "best": BEST | FRESH_BEST, "restart": RESTART, "shifted": SHIFTED, "improved": IMPROVED, "luck": LUCK,
    "refused": REFUSED, "fresh": FRESH, "accepted": IMPROVED | LUCK, "turn": IMPROVED | LUCK | REFUSED | FRESH,
    "flight": FLIGHT, "equal": EQUAL, "uphill": UPHILL,
    "worker": WORKER, "explorer": EXPLORER, "merged": MERGED, "generation": EPOCH, "refined": REFINED,
}
"""The bits of each kind of event; the end of a run halts anyway."""

HAPPENED: Final = np.dtype([
    ("step", "<i8"),
    ("bits", "<i8"),
    ("who", "<i8"),  # the organism whose turn it was, that a merge went into, that was annealed
    ("a", "<i8"), ("b", "<i8"), ("at_a", "<i8"), ("at_b", "<i8"),  # the cells of the swap and what stood there
    ("delta", "<i8"),
    ("draw", "<i8"),  # the 32 bits that decided, -1 where none did
    ("before", "<i8"), ("energy", "<i8"), ("age", "<i8"),  # of that organism
    ("first", "<i8"), ("second", "<i8"), ("first_energy", "<i8"), ("second_energy", "<i8"),  # parents of a merge
    ("boxes", "<i8"),  # ... bit b: box b is from the second
    ("kept", "<i8"), ("own", "<i8"), ("towards", "<i8"), ("own_best", "<i8"),  # a flight: where its swaps are from
    ("best_before", "<i8"), ("best", "<i8"),
    ("attempt", "<i8"), ("lowest", "<i8"), ("fresh_best", "<i8"), ("worst", "<i8"), ("total", "<i8"), ("epochs", "<i8"),
    ("workers_before", "<i8"), ("workers", "<i8"), ("stagnation", "<i8"),
    ("diversity", "<f8"),
])
"""One record tells what happened in one step."""

Record = npt.NDArray[np.void]


def watched(stop: Stop) -> tuple[int, int, int]:
    """(bits to halt at, the E to halt at or -1, the cell or -1) of a Stop."""
    bits = 0
    for kind in stop.kinds:
        bits |= BITS.get(kind, 0)
    return bits, -1 if stop.energy is None else stop.energy, -1 if stop.cell is None else stop.cell


def config(values: Mapping[str, float]) -> Record:
    """A record of CONFIG; what is not named is 0."""
    record = np.zeros(1, CONFIG)
    for name, value in values.items():
        record[0][name] = value
    return record


REFINE: Final = 16
"""Stream of the proposals that refine an organism; further ones up to ORGANISM belong to other swarms."""
MOST_PROPOSALS: Final = 2**15
"""Of one refinement: that of step k draws the words of steps k * 2^15 + 1, + 2, ... of the stream REFINE."""
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
