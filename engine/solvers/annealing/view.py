"""A moment of an annealer's run as plain values: marks, gauges, the numbers beside the pseudo-code."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any, Final

from engine import text
from engine.events import (
    Assigned,
    Calibrated,
    Contradiction,
    Cooled,
    Done,
    Event,
    LocalMinimum,
    NewBest,
    Reheated,
    Restarted,
    Scanned,
    Status,
    SwapJudged,
    Swept,
)
from engine.puzzle import Puzzle
from engine.solver import Outcome
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.neighbourhood import groups
from engine.solvers.annealing.parameters import (
    ATTEMPTS_SPENT,
    BUDGET_SPENT,
    CALIBRATE,
    LOCAL_MINIMUM,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    RUNNING,
    SEARCH,
    SOLVED,
    STUCK,
)
from engine.solvers.annealing.parameters import HAPPENED_BITS as BIT
from engine.solvers.annealing.state import AnnealState
from engine.view import Gauge, Role, View


def conflicts(puzzle: Puzzle, cells: tuple[int, ...]) -> tuple[int, ...]:
    """The cells whose value stands again in one of their units, ascending (energy.conflicts, unit by unit)."""
    found: set[int] = set()
    for unit in puzzle.geometry.units:
        first: dict[int, int] = {}
        for cell in unit.cells:
            value = cells[cell]
            if value and value in first:
                found |= {cell, first[value]}
            elif value:
                first[value] = cell
    return tuple(sorted(found))


def moved_cells(events: Iterable[Event]) -> tuple[int, ...]:
    """The cells that the proposal of this step was about, whatever its verdict."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            return event.cells
        if isinstance(event, Assigned):
            return (event.cell,)
    return ()


def within_reach(state: AnnealState, moved: tuple[int, ...]) -> tuple[int, ...]:
    """The free cells that a move of one of the moved cells could have touched: those of its row, box or band. A
    single cell was filled in, not moved."""
    if len(moved) < 2:
        return ()
    return _reach(state.puzzle, state.fixed.tobytes(), int(state.now["neighbourhood"]), bool(state.now["boxes"]), moved)


