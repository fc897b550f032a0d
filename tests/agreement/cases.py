"""The puzzles: all that ship, and any number by seed, with none, one and many solutions.

Puzzle number k of a seed is the same everywhere and needs none before it; kinds of puzzles take turns, so that the
first thousand are as mixed as all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from engine import rng
from engine.puzzle import Puzzle, Variant
from engine.puzzles import packs
from engine.puzzles.generate import Spec, make
from engine.solutions import Grid, minimal

Known = Literal["none", "one", "several", ""]
Change = Literal["", "wrong clue", "clash", "other clue", "fewer clues", "full, one wrong"]

STREAM = 77
CLUES_16 = (110, 150)
"""Clues of a 16x16 board, as a random part of a full grid: fewer take minutes, and are seldom the only ones."""


class Case(Struct, frozen=True):
    """A puzzle, and the facts known from its construction."""

    name: str
    kind: str
    """The group in the summary: `9x9`, `9x9 diagonal, fewer clues`."""
    puzzle: Puzzle
    known: Known = ""
    solution: Grid | None = None
    """The one that it was made from, which need not be the only one."""


def shipped() -> Iterator[Case]:
    """Every puzzle of every pack, with the metadata of its file."""
    known: dict[int | None, Known] = {0: "none", 1: "one", 2: "several"}
    for pack in packs.pack_names():
        for number, record in enumerate(packs.pack(pack), 1):
            yield Case(f"{pack}:{number}", f"pack {pack}", record.puzzle, known.get(record.solutions, ""),
                       record.solution)


ROUND: tuple[tuple[int, Variant, Change], ...] = (
    *[(3, "classic", "")] * 7, *[(3, "diagonal", "")] * 2, *[(2, "classic", "")] * 2, (2, "diagonal", ""),
    (3, "classic", "wrong clue"), (3, "classic", "other clue"), (3, "classic", "fewer clues"),
    (3, "classic", "fewer clues"), (3, "diagonal", "wrong clue"), (3, "diagonal", "fewer clues"),
    (2, "classic", "other clue"), (2, "classic", "fewer clues"),
)
"""(box, variant, change) of twenty puzzles in a row, which every second round has."""
ROUND_ODD: tuple[tuple[int, Variant, Change], ...] = (
    *ROUND[:12], (3, "classic", "wrong clue"), (3, "classic", "clash"), (3, "classic", "fewer clues"),
    (3, "classic", "full, one wrong"), (3, "diagonal", "other clue"), (3, "diagonal", "fewer clues"),
    (2, "diagonal", "wrong clue"), (2, "diagonal", "fewer clues"),
)
LARGE_EVERY = 50
"""One puzzle in this many is 16x16."""
LARGE: tuple[Change, ...] = ("", "", "wrong clue", "", "fewer clues")


def generated(seed: int, number: int) -> Case:
    """Puzzle number `number` (from 0) of a seed."""
    if number % LARGE_EVERY == LARGE_EVERY - 1:
        return _large(seed, number)
    box, variant, change = (ROUND_ODD if number // len(ROUND) % 2 else ROUND)[number % len(ROUND)]
    made = make(Spec(seed, box, variant), number)
    assert made is not None
    return _Making(seed, number, made.puzzle, made.solution, "one", made.minimal).changed(change)


def many(seed: int, count: int) -> Iterator[Case]:
    return (generated(seed, number) for number in range(count))


def _large(seed: int, number: int) -> Case:
    """A random part of a full grid: nothing is known of it but that solution."""
    solution = minimal.full_grid(seed, number, 4)
    making = _Making(seed, number, Puzzle((0,) * 256, 4), solution)
    low, high = CLUES_16
    kept = set(making.shuffled(list(range(256)))[: low + rng.below(making.draw(0), high - low)])
    givens = tuple(value if cell in kept else 0 for cell, value in enumerate(solution))
    making = msgspec.structs.replace(making, puzzle=Puzzle(givens, 4))
    return making.changed(LARGE[number // LARGE_EVERY % len(LARGE)])


class _Making(Struct, frozen=True):
    """A puzzle before it is modified, and the facts known of it."""

    seed: int
    number: int
    puzzle: Puzzle
    solution: Grid
    known: Known = ""
    minimal: bool = False
    """Whether it has several solutions without any of its clues."""

    def draw(self, place: int) -> int:
        return rng.draw(self.seed, STREAM, self.number, place)

    def shuffled(self, cells: list[int]) -> list[int]:
        return sorted(cells, key=lambda cell: (self.draw(1000 + cell), cell))

    def clues(self) -> list[int]:
        return self.shuffled([cell for cell, value in enumerate(self.puzzle.givens) if value])

    def changed(self, change: Change) -> Case:
        """The case, unchanged where the change cannot be made."""
        givens, known, solution = list(self.puzzle.givens), self.known, self.solution if change in KEPT else None
        made = CHANGES[change](self, givens)
        if made is None:
            change, solution = "", self.solution
        else:
            known = made
        n, diagonal = self.puzzle.n, "" if self.puzzle.variant == "classic" else " diagonal"
        kind = f"{n}x{n}{diagonal}{', ' if change else ''}{change}"
        return Case(f"generated:{self.number}", kind, msgspec.structs.replace(self.puzzle, givens=tuple(givens)), known,
                    solution)


def _as_it_is(making: _Making, givens: list[int]) -> Known | None:
    return making.known


def _wrong_clue(making: _Making, givens: list[int]) -> Known | None:
    """A free cell gets a value that no peer has and the solution has not: none is left if there was one."""
    if not _another(making, givens, making.shuffled(list(making.puzzle.free_cells))):
        return None
    return "none" if making.known == "one" else ""


def _other_clue(making: _Making, givens: list[int]) -> Known | None:
    """A clue gets another value that no peer has."""
    return "" if _another(making, givens, making.clues()) else None


def _clash(making: _Making, givens: list[int]) -> Known | None:
    clue = making.clues()[0]
    unit = making.puzzle.geometry.units_of[clue][making.draw(1) % 3]
    givens[next(cell for cell in unit.cells if cell != clue)] = givens[clue]
    return "none"


def _fewer_clues(making: _Making, givens: list[int]) -> Known | None:
    for cell in making.clues()[: 1 + rng.below(making.draw(2), 4)]:
        givens[cell] = 0
    return "several" if making.minimal else ""


def _full_one_wrong(making: _Making, givens: list[int]) -> Known | None:
    givens[:] = making.solution
    cell = making.clues()[0]
    givens[cell] = givens[cell] % making.puzzle.n + 1
    return "none"


CHANGES: dict[Change, Callable[[_Making, list[int]], Known | None]] = {
    "": _as_it_is, "wrong clue": _wrong_clue, "clash": _clash, "other clue": _other_clue,
    "fewer clues": _fewer_clues, "full, one wrong": _full_one_wrong,
}
"""The modifications: each changes the givens in place and returns the facts then known; None if it does not apply."""
KEPT: tuple[Change, ...] = ("", "fewer clues")
"""Changes that leave the solution one."""


def _another(making: _Making, givens: list[int], cells: list[int]) -> bool:
    """Into the first cell that takes it, a value which no peer has, but not the solution's. Whether there was one."""
    peers = making.puzzle.geometry.peers
    for cell in cells:
        taken = {givens[peer] for peer in peers[cell]} | {making.solution[cell]}
        others = [value for value in range(1, making.puzzle.n + 1) if value not in taken]
        if others:
            givens[cell] = others[making.draw(3) % len(others)]
            return True
    return False


def pool(seed: int, count: int) -> tuple[Case, ...]:
    """Every shipped puzzle, then `count` of a seed."""
    return (*shipped(), *many(seed, count))
