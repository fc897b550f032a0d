"""Why values cannot stand together, as people see it: named techniques until something has no place left.

It takes over where a core of Z3's is too large to teach anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine import text
from engine.interrupt import give_way
from engine.puzzle import Puzzle, cell_name, clashes
from engine.techniques.board import Board
from engine.techniques.order import TECHNIQUES, apply, findings

SIMPLE = TECHNIQUES[: next(k for k, each in enumerate(TECHNIQUES) if each.name == "Hidden pair") + 1]
"""Those that may be used: none that assumes a single solution."""


class Explanation(Struct, frozen=True):
    """How values contradict each other."""

    because: str
    """As a clause: `column 5 has no place left for 2`."""
    unit: int | None
    """The unit that it is about, by its place in `geometry.units`, if it is one."""
    value: int
    """The value that it is about; 0 where it is about a cell that has none left."""
    cells: tuple[int, ...]
    values: tuple[int, ...]
    """What stood on the board then, deduced values included: n*n, 0 = open."""
    rounds: int
    """How often something was deduced before it showed; 0: it can be seen."""


def explain_contradiction(puzzle: Puzzle, values: Sequence[int]) -> Explanation | None:
    """What is wrong with `values` (n*n, 0 = open) on the board of a puzzle, whose givens do not count; None if the
    techniques find nothing. Raises Interrupted if whoever watches this thread breaks it off."""
    clash = _clash(puzzle, values)
    if clash is not None:
        return clash
    board, rounds, hardest = Board.of(puzzle, values), 0, ""
    while (found := _dead(board, rounds, hardest)) is None:
        give_way()
        applied = findings(board, SIMPLE)
        if not applied:
            return None
        for each in applied:
            apply(board, each)
        rounds += 1
        hardest = max(hardest, applied[0].technique, key=_rank)
    return found


def _rank(technique: str) -> int:
    return next((k for k, each in enumerate(SIMPLE) if each.name == technique), -1)


def _clash(puzzle: Puzzle, values: Sequence[int]) -> Explanation | None:
    found = next(iter(clashes(puzzle, tuple(values))), None)
    if found is None:
        return None
    place = puzzle.geometry.units.index(found.unit)
    where = " and ".join(cell_name(cell, puzzle.n) for cell in found.cells)
    return Explanation(f"{found.unit.name} has {found.value} at {where}", place, found.value, found.cells,
                       tuple(values), 0)


def _dead(board: Board, rounds: int, hardest: str) -> Explanation | None:
    """A cell without a value, or a unit without a place for one, on a board that has come to it."""
    tables = board.tables
    after = f"after {text.count(rounds)} {'round' if rounds == 1 else 'rounds'} of logic up to {hardest.lower()}: "
    led = after.replace("x-wing", "X-wing") if rounds else ""
    for place, cells in enumerate(tables.cells):
        standing = [board.values[cell] for cell in cells]
        for value in range(1, tables.n + 1):
            if standing.count(value) > 1:
                twice = tuple(cell for cell in cells if board.values[cell] == value)
                return Explanation(f"{led}{tables.names[place]} would have {value} twice", place, value, twice,
                                   tuple(board.values), rounds)
            if value not in standing and not board.where[value] & tables.units[place]:
                return Explanation(f"{led}{tables.names[place]} has no place left for {value}", place, value,
                                   tuple(cells), tuple(board.values), rounds)
    for cell, mask in enumerate(board.masks):
        if not mask and not board.values[cell]:
            return Explanation(f"{led}{cell_name(cell, tables.n)} has no value left", None, 0, (cell,),
                               tuple(board.values), rounds)
    return None
