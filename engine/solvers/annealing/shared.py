"""Parameters that several annealers declare alike, how they become fields of CONFIG, and what several go back to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from engine.params import About, Meta
from engine.solvers.annealing import config as codes

KIRKPATRICK = "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing. Science 220, 1983"
METROPOLIS = "N. Metropolis et al.: Equation of state calculations by fast computing machines. J. Chem. Phys. 21, 1953"
LEWIS = "R. Lewis: Metaheuristics can solve sudoku puzzles. J. Heuristics 13, 2007"

Neighbourhood = Annotated[
    Literal["row-swap", "box-swap", "conflict-swap", "extended"],
    About("", "which moves are proposed: two free cells of a row, of a box, two of them one of which is in conflict, "
              "or two free cells of a band and rotations of three in a row", live=False)]
Representation = Annotated[
    Literal["box", "row"],
    About("", "what conflict-swap keeps as a permutation; the other neighbourhoods imply it", live=False)]
Schedule = Annotated[
    Literal["exponential", "linear", "logarithmic", "adaptive", "constant"],
    About("", "the rule for the next temperature: α·T; T₀·(1 − k/levels); T₀/ln(k + e) with k counting moves; α² above "
              "80 % accepted and √α below 20 %; or T as it is")]
StartTemperature = Annotated[float, Meta(gt=0, le=100), About("energy", "temperature at the start", "T₀")]
Alpha = Annotated[float, Meta(gt=0, lt=1), About("", "factor of the exponential and the adaptive schedule", "α")]
PlateauMoves = Annotated[int, Meta(ge=1, le=10**9), About("moves", "proposals at one temperature", "L")]
Levels = Annotated[int, Meta(ge=1, le=10**9), About("plateaus", "linear schedule: plateaus from T₀ down to 0")]
FloorTemperature = Annotated[
    float, Meta(gt=0, le=100), About("energy", "the floor: a plateau runs while T is above it", "T_min")]
SweepFloor = Annotated[
    float, Meta(gt=0, le=100), About("energy", "schedules other than linear: the sweep ends at this T", "T_min")]
AtFloor = Annotated[
    Literal["restart", "hold"], About("", "at the floor: begin anew from a fresh state, or go on at the floor")]
Restarts = Annotated[int, Meta(ge=0, le=10**6), About("restarts", "fresh starts after the first attempt")]
Budget = Annotated[int, Meta(ge=1, le=10**12), About("steps", "give up after so many steps in all")]


def cooling(params: Any) -> dict[str, float]:
    """The fields of CONFIG that come from parameters of these names."""
    return {
        "schedule": codes.SCHEDULES.index(params.schedule), "t0": params.T0, "alpha": params.alpha,
        "moves": params.moves, "levels": params.levels, "t_min": params.T_min,
        "at_floor": codes.FLOORS.index(params.at_floor), "attempts": params.restarts + 1,
        "judge": codes.METROPOLIS, "max_steps": params.max_steps,
    }


def check_floor(params: Any) -> None:
    """Raises ValueError unless the schedule has somewhere to go down to."""
    if params.schedule != "constant" and params.T_min >= params.T0:
        raise ValueError(f"T_min = {params.T_min:g}: expected less than T0 = {params.T0:g}, where cooling starts")
