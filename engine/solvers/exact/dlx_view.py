"""What `dlx` shows: the counts of its columns, its stack, the values still open, and how few a cell has left."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts
from engine.events import Contradiction, Event
from engine.events.search import Covered, Uncovered
from engine.puzzle import cell_name
from engine.solvers.exact import exact_cover
from engine.solvers.exact.dlx_kernel import choose
from engine.solvers.exact.exact_cover import (
    DEAD_ENDS,
    DEPTH,
    DOWN,
    LEFT,
    NO_SOLUTION,
    RIGHT,
    SIZE,
    STATUS,
    STUCK_AT,
    TAKEN,
    TRIED,
    UP,
    DlxState,
)
from engine.view import Block, CountsPanel, Gauge, Role, Sections, TablePanel, View

FRAMES = 60
"""Choices of the stack that are listed at most, the newest."""


class Open(NamedTuple):
    """What is linked now."""

    counts: list[int]
    """For every column, from 1, its choices; -1 where it is covered."""
    masks: tuple[int, ...]
    """For every cell the values of its choices, as bits; 0 where it is covered."""
    choices: int


def open_of(state: DlxState) -> Open:
    heads, n = state.heads, state.puzzle.n
    linked = heads[RIGHT, heads[LEFT]] == np.arange(heads.shape[1])
    counts = np.where(linked, heads[SIZE], -1)
    first = state.matrix.starts[:-1]
    there = (state.links[DOWN, state.links[UP, first]] == first) & np.repeat(linked[1:n * n + 1], n)
    bits: NDArray[np.int64] = there.reshape(n * n, n) @ (1 << np.arange(n, dtype=np.int64))
    return Open(counts[1:].tolist(), tuple(bits.tolist()), int(there.sum()))


def view_of(state: DlxState, smallest: bool, events: tuple[Event, ...]) -> View:
    """The moment after a step."""
    open_, about = open_of(state), _about(state, events)
    n = state.puzzle.n
    units = {exact_cover.unit_of(column, n) for column in about[:1]} - {None}
    panel = Sections("Exact cover", (_columns(state, open_, about), _stack(state)))
    heat = tuple(math.nan if count < 0 else min(1.0, 1 - (count - 1) / (n - 1)) for count in open_.counts[:n * n])
    return View(state.grid, _marks(state, events), open_.masks, _gauges(state, open_), _live(state, smallest), panel,
                heat=heat, units=tuple(unit for unit in units if unit is not None))


def _about(state: DlxState, events: tuple[Event, ...]) -> tuple[int, ...]:
    """The columns that this step is about, the one that decided first."""
    for event in events:
        match event:
            case Contradiction():
                return (int(state.counts[STUCK_AT]),)
            case Covered():
                return _of_choice(state, int(state.chosen[state.counts[DEPTH] - 1]))
            case Uncovered():
                return _of_choice(state, int(state.counts[TRIED]))
    return ()


def _of_choice(state: DlxState, node: int) -> tuple[int, ...]:
    """The columns of a node's choice, its own first."""
    matrix = state.matrix
    choice = matrix.choice_of[node]
    columns = matrix.column_of[matrix.starts[choice]:matrix.starts[choice + 1]].tolist()
    own = int(matrix.column_of[node])
    return own, *(column for column in columns if column != own)


def _columns(state: DlxState, open_: Open, about: tuple[int, ...]) -> CountsPanel:
    """A block for the cells and one for each kind of unit: a line for each unit, in it a count for each value."""
    g = state.puzzle.geometry
    kinds = [("cell", g.n), ("row", g.n), ("column", g.n), ("box", g.n), ("diagonal", len(g.diagonals))]
    ends = np.cumsum([lines * g.n for _label, lines in kinds]).tolist()
    blocks = tuple(Block(label, tuple(open_.counts[end - lines * g.n:end]), g.n)
                   for (label, lines), end in zip(kinds, ends, strict=True) if lines)
    places = [next((block, column - 1 - end + kinds[block][1] * g.n) for block, end in enumerate(ends)
                   if column <= end) for column in about]
    return CountsPanel("Choices left", blocks, tuple(places))


def _stack(state: DlxState) -> TablePanel:
    """The choices taken after the givens, the newest first: which of how many their columns had."""
    g, depth = state.puzzle.geometry, int(state.counts[DEPTH])
    rows, choices = [], []
    for node in state.chosen[max(0, depth - FRAMES):depth][::-1].tolist():
        column, choice = int(state.matrix.column_of[node]), int(state.matrix.choice_of[node])
        of = f"{_place(state, node, column)} of {int(state.heads[SIZE, column])}"
        cell = cell_name(choice // g.n, g.n)
        rows.append((f"{cell} = {choice % g.n + 1}", of, exact_cover.needs(column, g)))
        choices.append((choice // g.n, choice % g.n + 1))
    return TablePanel("Stack", (), tuple(rows), 0 if rows else None, choices=tuple(choices))


def _place(state: DlxState, node: int, column: int) -> int:
    """Which choice of its column a taken one is, from 1: a covered column keeps its own list."""
    place = 0
    while node != column:
        node = int(state.links[UP, node])
        place += 1
    return place


def _marks(state: DlxState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    marks: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Covered(cell=cell) | Uncovered(cell=cell):
                marks["moved"] = (cell,)
            case Contradiction(cells=cells):
                marks["core"] = cells
    if state.counts[STATUS] == NO_SOLUTION and not state.step:
        marks["conflict"] = conflicts(state.puzzle, state.grid)
    return marks


def _gauges(state: DlxState, open_: Open) -> tuple[Gauge, ...]:
    total, depth = state.heads.shape[1] - 1, int(state.counts[DEPTH])
    free = max(1, len(state.puzzle.free_cells))
    return (
        Gauge("depth", str(depth), depth / free),
        Gauge("columns", str(state.energy), state.energy / total),
        Gauge("choices", text.count(open_.choices), open_.choices / state.puzzle.n**3),
        Gauge("covers", text.count(int(state.counts[TAKEN]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )


def _live(state: DlxState, smallest: bool) -> dict[str, str]:
    """What the next step will look at: its column, and the choices that are left of it."""
    if state.counts[STATUS]:
        return {}
    node = int(state.counts[TRIED]) or int(choose(state.heads, int(smallest)))
    column, g = int(state.matrix.column_of[node]), state.puzzle.geometry
    left = int(state.heads[SIZE, column]) - (_place(state, node, column) if node != column else 0)
    unit = exact_cover.unit_of(column, g.n)
    name = cell_name(column - 1, g.n) if unit is None else f"{(column - 1) % g.n + 1} in {g.units[unit].name}"
    return {"choose": name, "each": f"{left} left"}
