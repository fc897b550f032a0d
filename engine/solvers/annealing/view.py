"""A moment of an annealer's run as plain values: marks, gauges, numbers beside the pseudo-code, events, the outcome."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Final

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
    NotRaised,
    Reheated,
    Restarted,
    Scanned,
    Status,
    SwapJudged,
    Swept,
)
from engine.puzzle import Puzzle
from engine.solver import Outcome
from engine.solvers.annealing import laws
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.neighbourhood import groups
from engine.solvers.annealing.parameters import CALIBRATE, EXTENDED, SEARCH, Config, LogRecord
from engine.solvers.annealing.state import AnnealState
from engine.view import Gauge, Role, View

LINE_OF_VERDICT: Final = {"improved": "accept", "equal": "accept", "uphill": "uphill", "rejected": "reject"}
"""The pseudo-code line of each verdict; every program of the family has these three lines."""


def view(state: AnnealState, config: Config, events: tuple[Event, ...], has_temperature: bool) -> View:
    """The view of the state after the step of these events."""
    cells = state.grid
    shown = temperature_gauges(state, config, events) if has_temperature else climb_gauges(state, config)
    gauges = (*shown, *energy_gauges(state), *attempt_gauge(state, config))
    return View(cells, marks(state, cells, events), gauges=gauges, live=live(state, config, events))


# Marks of the board.


def marks(state: AnnealState, cells: tuple[int, ...], events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The cells of each mark. After a restart the move is not marked, as its cells belong to the old grid."""
    puzzle = state.puzzle
    attempt = int(state.now["attempt"])
    restarted = any(isinstance(event, Restarted) and event.attempt == attempt for event in events)
    moved = () if restarted else moved_cells(events)
    core = next((event.cells for event in events if isinstance(event, Contradiction)), ())
    found: dict[Role, tuple[int, ...]] = {"moved": moved, "partner": partners(puzzle, cells, moved),
                                          "reach": within_reach(state, moved),
                                          "conflict": conflicts(puzzle, cells), "core": core}
    return {role: where for role, where in found.items() if where}


def conflicts(puzzle: Puzzle, cells: tuple[int, ...]) -> tuple[int, ...]:
    """The cells whose value is repeated in one of their units, ascending; as `energy.conflicts`, but faster."""
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
    """The cells of this step's proposal, accepted or not."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            return event.cells
        if isinstance(event, Assigned):
            return (event.cell,)
    return ()


def within_reach(state: AnnealState, moved: tuple[int, ...]) -> tuple[int, ...]:
    """The other free cells that could have been exchanged with a moved cell: those of its row, box or band.

    None if a single cell was filled in.
    """
    if len(moved) < 2:
        return ()
    return _reach(state.puzzle, state.fixed.tobytes(), int(state.now["neighbourhood"]), bool(state.now["boxes"]), moved)


@functools.lru_cache(maxsize=512)
def _reach(puzzle: Puzzle, fixed: bytes, neighbourhood: int, boxes: bool, moved: tuple[int, ...]) -> tuple[int, ...]:
    if neighbourhood == EXTENDED:
        band = puzzle.box * puzzle.n
        units = {range(cell // band * band, cell // band * band + band) for cell in moved}
        found = {cell for unit in units for cell in unit}
    else:
        found = {cell for unit in groups(puzzle, boxes) if not set(moved).isdisjoint(unit.cells) for cell in unit.cells}
    return tuple(sorted(cell for cell in found - set(moved) if not fixed[cell]))


def partners(puzzle: Puzzle, cells: tuple[int, ...], moved: tuple[int, ...]) -> tuple[int, ...]:
    """The cells in conflict with a moved cell."""
    peers = puzzle.geometry.peers
    found = {other for cell in moved if cells[cell] for other in peers[cell] if cells[other] == cells[cell]}
    return tuple(sorted(found - set(moved)))


# Gauges and live values.


def energy_gauges(state: AnnealState) -> tuple[Gauge, ...]:
    now = state.now
    return Gauge("E", str(now["energy"])), Gauge("best", str(now["best"]), role="best")


def attempt_gauge(state: AnnealState, config: Config) -> tuple[Gauge, ...]:
    attempt, attempts = int(state.now["attempt"]), int(config["attempts"])
    if not _counts_attempts(state, config):
        return ()
    return (Gauge("attempt", _attempt(state, config), min(attempt / attempts, 1.0) if attempts else None),)


def can_restart(config: Config) -> bool:
    """True if a restart is possible (`rules.end_plateau`, `rules._climb`)."""
    spent = config["stagnation"] and config["max_reheats"]
    floor = config["at_floor"] == codes.AT_FLOOR_RESTART and config["schedule"] != codes.CONSTANT
    return bool(config["patience"] or spent or floor)


def temperature_gauges(state: AnnealState, config: Config, events: tuple[Event, ...]) -> tuple[Gauge, ...]:
    """The gauges of a search with a temperature. A step that completes a plateau belongs to that plateau."""
    now = state.now
    searching = now["phase"] == SEARCH
    T = float(now["temperature"]) if searching else None
    share = float(now["last_accepted"] / now["last_moves"]) if now["last_moves"] else None
    gauges = [Gauge("T", text.significant(T), _log_share(T, config, float(now["calibrated"])), "knob"),
              Gauge("accept", text.share(share), share)]
    if now["phase"] == CALIBRATE:
        walked = _walked(state)
        gauges.append(Gauge("walk", f"{walked}/{config['walk']}", min(1.0, walked / int(config["walk"]))))
    else:
        ended = completed(events)
        number, done = ((int(now["plateau"]) + 1, min(1.0, int(now["moves"]) / int(config["moves"]))) if ended is None
                        else (ended.plateau, 1.0))
        gauges.append(Gauge("plateau", text.count(number), done))
    if config["stagnation"]:
        stuck, most = _stagnation(state, config, events), int(config["stagnation"])
        gauges.append(Gauge("stuck", f"{stuck}/{most}", min(1.0, stuck / most)))
    return tuple(gauges)


def completed(events: Iterable[Event]) -> Cooled | None:
    """The event of the plateau that this step completed; None if it completed none."""
    return next((event for event in events if isinstance(event, Cooled)), None)


def _walked(state: AnnealState) -> int:
    """The moves of the walk so far; the one that solves the puzzle is not in the solver's own count."""
    return min(int(state.now["walked"]) + (state.energy == 0), state.step)


