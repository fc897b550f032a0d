"""Dancing links: algorithm X on an exact cover, with lists that are linked both ways.

Source: D. E. Knuth, "Dancing Links", in: Millennial Perspectives in Computer Science, 2000 (arXiv cs/0011047). A node
that is unlinked keeps its own links, so that it can be linked again where it was. The recursion is replaced by a stack
of the chosen nodes; the givens are choices made before the first step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import Int, kernel
from engine.solvers.exact.board import Cells
from engine.solvers.exact.exact_cover import DOWN, LEFT, RIGHT, SIZE, UP, Heads, Links, Matrix, empty_board
from engine.solvers.exact.search import (
    BUDGET_LIMIT,
    FIRST_RULE,
    STEP_LIMIT,
    Counts,
    Limits,
    SearchState,
    stop_hit,
)

# Indices of `counts`
DEPTH: Final = 0  # choices in force, the givens not counted
TRIED: Final = 1  # the node of the choice undone last, from which its column continues; 0 where a column is entered
OPEN: Final = 2  # columns not covered
BEST: Final = 3  # the least counts[OPEN] so far
CHOICES: Final = 4  # choices made so far, those undone included
DEAD_ENDS: Final = 5
STUCK_AT: Final = 6  # the column without a choice of the last dead end; 0: there was none
STATUS: Final = 7  # 0 while the search goes on, then the flag of its ending
COUNTS: Final = 8

# Flags of a step
HAS_COVERED: Final = 1
HAS_UNCOVERED: Final = 2
AT_DEAD_END: Final = 4  # a column without a choice was met
HAS_GUESSED: Final = 8  # the column of the choice had others
SOLVED: Final = 16
NO_SOLUTION: Final = 32
GAVE_UP: Final = 64
END: Final = SOLVED | NO_SOLUTION | GAVE_UP

SMALLEST: Final = FIRST_RULE  # limits[SMALLEST]: 1 to branch on a column with the fewest choices, 0 on the first


class Cover(NamedTuple):
    """A search under way: the arrays of a state, changed in place by the kernels."""

    cells: Cells
    best: Cells
    chosen: NDArray[np.int32]
    heads: Heads
    links: Links
    counts: Counts


@dataclass
class DlxState(SearchState):
    """The links as they are now. Undoing a choice leaves them exactly as they were before it."""

    cells: Cells
    best: Cells
    """`cells` at the fewest open columns so far."""
    chosen: NDArray[np.int32]
    """int32[n*n]: the stack, a node of every choice made after the givens, counts[DEPTH] of them; 0 beyond."""
    heads: Heads
    links: Links
    counts: Counts

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Columns not covered; a given that contradicts another leaves that of its cell open."""
        return int(self.counts[OPEN])

    @property
    def matrix(self) -> Matrix:
        return empty_board(self.puzzle.box, self.puzzle.variant).matrix

    @property
    def cover(self) -> Cover:
        """The arrays of the state for the kernels."""
        return Cover(self.cells, self.best, self.chosen, self.heads, self.links, self.counts)


@kernel
def cover(heads: Heads, links: Links, matrix: Matrix, column: Int) -> None:
    """Unlink a column, and each of its choices from the other columns that the choice covers."""
    heads[RIGHT, heads[LEFT, column]] = heads[RIGHT, column]
    heads[LEFT, heads[RIGHT, column]] = heads[LEFT, column]
    i = links[DOWN, column]
    while i != column:
        choice = matrix.choice_of[i]
        for j in range(matrix.starts[choice], matrix.starts[choice + 1]):
            if j != i:
                links[DOWN, links[UP, j]] = links[DOWN, j]
                links[UP, links[DOWN, j]] = links[UP, j]
                heads[SIZE, matrix.column_of[j]] -= 1
        i = links[DOWN, i]


@kernel
def uncover(heads: Heads, links: Links, matrix: Matrix, column: Int) -> None:
    """Undo `cover`, in the opposite order: an unlinked node still holds its neighbours."""
    i = links[UP, column]
    while i != column:
        choice = matrix.choice_of[i]
        for j in range(matrix.starts[choice + 1] - 1, matrix.starts[choice] - 1, -1):
            if j != i:
                heads[SIZE, matrix.column_of[j]] += 1
                links[DOWN, links[UP, j]] = j
                links[UP, links[DOWN, j]] = j
        i = links[UP, i]
    heads[RIGHT, heads[LEFT, column]] = column
    heads[LEFT, heads[RIGHT, column]] = column


