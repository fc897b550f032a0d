"""Helpers for the tests of the techniques: symmetries, and walks from a puzzle until nothing more is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.techniques.board import Board
from engine.techniques.finding import Finding
from engine.techniques.order import apply, findings

CHAINED = packs.pack("extreme")[0].puzzle
"""Solved by forcing chains, sets and nets."""
HARD = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."
HARD_FOR_SEARCH = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def relabelled(puzzle: Puzzle, names: Sequence[int]) -> Puzzle:
    """The puzzle with names[v - 1] wherever v stood."""
    return Puzzle(tuple(names[v - 1] if v else 0 for v in puzzle.givens), puzzle.box, puzzle.variant)


def transposed(puzzle: Puzzle) -> Puzzle:
    n = puzzle.n
    return Puzzle(tuple(puzzle.givens[c * n + r] for r in range(n) for c in range(n)), puzzle.box, puzzle.variant)


def walk(board: Board) -> Iterator[tuple[Board, tuple[Finding, ...]]]:
    """The board and all that one technique finds on it, until none finds anything."""
    while board.open and (found := findings(board)):
        yield board, found
        for finding in found:
            apply(board, finding)
