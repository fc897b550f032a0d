"""Hints: the findings of the techniques on a grid, one after the other; and whether a grid is filled correctly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.puzzle import Puzzle
from engine.solutions import count, solve
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


def completes(puzzle: Puzzle, cells: Sequence[int]) -> bool | None:
    """Whether a solution of the puzzle has these values (n*n, 0 = empty); None if the search takes too long to tell."""
    if tuple(cells) == puzzle.givens:
        return True
    known = count(puzzle, 2)
    if known.answer == "one":
        return all(value in (0, other) for value, other in zip(cells, known.examples[0], strict=True))
    found = solve(Puzzle(tuple(cells), puzzle.box, puzzle.variant)).outcome
    return None if found == "unknown" else found == "solved"


def hints(puzzle: Puzzle, cells: Sequence[int]) -> Iterator[Hint]:
    """The findings from `cells` on, each on the board after the ones before it."""
    board = Board.of(puzzle, cells)
    while board.open and not board.dead_cells():
        finding = next_finding(board)
        if finding is None:
            return
        yield Hint(finding, tuple(board.values), tuple(board.masks))
        apply(board, finding)
