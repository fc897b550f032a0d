"""What every genetic algorithm does alike: children one by one or in batches, generations, doublings.

A solver of the family says what its genes are and adds parameters and presets. A step is the birth of one child, or
the end of a generation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

import numpy as np

from engine import text
from engine.events import Done, Event, NewBest, Restarted
from engine.events.population import Bred, GenerationEnded, Outgrown
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.annealing.state import refuse_clashes
from engine.solvers.population.genetic import view as showing
from engine.solvers.population.genetic.breeding import Breeding, breeding_of, how_crossed
from engine.solvers.population.genetic.chromosome import (
    Blocks,
    Representation,
    chromosome_of,
    counted_units,
    energies_of,
    filled,
)
from engine.solvers.population.genetic.operators import succeed
from engine.solvers.population.genetic.state import (
    BUDGET_SPENT,
    NOTHING_TO_VARY,
    RUNNING,
    SOLVED,
    GeneticState,
    empty_state,
)
from engine.solvers.population.panel import Energies, Genes, diversity
from engine.view import Channel, Line, View

# From one generation to the next.


def next_generation(state: GeneticState) -> tuple[Genes, Energies, float]:
    """(genes, energies, diversity) of the children with the best parents in the places that are left."""
    genes, energies = np.empty_like(state.genes), np.empty_like(state.energies)
    prints = np.empty(state.size, np.uint64)
    succeed((state.genes, state.energies), (state.children, state.child_energies), state.size - state.made, state.made,
            (genes, energies, prints))
    return genes, energies, np.unique(prints).size / state.size


P = TypeVar("P", bound=Params)

BATCH, LARGEST_BATCH = 2048, 16384
"""Children that are made at once; where there are very many individuals, a quarter as many, by two threads."""


class Genetic(Solver[GeneticState, P]):
    """The family's common part. Parameters are those of `genetic_params`."""

    family = "population"
    program: ClassVar[tuple[Line, ...]] = showing.PROGRAM
    channels: ClassVar[tuple[Channel, ...]] = (
        Channel("mean", "mean E", "energy"), Channel("best", "best", "best"), Channel("worst", "worst", "worst"),
        Channel("div", "diversity", "share"))
    step_word = "child"
    speed = 200.0
    own: ClassVar[str] = "mutated"
    """What the cells are that a child has from neither parent."""
    gives = frozenset({"panel"})
    period_word = "generation"
    period_kind = "generation"
    kinds: ClassVar[tuple[str, ...]] = (
        "best", "better", "generation", "doubled", "restart", "child", "kept", "solved", "gave_up", "done")
    checkpoint_stride = 128

    # What a solver of the family says

    def representation(self, params: P) -> Representation:
        """What its genes are."""
        raise TypeError(f"{self.name} does not say what its genes are")

    def blocks(self, params: P) -> Blocks:
        """What its crossovers take as a whole."""
        raise TypeError(f"{self.name} does not say what it crosses")

    def refine(self, breeding: Breeding, state: GeneticState, params: P, last: int) -> None:
        """Make the children state.made <= k < last better, whose E stands in `bred`, and write their E into
        `child_energies`. Child k of the generation is born at step state.step - state.made + 1 + k."""
        state.child_energies[state.made:last] = state.bred[state.made:last]

    def told(self, breeding: Breeding, state: GeneticState, params: P, child: int) -> tuple[Event, ...]:
        """What there is to tell of the refinement of the last child."""
        return ()

    def batch(self, state: GeneticState) -> int:
        """How many children are made at once at most."""
        return max(BATCH, min(LARGEST_BATCH, state.size // 4))

    # The contract

    def init(self, puzzle: Puzzle, params: P, seed: int) -> GeneticState:
        """Random individuals that respect the givens. Raises PuzzleError if givens contradict each other."""
        refuse_clashes(puzzle)
        state = empty_state(puzzle, seed)
        self._populate(state, params, self._size(params))
        state.best, state.best_cells = state.least, state.genes[0].copy()
        varied = chromosome_of(puzzle, self.representation(params), self.blocks(params)).can_vary
        state.status = SOLVED if state.least == 0 else RUNNING if varied else NOTHING_TO_VARY
        return state

    def _size(self, params: Any) -> int:
        return int(params.size)

    def _populate(self, state: GeneticState, params: P, size: int) -> None:
        """Individuals drawn anew by the words of this step."""
        representation = self.representation(params)
        chromosome = chromosome_of(state.puzzle, representation, self.blocks(params))
        drawn = (state.seed, state.step)
        genes = filled(state.puzzle, chromosome, representation != "cells", size, drawn)
        energies = energies_of(genes, counted_units(state.puzzle, representation))
        ranked = np.argsort(energies, kind="stable")
        state.settle_in(genes[ranked], energies[ranked])
        state.record, state.stagnation, state.diversity = state.least, 0, diversity(state.genes)

    def breeding(self, state: GeneticState, params: Any) -> Breeding:
        return breeding_of(state.puzzle, params, state.seed, self.representation(params), self.blocks(params))

    def steps(self, state: GeneticState, params: P) -> Iterator[tuple[Event, ...]]:
        breeding = self.breeding(state, params)
        while state.status == RUNNING:
            if self._breed(breeding, state, params, 1):
                yield self._birth(breeding, state, params)
            else:
                yield self._turn_over(state, params)

    def _breed(self, breeding: Breeding, state: GeneticState, params: P, most: int) -> int:
        """Make up to `most` children of this generation without booking them; how many there are."""
        made = breeding.breed(state, most)
        if made:
            self.refine(breeding, state, params, state.made + made)
        return made

    def _birth(self, breeding: Breeding, state: GeneticState, params: Any) -> tuple[Event, ...]:
        """Book one child and tell of it."""
        child = state.made
        mask, mutated = breeding.origins()
        first, second = state.parents[child].tolist()
        energies = (int(state.energies[first]), int(state.energies[second]))
        how = how_crossed(params, breeding, state, child, self.blocks(params)) if first != second else ""
        bred = Bred(state.step + 1, "judge", (first, second), state.size + child, mask, mutated,
                    int(state.bred[child]), True, energies, how)
        told = self.told(breeding, state, params, child)
        return (bred, *told, *self._book(state, params, 1))

    def _book(self, state: GeneticState, params: Any, made: int) -> list[Event]:
        """Count children that have been made; what is rare of it: new bests, and the end of the run."""
        events: list[Event] = []
        first, born = state.made, state.step + 1
        energies = state.child_energies[first:first + made]
        state.step += made
        state.made += made
        if int(energies.min()) < state.least:
            state.least, at = int(energies.min()), int(energies.argmin())
            state.leader = state.size + first + at
        if state.least < state.best:
            for at in falls(energies, state.best).tolist():
                events.append(NewBest(born + at, "best", int(energies[at]), state.best))
                state.best, state.best_cells = int(energies[at]), state.children[first + at].copy()
        return [*events, *self._end(state, params)]

    def _end(self, state: GeneticState, params: Any) -> list[Event]:
        """Done, if the run is over after this step."""
        if state.least == 0:
            state.status = SOLVED
        elif state.step >= params.max_steps:
            state.status = BUDGET_SPENT
        outcome = self.outcome(state)
        if outcome is None:
            return []
        line = "solved" if outcome.status == "solved" else "give_up"
        return [Done(state.step, line, outcome.status, outcome.energy, outcome.reason)]

    def _turn_over(self, state: GeneticState, params: Any) -> tuple[Event, ...]:
        """The end of a generation: the children and the best parents are the next one."""
        genes, energies, state.diversity = next_generation(state)
        state.settle_in(genes, energies)
        state.step += 1
        state.generation += 1
        state.stagnation += 1
        if state.least < state.record:
            state.record, state.stagnation = state.least, 0
        ended = GenerationEnded(state.step, "generation", state.generation, state.least,
                                float(energies.mean()), int(energies[-1]), state.diversity)
        anew = self._start_anew(state, params) if state.stagnation >= params.patience else []
        return (ended, *anew, *self._end(state, params))

    def _start_anew(self, state: GeneticState, params: Any) -> list[Event]:
        """Twice as many individuals, or as many as there may be, all drawn anew."""
        before, stagnation = state.size, state.stagnation
        after = max(before, min(2 * before, params.most))
        self._populate(state, params, after)
        state.attempt += 1
        told: list[Event] = [Outgrown(state.step, "double", before, after, stagnation) if after > before else
                             Restarted(state.step, "double", state.attempt, 0, state.least, state.best)]
        if state.least < state.best:
            told.append(NewBest(state.step, "best", state.least, state.best))
            state.best, state.best_cells = state.least, state.genes[0].copy()
        return told

    def advance(self, state: GeneticState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        begun, rare, halted = state.step, [], False
        breeding = self.breeding(state, params)
        while state.step < begun + n and state.status == RUNNING and not halted:
            told, halted = self._stretch(breeding, state, params, begun + n - state.step, stop)
            rare += [event for event in told if event.RARE]
        reason = "steps" if state.status == RUNNING else "done"
        return Advanced(state.step - begun, "stop" if halted and reason == "steps" else reason,  # type: ignore[arg-type]
                        tuple(rare))

    def _stretch(self, breeding: Breeding, state: GeneticState, params: Any, n: int,
                 stop: Stop) -> tuple[list[Event], bool]:
        """Up to n steps, one batch or the end of a generation: (what is rare of it, whether the stop was hit)."""
        before = state.least
        most = min(n, self.batch(state), params.max_steps - state.step)
        made = self._breed(breeding, state, params, most)
        if not made:
            events = self._turn_over(state, params)
            return list(events), bool(stop) and stop.hit(events, before, state.least)
        kept, halted = until_halt(state, made, stop, self.kinds_of_children(params))
        own = None if stop.cell is None else breeding.first_own(state, kept, stop.cell)
        if own is not None:
            kept, halted = own + 1, True
        state.forget(state.made + kept, state.made + made)
        return self._book(state, params, kept), halted

    def kinds_of_children(self, params: P) -> frozenset[str]:
        """The kinds of event that every birth has."""
        return frozenset({"child", "kept"})

    def outcome(self, state: GeneticState) -> Outcome | None:
        if state.status == RUNNING:
            return None
        best = tuple(state.best_cells.tolist())
        if state.status == SOLVED:
            return Outcome("solved", best, 0, "E = 0", state.attempt - 1)
        reason = (f"the budget of {text.count(state.step)} steps is spent" if state.status == BUDGET_SPENT else
                  "no gene has two free cells: all individuals are alike")
        return Outcome("gave_up", best, state.best, reason, state.attempt - 1)

    def best(self, state: GeneticState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best_cells.tolist()), state.best

    def individuals(self, state: GeneticState) -> int:
        return state.size + state.made

    def view(self, state: GeneticState, params: P, events: tuple[Event, ...]) -> View:
        born = [event.child for event in events if isinstance(event, Bred)]
        return showing.view(self, state, params, events, born[0] if born else state.leader)

    def view_of(self, state: GeneticState, params: P, events: tuple[Event, ...], place: int) -> View:
        return showing.view(self, state, params, events, place)

    def sample(self, state: GeneticState, params: P) -> tuple[float, ...]:
        return float(state.energies.mean()), float(state.best), float(state.energies[-1]), state.diversity

    def intervene(self, state: GeneticState, params: P, name: str, value: object) -> P:
        changed = super().intervene(state, params, name, value)
        state.known_from = state.made
        return changed

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params() if params is None else params
        board = Puzzle((0,) * 81, 3) if puzzle is None else Puzzle((0,) * puzzle.n**2, puzzle.box, puzzle.variant)
        small = {**{name: getattr(chosen, name) for name in chosen.__struct_fields__}, "size": 8, "elite": 0}
        tried: Any = type(chosen)(**small)
        self.advance(self.init(board, tried, 0), tried, 12)


def falls(energies: Any, best: int) -> Any:
    """The places (int64) at which int32[k] is lower than everything before it and than `best`."""
    before = np.minimum.accumulate(np.concatenate(([best], energies[:-1])))
    return np.flatnonzero(energies < before)


def until_halt(state: GeneticState, made: int, stop: Stop, always: frozenset[str]) -> tuple[int, bool]:
    """How many of the children that were just made belong to the run up to its end or the stop, and whether the stop
    is hit by the last of them."""
    first = state.made
    energies = state.child_energies[first:first + made]
    solved = np.flatnonzero(energies == 0)
    kept = int(solved[0]) + 1 if len(solved) else made
    if not stop:
        return kept, False
    hits = np.zeros(made, np.bool_)
    hits[:] = not always.isdisjoint(stop.kinds)
    if "better" in stop.kinds:
        hits |= state.bred[first:first + made] < state.energies[state.parents[first:first + made]].min(axis=1)
    if "best" in stop.kinds:
        hits[falls(energies, state.best)] = True
    if stop.energy is not None and stop.energy < state.least:
        hits[np.flatnonzero(energies <= stop.energy)[:1]] = True
    found = np.flatnonzero(hits[:kept])
    return (int(found[0]) + 1, True) if len(found) else (kept, False)
