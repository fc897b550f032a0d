"""From which parent the cells of a child are, as it is marked on the board. Pure.

Where whole rows are from one parent the letters stand beside the labels of the rows, where whole boxes are, once in
each box, else at every cell. Givens are in both parents and have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from engine.puzzle import Puzzle
from engine.view import Role as MarkRole


class Origin(Struct, frozen=True):
    """Where the letters stand."""

    rows: tuple[str, ...] = ()
    """A letter for each row, or nothing; no rows: the letters stand at cells."""
    cut: int | None = None
    """The row (0..n-1) with which the second parent's begin, where they change but once."""
    cells: Mapping[int, str] = field(default_factory=dict)


NOWHERE = Origin()


def origin_of(puzzle: Puzzle, marks: Mapping[MarkRole, Sequence[int]]) -> Origin:
    """The letters for these marks."""
    moved, given = set(marks.get("moved", ())), puzzle.givens
    letters = {cell: letter for role, letter in _ROLES for cell in marks.get(role, ())
               if cell not in moved and not given[cell]}
    if not letters:
        return NOWHERE
    geometry = puzzle.geometry
    rows = [_only([letters.get(cell, "") for cell in row.cells]) for row in geometry.rows]
    if None not in rows:
        named = tuple(letter or "" for letter in rows)
        return Origin(named, _cut(named))
    boxes = [_only([letters.get(cell, "") for cell in box.cells]) for box in geometry.boxes]
    if None not in boxes:
        first = (next((cell for cell in box.cells if cell in letters), None) for box in geometry.boxes)
        return Origin(cells={cell: letters[cell] for cell in first if cell is not None})
    return Origin(cells=letters)


_ROLES: tuple[tuple[MarkRole, str], ...] = (("parent_a", "A"), ("parent_b", "B"))


def _only(letters: Iterable[str]) -> str | None:
    """The letter of some cells, empty if they have none; None where they have both."""
    found = {letter for letter in letters if letter}
    return None if len(found) > 1 else next(iter(found), "")


def _cut(rows: Sequence[str]) -> int | None:
    """The row at which the one letter of the rows above gives way to the other."""
    lettered = [(row, letter) for row, letter in enumerate(rows) if letter]
    changes = [row for (_before, was), (row, now) in pairwise(lettered) if was != now]
    return changes[0] if len(changes) == 1 else None