@functools.lru_cache(maxsize=512)
def _reach(puzzle: Puzzle, fixed: bytes, neighbourhood: int, boxes: bool, moved: tuple[int, ...]) -> tuple[int, ...]:
    if neighbourhood == codes.EXTENDED:
        band = puzzle.box * puzzle.n
        units = {range(cell // band * band, cell // band * band + band) for cell in moved}
        found = {cell for unit in units for cell in unit}
    else:
        found = {cell for unit in groups(puzzle, boxes) if not set(moved).isdisjoint(unit.cells) for cell in unit.cells}
    return tuple(sorted(cell for cell in found - set(moved) if not fixed[cell]))


def partners(puzzle: Puzzle, cells: tuple[int, ...], moved: tuple[int, ...]) -> tuple[int, ...]:
    """The cells that are in conflict with one of the moved cells."""
    peers = puzzle.geometry.peers
    found = {other for cell in moved if cells[cell] for other in peers[cell] if cells[other] == cells[cell]}
    return tuple(sorted(found - set(moved)))


def marks(state: AnnealState, cells: tuple[int, ...], events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The marks of the board. After a restart the cells are others than those that the move was about."""
    puzzle = state.puzzle
    restarted = any(isinstance(event, Restarted) for event in events)
    moved = () if restarted else moved_cells(events)
    core = next((event.cells for event in events if isinstance(event, Contradiction)), ())
    found: dict[Role, tuple[int, ...]] = {"moved": moved, "partner": partners(puzzle, cells, moved),
                                          "reach": within_reach(state, moved),
                                          "conflict": conflicts(puzzle, cells), "core": core}
    return {role: where for role, where in found.items() if where}


def view(state: AnnealState, c: Any, events: tuple[Event, ...], has_temperature: bool) -> View:
    """The view of the state after the step of these events; c is the record of CONFIG in force."""
    cells = state.grid
    shown = temperature_gauges(state, c) if has_temperature else climb_gauges(state, c)
    gauges = (*shown, *energy_gauges(state), *attempt_gauge(state, c))
    return View(cells, marks(state, cells, events), gauges=gauges, live=live(state, c, events))


def energy_gauges(state: AnnealState) -> tuple[Gauge, ...]:
    now = state.now
    return Gauge("E", str(now["energy"])), Gauge("best", str(now["best"]), role="best")


def attempt_gauge(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    attempt, attempts = int(state.now["attempt"]), int(c["attempts"])
    if attempts == 1 or not restarts(c):
        return ()
    return (Gauge("attempt", _attempt(state, c), attempt / attempts if attempts else None),)


def restarts(c: Any) -> bool:
    """Whether this run can ever come to a restart (rules._end_plateau, rules._climb)."""
    spent = c["stagnation"] and c["max_reheats"]
    return bool(c["patience"] or spent or c["at_floor"] == codes.AT_FLOOR_RESTART)


def temperature_gauges(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    now = state.now
    searching = now["phase"] == SEARCH
    T = float(now["temperature"]) if searching else None
    share = float(now["last_accepted"] / now["last_moves"]) if now["last_moves"] else None
    gauges = [Gauge("T", text.significant(T), _log_share(T, c, float(now["calibrated"])), "knob"),
              Gauge("accept", text.share(share), share)]
    if now["phase"] == CALIBRATE:
        gauges.append(Gauge("walk", f"{now['walked']}/{c['walk']}", int(now["walked"]) / int(c["walk"])))
    else:
        done = min(1.0, int(now["moves"]) / int(c["moves"]))
        gauges.append(Gauge("plateau", text.count(int(now["plateau"]) + 1), done))
    if c["stagnation"]:
        stuck, limit = int(now["stagnation"]), int(c["stagnation"])
        gauges.append(Gauge("stuck", f"{stuck}/{limit}", min(1.0, stuck / limit)))
    return tuple(gauges)


def climb_gauges(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    now = state.now
    waited, patience = int(now["since_better"]), int(c["patience"])
    share = int(now["total_accepted"]) / int(now["step"]) if now["step"] else None
    return (Gauge("stuck", text.count(waited), min(1.0, waited / patience)), Gauge("accept", text.share(share), share))


def _log_share(T: float | None, c: Any, calibrated: float) -> float | None:
    """Where T stands between the floor and T₀ on a logarithmic scale."""
    low, high = float(c["t_min"]), float(c["t0"]) or calibrated
    if T is None or low <= 0 or high <= low:
        return None
    if low >= T:
        return 0.0
    return min(1.0, math.log(T / low) / math.log(high / low))


def live(state: AnnealState, c: Any, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id; short, for the pane is narrow."""
    now = state.now
    shown = {"best": str(now["best"])}
    if c["patience"]:
        shown["stuck"] = text.count(int(now["since_better"]))
    elif now["phase"] == SEARCH:
        shown["cool"] = f"{now['moves']}/{c['moves']}"
    if c["stagnation"]:
        shown["reheat"] = f"{now['stagnation']}/{c['stagnation']}"
    if c["attempts"] != 1 and restarts(c):
        shown["restart"] = _attempt(state, c)
    if c["at_floor"] == codes.AT_FLOOR_SWEEP:
        shown["sweep"] = text.count(int(now["sweep"]))
    if c["walk"]:
        calibrated = float(now["calibrated"])
        shown["calibrate"] = text.significant(calibrated) if calibrated else f"{now['walked']}/{c['walk']}"
    return shown | _judgement(events)


def _attempt(state: AnnealState, c: Any) -> str:
    return text.count(int(state.now["attempt"])) + (f"/{c['attempts']}" if c["attempts"] else "")


def _judgement(events: tuple[Event, ...]) -> dict[str, str]:
    """The numbers of this step's proposal."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            shown = {"delta": text.signed(event.delta)}
            if isinstance(event, SwapJudged) and event.p is not None and event.u is not None:
                p, u = text.apart(event.p, event.u)
                shown["uphill"] = f"p = {p}, u = {u}"
            return shown
    return {}


# From the records of the rules to the events that people see, and how a run's end is put into words.


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
