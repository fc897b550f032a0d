"""Energies and conflicts by definition: the oracle that the E of every kernel is tested against.

Each function is written to be obviously right, not fast. A kernel keeps E up to date with count tables, bits or ΔE;
the tests compare it with these functions after every step.

`cells` is always a sequence of n*n values, 0 = empty; an empty cell never counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.puzzle import Puzzle, Unit


def surplus(cells: Sequence[int], units: Iterable[Unit]) -> int:
    """The sum of k - 1 over each value that occurs k > 1 times in a unit, over all `units`."""
    total = 0
    for unit in units:
        counts = Counter(cells[cell] for cell in unit.cells if cells[cell])
        total += sum(k - 1 for k in counts.values())
    return total


def row_state_energy(puzzle: Puzzle, cells: Sequence[int]) -> int:
    """E of the row representation (each row a permutation): the surplus of columns, boxes and diagonals."""
    g = puzzle.geometry
    return surplus(cells, g.columns + g.boxes + g.diagonals)


def box_state_energy(puzzle: Puzzle, cells: Sequence[int]) -> int:
    """E of the box representation (each box a permutation): the surplus of rows, columns and diagonals."""
    g = puzzle.geometry
    return surplus(cells, g.rows + g.columns + g.diagonals)


def full_energy(puzzle: Puzzle, cells: Sequence[int]) -> int:
    """E without a permutation constraint: the surplus of all units."""
    return surplus(cells, puzzle.geometry.units)


def errors(puzzle: Puzzle, cells: Sequence[int]) -> int:
    """Errors of a finished grid: the surplus of all units, plus empty cells, plus givens that were changed."""
    changed = sum(1 for given, value in zip(puzzle.givens, cells, strict=True) if given and given != value)
    return full_energy(puzzle, cells) + sum(1 for value in cells if not value) + changed


def is_solution(puzzle: Puzzle, cells: Sequence[int]) -> bool:
    return errors(puzzle, cells) == 0


def conflicts(puzzle: Puzzle, cells: Sequence[int]) -> tuple[int, ...]:
    """The cells whose value is repeated in one of their units, ascending."""
    peers = puzzle.geometry.peers
    return tuple(
        cell for cell, value in enumerate(cells) if value and any(cells[other] == value for other in peers[cell])
    )
