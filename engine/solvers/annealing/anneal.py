"""Simulated annealing (Kirkpatrick et al. 1983): Metropolis acceptance under a cooling schedule.

E counts the repeated values of a full grid. Each step proposes a move, usually an exchange of two cells. A move that
does not raise E is accepted, one that raises it with probability e^(-ΔE/T); T falls from plateau to plateau. The loop
itself is `annealer.Annealer.steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.params import Budget, Params
from engine.solvers.annealing import parameters
from engine.solvers.annealing.annealer import Annealer
from engine.view import Line


class AnnealParams(Params, frozen=True):
    """Parameters of `anneal`; the defaults are the preset *strong*."""

    neighbourhood: parameters.Neighbourhood = "box-swap"
    draw: parameters.Draw = "pairs"
    schedule: parameters.Schedule = "exponential"
    T0: parameters.StartTemperature = 1.0
    alpha: parameters.Alpha = 0.999
    moves: parameters.PlateauMoves = 100
    T_min: parameters.FloorTemperature = 0.32
    at_floor: parameters.AtFloor = "hold"
    restarts: parameters.RestartsAtFloor = 5
    levels: parameters.Levels = 1000
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9

    def __post_init__(self) -> None:
        parameters.check_floor(self)


PROPOSE = (
    Line("propose", "repeat: draw a move"),
    Line("delta", "  ΔE ← E(moved s) − E(s)"),
    Line("accept", "  if ΔE ≤ 0: accept"),
    Line("uphill", "  or if u < e^(−ΔE/T): accept"),
    Line("reject", "  else: reject"),
    Line("best", "  if E < best: best ← E"),
    Line("solved", "  if E = 0: return s"),
)
"""The pseudo-code of a Metropolis step, which the annealers share."""


class Anneal(Annealer[AnnealParams]):
    name = "anneal"
    title = "Simulated annealing"
    summary = ("Exchanges two cells at a time. A move that lowers E is accepted, one that raises E with probability "
               "e^(−ΔE/T), and T falls. The preset strong solved 95 hard puzzles with every seed tried (median 2.7 "
               "million moves); easy, the classical setting, solves easy puzzles and few hard ones. No preset can "
               "prove that there is no solution.")
    references = (
        parameters.KIRKPATRICK_1983,
        parameters.METROPOLIS_1953,
        parameters.LEWIS_2007,
        "B. Hajek: Cooling schedules for optimal annealing. Math. Oper. Res. 13, 1988 (the logarithmic schedule)",
    )
    program = (
        Line("start", "T ← T₀;  s ← random fill"),
        *PROPOSE,
        Line("cool", "  every L moves: T ← next(T)"),
        Line("restart", "  T ≤ T_min: restart"),
        Line("give_up", "all spent: return the best"),
    )
    Params = AnnealParams
    presets: ClassVar = {
        "strong": {},
        "easy": {"neighbourhood": "row-swap", "draw": "group", "T_min": 1e-3, "at_floor": "restart"},
        "medium": {"neighbourhood": "row-swap", "draw": "group", "alpha": 0.9995, "moves": 200, "T_min": 1e-4,
                   "at_floor": "restart", "restarts": 10},
    }
    trajectory = 2
    earlier: ClassVar = {1: {"draw": "pairs"}}

    def values(self, params: AnnealParams, n: int) -> Mapping[str, float]:
        return parameters.metropolis_config(params)


SOLVER = Anneal()