def _stagnation(state: AnnealState, config: Config, events: tuple[Event, ...]) -> int:
    """Plateaus without progress; at a reheat, or a restart because none is left, those that led to it."""
    for event in events:
        if isinstance(event, Reheated | NotRaised):
            return event.stagnation
    ended = completed(events)
    if ended is None or laws.ends_attempt(ended.after, config):
        return int(state.now["stagnation"])
    restarted = any(isinstance(event, Restarted) for event in events)
    return int(config["stagnation"] if restarted else state.now["stagnation"])


def climb_gauges(state: AnnealState, config: Config) -> tuple[Gauge, ...]:
    now = state.now
    waited, patience = since_better(state), int(config["patience"])
    share = int(now["total_accepted"]) / int(now["step"]) if now["step"] else None
    return (Gauge("stuck", text.count(waited), min(1.0, waited / patience)), Gauge("accept", text.share(share), share))


def since_better(state: AnnealState) -> int:
    """The steps since a lower E in this attempt. The record is not reset by the step that solves."""
    return 0 if state.now["status"] == codes.SOLVED else int(state.now["since_better"])


def _log_share(T: float | None, config: Config, calibrated: float) -> float | None:
    """The position of T between the floor (0) and T₀ (1) on a logarithmic scale."""
    low, high = float(config["t_min"]), float(config["t0"]) or calibrated
    if T is None or low <= 0 or high <= low:
        return None
    if low >= T:
        return 0.0
    return min(1.0, math.log(T / low) / math.log(high / low))


