"""From a seed and a number to a puzzle: a random full grid, and the removal of its clues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine import rng, solutions
from engine.formats.record import PuzzleRecord
from engine.generating.symmetry import Symmetry, orbits
from engine.puzzle import Puzzle, Variant
from engine.solutions import Grid, Stop, minimal, never
from engine.solutions.minimal import ORDER_WORDS

if TYPE_CHECKING:
    from engine.rating import Rating

Unique = Callable[[Puzzle, Stop], bool | None]
"""Tells whether a puzzle has exactly one solution, None where it could not find out or was asked to stop."""
Tell = Callable[[float], None]
"""Is told how much of a puzzle is done, 0..1."""

GUESSES: Final = {2: solutions.BUDGET, 3: solutions.BUDGET, 4: 20_000, 5: 1_000}
"""Guesses for one question about a board of that box: part of what the puzzles are, as a clue stays where they do not
suffice. On 16x16 that is rare without diagonals; on 25x25 it is one clue in four."""
LARGEST_BATCH: Final = 256


class Spec(Struct, frozen=True):
    """What determines a sequence of puzzles."""

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
    """Whether it is proved that no orbit can go; else some question was too hard for the budget of guesses."""

    @property
    def origin(self) -> str:
        """`generated, seed 7, number 12, rotational-180`."""
        symmetry = "" if self.spec.symmetry == "none" else f", {self.spec.symmetry}"
        return f"generated, seed {self.spec.seed}, number {self.number}{symmetry}"

    def record(self, name: str = "", rating: Rating | None = None) -> PuzzleRecord:
        """The puzzle with all that is known of it, as a file says it."""
        return PuzzleRecord(
            puzzle=self.puzzle, name=name, source=self.origin, solution=self.solution, solutions=1,
            level="" if rating is None else rating.word, rating=None if rating is None else rating.value)


def no_one(share: float) -> None:
    """Nobody wants to know."""


def puzzles(spec: Spec, first: int = 0, unique: Unique | None = None, stop: Stop = never,
            tell: Tell = no_one) -> Iterator[Made]:
    """The puzzles from number `first` on, without end until `stop` says so. The arguments are those of `make`."""
    if unique is None and _is_banded(spec):
        yield from _banded(spec, first, stop)
        return
    for number in count(first):
        made = make(spec, number, unique, stop, tell)
        if made is None:
            return
        yield made


def make(spec: Spec, number: int, unique: Unique | None = None, stop: Stop = never, tell: Tell = no_one) -> Made | None:
    """The puzzle of that number (0..2**47); None when `stop` asked for an end before it was done.

    Another way to tell uniqueness gives the same puzzle, as long as it always has an answer.
    """
    if unique is None and _is_banded(spec):
        return _batch(spec, number, 1)[0]
    return _reduced(spec, number, unique or _within_budget(spec), stop, tell)


def _within_budget(spec: Spec) -> Unique:
    return lambda puzzle, stop: solutions.unique(puzzle, GUESSES[spec.box], stop)


def _reduced(spec: Spec, number: int, unique: Unique, stop: Stop, tell: Tell) -> Made | None:
    solution = minimal.full_grid(spec.seed, number, spec.box, spec.variant)
    clues, proved = list(solution), True
    order = _in_order(spec, number)
    for done, orbit in enumerate(order):
        tell(done / len(order))
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
    """Batches that begin small, so that the first puzzle comes at once."""
    size = 1
    while not stop():
        yield from _batch(spec, first, size)
        first, size = first + size, min(2 * size, LARGEST_BATCH)


def _batch(spec: Spec, first: int, size: int) -> list[Made]:
    givens, grids = minimal.make(spec.seed, first, size, orbits(spec.symmetry, 9))
    return [Made(spec, number, Puzzle(tuple(clues)), tuple(grid), True)
            for number, (clues, grid) in enumerate(zip(givens.tolist(), grids.tolist(), strict=True), first)]
