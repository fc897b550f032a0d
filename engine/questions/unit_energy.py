"""The question of E: what a unit in conflict adds to it, answered by marking cells.

A value that occurs k times in a unit adds k − 1 to E: as many cells as must be emptied until the value is there once.
So the learner marks the fewest cells without which no value of the unit is repeated; which of the k cells stays is
open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product

from engine.puzzle import Unit, cell_name
from engine.questions.forms import Mark, fitting

EVERY = 8
"""Of this many steps one is asked about."""
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


def unit_energy(grid: Sequence[int], counted: Sequence[Unit], free: frozenset[int], step: int, n: int
                ) -> Iterator[Mark]:
    """The question of what a unit in conflict adds to E. Givens are never emptied: of equal values they stay.

    It is asked about the steps 1, 9, 17, ...: twelve times in a plateau of 100 proposals, so that among the questions
    about proposals, two or three each, one in twenty is about E itself. The units in conflict take turns.
    """
    turn, place = divmod(step, EVERY)
    found = [(unit, repeats) for unit in counted if (repeats := _repeated(grid, unit))] if place == 1 else []
    if not found:
        return
    unit, repeats = found[turn % len(found)]
    cells = list(repeats.values())
    rights = frozenset(
        frozenset(chain(*chosen)) for chosen in product(*(
            [emptied for emptied in combinations(each, len(each) - 1) if free.issuperset(emptied)] for each in cells)))
    if not rights:
        return
    faults = {frozenset(chosen): "Of a value that occurs three times or more, only one cell stays."
              for chosen in product(*cells) if free.issuperset(chosen)}
    faults[free.intersection(chain(*cells))] = "One cell of each repeated value may stay: k equal values add k − 1."
    surplus = sum(len(each) - 1 for each in cells)
    counts = ", ".join(f"{value} {TIMES.get(len(each), f'{len(each)} times')}" for value, each in repeats.items())
    short = ", ".join(f"{value}×{len(each)}" for value, each in repeats.items())
    total = f"{' + '.join(str(len(each) - 1) for each in cells)} = {surplus}" if len(cells) > 1 else str(surplus)
    givens = " ".join(cell_name(cell, n) for cell in unit.cells if cell not in free)
    yield Mark(kind="unit-energy", given=(("givens", f"{givens}: they stay"),) if givens else (),
               text=f"Mark the fewest cells of {unit.name} to empty, so that no value is repeated.",
               rights=rights, most=n, among=n, free=free, marked=unit.cells, inside=True, n=n, hides_conflicts=True,
               repeated=frozenset(chain(*cells)),
               faults={wrong: why for wrong, why in faults.items() if wrong not in rights},
               why=fitting(f"It has {counts}: {unit.name} adds {total} to E.",
                           f"{short}: {unit.name} adds {total} to E.",
                           f"{len(cells)} values are repeated: {unit.name} adds {surplus} to E."),
               hint="One cell of each repeated value may stay; those that must go count in E.")


def _repeated(grid: Sequence[int], unit: Unit) -> dict[int, list[int]]:
    """The cells of each repeated value, by the value."""
    held: dict[int, list[int]] = {}
    for cell in unit.cells:
        if grid[cell]:
            held.setdefault(grid[cell], []).append(cell)
    return {value: cells for value, cells in sorted(held.items()) if len(cells) > 1}
