"""Arrays that a search works on, and the two primitives that need no move: counting E and filling a grid at random.

A Board holds what the puzzle, its fixed cells and the neighbourhood determine; `board.board_of` makes it. E is kept up
to date with a count table: entry (offset of a unit) + v is the number of times that value v occurs in the unit. A cell
that belongs to fewer units than another is padded with offset 0, a dummy unit that stays empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import below, kernel, word_at
from engine.solvers.annealing.acceptance import Thresholds
from engine.solvers.annealing.parameters import Config, Records, SearchState, Watch

Cells = npt.NDArray[np.uint8]
"""[n*n]: the value of every cell, 0 = empty."""
Grids = npt.NDArray[np.uint8]
"""[3, n*n]: the cells, the best grid of the run, and 1 for every fixed cell."""
Counts = npt.NDArray[np.uint8]
"""[size]: the count table."""
Moves = npt.NDArray[np.uint16]
"""[m, 3]: (a, b, NO_CELL) with a < b exchanges two cells; (a, b, c) moves the value of a to b, of b to c, of c to a."""
Pairs = npt.NDArray[np.uint16]
"""[m, 2, k]: per swap, offsets of the units that contain only its first cell ([0]) or only its second ([1])."""
Units = npt.NDArray[np.uint16]
"""[n*n, k]: offsets of the units of each cell that E counts."""
Deltas = npt.NDArray[np.int8]
"""[m]: ΔE of every move."""

NO_CELL = 65535
"""Third cell of a move that is a swap."""
REACH = 16
"""No move changes E by more than this."""
_1 = np.uint8(1)


class Board(NamedTuple):
    """Read-only arrays of one puzzle and neighbourhood."""

    moves: Moves
    pairs: Pairs
    units: Units
    size: int
    """Length of the count table."""
    n: int
    starts: npt.NDArray[np.int32]
    """[g + 1]: the free cells of group i (row or box) are free[starts[i]:starts[i + 1]]."""
    free: npt.NDArray[np.uint16]
    """[f]: the free cells, group by group."""
    missing: npt.NDArray[np.uint8]
    """[f]: the values that each group misses, ascending, parallel to `free`."""
    group_starts: npt.NDArray[np.int32]
    """[h + 1]: moves[group_starts[i]:group_starts[i + 1]] are the swaps within one group, for each group that has any;
    [0] for `extended`."""
    movable: npt.NDArray[np.uint16]
    """conflict-swap only, else empty: the free cells that have a partner, ascending."""
    cell_starts: npt.NDArray[np.int32]
    """[n*n + 1]: conflict-swap only: the moves of cell c are cell_moves[cell_starts[c]:cell_starts[c + 1]]."""
    cell_moves: npt.NDArray[np.int32]


class Keys(NamedTuple):
    """Keys of the random streams of a run (`engine.rng.stream_key`)."""

    move: np.uint64
    walk: np.uint64
    fill: np.uint64


class Workspace(NamedTuple):
    """One search in progress: the arrays and records of its state, and scratch space derived from them."""

    grids: Grids
    cells: Cells
    """grids[0]."""
    state: SearchState
    config: Config
    watch: Watch
    log: Records
    """LogRecord[k]: room for the events of k proposals."""
    board: Board
    keys: Keys
    counts: Counts
    table: Thresholds
    """[2 * REACH + 1]: the acceptance threshold of every ΔE at one temperature; used by the kernels."""


@kernel
def recount(workspace: Workspace) -> None:
    """Fill the count table from the cells."""
    count_cells(workspace.counts, workspace.cells, workspace.board.units)


@kernel
def count_cells(counts: Counts, cells: Cells, units: Units) -> None:
    """Fill a count table from the cells of a grid; empty cells are not counted."""
    counts[:] = 0
    for cell in range(len(cells)):
        if cells[cell] > 0:
            for j in range(units.shape[1]):
                if units[cell, j] > 0:
                    counts[units[cell, j] + cells[cell]] += _1


@kernel
def counted_energy(counts: Counts) -> int:
    """E by the count table: the sum of k - 1 over every count k > 1."""
    total = 0
    for k in counts:
        if k > 1:
            total += int(np.int64(k)) - 1
    return total


@kernel
def fill(workspace: Workspace) -> None:
    """Fill every group at random with the values that it misses, using the words of this step."""
    board = workspace.board
    layout = (board.starts, board.free, board.missing)
    fill_cells(workspace.cells, layout, workspace.keys.fill, np.uint64(workspace.state.step))


@kernel
def fill_cells(cells: Cells, layout: tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16], npt.NDArray[np.uint8]],
               key: np.uint64, step: np.uint64) -> None:
    """Fill the free cells of a grid by Fisher-Yates shuffles, with the words of one step of the stream `key`.

    layout = (starts, free, missing) of a Board.
    """
    starts, free, missing = layout
    position = np.uint64(0)
    for group in range(len(starts) - 1):
        first, last = np.int64(starts[group]), np.int64(starts[group + 1])
        for i in range(first, last):
            cells[free[i]] = missing[i]
        for i in range(last - 1, first, -1):
            j = first + np.int64(below(word_at(key, step, position), np.uint64(i - first + 1)))
            position += np.uint64(1)
            cells[free[i]], cells[free[j]] = cells[free[j]], cells[free[i]]
