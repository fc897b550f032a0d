"""Neighbourhoods: the legal moves, and proposing one. `energy_delta` has the ΔE of a move.

row-swap       exchange two free cells of a row (rows are permutations)
box-swap       exchange two free cells of a box (boxes are permutations; Lewis 2007)
conflict-swap  either of the two, at least one of the cells being in conflict
extended       exchange two free cells of a band, or rotate three free cells of a row

The generator and the kernels call the same functions. Step k of a run, counted from 1, draws its words at position k of
the stream MOVE (WALK during a calibration): the high 32 bits of the first word pick the move, its low 32 bits decide on
acceptance. Two draws take a second word for the rest of the pick: conflict-swap picks a cell with the first word and
its partner with the second, `draw = group` a row (a box) and two of its free cells. A swap in a row with few free cells
is then drawn more often than one in a row with many; by default all swaps are drawn equally often.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.puzzle import Puzzle, Unit
from engine.solvers.annealing.energy_delta import move_delta
from engine.solvers.annealing.parameters import (
    BOX_SWAP,
    CALIBRATE,
    CONFLICT_SWAP,
    EXTENDED,
    ROW_SWAP,
    Config,
    LogRecord,
    SearchState,
)
from engine.solvers.annealing.workspace import NO_CELL, Cells, Counts, Deltas, Moves, Units, Workspace

UNREACHED = 100
"""In place of ΔE for a move that cannot be proposed from here."""


# The legal moves of a puzzle.


def groups(puzzle: Puzzle, boxes: bool) -> tuple[Unit, ...]:
    """The units that a state keeps as permutations: boxes or rows."""
    return puzzle.geometry.boxes if boxes else puzzle.geometry.rows


def energy_units(puzzle: Puzzle, neighbourhood: int, boxes: bool) -> tuple[Unit, ...]:
    """The units that E counts: those that a move can disturb."""
    g = puzzle.geometry
    if neighbourhood == EXTENDED:
        return g.units
    return (g.rows + g.columns if boxes else g.columns + g.boxes) + g.diagonals


def legal_moves(puzzle: Puzzle, fixed: bytes, neighbourhood: int, boxes: bool) -> Moves:
    """Every legal move; `fixed` is 1 for each cell that must keep its value."""
    if neighbourhood != EXTENDED:
        moves = [(a, b, NO_CELL) for unit in groups(puzzle, boxes) for a, b in combinations(free(unit.cells, fixed), 2)]
    else:
        size = puzzle.box * puzzle.n
        bands = [tuple(range(band * size, (band + 1) * size)) for band in range(puzzle.box)]
        moves = [(a, b, NO_CELL) for band in bands for a, b in combinations(free(band, fixed), 2)]
        moves += [move for row in puzzle.geometry.rows for a, b, c in combinations(free(row.cells, fixed), 3)
                  for move in ((a, b, c), (a, c, b))]
    return np.array(moves, np.uint16).reshape(-1, 3)


def free(cells: tuple[int, ...], fixed: bytes) -> list[int]:
    """The cells among these that are not fixed."""
    return [cell for cell in cells if not fixed[cell]]


# One proposal.


@kernel
def propose(workspace: Workspace) -> tuple[int, int]:
    """The next proposal: (index into board.moves, the 32 random bits that decide on acceptance)."""
    state, keys = workspace.state, workspace.keys
    step = np.uint64(state.step + 1)
    key = keys.walk if state.phase == CALIBRATE else keys.move
    word = word_at(key, step, np.uint64(0))
    if state.neighbourhood == CONFLICT_SWAP:
        move = conflict_swap(workspace, word, word_at(key, step, np.uint64(1)))
    elif draws_group(state, workspace.config):
        move = group_swap(workspace.board.group_starts, word, word_at(key, step, np.uint64(1)))
    else:
        move = int(np.int64(below(word, np.uint64(len(workspace.board.moves)))))
    return move, int(np.int64(low_bits(word)))


# draw = group: a row or box, then one of its swaps, each uniformly.


@kernel
def draws_group(state: SearchState, config: Config) -> bool:
    """True if a move is drawn by its row or box."""
    return config.grouped == 1 and state.neighbourhood in (ROW_SWAP, BOX_SWAP)


@kernel
def group_swap(group_starts: npt.NDArray[np.int32], word: np.uint64, second_word: np.uint64) -> int:
    """Pick a row or box with two free cells or more by the first word, and one of its swaps by the second."""
    group = np.int64(below(word, np.uint64(len(group_starts) - 1)))
    first = np.int64(group_starts[group])
    swaps = np.uint64(group_starts[group + 1] - first)
    return int(first + np.int64(below(second_word, swaps)))


# conflict-swap: a cell in conflict, then one of its swaps, each uniformly.


@kernel
def conflict_swap(workspace: Workspace, word: np.uint64, second_word: np.uint64) -> int:
    """Pick a movable cell in conflict by the first word, and one of its swaps by the second."""
    board = workspace.board
    starts, cell_moves = board.cell_starts, board.cell_moves
    n = int(np.int64(below(word, np.uint64(count_conflicts(workspace)))))
    cell = _nth_conflict(workspace, n)
    partner = below(second_word, np.uint64(starts[cell + 1] - starts[cell]))
    return int(np.int64(cell_moves[starts[cell] + np.int64(partner)]))


@kernel
def count_conflicts(workspace: Workspace) -> int:
    """The number of movable cells in conflict."""
    cells, counts, units = workspace.cells, workspace.counts, workspace.board.units
    total = 0
    for cell in workspace.board.movable:
        total += int(in_conflict(cells, counts, units, cell))
    return total


@kernel
def _nth_conflict(workspace: Workspace, n: int) -> int:
    """The n-th movable cell in conflict, n from 0."""
    cells, counts, units = workspace.cells, workspace.counts, workspace.board.units
    for cell in workspace.board.movable:
        if in_conflict(cells, counts, units, cell):
            if n == 0:
                return int(np.int64(cell))
            n -= 1
    return 0


@kernel
def in_conflict(cells: Cells, counts: Counts, units: Units, cell: np.uint16) -> bool:
    """True if the value of the cell occurs again in a unit that E counts."""
    found = False
    for j in range(units.shape[1]):
        found = found or counts[units[cell, j] + cells[cell]] > 1
    return found


# A scan of the whole neighbourhood: steepest descent, tabu search, the report of a local minimum.


@kernel
def best_move(workspace: Workspace, log: LogRecord) -> tuple[int, int]:
    """(move, ΔE) of the lowest ΔE in the neighbourhood, ties broken at random; `log` gets the counts of the others."""
    deltas = np.empty(len(workspace.board.moves), np.int8)
    scan(workspace, deltas)
    log.better, log.equal, log.worse = count_neighbours(deltas)
    least, ties = np.int64(UNREACHED), 0
    for change in deltas:
        ties = 1 if change < least else ties + (change == least)
        least = min(least, np.int64(change))
    word = word_at(workspace.keys.move, np.uint64(workspace.state.step + 1), np.uint64(0))
    left = np.int64(below(word, np.uint64(ties)))
    for move in range(len(deltas)):
        if deltas[move] == least:
            if left == 0:
                return move, int(least)
            left -= 1
    return -1, 0


@kernel
def scan(workspace: Workspace, deltas: Deltas) -> None:
    """Write the ΔE of every move into `deltas`; UNREACHED for moves that conflict-swap cannot propose from here."""
    cells, counts, board = workspace.cells, workspace.counts, workspace.board
    moves, pairs, units = board.moves, board.pairs, board.units
    everywhere = workspace.state.neighbourhood != CONFLICT_SWAP
    for index in range(len(moves)):
        move = np.uint64(index)
        if (everywhere or in_conflict(cells, counts, units, moves[move, 0])
                or in_conflict(cells, counts, units, moves[move, 1])):
            deltas[move] = move_delta(cells, counts, moves, pairs, units, move)
        else:
            deltas[move] = UNREACHED


@kernel
def count_neighbours(deltas: Deltas) -> tuple[int, int, int]:
    """The numbers of scanned moves with ΔE < 0, ΔE = 0 and ΔE > 0."""
    better = equal = worse = 0
    for change in deltas:
        better += int(change < 0)
        equal += int(change == 0)
        worse += int(0 < change < UNREACHED)
    return better, equal, worse
