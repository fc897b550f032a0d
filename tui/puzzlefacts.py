"""What can be said about a puzzle before anybody solves it: clashes of its givens, and what an annealer faces."""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from engine import text
from engine.puzzle import Clash, Puzzle, cell_name
from tui.i18n import _

Representation = Literal["row", "box"]
_UP = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Landscape(Struct, frozen=True):
    """The states whose units of one kind are permutations that respect the givens, and the exchanges between them."""

    neighbours: int
    """Σ C(f,2) over the units, f being the free cells of a unit."""
    states: int
    """Π f! over the units."""


def landscape(puzzle: Puzzle, representation: Representation) -> Landscape:
    geometry = puzzle.geometry
    units = geometry.rows if representation == "row" else geometry.boxes
    free = [sum(not puzzle.givens[cell] for cell in unit.cells) for unit in units]
    return Landscape(sum(math.comb(f, 2) for f in free), math.prod(math.factorial(f) for f in free))


def magnitude(number: int, ascii: bool = False) -> str:
    """A whole number in full up to a million, then as `1.4 · 10⁴²`, in ASCII `1.4e42`."""
    if number < 1_000_000:
        return text.count(number)
    digits = str(number)
    exponent = len(digits) - 1
    leading = round(int(digits[:4]) / 1000, 1)
    if leading >= 10:
        leading, exponent = 1.0, exponent + 1
    if ascii:
        return f"{leading:.1f}e{exponent}"
    return f"{leading:.1f} · 10{str(exponent).translate(_UP)}"


def clash_text(puzzle: Puzzle, unit: str, value: int, cells: tuple[int, ...]) -> str:
    """`5 stands 2 times in row 1: r1c1 r1c4`."""
    where = " ".join(cell_name(cell, puzzle.n) for cell in cells)
    return _("{value} stands {count} times in {unit}: {where}").format(value=value, count=len(cells), unit=unit,
                                                                       where=where)


def said_of(puzzle: Puzzle, clash: Clash) -> str:
    return clash_text(puzzle, clash.unit.name, clash.value, clash.cells)


def clashing_cells(clashes: tuple[Clash, ...]) -> tuple[int, ...]:
    return tuple(sorted({cell for clash in clashes for cell in clash.cells}))
