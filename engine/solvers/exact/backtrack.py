"""`backtrack`: plain depth-first search, the measure of every cleverer exact solver.

Cells are filled in a fixed order, values tried in ascending order; where nothing fits, the last assignment is taken
back (Golomb & Baumert, "Backtrack Programming", JACM 1965). The stack is explicit: the filled cells in their order,
and the value that was last taken back, are all there is to it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts, full_energy
from engine.events import Assigned, Contradiction, Done, Event, Retracted, Status
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.exact.backtrack_codes import (
    BEST,
    COUNTS,
    DEAD_ENDS,
    DEPTH,
    END,
    GAVE_UP,
    KINDS,
    NO_BUDGET,
    NO_SOLUTION,
    NODES,
    PLACED,
    REMOVED,
    SOLVED,
    STATUS,
    STUCK,
    TRIED,
)
from engine.state import State
from engine.view import Channel, Gauge, Line, Role, StackPanel, View

Order = Literal["rows", "columns", "boxes"]
Frame = tuple[int, int, tuple[int, ...], tuple[int, ...]]

STATUSES: dict[int, Status] = {SOLVED: "solved", NO_SOLUTION: "no_solution", GAVE_UP: "gave_up"}


class BacktrackParams(Params, frozen=True):
    order: Annotated[Order, About("", "the order in which the free cells are filled", live=False)] = "rows"
    max_steps: Annotated[int, Meta(ge=0), About("steps", "give up after so many; 0: never")] = 10**9


@dataclass
class BacktrackState(State):
    """The stack is `cells` read in the order of the parameters, up to counts[DEPTH]."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    counts: NDArray[np.int64]
    """int64[6], see `backtrack_codes`."""
    surplus: int
    """What contradictory givens add to E; 0 for a puzzle that can have a solution."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Errors of the grid: its empty cells, and the clashes of its givens."""
        return int(self.cells.size - np.count_nonzero(self.cells)) + self.surplus

    @property
    def best_energy(self) -> int:
        return int(self.best.size - np.count_nonzero(self.best)) + self.surplus


@functools.lru_cache(maxsize=64)
def cell_order(puzzle: Puzzle, order: Order) -> NDArray[np.int16]:
    """The free cells in the order in which they are filled: int16[k], read-only."""
    g = puzzle.geometry
    units = {"rows": g.rows, "columns": g.columns, "boxes": g.boxes}[order]
    cells = np.array([cell for unit in units for cell in unit.cells if not puzzle.givens[cell]], dtype=np.int16)
    cells.flags.writeable = False
    return cells


@functools.lru_cache(maxsize=8)
def unit_table(puzzle: Puzzle) -> NDArray[np.int16]:
    """For each cell the numbers of its units in `geometry.units`: int16[n*n, 3 or 5], read-only.

    A cell on no diagonal, or on one, has its row repeated.
    """
    g = puzzle.geometry
    number = {unit: k for k, unit in enumerate(g.units)}
    width = 5 if g.diagonals else 3
    rows = [[number[unit] for unit in units] for units in g.units_of]
    table = np.array([row + row[:1] * (width - len(row)) for row in rows], dtype=np.int16)
    table.flags.writeable = False
    return table


def open_values(puzzle: Puzzle, cells: NDArray[np.int8]) -> NDArray[np.uint32]:
    """For each unit the values that do not stand in it yet, as bits: uint32[units]."""
    full = (1 << puzzle.n) - 1
    values = cells.tolist()
    masks = [sum({1 << values[cell] - 1 for cell in unit.cells if values[cell]}) for unit in puzzle.geometry.units]
    return np.array([full & ~mask for mask in masks], dtype=np.uint32)


def candidates(puzzle: Puzzle, cells: NDArray[np.int8]) -> NDArray[np.uint32]:
    """For each empty cell the values that fit it, as bits; 0 for a filled one: uint32[n*n]."""
    fits: NDArray[np.uint32] = np.bitwise_and.reduce(open_values(puzzle, cells)[unit_table(puzzle)], axis=1)
    fits[cells != 0] = 0
    return fits


def values_of(mask: int) -> tuple[int, ...]:
    return tuple(v + 1 for v in range(mask.bit_length()) if mask >> v & 1)


