"""Naked and hidden singles, and the contradictions that looking for them uncovers.

A naked single is a cell that only one value fits into; a hidden single is a value that only one cell of a unit can
take. Candidates are bit masks: bit v - 1 stands for value v.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.puzzle import Puzzle, Unit, cell_name


class Single(Struct, frozen=True):
    """A cell whose value is forced."""

    cell: int
    value: int
    reason: str


class DeadEnd(Struct, frozen=True):
    """Proof that the cells cannot be completed."""

    cells: tuple[int, ...]
    reason: str


def candidates(puzzle: Puzzle, cells: Sequence[int]) -> list[int]:
    """For every cell the values that no cell of its units holds; 0 for a cell that is filled."""
    full = (1 << puzzle.n) - 1
    left = [full] * puzzle.n**2
    for unit in puzzle.geometry.units:
        held = 0
        for cell in unit.cells:
            held |= 1 << cells[cell] >> 1
        for cell in unit.cells:
            left[cell] &= ~held
    return [0 if value else mask for value, mask in zip(cells, left, strict=True)]


def next_finding(puzzle: Puzzle, cells: Sequence[int]) -> Single | DeadEnd | None:
    """The next thing that follows from the filled cells: a dead end before a naked single before a hidden one.

    Cells are looked at in their order, units as rows, columns, boxes, diagonals, values from 1.
    """
    left = candidates(puzzle, cells)
    dead = _dead_cell(puzzle, cells, left)
    if dead is not None:
        return dead
    for cell, mask in enumerate(left):
        if mask and not mask & (mask - 1):
            return Single(cell, mask.bit_length(), "naked single")
    for unit in puzzle.geometry.units:
        found = _hidden(puzzle, unit, cells, left)
        if found is not None:
            return found
    return None


def _dead_cell(puzzle: Puzzle, cells: Sequence[int], left: list[int]) -> DeadEnd | None:
    for cell, mask in enumerate(left):
        if not mask and not cells[cell]:
            return DeadEnd((cell,), f"no value fits into {cell_name(cell, puzzle.n)}")
    return None


def _hidden(puzzle: Puzzle, unit: Unit, cells: Sequence[int], left: list[int]) -> Single | DeadEnd | None:
    """A hidden single of the unit, or a value that finds no place in it."""
    once = twice = held = 0
    for cell in unit.cells:
        twice |= once & left[cell]
        once |= left[cell]
        held |= 1 << cells[cell] >> 1
    lost = ((1 << puzzle.n) - 1) & ~once & ~held
    if lost:
        value = (lost & -lost).bit_length()
        return DeadEnd(unit.cells, f"{value} finds no place in {unit.name}")
    forced = once & ~twice
    if not forced:
        return None
    bit = forced & -forced
    cell = next(cell for cell in unit.cells if left[cell] & bit)
    return Single(cell, bit.bit_length(), f"hidden single in {unit.name}")
