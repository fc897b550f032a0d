"""What the depth-first searches that fill one cell a step share: state, steps, view.

The stack is explicit: the cells in the order in which they were filled, and the value that was last taken back, are
all there is to it (Golomb & Baumert, "Backtrack Programming", JACM 1965). A solver of the group says which cell is
filled next.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts, full_energy
from engine.events import Assigned, Contradiction, Done, Event, Retracted, Status
from engine.params import Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.exact.backtrack_kernel import (
    BEST,
    COUNTS,
    DEAD_ENDS,
    DEPTH,
    END,
    GAVE_UP,
    IN_ORDER,
    KINDS,
    NO_SOLUTION,
    NODES,
    PLACED,
    REMOVED,
    SOLVED,
    STATUS,
    STUCK,
    TRIED,
    Board,
    run,
)
from engine.solvers.exact.board import (
    candidates,
    cell_words,
    clash_reason,
    flags_of,
    holders,
    open_values,
    peer_table,
    steps_left,
    unit_table,
    values_of,
)
from engine.state import State
from engine.view import Channel, Gauge, Role, StackPanel, View

Frame = tuple[int, int, tuple[int, ...], tuple[int, ...]]

STATUSES: dict[int, Status] = {SOLVED: "solved", NO_SOLUTION: "no_solution", GAVE_UP: "gave_up"}


@dataclass
class SearchState(State):
    """The stack is `cells` read in the order in which they were filled, up to counts[DEPTH]."""

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


S = TypeVar("S", bound=SearchState)
P = TypeVar("P", bound=Params)


class Backtracking(Solver[S, P]):
    """Base of the group. A solver of it says where the order of the cells is, and how one is chosen."""

    family = "exact"
    energy_counts = "empty cells, and every value that stands too often in a unit of contradictory givens"
    channels = (
        Channel("energy", "empty cells", "energy"),
        Channel("best", "fewest empty cells", "best"),
        Channel("depth", "depth", "depth"),
    )
    checkpoint_stride = 4096
    step_word = "assignment"
    speed = 20.0
    period_word = "dead end"
    period_kind = "contradiction"
    gives = frozenset({"candidates", "panel"})
    complete = True
    flags: ClassVar[Mapping[str, int]] = KINDS
    """The flag of a step that has an event of the kind."""

    def order_of(self, state: S, params: P) -> NDArray[np.int16]:
        """The free cells, those that are filled first and in the order in which they were: int16[k]."""
        raise TypeError(f"{self.name} has no order of cells")

    def rule(self, params: P) -> int:
        """How the next cell is chosen: IN_ORDER, FEWEST or FEWEST_DEGREE."""
        return IN_ORDER

    def max_steps(self, params: P) -> int:
        raise TypeError(f"{self.name} has no budget")

    def blank(self, puzzle: Puzzle) -> tuple[NDArray[np.int8], NDArray[np.int64], int]:
        """The givens, the counters, and the surplus of the givens, as a run begins with them. Contradictory givens
        are taken: that there is no solution is then known at step 0."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        counts = np.zeros(COUNTS, dtype=np.int64)
        surplus = full_energy(puzzle, puzzle.givens)
        if surplus:
            counts[STATUS] = NO_SOLUTION
        elif all(puzzle.givens):
            counts[STATUS] = SOLVED
        return cells, counts, surplus

    def steps(self, state: S, params: P) -> Iterator[tuple[Event, ...]]:
        order = self.order_of(state, params)
        board = Board(unit_table(state.puzzle), peer_table(state.puzzle))
        open_ = open_values(state.puzzle, state.cells)
        while not state.counts[STATUS]:
            tried = int(state.counts[TRIED])
            limits = self._limits(state, params, 1, NEVER, order.size)
            _, flags, _ = run(state.cells, state.best, state.counts, open_, order, board, limits)
            state.step += 1
            yield self._events(state, params, int(flags), tried)

    def advance(self, state: S, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        order = self.order_of(state, params)
        board = Board(unit_table(state.puzzle), peer_table(state.puzzle))
        open_ = open_values(state.puzzle, state.cells)
        limits = self._limits(state, params, n, stop, order.size)
        done, _, hit = run(state.cells, state.best, state.counts, open_, order, board, limits)
        state.step += int(done)
        over = bool(state.counts[STATUS])
        rare = (_done(state),) if over and done else ()
        return Advanced(int(done), "done" if over else "stop" if hit else "steps", rare)

    def outcome(self, state: S) -> Outcome | None:
        status = int(state.counts[STATUS])
        if not status:
            return None
        return Outcome(STATUSES[status], tuple(state.best.tolist()), state.best_energy, _reason(state))

    def best(self, state: S) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), state.best_energy

    def sample(self, state: S, params: P) -> tuple[float, ...]:
        return float(state.energy), float(state.best_energy), float(state.counts[DEPTH])

    def view(self, state: S, params: P, events: tuple[Event, ...]) -> View:
        fits = tuple(candidates(state.puzzle, state.cells).tolist())
        order = self.order_of(state, params)
        held = holders(state.puzzle, state.cells)
        held[state.cells != 0] = -1
        return View(state.grid, _marks(state, events), fits, _gauges(state), self._live(state, params, fits),
                    StackPanel("Stack", _stack(state, order)), causes=cell_words(held.ravel().tolist(), state.puzzle.n))

    def warm(self, params: P) -> None:
        """Compile what stepping and advancing take, whatever the board."""
        state = self.init(Puzzle((0,) * 16, 2), params, 0)
        next(self.steps(state, params))
        self.advance(state, params, 1)

    def next_cell(self, state: S, params: P, fits: tuple[int, ...]) -> int:
        """The cell that the next step will look at, some cell being empty; `fits` is what fits the empty cells."""
        return int(self.order_of(state, params)[int(state.counts[DEPTH])])

    def placed(self, state: S, params: P, cell: int, flags: int, tried: int) -> Assigned:
        """The event of an assignment just made; `tried` is what had been taken back from the cell before."""
        reason = "next value that fits" if tried else "first value that fits"
        return Assigned(state.step, "place", cell, int(state.cells[cell]), reason, int(state.counts[DEPTH]))

    def core(self, state: S, cell: int) -> tuple[int, ...]:
        """The cells that leave a cell, where nothing fits, without a value."""
        return (cell,)

    def _events(self, state: S, params: P, flags: int, tried: int) -> tuple[Event, ...]:
        """The events of the step just made; `tried` is what had been taken back from its cell before."""
        step, depth, order = state.step, int(state.counts[DEPTH]), self.order_of(state, params)
        events: list[Event] = []
        if flags & PLACED:
            events.append(self.placed(state, params, int(order[depth - 1]), flags, tried))
        if flags & STUCK:
            stuck = int(order[depth + 1 if flags & REMOVED else depth])
            reason = f"no value fits into {cell_name(stuck, state.puzzle.n)}"
            events.append(Contradiction(step, "dead_end", self.core(state, stuck), reason))
        if flags & REMOVED:
            events.append(Retracted(step, "remove", int(order[depth]), int(state.counts[TRIED]), depth))
        if flags & END:
            events.append(_done(state))
        return tuple(events)

    def _limits(self, state: S, params: P, n: int, stop: Stop, free: int) -> NDArray[np.int64]:
        """What the compiled loop is to stop at; int64[6]."""
        flags = flags_of(stop, self.flags)
        depth = -1
        if stop.energy is not None and 0 <= stop.energy - state.surplus < free:
            depth = free - (stop.energy - state.surplus)
        left = steps_left(self.max_steps(params), state.step)
        cell = -1 if stop.cell is None else stop.cell
        return np.array([n, left, flags, depth, cell, self.rule(params)], dtype=np.int64)

    def _live(self, state: S, params: P, fits: tuple[int, ...]) -> dict[str, Any]:
        """What the next step will look at: its cell, and the values that are left for it."""
        if state.counts[STATUS] or not any(value == 0 for value in state.grid):
            return {}
        cell, tried = self.next_cell(state, params, fits), int(state.counts[TRIED])
        left = " ".join(str(v) for v in values_of(fits[cell]) if v > tried)
        return {"cell": cell_name(cell, state.puzzle.n), "values": left or "none left"}