def live(state: AnnealState, config: Config, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the pseudo-code, by line id; short, as the pane is narrow."""
    now = state.now
    shown = {"best": str(now["best"])}
    if config["patience"]:
        shown["stuck"] = text.count(since_better(state))
    elif now["phase"] == SEARCH:
        ended = completed(events)
        shown["cool"] = f"{now['moves'] if ended is None else ended.moves}/{config['moves']}"
    if config["stagnation"]:
        shown["reheat"] = f"{_stagnation(state, config, events)}/{config['stagnation']}"
    if _counts_attempts(state, config):
        shown["restart"] = _attempt(state, config)
    if config["at_floor"] == codes.AT_FLOOR_SWEEP:
        shown["sweep"] = text.count(int(now["sweep"]))
    if config["walk"]:
        calibrated = float(now["calibrated"])
        shown["calibrate"] = text.significant(calibrated) if calibrated else f"{_walked(state)}/{config['walk']}"
    return shown | _proposal_values(events)


def _counts_attempts(state: AnnealState, config: Config) -> bool:
    """Whether there may be several attempts, or were until the restarts were taken away by hand."""
    return (config["attempts"] != 1 and can_restart(config)) or bool(state.now["attempt"] > 1)


def _attempt(state: AnnealState, config: Config) -> str:
    """`2/6`; the last attempt where fewer were allowed by hand than were begun."""
    attempt, attempts = int(state.now["attempt"]), int(config["attempts"])
    return text.count(attempt) + (f"/{text.count(max(attempt, attempts))}" if attempts else "")


def _proposal_values(events: tuple[Event, ...]) -> dict[str, str]:
    """ΔE of this step's proposal, and p and u if it was left to chance."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            shown = {"delta": text.signed(event.delta)}
            if isinstance(event, SwapJudged) and event.p is not None and event.u is not None:
                relation, p, u = text.chance(event.p, event.u)
                shown["uphill"] = f"p {relation} {p}, u = {u}"
            return shown
    return {}


# Events and the outcome.


def verdict(delta: int, accepted: bool) -> str:
    """The verdict on a proposal: `improved`, `equal`, `uphill` or `rejected`."""
    return "rejected" if not accepted else "improved" if delta < 0 else "equal" if delta == 0 else "uphill"


def events_of(log: LogRecord, state: AnnealState, attempts: int, outcome: Outcome | None) -> tuple[Event, ...]:
    """Convert a log record into events, in order. `outcome` is that of the run if the record ends it."""
    bits, step = int(log["events"]), int(log["step"])
    found: list[Event] = []
    if not bits:
        return ()
    if bits & codes.BEST:
        found.append(NewBest(step, "best", int(log["best"]), int(log["best_before"])))
    if bits & codes.COOLED:
        found.append(Cooled(step, "cool", float(log["t_before"]), float(log["t_after"]), int(log["plateau"]),
                            int(log["accepted"]), int(log["moves"])))
    found += _turning_points(log, bits, step, attempts)
    if bits & codes.DONE:
        found.append(done(step, outcome))
    return tuple(found)


def _turning_points(log: LogRecord, bits: int, step: int, attempts: int) -> list[Event]:
    """Calibration, local minimum, reheat, sweep, restart."""
    found: list[Event] = []
    if bits & codes.CALIBRATED:
        found.append(Calibrated(step, "calibrate", float(log["t_start"]), float(log["deviation_delta"]),
                                float(log["deviation_energy"]), int(log["samples"])))
    if bits & codes.MINIMUM:
        found.append(LocalMinimum(step, "stuck", int(log["energy"]), int(log["better"]), int(log["equal"]),
                                  int(log["worse"])))
    if bits & codes.REHEAT:
        found.append(Reheated(step, "reheat", float(log["hot_before"]), float(log["hot_after"]), float(log["factor"]),
                              int(log["reheat"]), int(log["stagnation"]), int(log["gained"])))
    if bits & codes.NOT_RAISED:
        found.append(NotRaised(step, "reheat", float(log["hot_after"]), float(log["factor"]), int(log["reheat"]),
                               int(log["stagnation"])))
    if bits & codes.SWEEP:
        found.append(Swept(step, "sweep", int(log["sweep"]), int(log["energy"])))
    if bits & codes.RESTART:
        fresh = int(log["fresh_energy"])
        found.append(Restarted(step, "restart", int(log["attempt"]), attempts, fresh, int(log["best"])))
        if bits & codes.FRESH_BEST:
            found.append(NewBest(step, "best", fresh, int(log["best"])))
    return found


def done(step: int, outcome: Outcome | None) -> Done:
    """The event of this outcome."""
    if outcome is None:
        raise ValueError("the run is not over")
    line = {"solved": "solved", "no_solution": "contradiction"}.get(outcome.status, "give_up")
    return Done(step, line, outcome.status, outcome.energy, outcome.reason)


def outcome_of(state: AnnealState) -> Outcome | None:
    """The end of the run with the best grid of all attempts, or None while it is running."""
    now = state.now
    code = int(now["status"])
    if code == codes.RUNNING:
        return None
    status: Status = "solved" if code == codes.SOLVED else "gave_up"
    return Outcome(status, tuple(state.best.tolist()), int(now["best"]), _reason(state, code), int(now["attempt"]) - 1)


def _reason(state: AnnealState, code: int) -> str:
    attempts, step = int(state.now["attempt"]), text.count(int(state.now["step"]))
    waited = text.count(int(state.now["since_better"]))
    reasons = {
        codes.SOLVED: "E = 0",
        codes.ATTEMPTS_SPENT: (f"all {text.count(attempts)} attempts are spent" if attempts > 1
                               else "the attempt is spent"),
        codes.BUDGET_SPENT: f"the budget is spent at step {step}",
        codes.NO_MOVES: _no_moves(state),
        codes.NOTHING_TO_PROPOSE: f"no free cell in conflict shares its {_group(state)} with another free cell",
        codes.STUCK: (f"{waited} steps in a row without a better grid" if state.now["since_better"] != 1
                      else "a step without a better grid"),
        codes.LOCAL_MINIMUM: "no move of the whole neighbourhood can be taken: a local minimum",
    }
    return reasons[code]


def _group(state: AnnealState) -> str:
    return "box" if state.now["boxes"] else "row"


def _no_moves(state: AnnealState) -> str:
    """The reason for an empty neighbourhood."""
    if not (state.fixed == 0).any():
        return "no cell is free"
    if state.now["neighbourhood"] == EXTENDED:
        return "no two free cells share a band"
    return f"no two free cells share a {_group(state)}"
