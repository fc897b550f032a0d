"""ΔE: the change of E that a move makes, and making the move.

Both look only at the units that the move disturbs; nothing is recounted. A swap exchanges two cells, a rotation three.
At 9x9 the kernel has the same ΔE of a swap by bit arithmetic, from `packed_kernel.packed_delta`.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing.workspace import NO_CELL, Cells, Counts, Moves, Pairs, Units, Workspace

_1 = np.uint8(1)


@kernel
def delta(workspace: Workspace, move: int) -> int:
    """ΔE: the change of E that a move would make."""
    board = workspace.board
    return move_delta(workspace.cells, workspace.counts, board.moves, board.pairs, board.units, np.uint64(move))


@kernel
def apply(workspace: Workspace, move: int) -> None:
    """Make a move: cells and counts change."""
    board = workspace.board
    make_move(workspace.cells, workspace.counts, board.moves, board.pairs, board.units, np.uint64(move))


@kernel
def move_delta(cells: Cells, counts: Counts, moves: Moves, pairs: Pairs, units: Units, move: np.uint64) -> int:
    """`delta`, with the arrays one by one. (An index that is unsigned needs no test for being negative.)"""
    if moves[move, 2] == NO_CELL:
        return swap_delta(cells, counts, moves, pairs, move)
    return rotation_delta(cells, counts, moves, units, move)


@kernel
def make_move(cells: Cells, counts: Counts, moves: Moves, pairs: Pairs, units: Units, move: np.uint64) -> None:
    """`apply`, with the arrays one by one."""
    if moves[move, 2] == NO_CELL:
        swap(cells, counts, moves, pairs, move)
    else:
        rotate(cells, counts, moves, units, move)


@kernel
def swap_delta(cells: Cells, counts: Counts, moves: Moves, pairs: Pairs, move: np.uint64) -> int:
    """ΔE of a swap: in each unit that holds one of its cells, a value comes and a value goes."""
    v, w = cells[moves[move, 0]], cells[moves[move, 1]]
    total = 0
    if v != w:
        for j in range(pairs.shape[2]):
            first, second = pairs[move, 0, j], pairs[move, 1, j]
            total += (int(counts[first + w] > 0) - int(counts[first + v] > 1)
                      + int(counts[second + v] > 0) - int(counts[second + w] > 1))
    return total


@kernel
def swap(cells: Cells, counts: Counts, moves: Moves, pairs: Pairs, move: np.uint64) -> None:
    """Exchange the two cells of a swap."""
    a, b = moves[move, 0], moves[move, 1]
    v, w = cells[a], cells[b]
    for j in range(pairs.shape[2]):
        first, second = pairs[move, 0, j], pairs[move, 1, j]
        if first > 0:
            counts[first + v] -= _1
            counts[first + w] += _1
        if second > 0:
            counts[second + w] -= _1
            counts[second + v] += _1
    cells[a], cells[b] = w, v


@kernel
def rotation_delta(cells: Cells, counts: Counts, moves: Moves, units: Units, move: np.uint64) -> int:
    """ΔE of a rotation: make it, then turn the three cells twice more, back to where they were."""
    total = rotate(cells, counts, moves, units, move)
    rotate(cells, counts, moves, units, move)
    rotate(cells, counts, moves, units, move)
    return total


@kernel
def rotate(cells: Cells, counts: Counts, moves: Moves, units: Units, move: np.uint64) -> int:
    """Rotate the three cells of a rotation. Returns ΔE."""
    a, b, c = moves[move, 0], moves[move, 1], moves[move, 2]
    u, v, w = cells[a], cells[b], cells[c]
    return (_replace(cells, counts, units, a, w) + _replace(cells, counts, units, b, u)
            + _replace(cells, counts, units, c, v))


@kernel
def _replace(cells: Cells, counts: Counts, units: Units, cell: np.uint16, value: np.uint8) -> int:
    """Write a value into a cell and update the counts. Returns ΔE."""
    old = cells[cell]
    total = 0
    for j in range(units.shape[1]):
        offset = units[cell, j]
        if offset > 0:
            counts[offset + old] -= _1
            total += int(counts[offset + value] > 0) - int(counts[offset + old] > 0)
            counts[offset + value] += _1
    cells[cell] = value
    return total
