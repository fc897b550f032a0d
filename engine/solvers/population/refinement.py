"""A refinement as a run of its own: the proposals that one step of a population hides, one a step.

`Refiner` (`refine`) makes thousands of proposals within a step of ga-memetic or swarm-anneal. `Refinement` makes
the same proposals as a run of an annealer that begins with the individual as it was before that step. Its state has
the seed whose stream MOVE continues the words that the refinement has drawn, so every annealer kernel can make it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine import rng
from engine.params import About, Budget, Meta, Params
from engine.puzzle import Puzzle
from engine.solvers.annealing import parameters
from engine.solvers.annealing.anneal import PROPOSE
from engine.solvers.annealing.annealer import Annealer
from engine.solvers.annealing.state import AnnealState, begin_attempt, new_state
from engine.solvers.population.refine import Cooling, refiner_values
from engine.view import Line


class RefinementParams(Params, frozen=True):
    """Parameters of one refinement."""

    schedule: Annotated[Literal["exponential", "constant"], About(
        "", "the rule for the next temperature: α·T, or T unchanged")] = "constant"
    T0: parameters.StartTemperature = 0.32
    alpha: Annotated[float, Meta(gt=0, le=1), About("", "factor of the exponential schedule", "α")] = 1.0
    moves: parameters.PlateauMoves = 100
    max_steps: Budget = 2000


class Refinement(Annealer[RefinementParams]):
    """The annealing of one individual. It is not in the registry: each object belongs to one step of a run."""

    name = "refinement"
    title = "Annealing inside a step"
    summary = ("The annealing that improved one individual within one step of its population. The best grid that it "
               "meets takes the place of the individual.")
    references = (parameters.KIRKPATRICK_1983, parameters.METROPOLIS_1953)
    program = (
        Line("start", "s ← the individual;  T ← T₀"),
        *PROPOSE,
        Line("cool", "  every L moves: T ← next(T)"),
        Line("give_up", "all made: return the best"),
    )
    Params = RefinementParams
    speed: ClassVar[float] = 200.0

    def __init__(self, individual: tuple[int, ...], who: str, words: tuple[int, int]) -> None:
        """`individual`: its grid before the refinement; `who`: its name, for the title; `words` = (stream, step): it
        draws the words after that step of that stream."""
        self.title = f"Annealing of {who}"  # type: ignore[misc]
        self._individual, self._words = individual, words

    def layout(self, params: RefinementParams) -> tuple[str, bool]:
        return "box-swap", True

    def values(self, params: RefinementParams, n: int) -> dict[str, float]:
        cooling = Cooling(params.alpha, params.moves) if params.schedule == "exponential" else None
        return {**refiner_values(cooling), "moves": params.moves, "max_steps": params.max_steps, "t0": params.T0}

    def init(self, puzzle: Puzzle, params: RefinementParams, seed: int) -> AnnealState:
        stream, step = self._words
        state = new_state(puzzle, rng.continuing(seed, stream, step, rng.MOVE), parameters.BOX_SWAP, True)
        state.now["phase"] = parameters.SEARCH
        state.cells[:] = self._individual
        begin_attempt(state, params.T0)
        return state
