"""What a view may say of cells beyond values and marks: heat, weights and marks of candidates, units. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from engine.puzzle import Puzzle
from engine.view import Pair, PencilRole, View
from tui.look.theme import Role
from tui.widgets.board_cell import NO_HEAT, UNIT, Cell

EIGHTHS = 8
LIKELY, HARDLY = 0.5, 0.1
"""Weights from which on a candidate is written strong, and below which hardly."""


class Hints(Struct, frozen=True):
    """The parts of a view of the same names."""

    heat: tuple[float, ...] | None = None
    weights: tuple[float, ...] | None = None
    pencils: Mapping[PencilRole, tuple[Pair, ...]] = field(default_factory=dict)
    units: tuple[int, ...] = ()


NO_HINTS = Hints()


def hints_of(view: View) -> Hints:
    """The hints of a view; always the same object where it has none."""
    if view.heat is None and view.weights is None and not view.pencils and not view.units:
        return NO_HINTS
    return Hints(view.heat, view.weights, view.pencils, view.units)


def hinted(cells: Sequence[Cell], puzzle: Puzzle, hints: Hints) -> list[Cell]:
    """The cells with what the hints say of them."""
    n = puzzle.n
    struck, support = (_masks(hints.pencils.get(role, ()), len(cells)) for role in ("struck", "support"))
    within = {cell for unit in hints.units for cell in puzzle.geometry.units[unit].cells}
    return [
        cell._replace(
            flags=cell.flags | UNIT if number in within else cell.flags,
            heat=NO_HEAT if hints.heat is None else eighths(hints.heat[number]),
            struck=struck[number], support=support[number],
            grades=() if hints.weights is None else tuple(map(grade, hints.weights[number * n : number * n + n])),
        )
        for number, cell in enumerate(cells)
    ]


def _masks(pairs: Sequence[Pair], cells: int) -> list[int]:
    masks = [0] * cells
    for cell, value in pairs:
        masks[cell] |= 1 << value - 1
    return masks


def eighths(share: float) -> int:
    """A bar that is seen however small the share is."""
    return min(EIGHTHS, math.ceil(share * EIGHTHS)) if math.isfinite(share) else NO_HEAT


def grade(weight: float) -> int:
    """0, 1 or 2: hardly anything, something, most of all speaks for a candidate."""
    return 2 if weight >= LIKELY else 1 if weight >= HARDLY else 0


def label_role(named: bool) -> Role:
    """The label of a row or column; bold where this step is about it."""
    return "strong" if named else "muted"
