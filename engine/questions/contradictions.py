"""The reason why no grid has some values and keeps the rules of some units: the unit, value or cell that shows it."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.events.explain import cell as name_of
from engine.puzzle import Puzzle, Unit

Left = Mapping[int, Collection[int]]
"""The values that each free cell of the units can still take."""


class Reason(NamedTuple):
    kind: str
    """A clause that names no cell, value or unit."""
    clause: str


SEVERAL = Reason("only several units show it together", "no unit shows it alone, but they cannot all hold")


def contradiction(puzzle: Puzzle, units: Collection[int], placed: Sequence[tuple[int, int]]) -> Reason:
    """The first of these that there is: a value that a unit has twice, a cell without values, a value without a place,
    two values for one place, two cells for one value; else SEVERAL. `units` are indices into `geometry.units`, `placed`
    are (cell, value)."""
    held, n = dict(placed), puzzle.n
    chosen = [puzzle.geometry.units[unit] for unit in sorted(units)]
    taken = {cell: {held[other] for unit in chosen if cell in unit.cells for other in unit.cells if other in held}
             for cell in {cell for unit in chosen for cell in unit.cells} - held.keys()}
    left = {cell: sorted(set(range(1, n + 1)) - taken[cell]) for cell in sorted(taken)}
    for kind, clauses in (("a value would be twice in a unit", _twice),
                          ("a cell would be left without a value", _empty),
                          ("a value would have no place in a unit", _missing),
                          ("two values would need the same place", _values_for_a_place),
                          ("two cells of a unit would need the same value", _cells_for_a_value)):
        for unit in chosen:
            for clause in clauses(unit, held, left, n):
                return Reason(kind, clause)
    return SEVERAL


def _twice(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> Iterator[str]:
    for one, other in itertools.combinations([cell for cell in unit.cells if cell in held], 2):
        if held[one] == held[other]:
            yield f"{unit.name} would hold {held[one]} twice, in {name_of(one, n)} and {name_of(other, n)}"


def _empty(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> Iterator[str]:
    for cell in unit.cells:
        if cell in left and not left[cell]:
            yield f"no value would be left for {name_of(cell, n)}"


def _missing(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> Iterator[str]:
    for value, spots in _spots(unit, held, left, n).items():
        if not spots:
            yield f"{value} would have no place in {unit.name}"


def _values_for_a_place(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> Iterator[str]:
    spots = {value: cells[0] for value, cells in _spots(unit, held, left, n).items() if len(cells) == 1}
    for one, other in itertools.combinations(spots, 2):
        if spots[one] == spots[other]:
            yield f"{one} and {other} would both need {name_of(spots[one], n)} in {unit.name}"


def _cells_for_a_value(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> Iterator[str]:
    singles = [cell for cell in unit.cells if len(left.get(cell, ())) == 1]
    for first, second in itertools.combinations(singles, 2):
        if left[first] == left[second]:
            (value,) = left[first]
            yield f"{name_of(first, n)} and {name_of(second, n)} would both need {value} in {unit.name}"


def _spots(unit: Unit, held: Mapping[int, int], left: Left, n: int) -> dict[int, list[int]]:
    """The cells of a unit that can take each value that it lacks."""
    has = {held.get(cell) for cell in unit.cells}
    return {value: [cell for cell in unit.cells if value in left.get(cell, ())]
            for value in range(1, n + 1) if value not in has}
