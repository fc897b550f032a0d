"""Facts about a puzzle before it is solved: clashes, number of solutions, size of the search space."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine import text
from engine.errors import PuzzleError
from engine.puzzle import Clash, Puzzle, cell_name
from tui.i18n import _

if TYPE_CHECKING:
    from engine.solutions import Answer


def answer_text(answer: Answer | None) -> str:
    texts = {"none": _("no solution"), "one": _("1 solution"), "several": _("2 solutions or more"),
             "unknown": _("solutions unknown")}
    return texts[answer] if answer is not None else _("counting solutions")


def unique_text(answer: Answer | None) -> str:
    """The answer beside the label `solutions`."""
    return _("1, it is unique") if answer == "one" else answer_text(answer)


Representation = Literal["row", "box"]
_UP = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Landscape(Struct, frozen=True):
    """The search space of an annealer: states whose rows (or boxes) are permutations that respect the givens."""

    neighbours: int
    """Swaps: Σ C(f,2) over the units, f being the free cells of a unit."""
    states: int
    """Π f! over the units."""


def landscape(puzzle: Puzzle, representation: Representation) -> Landscape:
    geometry = puzzle.geometry
    units = geometry.rows if representation == "row" else geometry.boxes
    free = [sum(not puzzle.givens[cell] for cell in unit.cells) for unit in units]
    if any(clash.unit in units for clash in puzzle.clashes()):
        return Landscape(0, 0)  # no fill makes a permutation of that unit
    return Landscape(sum(math.comb(f, 2) for f in free), math.prod(math.factorial(f) for f in free))


def magnitude(number: int, ascii: bool = False) -> str:
    """A whole number, from a million on as `1.4 · 10⁴²`, in ASCII `1.4e42`."""
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


def clash_text(puzzle: Puzzle, clash: Clash) -> str:
    """`5 appears 2 times in row 1: r1c1 r1c4`."""
    where = " ".join(cell_name(cell, puzzle.n) for cell in clash.cells)
    return _("{value} appears {count} times in {unit}: {where}").format(
        value=clash.value, count=len(clash.cells), unit=clash.unit.name, where=where)


def refuse_clashes(puzzle: Puzzle, more: str = "") -> None:
    """Raise PuzzleError with the first clash of the givens, if any; `more` is appended if there are {count} others."""
    clashes = puzzle.clashes()
    if clashes:
        first = _("the givens contradict each other: {clash}").format(clash=clash_text(puzzle, clashes[0]))
        raise PuzzleError(first + (more.format(count=len(clashes) - 1) if clashes[1:] else ""))


def clashing_cells(clashes: tuple[Clash, ...]) -> tuple[int, ...]:
    return tuple(sorted({cell for clash in clashes for cell in clash.cells}))
