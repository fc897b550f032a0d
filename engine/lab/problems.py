"""The puzzles that a [[puzzles]] table stands for."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from typing import Final

from engine import rng, text
from engine.errors import BadInput
from engine.lab.experiment import Problem
from engine.lab.written import Puzzles
from engine.puzzle import Puzzle
from engine.solutions.minimal import full_grid
from engine.sources import open_source

SIZES: Final = {4: 2, 9: 3, 16: 4, 25: 5}
OF_SHARES: Final = ("count", "size", "variant")
"""Keys that say nothing of puzzles from sources."""
SHARE_STREAM: Final = 32
"""Stream of the cells that stay, for puzzles made of a share of a grid."""


def problems(table: Puzzles, seed: int) -> Iterator[Problem]:
    """The puzzles, one at a time. Raises BadInput."""
    if table.share is not None:
        if table.sources:
            raise BadInput("sources and share: expected only one of them")
        if table.first is not None:
            raise BadInput("first and share: expected first for sources alone, and count for a share")
        yield from _shares(table, table.share, seed)
        return
    if not table.sources:
        raise BadInput("there are no puzzles: expected sources or share")
    idle = next((name for name in OF_SHARES if getattr(table, name) != getattr(Puzzles(), name)), None)
    if idle is not None:
        raise BadInput(f"{idle} and sources: expected {idle} with a share alone")
    found = (item for source in table.sources for item in _from_source(source, table))
    yield from itertools.islice(found, table.first)


def _from_source(source: str, table: Puzzles) -> Iterator[Problem]:
    for item in open_source(source, io.BytesIO()):
        if item.record is None:
            raise BadInput(str(item.error))
        puzzle, name = item.record.puzzle, item.record.name or f"{source} {item.index}"
        yield Problem(table.group or source, name, puzzle.line, puzzle.variant)


def _shares(table: Puzzles, share: float, seed: int) -> Iterator[Problem]:
    """Random full grids of which each cell stays with the same share of all (Lewis 2007): always with a solution, often
    with several."""
    if table.size not in SIZES:
        raise BadInput(f"size = {table.size}: expected one of {', '.join(map(str, SIZES))}")
    box, cells = SIZES[table.size], table.size**2
    kept = round(share * cells)
    for number in range(table.count):
        grid = full_grid(seed, number, box, table.variant)
        stays = set(rng.shuffled(list(range(cells)), seed, SHARE_STREAM, number)[:kept])
        givens = tuple(value if cell in stays else 0 for cell, value in enumerate(grid))
        puzzle = Puzzle(givens, box, table.variant)
        group = table.group or text.share(share)
        yield Problem(group, f"{group} {number + 1}", puzzle.line, puzzle.variant, share)
