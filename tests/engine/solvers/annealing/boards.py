"""Puzzles, and small helpers, that the tests of the annealers share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from engine import energy
from engine.breakpoints import NEVER, Stop
from engine.events import Event
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.solvers.annealing.state import AnnealState

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
STUCK = Puzzle.from_line("12345678.........9" + "." * 63)
"""No given contradicts another, but the first row's last cell can only be 9, and its column holds a 9."""


def sparse(box: int, variant: Any = "classic") -> Puzzle:
    """A puzzle with some givens, one in most groups: a valid full grid of which every fourth cell or so is kept."""
    n = box * box
    full = [(r * box + r // box + c) % n + 1 for r in range(n) for c in range(n)]
    kept = [value if (7 * cell + cell // n) % 4 == 0 else 0 for cell, value in enumerate(full)]
    puzzle = Puzzle(tuple(kept), box, variant)
    dropped = {cell for clash in puzzle.clashes() for cell in clash.cells}
    return Puzzle(tuple(0 if cell in dropped else value for cell, value in enumerate(kept)), box, variant)


def full_energy(state: AnnealState, grid: tuple[int, ...] | None = None) -> int:
    """E by the slow and obvious definition, whatever the neighbourhood."""
    cells = state.grid if grid is None else grid
    if state.now["neighbourhood"] == 3:
        return _counted(energy.full_energy, state.puzzle, cells)
    return _counted(energy.box_state_energy if state.now["boxes"] else energy.row_state_energy, state.puzzle, cells)


@functools.lru_cache(maxsize=1000)
def _counted(compute: Callable[[Puzzle, tuple[int, ...]], int], puzzle: Puzzle, cells: tuple[int, ...]) -> int:
    """Counted once for each grid: a test asks for the grid before a move, after it, and for the best one."""
    return compute(puzzle, cells)


def first_steps(solver: AnySolver, state: Any, params: Any, n: int) -> Iterator[tuple[Event, ...]]:
    for _, events in zip(range(n), solver.steps(state, params), strict=False):
        yield events


def finish(solver: AnySolver, state: Any, params: Any, stop: Stop = NEVER) -> list[Event]:
    """Run to the end by the kernel; all rare events."""
    rare: list[Event] = []
    while solver.outcome(state) is None:
        rare += solver.advance(state, params, 1_000_000, stop).rare
    return rare


def of_kind(events: Any, kind: type[Any]) -> list[Any]:
    """The events of one type, from tuples of a generator or from a list."""
    flat = [each for item in events for each in (item if isinstance(item, tuple) else (item,))]
    return [event for event in flat if isinstance(event, kind)]
