"""Annealing as R. Lewis published it for Sudoku in 2007: a calibrated T₀, short chains, reheats to T₀.

T₀ is the standard deviation of ΔE over a random walk. What the paper calls a chain, of n² moves, is a plateau here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from engine.events import Event, Reheated
from engine.events.because import reheated
from engine.params import About, Budget, Meta, Params
from engine.solvers.annealing import parameters
from engine.solvers.annealing.anneal import PROPOSE
from engine.solvers.annealing.annealer import Annealer
from engine.solvers.annealing.state import AnnealState
from engine.view import Line, Sentence


class LewisParams(Params, frozen=True):
    """Parameters of `anneal-lewis`; what the paper leaves open is a choice."""

    neighbourhood: parameters.Neighbourhood = "box-swap"
    draw: parameters.Draw = "pairs"
    walk: Annotated[int, Meta(ge=2, le=10**6), About(
        "moves", "length of the random walk that fixes T₀; no effect after it")] = 100
    deviation: Annotated[Literal["delta", "energy"], About(
        "", "T₀ is the standard deviation over the walk of ΔE or of E, and 1 if that is 0: published code reads it "
            "both ways; no effect after the walk")] = "delta"
    schedule: parameters.Schedule = "exponential"
    alpha: parameters.Alpha = 0.99
    chain: Annotated[int, Meta(ge=1, le=10**6), About("n² moves", "length of a plateau (a chain, in the paper)")] = 1
    stagnation: Annotated[int, Meta(ge=1, le=10**6), About(
        "plateaus", "reheat to T₀ after this many plateaus without progress")] = 20
    progress: Annotated[Literal["chain-minimum", "new-best"], About(
        "", "a plateau makes progress if its lowest E is below that of the one before (the first one after a reheat "
            "always does), or, read literally, if it finds a new best of the run")] = "chain-minimum"
    T_min: Annotated[float, Meta(gt=0, le=100), About("energy", "T falls no further", "T_min",
                                                      where=(parameters.COOLING,))] = 0.01
    levels: parameters.Levels = 200
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9


class AnnealLewis(Annealer[LewisParams]):
    name = "anneal-lewis"
    title = "Annealing after Lewis (2007)"
    kinds = (*Annealer.kinds, "reheat", "not_raised", "calibrated")
    summary = ("A random walk fixes T₀, plateaus of n² moves cool by α, and T returns to T₀ when they make no "
               "progress. Solved 52 of 95 hard puzzles in 20 million moves; read literally (no new best in 20 of them) "
               "it reheats before it has cooled and solves almost nothing.")
    references = (
        parameters.LEWIS_2007,
        "P. J. M. van Laarhoven, E. H. L. Aarts: Simulated Annealing: Theory and Applications. Reidel, 1987",
    )
    program = (
        Line("start", "s ← random fill"),
        Line("calibrate", "T₀ ← deviation over a walk"),
        *PROPOSE,
        Line("cool", "  n² moves made: T ← next(T)"),
        Line("reheat", "  plateaus idle: T ← T₀"),
        Line("give_up", "all spent: return the best"),
    )
    Params = LewisParams
    presets: ClassVar = {"default": {}, "literal": {"progress": "new-best"}}
    glossary: ClassVar = {
        "plateau": "the number of this plateau, chain · n² moves on an n × n grid; the bar is its part so far",
        "stuck": "the plateaus in a row without progress, of those that trigger a reheat; at a reheat those that led "
                 "to it. A plateau makes progress if its lowest E is below that of the one before, as the first one "
                 "after a reheat always does, or with progress = new-best if it has a new best",
    }
    trajectory = 2
    earlier: ClassVar = {1: {"draw": "pairs"}}

    def texts_for(self, params: LewisParams) -> Mapping[str, str]:
        long = {} if params.chain == 1 else {"cool": "  after a plateau: T ← next(T)"}
        return {**long, **super().texts_for(params)}

    def values(self, params: LewisParams, n: int) -> Mapping[str, float]:
        return {
            "schedule": parameters.SCHEDULES.index(params.schedule), "t0": 0.0, "alpha": params.alpha,
            "moves": params.chain * n * n, "levels": params.levels, "t_min": params.T_min,
            "at_floor": parameters.AT_FLOOR_HOLD, "attempts": 1, "rule": parameters.METROPOLIS,
            "grouped": params.draw == "group", "max_steps": params.max_steps,
            "stagnation": params.stagnation, "factor": 1.0, "factor_rule": parameters.FIXED_FACTOR,
            "progress": parameters.MINIMUM_FELL if params.progress == "chain-minimum" else parameters.NEW_BEST,
            "walk": params.walk, "deviation_of_energy": int(params.deviation == "energy"),
        }

    def because(self, event: Event, state: AnnealState, params: LewisParams) -> Sentence:
        if isinstance(event, Reheated):
            return reheated(event, start="the walk")
        return super().because(event, state, params)


SOLVER = AnnealLewis()
