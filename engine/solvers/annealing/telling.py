"""From the records of the rules to the events that people see, and how a run's end is put into words."""

from __future__ import annotations

from typing import Any, Final

from engine import text
from engine.events import (
    Calibrated,
    Cooled,
    Done,
    Event,
    LocalMinimum,
    NewBest,
    Reheated,
    Restarted,
    Status,
    Swept,
)
from engine.solver import Outcome
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.config import HAPPENED_BITS as BIT
from engine.solvers.annealing.state import (
    ATTEMPTS_SPENT,
    BUDGET_SPENT,
    LOCAL_MINIMUM,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    RUNNING,
    SOLVED,
    STUCK,
    AnnealState,
)

LINE_OF_VERDICT: Final = {"improved": "accept", "equal": "accept", "uphill": "uphill", "rejected": "reject"}
"""The pseudo-code line of each verdict; every program of the family has these three lines."""


def happenings(h: Any, state: AnnealState, attempts: int, outcome: Outcome | None) -> tuple[Event, ...]:
    """What happened after one proposal, as events in order: `h` is one record of rules.HAPPENED."""
    bits, step = int(h["bits"]), int(h["step"])
    found: list[Event] = []
    if not bits:
        return ()
    if bits & BIT["best"]:
        found.append(NewBest(step, "best", int(h["best"]), int(h["best_before"])))
    if bits & BIT["cooled"]:
        found.append(Cooled(step, "cool", float(h["t_before"]), float(h["t_after"]), int(h["plateau"]),
                            int(h["accepted"]), int(h["moves"])))
    found += _turns(h, bits, step, attempts)
    if bits & BIT["done"]:
        found.append(done(step, outcome))
    return tuple(found)


def done(step: int, outcome: Outcome | None) -> Done:
    """The event of the end that `outcome` tells."""
    if outcome is None:
        raise ValueError("the run goes on")
    line = {"solved": "solved", "no_solution": "contradiction"}.get(outcome.status, "give_up")
    return Done(step, line, outcome.status, outcome.energy, outcome.reason)


def _turns(h: Any, bits: int, step: int, attempts: int) -> list[Event]:
    """The turns that a run can take: calibrated, stuck, reheated, swept, restarted."""
    found: list[Event] = []
    if bits & BIT["calibrated"]:
        found.append(Calibrated(step, "calibrate", float(h["t_start"]), float(h["deviation_delta"]),
                                float(h["deviation_energy"]), int(h["samples"])))
    if bits & BIT["minimum"]:
        found.append(LocalMinimum(step, "stuck", int(h["energy"]), int(h["better"]), int(h["equal"]), int(h["worse"])))
    if bits & BIT["reheat"]:
        found.append(Reheated(step, "reheat", float(h["hot_before"]), float(h["hot_after"]), float(h["factor"]),
                              int(h["reheat"]), int(h["stagnation"]), int(h["gained"])))
    if bits & BIT["sweep"]:
        found.append(Swept(step, "sweep", int(h["sweep"]), int(h["energy"])))
    if bits & BIT["restart"]:
        found.append(Restarted(step, "restart", int(h["attempt"]), attempts, int(h["fresh_energy"]), int(h["best"])))
        if bits & codes.FRESH_BEST:
            found.append(NewBest(step, "best", int(h["fresh_energy"]), int(h["best"])))
    return found


def outcome_of(state: AnnealState) -> Outcome | None:
    """How the run ended, or None while it goes on; the best grid over all attempts comes back."""
    now = state.now
    code = int(now["status"])
    if code == RUNNING:
        return None
    status: Status = "solved" if code == SOLVED else "gave_up"
    best = tuple(state.best.tolist())
    return Outcome(status, best, int(now["best"]), _reason(state, code), int(now["attempt"]) - 1)


def _reason(state: AnnealState, code: int) -> str:
    attempts, step = int(state.now["attempt"]), text.count(int(state.now["step"]))
    waited = text.count(int(state.now["since_better"]))
    reasons = {
        SOLVED: "E = 0",
        ATTEMPTS_SPENT: f"all {text.count(attempts)} attempts are spent" if attempts > 1 else "the attempt is spent",
        BUDGET_SPENT: f"the budget of {step} steps is spent",
        NO_MOVES: _no_moves(state),
        NOTHING_TO_PROPOSE: f"no free cell in conflict shares its {_group(state)} with another free cell",
        STUCK: f"{waited} proposals in a row without a better grid",
        LOCAL_MINIMUM: "no move of the whole neighbourhood can be taken: a local minimum",
    }
    return reasons[code]


def _group(state: AnnealState) -> str:
    return "box" if state.now["boxes"] else "row"


def _no_moves(state: AnnealState) -> str:
    """Why the neighbourhood is empty."""
    if not (state.fixed == 0).any():
        return "no cell is free"
    if state.now["neighbourhood"] == codes.EXTENDED:
        return "no two free cells share a band"
    return f"no two free cells share a {_group(state)}"


def is_drawn(judge: int, change: int, T: float) -> bool:
    """Whether the verdict on this ΔE depends on chance."""
    return (judge == codes.METROPOLIS and change > 0) or (judge == codes.SHEET and change >= 0 and T > 0)
