"""The first annealer of the course sheet: T falls from 1 to 0 in 20 steps, and the sweep repeats until E = 0.

Its acceptance rule (COURSE_SHEET) draws for ΔE = 0 too, and at T = 0 accepts only ΔE < 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from engine.params import About, Budget, Meta, Params
from engine.solvers.annealing import parameters, view
from engine.solvers.annealing.annealer import Annealer
from engine.view import Line


class LinearParams(Params, frozen=True):
    """Parameters of `anneal-linear`: 21 levels, T = 1 - k/20, of 1 000 moves each."""

    neighbourhood: parameters.Neighbourhood = "row-swap"
    draw: parameters.Draw = "pairs"
    schedule: parameters.Schedule = "linear"
    T0: Annotated[float, Meta(gt=0, le=100), About(
        "energy", "temperature at the start of each sweep; the knob T changes that of the present one", "T₀")] = 1.0
    levels: parameters.Levels = 20
    moves: parameters.PlateauMoves = 1000
    alpha: parameters.Alpha = 0.9
    T_min: parameters.SweepFloor = 0.05
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9

    def __post_init__(self) -> None:
        if self.schedule not in ("linear", "constant"):
            parameters.check_floor(self)


class AnnealLinear(Annealer[LinearParams]):
    name = "anneal-linear"
    title = "Annealing in linear sweeps"
    kinds = (*Annealer.kinds, "sweep")
    summary = ("T falls to 0 in equal steps, and the sweep repeats from the current grid until E = 0. "
               "Solved four easy puzzles with 20 of 20 seeds, three hard ones with 0, 0 and 11, in 10 million moves.")
    references = (parameters.KIRKPATRICK_1983,)
    program = (
        Line("start", "T ← T₀;  s ← random fill"),
        Line("propose", "repeat: draw a move"),
        Line("delta", "  ΔE ← E(moved s) − E(s)"),
        Line("accept", "  if ΔE < 0: accept"),
        Line("uphill", "  or if u < e^(−ΔE/T): accept"),
        Line("reject", "  else: reject"),
        Line("best", "  if E < best: best ← E"),
        Line("solved", "  if E = 0: return s"),
        Line("cool", "  L moves made: T ← T₀(1−k/K)"),
        Line("sweep", "  after T = 0: T ← T₀, keep s"),
        Line("give_up", "all spent: return the best"),
    )
    Params = LinearParams
    presets: ClassVar = {"default": {}, "course": {"draw": "group"}}
    line_of_verdict: ClassVar[Mapping[str, str]] = {**view.LINE_OF_VERDICT, "equal": "uphill"}

    def texts_for(self, params: LinearParams) -> Mapping[str, str]:
        if params.schedule == "linear":
            return {}
        own = {"cool": "  every L moves: T ← next(T)", "sweep": "  at T_min: T ← T₀, keep s"}
        return {**own, **super().texts_for(params)}

    def values(self, params: LinearParams, n: int) -> Mapping[str, float]:
        return {
            "schedule": parameters.SCHEDULES.index(params.schedule), "t0": params.T0, "alpha": params.alpha,
            "moves": params.moves, "levels": params.levels, "t_min": params.T_min,
            "at_floor": parameters.AT_FLOOR_SWEEP, "attempts": 1, "rule": parameters.COURSE_SHEET,
            "grouped": params.draw == "group", "max_steps": params.max_steps,
        }


SOLVER = AnnealLinear()