@kernel
def choose(board: Cover, matrix: Matrix, node: Int) -> np.int64:
    """Cover all columns of a node's choice, its own first, and fill the cell. Returns the cell."""
    n_values = (matrix.starts.size - 1) // board.cells.size
    choice = matrix.choice_of[node]
    cover(board.heads, board.links, matrix, matrix.column_of[node])
    for j in range(matrix.starts[choice], matrix.starts[choice + 1]):
        if j != node:
            cover(board.heads, board.links, matrix, matrix.column_of[j])
    board.counts[OPEN] -= matrix.starts[choice + 1] - matrix.starts[choice]
    board.cells[choice // n_values] = choice % n_values + 1
    return np.int64(choice // n_values)


@kernel
def undo_choice(board: Cover, matrix: Matrix, node: Int) -> np.int64:
    """Undo `choose`. Returns the cell."""
    n_values = (matrix.starts.size - 1) // board.cells.size
    choice = matrix.choice_of[node]
    for j in range(matrix.starts[choice + 1] - 1, matrix.starts[choice] - 1, -1):
        if j != node:
            uncover(board.heads, board.links, matrix, matrix.column_of[j])
    uncover(board.heads, board.links, matrix, matrix.column_of[node])
    board.counts[OPEN] += matrix.starts[choice + 1] - matrix.starts[choice]
    board.cells[choice // n_values] = 0
    return np.int64(choice // n_values)


@kernel
def choose_givens(board: Cover, matrix: Matrix, givens: Cells) -> None:
    """Make the choice of every given that contradicts none before it."""
    n_values = (matrix.starts.size - 1) // givens.size
    for cell in range(givens.size):
        if givens[cell] == 0:
            continue
        choice = cell * n_values + givens[cell] - 1
        free = True
        for j in range(matrix.starts[choice], matrix.starts[choice + 1]):
            column = matrix.column_of[j]
            free = free and board.heads[RIGHT, board.heads[LEFT, column]] == column
        if free:
            choose(board, matrix, matrix.starts[choice])
        board.cells[cell] = givens[cell]


@kernel
def branch_column(heads: Heads, smallest: Int) -> np.int64:
    """The column to branch on: the first, or with `smallest` the first with the fewest choices. There must be one."""
    found = column = heads[RIGHT, 0]
    while smallest and column != 0:
        if heads[SIZE, column] < heads[SIZE, found]:
            found = column
        column = heads[RIGHT, column]
    return np.int64(found)


@kernel
def one_step(board: Cover, matrix: Matrix, smallest: Int) -> tuple[int, Int]:
    """Make one choice, or undo one. Returns flags and the cell (-1: none)."""
    counts, links, heads = board.counts, board.links, board.heads
    flags, at = 0, counts[TRIED]
    if at == 0:
        at = branch_column(heads, smallest)
        if heads[SIZE, at] == 0:
            flags = AT_DEAD_END
            counts[STUCK_AT] = at
    column, node = matrix.column_of[at], links[DOWN, at]
    if node != column:
        board.chosen[counts[DEPTH]] = node
        counts[DEPTH] += 1
        counts[TRIED] = 0
        cell = choose(board, matrix, node)
        flags |= HAS_COVERED
        if heads[SIZE, column] > 1:
            flags |= HAS_GUESSED
        return flags | SOLVED if heads[RIGHT, 0] == 0 else flags, cell
    if counts[DEPTH] == 0:
        return flags | NO_SOLUTION, -1
    counts[DEPTH] -= 1
    node = board.chosen[counts[DEPTH]]
    board.chosen[counts[DEPTH]] = 0
    counts[TRIED] = node
    return flags | HAS_UNCOVERED, undo_choice(board, matrix, node)


@kernel
def run(board: Cover, matrix: Matrix, limits: Limits) -> tuple[int, int, bool]:
    """Make steps until a limit is reached or the search is over: (steps made, flags of the last, stop hit)."""
    counts = board.counts
    made, flags, hit = 0, 0, False
    while made < limits[STEP_LIMIT] and counts[STATUS] == 0 and not hit:
        before = counts[OPEN]
        flags, cell = one_step(board, matrix, limits[SMALLEST])
        made += 1
        if flags & HAS_COVERED:
            counts[CHOICES] += 1
        if flags & AT_DEAD_END:
            counts[DEAD_ENDS] += 1
        if counts[OPEN] < counts[BEST]:
            counts[BEST] = counts[OPEN]
            board.best[:] = board.cells
        if made == limits[BUDGET_LIMIT] and not flags & END:
            flags |= GAVE_UP
        counts[STATUS] = flags & END
        hit = stop_hit(limits, flags, cell, (before, counts[OPEN]))
    return made, flags, hit
