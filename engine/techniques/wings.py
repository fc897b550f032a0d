"""XY-wing and XYZ-wing: a pivot whose every value puts the same value into one cell or another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.puzzle import cell_name
from engine.techniques.board import Board, members, set_of, values_of
from engine.techniques.finding import Finding, named, pairs


def xy_wing(board: Board) -> Iterator[Finding]:
    """A pivot with values x, y sees a cell with x, z and one with y, z: what sees both of these is not z."""
    return _wings(board, "XY-wing", 2)


def xyz_wing(board: Board) -> Iterator[Finding]:
    """A pivot with values x, y, z sees a cell with x, z and one with y, z: what sees all three is not z."""
    return _wings(board, "XYZ-wing", 3)


def _wings(board: Board, technique: str, size: int) -> Iterator[Finding]:
    peers = board.tables.peers
    two = set_of(cell for cell in members(board.open) if board.masks[cell].bit_count() == 2)
    for pivot in members(board.open):
        if board.masks[pivot].bit_count() != size:
            continue
        for a, b in combinations(members(two & peers[pivot]), 2):
            shared = _shared(board.masks[pivot], board.masks[a], board.masks[b])
            if not shared:
                continue
            victims = peers[a] & peers[b] & (peers[pivot] if size == 3 else -1)
            struck = pairs(shared, board, victims & board.where[shared.bit_length()])
            if struck:
                yield _found(board, technique, (pivot, a, b), struck)


def _shared(pivot: int, a: int, b: int) -> int:
    """The value that one of a wing's cells must hold, as a set; 0 where the three are no wing."""
    both = a & b
    if a == b or both.bit_count() != 1 or (a | b).bit_count() != 3:
        return 0
    return both if pivot in (a | b, (a | b) & ~both) else 0


def _found(board: Board, technique: str, cells: tuple[int, int, int], struck: tuple[tuple[int, int], ...]) -> Finding:
    pivot, a, b = cells
    values = values_of(board.masks[a] | board.masks[b])
    return Finding(technique, tuple(sorted(cells)), values, struck, (), (),
                   f"pivot {cell_name(pivot, board.tables.n)}, {named(board, (a, b))}: one of the cells is "
                   f"{struck[0][1]}")
