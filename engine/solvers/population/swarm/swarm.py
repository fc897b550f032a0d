"""A swarm of workers and explorers on box permutations: the discrete Sudoku form of particle swarms."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine.events import Event
from engine.events.population import name_of
from engine.params import About, Budget, Meta, Params
from engine.solver import InnerRun
from engine.solvers.population.refine import Cooling
from engine.solvers.population.refinement import Refinement, RefinementParams
from engine.solvers.population.swarm.base import CHANNELS, KINDS, WORKERS, SwarmSolver
from engine.solvers.population.swarm.state import MOST_PROPOSALS, REFINE, SwarmState, next_refined
from engine.view import Channel, Line

Size = Annotated[int, Meta(ge=1, le=10_000), About("organisms", "how many live at once", live=False)]
Workers = Annotated[float, Meta(ge=0, le=1), About(
    "share", "organisms that work, the others explore; a change holds from the next epoch on")]
Draw = Annotated[Literal["pairs", "group"], About(
    "", "how a worker draws its swap: each legal one equally often; or first a box, each equally often, then two of "
        "its free cells")]
Luck = Annotated[float, Meta(ge=0, le=1), About("", "chance of taking a neighbour that is not better", "p")]
Patience = Annotated[int, Meta(ge=0, le=10**9), About("refusals", "since its last improvement after which a worker "
                                                                  "is refilled")]
Epochs = Annotated[int, Meta(ge=1, le=10**9), About("epochs", "of one attempt")]
Attempts = Annotated[int, Meta(ge=1, le=10**6), About("attempts", "swarms that are tried one after another")]


class SwarmParams(Params, frozen=True):
    """The defaults are the preset *course*, but for the draw."""

    size: Size = 200
    workers: Workers = 0.9
    draw: Draw = "pairs"
    luck: Luck = 0.001
    patience: Patience = 1000
    epochs: Epochs = 5000
    attempts: Attempts = 20
    max_steps: Budget = 10**9


def values(params: SwarmParams) -> dict[str, int]:
    """The fields of CONFIG that come from parameters of these names."""
    return {"size": params.size, "workers": round(params.workers * params.size), "luck": int(params.luck * 2**32),
            "grouped": params.draw == "group", "patience": params.patience, "epochs": params.epochs,
            "attempts": params.attempts, "max_steps": params.max_steps}


TURNS = (
    Line("fill", "fill every organism at random"),
    Line("swap", "each worker: swap 2 in a box"),
    Line("better", "  E falls: take it"),
    Line("luck", "  or if u < p: take it"),
    Line("refuse", "  else: refuse, age ← age + 1"),
    Line("fresh", "  too old: refill it"),
    Line("explore", "each explorer: refill it"),
    Line("merge", "best worker × best explorer"),
    Line("worst", "  → in place of worst worker"),
    Line("best", "if E < best: best ← E"),
    Line("solved", "if E = 0: return it"),
    Line("epoch", "count the attempt's epochs"),
)
"""The program of every swarm of workers and explorers."""
SPENT = (Line("restart", "epochs spent: a fresh swarm"), Line("give_up", "all spent: return the best"))


class Swarm(SwarmSolver[SwarmParams]):
    name = "swarm"
    title = "Particle swarm"
    summary = ("Workers exchange two cells of a box and keep what is better, explorers are redrawn each epoch, and "
               "the best of both are merged into the worst worker: many short descents. Of four easy puzzles it "
               "solved three with 20 of 20 seeds and one with 19, often after many attempts; hard ones it does not "
               "solve.")
    program = (*TURNS, *SPENT)
    Params = SwarmParams
    presets: ClassVar = {
        "course": {"draw": "group"},
        "conservative": {"size": 100, "epochs": 2000, "attempts": 5, "draw": "group"},
        "standard": {"size": 200, "epochs": 3000, "attempts": 10, "draw": "group"},
        "aggressive": {"size": 300, "epochs": 5000, "attempts": 20, "draw": "group"},
    }
    trajectory = 4
    earlier: ClassVar = {1: {"draw": "pairs"}, 2: {}, 3: {}}

    def values(self, params: SwarmParams) -> dict[str, int]:
        return values(params)


class SwarmAdaptiveParams(SwarmParams, frozen=True):
    workers: Annotated[float, Meta(ge=0, le=1), About(
        "share", "organisms that work at first and after a new best of this attempt, the others explore; a change "
        "holds from the next new best or attempt on")] = 0.9
    stagnation: Annotated[int, Meta(ge=1, le=10**9), About(
        "epochs", "without a new best of this attempt, or since the last change, before workers become "
                  "explorers")] = 50
    drop: Annotated[float, Meta(gt=0, le=1), About(
        "share", "organisms that turn from workers into explorers each time")] = 0.05
    floor: Annotated[float, Meta(ge=0, le=1), About("share", "the least share of organisms that stay workers")] = 0.5


class SwarmAdaptive(SwarmSolver[SwarmAdaptiveParams]):
    name = "swarm-adaptive"
    title = "Swarm, adaptive"
    summary = ("The swarm of workers and explorers, in which workers become explorers while the best stays as it is, "
               "and all of them work again when it falls. It solves easy puzzles and no hard ones.")
    program = (*TURNS, Line("share", "  workers: all, fewer if idle"), *SPENT)
    kinds = ("best", "shifted", *KINDS[1:])
    channels: ClassVar[tuple[Channel, ...]] = (*CHANNELS, WORKERS)
    Params = SwarmAdaptiveParams
    presets: ClassVar = dict(Swarm.presets)
    trajectory = 4
    earlier: ClassVar = {1: {"draw": "pairs"}, 2: {}, 3: {}}

    def values(self, params: SwarmAdaptiveParams) -> dict[str, int]:
        return values(params) | {"stagnation": params.stagnation, "drop": max(1, round(params.drop * params.size)),
                                 "floor": round(params.floor * params.size)}


class SwarmAnnealParams(SwarmParams, frozen=True):
    every: Annotated[int, Meta(ge=1, le=10**9), About("epochs", "between two phases of annealing")] = 20
    elite: Annotated[int, Meta(ge=1, le=10_000), About("workers", "the best, that are annealed then", live=False)] = 10
    proposals: Annotated[int, Meta(ge=1, le=2**15), About("proposals", "for each of them")] = 20_000
    temperature: Annotated[float, Meta(gt=0, le=100), About("energy", "at which their annealing begins", "T₀")] = 0.45
    cooling: Annotated[Literal["exponential", "constant"], About(
        "", "while one is annealed, T falls to α·T after every plateau, or stays")] = "exponential"
    alpha: Annotated[float, Meta(gt=0, lt=1), About("", "factor of the cooling", "α",
                                                             where=(("cooling", ("exponential",)),))] = 0.9975
    plateau: Annotated[int, Meta(ge=1, le=2**15), About("proposals", "at one temperature", "L")] = 100


class SwarmAnneal(SwarmSolver[SwarmAnnealParams]):
    name = "swarm-anneal"
    title = "Swarm with annealing"
    summary = ("The swarm of workers and explorers, whose best workers are annealed every 20 epochs, by default with "
               "T falling. The annealing is what solves: four easy and three hard puzzles with each of 5 seeds, the "
               "hard ones in 0.01 to 5 s.")
    program = (*TURNS, Line("refine", "  every k epochs: anneal best"), *SPENT)
    kinds = ("best", "refined", *KINDS[1:])
    other_steps = "a merge, the end of an epoch, or an organism annealed"
    Params = SwarmAnnealParams
    presets: ClassVar = {"default": {}, "constant": {"cooling": "constant", "temperature": 0.32}}
    inner_kind = "refined"
    trajectory = 3
    earlier: ClassVar = {1: {"draw": "pairs", "cooling": "constant", "temperature": 0.32}, 2: {}}

    def values(self, params: SwarmAnnealParams) -> dict[str, int]:
        return values(params) | {"every": params.every, "elite": params.elite}

    def refinement(self, params: SwarmAnnealParams) -> tuple[int, float, Cooling | None]:
        cooling = Cooling(params.alpha, params.plateau) if params.cooling == "exponential" else None
        return params.proposals, params.temperature, cooling

    def inner_run(self, before: SwarmState, params: SwarmAnnealParams, events: tuple[Event, ...]) -> InnerRun | None:
        who = next_refined(before)
        if not int(before.energies[who]):
            return None
        cools = params.cooling == "exponential"
        wanted = RefinementParams(params.cooling, params.temperature, params.alpha if cools else 1.0,
                                  params.plateau if cools else params.proposals, params.proposals)
        solver = Refinement(tuple(before.genes[who].tolist()), name_of(who),
                            (REFINE, (before.step + 1) * MOST_PROPOSALS))
        return InnerRun(solver, wanted, before.seed, who)


SOLVERS = {each.name: each for each in (Swarm(), SwarmAdaptive(), SwarmAnneal())}
