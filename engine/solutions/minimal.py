"""Random full grids, and minimal puzzles: puzzles with one solution that lose it when any clue is removed.

Everything is drawn from (seed, number): the same puzzle on any machine, and number k without those before it.

Clues are removed in a random order, for as long as the solution stays unique. They are removed by orbits, cells that
go together, so that a puzzle can keep a symmetry; orbits of one cell each make puzzles that are minimal in the strict
sense. The result is that of trying one orbit after the other. It takes less time because a second solution shows which
removals are to blame: it differs from the grid at some removed cells, and the orbit of the last of them in the order
cannot be removed with those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import rng
from engine.compiled.kernel import Int, below, kernel, word_at
from engine.puzzle import Puzzle, Variant
from engine.solutions import BUDGET, Grid, Stop, never, unique
from engine.solutions.bitboard import DEAD, FULL, OPEN, PAIRS, Stack, branch_at, propagate, search, set_up, write
from engine.solutions.search_counters import DEPTH, FOUND, Counters
from engine.solutions.stack import MaskStack, bitboard_arrays

Values: TypeAlias = NDArray[np.uint8]
"""uint8[81] or uint8[k, 81]: cells of one grid or of k grids, 0 = free."""
OrbitTable: TypeAlias = NDArray[np.int16]
"""int16[m, w]: the cells of each orbit, padded with -1."""
Scratch: TypeAlias = tuple[Stack, Counters, OrbitTable, Values]
"""Work space of the kernels: the stack and the counters of a search, a table of orbits, a grid."""

STREAM: Final = 16
"""The stream of grids and of the order in which clues are removed."""
ATTEMPTS: Final = 64
GUESSES: Final = 4_000
"""Guesses after which a random filling of a large board is restarted."""

Orbits = Sequence[Sequence[int]]
"""Groups of cells that are removed together; every cell is in exactly one."""

ORDER_WORDS: Final = 2**15
"""Random words of a puzzle from this one on order its orbits; those before draw its grid."""

FEWEST: Final = 17
"""No puzzle with fewer clues has one solution (McGuire, Tugemann & Civario, "There Is No 16-Clue Sudoku", 2014)."""
PATIENCE: Final = 256
"""Guesses after which a random filling is restarted: a few bad starts would take very long."""
NO_BUDGET: Final = np.int64(1 << 60)


def make(seed: int, first: int, count: int, orbits: Orbits | None = None) -> tuple[Values, Values]:
    """Minimal classic 9x9 puzzles number first ... first + count - 1 of a seed, and their solutions: uint8[count, 81].

    Each has one solution, and several if any of its orbits is removed. By default each cell is an orbit.
    """
    table = _table(orbits or [(cell,) for cell in range(81)])
    puzzles, grids = np.empty((count, 81), np.uint8), np.empty((count, 81), np.uint8)
    scratch = (*bitboard_arrays(), table.copy(), np.empty(81, np.uint8))
    make_puzzles(np.uint64(rng.stream_key(seed, STREAM)), first, table, puzzles, grids, scratch)
    return puzzles, grids


def full_grid(seed: int, number: int, box: int = 3, variant: Variant = "classic") -> Grid:
    """The random full grid of this number: on classic 9x9 the solution of the puzzle that `make` gives."""
    if box == 3 and variant == "classic":
        return _classic_grid(seed, number)
    empty = Puzzle((0,) * box**4, box, variant)
    for attempt in range(ATTEMPTS):
        grid = MaskStack(empty, rng.draw(seed, STREAM, number, attempt) | 1).search(1, GUESSES)
        if grid is not None:
            return grid
    grid = MaskStack(empty).search(1, 2**62)  # not random, it takes less than a thousand guesses
    assert grid is not None
    return grid


def _classic_grid(seed: int, number: int) -> Grid:
    cells = np.empty(81, np.uint8)
    random_grid(np.uint64(rng.stream_key(seed, STREAM)), number, bitboard_arrays()[0], cells)
    return tuple(cells.tolist())


def reduce(puzzle: Puzzle, orbits: Iterable[Sequence[int]], budget: int = BUDGET, stop: Stop = never) -> Puzzle:
    """Remove the clues of each orbit, one after the other, if the solution stays unique; any size and variant.

    An orbit is kept if uniqueness cannot be decided within the budget of guesses, or if `stop` returns True before its
    turn: a puzzle with one solution always stays one.
    """
    for orbit in orbits:
        if stop():
            break
        gone = set(orbit)
        fewer = Puzzle(tuple(0 if cell in gone else value for cell, value in enumerate(puzzle.givens)), puzzle.box,
                       puzzle.variant)
        if unique(fewer, budget, stop):
            puzzle = fewer
    return puzzle


def _table(orbits: Orbits) -> OrbitTable:
    """The orbits as rows, padded with -1. Raises ValueError unless every cell is in exactly one."""
    if sorted(cell for orbit in orbits for cell in orbit) != list(range(81)):
        raise ValueError("orbits of cells: expected each of the 81 cells in exactly one of them")
    width = max(map(len, orbits))
    return np.array([[*orbit, *[-1] * (width - len(orbit))] for orbit in orbits], np.int16)


# The kernels


@kernel
def first_from(cells: Int, turn: Int) -> Int:
    """The first of some cells of a band from bit `turn` on; the first of all if there is none."""
    later = cells >> turn << turn
    return later & -later if later else cells & -cells


@kernel
def random_branch(stack: Stack, at: Int, word: np.uint64) -> None:
    """Guess a random candidate of a random cell, one with two candidates if there is any."""
    which = OPEN
    for k in range(3):
        if stack[at, PAIRS + k] & stack[at, OPEN + k]:
            which = PAIRS
    turn = np.int64(below(word, np.uint64(27 * 27)))
    band: Int = turn % 3
    digit: Int = turn // 3 % 9
    while stack[at, which + band] & stack[at, OPEN + band] == 0:
        band = band + 1 if band < 2 else 0
    cell = first_from(stack[at, which + band] & stack[at, OPEN + band], turn // 27)
    while stack[at, 9 * band + digit] & cell == 0:
        digit = digit + 1 if digit < 8 else 0
    branch_at(stack, at, band, digit, cell)


@kernel
def random_grid(key: np.uint64, number: Int, stack: Stack, cells: Values) -> None:
    """Fill `cells` with the grid of this number in the stream. Every grid can be drawn, not all equally often."""
    for cell in range(81):
        cells[cell] = 0
    set_up(stack, cells)
    depth, drawn = np.int64(0), np.int64(0)
    progress = propagate(stack, depth)
    while progress != FULL:
        if progress == DEAD:
            depth -= 1
        elif depth > 0 and drawn % PATIENCE == 0:
            set_up(stack, cells)
            depth = np.int64(0)
        else:
            random_branch(stack, depth, word_at(key, number, drawn % ORDER_WORDS))
            drawn += 1
            depth += 1
        progress = propagate(stack, depth)
    write(stack, depth, cells)


@kernel
def shuffle(key: np.uint64, number: Int, orbits: OrbitTable) -> None:
    """Order the rows of `orbits` randomly (Fisher-Yates), for this number in the stream."""
    for k in range(orbits.shape[0] - 1, 0, -1):
        j = np.int64(below(word_at(key, number, ORDER_WORDS + k), np.uint64(k + 1)))
        for i in range(orbits.shape[1]):
            orbits[k, i], orbits[j, i] = orbits[j, i], orbits[k, i]


@kernel
def has_other_solution(clues: Values, grid: Values, cell: Int, scratch: Scratch) -> bool:
    """True if the clues have a solution other than the grid, which is left in the last array of `scratch`.

    With a cell other than -1 only solutions with another value in that cell are searched.
    """
    stack, counters, _, other = scratch
    set_up(stack, clues)
    if cell >= 0:
        stack[0, cell // 27 * 9 + grid[cell] - 1] &= ~(1 << cell % 27)
    counters[DEPTH] = counters[FOUND] = 0
    at = search(stack, counters, np.int64(2), NO_BUDGET)
    while at >= 0:
        write(stack, at, other)
        for k in range(81):
            if other[k] != grid[k]:
                return True
        at = search(stack, counters, np.int64(2), NO_BUDGET)
    return False


@kernel
def restore(clues: Values, grid: Values, orbit: NDArray[np.int16]) -> None:
    """Put the clues of an orbit back."""
    for k in range(orbit.size):
        if orbit[k] >= 0:
            clues[orbit[k]] = grid[orbit[k]]


@kernel
def remove(clues: Values, orbit: NDArray[np.int16]) -> None:
    for k in range(orbit.size):
        if orbit[k] >= 0:
            clues[orbit[k]] = 0


@kernel
def most_removable(orbits: OrbitTable) -> Int:
    """The most orbits that can be removed from the front: the others have at least FEWEST cells."""
    kept = 0
    gone: Int = orbits.shape[0]
    while kept < FEWEST and gone > 0:
        gone -= 1
        for i in range(orbits.shape[1]):
            if orbits[gone, i] >= 0:
                kept += 1
    return gone


@kernel
def restore_last(clues: Values, grid: Values, orbits: OrbitTable, gone: Int, other: Values) -> Int:
    """Put back the orbits before `gone`, the last first, until the clues exclude the other solution. Returns the index
    of the last orbit put back."""
    differs = False
    while not differs:
        gone -= 1
        restore(clues, grid, orbits[gone])
        for i in range(orbits.shape[1]):
            cell = orbits[gone, i]
            if cell >= 0 and other[cell] != grid[cell]:
                differs = True
    return gone


@kernel
def remove_orbits(clues: Values, grid: Values, orbits: OrbitTable, scratch: Scratch) -> None:
    """Remove orbits, in order, from clues with the grid as their only solution, for as long as it stays the only one.

    Those before the first orbit that is needed are removed at once, the rest one by one.
    """
    gone: Int = most_removable(orbits)
    for k in range(gone):
        remove(clues, orbits[k])
    while has_other_solution(clues, grid, np.int64(-1), scratch):
        gone = restore_last(clues, grid, orbits, gone, scratch[3])
    for k in range(gone + 1, orbits.shape[0]):
        remove(clues, orbits[k])
        for i in range(orbits.shape[1]):
            cell = np.int64(orbits[k, i])
            if cell >= 0 and has_other_solution(clues, grid, cell, scratch):
                restore(clues, grid, orbits[k])
                break


@kernel
def make_puzzles(key: np.uint64, first: Int, orbits: OrbitTable, puzzles: Values, grids: Values,
                 scratch: Scratch) -> None:
    """Fill the rows of `puzzles` and `grids` with puzzle first, first + 1, ... of the stream and its solution."""
    stack, _counters, order, _other = scratch
    for k in range(puzzles.shape[0]):
        random_grid(key, first + k, stack, grids[k])
        for i in range(orbits.shape[0]):
            for j in range(orbits.shape[1]):
                order[i, j] = orbits[i, j]
        shuffle(key, first + k, order)
        for cell in range(81):
            puzzles[k, cell] = grids[k, cell]
        remove_orbits(puzzles[k], grids[k], order, scratch)
