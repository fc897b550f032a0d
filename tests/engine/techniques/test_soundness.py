"""No finding strikes a candidate of the solution or places another value, on puzzles that have one solution."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import Grid, minimal, solve
from engine.techniques.board import Board
from engine.techniques.finding import Finding
from engine.techniques.order import TECHNIQUES, findings
from tests.engine.techniques.boards import walk


def _holds(finding: Finding, board: Board, grid: Grid) -> bool:
    """True if a finding changes the board and agrees with the solution."""
    changes = all(board.masks[cell] >> value - 1 & 1 for cell, value in (*finding.struck, *finding.placed))
    right = all(grid[cell] == value for cell, value in finding.placed)
    return (changes and right and bool(finding.struck or finding.placed)
            and not any(grid[cell] == value for cell, value in finding.struck))


@settings(max_examples=20)
@given(number=st.integers(0, 10**6))
def test_minimal_puzzles(number: int) -> None:
    puzzles, grids = minimal.make(5, number, 1)
    grid = tuple(grids[0].tolist())
    for board, found in walk(Board.of(Puzzle(tuple(puzzles[0].tolist())))):
        assert all(_holds(finding, board, grid) for finding in found)


@pytest.mark.sweep
@settings(max_examples=8)
@given(number=st.integers(0, 10**6))
def test_every_technique_alone(number: int) -> None:
    puzzles, grids = minimal.make(6, number, 1)
    grid = tuple(grids[0].tolist())
    for board, _found in walk(Board.of(Puzzle(tuple(puzzles[0].tolist())))):
        for technique in TECHNIQUES[2:]:
            assert all(_holds(finding, board, grid) for finding in technique.find(board)), technique.name


def test_packs_of_every_kind() -> None:
    for name in ("4x4", "diagonal", "16x16", "extreme"):
        for record in packs.pack(name)[:4]:
            grid = solve(record.puzzle).grid
            assert grid is not None
            for board, found in walk(Board.of(record.puzzle)):
                assert all(_holds(finding, board, grid) for finding in found), record.puzzle.line


def test_the_walks_meet_every_kind_of_chain() -> None:
    puzzles, _grids = minimal.make(5, 0, 60)
    met = Counter(found[0].technique for each in puzzles
                  for _board, found in walk(Board.of(Puzzle(tuple(each.tolist())))))
    assert {"Pointing", "Claiming", "Naked pair", "Simple colouring", "XY-wing", "Forcing chain"} <= met.keys()


def test_a_solved_board_has_no_findings() -> None:
    assert findings(Board.of(Puzzle(minimal.full_grid(1, 0)))) == ()
