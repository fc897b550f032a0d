"""ga-memetic: a genetic algorithm with local search; every child is annealed before its E counts."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from engine import state as states
from engine.events import Event
from engine.events.population import Refined, name_of
from engine.params import About, Meta
from engine.solver import InnerRun
from engine.solvers.population.genetic.breeding import Breeding
from engine.solvers.population.genetic.chromosome import REFINING, Blocks, Representation
from engine.solvers.population.genetic.ga_ordered import Crossover
from engine.solvers.population.genetic.genetic import Genetic
from engine.solvers.population.genetic.parameters import Elite, GeneticParams, Most, Mutation, Selection, Size
from engine.solvers.population.genetic.state import SOLVED, GeneticState
from engine.solvers.population.genetic.view import PROGRAM
from engine.solvers.population.refine import Refiner
from engine.solvers.population.refinement import Refinement, RefinementParams
from engine.view import Line

SHIFT: Final = 20
"""The child born at step k is refined with the words of steps k * 2^20 + 1, + 2, ... of the stream REFINING."""


class RefiningParams(GeneticParams, frozen=True):
    size: Size = 50
    most: Most = 1000
    proposals: Annotated[int, Meta(ge=0, le=10**6), About("proposals", "of annealing for every child", "L")] = 2000
    temperature: Annotated[float, Meta(gt=0, le=100), About("energy", "at which children are annealed", "T")] = 0.32


class MemeticParams(RefiningParams, frozen=True, kw_only=True):
    """The defaults are few individuals, all of them refined at birth."""

    selection: Selection = "tournament"
    crossover: Crossover = "whole"
    mutation: Mutation = "swap"
    elite: Elite = 10


class GaMemetic(Genetic[MemeticParams]):
    name = "ga-memetic"
    title = "Memetic algorithm"
    summary = ("A small population on box permutations whose every child is annealed, by default for 2 000 proposals; "
               "the best grid they meet is the child. It solved three hard puzzles with 20 of 20 seeds each, in the "
               "median after 530 to 34 000 children.")
    energy_counts = "values missing from rows and columns (and diagonals)"
    references = ("P. Moscato: On evolution, search, optimization, genetic algorithms and martial arts: towards "
                  "memetic algorithms. Caltech C3P report 826, 1989",)
    program = (*PROGRAM[:4], Line("refine", "  anneal: L proposals at T"), *PROGRAM[4:])
    Params = MemeticParams
    presets: ClassVar = {"default": {}, "brief": {"proposals": 200, "size": 200}}
    kinds = ("best", "better", "generation", "doubled", "restart", "child", "refined", "kept", "solved",
             "gave_up", "done")
    kind_words: ClassVar = {"better": "child better than its parents before it is annealed"}
    glossary: ClassVar = {
        **Genetic.glossary,
        "better child": "a child whose E is below that of both parents before it is annealed; the key and breakpoint "
                        "for better children halt there, whatever the annealing then makes of it"}
    speed = 20.0
    trajectory = 2
    earlier: ClassVar = {1: {}}
    own = "changed"
    mark_words: ClassVar = {
        "moved": "Cells that the child did not inherit, highlighted: mutated, or changed by annealing."}
    inner_kind = "refined"
    checkpoint_stride = 2

    def representation(self, params: MemeticParams) -> Representation:
        return "boxes"

    def blocks(self, params: MemeticParams) -> Blocks:
        return "box"

    def batch(self, state: GeneticState) -> int:
        return 32

    def breeding(self, state: GeneticState, params: MemeticParams) -> Breeding:
        breeding = super().breeding(state, params)
        breeding.refiner = Refiner(state.puzzle, state.seed, REFINING)
        return breeding

    def refine(self, breeding: Breeding, state: GeneticState, params: MemeticParams, last: int) -> None:
        born = state.step + 1 - state.made
        assert breeding.refiner is not None
        for child in range(state.made, last):
            found = breeding.refiner.refine(state.children[child], int(state.bred[child]), (born + child) << SHIFT,
                                            params.proposals, params.temperature)
            state.child_energies[child], breeding.refined = found.energy, found

    def refinement_events(self, breeding: Breeding, state: GeneticState, params: MemeticParams,
                          child: int) -> tuple[Event, ...]:
        found = breeding.refined
        assert found is not None
        return (Refined(state.step + 1, "refine", state.size + child, int(state.bred[child]),
                        int(state.child_energies[child]), found.proposals, found.accepted, params.temperature),)

    def evaluations(self, state: GeneticState, params: MemeticParams) -> int:
        """Steps and annealing proposals: the same number for each child, but for one that is annealed to E = 0."""
        born = state.step - state.generation
        if state.status != SOLVED or not state.made:
            return state.step + born * params.proposals
        breeding, child = self.breeding(state, params), state.made - 1
        assert breeding.refiner is not None
        found = breeding.refiner.refine(breeding.rebred(state, child).copy(), int(state.bred[child]),
                                        state.step << SHIFT, params.proposals, params.temperature)
        return state.step + (born - 1) * params.proposals + found.proposals

    def most_evaluations(self, state: GeneticState, params: MemeticParams) -> int:
        return 1 + params.proposals

    def inner_run(self, before: GeneticState, params: MemeticParams, events: tuple[Event, ...]) -> InnerRun | None:
        breeding, state = super().breeding(before, params), states.copy(before)
        if not params.proposals or not breeding.breed(state, 1) or not int(state.bred[state.made]):
            return None
        child, born = state.children[state.made], state.step + 1
        place = state.size + state.made
        solver = Refinement(tuple(child.tolist()), name_of(place), (REFINING, born << SHIFT))
        wanted = RefinementParams(T0=params.temperature, moves=params.proposals, max_steps=params.proposals)
        return InnerRun(solver, wanted, state.seed, place)

    def kinds_of_children(self, params: MemeticParams) -> frozenset[str]:
        return frozenset({"child", "kept", "refined"})


SOLVER = GaMemetic()
