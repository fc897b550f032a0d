"""Genetic algorithms, generation by generation: selection, crossover, mutation, evaluation, replacement.

    P ← random individuals, sorted by E
    repeat until E = 0:
        children ← mutate(cross(select(P)))     Breeding.breed: one child a step
        P ← the best parents and the children    _replace: one step
        if the best E is idle for too long: P ← twice as many random individuals

A solver of the family declares its genes, parameters and presets. A step is the birth of one child, or
the end of a generation. Source: J. H. Holland 1975; the doubling is the course's.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine import rng, text
from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.events import Done, Event, NewBest, Restarted
from engine.events.because import first_fitting, many, reason
from engine.events.population import Bred, GenerationEnded, Outgrown
from engine.puzzle import Puzzle, refuse_clashes
from engine.questions import Moment
from engine.questions.moment import Crossing, Succession
from engine.solver import Advanced, Outcome, Reason, Solver
from engine.solvers.population.genetic.breeding import Breeding
from engine.solvers.population.genetic.chromosome import (
    SELECTION,
    Blocks,
    Representation,
    chromosome_of,
    counted_units,
    energies_of,
    random_population,
)
from engine.solvers.population.genetic.operators import Individuals, replace_generation
from engine.solvers.population.genetic.parameters import GeneticParams
from engine.solvers.population.genetic.state import (
    BUDGET_SPENT,
    NOTHING_TO_VARY,
    RUNNING,
    SOLVED,
    GeneticState,
    empty_state,
)
from engine.solvers.population.genetic.view import PROGRAM, individual_view
from engine.solvers.population.panel import Energies, diversity
from engine.view import Channel, Line, Sentence, View

P = TypeVar("P", bound=GeneticParams)

BATCH: Final = 2048
"""Children made at once by `advance`; a quarter of the population if that is more, up to LARGEST_BATCH."""
LARGEST_BATCH: Final = 16384


class Genetic(Solver[GeneticState, P]):
    """The base of all genetic algorithms."""

    family = "population"
    program: ClassVar[tuple[Line, ...]] = PROGRAM
    channels: ClassVar[tuple[Channel, ...]] = (
        Channel("mean", "mean E", "energy"), Channel("best", "best so far", "best"),
        Channel("worst", "worst now", "worst"), Channel("div", "diversity", "share"))
    step_word = "child"
    other_steps = "or the end of a generation"
    speed = 200.0
    own: ClassVar[str] = "mutated"
    """The origin of the cells that a child did not inherit."""
    gives = frozenset({"panel"})
    period_word = "generation"
    period_kind = "generation"
    kinds: ClassVar[tuple[str, ...]] = (
        "best", "better", "generation", "doubled", "restart", "child", "kept", "solved", "gave_up", "done")
    glossary: ClassVar[Mapping[str, str]] = {
        "size": "the individuals of the population; the children of a generation join it at its end",
        "mean": "the mean E of the population, without the children of this generation",
        "mean E": "the mean E of the population, without the children of this generation",
        "worst now": "the highest E of the population at this step, without the children of this generation",
        "div.": "the diversity of the population: the share of individuals that differ from all others before them",
        "diversity": "the share of individuals of the population that differ from all others before them",
    }
    checkpoint_stride = 128

    # Declared by each algorithm.

    @abstractmethod
    def representation(self, params: P) -> Representation:
        """The genes."""

    @abstractmethod
    def blocks(self, params: P) -> Blocks:
        """The unit that a crossover takes whole from one parent."""

    def refine(self, breeding: Breeding, state: GeneticState, params: P, last: int) -> None:
        """Local search (none here): improve the children state.made <= k < last and write their E into
        `child_energies`. Their E is in `bred`; child k of the generation is born at step state.step - state.made + 1 +
        k."""
        state.child_energies[state.made:last] = state.bred[state.made:last]

    def refinement_events(self, breeding: Breeding, state: GeneticState, params: P, child: int) -> tuple[Event, ...]:
        """The events of the refinement of the last child."""
        return ()

    def batch(self, state: GeneticState) -> int:
        """The most children to make at once."""
        return max(BATCH, min(LARGEST_BATCH, state.size // 4))

    # One run: the first generation, then children and replacements.

    def init(self, puzzle: Puzzle, params: P, seed: int) -> GeneticState:
        """Random individuals that respect the givens. Raises PuzzleError if givens contradict each other."""
        refuse_clashes(puzzle)
        state = empty_state(puzzle, seed)
        self._populate(state, params, params.size)
        state.best, state.best_cells = state.least, state.genes[0].copy()
        varied = chromosome_of(puzzle, self.representation(params), self.blocks(params)).can_vary
        state.status = SOLVED if state.least == 0 else RUNNING if varied else NOTHING_TO_VARY
        return state

    def _populate(self, state: GeneticState, params: P, size: int) -> None:
        """Begin an attempt with `size` individuals drawn from the words of this step."""
        representation = self.representation(params)
        chromosome = chromosome_of(state.puzzle, representation, self.blocks(params))
        drawn = (state.seed, state.step)
        genes = random_population(state.puzzle, chromosome, representation != "cells", size, drawn)
        energies = energies_of(genes, counted_units(state.puzzle, representation))
        ranked = np.argsort(energies, kind="stable")
        state.set_generation(genes[ranked], energies[ranked])
        state.record, state.stagnation, state.diversity = state.least, 0, diversity(state.genes)

    def breeding(self, state: GeneticState, params: P) -> Breeding:
        """The Breeding of a run: what makes its children."""
        return Breeding(state.puzzle, params, state.seed, self.representation(params), self.blocks(params))

    def steps(self, state: GeneticState, params: P) -> Iterator[tuple[Event, ...]]:
        breeding = self.breeding(state, params)
        while state.status == RUNNING:
            if self._breed(breeding, state, params, 1):
                yield self._birth(breeding, state, params)
            else:
                yield self._replace(state, params)

    def _breed(self, breeding: Breeding, state: GeneticState, params: P, most: int) -> int:
        """Make up to `most` children of this generation, without counting them in the state; how many there are."""
        made = breeding.breed(state, most)
        if made:
            self.refine(breeding, state, params, state.made + made)
        return made

    def _birth(self, breeding: Breeding, state: GeneticState, params: P) -> tuple[Event, ...]:
        """Count one child; the events of its step."""
        child = state.made
        mask, mutated = breeding.origins()
        first, second = state.parents[child].tolist()
        energies = (int(state.energies[first]), int(state.energies[second]))
        how = breeding.crossover_text(state, child, self.blocks(params)) if first != second else ""
        bred = Bred(state.step + 1, "judge", (first, second), state.size + child, mask, mutated,
                    int(state.bred[child]), True, energies, how)
        refined = self.refinement_events(breeding, state, params, child)
        return (bred, *refined, *self._count(state, params, 1))

    def _count(self, state: GeneticState, params: P, made: int) -> list[Event]:
        """Count children that have been made; the rare events of it: new bests, and the end of the run."""
        events: list[Event] = []
        first, born = state.made, state.step + 1
        energies = state.child_energies[first:first + made]
        state.step += made
        state.made += made
        if int(energies.min()) < state.least:
            state.least, at = int(energies.min()), int(energies.argmin())
            state.leader = state.size + first + at
        if state.least < state.best:
            for at in records(energies, state.best).tolist():
                events.append(NewBest(born + at, "best", int(energies[at]), state.best))
                state.best, state.best_cells = int(energies[at]), state.children[first + at].copy()
        return [*events, *self._end(state, params)]

    def _replace(self, state: GeneticState, params: P) -> tuple[Event, ...]:
        """The end of a generation: the best parents and the children are the next one. The events of this step."""
        genes, energies = np.empty_like(state.genes), np.empty_like(state.energies)
        fingerprints = np.empty(state.size, np.uint64)
        replace_generation(Individuals(state.genes, state.energies), Individuals(state.children, state.child_energies),
                           state.size - state.made, state.made, Individuals(genes, energies), fingerprints)
        state.diversity = np.unique(fingerprints).size / state.size
        state.set_generation(genes, energies)
        state.step += 1
        state.generation += 1
        state.stagnation += 1
        if state.least < state.record:
            state.record, state.stagnation = state.least, 0
        ended = GenerationEnded(state.step, "generation", state.generation, state.least,
                                float(energies.mean()), int(energies[-1]), state.diversity)
        restarted = self._restart(state, params) if state.stagnation >= params.patience else []
        return (ended, *restarted, *self._end(state, params))

    def _restart(self, state: GeneticState, params: P) -> list[Event]:
        """Begin another attempt with twice as many random individuals, or as many as allowed."""
        before, stagnation = state.size, state.stagnation
        after = max(before, min(2 * before, params.most))
        self._populate(state, params, after)
        state.attempt += 1
        events: list[Event] = [Outgrown(state.step, "double", before, after, stagnation) if after > before else
                               Restarted(state.step, "double", state.attempt, 0, state.least, state.best)]
        if state.least < state.best:
            events.append(NewBest(state.step, "best", state.least, state.best))
            state.best, state.best_cells = state.least, state.genes[0].copy()
        return events

    def _end(self, state: GeneticState, params: P) -> list[Event]:
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

    # Many steps at once.

    def advance(self, state: GeneticState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        begun, rare, halted = state.step, [], False
        breeding = self.breeding(state, params)
        while state.step < begun + n and state.status == RUNNING and not halted:
            events, halted = self._advance_batch(breeding, state, params, begun + n - state.step, stop)
            rare += [event for event in events if event.RARE]
        reason: Reason = "done" if state.status != RUNNING else "stop" if halted else "steps"
        return Advanced(state.step - begun, reason, tuple(rare))

    def _advance_batch(self, breeding: Breeding, state: GeneticState, params: P, n: int,
                       stop: Stop) -> tuple[list[Event], bool]:
        """Up to n steps, one batch of children or one replacement: (its rare events, whether the stop was hit)."""
        before = state.least
        most = min(n, self.batch(state), params.max_steps - state.step)
        made = self._breed(breeding, state, params, most)
        if not made:
            events = self._replace(state, params)
            return list(events), bool(stop) and stop.hit(events, before, state.least)
        kept, halted = until_halt(state, made, stop, self.kinds_of_children(params))
        own = None if stop.cell is None else breeding.first_new_value(state, kept, stop.cell)
        if own is not None:
            kept, halted = own + 1, True
        state.clear_children(state.made + kept, state.made + made)
        return self._count(state, params, kept), halted

    def kinds_of_children(self, params: P) -> frozenset[str]:
        """The kinds of event that every birth has."""
        return frozenset({"child", "kept"})

    # Results and display.

    def outcome(self, state: GeneticState) -> Outcome | None:
        if state.status == RUNNING:
            return None
        best = tuple(state.best_cells.tolist())
        if state.status == SOLVED:
            return Outcome("solved", best, 0, "E = 0", state.attempt - 1)
        reason = (f"the budget is spent at step {text.count(state.step)}" if state.status == BUDGET_SPENT else
                  "no gene has two free cells: all individuals are alike")
        return Outcome("gave_up", best, state.best, reason, state.attempt - 1)

    def best(self, state: GeneticState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best_cells.tolist()), state.best

    def individuals(self, state: GeneticState) -> int:
        return state.size + state.made

    def view(self, state: GeneticState, params: P, events: tuple[Event, ...]) -> View:
        born = [event.child for event in events if isinstance(event, Bred)]
        return self.view_of(state, params, events, born[0] if born else state.leader)

    def view_of(self, state: GeneticState, params: P, events: tuple[Event, ...], place: int) -> View:
        return individual_view(state, params, events, place, self.breeding(state, params), self.own)

    def sample(self, state: GeneticState, params: P) -> tuple[float, ...]:
        return float(state.energies.mean()), float(state.best), float(state.energies[-1]), state.diversity

    def because(self, event: Event, state: GeneticState, params: P) -> Sentence:
        match event:
            case Bred():
                return _birth_because(event, params, state.seed)
            case Restarted():
                return reason("{waited} without a new best of this population: all are redrawn.",
                              waited=many(params.patience, "generation"))
        return super().because(event, state, params)

    def moment(self, before: GeneticState, params: P, events: tuple[Event, ...]) -> Moment:
        found = super().moment(before, params, events)
        if isinstance(events[0], GenerationEnded):
            energies = (*before.energies.tolist(), *before.child_energies[:before.made].tolist())
            return structs.replace(found, succession=Succession(energies, before.size, before.size - before.made))
        if not isinstance(events[0], Bred):
            return found
        if events[0].parents[0] != events[0].parents[1]:
            ranking = tuple(before.energies.tolist()) if params.selection == "neighbours" else ()
            found = structs.replace(found, crossing=self._crossing(before, params), ranking=ranking)
        if params.selection != "tournament":
            return found
        words = (rng.draw(before.seed, SELECTION, before.step + 1, i) for i in range(params.rivals))
        drawn = [rng.below(word, before.size) for word in words]  # as `selection.tournament`
        return structs.replace(found, drawn=tuple((place, int(before.energies[place])) for place in drawn))

    def _crossing(self, before: GeneticState, params: P) -> Crossing:
        """The crossover of the next child, for questions."""
        breeding = Genetic.breeding(self, before, params)
        state, g, blocks = states.copy(before), before.puzzle.geometry, self.blocks(params)
        breeding.breed(state, 1)
        inside = params.crossover if params.crossover in ("pmx", "order") else ""
        segments = breeding.segments(state, state.made) if inside else ()
        child = tuple(state.children[state.made].tolist())
        return Crossing(inside, segments, g.columns if blocks == "row" else g.rows, breeding.rules.permuted, child)

    def intervene(self, state: GeneticState, params: P, name: str, value: object) -> P:
        changed = super().intervene(state, params, name, value)
        state.known_from = state.made
        return changed

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params() if params is None else params
        board = Puzzle((0,) * 81, 3) if puzzle is None else Puzzle((0,) * puzzle.n**2, puzzle.box, puzzle.variant)
        small: Any = structs.replace(chosen, size=min(chosen.size, 8), elite=0)
        self.advance(self.init(board, small, 0), small, 12)


def _birth_because(event: Bred, params: GeneticParams, seed: int) -> Sentence:
    """The reason of a birth: the choice of the parents. Every child stays."""
    joins = "the child joins the next generation."
    if event.parents[0] == event.parents[1]:
        word = rng.draw(seed, SELECTION, event.step, 2 * params.rivals)  # as `selection.select_by_tournament`
        if rng.uniform(word) < params.cross_rate:
            return reason("One individual won both tournaments; " + joins)
        return reason("Without crossover it has one parent; " + joins)
    if event.energy < min(event.parent_energies):
        first, second = event.parent_energies
        return first_fitting(reason("E {E} is below both parents, {a} and {b}; " + joins, E=event.energy, a=first,
                                    b=second), reason("It is better than both parents; " + joins))
    if params.selection == "neighbours":
        return reason("Its parents are neighbours in order of E; " + joins)
    if params.rivals == 1:
        return reason("Each parent is drawn at random; " + joins)
    return reason("Each parent is the best of {rivals} drawn; " + joins, rivals=params.rivals)


def records(energies: Energies, best: int) -> npt.NDArray[np.int64]:
    """The places k at which energies[k] is lower than all before it and than `best`."""
    before = np.minimum.accumulate(np.concatenate(([best], energies[:-1])))
    return np.flatnonzero(energies < before)


def until_halt(state: GeneticState, made: int, stop: Stop, always: frozenset[str]) -> tuple[int, bool]:
    """(how many of the `made` children made last belong to the run up to its end or the stop, whether the stop is hit
    by the last of them). always: the kinds of event that every birth has."""
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
        hits[records(energies, state.best)] = True
    if stop.energy is not None and stop.energy < state.least:
        hits[np.flatnonzero(energies <= stop.energy)[:1]] = True
    found = np.flatnonzero(hits[:kept])
    return (int(found[0]) + 1, True) if len(found) else (kept, False)
