"""Explain a contradiction by human techniques: apply them until a cell or a unit has no place left.

A core of Z3 is explained by its own units first, so that the explanation is of what the core proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine import text
from engine.events.search import MOST_IN_CORE
from engine.interrupt import give_way
from engine.puzzle import Puzzle, cell_name, clashes
from engine.techniques.board import Board, Pair
from engine.techniques.order import TECHNIQUES, apply, findings

if TYPE_CHECKING:  # it imports Z3
    from engine.automata.unsat_core import Core

SIMPLE = TECHNIQUES[: next(k for k, each in enumerate(TECHNIQUES) if each.name == "Hidden pair") + 1]
"""The techniques used here; none of them assumes a unique solution."""
OF_SOME_UNITS = tuple(each for each in SIMPLE if each.name != "X-wing")
"""Those that are sound where only some units have rules (`board.within`)."""

UNEXPLAINED = "no technique up to hidden pairs shows it"
"""The reason given where these techniques find no contradiction."""


class Explanation(Struct, frozen=True):
    """A contradiction between values, and how it was found."""

    because: str
    """As a clause: `column 5 has no place left for 2`."""
    unit: int | None
    """The unit without a place, as an index into `geometry.units`; None for a cell without a value."""
    value: int
    """The value without a place; 0 for a cell without a value."""
    cells: tuple[int, ...]
    values: tuple[int, ...]
    """The board at that point, deduced values included: n*n, 0 = open."""
    rounds: int
    """Rounds of deduction before the contradiction; 0 if it is visible at once."""


def explain_contradiction(puzzle: Puzzle, values: Sequence[int], units: Sequence[int] | None = None
                          ) -> Explanation | None:
    """Find a contradiction among `values` (n*n, 0 = open; the puzzle's givens are ignored) and the rules of `units`
    (indices into `geometry.units`; None for all). None if the techniques find none. Raises Interrupted on a request to
    give way."""
    clash = _clash(puzzle, values, units)
    if clash is not None:
        return clash
    board, rounds, hardest = Board.of(puzzle, values, units), 0, ""
    while (found := _dead(board, rounds, hardest)) is None:
        give_way()
        applied = findings(board, SIMPLE if units is None else OF_SOME_UNITS)
        if not applied:
            return None
        for each in applied:
            apply(board, each)
        rounds += 1
        hardest = max(hardest, applied[0].technique, key=_rank)
    return found


def explain_core(puzzle: Puzzle, core: Core, placed: Iterable[Pair]) -> Explanation | None:
    """Explain an unsatisfiable core by its own units and values; if the techniques cannot, by its values and all units;
    if they cannot and the core is too large to show, by all `placed` values. Raises Interrupted on a request to give
    way."""
    values = board_of(puzzle, core.placed)
    explanation = explain_contradiction(puzzle, values, core.units) or explain_contradiction(puzzle, values)
    if explanation is None and core.size > MOST_IN_CORE:
        return explain_contradiction(puzzle, board_of(puzzle, placed))
    return explanation


def board_of(puzzle: Puzzle, placed: Iterable[Pair]) -> list[int]:
    """The board with these values: n*n, 0 = open."""
    values = [0] * puzzle.n**2
    for cell, value in placed:
        values[cell] = value
    return values


def _rank(technique: str) -> int:
    return next((k for k, each in enumerate(SIMPLE) if each.name == technique), -1)


def _clash(puzzle: Puzzle, values: Sequence[int], units: Sequence[int] | None) -> Explanation | None:
    for found in clashes(puzzle, tuple(values)):
        place = puzzle.geometry.units.index(found.unit)
        if units is None or place in units:
            where = " and ".join(cell_name(cell, puzzle.n) for cell in found.cells)
            return Explanation(f"{found.unit.name} has {found.value} at {where}", place, found.value, found.cells,
                               tuple(values), 0)
    return None


def _dead(board: Board, rounds: int, hardest: str) -> Explanation | None:
    """A dead end on the board: a cell without a value, or a unit without a place for one."""
    tables = board.tables
    after = f"after {text.count(rounds)} {'round' if rounds == 1 else 'rounds'} of logic up to {hardest.lower()}: "
    led = after.replace("x-wing", "X-wing") if rounds else ""
    for place, cells in enumerate(tables.cells):
        if not tables.units[place]:
            continue
        filled = [board.values[cell] for cell in cells]
        for value in range(1, tables.n + 1):
            if filled.count(value) > 1:
                twice = tuple(cell for cell in cells if board.values[cell] == value)
                return Explanation(f"{led}{tables.names[place]} would have {value} twice", place, value, twice,
                                   tuple(board.values), rounds)
            if value not in filled and not board.where[value] & tables.units[place]:
                return Explanation(f"{led}{tables.names[place]} has no place left for {value}", place, value,
                                   tuple(cells), tuple(board.values), rounds)
    for cell, mask in enumerate(board.masks):
        if not mask and not board.values[cell]:
            return Explanation(f"{led}{cell_name(cell, tables.n)} has no value left", None, 0, (cell,),
                               tuple(board.values), rounds)
    return None
