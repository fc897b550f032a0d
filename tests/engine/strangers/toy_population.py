"""A steady-state genetic algorithm on rows: each step breeds one child, which takes the place of the worst."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine import rng
from engine.energy import conflicts, errors
from engine.events import Done, Event, NewBest
from engine.events.population import FIRST, NEITHER, SECOND, Bred, GenerationEnded
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.solver import Outcome, Solver
from engine.state import State
from engine.view import Channel, Gauge, Line, PopulationPanel, Role, View


class ToyParams(Params, frozen=True):
    size: Annotated[int, Meta(ge=4, le=64), About("individuals", "how many live at once", live=False)] = 12
    mutation: Annotated[float, Meta(ge=0, le=1), About("share", "chance that a row is redrawn")] = 0.2
    generations: Annotated[int, Meta(ge=1, le=10**6), About("generations", "give up after this many")] = 400


@dataclass
class ToyState(State):
    genes: NDArray[np.int8]
    """int8[size, n*n], best first."""
    energies: list[int]
    best: int
    ended: bool = False

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.genes[0].tolist())

    @property
    def energy(self) -> int:
        return self.energies[0]


class ToyPopulation(Solver[ToyState, ToyParams]):
    name = "toy-population"
    title = "Toy population"
    family = "population"
    summary = "Breeds grids row by row, one child a step. It is a test's solver and solves the smallest puzzles."
    program = (
        Line("fill", "fill every row at random"),
        Line("breed", "child ← rows of two parents"),
        Line("replace", "it replaces the worst"),
        Line("generation", "`size` children: a generation"),
        Line("end", "until E = 0 or all are spent"),
    )
    Params = ToyParams
    presets: ClassVar = {"default": {}, "wild": {"mutation": 0.6}}
    channels = (
        Channel("E", "mean E", "energy"),
        Channel("best", "best", "best"),
        Channel("worst", "worst", "worst"),
        Channel("diversity", "diversity", "share"),
    )
    step_word = "child"
    gives = frozenset({"panel"})
    period_word = "generation"
    period_kind = "generation"
    kinds = ("child", "kept", "dropped", "better", "best", "generation", "solved", "gave_up", "done")

    def init(self, puzzle: Puzzle, params: ToyParams, seed: int) -> ToyState:
        drawn = [[v for row in range(puzzle.n) for v in _row(puzzle, seed, 0, who * puzzle.n**2, row)]
                 for who in range(params.size)]
        state = ToyState(puzzle, seed, 0, np.array(drawn, dtype=np.int8), [errors(puzzle, g) for g in drawn], 0)
        _sort(state)
        state.best = state.energy
        state.ended = state.energy == 0
        return state

    def steps(self, state: ToyState, params: ToyParams) -> Iterator[tuple[Event, ...]]:
        while not state.ended:
            state.step += 1
            yield tuple(self._breed(state, params))

    def _breed(self, state: ToyState, params: ToyParams) -> Iterator[Event]:
        step, n, size = state.step, state.puzzle.n, len(state.energies)
        words = [rng.draw(state.seed, rng.CHOICE, step, i) for i in range(2 * n + 2)]
        a, b = (rng.below(word, size) for word in words[:2])
        mask = [rng.below(word, 2) for word in words[2 : n + 2]]
        mutated = [row for row in range(n) if rng.uniform(words[n + 2 + row]) < params.mutation]
        before = (state.energies[a], state.energies[b])
        child: list[int] = []
        for row in range(n):
            if row in mutated:
                child += _row(state.puzzle, state.seed, step, 0, row)
            else:
                child += state.genes[(a, b)[mask[row]], row * n : (row + 1) * n].tolist()
        energy = errors(state.puzzle, child)
        kept = energy <= state.energies[-1]
        place = -1
        if kept:
            state.genes[-1], state.energies[-1] = child, energy
            place = _sort(state)
        changed = tuple(cell for cell in state.puzzle.free_cells if cell // n in mutated)
        origins = tuple(NEITHER if cell in changed else mask[cell // n] for cell in range(n * n))
        yield Bred(step, "breed", (a, b), place, origins, changed, energy, kept, before, "row by row")
        yield from self._judge(state, params)

    def _judge(self, state: ToyState, params: ToyParams) -> Iterator[Event]:
        step, size = state.step, len(state.energies)
        if state.energy < state.best:
            yield NewBest(step, "replace", state.energy, state.best)
            state.best = state.energy
        if step % size == 0:
            mean = sum(state.energies) / size
            yield GenerationEnded(step, "generation", step // size, state.energy, mean, state.energies[-1],
                                  _diversity(state))
        if state.energy == 0 or step >= params.generations * size:
            state.ended = True
            outcome = self.outcome(state)
            assert outcome is not None
            yield Done(step, "end", outcome.status, outcome.energy, outcome.reason)

    def outcome(self, state: ToyState) -> Outcome | None:
        if not state.ended:
            return None
        if state.energy == 0:
            return Outcome("solved", state.grid, 0, "E = 0")
        return Outcome("gave_up", state.grid, state.energy, "the generations are spent")

    def view(self, state: ToyState, params: ToyParams, events: tuple[Event, ...]) -> View:
        for event in events:
            match event:
                case Bred(child=child) if child >= 0:
                    return self._shown(state, child, event)
        return self._shown(state, 0)

    def individuals(self, state: ToyState) -> int:
        return len(state.energies)

    def view_of(self, state: ToyState, params: ToyParams, events: tuple[Event, ...], place: int) -> View:
        born = next((event for event in events if isinstance(event, Bred) and event.child == place), None)
        return self._shown(state, place, born)

    def _shown(self, state: ToyState, place: int, born: Bred | None = None) -> View:
        grid = tuple(state.genes[place].tolist())
        marks: dict[Role, tuple[int, ...]] = {"conflict": conflicts(state.puzzle, grid)}
        if born is not None:
            marks["moved"] = born.mutated
            marks["parent_a"], marks["parent_b"] = (
                tuple(cell for cell, origin in enumerate(born.mask) if origin == parent) for parent in (FIRST, SECOND))
        gauges = (Gauge("best", str(state.best), role="best"), Gauge("diversity", "", _diversity(state)))
        counts = tuple((energy, state.energies.count(energy)) for energy in sorted(set(state.energies)))
        panel = PopulationPanel("Population", tuple(state.energies), len(state.energies), counts, 1, place,
                                () if born is None else born.parents)
        return View(grid, marks, None, gauges, {"replace": f"worst E = {state.energies[-1]}"}, panel)

    def sample(self, state: ToyState, params: ToyParams) -> tuple[float, ...]:
        mean = sum(state.energies) / len(state.energies)
        return mean, float(state.best), float(state.energies[-1]), _diversity(state)


def _row(puzzle: Puzzle, seed: int, step: int, first: int, row: int) -> list[int]:
    """A permutation that fits the givens of a row, drawn from positions first + row * n onwards."""
    n = puzzle.n
    givens = puzzle.givens[row * n : (row + 1) * n]
    missing = [value for value in range(1, n + 1) if value not in givens]
    drawn = iter(rng.shuffled(missing, seed, rng.FILL, step, first + row * n))
    return [value or next(drawn, 1) for value in givens]


def _sort(state: ToyState) -> int:
    """Sort: best first, older before newer. Returns the new place of the last individual."""
    order = sorted(range(len(state.energies)), key=lambda k: state.energies[k])
    state.genes = state.genes[order]
    state.energies = [state.energies[k] for k in order]
    return order.index(len(order) - 1)


def _diversity(state: ToyState) -> float:
    return len(np.unique(state.genes, axis=0)) / len(state.energies)


SOLVER = ToyPopulation()
