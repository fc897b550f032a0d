"""Generate puzzles from a seed and a number: fill a random grid, then remove clues while the solution stays unique.

Clues are removed orbit by orbit, in random order. Every puzzle has one solution and loses uniqueness with any further
orbit; without symmetry an orbit is one cell, and no clue can be removed. Puzzle number k of a seed is the same on
every machine and does not depend on the puzzles before it:

    spec = Spec(seed=7, symmetry="rotational-180")
    make(spec, 12)              # one puzzle with its solution
    for made in puzzles(spec):  # number 0, 1, 2, ... without end
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Final, Literal, get_args

from msgspec import Struct

from engine import rng, solutions
from engine.puzzle import Puzzle, Variant
from engine.puzzles.formats.record import PuzzleRecord
from engine.solutions import Grid, Stop, minimal, never
from engine.solutions.minimal import ORDER_WORDS

if TYPE_CHECKING:
    from engine.puzzles.rating import Rating


Symmetry = Literal["none", "rotational-180", "rotational-90", "mirror-horizontal", "mirror-vertical",
                   "mirror-diagonal", "mirror-antidiagonal"]
SYMMETRIES: Final[tuple[Symmetry, ...]] = get_args(Symmetry)

Orbits = tuple[tuple[int, ...], ...]
Map = Callable[[int, int, int], tuple[int, int]]

MAPS: Final[dict[Symmetry, Map]] = {
    "none": lambda row, column, last: (row, column),
    "rotational-180": lambda row, column, last: (last - row, last - column),
    "rotational-90": lambda row, column, last: (column, last - row),
    "mirror-horizontal": lambda row, column, last: (last - row, column),
    "mirror-vertical": lambda row, column, last: (row, last - column),
    "mirror-diagonal": lambda row, column, last: (column, row),
    "mirror-antidiagonal": lambda row, column, last: (last - column, last - row),
}
"""The image of (row, column) under a symmetry; `last` is the last row and column. A mirror is named after its axis: the
horizontal one exchanges top and bottom."""


@functools.cache
def orbits(symmetry: Symmetry, n: int) -> Orbits:
    """The cells of an n*n board in groups that the symmetry takes to one another, by their lowest cell."""
    seen: set[int] = set()
    found = []
    for cell in range(n * n):
        if cell not in seen:
            orbit = _orbit(cell, MAPS[symmetry], n)
            seen.update(orbit)
            found.append(orbit)
    return tuple(found)


def _orbit(cell: int, move: Map, n: int) -> tuple[int, ...]:
    orbit = [cell]
    row, column = move(*divmod(cell, n), n - 1)
    while row * n + column != cell:
        orbit.append(row * n + column)
        row, column = move(row, column, n - 1)
    return tuple(orbit)


Unique = Callable[[Puzzle, Stop], bool | None]
"""True if a puzzle has exactly one solution; None if undecided or interrupted."""
Progress = Callable[[float], None]
"""Progress callback: the share of a puzzle that is done, 0 to 1."""

GUESSES: Final = {2: solutions.BUDGET, 3: solutions.BUDGET, 4: 20_000, 5: 1_000}
"""Guesses of the exact engine for one query about a board of that box size. They are part of the recipe of a puzzle, as
a clue stays if they do not suffice: rare on 16x16 without diagonals, one clue in four on 25x25."""
LARGEST_BATCH: Final = 256


class Spec(Struct, frozen=True):
    """The recipe of a sequence of puzzles."""

    seed: int
    box: int = 3
    variant: Variant = "classic"
    symmetry: Symmetry = "none"

    @property
    def n(self) -> int:
        return self.box**2


class Made(Struct, frozen=True):
    """Puzzle number `number` of a spec, counted from 0."""

    spec: Spec
    number: int
    puzzle: Puzzle
    solution: Grid
    minimal: bool
    """True if it is proved that no orbit can be removed; False if a query exceeded its budget of guesses."""

    @property
    def origin(self) -> str:
        """`generated, seed 7, number 12, rotational-180`."""
        symmetry = "" if self.spec.symmetry == "none" else f", {self.spec.symmetry}"
        return f"generated, seed {self.spec.seed}, number {self.number}{symmetry}"

    def record(self, name: str = "", rating: Rating | None = None) -> PuzzleRecord:
        """The puzzle with its metadata, as written to a file."""
        return PuzzleRecord(
            puzzle=self.puzzle, name=name, source=self.origin, solution=self.solution, solutions=1,
            level="" if rating is None else rating.word, rating=None if rating is None else rating.value)


def no_progress(share: float) -> None:
    """The default progress callback: ignore it."""


def puzzles(spec: Spec, first: int = 0, unique: Unique | None = None, stop: Stop = never,
            progress: Progress = no_progress) -> Iterator[Made]:
    """Yield puzzles from number `first` on until `stop` returns True. The arguments are those of `make`."""
    if unique is None and _is_banded(spec):
        yield from _banded(spec, first, stop)
        return
    for number in count(first):
        made = make(spec, number, unique, stop, progress)
        if made is None:
            return
        yield made


def make(spec: Spec, number: int, unique: Unique | None = None, stop: Stop = never,
         progress: Progress = no_progress) -> Made | None:
    """The puzzle of that number (0..2**47); None if `stop` returned True before it was done.

    Another uniqueness test gives the same puzzle, as long as it always has an answer.
    """
    if unique is None and _is_banded(spec):
        return _batch(spec, number, 1)[0]
    return _reduced(spec, number, unique or _within_budget(spec), stop, progress)


def _within_budget(spec: Spec) -> Unique:
    return lambda puzzle, stop: solutions.unique(puzzle, GUESSES[spec.box], stop)


def _reduced(spec: Spec, number: int, unique: Unique, stop: Stop, progress: Progress) -> Made | None:
    solution = minimal.full_grid(spec.seed, number, spec.box, spec.variant)
    clues, proved = list(solution), True
    order = _in_order(spec, number)
    for done, orbit in enumerate(order):
        progress(done / len(order))
        for cell in orbit:
            clues[cell] = 0
        answer = unique(Puzzle(tuple(clues), spec.box, spec.variant), stop)
        if stop():
            return None
        proved = proved and answer is not None
        if not answer:
            for cell in orbit:
                clues[cell] = solution[cell]
    return Made(spec, number, Puzzle(tuple(clues), spec.box, spec.variant), solution, proved)


def _in_order(spec: Spec, number: int) -> list[tuple[int, ...]]:
    """The orbits in the order they are tried in, drawn as `minimal.make` draws it."""
    out = list(orbits(spec.symmetry, spec.n))
    for k in range(len(out) - 1, 0, -1):
        j = rng.below(rng.draw(spec.seed, minimal.STREAM, number, ORDER_WORDS + k), k + 1)
        out[k], out[j] = out[j], out[k]
    return out


# Classic 9x9, by a kernel that makes many at a time


def _is_banded(spec: Spec) -> bool:
    return spec.box == 3 and spec.variant == "classic"


def _banded(spec: Spec, first: int, stop: Stop) -> Iterator[Made]:
    """Puzzles in batches that start at one and double, so that the first arrives at once."""
    size = 1
    while not stop():
        yield from _batch(spec, first, size)
        first, size = first + size, min(2 * size, LARGEST_BATCH)


def _batch(spec: Spec, first: int, size: int) -> list[Made]:
    givens, grids = minimal.make(spec.seed, first, size, orbits(spec.symmetry, 9))
    return [Made(spec, number, Puzzle(tuple(clues)), tuple(grid), True)
            for number, (clues, grid) in enumerate(zip(givens.tolist(), grids.tolist(), strict=True), first)]


# Uniqueness decided by Z3's automata instead of the exact engine: the same puzzles in a different way.


LARGEST_BOX = 3
"""Above 9x9 a query has no bound that is the same on every machine."""


def unique_by_z3(spec: Spec) -> Unique:
    """A uniqueness test by one automaton of the board, which is built once."""
    from engine.automata.sudoku import SudokuAutomaton

    automaton = SudokuAutomaton(Puzzle((0,) * spec.n**2, spec.box, spec.variant))

    def unique(puzzle: Puzzle, stop: Stop) -> bool | None:
        for cell, value in enumerate(puzzle.givens):
            automaton.set_cell(*divmod(cell, spec.n), value)
        answer = automaton.unique(timeout=None)
        return None if answer == "unknown" else answer == "yes"

    return unique
