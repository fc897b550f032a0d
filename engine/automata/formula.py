"""The formula of a board as text: the assertions of an encoding, their number, and the assumptions of a query.

Derived from the puzzle alone, so that it can be shown before Z3 is loaded. A test compares it with the assertions that
`engine.automata.encodings` makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine import text
from engine.puzzle import Geometry, Puzzle, Unit, cell_name
from engine.view import ListPanel

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName

Pair = tuple[int, int]
"""(cell, value)"""
Kind = Literal["asked", "given", "set", "blocking", "cell", "means", "unit"]
ASSUMED: tuple[Kind, ...] = ("asked", "given", "set")
"""The kinds of lines that a query assumes; Z3 has the others asserted."""

ENCODINGS: tuple[EncodingName, ...] = ("one-hot", "int-distinct", "finite-domain", "bit-vectors")
"""The names of all encodings, without loading one."""
ABOUT: dict[EncodingName, str] = {
    "one-hot": "a Boolean for every cell and value, pseudo-Boolean equations",
    "int-distinct": "an integer for every cell, Distinct for every unit; Z3's arithmetic",
    "finite-domain": "the same integers for Z3's finite-domain solver, which makes bits of them",
    "bit-vectors": "a word of bits for every cell, Distinct for every unit",
}


class FormulaLine(Struct, frozen=True):
    """A constraint of the formula, or one line for several of the same kind."""

    kind: Kind
    label: str
    """`given`, `row 1`, `columns`."""
    text: str
    many: int = 1
    """The number of constraints that the line represents."""
    core: bool = False
    """True if the constraint is in the core of the last query."""


class Instance(Struct, frozen=True):
    """A question to Z3: a board in an encoding, the value that a query assumes, and the core if it is unsatisfiable."""

    puzzle: Puzzle
    cells: tuple[int, ...]
    """n*n values, 0 = open: the givens and the values set since."""
    encoding: EncodingName = "one-hot"
    asked: Pair | None = None
    """The (cell, value) assumed by the query; it overrides the value in that cell."""
    units: tuple[int, ...] = ()
    """The units in the core, as indices into `geometry.units`."""
    placed: tuple[Pair, ...] = ()
    """The values in the core."""
    blocked: int = 0
    """The number of solutions that the query excludes."""


def formula(instance: Instance) -> tuple[FormulaLine, ...]:
    """The lines of the formula. The query and the core come before the rest of their kind."""
    puzzle, asked, geometry = instance.puzzle, instance.asked, instance.puzzle.geometry
    lines = [] if asked is None else [
        FormulaLine("asked", "asked", holds(*asked, puzzle.n), 1, asked in instance.placed)]
    lines += _placed(instance)
    lines += _blocking(instance.blocked, "an open cell differs from a solution found")
    lines += domain(geometry, instance.encoding)
    lines += [_rule(geometry.units[place], instance.encoding, puzzle.n, core=True) for place in instance.units]
    rest = [unit for place, unit in enumerate(geometry.units) if place not in instance.units]
    for kind, group in groupby(rest, lambda unit: unit.kind):
        units = list(group)
        label = f"{kind}s" if kind != "box" else "boxes"
        first = _rule(units[0], instance.encoding, puzzle.n)
        lines.append(FormulaLine("unit", label if len(units) > 1 else units[0].name, first.text,
                                 len(units) * _parts(instance.encoding, puzzle.n)))
    return tuple(lines)


def _placed(instance: Instance) -> Iterator[FormulaLine]:
    """Givens, then set values: one line for each in the core, one line for all others."""
    n, asked = instance.puzzle.n, instance.asked
    kinds: tuple[tuple[Kind, bool], ...] = (("given", True), ("set", False))
    for kind, given in kinds:
        pairs = [(cell, value) for cell, value in enumerate(instance.cells)
                 if value and bool(instance.puzzle.givens[cell]) is given and (asked is None or cell != asked[0])]
        rest = [pair for pair in pairs if pair not in instance.placed]
        yield from (FormulaLine(kind, kind, holds(*pair, n), 1, True) for pair in pairs if pair in instance.placed)
        if rest:
            yield FormulaLine(kind, kind, holds(*rest[0], n), len(rest))


def _blocking(blocked: int, clause: str) -> list[FormulaLine]:
    """The blocking clauses, one for each excluded solution; they are asserted for one query and then retracted."""
    return [FormulaLine("blocking", "blocking", clause, blocked)] if blocked else []


def holds(cell: int, value: int, n: int) -> str:
    """`r1c6 = 2`."""
    return f"{cell_name(cell, n)} = {value}"


def domain(geometry: Geometry, encoding: EncodingName) -> list[FormulaLine]:
    """The assertions about every cell."""
    n, name = geometry.n, cell_name(0, geometry.n)
    if encoding == "one-hot":
        return [FormulaLine("cell", "cells", f"one of {name}=1 … {name}={n}", n * n)]
    bits = f", {n.bit_length()} bits" if encoding == "bit-vectors" else ""
    return [FormulaLine("cell", "cells", f"1 ≤ {name} ≤ {n}{bits}", n * n),
            FormulaLine("means", "means", f"[{name} = 1] → {name} is 1", n**3)]


def unit_formula(geometry: Geometry, unit: Unit, encoding: EncodingName, blocked: int = 0) -> list[FormulaLine]:
    """The formula of a single unit: the assertions about every cell of the board, and every constraint of its rule,
    after the clauses of a query that excludes `blocked` words."""
    n = geometry.n
    first = [*_blocking(blocked, "a cell differs from a word found"), *domain(geometry, encoding)]
    names = [cell_name(cell, n) for cell in unit.cells]
    if encoding != "one-hot":
        return [*first, FormulaLine("unit", unit.name, f"distinct({', '.join(names)})")]
    rules = [FormulaLine("unit", unit.name if value == 1 else "", _once(names, value)) for value in range(1, n + 1)]
    return [*first, *rules]


def _once(names: Sequence[str], value: int) -> str:
    return f"[{names[0]}={value}] + [{names[1]}={value}] + … + [{names[-1]}={value}] = 1"


def _rule(unit: Unit, encoding: EncodingName, n: int, core: bool = False) -> FormulaLine:
    first, last = cell_name(unit.cells[0], n), cell_name(unit.cells[-1], n)
    rule = f"each value once in {first} … {last}" if encoding == "one-hot" else f"distinct({first} … {last})"
    return FormulaLine("unit", unit.name, rule, _parts(encoding, n), core)


def _parts(encoding: EncodingName, n: int) -> int:
    """The number of constraints of one rule."""
    return n if encoding == "one-hot" else 1


def assertions(geometry: Geometry, encoding: EncodingName, alone: bool = False) -> int:
    """The number of asserted constraints, for all units or (`alone`) one. Values in cells are assumed, not asserted."""
    domains = sum(line.many for line in domain(geometry, encoding))
    return domains + (1 if alone else len(geometry.units)) * _parts(encoding, geometry.n)


def totals(lines: Iterable[FormulaLine]) -> tuple[int, int]:
    """The numbers of asserted constraints and of assumed values that the lines represent."""
    asserted = assumed = 0
    for line in lines:
        if line.kind in ASSUMED:
            assumed += line.many
        else:
            asserted += line.many
    return asserted, assumed


def variables(geometry: Geometry, encoding: EncodingName) -> int:
    """The number of variables of the formula: a Boolean for each cell and value and, in the encodings with numbers, a
    number for each cell."""
    return geometry.n**3 + (0 if encoding == "one-hot" else geometry.n**2)


def marked(lines: Iterable[FormulaLine]) -> tuple[FormulaLine, ...]:
    """The lines of the query and of the core."""
    return tuple(line for line in lines if line.core or line.kind == "asked")


def formula_panel(instance: Instance) -> ListPanel:
    """The formula of a query in two or three lines: `324 asserted + 18 assumed`, then the kinds of constraints with the
    placed values, then the size of the core."""
    puzzle, encoding = instance.puzzle, instance.encoding
    counted: dict[str, int] = {}
    lines = formula(instance)
    for line in lines:
        label = line.label if line.kind != "unit" or line.label.endswith("s") else _plural(line.label)
        counted[label] = counted.get(label, 0) + line.many
    alike = groupby(((label, many) for label, many in counted.items() if label not in ASSUMED),
                    key=lambda pair: pair[1])
    kinds = "; ".join(f"{', '.join(label for label, _many in group)} {text.count(many)}" for many, group in alike)
    stands = ", ".join(f"{label} {text.count(counted[label])}" for label in ASSUMED if label in counted)
    core = (f"core: {len(instance.units)} of {len(puzzle.geometry.units)} units, {len(instance.placed)} values",)
    asserted, assumed = map(text.count, totals(lines))
    return ListPanel("Formula", (f"{asserted} asserted + {assumed} assumed, {encoding}",
                                 f"{kinds}; {stands}" if stands else kinds,
                                 *(core if instance.units or instance.placed else ())),
                     about="The constraints given to Z3, counted by kind: those asserted, and those assumed for one "
                           "question. blocking: a clause that forbids the solution found, for the question about a "
                           "second one only.")


def _plural(unit: str) -> str:
    """`rows` of `row 3`."""
    kind = unit.split(maxsplit=1)[0]
    return "boxes" if kind == "box" else f"{kind}s"
