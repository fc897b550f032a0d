"""Hints: the findings of the techniques on a correctly filled grid, or on the givens, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.puzzle import Puzzle
from engine.solutions import count
from engine.techniques.board import Board
from engine.techniques.finding import Finding
from engine.techniques.order import apply, next_finding


class Hint(Struct, frozen=True):
    """A finding, and the board that it is found on."""

    finding: Finding
    grid: tuple[int, ...]
    """n*n values, 0 = open."""
    candidates: tuple[int, ...]
    """For each cell its candidates as bits, before the finding is applied."""


def basis(puzzle: Puzzle, cells: Sequence[int]) -> tuple[int, ...]:
    """The values that a hint may rest on: `cells` (n*n values, 0 = empty) if they agree with the unique solution; else,
    or if the solution is not known to be unique, the givens."""
    if tuple(cells) == puzzle.givens:
        return puzzle.givens
    known = count(puzzle, 2)
    right = known.answer == "one" and all(value in (0, other)
                                          for value, other in zip(cells, known.examples[0], strict=True))
    return tuple(cells) if right else puzzle.givens


def hints(puzzle: Puzzle, cells: Sequence[int]) -> Iterator[Hint]:
    """The findings from `cells` on, each on the board after the ones before it."""
    board = Board.of(puzzle, cells)
    while board.open and not board.dead_cells():
        finding = next_finding(board)
        if finding is None:
            return
        yield Hint(finding, tuple(board.values), tuple(board.masks))
        apply(board, finding)
