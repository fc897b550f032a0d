"""Hints: the findings of the techniques on the correctly filled part of a puzzle, one after the other."""

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


def rightly_filled(puzzle: Puzzle, cells: Sequence[int]) -> tuple[int, ...]:
    """The givens, and those of `cells` (n*n values, 0 = empty) that agree with the unique solution; only the givens if
    the solution is not known to be unique."""
    if tuple(cells) == puzzle.givens:
        return puzzle.givens
    known = count(puzzle, 2)
    if known.answer != "one":
        return puzzle.givens
    return tuple(value if value == right else given
                 for value, right, given in zip(cells, known.examples[0], puzzle.givens, strict=True))


def hints(puzzle: Puzzle, cells: Sequence[int]) -> Iterator[Hint]:
    """The findings from `cells` on, each on the board after the ones before it."""
    board = Board.of(puzzle, cells)
    while board.open and not board.dead_cells():
        finding = next_finding(board)
        if finding is None:
            return
        yield Hint(finding, tuple(board.values), tuple(board.masks))
        apply(board, finding)