class Backtrack(Solver[BacktrackState, BacktrackParams]):
    name = "backtrack"
    title = "Backtracking"
    kinds = ("contradiction", "assigned", "retracted", "solved", "no_solution", "gave_up", "done")
    family = "exact"
    summary = ("Fills the cells in a fixed order with the first value that fits and takes the last one back where "
               "nothing does. It finds a solution or proves that there is none, but may need very many steps.")
    energy_counts = "empty cells, and every value that stands too often in a unit of contradictory givens"
    references = ("S. Golomb, L. Baumert: Backtrack Programming. Journal of the ACM 12(4), 1965",)
    program = (
        Line("solve", "solve(board):"),
        Line("cell", "  cell ← next empty cell"),
        Line("solved", "  none: return solved"),
        Line("values", "  for v in 1 … n:"),
        Line("fits", "    if v fits its units:"),
        Line("place", "      place v in cell"),
        Line("deeper", "      if solve(board): return"),
        Line("remove", "      remove v from cell"),
        Line("budget", "      budget spent: give up"),
        Line("dead_end", "  return dead end"),
    )
    Params = BacktrackParams
    presets = {"plain": {}}  # noqa: RUF012  (a mapping nobody changes)
    channels = (
        Channel("energy", "empty cells", "energy"),
        Channel("best", "fewest empty cells", "best"),
        Channel("depth", "depth", "depth"),
    )
    checkpoint_stride = 4096
    period_word = "dead end"
    period_kind = "contradiction"
    gives = frozenset({"candidates", "panel"})
    complete = True

    def init(self, puzzle: Puzzle, params: BacktrackParams, seed: int) -> BacktrackState:
        """The givens. Contradictory ones are taken: that there is no solution is then known at step 0."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        counts = np.zeros(COUNTS, dtype=np.int64)
        surplus = full_energy(puzzle, puzzle.givens)
        if surplus:
            counts[STATUS] = NO_SOLUTION
        elif all(puzzle.givens):
            counts[STATUS] = SOLVED
        return BacktrackState(puzzle, seed, 0, cells, cells.copy(), counts, surplus)

    def steps(self, state: BacktrackState, params: BacktrackParams) -> Iterator[tuple[Event, ...]]:
        from engine.solvers.exact.backtrack_kernel import run
        order, units = cell_order(state.puzzle, params.order), unit_table(state.puzzle)
        open_ = open_values(state.puzzle, state.cells)
        while not state.counts[STATUS]:
            tried = int(state.counts[TRIED])
            limits = _limits(state, params, 1, NEVER, order.size)
            _, flags, _ = run(state.cells, state.best, state.counts, open_, order, units, limits)
            state.step += 1
            yield _events(state, order, int(flags), tried)

    def advance(self, state: BacktrackState, params: BacktrackParams, n: int, stop: Stop = NEVER) -> Advanced:
        from engine.solvers.exact.backtrack_kernel import run
        order, units = cell_order(state.puzzle, params.order), unit_table(state.puzzle)
        open_ = open_values(state.puzzle, state.cells)
        limits = _limits(state, params, n, stop, order.size)
        done, _, hit = run(state.cells, state.best, state.counts, open_, order, units, limits)
        state.step += int(done)
        over = bool(state.counts[STATUS])
        rare = (_done(state),) if over and done else ()
        return Advanced(int(done), "done" if over else "stop" if hit else "steps", rare)

    def outcome(self, state: BacktrackState) -> Outcome | None:
        status = int(state.counts[STATUS])
        if not status:
            return None
        return Outcome(STATUSES[status], tuple(state.best.tolist()), state.best_energy, _reason(state))

    def best(self, state: BacktrackState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), state.best_energy

    def sample(self, state: BacktrackState, params: BacktrackParams) -> tuple[float, ...]:
        return float(state.energy), float(state.best_energy), float(state.counts[DEPTH])

    def view(self, state: BacktrackState, params: BacktrackParams, events: tuple[Event, ...]) -> View:
        fits = tuple(candidates(state.puzzle, state.cells).tolist())
        panel = StackPanel("Stack", _stack(state, params))
        return View(state.grid, _marks(state, events), fits, _gauges(state), _live(state, params, fits), panel)

    def warm_up(self, puzzle: Puzzle | None = None, params: BacktrackParams | None = None) -> None:
        chosen = self.make_params()
        state = self.init(Puzzle((0,) * 16, 2), chosen, 0)
        next(self.steps(state, chosen))
        self.advance(state, chosen, 1)


def _left(state: BacktrackState, params: BacktrackParams) -> int:
    """Steps left in the budget, the next one included: 1 or more."""
    return max(1, params.max_steps - state.step) if params.max_steps else NO_BUDGET


def _limits(state: BacktrackState, params: BacktrackParams, n: int, stop: Stop, free: int) -> NDArray[np.int64]:
    """What the compiled loop is to stop at; int64[5]."""
    flags = functools.reduce(operator.or_, (KINDS.get(kind, 0) for kind in stop.kinds), 0)
    depth = -1
    if stop.energy is not None and 0 <= stop.energy - state.surplus < free:
        depth = free - (stop.energy - state.surplus)
    return np.array([n, _left(state, params), flags, depth, -1 if stop.cell is None else stop.cell], dtype=np.int64)


def _events(state: BacktrackState, order: NDArray[np.int16], flags: int, tried: int) -> tuple[Event, ...]:
    """The events of the step just made; `tried` is what had been taken back from its cell before."""
    step, depth = state.step, int(state.counts[DEPTH])
    events: list[Event] = []
    if flags & PLACED:
        cell = int(order[depth - 1])
        reason = "next value that fits" if tried else "first value that fits"
        events.append(Assigned(step, "place", cell, int(state.cells[cell]), reason, depth))
    if flags & STUCK:
        stuck = int(order[depth + 1 if flags & REMOVED else depth])
        events.append(Contradiction(step, "dead_end", (stuck,), "no value fits"))
    if flags & REMOVED:
        events.append(Retracted(step, "remove", int(order[depth]), int(state.counts[TRIED]), depth))
    if flags & END:
        events.append(_done(state))
    return tuple(events)


def _done(state: BacktrackState) -> Done:
    status = STATUSES[int(state.counts[STATUS])]
    line = {"solved": "solved", "no_solution": "dead_end"}.get(status, "budget")
    return Done(state.step, line, status, state.best_energy, _reason(state))


def _reason(state: BacktrackState) -> str:
    """Why the run ended, as a clause."""
    status, n = int(state.counts[STATUS]), state.puzzle.n
    if status == SOLVED:
        return "every free cell is filled" if state.step else "the givens leave no cell free"
    if status == GAVE_UP:
        return f"the budget of {text.count(state.step)} steps is spent"
    if state.surplus:
        clash = state.puzzle.clashes()[0]
        where = " ".join(cell_name(cell, n) for cell in clash.cells)
        return f"{clash.unit.name} is given {clash.value} more than once: {where}"
    return "every choice leads to a dead end"


def _marks(state: BacktrackState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    marks: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Assigned(cell=cell) | Retracted(cell=cell):
                marks["moved"] = (cell,)
            case Contradiction(cells=cells):
                marks["core"] = cells
    if state.surplus:
        marks["conflict"] = conflicts(state.puzzle, state.grid)
    return marks


def _stack(state: BacktrackState, params: BacktrackParams) -> tuple[Frame, ...]:
    """The open choices as they stood when each was made, found by filling the givens' grid again."""
    if state.surplus:
        return ()
    order = cell_order(state.puzzle, params.order).tolist()
    units: list[list[int]] = unit_table(state.puzzle).tolist()
    open_: list[int] = open_values(state.puzzle, np.array(state.puzzle.givens, dtype=np.int8)).tolist()
    depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
    frames = []
    for cell in order[:depth]:
        value = int(state.cells[cell])
        fits = values_of(functools.reduce(lambda mask, unit: mask & open_[unit], units[cell], -1))
        frames.append((cell, value, tuple(v for v in fits if v < value), tuple(v for v in fits if v > value)))
        for unit in units[cell]:
            open_[unit] &= ~(1 << value - 1)
    if tried:
        cell = order[depth]
        fits = values_of(functools.reduce(lambda mask, unit: mask & open_[unit], units[cell], -1))
        frames.append((cell, 0, tuple(v for v in fits if v <= tried), tuple(v for v in fits if v > tried)))
    return tuple(frames)


def _gauges(state: BacktrackState) -> tuple[Gauge, ...]:
    depth, empty = int(state.counts[DEPTH]), state.energy - state.surplus
    free = max(1, depth + empty)
    return (
        Gauge("depth", str(depth), depth / free),
        Gauge("empty", str(empty), empty / free),
        Gauge("deepest", str(int(state.counts[BEST])), int(state.counts[BEST]) / free, "best"),
        Gauge("nodes", text.count(int(state.counts[NODES]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )


def _live(state: BacktrackState, params: BacktrackParams, fits: tuple[int, ...]) -> dict[str, Any]:
    """What the next step will look at: its cell, and the values that are left for it."""
    order, depth, n = cell_order(state.puzzle, params.order), int(state.counts[DEPTH]), state.puzzle.n
    if state.counts[STATUS] or depth == order.size:
        return {}
    cell, tried = int(order[depth]), int(state.counts[TRIED])
    left = " ".join(str(v) for v in values_of(fits[cell]) if v > tried)
    return {"cell": cell_name(cell, n), "values": left or "none left"}


SOLVER = Backtrack()
