"""The formula that Z3 is asked about, in two or three short lines: how many constraints of each kind, and how many of
them are in the core."""

from __future__ import annotations

from itertools import groupby

from engine import text
from engine.automata.formula import Standing, assertions, formula
from engine.view import ListPanel


def formula_part(standing: Standing) -> ListPanel:
    """`324 asserted, one-hot`, then what stands and the kinds of constraints."""
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
