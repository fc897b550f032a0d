"""Panels for a screen: automata reading words letter by letter, and the formula of a query."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine import text
from engine.automata.formula import Standing, assertions, formula
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.view import AutomatonPanel, ListPanel

NONE = "∅"
"""Shown in place of a state after a rejection."""


def waiting(puzzle: Puzzle, unit: int, value: int, values: Sequence[int]) -> AutomatonPanel:
    """The automaton `one 2 in column 5`: state (0) until a cell holds the value, then (1), which accepts; a second one
    leads nowhere. `unit`: index into `geometry.units`; `values`: n*n, 0 = open."""
    cells, seen = puzzle.geometry.units[unit].cells, 0
    states, letters = ["(0)"], []
    for cell in cells:
        seen += values[cell] == value
        letters.append("yes" if values[cell] == value else "no")
        states.append(f"({seen})" if seen < 2 else "none")
    reads = tuple(cell_name(cell, puzzle.n) for cell in cells)
    because = tuple(_reason(puzzle, cell, value, values) for cell in cells)
    return AutomatonPanel(f"One {value} in {puzzle.geometry.units[unit].name}", reads, tuple(letters), because,
                          tuple(states), seen == 1)


def _reason(puzzle: Puzzle, cell: int, value: int, values: Sequence[int]) -> str:
    """The reason why a cell holds the value or cannot."""
    if values[cell]:
        return f"= {values[cell]}"
    holding = (unit.name for unit in puzzle.geometry.units_of[cell] if any(values[c] == value for c in unit.cells))
    return next(holding, "struck")


def spelled(puzzle: Puzzle, unit: int, word: Sequence[int], because: Sequence[str] = (),
            blame: Sequence[int] = ()) -> AutomatonPanel:
    """A word read by the automaton of a unit. The states are the numbers of different letters read so far. `blame`:
    positions of the letters to blame, the last of which leads nowhere; `because`: one reason per letter."""
    place = puzzle.geometry.units[unit]
    seen: set[int] = set()
    states, alive = ["(0)"], True
    for position, value in enumerate(word):
        wrong = not value or value > puzzle.n or value in seen or (bool(blame) and position == blame[-1])
        alive = alive and not (wrong and value)
        if value:
            seen.add(value)
        states.append(f"({len(seen)})" if alive else NONE)
    known = all(word) or not alive
    letters = tuple(SYMBOLS[value] if 0 <= value < len(SYMBOLS) else str(value) for value in word)
    reads = tuple(cell_name(cell, puzzle.n) for cell in place.cells)
    return AutomatonPanel(f"Every value in {place.name}", reads, letters, tuple(because) or ("",) * len(word),
                          tuple(states), alive if known else None, blame[-1] if blame else None)


def formula_panel(standing: Standing) -> ListPanel:
    """The formula of a query in two or three lines: `324 asserted, one-hot`, then the kinds of constraints with the
    placed values, then the size of the core."""
    puzzle, encoding = standing.puzzle, standing.encoding
    counted: dict[str, int] = {}
    for line in formula(standing):
        label = line.label if line.kind != "unit" or line.label.endswith("s") else _plural(line.label)
        counted[label] = counted.get(label, 0) + line.many
    alike = groupby(((label, many) for label, many in counted.items() if label not in ("asked", "given", "set")),
                    key=lambda pair: pair[1])
    kinds = "; ".join(f"{', '.join(label for label, _many in group)} {text.count(many)}" for many, group in alike)
    stands = ", ".join(f"{label} {text.count(counted[label])}" for label in ("asked", "given", "set")
                       if label in counted)
    core = (f"core: {len(standing.units)} of {len(puzzle.geometry.units)} units, {len(standing.placed)} values",)
    return ListPanel("Formula", (f"{text.count(assertions(puzzle.geometry, encoding))} asserted, {encoding}",
                                 f"{kinds}; {stands}" if stands else kinds,
                                 *(core if standing.units or standing.placed else ())))


def _plural(unit: str) -> str:
    """`rows` of `row 3`."""
    kind = unit.split(maxsplit=1)[0]
    return "boxes" if kind == "box" else f"{kind}s"