def _done(state: SearchState) -> Done:
    status = STATUSES[int(state.counts[STATUS])]
    line = {"solved": "solved", "no_solution": "dead_end"}.get(status, "budget")
    return Done(state.step, line, status, state.best_energy, _reason(state))


def _reason(state: SearchState) -> str:
    """Why the run ended, as a clause."""
    status = int(state.counts[STATUS])
    if status == SOLVED:
        return "every free cell is filled" if state.step else "the givens leave no cell free"
    if status == GAVE_UP:
        return f"the budget of {text.count(state.step)} steps is spent"
    if state.surplus:
        return clash_reason(state.puzzle)
    return "every choice leads to a dead end"


def _marks(state: SearchState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
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


def _stack(state: SearchState, order: NDArray[np.int16]) -> tuple[Frame, ...]:
    """The open choices as they stood when each was made, found by filling the givens' grid again."""
    if state.surplus:
        return ()
    units: list[list[int]] = unit_table(state.puzzle).tolist()
    open_: list[int] = open_values(state.puzzle, np.array(state.puzzle.givens, dtype=np.int8)).tolist()
    depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
    frames = []
    for cell in order[:depth].tolist():
        value = int(state.cells[cell])
        fits = values_of(functools.reduce(lambda mask, unit: mask & open_[unit], units[cell], -1))
        frames.append((cell, value, tuple(v for v in fits if v < value), tuple(v for v in fits if v > value)))
        for unit in units[cell]:
            open_[unit] &= ~(1 << value - 1)
    if tried:
        cell = int(order[depth])
        fits = values_of(functools.reduce(lambda mask, unit: mask & open_[unit], units[cell], -1))
        frames.append((cell, 0, tuple(v for v in fits if v <= tried), tuple(v for v in fits if v > tried)))
    return tuple(frames)


def _gauges(state: SearchState) -> tuple[Gauge, ...]:
    depth, empty = int(state.counts[DEPTH]), state.energy - state.surplus
    free = max(1, depth + empty)
    return (
        Gauge("depth", str(depth), depth / free),
        Gauge("empty", str(empty), empty / free),
        Gauge("deepest", str(int(state.counts[BEST])), int(state.counts[BEST]) / free, "best"),
        Gauge("nodes", text.count(int(state.counts[NODES]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )
