"""The compiled part of `dlx`: dancing links and the loop over the steps. One step at a time gives the events, many the
speed. The arrays are described in `dlx_codes`.
"""

from __future__ import annotations

from typing import Any

from engine.compiled.kernel import kernel
from engine.solvers.exact.board import CELL_LIMIT, FLAG_LIMIT, LEFT_LIMIT, STEP_LIMIT
from engine.solvers.exact.exact_cover import (
    BEST,
    COVERED,
    DEAD_ENDS,
    DEPTH,
    DOWN,
    END,
    GAVE_UP,
    GUESSED,
    LEFT,
    NO_SOLUTION,
    OPEN,
    OPEN_LIMIT,
    RIGHT,
    SIZE,
    SMALLEST,
    SOLVED,
    STATUS,
    STUCK,
    STUCK_AT,
    TAKEN,
    TRIED,
    UNCOVERED,
    UP,
)


@kernel
def cover(heads: Any, links: Any, matrix: Any, column: Any) -> None:
    """Take a column out, and every choice that covers it out of its other columns."""
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
def uncover(heads: Any, links: Any, matrix: Any, column: Any) -> None:
    """Undo `cover`, in the opposite order: what was taken out still knows where it stood."""
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
def take(state: Any, matrix: Any, node: Any) -> Any:
    """Cover all columns of the choice of a node, that of the node first, and fill its cell; returns the cell."""
    n_values = (matrix.starts.size - 1) // state.cells.size
    choice = matrix.choice_of[node]
    cover(state.heads, state.links, matrix, matrix.column_of[node])
    for j in range(matrix.starts[choice], matrix.starts[choice + 1]):
        if j != node:
            cover(state.heads, state.links, matrix, matrix.column_of[j])
    state.counts[OPEN] -= matrix.starts[choice + 1] - matrix.starts[choice]
    state.cells[choice // n_values] = choice % n_values + 1
    return choice // n_values


@kernel
def take_back(state: Any, matrix: Any, node: Any) -> Any:
    """Undo `take`; returns the cell."""
    n_values = (matrix.starts.size - 1) // state.cells.size
    choice = matrix.choice_of[node]
    for j in range(matrix.starts[choice + 1] - 1, matrix.starts[choice] - 1, -1):
        if j != node:
            uncover(state.heads, state.links, matrix, matrix.column_of[j])
    uncover(state.heads, state.links, matrix, matrix.column_of[node])
    state.counts[OPEN] += matrix.starts[choice + 1] - matrix.starts[choice]
    state.cells[choice // n_values] = 0
    return choice // n_values


@kernel
def take_givens(state: Any, matrix: Any, givens: Any) -> None:
    """Take the choice of every given that contradicts none before it."""
    n_values = (matrix.starts.size - 1) // givens.size
    for cell in range(givens.size):
        if givens[cell] == 0:
            continue
        choice = cell * n_values + givens[cell] - 1
        free = True
        for j in range(matrix.starts[choice], matrix.starts[choice + 1]):
            column = matrix.column_of[j]
            free = free and state.heads[RIGHT, state.heads[LEFT, column]] == column
        if free:
            take(state, matrix, matrix.starts[choice])
        state.cells[cell] = givens[cell]


@kernel
def choose(heads: Any, smallest: Any) -> Any:
    """The column to branch on: the first, or the first of those with the fewest choices. There must be one."""
    found = column = heads[RIGHT, 0]
    while smallest and column != 0:
        if heads[SIZE, column] < heads[SIZE, found]:
            found = column
        column = heads[RIGHT, column]
    return found


@kernel
def one_step(state: Any, matrix: Any, smallest: Any) -> Any:
    """One choice taken, or one taken back; returns what happened as a sum of flags, and the cell (-1: none)."""
    counts, links, heads = state.counts, state.links, state.heads
    flags, at = 0, counts[TRIED]
    if at == 0:
        at = choose(heads, smallest)
        if heads[SIZE, at] == 0:
            flags = STUCK
            counts[STUCK_AT] = at
    column, node = matrix.column_of[at], links[DOWN, at]
    if node != column:
        state.chosen[counts[DEPTH]] = node
        counts[DEPTH] += 1
        counts[TRIED] = 0
        cell = take(state, matrix, node)
        flags |= COVERED
        if heads[SIZE, column] > 1:
            flags |= GUESSED
        return flags | SOLVED if heads[RIGHT, 0] == 0 else flags, cell
    if counts[DEPTH] == 0:
        return flags | NO_SOLUTION, -1
    counts[DEPTH] -= 1
    node = state.chosen[counts[DEPTH]]
    state.chosen[counts[DEPTH]] = 0
    counts[TRIED] = node
    return flags | UNCOVERED, take_back(state, matrix, node)


@kernel
def run(state: Any, matrix: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the search is over.

    Returns how many steps were made, the flags of the last one, and whether a stop was hit.
    """
    counts = state.counts
    done, flags, hit = 0, 0, False
    while done < limits[STEP_LIMIT] and counts[STATUS] == 0 and not hit:
        before = counts[OPEN]
        flags, cell = one_step(state, matrix, limits[SMALLEST])
        done += 1
        if flags & COVERED:
            counts[TAKEN] += 1
        if flags & STUCK:
            counts[DEAD_ENDS] += 1
        if counts[OPEN] < counts[BEST]:
            counts[BEST] = counts[OPEN]
            state.best[:] = state.cells
        if done == limits[LEFT_LIMIT] and not flags & END:
            flags |= GAVE_UP
        counts[STATUS] = flags & END
        hit = (flags & limits[FLAG_LIMIT] != 0 or cell == limits[CELL_LIMIT] >= 0
               or counts[OPEN] <= limits[OPEN_LIMIT] < before)
    return done, flags, hit
