"""A hybrid: naked and hidden singles are filled in first, each with its reason; annealing does the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct

from engine.events import Assigned, Contradiction, Done, Event
from engine.events.explain import explain
from engine.puzzle import Puzzle, Unit, cell_name, refuse_clashes
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.annealing import parameters
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing import state as start
from engine.solvers.annealing import view as showing
from engine.solvers.annealing import view as telling
from engine.solvers.annealing.anneal import PROPOSE, AnnealParams
from engine.solvers.annealing.annealer import Annealer
from engine.solvers.annealing.parameters import BUDGET_SPENT, CONTRADICTION, PROPAGATE, RUNNING, SEARCH
from engine.solvers.annealing.state import AnnealState
from engine.view import Gauge, Line, Sentence, View

# Naked and hidden singles, and the contradictions that looking for them uncovers. A naked single is a cell that
# only one value fits into; a hidden single is a value that only one cell of a unit can take. Candidates are bit
# masks: bit v - 1 stands for value v.


class Single(Struct, frozen=True):
    """A cell whose value is forced."""

    cell: int
    value: int
    reason: str


class DeadEnd(Struct, frozen=True):
    """Proof that the cells cannot be completed."""

    cells: tuple[int, ...]
    reason: str


def candidates(puzzle: Puzzle, cells: Sequence[int]) -> list[int]:
    """For every cell the values that no cell of its units holds; 0 for a cell that is filled."""
    full = (1 << puzzle.n) - 1
    left = [full] * puzzle.n**2
    for unit in puzzle.geometry.units:
        held = 0
        for cell in unit.cells:
            held |= 1 << cells[cell] >> 1
        for cell in unit.cells:
            left[cell] &= ~held
    return [0 if value else mask for value, mask in zip(cells, left, strict=True)]


def next_finding(puzzle: Puzzle, cells: Sequence[int]) -> Single | DeadEnd | None:
    """The next thing that follows from the filled cells: a dead end before a naked single before a hidden one.

    Cells are looked at in their order, units as rows, columns, boxes, diagonals, values from 1.
    """
    left = candidates(puzzle, cells)
    dead = _dead_cell(puzzle, cells, left)
    if dead is not None:
        return dead
    for cell, mask in enumerate(left):
        if mask and not mask & (mask - 1):
            return Single(cell, mask.bit_length(), "naked single")
    for unit in puzzle.geometry.units:
        found = _hidden(puzzle, unit, cells, left)
        if found is not None:
            return found
    return None


def _dead_cell(puzzle: Puzzle, cells: Sequence[int], left: list[int]) -> DeadEnd | None:
    for cell, mask in enumerate(left):
        if not mask and not cells[cell]:
            return DeadEnd((cell,), f"no value fits into {cell_name(cell, puzzle.n)}")
    return None


def _hidden(puzzle: Puzzle, unit: Unit, cells: Sequence[int], left: list[int]) -> Single | DeadEnd | None:
    """A hidden single of the unit, or a value that finds no place in it."""
    once = twice = held = 0
    for cell in unit.cells:
        twice |= once & left[cell]
        once |= left[cell]
        held |= 1 << cells[cell] >> 1
    lost = ((1 << puzzle.n) - 1) & ~once & ~held
    if lost:
        value = (lost & -lost).bit_length()
        return DeadEnd(unit.cells, f"{value} finds no place in {unit.name}")
    forced = once & ~twice
    if not forced:
        return None
    bit = forced & -forced
    cell = next(cell for cell in unit.cells if left[cell] & bit)
    return Single(cell, bit.bit_length(), f"hidden single in {unit.name}")


class Filled(Event, frozen=True, tag="filled"):
    """Nothing more follows; the cells left are filled at random and the annealing begins."""

    RARE: ClassVar[bool] = True
    cells: int
    """How many are left."""
    energy: int


@explain.register
def _filled(event: Filled, n: int = 9) -> Sentence:
    fields = {"cells": str(event.cells), "E": str(event.energy)}
    return Sentence("FILLED", "no single is left; {cells} cells are filled at random   E = {E}", fields)


class PropagateParams(AnnealParams, frozen=True):
    """Box swaps at one temperature, which needs no cooling."""

    schedule: parameters.Schedule = "constant"
    T0: parameters.StartTemperature = 0.32
    T_min: parameters.FloorTemperature = 0.2


class AnnealPropagate(Annealer[PropagateParams]):
    """While singles are filled in, cells not yet decided are 0 and E counts the values that the units miss; for a full
    grid that is the same as the surplus."""

    name = "anneal-propagate"
    title = "Singles first, then annealing"
    kinds = (*Annealer.kinds, "assigned", "filled", "contradiction", "no_solution")
    summary = ("Fills in what follows by naked and hidden singles, then anneals the rest at one temperature. Solved "
               "95 hard puzzles with every seed tried (median 1.5 million moves). A contradiction among the singles "
               "proves that there is no solution; the annealing proves nothing.")
    references = (parameters.LEWIS, parameters.METROPOLIS_1953)
    program = (
        Line("single", "while singles: fill one in"),
        Line("contradiction", "  no place left: no solution"),
        Line("fill", "T ← T₀;  s ← random fill"),
        *PROPOSE,
        Line("cool", "  every L moves: T ← next(T)"),
        Line("restart", "  T ≤ T_min: hold or restart"),
        Line("give_up", "all spent: return the best"),
    )
    gives = frozenset({"candidates"})
    Params = PropagateParams

    def values(self, params: PropagateParams, n: int) -> Mapping[str, float]:
        return parameters.cooling(params)

    def init(self, puzzle: Puzzle, params: PropagateParams, seed: int) -> AnnealState:
        refuse_clashes(puzzle)
        neighbourhood, boxes = self.layout(params)
        state = start.new_state(puzzle, seed, codes.NEIGHBOURHOODS.index(neighbourhood), boxes)
        if next_finding(puzzle, state.grid) is None:
            self._begin_search(state, params)
        else:
            self._count_missing(state)
        return state

    def steps(self, state: AnnealState, params: PropagateParams) -> Iterator[tuple[Event, ...]]:
        while state.now["phase"] == PROPAGATE and state.now["status"] == RUNNING:
            yield self._propagate(state, params)
        yield from super().steps(state, params)

    def _propagate(self, state: AnnealState, params: PropagateParams) -> tuple[Event, ...]:
        """One step: what follows next is filled in; after the last single the rest is filled at random."""
        state.step += 1
        state.now["step"] = state.step
        found = next_finding(state.puzzle, state.grid)
        if isinstance(found, DeadEnd):
            state.now["status"] = CONTRADICTION
            return Contradiction(state.step, "contradiction", found.cells, found.reason), self._done(state)
        if found is None:
            raise ValueError("a propagating state has a single left, or it is a search")
        assigned = self._assign(state, found)
        if next_finding(state.puzzle, state.grid) is not None:
            return (assigned, *self._within_budget(state, params))
        left = int((state.cells == 0).sum())
        self._begin_search(state, params)
        filled = (Filled(state.step, "fill", left, state.energy),) if left else ()
        return (assigned, *filled, *self._within_budget(state, params))

    def _assign(self, state: AnnealState, found: Single) -> Assigned:
        state.cells[found.cell] = found.value
        state.fixed[found.cell] = 1
        self._count_missing(state)
        return Assigned(state.step, "single", found.cell, found.value, found.reason)

    def _begin_search(self, state: AnnealState, params: PropagateParams) -> None:
        state.now["phase"] = SEARCH
        start.first_attempt(state, params.T0)

    def _count_missing(self, state: AnnealState) -> None:
        now, cells = state.now, state.grid
        units = start.counted_units(state)
        missing = sum(state.puzzle.n - len({cells[cell] for cell in unit.cells} - {0}) for unit in units)
        now["before"] = now["energy"]
        now["energy"] = now["best"] = missing
        state.best[:] = state.cells

    def _within_budget(self, state: AnnealState, params: PropagateParams) -> tuple[Event, ...]:
        """The end, if this step reached it."""
        now = state.now
        if now["status"] == RUNNING and state.step >= params.max_steps:
            now["status"] = BUDGET_SPENT
        return () if now["status"] == RUNNING else (self._done(state),)

    def _done(self, state: AnnealState) -> Done:
        return telling.done(state.step, self.outcome(state))

    def outcome(self, state: AnnealState) -> Outcome | None:
        if state.now["status"] != CONTRADICTION:
            return super().outcome(state)
        found = next_finding(state.puzzle, state.grid)
        reason = found.reason if isinstance(found, DeadEnd) else ""
        return Outcome("no_solution", state.grid, state.energy, reason)

    def advance(self, state: AnnealState, params: PropagateParams, n: int, stop: Stop = NEVER) -> Advanced:
        made = 0
        rare: list[Event] = []
        while made < n and state.now["phase"] == PROPAGATE and self.outcome(state) is None:
            one = Solver.advance(self, state, params, 1, stop)
            made += 1
            rare += one.rare
            if one.reason != "steps":
                return Advanced(made, one.reason, tuple(rare))
        rest = super().advance(state, params, n - made, stop)
        return Advanced(made + rest.steps, rest.reason, (*rare, *rest.rare))

    def view(self, state: AnnealState, params: PropagateParams, events: tuple[Event, ...]) -> View:
        if state.now["phase"] != PROPAGATE:
            return super().view(state, params, events)
        cells = state.grid
        free = sum(1 for given in state.puzzle.givens if not given)
        filled = int(np.count_nonzero(state.cells)) - (len(cells) - free)
        reason = next((event.reason for event in events if isinstance(event, Assigned | Contradiction)), "")
        gauges = (Gauge("filled", f"{filled}/{free}", filled / free), *showing.energy_gauges(state))
        return View(cells, showing.marks(state, cells, events), tuple(candidates(state.puzzle, cells)), gauges,
                    {"single": reason} if reason else {})


SOLVER = AnnealPropagate()
