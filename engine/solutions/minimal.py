"""Random full grids, and puzzles with one solution none of whose clues can go: what a generator is made of.

Everything is drawn from (seed, number): the same puzzle everywhere, and number k without those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine import rng
from engine.compiled.kernel import below, kernel, word_at
from engine.puzzle import Puzzle, Variant
from engine.solutions import BUDGET, Grid, Stop, never, unique
from engine.solutions.bitboard import DEAD, FULL, OPEN, PAIRS, branch_at, search, set_up, settled, write
from engine.solutions.stack import MaskStack, band_arrays
from engine.solutions.words import DEPTH, FOUND

# Random grids and minimal puzzles, classic 9x9: a random full grid, then clues removed in a random order for as
# long as the solution stays unique. Clues are removed by orbits: cells that go together, so that a puzzle keeps a
# symmetry; an orbit of one cell each makes puzzles that are minimal in the strict sense, no clue of which can go.
# The result is that of trying one orbit after the other. It comes sooner because a second solution says which
# removals are to blame: it differs from the grid at some removed cells, and the orbit of the last of them in the
# order cannot go with those before it.


ORDER_WORDS: Final = 2**15
"""Words of a puzzle from this one on order its orbits; those before draw its grid."""

FEWEST: Final = 17
"""No puzzle with fewer clues has one solution (McGuire, Tugemann & Civario, "There Is No 16-Clue Sudoku", 2014)."""
PATIENCE: Final = 256
"""Guesses after which a random filling is begun again: a very few, badly begun, take longer than anybody waits."""
NO_BUDGET: Final = np.int64(1 << 60)


@kernel
def from_turn(cells: Any, turn: Any) -> Any:
    """The first of the cells of a band from bit `turn` on, else the first."""
    later = cells >> turn << turn
    return later & -later if later else cells & -cells


@kernel
def random_branch(s: Any, at: Any, word: Any) -> None:
    """A guess at a random cell, with two candidates where there is one, with a random one of its digits."""
    which = OPEN
    for k in range(3):
        if s[at, PAIRS + k] & s[at, OPEN + k]:
            which = PAIRS
    turn: Any = np.int64(below(word, np.uint64(27 * 27)))
    band, digit = turn % 3, turn // 3 % 9
    while s[at, which + band] & s[at, OPEN + band] == 0:
        band = band + 1 if band < 2 else 0
    cell = from_turn(s[at, which + band] & s[at, OPEN + band], turn // 27)
    while s[at, 9 * band + digit] & cell == 0:
        digit = digit + 1 if digit < 8 else 0
    branch_at(s, at, band, digit, cell)


@kernel
def random_grid(key: Any, number: Any, stack: Any, cells: Any) -> None:
    """Fill `cells`, uint8[81], with the grid of this number in the stream: every grid can be drawn, not all equally
    often."""
    for cell in range(81):
        cells[cell] = 0
    set_up(stack, cells)
    depth, drawn = np.int64(0), np.int64(0)
    progress = settled(stack, depth)
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
        progress = settled(stack, depth)
    write(stack, depth, cells)


@kernel
def shuffle(key: Any, number: Any, orbits: Any) -> None:
    """Bring the rows of `orbits` into the order of this number in the stream."""
    for k in range(orbits.shape[0] - 1, 0, -1):
        j = np.int64(below(word_at(key, number, ORDER_WORDS + k), np.uint64(k + 1)))
        for i in range(orbits.shape[1]):
            orbits[k, i], orbits[j, i] = orbits[j, i], orbits[k, i]


@kernel
def has_other(clues: Any, grid: Any, cell: Any, scratch: Any) -> Any:
    """Whether the clues have a solution that is not the grid; with another value in the cell, unless that is -1. The
    solution is then in the last array of `scratch`."""
    stack, books, _order, other = scratch
    set_up(stack, clues)
    if cell >= 0:
        stack[0, cell // 27 * 9 + grid[cell] - 1] &= ~(1 << cell % 27)
    books[DEPTH] = books[FOUND] = 0
    at = search(stack, books, np.int64(2), NO_BUDGET)
    while at >= 0:
        write(stack, at, other)
        for k in range(81):
            if other[k] != grid[k]:
                return True
        at = search(stack, books, np.int64(2), NO_BUDGET)
    return False


@kernel
def give(clues: Any, grid: Any, orbit: Any) -> None:
    """Give the cells of an orbit (-1 pads it) their values."""
    for k in range(orbit.size):
        if orbit[k] >= 0:
            clues[orbit[k]] = grid[orbit[k]]


@kernel
def take(clues: Any, orbit: Any) -> None:
    for k in range(orbit.size):
        if orbit[k] >= 0:
            clues[orbit[k]] = 0


@kernel
def beginning_of_fewest(orbits: Any) -> Any:
    """The number of orbits that can go at most: the others have FEWEST cells or just more."""
    gone, kept = orbits.shape[0], 0
    while kept < FEWEST and gone > 0:
        gone -= 1
        for i in range(orbits.shape[1]):
            if orbits[gone, i] >= 0:
                kept += 1
    return gone


@kernel
def give_back(clues: Any, grid: Any, orbits: Any, gone: Any, other: Any) -> Any:
    """Give back the orbits before `gone`, the last first, until the clues tell the grid from the other solution; the
    number of the last one given back."""
    differs = False
    while not differs:
        gone -= 1
        give(clues, grid, orbits[gone])
        for i in range(orbits.shape[1]):
            cell = orbits[gone, i]
            if cell >= 0 and other[cell] != grid[cell]:
                differs = True
    return gone


@kernel
def reduce_kernel(clues: Any, grid: Any, orbits: Any, scratch: Any) -> None:
    """Remove what can be removed, orbit by orbit, from clues that have the grid as their only solution.

    First all those before an orbit that is needed, at once, then one by one.
    """
    gone = beginning_of_fewest(orbits)
    for k in range(gone):
        take(clues, orbits[k])
    while has_other(clues, grid, np.int64(-1), scratch):
        gone = give_back(clues, grid, orbits, gone, scratch[3])
    for k in range(gone + 1, orbits.shape[0]):
        take(clues, orbits[k])
        for i in range(orbits.shape[1]):
            cell = np.int64(orbits[k, i])
            if cell >= 0 and has_other(clues, grid, cell, scratch):
                give(clues, grid, orbits[k])
                break


@kernel
def make_kernel(key: Any, first: Any, orbits: Any, puzzles: Any, grids: Any, scratch: Any) -> None:
    """The puzzles number first, first + 1, ... of the stream, as many as `puzzles` has rows, and their solutions.

    `scratch` is the stack and the books of a search, an array like `orbits`, and one like a grid.
    """
    stack, _books, order, _other = scratch
    for k in range(puzzles.shape[0]):
        random_grid(key, first + k, stack, grids[k])
        for i in range(orbits.shape[0]):
            for j in range(orbits.shape[1]):
                order[i, j] = orbits[i, j]
        shuffle(key, first + k, order)
        for cell in range(81):
            puzzles[k, cell] = grids[k, cell]
        reduce_kernel(puzzles[k], grids[k], order, scratch)


Values = NDArray[np.uint8]

STREAM: Final = 16
"""The stream of grids and of the order in which clues are removed."""
ATTEMPTS: Final = 64
GUESSES: Final = 4_000
"""A random filling of a large board that takes more guesses than that is begun again."""

Orbits = Sequence[Sequence[int]]
"""Cells that are removed together: every cell stands in one of them."""


def make(seed: int, first: int, count: int, orbits: Orbits | None = None) -> tuple[Values, Values]:
    """Classic 9x9 puzzles number first ... first + count - 1 of a seed and their solutions: uint8[count, 81] both.

    Each has one solution, and none without one of its orbits (none without one of its clues, when no orbits are
    given). Orbits are removed in a random order for as long as the solution stays unique.
    """
    table = _table(orbits or [(cell,) for cell in range(81)])
    puzzles, grids = np.empty((count, 81), np.uint8), np.empty((count, 81), np.uint8)
    scratch = (*band_arrays(), table.copy(), np.empty(81, np.uint8))
    make_kernel(np.uint64(rng.stream_key(seed, STREAM)), first, table, puzzles, grids, scratch)
    return puzzles, grids


def full_grid(seed: int, number: int, box: int = 3, variant: Variant = "classic") -> Grid:
    """The random full grid of that number: on classic 9x9 the one that `make` begins with."""
    if box == 3 and variant == "classic":
        return _classic_grid(seed, number)
    empty = Puzzle((0,) * box**4, box, variant)
    for attempt in range(ATTEMPTS):
        grid = MaskStack(empty, rng.draw(seed, STREAM, number, attempt) | 1).search(1, GUESSES)
        if grid is not None:
            return grid
    grid = MaskStack(empty).search(1, 2**62)  # without chance it takes less than a thousand guesses
    assert grid is not None
    return grid


def _classic_grid(seed: int, number: int) -> Grid:
    cells = np.empty(81, np.uint8)
    random_grid(np.uint64(rng.stream_key(seed, STREAM)), number, band_arrays()[0], cells)
    return tuple(cells.tolist())


def reduce(puzzle: Puzzle, orbits: Iterable[Sequence[int]], budget: int = BUDGET, stop: Stop = never) -> Puzzle:
    """Remove the clues of each orbit, one after the other, where the solution stays unique; any size and variant.

    An orbit stays where uniqueness cannot be told within the budget of guesses, and those stay that are left when
    `stop` says so: the puzzle always has one solution, if it had one.
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


def _table(orbits: Orbits) -> NDArray[np.int16]:
    """The orbits as rows, padded with -1. Raises ValueError unless every cell stands in exactly one."""
    if sorted(cell for orbit in orbits for cell in orbit) != list(range(81)):
        raise ValueError("orbits of cells: expected each of the 81 cells in exactly one of them")
    width = max(map(len, orbits))
    return np.array([[*orbit, *[-1] * (width - len(orbit))] for orbit in orbits], np.int16)
