"""Overlays of a board: heat, weights and marks of candidates, units of the step, origin of inherited cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from engine.puzzle import Puzzle
from engine.view import Pair, PencilRole, View
from engine.view import Role as MarkRole
from tui.look.theme import Role
from tui.widgets.board.cell import NO_HEAT, UNIT, Cell
from tui.widgets.rows import eighths

LIKELY, HARDLY = 0.5, 0.1
"""Weights from which a candidate is strong, and below which it recedes."""
PARENTS: tuple[MarkRole, ...] = ("parent_a", "parent_b")


class Hints(Struct, frozen=True):
    """The overlays of a view; see `engine.view.View`."""

    heat: tuple[float, ...] | None = None
    weights: tuple[float, ...] | None = None
    pencils: Mapping[PencilRole, tuple[Pair, ...]] = field(default_factory=dict)
    units: tuple[int, ...] = ()


NO_HINTS = Hints()


def hints_of(view: View) -> Hints:
    """The hints of a view; `NO_HINTS` itself if it has none."""
    if view.heat is None and view.weights is None and not view.pencils and not view.units:
        return NO_HINTS
    return Hints(view.heat, view.weights, view.pencils, view.units)


def with_hints(cells: Sequence[Cell], puzzle: Puzzle, hints: Hints) -> list[Cell]:
    """The cells with the hints added."""
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




def grade(weight: float) -> int:
    """The grade of a candidate by its weight: 0 (unlikely) to 2 (likely)."""
    return 2 if weight >= LIKELY else 1 if weight >= HARDLY else 0


def label_role(named: bool) -> Role:
    """Role of the label of a row or column; `named`: it is a unit of this step."""
    return "strong" if named else "muted"


class Origin(Struct, frozen=True):
    """The letters of the parents of a child, as they are marked on the board.

    They are beside the row labels if each row is from one parent or from neither, once in each box if each box is, else
    at every cell. Givens are in both parents and have no letter.
    """

    rows: tuple[str, ...] = ()
    """The letter of each row, or ""; empty: the letters are at cells."""
    cut: int | None = None
    """The row (0 to n - 1) at which the parent changes, if it changes once."""
    cells: Mapping[int, str] = field(default_factory=dict)


NOWHERE = Origin()


def parent_letters(n: int) -> str:
    """The letters of the two parents on an n x n board: small ones where A and B may be values."""
    return "AB" if n <= 9 else "ab"


def origin_of(puzzle: Puzzle, marks: Mapping[MarkRole, Sequence[int]]) -> Origin:
    """The letters for the marks of a child."""
    moved, given = set(marks.get("moved", ())), puzzle.givens
    letters = {cell: letter for role, letter in zip(PARENTS, parent_letters(puzzle.n), strict=True)
               for cell in marks.get(role, ())
               if cell not in moved and not given[cell]}
    if not letters:
        return NOWHERE
    geometry = puzzle.geometry
    inherited = [cell for cell in puzzle.free_cells if cell not in moved]
    rows, boxes = ([_only(letters.get(cell, "") for cell in unit.cells if cell in inherited) for unit in units]
                   for units in (geometry.rows, geometry.boxes))
    if None not in rows:
        named = tuple(letter or "" for letter in rows)
        return Origin(named, _cut(named))
    if None not in boxes:
        first = (next((cell for cell in box.cells if cell in letters), None) for box in geometry.boxes)
        return Origin(cells={cell: letters[cell] for cell in first if cell is not None})
    return Origin(cells=letters)


def _only(letters: Iterable[str]) -> str | None:
    """The one letter of some cells, "" if none has one, None if they differ."""
    found = set(letters)
    return None if len(found) > 1 else next(iter(found), "")


def _cut(rows: Sequence[str]) -> int | None:
    """The row at which the letter changes, if it changes once."""
    lettered = [(row, letter) for row, letter in enumerate(rows) if letter]
    changes = [row for (_before, was), (row, now) in pairwise(lettered) if was != now]
    return changes[0] if len(changes) == 1 else None
