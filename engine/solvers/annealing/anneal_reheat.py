"""Annealing with reheats: T is raised again after plateaus without progress, by a fixed or a shrinking factor.

The rule of the course, T ← 0.5·T₀, also lowers a T that is still above that; the presets *course* keep it. By default a
reheat only raises T: in the first plateaus, and where the factor has shrunk, it then leaves T as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from engine.params import About, Budget, Meta, Params
from engine.solvers.annealing import parameters
from engine.solvers.annealing.anneal import PROPOSE
from engine.solvers.annealing.annealer import Annealer
from engine.view import Line

Stagnation = Annotated[int, Meta(ge=1, le=10**6), About(
    "plateaus", "reheat after this many plateaus in a row that end no better than they began")]
Factor = Annotated[float, Meta(gt=0, le=1), About("of T₀", "a reheat raises T to this share of T₀")]
MaxReheats = Annotated[int, Meta(ge=0, le=10**6), About(
    "reheats", "reheats in an attempt, those that leave T as it is included; one more would be a restart. 0: no "
               "limit")]


Rule = Annotated[Literal["raise", "set"], About(
    "", "a reheat only raises T, to that share of T₀ at least; or sets it, which can also lower it")]


class ReheatParams(Params, frozen=True):
    """Parameters of `anneal-reheat`: those of the preset *easy* of `anneal` but for the draw, and reheats."""

    neighbourhood: parameters.Neighbourhood = "row-swap"
    draw: parameters.Draw = "pairs"
    schedule: parameters.Schedule = "exponential"
    T0: parameters.StartTemperature = 1.0
    alpha: parameters.Alpha = 0.999
    moves: parameters.PlateauMoves = 100
    stagnation: Stagnation = 50
    factor: Factor = 0.5
    reheat: Rule = "raise"
    max_reheats: MaxReheats = 10
    T_min: parameters.FloorTemperature = 1e-3
    at_floor: parameters.AtFloor = "restart"
    restarts: parameters.Restarts = 5
    levels: parameters.Levels = 1000
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9

    def __post_init__(self) -> None:
        parameters.check_floor(self)


class AdaptiveParams(Params, frozen=True):
    """Parameters of `anneal-reheat-adaptive`: ReheatParams, a shrinking factor, and no limit on reheats."""

    neighbourhood: parameters.Neighbourhood = "row-swap"
    draw: parameters.Draw = "pairs"
    schedule: parameters.Schedule = "exponential"
    T0: parameters.StartTemperature = 1.0
    alpha: parameters.Alpha = 0.999
    moves: parameters.PlateauMoves = 100
    stagnation: Stagnation = 50
    factor: Factor = 0.5
    shrink: Annotated[Literal["divide", "multiply"], About(
        "", "the factor after n reheats of this attempt, those that left T as it is included: factor/(1 + n), or "
            "factor·0.6ⁿ")] = "divide"
    reheat: Rule = "raise"
    max_reheats: MaxReheats = 0
    T_min: parameters.FloorTemperature = 1e-3
    at_floor: parameters.AtFloor = "restart"
    restarts: parameters.Restarts = 5
    levels: parameters.Levels = 1000
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9

    def __post_init__(self) -> None:
        parameters.check_floor(self)


def _program(factor: str) -> tuple[Line, ...]:
    return (
        Line("start", "T ← T₀;  s ← random fill"),
        *PROPOSE,
        Line("cool", "  every L moves: T ← next(T)"),
        Line("reheat", f"  stuck: reheat T to {factor}·T₀"),
        Line("restart", "  T_min or spent: restart"),
        Line("give_up", "all spent: return the best"),
    )


REFERENCES = (
    parameters.KIRKPATRICK_1983,
    f"{parameters.LEWIS_2007} (reheating on Sudoku)",
)


class AnnealReheat(Annealer[ReheatParams]):
    name = "anneal-reheat"
    title = "Annealing with reheats"
    kinds = (*Annealer.kinds, "reheat", "not_raised")
    summary = ("As anneal in its classical setting, but after plateaus that end no better than they began, T is "
               "raised and the grid kept. Solved four easy puzzles with 20 of 20 seeds, three hard ones with 0, 0 "
               "and 10, in 10 million moves.")
    references = REFERENCES
    program = _program("f")
    Params = ReheatParams
    presets: ClassVar = {"default": {}, "course": {"draw": "group", "reheat": "set", "max_reheats": 0}}
    trajectory = 2
    earlier: ClassVar = {1: {"draw": "pairs", "reheat": "raise"}}

    def values(self, params: ReheatParams, n: int) -> Mapping[str, float]:
        return parameters.metropolis_config(params) | _reheating(params)


class AnnealReheatAdaptive(Annealer[AdaptiveParams]):
    name = "anneal-reheat-adaptive"
    title = "Annealing with shrinking reheats"
    kinds = (*Annealer.kinds, "reheat", "not_raised")
    summary = ("As anneal-reheat, but each reheat of an attempt raises T less than the one before. Not better for "
               "it: three hard puzzles with 1, 0 and 3 of 20 seeds in 20 million moves.")
    references = REFERENCES
    program = _program("f(n)")
    Params = AdaptiveParams
    presets: ClassVar = {"default": {}, "course": {"draw": "group", "reheat": "set"}}
    trajectory = 2
    earlier: ClassVar = {1: {"draw": "pairs", "reheat": "raise"}}

    def values(self, params: AdaptiveParams, n: int) -> Mapping[str, float]:
        rule = parameters.DIVIDED_FACTOR if params.shrink == "divide" else parameters.SHRINKING_FACTOR
        return parameters.metropolis_config(params) | _reheating(params) | {"factor_rule": rule}


def _reheating(params: ReheatParams | AdaptiveParams) -> dict[str, float]:
    return {"stagnation": params.stagnation, "progress": parameters.END_BELOW_START, "factor": params.factor,
            "factor_rule": parameters.FIXED_FACTOR, "max_reheats": params.max_reheats,
            "reheat_sets": params.reheat == "set"}


SOLVERS = {solver.name: solver for solver in (AnnealReheat(), AnnealReheatAdaptive())}
