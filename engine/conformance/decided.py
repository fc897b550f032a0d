"""Puzzles with no, one and many solutions, which a complete solver must tell apart: classic, with diagonals, three
sizes. Each takes little time, and some an argument by cases."""

from __future__ import annotations

from engine.conformance.cases import FOUR, FOUR_DIAGONAL, NINE, UNSOLVABLE
from engine.puzzle import Puzzle, Variant

DECIDING = 100_000
"""Steps in which a complete solver decides each of these."""

_LARGE = (
    "E594A216FBG.8.D7G26D87E3C1A.FB5938F1.GB9E5D7264AC7BAD5F4962.G3E1"
    "7D8B26351E9A.FGC2EA6497F8G.C31BD43.CEBG8D7F259A65.G91AD.B436E728"
    "8B376.2AG9C51DF.195F784GA3.DC26EAC.G9F51624E783B642E.3CD781FAG95"
    "B6.3G1AE5F.9D482DGE254{}..C{}{}9A1F9175FD{}2.A{}GBEC3F.483C9B2DE1657G"
)
"""A 16x16 board with five gaps: four for a 6 and an 8 that could change places, one for a wrong value."""


def _puzzle(line: str, variant: Variant = "classic") -> Puzzle:
    return Puzzle.from_line(line, variant)


DECIDED: tuple[tuple[str, Puzzle, int], ...] = (
    ("one solution", FOUR, 1),
    ("one solution on the diagonals", FOUR_DIAGONAL, 1),
    ("many solutions", _puzzle("1..............."), 2),
    ("every grid", Puzzle((0,) * 16, 2), 2),
    ("every grid on the diagonals", Puzzle((0,) * 16, 2, "diagonal"), 2),
    ("a full grid that is right", _puzzle("1234341221434321"), 1),
    ("a full grid that is wrong", _puzzle("1234341221434312"), 0),
    ("a full grid that is right but for a diagonal", _puzzle("1234341221434321", "diagonal"), 0),
    ("givens that contradict each other", _puzzle("11.............."), 0),
    ("givens that contradict each other on a diagonal", _puzzle("1....1..........", "diagonal"), 0),
    ("a cell without a value", _puzzle("123....4........"), 0),
    ("two values for one cell of a row", UNSOLVABLE, 0),
    ("one solution, 9x9", NINE, 1),
    ("many solutions, 9x9", _puzzle(
        "..3.2.6..9..3.5.....18.64....81.29..7.......8..67.82....26..5..8..2.3..9..5.1.3.."), 2),
    ("every grid, 9x9", Puzzle((0,) * 81), 2),
    ("a value too many, 9x9", _puzzle(
        "5.3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."), 0),
    ("no solution in either of two cases, 9x9", _puzzle(
        "...1..9...3.456...5....8.......2...32...7.64..6.58..2.9..2.....4......5.12....7.4"), 0),
    ("one solution on the diagonals, 9x9", _puzzle(
        ".5613.74.....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..", "diagonal"), 1),
    ("many solutions on the diagonals, 9x9", _puzzle(
        ".396..54.....9..3...8...7...83.26..15.1..........5.3..72..38..43..4.......45.2.7.", "diagonal"), 2),
    ("a solution that only a diagonal forbids, 9x9", _puzzle(
        ".5613.742....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..", "diagonal"), 0),
    ("the same without diagonals, 9x9", _puzzle(
        ".5613.742....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72.."), 1),
    ("one solution, 16x16", _puzzle(_LARGE.format("8", "6", ".", "6", "8")), 1),
    ("many solutions, 16x16", _puzzle(_LARGE.format(*".....")), 2),
    ("a value too many, 16x16", _puzzle(_LARGE.format("8", "6", "3", "6", "8")), 0),
)
"""(label, puzzle, solutions: 0, 1, or 2 for several)."""
SOLVABLE = frozenset(puzzle for _, puzzle, solutions in DECIDED if solutions)
