"""Unique rectangles: four cells in two rows, two columns and two boxes that held the same two values could be
exchanged, and there would be a second solution.

They assume that the puzzle has exactly one solution, and say nothing about one that has several. In the diagonal
variant an exchange may break a diagonal: there they are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.techniques.board import Board, Pair, members, set_of, values_of
from engine.techniques.finding import Finding, listed, pairs

Corners = tuple[int, int, int, int]


def unique_rectangles(board: Board) -> Iterator[Finding]:
    """Types 1 (one corner has more), 2 (two have the same more) and 4 (one of the values is bound to two corners)."""
    if board.tables.variant != "classic":
        return
    for corners, both in _rectangles(board):
        roof = tuple(cell for cell in corners if board.masks[cell] != both)
        struck = _struck(board, roof, both)
        if struck:
            yield Finding("Unique rectangle", corners, values_of(both), struck, (), (),
                          f"{listed(values_of(both))} in four corners would leave two solutions; one is assumed")


def _rectangles(board: Board) -> Iterator[tuple[Corners, int]]:
    """Four open corners with two common candidates, and those two; at least two corners have no others."""
    n = board.tables.n
    floor = [cell for cell in members(board.open) if board.masks[cell].bit_count() == 2]
    seen = set()
    for a, b in combinations(floor, 2):
        both = board.masks[a]
        if board.masks[b] != both:
            continue
        for corners in _completed(board, a, b, n):
            if corners not in seen and all(board.masks[cell] & both == both for cell in corners):
                seen.add(corners)
                yield corners, both


def _completed(board: Board, a: int, b: int, n: int) -> Iterator[Corners]:
    """The rectangles that two cells are corners of, over exactly two boxes."""
    (ar, ac), (br, bc), box = divmod(a, n), divmod(b, n), board.tables.box
    if ar == br:
        sides = [((ar, row), (ac, bc)) for row in range(n) if row != ar]
    elif ac == bc:
        sides = [((ar, br), (ac, column)) for column in range(n) if column != ac]
    else:
        sides = [((ar, br), (ac, bc))]
    for rows, columns in sides:
        corners = tuple(sorted(row * n + column for row in rows for column in columns))
        same_band, same_stack = rows[0] // box == rows[1] // box, columns[0] // box == columns[1] // box
        if same_band != same_stack and all(board.masks[cell] for cell in corners):
            yield corners[0], corners[1], corners[2], corners[3]


def _struck(board: Board, roof: tuple[int, ...], both: int) -> tuple[Pair, ...]:
    if len(roof) == 1:
        return pairs(both, board, 1 << roof[0])
    if len(roof) != 2:
        return ()
    one, other = roof
    extra = board.masks[one] & ~both
    seen = board.tables.peers[one] & board.tables.peers[other]
    if extra == board.masks[other] & ~both and extra.bit_count() == 1:
        struck = pairs(extra, board, seen)
        if struck:
            return struck
    return _bound(board, one, other, both)


def _bound(board: Board, one: int, other: int, both: int) -> tuple[Pair, ...]:
    """If one of the two values must be in the roof, the other cannot."""
    for unit in board.tables.units_of[one]:
        if unit not in board.tables.units_of[other]:
            continue
        for value in values_of(both):
            if board.where[value] & board.tables.units[unit] == set_of((one, other)):
                return pairs(both & ~(1 << value - 1), board, set_of((one, other)))
    return ()
